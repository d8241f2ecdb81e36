-- The vault is a puzzle as rules of the room: somebody on each plate, and the key in the lock.

describe("the vault", function()
  local thief, wren, finch

  before_each(function()
    load_room("vault")
    thief, wren, finch = room:npc("thief"), room:npc("wren"), room:npc("finch")
  end)

  it("is locked at first, and nothing else is", function()
    expect(room:area("vault_door")):not_to_be_available()
    expect(path_between("on_left", "gold")):to_be_blocked_by("vault_door")
    path_between("on_left", "keyhole"):to_be_complete()
  end)

  it("is solved by the three of them within half a minute", function()
    expect(room):not_to_be_stuck()
    expect(room:area("vault_door")):within(30):to_be_available()
    expect(wren):to_be_in("left_plate")
    expect(finch):to_be_in("right_plate")
    expect(room.state.key):to_be("lock")
    expect(thief):within(15):to_be_near("gold", 0.5)
    expect(room):to_have_said("The treasure is ours!")
  end)

  it("does not let a character in before the key is in the lock", function()
    expect({ wren, finch }):never_to_enter("vault")
    run_until(function() return room.state.key == "thief" end, 20)
    expect(thief):to_have_said("I have the key!")
    thief.walk_speed = 0
    expect(wren):within(10):to_have_said("Ready!")
    expect(finch):within(10):to_have_said("Ready!")
    expect(room:area("vault_door")):not_to_be_available()
  end)

  it("shuts again behind the thief when wren leaves the plate", function()
    run_until(function() return room.state.solved end, 60)
    expect(room:area("vault_door")):within(20):not_to_be_available()
    expect(wren):not_to_be_in("left_plate")
    expect(thief):to_be_in("vault")
    expect(thief):within(1):to_have_said("Hey! The door!")
  end)

  it("can be solved by the player instead of the thief", function()
    thief.enabled = false
    click("key")
    expect(room:npc("player")):to_arrive_within(15)
    expect(room:npc("player")):within(1):to_have_said("I have the key!")
    click("keyhole")
    expect(room:npc("player")):to_arrive_within(15)
    expect(room:area("vault_door")):within(20):to_be_available()
  end)

  it("stays locked while one of the plates is free", function()
    expect({ thief, wren, finch }):never_to_enter("vault")
    finch.enabled = false
    run_until(function() return room.state.key == "lock" end, 20)
    expect(wren):within(5):to_be_in("left_plate")
    run_for(10)
    expect(room:area("vault_door")):not_to_be_available()
  end)

  it("does not shut on whoever stands in the doorway", function()
    run_until(function() return room.state.key == "lock" and room:area("vault_door").available end, 30)
    run_until(function() return room:npcs_in("vault_door")[1] == thief end, 10)
    thief.walk_speed = 0
    close("vault_door")
    run_for(2)
    expect(room:area("vault_door")):to_be_available()
    finch:teleport("door_peek")
    thief.walk_speed = 1.6
    expect(thief):within(3):to_be_in("vault")
    expect(room:area("vault_door")):within(1):not_to_be_available()
  end)

  it("goes on where it was when a script is saved", function()
    run_until(function() return room.state.key == "thief" end, 20)
    reload("scripts/vault/walking.lua", [[
      return {
        go = function(npc, where)
          while npc:distance_to(where) > 0.3 do
            if not npc:walk_to(where) then wait(0.2) end
          end
        end,
      }
    ]])
    run_for(0.1)
    expect(thief.saying):not_to_equal("You two to the plates. I get the key.")
    expect(room:area("vault_door")):within(20):to_be_available()
  end)

  it("goes through its first half minute as it always did", function()
    run_for(30)
    expect(room):to_match_recording("solving")
  end)
end)
