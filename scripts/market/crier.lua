-- Teaches: asking about an area. The crier says whether the gate is open.
---@class MarketCrier: Behaviour
local Crier = {}

function Crier.run(self, npc)
  while true do
    wait(15)
    npc:say(room:is_area_available("gate") and "The gate is open!" or "Noon opens the gate!", 3)
  end
end

return Crier
