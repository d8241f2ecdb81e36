-- Uses a little of everything each tick, and shows in the world how often it did.
local Healthy = {}

function Healthy.on_update(self, npc)
  self.beats = (self.beats or 0) + 1
  local words = {}
  for i = 1, 10 do words[i] = ("beat %d of %s"):format(self.beats, npc.id):upper() end
  local caught, problem = pcall(error, "caught")
  assert(not caught and problem:find("caught", 1, true))
  local add = coroutine.wrap(function(n) return n + coroutine.yield(n) end)
  assert(add(self.beats) == self.beats and add(1) == self.beats + 1)
  table.sort(words)
  assert(#table.concat(words, ","):rep(2):gsub("%d", "") > 0 and #tostring(self.beats) > 0)
  npc.walk_speed = 1 + self.beats / 1000
end

function Healthy.run(self, npc)
  while true do
    self.rounds = (self.rounds or 0) + 1
    npc.rotation_speed = math.floor(self.rounds) / 1000 + 1
    wait(0)
  end
end

return Healthy
