return {
  run = function(self, npc)
    npc:walk_to("bench")
    npc:say("What a garden!", 2)
  end,
}
