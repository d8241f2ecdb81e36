-- Looks at the painting, and at the garden from the bench. The bench stands on the lawn, so the visitor comes near it only.
local Visitor = {}

function Visitor.run(self, npc)
  while true do
    npc:walk_to("painting")
    wait(3)
    npc:walk_to("bench")
    wait(3)
  end
end

return Visitor
