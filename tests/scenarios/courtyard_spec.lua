-- The courtyard: ground that was flooded, not marked.

describe("the courtyard", function()
  before_each(function()
    load_room("courtyard")
  end)

  it("lets people down the ledge, and up only by the steps or the ramp", function()
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
    -- The link is there when the player has landed.
    run_until(function()
      return #room:links() > 0
    end, 30)
    expect(player.y):to_be_near(1.2, 0.05)
    run_until(function()
      return page.y > 1
    end, 10)
    -- Not up the steps or the ramp.
    expect(page.x):to_be_near(5.2, 1)
    expect(page.z):to_be_near(-2.6, 1)
  end)
end)
