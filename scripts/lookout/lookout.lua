-- A tower from a level file. The scout climbs the ladder to the platform, a turn at a time; the guard opens the door, comes
-- down the stair, and goes after it.
local Lookout = { speed = 4, most_rounds = 12 }

-- As far along the cheapest way as the time units last. True at its end.
local function go(tactics, npc, place)
  if not tactics:actor(npc) then return true end
  local path = tactics:path_to(npc, place)
  if not path or #path == 0 then return true end
  return tactics:walk(npc, path, { speed = Lookout.speed })
end

function Lookout.run(room)
  local tactics = room:tactics()
  local scout, guard = room:npc("scout"), room:npc("guard")
  while not room.state.up and tactics.round <= Lookout.most_rounds do
    if tactics.side == "scouts" then
      room.state.up = go(tactics, scout, { x = 4, y = 5, level = 2 })
    else
      room:set_area_available("door", true)
      go(tactics, guard, { x = 1, y = 4, level = 0 })
    end
    tactics:end_turn()
  end
  log.info(room.state.up and "the scout is up" or "the scout gave up")
end

return Lookout
