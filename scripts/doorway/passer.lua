-- Teaches: a wish without a plan. Where to go is all that is said; the queue at the door is the crowd's business.
---@class DoorwayPasser: Behaviour
local Passer = { rest = 4 } -- seconds, at most

--- Somewhere in the hall or the yard.
local function somewhere(in_yard)
  return { x = (in_yard and 11 or 1) + random() * 6, z = 1 + random() * 8 }
end

function Passer.run(self, npc)
  if self.to_yard == nil then self.to_yard = npc:has_tag("from_hall") end
  while true do
    self.goal = self.goal or somewhere(self.to_yard)
    local ok, reason = npc:walk_to(self.goal)
    if ok then
      self.to_yard, self.goal = not self.to_yard, nil
    else
      log.info(npc.id, "tries again:", reason)
    end
    wait(random() * Passer.rest)
  end
end

return Passer
