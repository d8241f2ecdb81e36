-- Teaches: waiting for a door. While the gate is closed, a walk to the temple ends as "partial", as near as one can get.
---@class MarketPilgrim: Behaviour
local Pilgrim = { patience = 4 } -- seconds

function Pilgrim.run(self, npc)
  while true do
    if not self.prayed then
      local ok, reason = npc:walk_to { x = 12 + random() * 16, z = 29 + random() * 6 }
      self.prayed = ok
      wait(ok and 5 or Pilgrim.patience)
    elseif npc:walk_to { x = 2 + random() * 36, z = 2 + random() * 20 } then
      self.prayed = false
      wait(random() * Pilgrim.patience)
    else
      wait(1)
    end
  end
end

return Pilgrim
