-- Teaches: a puzzle as rules of the room. The door is open while a character stands on each plate and the
-- key is in the lock. Nothing here knows who does it: the player may as well as the thief.
-- The rules listen to on_enter and on_leave; what they remember lies in room.state.
---@class Vault: RoomScript
local Vault = {
  key_found = "I have the key!",
  key_turned = "It fits!",
  solved = "The treasure is ours!",
  shut_in = "Hey! The door!",
}

function Vault.on_load(room)
  room.state.key = "pedestal" -- then the name of its carrier, at last "lock"
  room.state.solved = false
end

local function someone_on(plate)
  return #room:npcs_in(plate) > 0
end

local function update_door()
  local pressed = someone_on("left_plate") and someone_on("right_plate")
  room:set_area_available("vault_door", pressed and room.state.key == "lock")
end

function Vault.on_enter(room, npc, area)
  if area == "pedestal" and room.state.key == "pedestal" then
    room.state.key = npc.id
    npc:say(Vault.key_found)
  elseif area == "lock" and room.state.key == npc.id then
    room.state.key = "lock"
    npc:say(Vault.key_turned)
  elseif area == "vault" and not room.state.solved then
    room.state.solved = true
    npc:say(Vault.solved)
    log.info("solved by", npc.id, "after", room.time, "seconds")
  end
  update_door() -- the character may have stepped on a plate
end

function Vault.on_leave(room, npc, area)
  update_door()
end

-- Saving this file may have changed the rules.
function Vault.on_reload(room)
  update_door()
end

function Vault.on_area_changed(room, area, available)
  if area ~= "vault_door" or available then return end
  for _, npc in ipairs(room:npcs_in("vault")) do
    npc:say(Vault.shut_in)
  end
end

return Vault
