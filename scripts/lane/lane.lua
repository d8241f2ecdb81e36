-- A pavement that people take although it is farther, a beat for the watch, and stepping stones for a child.
local Lane = {}

function Lane.on_click(room, where)
  room:npc("player"):set_target(where)
end

return Lane
