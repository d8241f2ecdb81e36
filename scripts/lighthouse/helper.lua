-- Teaches: carrying, up a stair. A can of oil is an item; it makes the helper slow, until it is poured out.
local Stairs = require "lighthouse.stairs"

---@class LighthouseHelper: Behaviour
local Helper = {
  walking_speed = 1.4, -- metres per second
  carrying_speed = 0.9,
}

local function fetch(npc)
  if not Stairs.go(npc, "stern") then return npc:say("Is the door open yet?", 1.5) end
  if room.state.boat_oil == 0 then return end
  room.state.boat_oil = room.state.boat_oil - 1
  npc:give("oil")
  npc:say("Up we go.", 1)
end

local function pour(npc)
  if Stairs.go(npc, "oil_tank") and npc:take("oil") then
    room.state.tank_oil = room.state.tank_oil + 1
    npc:say("That will do for a night.", 2)
  end
end

local function next_place()
  return room.state.is_night and "window" or "bench"
end

function Helper.run(self, npc)
  while true do
    npc.walk_speed = npc:has("oil") and Helper.carrying_speed or Helper.walking_speed
    if npc:has("oil") then
      pour(npc)
    elseif room.state.boat_oil > 0 and not room.state.is_night then
      fetch(npc)
    else
      Stairs.go(npc, next_place())
    end
    wait(0.5)
  end
end

return Helper
