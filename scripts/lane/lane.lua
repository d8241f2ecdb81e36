-- A pavement that people take although it is farther, a beat for the watch, and stepping stones for a child. A click on the
-- ditch lets the player jump over it, and whoever follows jumps there, too.
local Lane = {}

function Lane.on_click(room, where, hotspot)
  local player = room:npc("player")
  if not hotspot then
    player:set_target(where)
  elseif player.z < 7 then
    start(function()
      player:use("ditch")
    end)
  end
  return true
end

function Lane.on_use(room, npc, object)
  if object == "ditch" and room:is_walkable(npc.x, 8.6) then
    npc:jump_to(npc.x, 8.6, { velocity = 4 })
  end
end

return Lane
