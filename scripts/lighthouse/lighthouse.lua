-- Teaches: a clock, and a part of the ground that comes and goes. Night and day are two timers, each of which sets the
-- other. The boat is an area: while it is away, the area is closed, and nobody walks on water.
---@class Lighthouse: RoomScript
local Lighthouse = {
  first_dusk = 8, -- seconds
  night = 120,
  day = 120,
  sail_time = 5, -- from the lamp's first light to the boat at the quay
}

function Lighthouse.on_load(room)
  room.state.is_night = false
  room.state.is_lit = false
  room.state.tank_oil = 1 -- cans; the lamp burns one a night
  room.state.boat_oil = 0
  after(Lighthouse.first_dusk, "dusk")
  after(0, "boat")
end

local function boat_comes(room)
  if room:find_npc("boatman") then return end -- it is here already
  room:set_area_available("boat", true)
  spawn { name = "boatman", at = "deck", script = "scripts/lighthouse/boatman.lua", heading = math.pi }
  room.state.boat_oil = 1
end

function Lighthouse.on_timer(room, name)
  if name == "dusk" then
    room.state.is_night = true
    after(Lighthouse.night, "dawn")
  elseif name == "dawn" then
    room.state.is_night = false
    after(Lighthouse.day, "dusk")
  elseif name == "boat" then
    boat_comes(room)
  end
end

function Lighthouse.on_message(room, message)
  if message == "lamp lit" then
    after(Lighthouse.sail_time, "boat")
  elseif message == "cast off" then
    room:npc("boatman"):despawn()
    room:set_area_available("boat", false)
  end
end

return Lighthouse
