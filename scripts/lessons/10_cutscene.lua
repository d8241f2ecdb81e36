-- cicerone run stage --script scripts/lessons/10_cutscene.lua
--
-- Lesson 10: a cut-scene with three actors. `all` lets several things happen side by side and waits for all of them; `race` waits
-- for the first and calls the others off. Click anywhere to skip the scene.
---@class Cutscene: RoomScript
local Scene = {}

function Scene.on_click(room, place)
  if room.state.playing then
    room.state.skip = true
    return true
  end
end

local function play(room)
  local ann, bob, cleo = room:npc("ann"), room:npc("bob"), room:npc("cleo")
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
  -- Whoever is first at the window has won.
  local _, _, winner = race{
    function() ann:walk_to("window") end,
    function() bob:walk_to("window") end,
  }
  cleo:say((winner == 1 and "Ann" or "Bob") .. " wins.", 2)
end

function Scene.run(room)
  room.state.playing, room.state.skip = true, false -- a save begins the scene anew
  local _, _, ended = race{
    function() play(room) end,
    function() wait_until(function() return room.state.skip end) end,
  }
  room.state.playing = false
  log.info(ended == 1 and "The end." or "Skipped.")
  all{
    function() room:npc("ann"):walk_to("left") end,
    function() room:npc("bob"):walk_to("right") end,
  }
end

return Scene
