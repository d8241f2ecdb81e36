-- cicerone run stage --script scripts/lessons/14_formation.lua
--
-- Lesson 14: meeting and formations. All are sent to one place. Only one can stand there: who touches somebody that has
-- arrived there has arrived, too. In a formation everybody has a place of their own; the first one leads a wedge.
---@class Formation: RoomScript
local Formation = { cast = { "ann", "bob", "cleo" } }

local function meet(place)
  local ways = {}
  for i, name in ipairs(Formation.cast) do
    ways[i] = function() return room:npc(name):walk_to(place) end
  end
  return all(ways)
end

function Formation.run(room)
  local ann, bob, cleo = room:npc("ann"), room:npc("bob"), room:npc("cleo")
  while true do
    if meet("right") then ann:say("Here we are.", 1) end
    if room:form { kind = "wedge", who = Formation.cast, at = { x = 3, z = 4.6 }, facing = "hook", timeout = 20 } then
      ann:say("Follow me!", 1)
    end
    if room:form { kind = "circle", who = Formation.cast, at = { x = 2, z = 1.5 }, radius = 0.8, timeout = 20 } then
      bob:say("What is the plan?", 1)
    end
    -- An exact walk ends at the very place, whoever stands near it.
    ann:walk_to("left")
    cleo:walk_to("left", { exact = true })
    cleo:say("This is my place.", 1)
  end
end

return Formation
