-- Goes up to the bell and back to the shop, time and again. At the ladder, visitors wait in line.
local Visitor = { route = { "bell", "shop" } }

function Visitor.run(self, npc)
  self.next = self.next or 1
  while true do
    local ok, why = npc:walk_to(Visitor.route[self.next])
    if not ok then log.warn(npc.id .. " does not get to " .. Visitor.route[self.next] .. ": " .. why) end
    self.next = self.next % #Visitor.route + 1
    wait(1 + random() * 2)
  end
end

-- The zip line is of the kind `handler`: this sequence is the ride.
function Visitor.on_link(self, npc, link)
  if link.name ~= "zip_line" then return end
  npc:say("Hold tight…", 0.5)
  wait(0.5)
  npc:say("Wheee!", 1)
  npc:cross(0.8)
end

return Visitor
