-- Follows the player: over the bridge, or where the player has jumped over the ditch.
local Benno = {}

function Benno.run(self, npc)
  while true do
    npc:follow(room:npc("player"), 1.5)
    wait(1)
  end
end

return Benno
