-- Teaches: ways that are one's own. The staff door is open all day, and only staff walks through it: the room file says so,
-- and no script has to look.
local Guard = {}

function Guard.run(self, npc)
  while true do
    for _, place in ipairs { "painting", "bench", "desk" } do
      npc:walk_to(place)
      wait(2)
    end
  end
end

return Guard
