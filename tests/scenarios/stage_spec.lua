-- What the lessons promise: each on the stage, with the cast that its first line names.

describe("the lessons", function()
  local function lesson(file, ...)
    local path, cast = "scripts/lessons/" .. file .. ".lua", {}
    for _, who in ipairs { ... } do cast[who] = path end
    load_room("stage", next(cast) and { script_overrides = cast } or { scripts = { path } })
    return room:npc("ann"), room:npc("player")
  end

  it("1: ann greets, and answers whoever clicks on her", function()
    local ann, player = lesson("01_hello", "ann")
    expect(ann):to_have_said("Hello! I am ann.")
    click(ann)
    expect(ann):within(5):to_have_said("Nice to meet you, player.")
    expect(player):to_be_near(ann, 1.5)
  end)

  it("3: ann goes on counting when a shorter pause is saved", function()
    local ann = lesson("03_remember", "ann")
    expect(ann):within(5):to_have_said("I can count to 3.")
    reload("scripts/lessons/03_remember.lua", [[
      return {
        run = function(self, npc)
          while true do
            self.count = self.count + 1
            npc:say("I can count to " .. self.count .. ".")
            wait(0.1)
          end
        end,
      }
    ]])
    expect(ann):within(1):to_have_said("I can count to 10.")
    expect(ann):to_have_said("I can count to 4.")
  end)

  it("4: the lever opens the door and shuts it again", function()
    local _, player = lesson("04_lever")
    room:npc("bob").enabled = false
    click("lever")
    expect(room:area("door")):within(12):to_be_available()
    expect(player):to_have_said("Open!")
    path_between(player, "shelf"):to_be_shorter_than(7)
    click("lever")
    expect(room:area("door")):within(2):not_to_be_available()
  end)

  it("5: the door opens for ann, and three seconds after her it is shut", function()
    local ann = lesson("05_timers")
    expect(ann):within(10):to_be_in("door")
    expect(room:area("door")):to_be_available()
    expect(room:area("door")):within(5):not_to_be_available()
    expect(ann):within(15):to_have_said("Back!")
  end)

  it("8: the letter is carried to and fro", function()
    local ann = lesson("08_messages", "ann", "bob")
    local bob = room:npc("bob")
    expect(bob):within(15):to_have_said("Letter number 2.")
    expect(ann:has("letter")):to_be_true()
    expect(ann):within(10):to_have_said("Letter number 3.")
    expect(bob:has("letter")):to_be_true()
  end)

  it("9: ann asks what is in the way, and gets the key", function()
    local ann = lesson("09_why_not", "ann")
    path_between(ann, "shelf"):to_be_blocked_by("door")
    expect(ann):within(15):to_have_said("The door is in the way!")
    expect(ann):within(15):to_be_near("hook", 0.5)
    expect(ann):within(25):to_have_said("Books at last.")
    expect(ann:inventory()):to_equal({ key = 1 })
  end)

  it("10: the scene is played to its end", function()
    lesson("10_cutscene")
    expect(room:npc("cleo")):within(20):to_have_said("Stop it, both of you!")
    expect(room:npc("dan")):within(12):to_have_said("wins.")
    expect(room.state.playing):to_be_true()
    run_until(function() return not room.state.playing end, 4)
  end)

  it("10: a click skips the scene", function()
    lesson("10_cutscene")
    run_for(6)
    expect(room.state.playing):to_be_true()
    click("window")
    run_for(0.1)
    expect(room.state.playing):to_be_false()
    run_for(20)
    expect(room):not_to_have_said("wins.")
  end)

  it("11: ann finds bob, who runs and gets away, and the table hides him", function()
    local ann = lesson("11_senses", "ann", "bob")
    local bob = room:npc("bob")
    expect(ann):within(30):to_have_said("I see you, bob!")
    expect(bob):within(30):to_have_said("Run!")
    expect(bob):within(30):to_have_said("Safe.")
    for _, someone in ipairs { ann, bob } do expect(someone):to_be_in("hall") end
    ann.enabled, bob.enabled = false, false
    local player = room:npc("player")
    player:teleport("centre")
    local seen, why = player:can_see({ x = 5, z = 4.5 })
    expect(seen):to_be_false()
    expect(why):to_be("table")
    expect((player:can_see("left", { range = 2 }))):to_be_false()
    expect((player:can_see("closet"))):to_be_false()
    room:area("door").available = true
    player:teleport("doorstep")
    expect((player:can_see("closet"))):to_be_true()
  end)

  it("12: all three pull the lever in turn", function()
    lesson("12_queue", "ann", "bob", "cleo")
    for _, name in ipairs { "ann", "bob", "cleo" } do
      expect(room:npc(name)):within(30):to_have_said("My turn.")
    end
    expect(#room:queue("lever") <= 3):to_be_true()
  end)

  it("13: who is pinned stays, who returns comes back", function()
    lesson("13_posts")
    run_for(1)
    local bob, cleo, dora = room:npc("bob"), room:npc("cleo"), room:npc("dora")
    for _ = 1, 3 do
      expect(bob):within(20):to_have_said("dora stands where she stood.")
      expect(dora.x == 6 and dora.z == 1):to_be_true()
      run_for(1.5)
    end
    bob.enabled = false
    expect(cleo):within(10):to_be_near(3.5, 1, 0.1)
  end)

  it("14: they meet, and stand in formation", function()
    lesson("14_formation")
    local ann, bob, cleo = room:npc("ann"), room:npc("bob"), room:npc("cleo")
    expect(ann):within(20):to_have_said("Here we are.")
    for _, npc in ipairs { ann, bob, cleo } do
      expect(npc):to_be_near("right", 1.5)
    end
    expect(ann):within(20):to_have_said("Follow me!")
    expect(ann):to_be_near(3, 4.6, 0.3)
    expect(bob):within(20):to_have_said("What is the plan?")
    for _, npc in ipairs { ann, bob, cleo } do
      expect(math.abs(npc:distance_to(2, 1.5) - 0.8) < 0.2):to_be_true()
    end
    expect(cleo):within(20):to_have_said("This is my place.")
    expect(cleo):to_be_near("left", 0.2)
  end)

  it("15: they walk together, and part at the door", function()
    lesson("15_company")
    local ann, bob, cleo = room:npc("ann"), room:npc("bob"), room:npc("cleo")
    local function is_beside(npc)
      local x, z = math.cos(ann.heading), math.sin(ann.heading)
      local dx, dz = npc.x - ann.x, npc.z - ann.z
      return math.abs(dx * x + dz * z) < 0.4 and math.abs(dx * z - dz * x) > 0.6
    end
    local function are_abreast()
      return ann:is_moving() and is_beside(bob) and is_beside(cleo)
    end
    run_until(are_abreast, 20)
    expect(are_abreast()):to_be_true()
    expect(ann):within(30):to_be_in("door")
    -- The door is one and a half metres wide: no room for three.
    expect(are_abreast()):to_be(false)
    expect(ann):within(20):to_have_said("This is the closet.")
    expect(bob):within(30):to_have_said("That was nice.")
    expect(bob):to_be_near(ann, 1.5)
    expect(cleo):to_be_near(ann, 1.5)
  end)

  it("forms up from a handler, too, and says what is no formation", function()
    load_room("stage")
    local formed, why = pcall(room.form, room, { kind = "lin", who = { "ann" }, at = "left" })
    expect(formed):to_be(false)
    expect(why:find('kind must be "circle", "line" or "wedge", not "lin"; did you mean "line"?', 1, true) ~= nil):to_be_true()
    after(0.1, function() room:form { kind = "line", who = { "ann", "bob", "cleo" }, at = "centre", facing = 0 } end)
    run_for(12)
    for _, name in ipairs { "ann", "bob", "cleo" } do
      expect(math.abs(room:npc(name).heading) < 0.1):to_be_true()
      expect(room:npc(name)):to_be_near("centre", 1.6)
    end
  end)

  it("says where there is no ground for a formation, and no room for all", function()
    load_room("stage")
    local formed, why = pcall(room.form, room, { kind = "line", who = { "ann" }, at = { x = 500, z = 500 } })
    expect(formed):to_be(false)
    expect(why:find("no walkable ground near (500.00, 500.00)", 1, true) ~= nil):to_be_true()
    local ok, reason
    after(0.1, function()
      start(function()
        ok, reason = room:form { kind = "circle", who = { "ann", "bob", "cleo" }, at = "centre", radius = 100 }
      end)
    end)
    run_until(function() return ok ~= nil end, 30)
    expect(ok):to_be(false)
    expect(reason):to_be("partial")
  end)

  it("an area is a place to go to, to click on and to look for", function()
    load_room("stage")
    local player = room:npc("player")
    player:teleport("left")
    click("door")
    expect(player):to_end_with("partial", 20) -- it is closed: the player walks up to it
    expect(player):to_be_near("door", 1)
    room:area("door").available = true
    player:set_target("closet")
    expect(player):to_arrive_within(20)
    expect(player):to_be_in("closet")
    expect(player):to_be_near("closet", 0)
    path_between("left", "closet"):to_be_shorter_than(12)
  end)
end)
