-- Teaches: an errand as a round of steps, and a sack as the memory of it. After a reload `run` begins again, looks at
-- what the villager carries, and goes on from there: grain goes to the mill, flour goes home.
local Bridge = require "mill.bridge"

---@class MillVillager: Behaviour
local Villager = {
  shortest_rest = 10, -- seconds at home
  longest_rest = 50,
  done = "Fresh flour!",
}

function Villager.on_spawn(self, npc)
  self.home = npc:pos() -- where the room file put us
end

local function rest_at_home(self, npc)
  wait(random(Villager.shortest_rest, Villager.longest_rest))
  npc:give("grain")
end

local function have_it_ground(npc)
  Bridge.cross(npc, "east")
  if not npc:queue_at("hopper", { tail = "hopper_tail", spacing = 0.75 }) then return wait(1) end
  npc:say("Good day, miller!", 1)
  wait_until(function() return npc:has("flour") end, 30) -- miller.lua takes the one and gives the other
end

local function carry_home(self, npc)
  if room:area("mill"):contains(npc) then
    npc:walk_to("back_door") -- in at the front, out at the back: nobody squeezes past the line
  end
  Bridge.cross(npc, "west")
  if npc:walk_to(self.home) then
    npc:take("flour")
    npc:say(Villager.done)
  else
    wait(1)
  end
end

function Villager.run(self, npc)
  while true do
    if npc:has("flour") then
      carry_home(self, npc)
    elseif npc:has("grain") then
      have_it_ground(npc)
    else
      rest_at_home(self, npc)
    end
  end
end

return Villager
