-- Teaches: a wide body. The small door is nearer, but the statue does not fit.
local Ogre = {}

function Ogre.run(self, npc)
  wait(2)
  if not self.stands then
    self.stands = npc:walk_to("pedestal")
  end
end

return Ogre
