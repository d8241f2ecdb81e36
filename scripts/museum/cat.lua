-- Teaches: a small body. The way under the rope is a way for the cat alone.
local Cat = {
  naps = 6, -- seconds
}

function Cat.run(self, npc)
  while true do
    npc:walk_to("throne")
    npc:say("Purr.", 2)
    wait(Cat.naps)
    npc:walk_to("bowl")
    wait(Cat.naps)
  end
end

return Cat
