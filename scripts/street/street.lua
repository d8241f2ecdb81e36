-- The street: a traffic light that opens and closes the crossing, and the shops.
---@class Street: RoomScript
local Street = {
  green = 9, -- seconds
  red = 12,
  says = {
    bakery = "Smells of cinnamon.",
    bookshop = "Closed for stocktaking, since spring.",
    ["café"] = "Not a free table.",
    letterbox = "Last collection at six.",
    kiosk = "The evening paper, please.",
    bench = "A minute's rest.",
    lamp = "They will light up soon.",
  },
}

function Street.run(room)
  local crossing = room:area("crossing")
  while true do
    crossing.available = true
    wait(Street.green)
    crossing.available = false -- once it is empty
    wait_until(function() return room.state.is_wanted end, Street.red)
    room.state.is_wanted = false
    wait(1)
  end
end

function Street.on_click(room, _, hotspot)
  if hotspot and hotspot.cursor == "look" then
    room:npc("player"):say(Street.says[hotspot.name] or "Hm.")
    return true
  end
end

function Street.on_use(room, npc, object)
  if object == "traffic light" then
    room.state.is_wanted = true
    npc:say("Click.")
  else
    npc:say(Street.says[object] or "Hm.")
  end
end

return Street
