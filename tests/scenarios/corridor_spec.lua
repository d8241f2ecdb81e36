-- Where only one fits, somebody has to make way; nothing in the scripts is about that.

describe("the corridor", function()
  local anna, bert

  before_each(function()
    load_room("corridor")
    anna, bert = room:npc("anna"), room:npc("bert")
  end)

  it("lets two pass who meet where only one fits", function()
    expect({ anna, bert }):not_to_be_stuck()
    expect(anna):within(60):to_be_near("east", 0.5)
    expect(bert):within(60):to_be_near("west", 0.5)
  end)

  it("is narrow: one of the two waits in the niche", function()
    local waited = run_until(function() return room:npcs_in("niche")[1] end, 30)
    expect({ "anna", "bert" }):to_contain(waited.id)
  end)

  it("is passed the way it was when we liked it", function()
    run_for(20)
    -- cicerone test --update tests/scenarios/corridor_spec.lua records it anew.
    expect(room):to_match_recording("passing", { tolerance = 0.25 })
  end)

  it("goes on like this for five minutes", function()
    expect(room):not_to_be_stuck(20)
    run_for(300)
  end)

  it("has a guard who stands in the way and does not mind", function()
    local carla = room:npc("carla")
    expect(carla):never_to_enter("narrow_corridor")
    expect(carla):within(30):to_be_near("south_east", 0.5)
    expect(room:npc("guard")):within(60):to_have_said("Move along, carla.")
    expect(room:npc("guard")):within(10):to_be_near("post", 0.35)
  end)

  it("has a guard who keeps the post while carla passes", function()
    local carla, guard, off = room:npc("carla"), room:npc("guard"), 0
    expect(carla):within(30):to_be_near("south_east", 0.5)
    run_until(function()
      off = math.max(off, guard:distance_to("post"))
      return carla:distance_to("south_east") > 5
    end, 60)
    expect(off):to_be_between(0, 0.35)
  end)

  it("is the straight way from end to end", function()
    path_between("west", "east"):to_be_shorter_than(22.1)
    close("narrow_corridor")
    path_between("west", "east"):to_be_blocked_by("narrow_corridor")
  end)

  it("has commuters who try again when the corridor opens", function()
    close("narrow_corridor")
    expect(anna):to_end_with("partial", 20)
    open("narrow_corridor")
    expect(anna):within(30):to_be_near("east", 0.5)
  end)

  it("has commuters who are off again as soon as a shorter rest is saved", function()
    reload("scripts/corridor/commuter.lua", [[
      return {
        run = function(self, npc)
          while true do
            self.next = self.next or 1
            npc:walk_to(({ "east", "west" })[self.next])
            self.next = 3 - self.next
            wait(0.1)
          end
        end,
      }
    ]])
    bert.enabled = false
    expect(anna):to_arrive_within(20)
    expect(anna):within(0.5):not_to_be_near("east", 0.2)
  end)
end)
