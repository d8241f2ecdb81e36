-- Teaches: a rule of the room. A traveller under the arch, in front of the closed gate, knocks.
---@class Gatehouse: RoomScript
local Gatehouse = {}

function Gatehouse.on_enter(room, npc, area)
  if area == "arch" and not room:area("gate").available then send("keeper", "knock", npc) end
end

return Gatehouse
