-- Goes round the yard on its lane.
local Watch = {}

function Watch.run(self, npc)
  while true do
    for _, waypoint in ipairs(room:waypath("round").points) do
      npc:walk_to(waypoint.at)
    end
  end
end

return Watch
