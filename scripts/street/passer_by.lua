-- A character with errands on both sides of the street. It waits at the kerb while the crossing is closed.
---@class PasserBy: Behaviour
local PasserBy = {
  places = { "far_west", "far_middle", "far_east", "near_west", "near_middle", "near_east" },
  pause = 2,
}

function PasserBy.run(self, npc)
  while true do
    local place = room:point(PasserBy.places[random(#PasserBy.places)] or "far_middle")
    local goal = { x = place.x + random(-6, 6) / 10, z = place.z + random(-3, 3) / 10 }
    local ok = npc:walk_to(goal)
    if not ok then
      wait_until(function() return room:is_area_available("crossing") end, 20)
    else
      wait(PasserBy.pause)
    end
  end
end

function PasserBy.on_talk(self, npc, other)
  npc:turn_to(other)
  npc:say("Lovely evening.")
end

return PasserBy
