-- The kitchen: what there is to say about things, and what can be done with them. Mia wants her milk.
---@class Kitchen: RoomScript
local Kitchen = {
  says = {
    window = "What a day. The hills look painted.",
    stove = "Soup. It has been simmering since this morning.",
    table = "Two cups. We were going to have coffee.",
    shelf = "Jam, beans, more jam.",
    sink = "The tap drips. It always has.",
  },
}

-- Looking needs no steps; everything else is walked to, and used there.
function Kitchen.on_click(room, _, hotspot)
  if hotspot and hotspot.cursor == "look" then
    room:npc("player"):say(Kitchen.says[hotspot.name] or "Hm.")
    return true
  end
end

local uses = {}

function uses.fridge(room, npc)
  local door = room:area("fridge_door")
  door.available = not door.available
  npc:say(door.available and "Brr! Come and have a look, Mia." or "Shut.")
end

function uses.milk(room, npc)
  npc:give("milk")
  room:set_hotspot("milk", { enabled = false }) -- the jug is gone
  npc:say("A jug of milk, ice cold.")
end

function uses.bowl(room, npc)
  if room.state.bowl_is_full then
    npc:say("It is full.")
  elseif npc:take("milk") then
    room.state.bowl_is_full = true
    npc:say("Mia! Milk!")
    send("mia", "milk")
  else
    npc:say("Mia's bowl, licked clean.")
  end
end

function uses.door(room, npc)
  npc:say(room.state.is_mia_fed and "Off we go." or "Not before Mia has had her milk.")
end

function Kitchen.on_use(room, npc, object)
  if uses[object] then
    uses[object](room, npc)
  else
    npc:say(Kitchen.says[object] or "Hm.")
  end
end

return Kitchen
