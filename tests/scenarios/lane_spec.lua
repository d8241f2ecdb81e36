-- The lane: a pavement, a beat, and stepping stones.

describe("the lane", function()
  before_each(function()
    load_room("lane")
  end)

  it("has a pavement that people take both ways", function()
    local along = {}
    run_until(function()
      for _, npc in ipairs(room:waypath("pavement"):users()) do
        along[npc.id] = true
      end
      return along.olaf and along.petra
    end, 30)
    expect(along.olaf and along.petra):to_equal(true)
  end)

  it("has a beat that only the watch walks, in the order of its waypoints", function()
    local watch, seen, last = room:npc("watch"), {}, nil
    run_until(function()
      local crouching = watch.crouching
      if crouching ~= last then
        seen[#seen + 1], last = tostring(crouching), crouching
      end
      return #seen == 3
    end, 90)
    expect(seen):to_equal { "false", "true", "false" }
  end)

  it("lets the child jump over the ditch at the stones", function()
    local lena, jumped = room:npc("lena"), false
    run_until(function()
      jumped = jumped or lena.z > 6 and lena.z < 8 and lena.x > 14 and lena.x < 16
      return jumped
    end, 30)
    expect(jumped):to_equal(true)
    expect(lena):within(10):to_be_in("meadow")
  end)

  it("lets whoever follows the player jump where the player has jumped", function()
    local player, benno = room:npc("player"), room:npc("benno")
    click("ditch")
    expect(player):within(10):to_be_in("garden")
    expect(table.concat(room:links(), " ")):to_equal("jump 1")
    expect(room:link("jump 1").velocity):to_be_near(4, 0.2)
    expect(benno):within(10):to_be_in("garden")
    expect(benno.x):to_be_less_than(10) -- not over the bridge
  end)

  it("has mud that slows people down", function()
    local player = room:npc("player")
    local function seconds(from, to)
      player:teleport(from)
      wait(0.1)
      player:set_target(to)
      local began = room.time
      expect(player):to_arrive_within(20)
      return room.time - began
    end
    local dry = seconds({ x = 1.5, z = 5 }, { x = 8.5, z = 5 })
    local wet = seconds({ x = 10.5, z = 5 }, { x = 17.5, z = 5 })
    expect(player.ground_speed):to_equal(0.5)
    expect(wet / dry):to_be_near(2, 0.1)
  end)

  it("leads the player straight on while the pavement is closed", function()
    local _, along = room:find_path("gate", "shop")
    room:waypath("pavement").available = false
    local _, straight = room:find_path("gate", "shop")
    expect(straight):to_be_less_than(along)
  end)
end)
