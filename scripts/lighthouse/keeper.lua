-- Teaches: a working day as a list of duties. Each begins with a look at how things stand; the first that is due is
-- done, and then the list begins anew. So nothing is lost when this file is saved while the keeper is on the stair.
local Stairs = require "lighthouse.stairs"

---@class LighthouseKeeper: Behaviour
local Keeper = {
  patience = 20, -- seconds in which the helper may still come in at night
}

local function light_the_lamp(npc)
  if not Stairs.go(npc, "lamp") then return end
  room.state.tank_oil = room.state.tank_oil - 1
  room.state.is_lit = true
  send(room, "lamp lit")
  npc:say("Burn, old girl.", 2)
end

local function put_it_out(npc)
  if not Stairs.go(npc, "lamp") then return end
  room.state.is_lit = false
  npc:say("Good morning, sea.", 2)
end

local function is_outside(npc)
  return room:area("quay"):contains(npc) or room:area("boat"):contains(npc)
end

local function lock_the_door(npc)
  if not Stairs.go(npc, "behind_door") then return end
  local helper = room:npc("helper")
  if is_outside(helper) then
    npc:say("Come in, I am locking up!")
    wait_until(function() return not is_outside(helper) end, Keeper.patience)
  end
  room:set_area_available("tower_door", false) -- "hold": once the doorway is empty
  npc:say("Locked.", 1.5)
end

local function unlock_the_door(npc)
  if not Stairs.go(npc, "behind_door") then return end
  room:set_area_available("tower_door", true)
  npc:say("Open!", 1)
end

local function rest(npc)
  if not Stairs.go(npc, "bed") then return end
  npc:say(room.state.is_night and "Zzz …" or "A cup of tea.", 3)
end

local function next_duty()
  local state, is_open = room.state, room:is_area_available("tower_door")
  if state.is_night then
    if not state.is_lit and state.tank_oil > 0 then return light_the_lamp end
    if is_open then return lock_the_door end
  else
    if not is_open then return unlock_the_door end
    if state.is_lit then return put_it_out end
  end
  return rest
end

function Keeper.run(self, npc)
  while true do
    next_duty()(npc)
    wait(0.5)
  end
end

function Keeper.on_talk(self, npc, other)
  npc:turn_to(other)
  npc:say("All the way up to storey " .. Stairs.storey(npc) .. "? Well done, " .. other.id .. ".", 3)
end

return Keeper
