-- cicerone run stage --script scripts/lessons/04_lever.lua
--
-- Lesson 4: a door and a lever. This is a room script: it is told what happens in the room. A door is an area that opens and
-- closes; a point is a thing to use. Bob pulls the lever now and then. Click on the lever, and the player pulls it.
---@class Lever: RoomScript
local Stage = { reach = 0.6 } -- metres: a click this near the lever means it

function Stage.on_use(room, npc, object)
  if object == "lever" then
    local door = room:area("door")
    door.available = not door.available
    npc:say(door.available and "Open!" or "Closed.")
  end
end

-- Return true, and the click is taken; otherwise the player walks there.
function Stage.on_click(room, place)
  local lever = room:point("lever")
  if (place.x - lever.x) ^ 2 + (place.z - lever.z) ^ 2 < Stage.reach ^ 2 then
    start(function() room:npc("player"):use("lever") end)
    return true
  end
end

function Stage.run(room)
  local bob = room:npc("bob")
  while true do
    bob:use("lever")
    wait(1)
    bob:walk_to("shelf")
    wait(2)
    bob:walk_to("right")
    wait(2)
  end
end

return Stage
