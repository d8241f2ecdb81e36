-- cicerone run stage --script ann=scripts/lessons/12_queue.lua --script bob=scripts/lessons/12_queue.lua --script cleo=scripts/lessons/12_queue.lua
--
-- Lesson 12: standing in line. All three want to pull the lever, one after the other. `queue_at` goes to the end of the line, moves up,
-- and returns at the front; a character that leaves it lets the next one move up.
---@class Queue: Behaviour
local Queue = {}

function Queue.run(self, npc)
  while true do
    local ok, reason = npc:queue_at("lever", { tail = "window" })
    if ok then
      npc:say("My turn.", 1)
      npc:use("lever")
      npc:leave_queue()
      local elsewhere = room:random_point { area = "hall", near = npc, within = 6 } -- nil if there is no such place
      if elsewhere then npc:walk_to(elsewhere) end
    else
      log.warn(npc.id, "left the line:", reason)
      wait(1)
    end
  end
end

return Queue
