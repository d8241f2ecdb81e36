-- Twenty people and one door that one fits through: nobody waits for ever.

describe("the doorway", function()
  before_each(function() load_room("doorway") end)

  it("has ten people on either side", function()
    expect(#room:npcs { tag = "from_hall", area = "hall" }):to_be(10)
    expect(#room:npcs { tag = "from_yard", area = "yard" }):to_be(10)
  end)

  it("lets everybody through within two minutes, and nobody waits ten seconds", function()
    expect(room):not_to_be_stuck(10)
    for _, npc in ipairs(room:npcs()) do
      npc:on_arrived(function() npc:add_tag("been") end)
    end
    run_until(function() return #room:npcs("been") == 20 end, 120)
  end)

  it("lets nobody walk through anybody else", function()
    local all = room:npcs()
    for i = 1, #all - 1 do
      expect({ table.unpack(all, i + 1) }):to_stay_clear_of(all[i], 0.3)
    end
    run_for(15)
  end)

  it("is the only way, straight through the middle", function()
    path_between("hall_end", "yard_end"):to_be_shorter_than(14.6)
    close("door")
    path_between("hall_end", "yard_end"):to_be_blocked_by("door")
  end)

  it("stays open for whoever stands in it, and shuts behind them", function()
    local passer = room:npc("hall_1")
    for _, other in ipairs(room:npcs()) do other.enabled = other == passer end
    expect(passer):within(20):to_be_in("door")
    passer.walk_speed = 0
    close("door")
    run_for(2)
    expect(room:area("door")):to_be_available()
    passer.walk_speed = 1.4
    expect(passer):within(2):to_be_in("yard")
    expect(room:area("door")):within(1):not_to_be_available()
  end)

  it("is found by sliding along the wall, when a player is steered through", function()
    for _, other in ipairs(room:npcs()) do other.enabled = false end
    local player = spawn { name = "player", at = { x = 8, z = 3 }, player = true }
    player:steer(1, 0.6) -- into the wall, and along it to the door
    expect(player):within(4):to_be_in("door")
    expect(player):within(2):to_be_in("yard")
    player:steer(0, 0)
    local x, z = player.x, player.z
    run_for(1)
    expect(player:is_moving()):to_be_false()
    expect(player):to_be_near({ x = x, z = z }, 0.01)
  end)

  it("turns people back while it is shut, and they try again when it opens", function()
    for _, other in ipairs(room:npcs("from_yard")) do other.enabled = false end
    close("door")
    local first = room:npc("hall_1")
    expect(first):to_end_with("partial", 20)
    expect(room:npcs { tag = "from_hall", area = "yard" }):to_equal({})
    open("door")
    expect(first):within(40):to_be_in("yard")
  end)

  it("sorts itself out as it always did, two rounds of it", function()
    run_for(60)
    expect(room):to_match_recording("queueing", { tolerance = 0.1 })
  end)
end)
