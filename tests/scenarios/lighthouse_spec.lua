-- The lighthouse: four storeys above each other, a stair of 45 steps, a door that is locked at night, and a boat.

describe("the lighthouse", function()
  local keeper, helper, player
  local floors = { 0, 3.2, 6.4, 9.6 } -- metres

  before_each(function()
    load_room("lighthouse")
    keeper, helper, player = room:npc("keeper"), room:npc("helper"), room:npc("player")
  end)

  -- Floors built from a level follow it to 0.2 m.
  local function expect_on_storey(npc, storey)
    expect(npc.y):to_be_near(floors[storey], 0.2)
  end

  it("has a stair from the quay to the lamp, and no other way", function()
    path_between("gangplank", "lamp"):to_be_complete()
    path_between("gangplank", "lamp"):to_be_longer_than(50) -- 9.6 m up, three times round the tower
    path_between("bed", "oil_tank"):to_be_longer_than(10) -- the tank stands a storey above the bed
    close("tower_door")
    path_between("gangplank", "lamp"):to_be_blocked_by("tower_door")
    path_between("behind_door", "lamp"):to_be_complete()
  end)

  it("has rooms above each other: the same x and z, at other heights", function()
    local heights = {}
    for _, y in ipairs(floors) do
      player:teleport { x = 2, y = y, z = -1 }
      table.insert(heights, math.floor(player.y * 10 + 0.5) / 10)
    end
    expect(heights):to_equal(floors)
    expect(player):to_be_in("lamp_room")
    expect(player):not_to_be_in("oil_store")
    player:teleport { x = 2, z = -1 } -- without a height, the highest floor is meant
    expect_on_storey(player, 4)
  end)

  it("has its lamp lit at dusk, by a keeper who climbs to it", function()
    expect(keeper):not_to_be_stuck()
    expect_on_storey(keeper, 2)
    run_until(function() return room.state.is_night end, 20)
    local highest = keeper.y
    run_until(function()
      expect(keeper.y):to_be_greater_than(highest - 0.3) -- up, step by step
      highest = math.max(highest, keeper.y)
      return room.state.is_lit
    end, 40)
    expect_on_storey(keeper, 4)
    expect(keeper):to_be_near("lamp", 0.5)
    expect(keeper):to_have_said("Burn, old girl.")
  end)

  it("has a keeper who locks the door behind the helper, and sleeps on storey 2", function()
    expect(room:area("tower_door")):within(120):not_to_be_available()
    expect_on_storey(keeper, 1)
    expect(helper):not_to_be_in("quay")
    expect(keeper):within(30):to_have_said("Zzz")
    expect(keeper):to_be_in("bedroom")
    expect_on_storey(keeper, 2)
  end)

  it("leaves the player out on the quay till dawn", function()
    expect(room:area("tower_door")):within(120):not_to_be_available()
    click("bed")
    expect(player):to_end_with("partial")
    expect(player:last_walk().blocked_by):to_be("tower_door")
    expect(player.x):to_be_greater_than(5)
    expect(room:area("tower_door")):within(80):to_be_available()
    click("bed")
    expect(player):to_arrive_within(40)
    expect_on_storey(player, 2)
  end)

  it("does not lock anybody in the doorway", function()
    run_until(function() return room.state.is_lit end, 60)
    player:teleport(4.8, 0, 0)
    expect(keeper):within(90):to_have_said("Locked.")
    expect(room:area("tower_door")):to_be_available()
    click("gangplank")
    expect(room:area("tower_door")):within(10):not_to_be_available()
  end)

  it("gets its oil carried from the boat up to storey 3, slowly", function()
    run_until(function() return helper:has("oil") end, 30)
    expect(helper):to_be_in("boat")
    expect(helper.y):to_be_near(-0.4, 0.2)
    expect(helper):within(1):to_have_said("Up we go.")
    local cans = room.state.tank_oil
    run_until(function() return not helper:has("oil") end, 120)
    expect_on_storey(helper, 3)
    expect(helper):to_be_in("oil_store")
    expect(room.state.tank_oil):to_be(cans) -- one in, and one burnt meanwhile
  end)

  it("has a boat that leaves when it is empty, and comes to the lit lamp", function()
    local boat = room:area("boat")
    expect(boat):within(60):not_to_be_available()
    expect(room):to_have_said("Cast off!")
    expect(room:find_npc("boatman")):to_be_nil()
    expect(room:npcs_in("boat")):to_equal({})
    path_between("gangplank", "deck"):to_be_blocked_by("boat")
    run_until(function() return room.state.is_lit end, 60)
    expect(boat):within(6):to_be_available()
    expect(room:npc("boatman").y):to_be_near(-0.4, 0.2)
  end)

  it("does not sail with the player aboard", function()
    player:teleport("deck")
    run_for(0.1)
    expect(room:npc("boatman")):within(60):to_have_said("All ashore, player!")
    run_for(10)
    expect(room:area("boat")):to_be_available()
    click("gangplank")
    expect(room:area("boat")):within(20):not_to_be_available()
  end)

  it("keeps those apart who stand above each other: neither sees nor pushes the other", function()
    player:teleport { x = -1.6, y = 6.4, z = 2 } -- in the oil store
    keeper:teleport { x = -1.6, y = 3.2, z = 2 } -- right below
    run_for(0.5)
    expect_on_storey(player, 3)
    expect(player:can_see(keeper)):to_be_false()
    expect(player.z):to_be_near(2, 0.05)
  end)

  it("goes through its first half minute as it always did", function()
    run_for(30)
    expect(room):to_match_recording("dusk")
  end)
end)
