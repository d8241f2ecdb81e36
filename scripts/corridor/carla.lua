-- Teaches: talk_to. It walks up to a character, wherever they go, and ends at talking distance; they get on_talk.
---@class CorridorCarla: Behaviour
local Carla = { chat = 2 } -- seconds

function Carla.run(self, npc)
  while true do
    npc:walk_to("south_east") -- past the guard, who stands in the way
    if npc:talk_to(room:npc("guard")) then
      npc:say("Nice day, isn't it?", Carla.chat)
    end
    npc:walk_to("south_west")
    wait(1)
  end
end

return Carla
