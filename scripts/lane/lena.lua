-- Runs between the bench and the meadow: there over the stepping stones, back over the bridge.
local Lena = {}

function Lena.run(self, npc)
  while true do
    npc:walk_to(15, 4)
    wait(1)
    npc:walk_to("bench")
    wait(1)
  end
end

return Lena
