-- The lookout: a tower from a level file, with a stair, a door and a ladder.

describe("the lookout", function()
  local tactics, scout, guard

  before_each(function()
    load_room("lookout")
    tactics = room:tactics()
    scout, guard = room:npc("scout"), room:npc("guard")
  end)

  local function at(x, y, level) return { x = x, y = y, level = level or 0 } end

  it("lets the scout up the ladder, and in by the door alone", function()
    local climbs = 0
    for _, step in ipairs(tactics:path_to(scout, at(4, 5, 2))) do
      if step.move == "climb_up" then climbs = climbs + 1 end
    end
    expect(climbs):to_equal(2)
    room:set_area_available("door", false)
    expect(tactics:cost_to(scout, at(4, 4))):to_equal(nil)
    room:set_area_available("door", true)
    expect(tactics:cost_to(scout, at(4, 2, 1)) ~= nil):to_equal(true)
  end)

  it("costs a time unit to turn towards the ladder", function()
    -- The ladder faces west: one comes to its foot so from the east, but not from the south.
    local foot, top = at(9, 3), at(9, 3, 2)
    tactics:place(scout, at(10, 3))
    expect(tactics:cost_to(scout, top)):to_equal(2 + 4 + 4)
    tactics:place(scout, at(9, 4))
    expect(tactics:cost_to(scout, top)):to_equal(2 + 1 + 4 + 4)
    tactics:walk(scout, tactics:path_to(scout, top))
    expect(tactics:actor(scout).tu):to_equal(40 - 11)
    -- Up there it looks at the wall, so that it can climb down at once.
    expect(tactics:cost_to(scout, foot)):to_equal(4 + 4)
    scout.heading = 0
    expect(tactics:cost_to(scout, foot)):to_equal(1 + 4 + 4)
  end)

  it("has a stair between its storeys", function()
    local levels = {}
    for _, step in ipairs(tactics:path_to(guard, at(4, 5))) do
      levels[step.level] = true
    end
    expect(levels[0] and levels[1]):to_equal(true)
  end)

  it("is climbed in a few turns", function()
    run_until(function() return room.state.up end, 30)
    expect(tactics:actor(scout).level):to_equal(2)
  end)
end)
