-- Two sides take turns, until neither moves any more. In its turn each actor goes as near to the nearest of the others as its time units allow.
-- On overwatch, an actor that has TU left stops whoever comes within reach of it on its level.
local CrashSite = { speed = 6, reach = 3, shot_tu = 8 }

local function far(a, b)
  return math.max(math.abs(a.x - b.x), math.abs(a.y - b.y)) + 2 * math.abs(a.level - b.level)
end

local function actors(room, tactics)
  local all = {}
  for _, npc in ipairs(room:npcs()) do
    local actor = tactics:actor(npc)
    if actor and npc.alive then all[#all + 1] = { npc = npc, at = actor } end
  end
  return all
end

local function nearest_foe(room, tactics, at)
  local best
  for _, other in ipairs(actors(room, tactics)) do
    if other.at.side ~= at.side and (not best or far(other.at, at) < far(best.at, at)) then best = other end
  end
  return best
end

-- The place in reach that is nearest to the foe; of several, the first one.
local function best_place(tactics, npc, foe, keep)
  local best = tactics:actor(npc)
  best.away = far(best, foe)
  for _, place in ipairs(tactics:reach(npc, math.max(best.tu - keep, 0))) do
    local away = far(place, foe)
    if away < best.away then
      place.away, best = away, place
    end
  end
  return best
end

local function act(room, tactics, npc)
  local at = tactics:actor(npc)
  local foe = nearest_foe(room, tactics, at)
  if not foe then return end
  local place = best_place(tactics, npc, foe.at, CrashSite.shot_tu)
  local path = tactics:path_to(npc, place)
  if path and #path > 0 then tactics:walk(npc, path, { speed = CrashSite.speed }) end
end

-- Ends when nobody has moved for a whole round.
function CrashSite.run(room)
  local tactics = room:tactics()
  room.state.still = 0
  while room.state.still < #tactics:sides() do
    room.state.still = room.state.still + 1
    for _, actor in ipairs(actors(room, tactics)) do
      if actor.at.side == tactics.side and tactics:actor(actor.npc) then act(room, tactics, actor.npc) end
    end
    -- The door is open in every other round.
    room:set_area_available("door", tactics.round % 2 == 0)
    wait(0.5)
    tactics:end_turn()
  end
  room.state.over = true
  log.info("a stand-off")
end

function CrashSite.on_turn(room, side, round)
  log.info("round " .. round .. ": " .. side)
  room.state.watched = {}
end

function CrashSite.on_step(room, npc, step)
  local tactics = room:tactics()
  local mover = tactics:actor(npc)
  if not mover then return end
  room.state.still = 0
  for _, other in ipairs(actors(room, tactics)) do
    local watches = other.at.side ~= mover.side and other.at.tu >= CrashSite.shot_tu
    if watches and other.at.level == mover.level and far(other.at, mover) <= CrashSite.reach then
      local key = other.npc.id .. ">" .. npc.id
      if not room.state.watched[key] then
        room.state.watched[key] = true
        other.npc:say("Halt!", 1)
        npc:stop()
      end
    end
  end
end

return CrashSite
