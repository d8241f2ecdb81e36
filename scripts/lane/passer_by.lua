-- Goes to and fro between the gate and the shop: along the pavement, since it is cheaper.
local PasserBy = {}

function PasserBy.run(self, npc)
  while true do
    local goal = npc.x < 13 and "shop" or "gate"
    npc:walk_to(goal)
    wait(1 + random())
  end
end

return PasserBy
