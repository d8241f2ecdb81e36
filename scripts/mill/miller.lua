-- Teaches: serving a line. `room:queue` says who stands at the millstone; the first one is served, and moves on by
-- itself. Things go from hand to hand with `take` and `give`.
---@class Miller: Behaviour
local Miller = {
  grind_time = 2.5, -- seconds
  sacks_per_chute = 8, -- then the chute wants cleaning
  clean_time = 3,
}

local function next_customer()
  local first = room:queue("hopper")[1]
  if first and first:has("grain") and first:distance_to("hopper") < 0.8 then return first end
end

local function grind(self, npc, customer)
  npc:turn_to(customer)
  npc:say("Let me see, " .. customer.id .. " …", Miller.grind_time)
  if customer.valid and customer:take("grain") then
    customer:give("flour")
    self.ground = self.ground + 1
    room.state.sacks = (room.state.sacks or 0) + 1
  end
end

-- Round the stone to the chute and back, past those who leave.
local function clean_chute(self, npc)
  npc:say("A moment, the chute is full.", 1)
  npc:walk_to("chute")
  wait(Miller.clean_time)
  self.ground = 0
end

function Miller.run(self, npc)
  self.ground = self.ground or 0
  while true do
    local customer = next_customer()
    if self.ground >= Miller.sacks_per_chute then
      clean_chute(self, npc)
    elseif npc:distance_to("miller_post") > 0.4 then
      npc:walk_to("miller_post")
    elseif customer then
      grind(self, npc, customer)
    end
    wait(0.25)
  end
end

function Miller.on_talk(self, npc, other)
  npc:turn_to(other)
  npc:say("Stand in line, " .. other.id .. ".")
end

return Miller
