-- Teaches: an interlock, and traffic that the room brings in. The bridge lies over the boats' passage, and they
-- share their ground: only one of the two may be open. The rule is here, so it holds whoever moves the bridge.
---@class Mill: RoomScript
local Mill = {
  first_boat = 25, -- seconds
  boat_every = 80,
}

function Mill.on_load(room)
  after(Mill.first_boat, "boat")
end

-- A timer with a name is part of a saved room: the next boat comes when it was due.
function Mill.on_timer(room, name)
  if name ~= "boat" then return end
  after(Mill.boat_every, "boat")
  if room:find_npc("barge") then return end -- one at a time
  spawn { name = "barge", at = "upstream", script = "scripts/mill/barge.lua", walk_speed = 1.5, collision_radius = 0.9 }
end

local function interlock()
  if not (room:is_area_available("bridge") and room:is_area_available("passage")) then return end
  if room:find_npc("barge") and room:area("passage"):contains("barge") then
    room:set_area_available("bridge", false) -- "hold": as soon as the boat is out from under it
  else
    room:set_area_available("passage", false)
  end
end

function Mill.on_area_changed(room, area, available)
  interlock()
end

-- The boat has left the passage: now a bridge that was lowered too early closes the way for the next one.
function Mill.on_leave(room, npc, area)
  if area == "passage" then interlock() end
end

return Mill
