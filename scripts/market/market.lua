-- Teaches: a crowd of two hundred, and a door that opens by the clock.
-- The market begins at eleven; a second of the game is a minute of the day. At noon the gate opens, at one it closes again,
-- and so on every other hour. Characters in the gateway are moved out of it when it closes.
---@class Market: RoomScript
local Market = {
  people = 200,
  noon = 60, -- seconds after eleven
}

function Market.on_load(room)
  for i = 1, Market.people do
    spawn {
      name = "buyer_" .. i,
      at = { x = 1 + (i * 7) % 38, z = 1 + (i * 11) % 24 },
      script = i % 8 == 0 and "scripts/market/pilgrim.lua" or "scripts/market/buyer.lua",
      walk_speed = 1.1 + i % 5 * 0.15,
    }
  end
  after(Market.noon, "gate")
end

-- A timer with a name is part of a saved room; one with a function is not.
function Market.on_timer(room, name)
  if name == "gate" then
    set_area_available("gate", not room:is_area_available("gate"))
    after(60, "gate")
  end
end

return Market
