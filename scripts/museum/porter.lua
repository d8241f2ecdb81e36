-- Carries the statue: one walks on each side of it, where there is room.
local Porter = {}

function Porter.run(self, npc)
  npc:walk_beside(room:npc("ogre"))
end

return Porter
