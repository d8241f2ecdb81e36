-- The mill: villagers bring grain over a drawbridge, which the keeper raises for boats.

describe("the mill", function()
  local bridge, passage, keeper, miller

  before_each(function()
    load_room("mill")
    bridge, passage = room:area("bridge"), room:area("passage")
    keeper, miller = room:npc("keeper"), room:npc("miller")
  end)

  local function boat_comes()
    run_until(function() return passage.available end, 60)
  end

  it("has one way over the race: the bridge", function()
    path_between("west_front", "hopper"):to_be_complete()
    close("bridge")
    path_between("west_front", "hopper"):to_be_blocked_by("bridge")
    path_between("west_front", "windlass"):to_be_complete()
  end)

  it("has ways as straight as a mesh allows", function()
    -- The bare distance over the slanted bridge is 6.66 m, that to the door of the round mill 13 m and a bit.
    path_between("west_front", "east_landing"):to_be_shorter_than(7)
    path_between("chute", "hopper"):to_be_shorter_than(6) -- half round the millstone
  end)

  it("grinds ada's grain when it is her turn", function()
    expect(room):not_to_be_stuck(30)
    local ada = room:npc("ada")
    local home = ada:pos()
    expect(ada):within(150):to_have_said("Good day, miller!")
    expect(miller):within(10):to_have_said("Let me see, ada")
    expect(ada):within(120):to_have_said("Fresh flour!")
    expect(ada):to_be_near(home, 0.5)
    expect(ada:has("flour")):to_be_false()
    expect(room.state.sacks):to_be_greater_than(10)
  end)

  it("has a line at the millstone that comes in at the front and leaves at the back", function()
    run_until(function() return room.state.sacks == 3 end, 120)
    local first = room:queue("hopper")[1] or room:npcs { tag = "villager", near = "hopper" }[1]
    expect(first):within(30):to_be_near("back_door", 1.2)
    expect(first:has("flour")):to_be_true()
  end)

  it("lets over one bank at a time", function()
    local turns = {}
    run_until(function()
      local turn = room.state.may_cross_from
      if turn and turns[#turns] ~= turn then table.insert(turns, turn) end
      return #turns == 4
    end, 180)
    expect(turns):to_equal({ "west", "east", "west", "east" })
    expect(keeper):to_have_said("Over to the mill!")
    expect(keeper):to_have_said("Over to the village!")
  end)

  it("never has the bridge and the boats' passage open together", function()
    boat_comes()
    expect(bridge):not_to_be_available()
    expect(room:npcs_in("bridge")):to_equal({})
    open("bridge")
    run_for(0.1)
    expect(bridge.available and passage.available):to_be_false()
    run_for(90)
    expect(bridge.available and passage.available):to_be_false()
  end)

  it("lets a boat through, and those who wait over afterwards", function()
    boat_comes()
    local barge = room:npc("barge")
    expect(room:npcs("villager")):never_to_enter("lower_race")
    expect(barge):within(15):to_be_in("lower_race")
    expect(bridge):within(10):to_be_available()
    expect(keeper):to_have_said("Down she comes.")
    run_until(function() return not barge.valid end, 20)
    run_until(function() return #room:npcs_in("bridge") > 1 end, 60)
  end)

  it("does not raise the bridge under anybody's feet", function()
    local player = room:npc("player")
    player:teleport(18.5, 8)
    run_until(function() return room.state.boat == "waiting" end, 60)
    expect(keeper):within(30):to_have_said("Off the bridge, player!")
    expect(bridge):to_be_available()
    expect(passage):not_to_be_available()
    click("east_landing")
    expect(passage):within(20):to_be_available()
  end)

  it("has a cat that runs from the player", function()
    local cat, player = room:npc("cat"), room:npc("player")
    expect(cat):within(5):to_have_said("Purr")
    player:teleport(35.5, 9.5)
    player:set_target("sunny_spot")
    run_until(function() return cat.walk_speed == 3 end, 5)
    expect(cat):within(6):not_to_be_near(player, 2.5)
  end)

  --- How far the cat gets in the first fifth of a second of its flight from the player.
  local function dart_m(cat)
    expect(cat):within(5):to_have_said("Purr")
    local from = cat:pos()
    room:npc("player"):teleport(35.5, 11.3)
    run_until(function() return cat:distance_to(from) > 0 end, 1)
    run_for(0.2)
    return cat:distance_to(from)
  end

  it("has a cat that darts off, as it pushes", function()
    expect(dart_m(room:npc("cat"))):to_be_greater_than(0.35)
  end)

  it("would have a cat that gets half as far, if it steered as people do", function()
    local cat = room:npc("cat")
    cat.avoidance = nil
    expect(dart_m(cat)):to_be_less_than(0.25)
  end)

  it("forgets nothing when the villagers' script is saved", function()
    run_until(function() return room.state.sacks == 2 end, 120)
    local carriers = {}
    for _, npc in ipairs(room:npcs("villager")) do
      if npc:has("flour") then table.insert(carriers, npc) end
    end
    reload("scripts/mill/villager.lua")
    run_for(1)
    for _, npc in ipairs(carriers) do expect(npc:has("flour")):to_be_true() end
    expect(carriers[1]):within(90):to_have_said("Fresh flour!")
  end)

  it("goes through its first half minute as it always did", function()
    run_for(30)
    expect(room):to_match_recording("first_boat")
  end)
end)
