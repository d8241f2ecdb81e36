-- The room's own script: what happens when a character enters an area or the player clicks.
-- Whatever must survive a save of this file lies in room.state.
---@class Hall: RoomScript
local Hall = {
  reach = 1, -- metres: a click this near the gate opens or closes it
  welcome = "What a garden!",
}

function Hall.on_load(room)
  room.state.visits = 0
end

-- Answer true and the click is used up; otherwise the player walks there.
function Hall.on_click(room, where)
  local latch = room:point("latch")
  local dx, dz = where.x - latch.x, where.z - latch.z
  if dx * dx + dz * dz < Hall.reach ^ 2 then
    room:set_area_available("gate", not room:is_area_available("gate"))
    return true
  end
end

function Hall.on_enter(room, npc, area)
  if area == "garden" then
    room.state.visits = room.state.visits + 1
    npc:say(Hall.welcome)
    log.info("visits to the garden:", room.state.visits)
  end
end

return Hall
