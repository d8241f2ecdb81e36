-- Teaches: `race`, for a mind that changes, and `room:walls_near`. The cat sleeps, strolls and prowls along walls until
-- feet come near; then it runs, and later looks for the sun again. In the room file it has `"avoidance": "push"`: it is
-- quick off the mark and goes straight, and people steer round it.
---@class MillCat: Behaviour
local Cat = {
  fright = 0.9, -- metres
  nap = 20, -- seconds
  prowl = 10, -- walls
  strolling = 1.1, -- metres per second
  running = 3,
}

local function feet_near(npc)
  for _, other in ipairs(room:npcs { near = npc, within = Cat.fright }) do
    if other ~= npc then return other end
  end
end

local function nap(npc)
  npc:walk_to("sunny_spot")
  npc:say("Purr …", Cat.nap)
end

local function stroll(npc)
  npc:wander { area = "yard", pause = { 2, 5 }, timeout = Cat.nap }
end

-- Cats do not cross open ground: along one wall, then along the next.
local function prowl(npc)
  for _ = 1, Cat.prowl do
    local walls = room:walls_near(npc, 3)
    if #walls == 0 then return end
    local wall = walls[math.random(math.min(2, #walls))]
    npc:walk_to(wall.nearest)
    npc:walk_to(wall.to)
  end
end

function Cat.run(self, npc)
  while true do
    npc.walk_speed = Cat.strolling
    race {
      function() wait_until(function() return feet_near(npc) ~= nil end) end,
      function() nap(npc) prowl(npc) stroll(npc) end,
    }
    local feet = feet_near(npc)
    if feet then
      npc.walk_speed = Cat.running
      npc:flee(feet, { distance = 4, timeout = 5 })
    end
  end
end

return Cat
