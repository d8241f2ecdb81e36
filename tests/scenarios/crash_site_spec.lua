-- The crash site: two sides that take turns on a tactical level of two storeys.

describe("the crash site", function()
  local tactics, ann, drone, brute

  before_each(function()
    load_room("crash_site")
    tactics = room:tactics()
    ann, drone, brute = room:npc("ann"), room:npc("drone"), room:npc("brute")
  end)

  local function at(x, y, level) return { x = x, y = y, level = level or 0 } end

  it("lets soldiers in by the stairs, and the big one not at all", function()
    room:set_area_available("door", true)
    expect(tactics:cost_to(ann, at(8, 4, 1)) ~= nil):to_equal(true)
    tactics:place(brute, at(2, 4))
    expect(tactics:cost_to(brute, at(7, 4))):to_equal(nil)
  end)

  it("lets only those who crouch through the duct", function()
    room:set_area_available("door", false)
    tactics:place(ann, at(13, 6))
    local crouched = false
    for _, step in ipairs(tactics:path_to(ann, at(10, 4))) do
      crouched = crouched or step.stance == "crouch"
    end
    expect(crouched):to_equal(true)
  end)

  it("lets soldiers up the ladder, and drop from the window", function()
    local climbs = 0
    for _, step in ipairs(tactics:path_to(ann, at(10, 3, 2))) do
      if step.move == "climb_up" then climbs = climbs + 1 end
    end
    expect(climbs):to_equal(2)
    tactics:place(ann, at(8, 7, 1))
    local path = tactics:path_to(ann, at(8, 8))
    expect(path[#path].move):to_equal("fall")
  end)

  it("lets the drone fly over the roof", function()
    expect(tactics:cost_to(drone, at(7, 4, 2)) ~= nil):to_equal(true)
  end)

  it("has two sides that take turns and come nearer", function()
    wait(20)
    expect(#tactics:sides()):to_equal(2)
    expect(tactics.round):to_be_greater_than(3)
    expect(tactics:actor(ann).x):to_be_greater_than(3)
  end)
end)
