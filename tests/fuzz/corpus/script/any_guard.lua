-- Teaches: on_talk, and going back to where one belongs after having been nudged aside.
---@class CorridorGuard: Behaviour
local Guard = { post = "post", patience = 3 } -- seconds

function Guard.run(self, npc)
  while true do
    wait(Guard.patience)
    if npc:distance_to(Guard.post) > 0.3 then
      npc:walk_to(Guard.post)
    end
  end
end

function Guard.on_talk(self, npc, other)
  self.talks = (self.talks or 0) + 1
  npc:say(self.talks == 1 and "Move along, " .. other.id .. "." or "You again?", 2)
end

return Guard
