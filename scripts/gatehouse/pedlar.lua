-- Teaches: waiting for the message of another character.
---@class GatePedlar: Behaviour
local Pedlar = { rest = 5 } -- seconds

function Pedlar.on_message(self, npc, message)
  if message == "gate_open" then self.may_pass = true end
end

--- Asks the keeper on the road; in the town, whoever stands under the arch is heard.
local function ask(self, npc, is_on_road)
  self.may_pass = false
  if is_on_road then npc:talk_to(room:npc("keeper")) else npc:walk_to(9.8, 4) end
  return wait_until(function() return self.may_pass end, 60)
end

function Pedlar.run(self, npc)
  while true do
    local is_on_road = room:area("road"):contains(npc)
    if ask(self, npc, is_on_road) then
      npc:walk_to(is_on_road and "square" or "milestone")
      npc:say("Pots! Pans!", 2)
    end
    wait(Pedlar.rest)
  end
end

return Pedlar
