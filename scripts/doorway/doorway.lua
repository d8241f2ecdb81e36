-- Teaches: a crowd made by a script. Twenty people, half of them on each side of a door that only one fits through.
---@class Doorway: RoomScript
local Doorway = { people = 20 }

function Doorway.on_load(room)
  for i = 1, Doorway.people do
    local side, left = i % 2, (i - 1) // 2
    spawn {
      name = (side == 1 and "hall_" or "yard_") .. left + 1,
      at = { x = (side == 1 and 1.5 or 12) + left % 2 * 1.6 + 1, z = 1 + left // 2 * 2 },
      script = "scripts/doorway/passer.lua",
      tags = { side == 1 and "from_hall" or "from_yard" },
    }
  end
end

return Doorway
