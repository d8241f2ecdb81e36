-- cicerone run stage --script ann=scripts/lessons/03_remember.lua
--
-- Lesson 3: what lasts. `self` belongs to this one character, and a save keeps it: Ann goes on counting where she was. What
-- stands in the file itself is for all characters that follow it, and the new file counts. Change `step` while she counts, and save.
---@class Remember: Behaviour
local Ann = { step = 1 }

function Ann.on_spawn(self, npc)
  self.count = 0
end

function Ann.run(self, npc)
  while true do
    self.count = self.count + Ann.step
    npc:say("I can count to " .. self.count .. ".")
    wait(1)
  end
end

function Ann.on_reload(self, npc)
  npc:say("Where was I? At " .. self.count .. ".")
end

return Ann
