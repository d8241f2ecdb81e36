-- The painted kitchen: ways over a mask, hotspots, and Mia's milk.
describe("the kitchen", function()
  local player, mia, fridge_door

  before_each(function()
    load_room("kitchen")
    player, mia = room:npc("player"), room:npc("mia")
    fridge_door = room:area("fridge_door")
  end)

  it("is walked round the table, never over it", function()
    player:teleport(2.4, 3.8)
    expect(room:hotspot(4.3, 3.7).name):to_equal("table")
    path_between(player, { x = 6.2, z = 3.8 }):to_be_longer_than(3.9)
    local at = { x = player.x, z = player.z }
    for _, point in ipairs(room:find_path(player, { x = 6.2, z = 3.8 })) do
      expect(room:line_of_sight(at, point)):to_be_true()
      at = point
    end
    player:set_target(6.2, 3.8)
    expect(player):to_arrive_within(6)
  end)

  it("tells what is where", function()
    expect(room:hotspot("window").cursor):to_equal("look")
    expect(room:hotspot("window").id):to_equal(10)
    expect(room:hotspot(4.5, 0.8).name):to_equal("window")
    expect(room:hotspot(5.9, 4.6)):to_be_nil()
    expect(room:scale_at(4, 1)):to_equal(0.7)
    expect(select(2, room:scale_at(4, 4))):to_equal("kitchen")
  end)

  it("answers a look without a step", function()
    local x, z = player.x, player.z
    click("window")
    expect(player):within(0.5):to_have_said("The hills look painted")
    expect({ player.x, player.z }):to_equal { x, z }
  end)

  it("has a fridge that opens and shuts", function()
    path_between(player, "milk"):to_be_blocked_by("fridge_door")
    click("fridge")
    expect(fridge_door):within(8):to_be_available()
    path_between(player, "milk"):to_be_complete()
    expect(mia):within(20):to_be_near("rug", 0.2) -- she has been in, and is out again
    click("fridge")
    expect(fridge_door):within(8):not_to_be_available()
    path_between(player, "milk"):to_be_blocked_by("fridge_door")
  end)

  it("lets Mia into the fridge, who cannot help it", function()
    click("fridge")
    expect(mia):within(12):to_be_near("before_the_milk", 0.3)
    expect(mia):within(1):to_have_said("Mrrow?")
  end)

  it("feeds Mia", function()
    click("fridge")
    expect(fridge_door):within(8):to_be_available()
    click("milk")
    expect(player):within(15):to_have_said("A jug of milk")
    assert(not room:hotspot("milk").enabled)
    click("bowl")
    expect(mia):within(20):to_have_said("Purr.")
    expect(mia):to_be_near("beside_the_bowl", 0.3)
    wait(5)
    click("door")
    expect(player):within(10):to_have_said("Off we go.")
  end)

  it("goes through its first half minute as it always did", function()
    wait(1)
    click("fridge")
    wait(29)
    expect(room):to_match_recording("mia")
  end)
end)
