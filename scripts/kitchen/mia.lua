-- Mia sleeps on the rug and in the sun. An open fridge draws her, and milk in her bowl even more.
---@class Mia: Behaviour
local Mia = { nap = 5, sniff = 2 }

local function drink(npc)
  npc:say("Purr.", 4)
  room.state.bowl_is_full = false
  room.state.is_mia_fed = true
end

function Mia.run(self, npc)
  while true do
    if room.state.bowl_is_full then
      if npc:walk_to("beside_the_bowl") then drink(npc) end
    elseif room:is_area_available("fridge_door") and not self.has_seen_the_fridge then
      if npc:walk_to("before_the_milk") then
        self.has_seen_the_fridge = true
        npc:say("Mrrow?")
        wait(Mia.sniff)
      end
      npc:walk_to("rug")
    else
      self.spot = self.spot == "rug" and "in_the_sun" or "rug"
      npc:walk_to(self.spot)
      wait_until(function() return room.state.bowl_is_full == true or room:is_area_available("fridge_door") end, Mia.nap)
    end
    wait(0.2)
  end
end

function Mia.on_message(self, npc, message)
  if message == "milk" then npc:stop() end -- whatever she was at
end

function Mia.on_talk(self, npc, other)
  npc:turn_to(other)
  npc:say("Mew.")
end

return Mia
