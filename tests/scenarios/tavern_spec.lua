-- An evening in the tavern: who is thirsty is served, and the cellar is the barkeep's alone.

describe("the tavern", function()
  local player, barkeep, ada, door

  before_each(function()
    load_room("tavern")
    player, barkeep, ada = room:npc("player"), room:npc("barkeep"), room:npc("ada")
    door = room:area("cellar_door")
  end)

  it("shows the player every corner but the cellar", function()
    path_between(player, "bar_left"):to_be_shorter_than(9)
    path_between(player, "snug_seat"):to_be_shorter_than(12)
    path_between(player, "hearth_north"):to_be_complete()
    path_between(player, "barrels"):to_be_blocked_by("cellar_door")
  end)

  it("greets the player a second after the first step into the hall", function()
    click("bar_left")
    expect(player):within(5):to_be_in("hall")
    run_for(0.9)
    expect(barkeep):not_to_have_said("Evening, stranger!")
    expect(barkeep):within(0.2):to_have_said("Evening, stranger!")
  end)

  it("serves a thirsty guest, who is at the bar in four seconds and back in the same seat", function()
    local seat = ada:pos()
    expect(room):not_to_be_stuck()
    run_until(function() return ada:target() end)
    expect(ada):to_arrive_within(4)
    expect(ada):within(1):to_have_said("An ale, please.")
    expect(barkeep):within(15):to_have_said("Here you are, ada.")
    expect(ada):within(5):to_have_said("Cheers!")
    expect(ada):within(20):to_be_near(seat, 0.3)
  end)

  it("has a guest who keeps the chair when the player passes", function()
    local bruno, chair, leant = room:npc("bruno"), room:point("hearth_east"), 0
    click("hearth_south")
    expect(player):to_arrive_within(10)
    click("hearth_north")
    local passed = room.time + 4
    run_until(function()
      leant = math.max(leant, bruno:distance_to(chair))
      return room.time > passed
    end)
    expect(player):to_be_near("hearth_north", 1.4)
    expect(leant):to_be_between(0, 0.1)
    click("street")
    expect(bruno):within(4):to_be_near(chair, 0.3)
  end)

  it("answers a knock with a new barrel, and the door shuts behind it", function()
    expect({ player, ada }):never_to_enter("cellar")
    click("cellar_door")
    expect(player):within(1):to_have_said("Knock, knock!")
    expect(barkeep):within(2):to_have_said("Coming!")
    expect(door):within(8):to_be_available()
    expect(barkeep):within(6):to_have_said("Hnnngh!")
    expect(door):within(12):not_to_be_available()
    expect(barkeep):to_be_near("cellar_step", 0.5)
    expect(room.state.barrels):to_be(1)
  end)

  it("has a new line at the hearth as soon as it is saved", function()
    expect(room):within(8):to_have_said("the old bridge is out again")
    expect(room):within(8):to_have_said("Is that snow?")
    reload("scripts/tavern/lines.lua", [[return { hearth = { "The bridge is mended." }, window = { "Thaw at last." } }]])
    expect(room):within(10):to_have_said("The bridge is mended.")
    expect(room):within(10):to_have_said("Thaw at last.")
  end)

  it("puts up one traveller a minute, who leaves as he came", function()
    require("tavern.visitor").stay = 3
    local visitor = run_until(function() return room:npcs("visitor")[1] end, 61)
    expect(visitor):to_be_near("street", 0.5)
    expect(visitor):to_arrive_within(20)
    expect(visitor):to_be_in("snug")
    run_until(function() return not visitor.valid end, 25)
    expect(room):to_have_said("Back on the road.")
  end)

  it("has tables that one sees across, and a counter that hides what is behind it", function()
    expect(room:can_see({ x = 1.5, z = 5 }, { x = 3.5, z = 5 })):to_be(true) -- over the table at the hearth
    local seen, why = room:can_see({ x = 6.5, z = 3 }, { x = 9, z = 3 })
    expect(seen):to_be(false)
    expect(why):to_be("counter")
  end)

  it("is not too full to walk through", function()
    for _, there in ipairs { "bar_right", "snug_seat", "window_east", "hearth_south", "street" } do
      click(there)
      expect(player):to_arrive_within(14)
    end
  end)

  it("has the evening it always had", function()
    run_for(60)
    expect(room):to_match_recording("evening")
  end)
end)
