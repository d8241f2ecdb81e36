-- cicerone run stage --script scripts/lessons/06_areas.lua
--
-- Lesson 6: who is where. The room is told which character steps into which area. What the room remembers lies in room.state, which every
-- save keeps. The closet holds two; the third one is asked out again.
---@class Areas: RoomScript
local Stage = { most = 2 }

function Stage.on_load(room)
  room:set_area_available("door", true)
  room.state.visits = 0
end

function Stage.on_enter(room, npc, area)
  if area ~= "closet" then return end
  room.state.visits = room.state.visits + 1
  log.info(npc.id, "is visitor number", room.state.visits)
  if #room:npcs_in("closet") > Stage.most then
    npc:say("Too full.")
    npc:set_target("doorstep")
  end
end

function Stage.on_leave(room, npc, area)
  if area == "closet" then log.info(npc.id, "leaves;", #room:npcs_in("closet"), "left") end
end

function Stage.run(room)
  for _, name in ipairs{ "bob", "cleo", "ann" } do
    room:npc(name):set_target("shelf")
    wait(4)
  end
end

return Stage
