-- cicerone run stage --script scripts/lessons/05_timers.lua
--
-- Lesson 5: time. `after` does something once, `every` again and again, `cancel` ends either. A handler may not wait, so this is
-- how it makes something happen later. Given a name, they call on_timer, and a saved room knows what is left of them; given a
-- function, they call it. The door opens for a character that comes near it, and closes three seconds later.
---@class Timers: RoomScript
local Stage = { open_for = 3 } -- seconds

function Stage.on_load(room)
  every(0.25, "look")
end

function Stage.on_timer(room, name)
  if name == "look" and #room:npcs{ near = "doorway", within = 1.5 } > 0 then
    room:set_area_available("door", true)
    after(Stage.open_for, "close") -- there is one timer of a name: the three seconds begin anew
  elseif name == "close" then
    room:set_area_available("door", false)
  end
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
