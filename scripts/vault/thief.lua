-- Teaches: acting on how things stand. Instead of counting steps, the thief looks at room.state and does
-- what is left to do. So it does not matter who moved the key meanwhile, nor when this file is saved.
local Walking = require "vault.walking"

---@class VaultThief: Behaviour
local Thief = {
  plan = "You two to the plates. I get the key.",
  plan_time = 3, -- seconds
  complaint = "Hand over that key!",
  coin_time = 5,
}

function Thief.run(self, npc)
  if not self.has_told then
    npc:say(Thief.plan, Thief.plan_time)
    self.has_told = true
  end

  while room.state.key ~= "lock" do
    if room.state.key == "pedestal" then
      Walking.go(npc, "key") -- vault.lua hands it over
    elseif room.state.key == npc.id then
      Walking.go(npc, "keyhole")
    else
      npc:say(Thief.complaint, 2) -- another character has it
    end
    wait(0.5)
  end

  while not room:is_area_available("vault_door") do wait(0.5) end
  Walking.go(npc, "gold")
  self.coins = self.coins or 0 -- after a reload, count on
  while true do
    wait(Thief.coin_time)
    self.coins = self.coins + 1
    npc:say(self.coins .. " for me …")
  end
end

return Thief
