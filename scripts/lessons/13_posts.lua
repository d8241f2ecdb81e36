-- cicerone run stage --script scripts/lessons/13_posts.lua
--
-- Lesson 13: posts. Bob goes up and down between left and right, and two stand in his way. Dora is `pinned`: she is not pushed
-- aside, so Bob goes round her. Cleo `returns_to_post`: she lets him pass, and walks back to where she stood.
---@class Posts: RoomScript
local Posts = {}

function Posts.run(room)
  -- `run` begins again with every save: `spawn_once` finds Dora if she is there already.
  local dora = room:spawn_once { name = "dora", at = { x = 6, z = 1 }, pinned = true }
  local bob, cleo = room:npc("bob"), room:npc("cleo")
  cleo.returns_to_post = true
  cleo:walk_to(3.5, 1) -- where an errand ends, there the post is
  while true do
    bob:walk_to("left")
    bob:walk_to("right")
    bob:say(dora.id .. " stands where she stood.", 1)
    wait(1)
  end
end

return Posts
