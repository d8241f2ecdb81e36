-- The courtyard: ground that was flooded, not marked.

describe("the courtyard", function()
  before_each(function()
    load_room("courtyard")
  end)

  it("lets people down the ledge, and without the hoist up only by the steps or the ramp", function()
    room:link("hoist").available = false
    local _, down = room:find_path({ x = 5, y = 1.2, z = -3 }, { x = 5, y = 0, z = 0 })
    local points, up = room:find_path({ x = 5, y = 0, z = 0 }, { x = 5, y = 1.2, z = -3 })
    expect(down):to_be_less_than(4)
    expect(points ~= nil):to_be_true()
    expect(up):to_be_greater_than(5)
  end)

  it("goes under the stone table", function()
    expect(room:find_path({ x = -9, y = 0, z = 5 }, "table") ~= nil):to_be_true()
  end)

  it("takes twenty people who set out at once to the terrace", function()
    wait(28)
    local there = 0
    for _, npc in ipairs(room:npcs { tag = "crowd" }) do
      if npc.y > 1 then
        there = there + 1
      end
    end
    expect(there):to_be_greater_than(17)
  end)

  it("has a watch on its lane", function()
    local watch, users = room:npc("watch"), 0
    run_until(function()
      users = #room:waypath("round"):users()
      return users > 0
    end, 20)
    expect(users):to_equal(1)
    expect(watch.y):to_be_less_than(0.1)
  end)

  it("lets whoever follows the player jump where the player has jumped", function()
    local player, page = room:npc("player"), room:npc("page")
    click("ledge")
    -- Its link is there when the player has landed.
    local links = #room:links()
    run_until(function()
      return #room:links() > links
    end, 30)
    expect(player.y):to_be_near(1.2, 0.05)
    run_until(function()
      return page.y > 1
    end, 10)
    -- Not up the steps or the ramp.
    expect(page.x):to_be_near(5.2, 1)
    expect(page.z):to_be_near(-2.6, 1)
  end)

  it("has a shed that a click opens and shuts", function()
    expect(room:find_path("gate", "shed") == nil):to_be_true()
    expect(room:explain_path("gate", "shed").blocked_by[1]):to_equal("door")
    click("shed_door")
    run_until(function()
      return room:is_area_available("door")
    end, 20)
    local player = room:npc("player")
    player:set_target("shed")
    expect(player):to_arrive_within(10)
  end)

  it("takes the player up the ladder, and down over the edge", function()
    local player = room:npc("player")
    player:set_target("top")
    run_until(function()
      return player.link ~= nil
    end, 30)
    expect(player.link.name):to_equal("ladder")
    run_until(function()
      return player.y > 2
    end, 20)
    wait_until(function()
      return not player:is_moving()
    end)
    player:set_target { x = -9, y = 0, z = 5 }
    run_until(function()
      expect(player.link):to_be_nil()
      return player.y < 0.1
    end, 20)
  end)

  it("lifts those who stand beside the hoist", function()
    local player = room:npc("player")
    player:teleport { x = 3, y = 0, z = -2.6 }
    player:set_target { x = 5, y = 1.2, z = -3.2 }
    run_until(function()
      return player.link ~= nil
    end, 3)
    expect(player.link.name):to_equal("hoist")
    expect(player):to_arrive_within(6)
  end)

  it("says that the ladder would lead to the top of the table", function()
    room:link("ladder").available = false
    local why = room:explain_path("gate", "top")
    expect(why.links[1]):to_equal("ladder")
    expect(#why.links):to_equal(1)
  end)
end)
