-- Follows the player, up ladders and over gaps too.
local Cat = {}

function Cat.run(self, npc)
  while true do
    npc:follow(room:npc("player"), 1)
    wait(1)
  end
end

return Cat
