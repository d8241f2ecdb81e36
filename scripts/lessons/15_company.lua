-- cicerone run stage --script scripts/lessons/15_company.lua
--
-- Lesson 15: walking together. Bob and cleo walk beside ann. Where there is no room for three, as at a door, they fall in
-- behind, and come up again afterwards. Ann waits for those that are behind.
---@class Company: RoomScript
local Company = {}

local function tour(ann)
  for _, place in ipairs { "left", "hook", "lever", "shelf", "centre" } do
    ann:walk_to(place)
    if place == "shelf" then ann:say("This is the closet.", 1) end
  end
end

function Company.run(room)
  local ann, bob, cleo = room:npc("ann"), room:npc("bob"), room:npc("cleo")
  room:set_area_available("door", true)
  while true do
    ann:say("Come along!", 1)
    -- The tour ends the race: walking beside somebody has no end of its own.
    race {
      function() tour(ann) end,
      function() bob:walk_beside(ann) end,
      function() cleo:walk_beside(ann) end,
    }
    bob:say("That was nice.", 1)
    wait(2)
  end
end

return Company
