-- Teaches: one behaviour for several people. Each finds its own route under its name.
-- anna and bert meet head-on where only one fits; one of them makes way in the niche, and nothing here is about that.
---@class CorridorCommuter: Behaviour
local Commuter = {
  routes = { anna = { "east", "west" }, bert = { "west", "east" } },
  rest = 1.5, -- seconds
}

function Commuter.run(self, npc)
  local route = Commuter.routes[npc.id] or Commuter.routes.anna
  self.next = self.next or 1 -- which end comes next; self survives a reload
  while true do
    local ok, reason = npc:walk_to(route[self.next])
    if ok then
      self.next = self.next % #route + 1
    else
      log.info(npc.id, "tries again:", reason)
    end
    wait(Commuter.rest)
  end
end

return Commuter
