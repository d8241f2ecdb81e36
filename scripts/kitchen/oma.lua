-- Grandmother cooks: from the stove to the shelf, to the sink, and back.
---@class Oma: Behaviour
local Oma = { places = { "at_the_shelf", "at_the_sink", "at_the_stove" }, busy = 4 }

function Oma.run(self, npc)
  while true do
    for _, place in ipairs(Oma.places) do
      wait(Oma.busy)
      npc:walk_to(place)
      npc:turn_to(npc.x, npc.z - 1)
    end
    if room:is_area_available("fridge_door") then npc:say("Somebody left the fridge open!") end
  end
end

function Oma.on_talk(self, npc, other)
  npc:turn_to(other)
  if room.state.is_mia_fed then
    npc:say("Now she sleeps till supper.")
  else
    npc:say("Mia wants her milk. It is in the fridge, dear.")
  end
end

return Oma
