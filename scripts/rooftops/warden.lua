-- Runs the lift for ten seconds out of thirty.
local Warden = {}

function Warden.run(self, npc)
  while true do
    wait(20)
    room:link("lift").available = true
    npc:say("Going up!", 2)
    wait(10)
    room:link("lift").available = false
  end
end

return Warden
