-- Teaches: choosing what to do next in a loop, `self` for what must survive a reload, and a door that
-- opens and closes: `room:set_area_available`. While it is closed no path leads through it.
local Bar = require "tavern.bar"

---@class TavernBarkeep: Behaviour
local Barkeep = {
  pour_time = 2, -- seconds
  drinks_per_barrel = 6,
  lift_time = 2.5,
  walking_speed = 1.4, -- metres per second
  carrying_speed = 0.8,
}

local function serve(self, npc, place, visit)
  npc:walk_to(place .. "_inside")
  npc:say("Here you are, " .. visit.guest .. ".", Barkeep.pour_time)
  visit.served = true
  self.poured = self.poured + 1
end

local function fetch_barrel(self, npc)
  npc:say("Time for a new barrel.", 1.5)
  npc:walk_to("cellar_step")
  room:set_area_available("cellar_door", true)
  npc:walk_to("barrels")
  npc:say("Hnnngh!", Barkeep.lift_time)
  npc.walk_speed = Barkeep.carrying_speed
  while not npc:walk_to("cellar_step") do wait(1) end -- never lock ourselves in
  -- "whenOccupied": "hold" in the room file: it closes once the doorway is empty.
  room:set_area_available("cellar_door", false)
  npc.walk_speed = Barkeep.walking_speed
  self.poured = 0
  room.state.barrel_wanted = nil
end

function Barkeep.run(self, npc)
  self.poured = self.poured or 0 -- `or`: after a reload it is there already
  npc.walk_speed = Barkeep.walking_speed -- the reload may have caught us carrying
  while true do
    local place, visit = Bar.next_order()
    if self.poured >= Barkeep.drinks_per_barrel or room.state.barrel_wanted then
      fetch_barrel(self, npc)
    elseif place then
      serve(self, npc, place, visit)
    elseif npc:distance_to("bar_middle_inside") > 0.3 then
      npc:walk_to("bar_middle_inside")
    else
      wait(0.5)
    end
  end
end

-- Characters hear of the areas they enter and leave themselves.
function Barkeep.on_enter(self, npc, area)
  if area == "cellar" then npc:say("Mind the step.") end
end

return Barkeep
