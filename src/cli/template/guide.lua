-- A character's behaviour. Change a pause or a word, save, and it is live; `self` keeps its memory.
---@class Guide: Behaviour
local Guide = {
  pause = 1.5, -- seconds
  tour = {
    { at = "books", words = "Nobody has read them all." },
    { at = "window", words = "On clear days one sees the sea." },
    { at = "fire", words = "Mind the sparks." },
  },
}

-- Runs beside those of the other characters: walk_to, say and wait pause this character only.
function Guide.run(self, npc)
  self.stop = self.stop or 1
  while true do
    local stop = Guide.tour[self.stop] or Guide.tour[1] -- the tour may just have become shorter
    local ok, reason = npc:walk_to(stop.at)
    if ok then
      npc:say(stop.words, 2)
    else
      log.warn("cannot reach", stop.at, reason)
    end
    wait(Guide.pause)
    self.stop = self.stop % #Guide.tour + 1
  end
end

function Guide.on_reload(self, npc)
  npc:say("Where was I?")
end

return Guide
