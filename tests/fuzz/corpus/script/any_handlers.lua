local S = {}
function S.on_spawn(self, npc)
  self.visits, npc.walk_speed = {}, 2
  npc:add_tag("guard") npc:give("key", 2)
  every(0.1, function() self.beats = (self.beats or 0) + 1 end)
  after(0.2, "later", { who = npc, list = { 1, 2.5, "three" } })
end
function S.run(self, npc)
  local ok, why = race { function() npc:walk_to("shelf") end, function() wait(0.2) end }
  all { function() npc:turn_to("bar") end, function() wait_until(function() return not npc:is_moving() end, 1) end }
  npc:say(("%s, %s"):format(ok, why), 1)
  send("bob", "hello", { from = npc })
  for word in ("one two three"):gmatch("%a+") do self.visits[#self.visits + 1] = word:upper() end
  table.sort(self.visits, function(a, b) return a > b end)
  room:area("door").available = true
  local points, length = room:find_path(npc, "shelf")
  room.state.length = points and length
  npc:talk_to(room:npc("bob"))
end
function S.on_timer(self, npc, name, data) log.info(name, data.list[3], data.who == npc) end
function S.on_update(self, npc, dt) self.time = (self.time or 0) + dt end
function S.on_message(self, npc, message, data) npc:stop() end
function S.on_click(room, place) room.state.clicks = (room.state.clicks or 0) + 1 return false end
function S.on_load(room) room.state.count = #room:npcs() end
return S
