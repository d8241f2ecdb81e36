local S = {}
function S.run(self npc)
  while true do wait(1)
end
return S
