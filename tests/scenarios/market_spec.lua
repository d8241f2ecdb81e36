-- Noon opens the gate of the temple. Most tests make do with forty people and an early noon: their market is the same.

describe("the market", function()
  local gate

  local function open_market(people, noon)
    local market = require "market.market"
    market.people, market.noon = people, noon
    load_room("market")
    gate = room:area("gate")
  end

  it("is a square of two hundred who all get on", function()
    load_room("market")
    expect(#room:npcs()):to_be(201)
    expect(room):not_to_be_stuck(2)
    expect(room):never_to_enter("gate")
    run_for(2.5)
  end)

  it("has its altar behind the gate, and nothing else in the way", function()
    open_market(8, 60)
    path_between("gate_front", "altar"):to_be_blocked_by("gate")
    open("gate")
    path_between("gate_front", "altar"):to_be_shorter_than(9)
    path_between({ x = 1, z = 1 }, "altar"):to_be_shorter_than(45)
  end)

  it("keeps the pilgrims out till noon, and has some in the temple a quarter of an hour later", function()
    open_market(40, 10)
    run_for(9.9)
    expect(gate):not_to_be_available()
    expect(room:npcs_in("temple")):to_equal({})
    expect(gate):within(0.2):to_be_available()
    run_until(function() return #room:npcs_in("temple") >= 3 end, 15)
  end)

  it("shuts the gate at one, with nobody left in the gateway", function()
    open_market(16, 1)
    run_for(55)
    expect(gate):to_be_available()
    room:npc("crier"):teleport(20, 26.5)
    expect(gate):within(6.1):not_to_be_available()
    run_for(0.1)
    expect(room:npcs_in("gate")):to_equal({})
  end)

  it("has a line before the gate that nobody is shoved out of, and that moves up", function()
    open_market(0, 600)
    local served, may_go = {}, false
    for i = 1, 8 do
      local guest = spawn { name = "guest_" .. i, at = { x = 24 + i, z = 22 + i % 2 } }
      start(function()
        guest:queue_at("gate_front", { tail = { x = 32, z = 24.6 } })
        wait_until(function() return may_go end)
        served[#served + 1] = guest.name
        guest:walk_to { x = 4, z = 15 + i }
      end)
    end
    run_until(function() return #room:queue("gate_front") == 8 end, 40)
    run_for(5)
    local line, where = room:queue("gate_front"), {}
    for i, guest in ipairs(line) do
      where[i] = { x = guest.x, z = guest.z }
      expect(math.abs(guest.x - 20 - (i - 1) * 0.8) < 0.35):to_be_true()
    end
    -- Three walk through the line. Those who let them pass come back to their places.
    for i = 1, 3 do
      local passer = spawn { name = "passer_" .. i, at = { x = 20 + i * 1.5, z = 21 } }
      passer:set_target(20 + i * 1.5, 25.5)
    end
    run_for(20)
    for i, guest in ipairs(line) do
      expect(room:queue("gate_front")[i]):to_be(guest)
      expect(guest):to_be_near(where[i], 0.5)
    end
    may_go = true
    run_until(function() return #served == 8 end, 60)
    for i, guest in ipairs(line) do
      expect(served[i]):to_be(guest.name)
    end
  end)

  it("has a crier who knows about the gate", function()
    open_market(8, 20)
    expect(room:npc("crier")):within(15.1):to_have_said("Noon opens the gate!")
    expect(room:npc("crier")):not_to_have_said("The gate is open!")
    expect(room:npc("crier")):within(18.1):to_have_said("The gate is open!")
  end)

  it("opens the gate at noon, and all walk as they always did", function()
    open_market(24, 60)
    run_for(75)
    expect(room):to_match_recording("noon", { tolerance = 0.1 })
  end)
end)
