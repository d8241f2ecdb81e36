-- The museum: a cat, a statue, and doors for staff only. Everybody walks where its body fits and where it may.

describe("the museum", function()
  before_each(function()
    load_room("museum")
  end)

  it("lets only the cat under the rope", function()
    local player, cat = room:npc("player"), room:npc("cat")
    expect(room:can_reach(cat, "throne")):to_equal(true)
    expect(room:can_reach(player, "throne")):to_equal(false)
    expect(cat):within(20):to_be_near("throne", 0.2)
    player:set_target("throne")
    run_until(function() return player:last_walk() ~= nil end, 30)
    expect(player:last_walk().reason):to_equal("partial")
    expect(room:explain_path(player, "throne").gap_m):to_be_near(0.5, 0.01)
  end)

  it("has the statue carried through the arch, as the small door is too narrow", function()
    local ogre = room:npc("ogre")
    expect(ogre):never_to_enter("small_door")
    expect(ogre):within(60):to_be_in("arch")
    expect(ogre):within(60):to_be_near("pedestal", 0.2)
    expect(ogre.radius):to_equal(0.9)
    local why = room:explain_path(ogre, "desk")
    expect(why.complete):to_equal(false)
  end)

  it("lets staff into the store, and nobody else", function()
    local player, guard = room:npc("player"), room:npc("guard")
    expect(guard:may_enter("store")):to_equal(true)
    expect(player:may_enter("store")):to_equal(false)
    player:set_target("desk")
    expect(player):never_to_enter("store")
    wait(30)
    expect(player:last_walk().reason):to_equal("partial")
    expect(player:last_walk().blocked_by):to_equal("staff_door")
    expect(player:last_walk().explanation.text):to_contain("not for this walker")
  end)

  it("lets in who becomes staff, and shows out who is staff no more", function()
    local player = room:npc("player")
    player:add_tag("staff")
    player:teleport("desk")
    expect(player):to_be_in("store")
    player:remove_tag("staff")
    expect(player):not_to_be_in("store")
    expect(player:may_enter("hall")):to_equal(true)
  end)

  it("has a lawn that visitors walk round", function()
    local visitor = room:npc("visitor")
    expect(visitor):never_to_enter("lawn")
    expect(visitor):within(60):to_be_in("garden")
    wait(20)
    expect(room:npc("guard")):within(60):to_be_in("lawn")
  end)

  it("puts who grows where it fits", function()
    local player = room:npc("player")
    player:teleport(9.6, 8.3) -- in the small door
    expect(player):to_be_in("small_door")
    player.radius = 0.9
    expect(player.collision_radius):to_equal(0.9)
    expect(player):not_to_be_in("small_door")
    player.radius = nil
    expect(player.radius):to_equal(nil)
  end)

  it("answers for the body that asks", function()
    local cat, player, ogre = room:npc("cat"), room:npc("player"), room:npc("ogre")
    cat:teleport(7.4, 4.65) -- in the gap
    expect(room:is_walkable(cat)):to_equal(true)
    expect(room:is_walkable(cat:pos())):to_equal(false)
    expect(room:line_of_sight(cat, "throne")):to_equal(true)
    expect(room:random_point { near = player, area = "store" }):to_equal(nil)
    for _ = 1, 50 do
      local there = room:random_point { near = ogre }
      expect(there.x < 11.15 and there.z > 0.85 and there.z < 13.15):to_equal(true)
    end
    local near = room:nearest(ogre)
    expect(near.x):to_be_near(ogre.x, 0.1)
  end)

  it("has nobody talk to the cat from behind the rope", function()
    local cat, player = room:npc("cat"), room:npc("player")
    cat:teleport("throne")
    cat.walk_speed = 0
    player:teleport(6, 3)
    player:talk_to(cat)
    run_until(function() return player:last_walk() ~= nil end, 20)
    expect(player:last_walk().reason):to_equal("partial")
  end)
end)
