-- What must stay true in the hall. `cicerone test` runs this without a window, as fast as it goes.
describe("the hall", function()
  local player, guide, gate

  before_each(function()
    load_room("hall")
    player, guide, gate = room:npc("player"), room:npc("guide"), room:area("gate")
  end)

  it("keeps the garden shut until the gate is clicked", function()
    path_between("player", { x = 11.5, z = 4.5 }):to_be_blocked_by("gate")
    click("latch")
    expect(gate):within(1):to_be_available()
  end)

  it("greets the player in the garden", function()
    click("latch")
    run_for(0.5)
    click({ x = 11.5, z = 4.5 })
    expect(player):within(15):to_be_in("garden")
    expect(player):within(1):to_have_said("What a garden!")
  end)

  it("has a guide who shows the books first, then the window", function()
    expect(guide):within(5):to_have_said("Nobody has read them all.")
    expect(guide):within(15):to_have_said("On clear days one sees the sea.")
  end)
end)
