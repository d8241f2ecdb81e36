-- A visitor comes when the player enters the garden.
local Yard = {}

function Yard.on_enter(room, npc, area)
  if area == "garden" and npc.player then
    spawn_once { name = "visitor", at = "pump", script = "scripts/visitor.lua" }
  end
end

return Yard
