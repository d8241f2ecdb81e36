-- Teaches: `run`, a behaviour written down in the order it happens. walk_to, say and wait pause this
-- character only; the other characters go on. One script serves all guests: each has a `self` of its own.
local Bar = require "tavern.bar"

---@class TavernGuest: Behaviour
local Guest = {
  shortest_sit = 15, -- seconds at the table between two drinks
  longest_sit = 45,
  order = "An ale, please.",
  thanks = "Cheers!",
}

function Guest.on_spawn(self, npc)
  self.seat = npc:pos() -- where the room file put us is our seat
  self.drinks = 0
end

local function sit(self, npc)
  npc:walk_to(self.seat)
  npc:add_tag("seated") -- tavern.lua lets those with this tag chat
  local sit_time = Guest.shortest_sit + random() * (Guest.longest_sit - Guest.shortest_sit)
  local thirsty_at = room.time + sit_time
  while room.time < thirsty_at do
    wait(1)
    -- A character that squeezed past may have nudged us off the chair.
    if npc:distance_to(self.seat) > 0.3 then npc:walk_to(self.seat) end
  end
  npc:remove_tag("seated")
end

local function fetch_drink(self, npc)
  local place = Bar.place_of(npc) or Bar.take_place(npc)
  if not place then return end -- no room at the bar: sit on, try later
  local ok, reason = npc:walk_to(place)
  if ok then
    Bar.order(npc)
    npc:say(Guest.order, 1.5)
    while not Bar.is_served(npc) do wait(0.5) end
    self.drinks = self.drinks + 1
    npc:say(Guest.thanks)
  else
    log.warn(npc.id, "did not get to the bar:", reason)
  end
  Bar.leave(npc)
end

-- Saving this file starts `run` afresh, wherever it was. So it begins by asking how things stand.
function Guest.run(self, npc)
  while true do
    if not Bar.place_of(npc) then sit(self, npc) end
    fetch_drink(self, npc)
  end
end

-- Save this file while the room runs: no guest forgets how many drinks they had.
function Guest.on_reload(self, npc)
  npc:say("Where was I? Drink number " .. self.drinks + 1 .. ".")
end

return Guest
