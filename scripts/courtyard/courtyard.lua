-- Twenty people who all set out at once: every half minute, they change sides. A click on the ledge lets the player jump up
-- to the terrace, and whoever follows jumps there, too. One on the door of the shed opens or shuts it.
local Courtyard = {}

local function set_out(room, to_terrace)
  for number, npc in ipairs(room:npcs { tag = "crowd" }) do
    local row, column = (number - 1) // 5, (number - 1) % 5
    if to_terrace then
      npc:set_target { x = 5 + column, y = 1.2, z = -7 + row }
    else
      npc:set_target { x = -8 + column, y = 0, z = -3 + row }
    end
  end
end

function Courtyard.run(room)
  local to_terrace = true
  while true do
    set_out(room, to_terrace)
    to_terrace = not to_terrace
    wait(30)
  end
end

function Courtyard.on_click(room, where, hotspot)
  local player = room:npc("player")
  if hotspot and (hotspot.name == "shed_door" or player.y < 1) then
    start(function()
      player:use(hotspot.name)
    end)
  elseif hotspot then
    player:set_target { x = 5.2, y = 0, z = -0.9 } -- down, it is a step
  else
    player:set_target(where)
  end
  return true
end

function Courtyard.on_use(room, npc, object)
  if object == "ledge" then
    npc:jump_to { x = npc.x, y = 1.2, z = -2.6 }
  elseif object == "shed_door" then
    room:set_area_available("door", not room:is_area_available("door"))
  end
end

return Courtyard
