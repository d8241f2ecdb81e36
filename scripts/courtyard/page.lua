-- Follows the player: over the steps, or up the ledge where the player has jumped.
local Page = {}

function Page.run(self, npc)
  while true do
    npc:follow(room:npc("player"), 1)
    wait(1)
  end
end

return Page
