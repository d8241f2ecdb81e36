-- Teaches: an errand in parts. A ticket, a place on the platform, a seat in the train; each part survives a reload.
local Station = require "station.station"

---@class StationTraveller: Behaviour
local Traveller = {
  counters = 4,
  has_ticket = 0.4, -- so many need none
}

local function shortest_line()
  local best, fewest
  for i = 1, Traveller.counters do
    local waiting = #room:queue("counter_" .. i)
    if not fewest or waiting < fewest then best, fewest = i, waiting end
  end
  return best
end

local function buy_ticket(npc)
  local counter = shortest_line()
  if npc:queue_at("counter_" .. counter, { tail = "tail_" .. counter, spacing = 0.7 }) then
    wait(1.5 + random() * 1.5)
    return true
  end
end

local function some_place(platform)
  return { x = 3 + random() * 37, z = (platform == 1 and 15.5 or 28.5) + random() * 4.5 }
end

local function wait_for_train(self, npc, platform)
  self.place = self.place or some_place(platform)
  npc:walk_to(self.place)
  wait_until(function() return Station.has_seats(platform) or Station.is_over(platform) end)
end

--- A seat is one of this train: who still walks to it when the doors close, looks for another one in the next train.
local function get_on(self, npc, platform)
  local state = room.state
  local train = state.departed[platform]
  if self.train ~= train then
    self.seat, self.train = state.seats[platform], train
    state.seats[platform] = self.seat + 1
  end
  if not npc:walk_to(Station.seat(platform, self.seat)) then wait(1) end
  self.aboard = npc:last_walk().reason == "arrived" and state.departed[platform] == train
end

function Traveller.run(self, npc)
  npc.returns_to_post = true -- one who makes room does not stay in a doorway
  local platform = npc:has_tag("platform_1") and 1 or 2
  self.ticket = self.ticket or random() < Traveller.has_ticket
  while not self.ticket do self.ticket = buy_ticket(npc) end
  while not self.aboard and not Station.is_over(platform) do
    local has_seat = self.train == room.state.departed[platform]
    if room.state.boarding[platform] and has_seat or Station.has_seats(platform) then
      get_on(self, npc, platform)
    else
      wait_for_train(self, npc, platform)
    end
  end
  if not self.aboard then -- the last train is gone
    while not npc:walk_to("street_west") do wait(0.5) end
    Station.leave(npc)
  end
end

return Traveller
