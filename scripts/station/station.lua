-- Teaches: a day of a thousand people. Trains come by the clock; everybody who comes has a script of one's own.
---@class Station: RoomScript
local Station = {
  trains = { -- on each platform: the first one, how many, the seconds between two, and how many people get off and on
    { first = 40, count = 8, every = 60, bring = 58, take = 58 },
    { first = 80, count = 4, every = 120, bring = 10, take = 8 },
  },
  get_off = 9, -- seconds for those who get off; then the others get on
  stop = 36, -- seconds with open doors
  doors = 4, -- of a train
  seats = 58, -- of a train
  radius = 0.25, -- of a person, in metres
}

--- A seat in a train: a row at its far side, along an aisle. Those who come one after the other sit apart.
function Station.seat(platform, index)
  return { x = 1.8 + index * 25 % Station.seats * 0.68, z = platform == 1 and 23.6 or 24.8 }
end

function Station.has_seats(platform)
  return room.state.boarding[platform] and room.state.seats[platform] < Station.seats
end

--- Whether no train comes any more.
function Station.is_over(platform)
  return room.state.departed[platform] >= Station.trains[platform].count
end

function Station.leave(npc)
  room.state.gone = room.state.gone + 1
  npc:despawn()
end

local function door(platform, index)
  return "doors_" .. platform .. "_" .. index
end

local function set_doors(platform, open)
  for i = 1, Station.doors do
    room:set_area_available(door(platform, i), open)
  end
end

local function person(name, number, at, script, tags)
  spawn {
    name = name .. "_" .. number, at = at, script = script, tags = tags,
    collision_radius = Station.radius, walk_speed = 1.1 + number % 5 * 0.15,
  }
end

---@type table<string, fun(platform: 1|2)>
local on = {} -- what happens when

--- Where the next one comes in from the street: at one of its ends, where nobody stands.
---@return Place?
local function free_place(number)
  for i = number, number + 2 do
    local at = { x = number % 2 == 0 and 2 or 44, z = -0.9 - i % 3 * 0.8 }
    if #room:npcs { near = at, within = 2 * Station.radius } == 0 then return at end
  end
end

function on.come(platform)
  local state, plan = room.state, Station.trains[platform]
  local at = free_place(state.went + 1)
  if not at then
    after(0.5, "come " .. platform)
    return
  end
  state.went = state.went + 1
  person("traveller", state.went, at, "scripts/station/traveller.lua", { "platform_" .. platform })
  state.to_come[platform] = state.to_come[platform] - 1
  -- The last one comes eighty seconds before the last train.
  local day = plan.first + plan.every * (plan.count - 1) - 80
  if state.to_come[platform] > 0 then after(day / (plan.count * plan.take), "come " .. platform) end
end

function on.arrive(platform)
  local state = room.state
  for i = 1, Station.trains[platform].bring do
    state.came = state.came + 1
    person("arrival", state.came, Station.seat(platform, i - 1), "scripts/station/arrival.lua")
  end
  set_doors(platform, true)
  state.seats[platform] = 0
  after(Station.get_off, "board " .. platform)
  after(Station.stop, "close " .. platform)
end

function on.board(platform)
  room.state.boarding[platform] = true
end

function on.close(platform)
  room.state.boarding[platform] = false
  set_doors(platform, false)
  on.depart(platform)
end

-- A door closes when nobody stands in it.
function on.depart(platform)
  for i = 1, Station.doors do
    if room:is_area_available(door(platform, i)) then
      after(1, "depart " .. platform)
      return
    end
  end
  for _, npc in ipairs(room:npcs_in("train_" .. platform)) do
    Station.leave(npc)
  end
  room.state.departed[platform] = room.state.departed[platform] + 1
  if not Station.is_over(platform) then
    after(Station.trains[platform].every - Station.stop, "arrive " .. platform)
  end
end

function Station.on_load(room)
  local state = room.state
  state.came, state.went, state.gone = 0, 0, 0
  state.seats, state.boarding, state.departed, state.to_come = { 0, 0 }, { false, false }, { 0, 0 }, {}
  for platform, plan in ipairs(Station.trains) do
    state.to_come[platform] = plan.count * plan.take
    if not Station.is_over(platform) then after(plan.first, "arrive " .. platform) end
    if state.to_come[platform] > 0 then after(0.5, "come " .. platform) end
  end
end

-- Timers with names are part of a saved room.
function Station.on_timer(room, name)
  local what, platform = name:match("(%a+) (%d)")
  on[what](tonumber(platform))
end

return Station
