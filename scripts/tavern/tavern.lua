-- Teaches: the room's own script. It sees what no single character sees: who is there, where the player
-- clicks, which door opened. Its handlers get `room` first; `room.state` survives every reload.
local Lines = require "tavern.lines"

---@class Tavern: RoomScript
local Tavern = {
  chat_pause = 2, -- seconds between two lines at a table
  line_time = 3,
  visitor_every = 60,
  visitors = { "pedlar", "pilgrim", "soldier" },
  knock_distance = 1.2, -- metres: a click this near the cellar door is a knock
}

function Tavern.on_load(room)
  room.state.next_line = { hearth = 1, window = 1 }
  room.state.barrels = 0
end

-- One line of a table's conversation, said by the next of those who sit there.
local function chat(room, table_name)
  local seated = {} ---@type Npc[]
  for _, guest in ipairs(room:npcs(table_name)) do -- all characters with this tag
    if guest:has_tag("seated") then table.insert(seated, guest) end
  end
  if #seated < 2 then return end -- no guest talks to an empty chair
  local number = room.state.next_line[table_name]
  local conversation = Lines[table_name] ---@type string[]
  local speaker = seated[(number - 1) % #seated + 1]
  speaker:say(conversation[(number - 1) % #conversation + 1], Tavern.line_time)
  room.state.next_line[table_name] = number + 1
end

-- A room has a `run` too. `say` with a time waits until it was said, so the tables take turns.
function Tavern.run(room)
  while true do
    chat(room, "hearth")
    chat(room, "window")
    wait(Tavern.chat_pause)
  end
end

-- A timer that the file itself sets is set again by every reload of the file, never doubled.
every(Tavern.visitor_every, function()
  if #room:npcs("visitor") > 0 then return end -- one at a time
  local name = Tavern.visitors[random(#Tavern.visitors)]
  spawn { name = name, at = "street", script = "scripts/tavern/visitor.lua", tags = { "visitor" } }
end)

-- The player's first step into the hall is noticed a moment later.
function Tavern.on_enter(room, npc, area)
  if npc.player and area == "hall" and not room.state.welcomed then
    room.state.welcomed = true
    after(1, function() room:npc("barkeep"):say("Evening, stranger!") end)
  end
end

-- The cellar door shuts behind every barrel, so counting one counts the other.
function Tavern.on_area_changed(room, area, available)
  if area == "cellar_door" and not available then
    room.state.barrels = room.state.barrels + 1
    log.info("barrels fetched so far:", room.state.barrels)
  end
end

-- A handler may not wait, but it can `start` something that does.
local function knock(room)
  room:npc("player"):say("Knock, knock!", 1.5)
  room:npc("barkeep"):say("Coming!", 1.5)
  room.state.barrel_wanted = true -- barkeep.lua looks at it
end

-- Clicks come here first. Answer true and the click is used up; otherwise the player walks there.
function Tavern.on_click(room, where)
  local door = room:point("cellar_door")
  local dx, dz = where.x - door.x, where.z - door.z
  local near_door = dx * dx + dz * dz < Tavern.knock_distance ^ 2
  if near_door and not room:is_area_available("cellar_door") then
    start(knock, room)
    return true
  end
end

return Tavern
