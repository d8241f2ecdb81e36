local Ann = {}

function Ann.run(self, npc)
  for i = 1, 5 do
    log.info(npc.id, 'draws', random(), random(10), math.random(2))
    npc:walk_to(1 + random() * 6, 1 + random() * 2, { timeout = 0.15 })
  end
end

return Ann
