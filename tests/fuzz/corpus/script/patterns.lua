local S = {}
local function work()
  local t = setmetatable({}, { __index = function(_, k) return k * 2 end, __len = function() return 3 end, __close = function() end })
  local held <close> = t
  local text = string.rep("ab(c)d", 20, "\0")
  local found, count = text:gsub("%b()", { ["(c)"] = "x" }):gsub("(a)(b)", "%2%1")
  local co = coroutine.wrap(function(...) local a = coroutine.yield(...) error({ a }) end)
  co(1, 2)
  local ok, err = pcall(co, 3)
  goto done
  ::done::
  return found, count, t[4], #t, ok, utf8.char(228, 8364), 7 // 2, 1 << 62, 0x7fp-2
end
function S.on_load(room) room.state.work = { work() } end
function S.on_update() room.state.again = { pcall(work) } end
return S
