-- Teaches: a module with the manners of a place. Villagers call `cross`, the keeper calls `let_over`; what they tell
-- each other lies in room.state, so either script may be saved while a villager stands in the middle of the bridge.
local Bridge = {
  banks = { west = "village", east = "yard" }, -- the areas on both sides
  give_up = 30, -- seconds in which the way over must be done; then one stands in line again
}

local function is_on(npc, side)
  return room:area(Bridge.banks[side]):contains(npc)
end

--- Those who stand in line on one bank.
function Bridge.line(side)
  return room:queue(side .. "_front")
end

--- Lets those on this bank go over, until the next call. Nil: stop, both sides.
function Bridge.let_over(from)
  room.state.may_cross_from = from
end

local function may_cross(from)
  return room.state.may_cross_from == from and room:is_area_available("bridge")
end

--- Takes a character to the other bank: it stands in line, waits for the keeper's word, and goes over.
--- Returns with the first step on the other bank, so the next walk begins without a stop.
function Bridge.cross(npc, to)
  local from = to == "east" and "west" or "east"
  while not is_on(npc, to) do
    if is_on(npc, from) then
      npc:queue_at(from .. "_front", { tail = from .. "_tail", spacing = 0.75 })
      -- Or the line has pushed us onto the bridge: then over it, for it is raised only when it is empty.
      wait_until(function() return may_cross(from) or not is_on(npc, from) end)
    end
    race { -- the loser ends: usually the walk, a step before its goal
      function() return npc:walk_to(to .. "_landing", { timeout = Bridge.give_up }) end,
      function() wait_until(function() return is_on(npc, to) end) end,
    }
    if not is_on(npc, to) then wait(0.5) end -- the bridge was raised before us
  end
end

return Bridge
