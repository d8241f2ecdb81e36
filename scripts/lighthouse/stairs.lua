-- Teaches: heights. In a tower, every place lies above another one: two characters may be at the same x and z, and a
-- whole stair apart. So what is near is asked of all three: x, y and z.
local Stairs = {
  storey_height = 3.2, -- metres
  close_enough = 0.4,
  try_again = 2, -- seconds
}

--- The storey a character is on, the ground floor being 1; on the stair, the nearer one.
function Stairs.storey(npc)
  return math.floor(npc.y / Stairs.storey_height + 0.5) + 1
end

--- Whether a character is at a point, and not on the floor above or below it.
function Stairs.is_at(npc, name)
  local point = room:point(name)
  local dx, dy, dz = npc.x - point.x, npc.y - (point.y or 0), npc.z - point.z
  return math.abs(dy) < 1 and dx * dx + dz * dz < Stairs.close_enough ^ 2
end

--- Walks to a point, unless the character is there. False if the way is closed: then it has waited a little.
function Stairs.go(npc, name)
  if Stairs.is_at(npc, name) or npc:walk_to(name) then return true end
  wait(Stairs.try_again)
  return false
end

return Stairs
