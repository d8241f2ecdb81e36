-- Teaches: one script for two characters, told apart by the tags the room file gives them.
-- `self` is each helper's own memory: after a reload, wren still knows whether she has looked.
local Walking = require "vault.walking"

---@class VaultHelper: Behaviour
local Helper = {
  ready = "Ready!",
  patience = 8, -- seconds on the plate before curiosity wins, once the vault is open
  look_time = 3,
}

local function look_inside(self, npc)
  self.has_looked = true
  Walking.go(npc, "door_peek") -- off the plate: the door closes
  npc:say("What is in there?", Helper.look_time)
end

function Helper.run(self, npc)
  local plate = npc:has_tag("left") and "on_left" or "on_right"
  while room.state.key == "pedestal" do wait(0.5) end -- until a character has the key
  Walking.go(npc, plate)
  npc:say(Helper.ready)
  while true do
    wait(1)
    Walking.go(npc, plate) -- another character may have pushed us off
    if npc:has_tag("left") and room.state.solved and not self.has_looked then
      wait(Helper.patience)
      look_inside(self, npc)
    end
  end
end

return Helper
