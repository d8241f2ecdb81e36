-- Teaches: a function for the whole project. `require "vault.walking"` gives every script this table,
-- and saving this file reloads those who require it, too.
local Walking = {
  close_enough = 0.3, -- metres
  try_again = 1, -- seconds
}

--- Walks there, however often it takes: doors close and people stand in the way.
function Walking.go(npc, where)
  while npc:distance_to(where) > Walking.close_enough do
    local ok, reason = npc:walk_to(where)
    if not ok then
      log.info(npc.id, "tries again:", reason)
      wait(Walking.try_again)
    end
  end
end

return Walking
