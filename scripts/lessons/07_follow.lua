-- cicerone run stage --script cleo=scripts/lessons/07_follow.lua
--
-- Lesson 7: eyes and legs. Cleo looks for a character nearby that she can see, follows it for a while, and then looks for
-- another one. Walk past her with the player.
---@class Follow: Behaviour
local Cleo = { sees = 6, likes = 1.5, patience = 6 } -- metres, metres, seconds

local function nearest_in_sight(npc, tired_of)
  for _, other in ipairs(room:npcs{ near = npc, within = Cleo.sees }) do -- the nearest first, and nearest of all herself
    if other ~= npc and other ~= tired_of and room:line_of_sight(npc, other) then return other end
  end
end

function Cleo.run(self, npc)
  while true do
    local friend = nearest_in_sight(npc, self.last)
    if friend then
      npc:say("Wait for me, " .. friend.id .. "!")
      npc:follow(friend, Cleo.likes, { timeout = Cleo.patience })
      self.last = friend
    else
      self.last = nil
      npc:say("Nobody there.")
      wait(2)
    end
  end
end

return Cleo
