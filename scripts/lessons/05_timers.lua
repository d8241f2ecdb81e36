-- cicerone run stage --script scripts/lessons/05_timers.lua
--
-- Lesson 5: time. `after` calls a function once, `every` again and again, `cancel` ends either. A handler may not wait, so this
-- is how it makes something happen later. The door opens for whoever comes near it, and closes three seconds later.
---@class Timers: RoomScript
local Stage = { open_for = 3 } -- seconds

function Stage.open_for_a_while(room)
  room:set_area_available("door", true)
  if room.state.closing then cancel(room.state.closing) end -- the three seconds begin anew
  room.state.closing = after(Stage.open_for, function()
    room:set_area_available("door", false)
    room.state.closing = nil
  end)
end

function Stage.on_load(room)
  every(0.25, function()
    if #room:npcs{ near = "doorway", within = 1.5 } > 0 then Stage.open_for_a_while(room) end
  end)
end

function Stage.on_area_changed(room, area, available)
  log.info(("%.1f s: the %s %s"):format(room.time, area, available and "opens" or "closes"))
end

function Stage.run(room)
  local ann = room:npc("ann")
  ann:walk_to("doorstep")
  ann:walk_to("shelf")
  ann:say("How dark it is.", 5)
  local ok = ann:walk_to("doorstep") -- the door is closed by now, and opens as she comes near
  ann:say(ok and "Back!" or "Locked in!", 3)
end

return Stage
