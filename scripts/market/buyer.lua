-- Teaches: crossing a square full of people. From stall to stall, a little rest at each.
---@class MarketBuyer: Behaviour
local Buyer = { rest = 3 } -- seconds, at most

--- A place in front of some stall.
local function some_stall()
  local column, row = math.floor(random() * 5), math.floor(random() * 3)
  local behind = random() < 0.5
  return { x = 6 + column * 6.4 + random() * 2.4, z = 5 + row * 7 + (behind and -1.2 or 2.8) }
end

function Buyer.run(self, npc)
  while true do
    self.goal = self.goal or some_stall()
    local ok = npc:walk_to(self.goal)
    if ok then self.goal = nil end
    wait(random() * Buyer.rest)
  end
end

return Buyer
