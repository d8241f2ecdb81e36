-- cicerone run stage --script ann=scripts/lessons/02_walk.lua
--
-- Lesson 2: a walk. `run` is a sequence, written down in the order in which things happen. walk_to, say with a time and wait let
-- Ann take her time; the other characters go on meanwhile. walk_to says whether she arrived, and if not, why.
---@class Walk: Behaviour
local Ann = { round = { "left", "window", "right", "shelf" } } -- the shelf is behind a closed door

function Ann.run(self, npc)
  while true do
    for _, place in ipairs(Ann.round) do
      local ok, reason = npc:walk_to(place)
      npc:say(ok and "Here is the " .. place .. "." or "The " .. place .. "? " .. reason .. "!", 1.5)
      wait(0.5)
    end
  end
end

return Ann
