local words = require("words")
local Gardener = {}

function Gardener.run(self, npc)
  while true do
    npc:walk_to("pump")
    npc:say(words.pump, 1)
    npc:walk_to(6.5, 5)
    wait(1)
  end
end

return Gardener
