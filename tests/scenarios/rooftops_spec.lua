-- The rooftops: a street and two roofs, which only links join.

describe("the rooftops", function()
  local player, sweep

  before_each(function()
    load_room("rooftops")
    player, sweep = room:npc("player"), room:npc("sweep")
  end)

  local function length(from, to)
    local _, metres = room:find_path(from, to)
    return metres
  end

  it("are reached by a ladder and a jump, while the lift is closed", function()
    path_between("yard", "bell"):to_be_complete()
    room:link("ladder").available = false
    local why = room:explain_path("yard", "bell")
    expect(why.blocked_by):to_equal { "ladder" }
    expect(why.links):to_equal { "ladder", "lift", "sweep_rope" }
    room:link("lift").available = true
    path_between("yard", "bell"):to_be_complete()
    expect(room:explain_path("yard", "bell").complete):to_equal(true)
  end)

  it("are reached in a shorter way by lift", function()
    local by_ladder = length("shop", "bell")
    room:link("lift").available = true
    expect(length("shop", "bell")):to_be_less_than(by_ladder / 2)
  end)

  it("send the player up at a click", function()
    room:link("lift").available = true
    player:teleport { x = 15, z = 2 }
    click { x = 16, z = 12 }
    expect(player):within(20):to_be_near("bell", 0.3)
  end)

  it("have a cat that follows the player over links", function()
    player:set_target("nest")
    expect(player):within(60):to_be_near("nest", 0.3)
    expect(room:npc("cat")):within(60):to_be_near("nest", 2) -- it waits in line, too
  end)

  it("let one at a time onto the ladder, in line", function()
    local ladder, most, waited = room:link("ladder"), 0, 0
    for number = 1, 10 do
      local visitor = spawn { name = "guest " .. number, at = { x = 5 + number, z = 1 } }
      visitor:set_target("nest")
    end
    run_until(function()
      most, waited = math.max(most, #ladder:users()), math.max(waited, #ladder:waiting())
      return #room:npcs_in("bakery") >= 10
    end, 120)
    expect(most):to_equal(1)
    expect(waited):to_be_greater_than(5)
  end)

  it("keep others off the rope of the sweep", function()
    local users = {}
    run_until(function()
      for _, npc in ipairs(room:link("sweep_rope"):users()) do users[npc.id] = true end
      return sweep:distance_to("bell") < 0.5
    end, 60)
    expect(users):to_equal { sweep = true }
  end)

  it("have a line that visitors slide down", function()
    local rides = 0
    run_until(function()
      rides = math.max(rides, #room:link("zip_line"):users())
      return rides > 0
    end, 200)
    expect(rides):to_equal(1)
    expect(room:npc("anna")):not_to_be_stuck()
  end)

  it("bring everyone to the ground who is on a link that closes", function()
    player:set_target("nest")
    run_until(function() return player.link ~= nil end, 60)
    room:link("ladder").available = false
    expect(player):within(20):to_be_in("bakery")
  end)
end)
