-- Teaches: the game's own functions, which scripts/game_api.json declares: sounds, dialogs, animations, coins.
---@class GateKeeper: Behaviour
local Keeper = { patience = 15 } -- seconds

--- Walks to the winch, turns it, and opens or closes the gate.
local function wind(npc, available)
  npc:walk_to("winch")
  play_sound("winch", npc)
  npc:play_animation("crank")
  room:area("gate").available = available
  play_sound(available and "creak" or "thud", { x = 8.5, z = 4 })
end

--- Opens the gate until the traveller has passed it, does not come, or has left the room.
local function let_through(npc, traveller)
  wind(npc, true)
  local gate = room:area("gate")
  local function is_in_gate() return traveller.valid and gate:contains(traveller) end
  if traveller.valid then send(traveller, "gate_open") end
  if wait_until(function() return is_in_gate() or not traveller.valid end, Keeper.patience) then
    wait_until(function() return not is_in_gate() end, Keeper.patience)
  end
  wind(npc, false)
end

--- True if the traveller may pass.
local function has_paid(npc, traveller)
  if not traveller.player then return true end -- the pedlar pays by the year
  if start_dialog(npc, "toll") ~= "pay" then
    npc:say("Then good day to you.", 2)
  elseif take_coins(toll) then
    play_sound("coins", npc)
    return true
  else
    npc:say("That is not enough.", 2)
  end
  return false
end

function Keeper.run(self, npc)
  self.waiting = self.waiting or {}
  while true do
    wait_until(function() return self.waiting[1] end)
    local traveller = table.remove(self.waiting, 1)
    if traveller.valid then -- it may have left the room while others were served
      local leaves_town = traveller.x > 9
      if leaves_town or has_paid(npc, traveller) then let_through(npc, traveller) end
      npc:set_target("post")
    end
  end
end

function Keeper.on_talk(self, npc, traveller) table.insert(self.waiting, traveller) end

function Keeper.on_message(self, npc, message, traveller)
  if message == "knock" then table.insert(self.waiting, traveller) end
end

return Keeper
