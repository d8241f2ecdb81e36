-- Walks its beat, waypoint by waypoint, and does there what the room file says.
local Watch = {}

function Watch.run(self, npc)
  while true do
    for _, waypoint in ipairs(room:waypath("beat").points) do
      npc:walk_to(waypoint.at)
    end
  end
end

function Watch.on_waypoint(self, npc, waypoint)
  if waypoint.handler == "salute" then
    npc:say("All is well!", 2)
  elseif waypoint.handler == "look" then
    self.rounds = (self.rounds or 0) + 1
  end
end

return Watch
