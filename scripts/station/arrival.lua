-- Teaches: leaving. Out of the train, over the platform, through the hall, away.
local Station = require "station.station"

---@class StationArrival: Behaviour
local Arrival = {}

function Arrival.run(self, npc)
  self.exit = self.exit or (random() < 0.5 and "street_west" or "street_east")
  while not npc:walk_to(self.exit) do wait(0.5) end -- the doors open in a moment
  Station.leave(npc)
end

return Arrival
