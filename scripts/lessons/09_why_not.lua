-- cicerone run stage --script ann=scripts/lessons/09_why_not.lua
--
-- Lesson 9: why not? Ann wants to get to the shelf and cannot. She asks what is in the way, is told that it is the door,
-- fetches the key and opens it. `room:explain_path` knows closed areas, obstacles and gaps that are too narrow.
---@class WhyNot: Behaviour
local Ann = {}

local function unlock(npc, name)
  if not npc:has("key") then
    npc:say("I need the key.", 1.5)
    npc:walk_to("hook")
    npc:give("key")
    npc:say("Here it is.", 1)
  end
  npc:walk_to("doorstep")
  room:area(name).available = true
end

function Ann.run(self, npc)
  local why = room:explain_path(npc, "shelf") -- before setting out
  log.info(why.text)
  local ok = npc:walk_to("shelf")
  while not ok do
    local walk = npc:last_walk() -- after a walk that did not arrive
    local culprit = walk and walk.blocked_by
    npc:say("The " .. (culprit or "way") .. " is in the way!", 2)
    if culprit ~= "door" then return end
    unlock(npc, culprit)
    ok = npc:walk_to("shelf")
  end
  npc:say("Books at last.", 3)
end

return Ann
