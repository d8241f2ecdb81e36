-- Teaches: a thing that moves is a character too. The water is an area like any other; no path leads from it to the
-- banks, because they do not touch. The boat rings, waits for the passage, and is gone at the end of the water.
---@class MillBarge: Behaviour
local Barge = {}

local function is_past(npc)
  return room:area("lower_race"):contains(npc)
end

function Barge.run(self, npc)
  while not is_past(npc) do
    if not npc:walk_to("above_bridge") then wait(1) end
    room.state.boat = "waiting"
    npc:say("Ahoy! Bridge!")
    wait_until(function() return room:is_area_available("passage") end)
    npc:walk_to("below_bridge")
  end
  room.state.boat = nil -- the keeper looks at it
  npc:say("Thank you kindly!")
  npc:walk_to("downstream")
  npc:despawn()
end

-- However it leaves: no boat, nothing to wait for.
function Barge.on_despawn(self, npc)
  room.state.boat = nil
end

return Barge
