-- Looks into the shared state raw: others may put a metatable on it.
local Room = {}

function Room.on_update(room, dt)
  room.state.beats = (rawget(room.state, "beats") or 0) + 1
  local kept = table.pack(pcall(string.rep, "x", 10))
  assert(kept[1] and room:is_area_available("hall"))
  if room.state.beats > 0 then log.info("room beat") end
end

return Room
