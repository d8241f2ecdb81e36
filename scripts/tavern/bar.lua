-- Teaches: a module that several scripts share. guest.lua and barkeep.lua both say `require "tavern.bar"`
-- and get this same table. It remembers nothing itself: who stands where lies in room.state, which
-- survives every reload.
local Bar = {
  -- Points of the room. Behind each lies one more for the barkeep, called NAME_inside.
  places = { "bar_left", "bar_middle", "bar_right" },
}

-- Who stands at which place: { bar_left = { guest = "ada", ordered_at = 12.5, served = true }, … }
local function visits()
  room.state.visits = room.state.visits or {}
  return room.state.visits
end

--- The place this guest has taken, and the visit; nil if none.
function Bar.place_of(guest)
  for _, place in ipairs(Bar.places) do
    local visit = visits()[place]
    if visit and visit.guest == guest.id then return place, visit end
  end
end

--- Takes a free place for the guest, so that no two walk to the same one. Nil if the bar is full.
function Bar.take_place(guest)
  for _, place in ipairs(Bar.places) do
    if not visits()[place] then
      visits()[place] = { guest = guest.id }
      return place
    end
  end
end

--- The guest is at the counter and wants a drink.
function Bar.order(guest)
  local _, visit = Bar.place_of(guest)
  visit.ordered_at = visit.ordered_at or room.time
end

function Bar.is_served(guest)
  local _, visit = Bar.place_of(guest)
  return visit.served
end

function Bar.leave(guest)
  visits()[Bar.place_of(guest)] = nil
end

--- The place that has waited longest for its drink, and the visit; nil if no guest waits.
---@return string? place, table? visit
function Bar.next_order()
  local first, first_visit
  for _, place in ipairs(Bar.places) do
    local visit = visits()[place]
    local waits = visit and visit.ordered_at and not visit.served
    if waits and (not first_visit or visit.ordered_at < first_visit.ordered_at) then
      first, first_visit = place, visit
    end
  end
  return first, first_visit
end

return Bar
