-- cicerone run stage --script ann=scripts/lessons/01_hello.lua
--
-- Lesson 1: a character that speaks. A script returns a table of functions; the host calls those it knows, here when Ann comes
-- into the room and when another character walks up to her. Click on Ann. Then change her words, save, and click again.
---@class Hello: Behaviour
local Ann = {}

function Ann.on_spawn(self, npc)
  npc:say("Hello! I am " .. npc.id .. ".", 4)
end

function Ann.on_talk(self, npc, other)
  npc:turn_to(other)
  npc:say("Nice to meet you, " .. other.id .. ".", 4)
end

return Ann
