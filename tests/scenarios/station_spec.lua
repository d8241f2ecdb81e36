-- A day of the station. Nobody gives up a walk, nobody stands in anybody, and in the evening everybody is gone.

describe("the station", function()
  local no_trains = { first = 600, count = 0, every = 1, bring = 0, take = 0 }

  local function open_station(trains, seed)
    local station = require "station.station"
    if trains then station.trains = trains end
    load_room("station", { seed = seed })
    expect(room):not_to_be_stuck(60)
  end

  --- How deep the deepest of two people stand in each other, in metres. Those on a link touch nobody.
  local function deepest_overlap()
    local cells, deepest = {}, 0
    for _, npc in ipairs(room:npcs()) do
      if not npc.link then
        local x, z, reach = npc.x, npc.z, 2 * npc.collision_radius
        local column, row = x // 1, z // 1
        for c = column - 1, column + 1 do
          for r = row - 1, row + 1 do
            for _, other in ipairs(cells[c * 1000 + r] or {}) do
              deepest = math.max(deepest, reach - ((other.x - x) ^ 2 + (other.z - z) ^ 2) ^ 0.5)
            end
          end
        end
        local cell = cells[column * 1000 + row] or {}
        cells[column * 1000 + row] = cell
        cell[#cell + 1] = { x = x, z = z }
      end
    end
    return deepest
  end

  local function evening(people, latest)
    while room.state.gone < people and room.time < latest do
      run_for(2)
      expect(deepest_overlap()):to_be_less_than(0.05)
    end
    expect(room.state.came + room.state.went):to_be(people)
    expect(room.state.gone):to_be(people)
    expect(#room:npcs()):to_be(4) -- the clerks
  end

  it("has its second platform behind a footbridge, and its trains behind doors", function()
    open_station { no_trains }
    path_between("street_west", { x = 10, z = 30 }):to_be_complete()
    path_between("street_west", { x = 10, z = 23 }):to_be_blocked_by("doors_1_1")
    open("doors_1_1")
    path_between("street_west", { x = 10, z = 23 }):to_be_shorter_than(60)
  end)

  it("takes forty people over the landing at the same time, twenty each way", function()
    open_station { no_trains, { first = 100, count = 1, every = 1, bring = 20, take = 20 } }
    evening(40, 500)
  end)

  -- On the eighth, those who came up to the landing once stood in each other's way until night.
  for _, seed in ipairs { 1, 8 } do
    it("has a day of a thousand, the " .. seed .. ".", function()
      open_station(nil, seed)
      evening(1000, 590)
      expect(room.state.departed):to_equal { 8, 4 }
    end)
  end
end)
