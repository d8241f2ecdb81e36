-- cicerone run stage --script ann=scripts/lessons/02_walk.lua --script bob=scripts/lessons/03_remember.lua --script cleo=scripts/lessons/07_follow.lua --script scripts/lessons/10_cutscene.lua
--
-- Lesson 10: a cut-scene. Ann walks her round, Bob counts, Cleo follows another character: each has a script. `direct` takes them over for
-- as long as a function runs; what they were at pauses, and goes on where it was. `all` lets several things happen side by side
-- and waits for all of them; `race` waits for the first and calls the others off. Click anywhere to skip the scene.
---@class Cutscene: RoomScript
local Scene = { begins = 4 } -- seconds

function Scene.on_click(room, place)
  if room.state.playing then
    room.state.skip = true
    return true
  end
end

local function play(ann, bob, cleo, dan)
  -- Enter from both sides, at the same time.
  all{
    function() return ann:walk_to("left") end,
    function() return bob:walk_to("right") end,
  }
  ann:turn_to(bob)
  ann:say("You!", 1.5)
  bob:turn_to(ann)
  bob:say("Me.", 1.5)
  -- Cleo comes between them while they walk towards each other.
  all{
    function() return ann:walk_to(4, 1.2) end,
    function() return bob:walk_to(6, 1.2) end,
    function()
      cleo:walk_to("centre")
      cleo:say("Stop it, both of you!", 2)
    end,
  }
  all{
    function() ann:turn_to(cleo) ann:say("He began.", 1.5) end,
    function() bob:turn_to(cleo) wait(0.7) bob:say("She did.", 1.5) end,
  }
  -- The first one at the window has won.
  local _, _, winner = race{
    function() ann:walk_to("window") end,
    function() bob:walk_to("window") end,
  }
  dan:say((winner == 1 and "Ann" or "Bob") .. " wins.", 2)
end

function Scene.run(room)
  -- A save begins `run` anew, as does going back to a saved moment: then Dan is there already.
  local dan = room:spawn_once{ name = "dan", at = { x = 3.5, z = 5.3 }, script = "scripts/lessons/01_hello.lua" }
  local ann, bob, cleo = room:npc("ann"), room:npc("bob"), room:npc("cleo")
  room.state.playing, room.state.skip = false, false
  wait(Scene.begins)
  room.state.playing = true
  local _, _, ended = race{
    function() direct({ ann, bob, cleo, dan }, function() play(ann, bob, cleo, dan) end) end,
    function() wait_until(function() return room.state.skip end) end,
  }
  room.state.playing = false
  log.info(ended == 1 and "The end." or "Skipped.") -- and all characters go on with what they were at
end

return Scene
