-- Teaches: leaving with the ground. The boatman casts off when the oil is ashore and no other foot is aboard;
-- lighthouse.lua then takes the boatman and the boat away.
---@class LighthouseBoatman: Behaviour
local Boatman = {
  greeting = "Oil for the lamp!",
}

local function passenger(npc)
  for _, other in ipairs(room:npcs_in("boat")) do
    if other ~= npc then return other end
  end
end

function Boatman.run(self, npc)
  npc:say(Boatman.greeting, 2)
  wait_until(function() return room.state.boat_oil == 0 end)
  local late = passenger(npc)
  while late do
    npc:say("All ashore, " .. late.id .. "!", 2)
    late = passenger(npc)
  end
  npc:say("Cast off!", 1.5)
  send(room, "cast off")
end

return Boatman
