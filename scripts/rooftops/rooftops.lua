-- Three pieces of ground that only links join. A click sends the player anywhere, over whatever links lead there.
local Rooftops = {}

function Rooftops.on_load(room)
  room.state.lift_rides = room.state.lift_rides or 0
end

function Rooftops.on_click(room, where)
  room:npc("player"):set_target(where)
end

return Rooftops
