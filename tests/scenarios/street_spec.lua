-- The painted street: pavements that nobody leaves, a crossing that opens and closes.
describe("the street", function()
  local player, crossing

  before_each(function()
    load_room("street", { seed = 5 })
    player, crossing = room:npc("player"), room:area("crossing")
  end)

  -- The road lies between the pavements; only the crossing leads over it.
  local function check_feet()
    for _, npc in ipairs(room:npcs()) do
      expect(room:is_walkable(npc)):to_be_true()
      if npc.z > 3.85 and npc.z < 5.95 then expect(npc):to_be_in("crossing") end
    end
  end

  it("keeps everybody on the pavement and the crossing for two minutes", function()
    local were_over = 0
    for _ = 1, 600 do
      wait(0.2)
      check_feet()
      were_over = were_over + #crossing:npcs()
    end
    expect(were_over):to_be_greater_than(10)
  end)

  it("sends a click on the road to the pavement", function()
    for _, x in ipairs { 3, 9, 14 } do
      click { x = x, z = 5.4 }
      wait(0.1)
      expect(player):to_arrive_within(20)
      expect(player.z):to_be_between(6, 6.3)
      check_feet()
    end
  end)

  it("lets the player over when the light is green, and not before", function()
    player:teleport("near_middle")
    expect(crossing):within(40):not_to_be_available()
    path_between(player, "bookshop"):to_be_blocked_by("crossing")
    click("traffic light")
    expect(player):within(5):to_have_said("Click.")
    expect(crossing):within(1.5):to_be_available()
    click("bookshop")
    expect(player):within(12):to_have_said("Closed for stocktaking")
    expect(player.z):to_be_less_than(3.8)
  end)

  it("does not close the crossing under anybody", function()
    crossing.available = true
    player:teleport(18.5, 4.9)
    crossing.available = false
    wait(2)
    expect(crossing):to_be_available()
    player:teleport("near_middle")
    wait_until(function() return #crossing:npcs() == 0 end, 20)
    expect(crossing):within(0.1):not_to_be_available()
  end)

  it("draws people smaller on the far pavement", function()
    expect(room:scale_at("far_west")):to_be_less_than(room:scale_at("near_west"))
    expect(room:npc("anna").scale):to_be_less_than(player.scale)
  end)

  it("goes through its first minute as it always did", function()
    wait(60)
    expect(room):to_match_recording("crossing")
  end)
end)
