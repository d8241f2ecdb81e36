-- Teaches: one character that directs many. The keeper lets over one bank after the other, and raises the bridge for
-- a boat. It closes the area and waits: "whenOccupied": "hold" keeps it open while there is a foot on it.
local Bridge = require "mill.bridge"

---@class MillKeeper: Behaviour
local Keeper = {
  shortest_turn = 3, -- seconds for one bank
  longest_turn = 10,
  next_bank = { west = "east", east = "west" },
  calls = { west = "Over to the mill!", east = "Over to the village!" },
}

local function boat_waits()
  return room.state.boat == "waiting"
end

local function wait_until_empty()
  wait(1) -- for those who just set out
  wait_until(function() return #room:npcs_in("bridge") == 0 end, 20)
end

local function let_over(npc, side)
  npc:say(Keeper.calls[side])
  Bridge.let_over(side)
  wait(Keeper.shortest_turn)
  wait_until(function() return #Bridge.line(side) == 0 or boat_waits() end, Keeper.longest_turn - Keeper.shortest_turn)
  Bridge.let_over(nil)
  wait_until_empty()
end

local function let_boat_through(npc)
  npc:say("Stand clear! A boat!", 1)
  npc:walk_to("windlass")
  while boat_waits() do
    room:set_area_available("bridge", false)
    local late = room:npcs_in("bridge")
    if not room:is_area_available("bridge") then
      room:set_area_available("passage", true)
    elseif #late > 0 then
      npc:say("Off the bridge, " .. late[1].id .. "!", 2)
    end
    wait(0.5)
  end
end

-- The passage is closed by the room's rule: see mill.lua.
local function lower(npc)
  npc:walk_to("windlass")
  room:set_area_available("bridge", true)
  npc:say("Down she comes.", 1.5)
  npc:walk_to("keepers_post")
end

function Keeper.run(self, npc)
  Bridge.let_over(nil)
  self.side = self.side or "west"
  while true do
    if boat_waits() then
      let_boat_through(npc)
    elseif not room:is_area_available("bridge") then
      lower(npc)
    else
      if #Bridge.line(self.side) > 0 then let_over(npc, self.side) end
      self.side = Keeper.next_bank[self.side]
      wait(0.5)
    end
  end
end

return Keeper
