-- The chimney sweep. Only sweeps use the rope.
local Sweep = { route = { "bell", "shop" } }

function Sweep.run(self, npc)
  self.next = self.next or 1
  while true do
    npc:walk_to(Sweep.route[self.next])
    self.next = self.next % #Sweep.route + 1
    wait(3)
  end
end

return Sweep
