-- cicerone run stage --script ann=scripts/lessons/08_messages.lua --script bob=scripts/lessons/08_messages.lua
--
-- Lesson 8: messages. Scripts talk to each other by `send`; a script finds its messages in on_message, in the next tick. Ann
-- and Bob follow the same file, each with a `self` of their own, and carry a letter to and fro.
---@class Messages: Behaviour
local Postman = { partner = { ann = "bob", bob = "ann" } }

function Postman.on_spawn(self, npc)
  if npc.id == "ann" then
    npc:give("letter")
    send(npc, "deliver", { number = 1 })
  end
end

-- Handlers may not wait; what takes time is a sequence of its own.
local function deliver(npc, other, number)
  npc:talk_to(other)
  npc:take("letter")
  other:give("letter")
  npc:say("Letter number " .. number .. ".")
  npc:walk_to(npc.id == "ann" and "left" or "right")
  send(other, "deliver", { number = number + 1 })
end

function Postman.on_message(self, npc, message, data, from)
  local partner = Postman.partner[npc.id]
  if message == "deliver" and partner and npc:has("letter") then start(deliver, npc, room:npc(partner), data.number) end
end

return Postman
