-- Teaches: a life from `spawn` to `despawn`. tavern.lua brings a visitor in; the visitor leaves alone.
-- If a walk fails, walk_to returns false and the reason, and the visitor simply turns back.
---@class TavernVisitor: Behaviour
local Visitor = {
  stay = 25, -- seconds in the snug
  greeting = "A quiet corner, at last.",
  farewell = "Back on the road.",
}

function Visitor.run(self, npc)
  if not self.has_rested and npc:walk_to("snug_seat") then
    npc:say(Visitor.greeting, Visitor.stay)
    npc:say(Visitor.farewell)
  end
  self.has_rested = true -- a reload on the way out does not send us back in
  npc:walk_to("street")
  npc:despawn()
end

return Visitor
