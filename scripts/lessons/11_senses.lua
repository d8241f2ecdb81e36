-- cicerone run stage --script ann=scripts/lessons/11_senses.lua --script bob=scripts/lessons/11_senses.lua
--
-- Lesson 11: who sees whom. Ann strolls about and looks for bob, who runs as soon as he sees her. `can_see` asks for walls, closed
-- doors and furniture between them, for the angle and for the distance; `wander` and `flee` walk until something ends them.
---@class Hide: Behaviour
local Hide = {}

local VIEW = { fov = math.rad(140), range = 6 }

function Hide.run(self, npc)
  if npc.id == "ann" then
    every(0.25, function() Hide.look(self, npc) end)
    npc:wander { area = "hall", pause = { 0.5, 1.5 } } -- goes on until another command sends her elsewhere
  else
    Hide.hide(npc)
  end
end

function Hide.look(self, npc)
  local seen, why = npc:can_see(room:npc("bob"), VIEW)
  if seen and not self.seen then npc:say("I see you, bob!") end
  if self.seen and not seen then npc:say("Where is he? There is the " .. why .. " in the way.") end
  self.seen = seen
end

function Hide.hide(npc)
  local ann = room:npc("ann")
  while true do
    if npc:can_see(ann, { range = 3 }) then
      npc:say("Run!")
      local ok = npc:flee(ann, { distance = 4 })
      npc:say(ok and "Safe." or "Cornered!", 1)
    end
    wait(0.25)
  end
end

return Hide
