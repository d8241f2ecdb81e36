-- What scripts find before their first line. `host` holds the host's primitives; nothing of it stays visible.
local host = ...

local yield, getmetatable, setmetatable, type, error, rawget, rawset, select, tostring, next =
  coroutine.yield, getmetatable, setmetatable, type, error, rawget, rawset, select, tostring, next

-- Only what is safe and the same on every run: what is not listed here is gone.
local safe = {
  _G = [[assert error getmetatable ipairs next pairs pcall rawequal rawget rawlen rawset select setmetatable tonumber tostring
         type xpcall coroutine math string table utf8]],
  coroutine = "close create isyieldable resume running status wrap yield",
  math = "abs ceil deg floor fmod huge max maxinteger min mininteger modf pi rad sqrt tointeger type ult",
  string = "byte char find format gmatch gsub len lower match rep reverse sub upper",
  table = "concat insert move pack remove unpack",
  utf8 = "char charpattern codepoint codes len offset",
}
local provided, power = _G, __pow
for library, names in pairs(safe) do
  local keep, from = {}, library == "_G" and provided or provided[library]
  for name in names:gmatch("%S+") do keep[name] = from[name] end
  for name in pairs(from) do if keep[name] == nil then from[name] = nil end end
end
for name, fn in pairs(host.math) do math[name] = fn end
math.random = host.globals.random
getmetatable("").__metatable = false

-- Lua's own iterator goes over any number of broken bytes in one step.
local byte, codepoint, plain_pcall = string.byte, utf8.codepoint, pcall
local function next_code(text, at, lax)
  local next_at = 1
  if at > 0 then
    local lead = byte(text, at)
    next_at = at + (lead < 0xC0 and 1 or lead < 0xE0 and 2 or lead < 0xF0 and 3 or lead < 0xF8 and 4 or lead < 0xFC and 5 or 6)
  end
  if next_at > #text then return end
  local good, code = plain_pcall(codepoint, text, next_at, next_at, lax)
  if not good then error("invalid UTF-8 code", 2) end
  return next_at, code
end
function utf8.codes(text, lax)
  text = tostring(text)
  if not lax then return next_code, text, 0 end
  return function(all, at) return next_code(all, at, true) end, text, 0
end

-- Stable, and without the clock that Lua's own takes its pivot from: merges runs of growing length, from `list` to `other`
-- and back.
local function less(a, b) return a < b end
function table.sort(list, before)
  if type(list) ~= "table" then error("table.sort: expected a table, not " .. type(list), 2) end
  if before ~= nil and type(before) ~= "function" then
    error("table.sort: the second argument tells which of two comes first; expected a function, not " .. type(before), 2)
  end
  before = before or less
  local size = #list
  local from, to, run = {}, {}, 1
  for i = 1, size do from[i] = list[i] end
  while run < size do
    for left = 1, size, 2 * run do
      local middle, last = left + run, left + 2 * run
      if last > size + 1 then last = size + 1 end
      local i, j = left, middle
      for k = left, last - 1 do
        if i < middle and (j >= last or not before(from[j], from[i])) then
          to[k], i = from[i], i + 1
        else
          to[k], j = from[j], j + 1
        end
      end
    end
    from, to, run = to, from, 2 * run
  end
  for i = 1, size do list[i] = from[i] end
end

-- What the host complains about reaches scripts as a plain string, like Lua's own errors.
local plain_error, is_stopped, plain_pcall, plain_xpcall = host.plain_error, host.is_stopped, pcall, xpcall
local function settle(ok, ...)
  if ok then return true, ... end
  return false, plain_error((...)) -- which raises again what must not be caught: a budget that is used up
end
function pcall(...)
  if select("#", ...) == 0 then error("bad argument #1 to 'pcall' (value expected)", 2) end
  return settle(plain_pcall(...))
end
function xpcall(f, handler, ...)
  return settle(plain_xpcall(f, function(problem)
    if is_stopped() then return problem end -- no handler may hold up what is being stopped
    return handler(plain_error(problem))
  end, ...))
end
local plain_resume, plain_close = coroutine.resume, coroutine.close
local function expect_thread(name, co)
  if type(co) ~= "thread" then
    error("bad argument #1 to '" .. name .. "' (thread expected, got " .. type(co) .. ")", 3)
  end
end
function coroutine.resume(co, ...)
  expect_thread("resume", co)
  return settle(plain_resume(co, ...))
end
function coroutine.close(...)
  if select("#", ...) > 0 then expect_thread("close", (...)) end
  return settle(plain_close(...))
end

for name, value in pairs(host.globals) do provided[name] = value end
print = host.print

-- Sequences run protected from within, so that what they leave open is closed before other code sees them.
local trace = host.trace
local function last_words(problem)
  if is_stopped() then return problem end
  return trace(problem)
end
function host.sequence(f, ...) return plain_xpcall(f, last_words, ...) end

-- What waits: the host notes what for, then the coroutine sleeps until the host wakes it with the results.
local isyieldable = coroutine.isyieldable
local function sleep(waits, ...)
  if waits then return yield() end
  return ...
end
for name, begin in pairs(host.waiting) do
  provided[name] = function(...) return sleep(begin(isyieldable(), ...)) end
end
local npc = host.npc_methods
for name, begin in pairs(host.npc_waiting) do
  npc[name] = function(...) return sleep(begin(isyieldable(), ...)) end
end

for name, begin in pairs(host.tactics_waiting) do
  host.tactics_methods[name] = function(_, ...) return sleep(begin(isyieldable(), ...)) end
end

-- What characters do of their own is walks and waits in a row. The host says what comes next, or nil and how it ended.
local verbs, wait = host.verbs, wait
local final = { cancelled = true, timeout = true, despawned = true }
function npc.wander(who, ...)
  local plan = verbs.wander_begin(isyieldable(), who, ...)
  while true do
    local place, left, reason = verbs.wander_step(isyieldable(), who, plan)
    if not place then return left, reason end
    local ok
    ok, reason = npc.walk_to(who, place, left and { timeout = left })
    if final[reason] then return false, reason end
    wait(verbs.wander_pause(isyieldable(), who, plan, ok))
  end
end
-- What these go to or from moves meanwhile, so they look again and again.
local function keep_looking(begin, step)
  return function(who, ...)
    local plan = begin(isyieldable(), who, ...)
    while true do
      local seconds, ok, reason = step(isyieldable(), who, plan)
      if not seconds then return ok, reason end
      wait(seconds)
    end
  end
end
npc.flee = keep_looking(verbs.flee_begin, verbs.flee_step)
npc.queue_at = keep_looking(verbs.queue_begin, verbs.queue_step)

-- In a handler, where nothing can wait, there is no plan: all have set out.
function host.room_methods.form(room, ...)
  local plan = verbs.form_begin(isyieldable(), room, ...)
  while plan do
    local seconds, ok, reason = verbs.form_step(isyieldable(), room, plan)
    if not seconds then return ok, reason end
    wait(seconds)
  end
end

-- The functions of the game. In a spec, a stub may answer in its place: the call is checked and noted all the same.
local stubs = host.stubs
for name, begin in pairs(host.game) do
  local function call(...)
    local stub = stubs[name]
    if not stub then return sleep(begin(isyieldable(), ...)) end
    begin("stub", ...)
    return stub(...)
  end
  host.game_names[call] = name
  local owner, method = name:match("^(.-):(.+)$")
  local into = owner == "npc" and npc or host.thing_methods[owner] or provided
  into[method or name] = call
end

function wait_until(condition, timeout)
  local deadline = host.deadline(isyieldable(), condition, timeout)
  while not condition() do
    if not host.next_tick(isyieldable(), deadline) then return false, "timeout" end
    yield()
  end
  return true, "done"
end

-- What is here belongs to all scripts, so none of them may put something else in its place: they see empty tables with the
-- real ones behind them.
local function read_only(content, refuse)
  return setmetatable({}, {
    __index = content,
    __newindex = refuse,
    -- A script that iterates over it must not get hold of the real one.
    __pairs = function(shown) return function(_, key) return next(content, key) end, shown, nil end,
    __metatable = false,
    __shared = true,
  })
end
for _, library in ipairs({ "coroutine", "log", "math", "string", "table", "utf8" }) do
  provided[library] = read_only(provided[library], function(_, name)
    error(library .. "." .. tostring(name) .. " cannot be set: it belongs to all scripts; use a name of your own", 2)
  end)
end

-- An undeclared name is a typing mistake, to be reported at once; `^` is compiled to a name that is not shown.
local known = host.did_you_mean
setmetatable(provided, {
  __index = function(_, name)
    if name == "__pow" then return power end
    error(known("undefined variable '" .. tostring(name) .. "'", name), 2)
  end,
})
local environment = read_only(provided, function(_, name)
  name = tostring(name)
  local what = rawget(provided, name) ~= nil and "'" .. name .. "' belongs to all scripts"
    or "assignment to undeclared variable '" .. name .. "'"
  if host.is_event(name) then
    error(what .. "; an event belongs into the table that the file returns: function NAME." .. name .. "(…)", 2)
  end
  error(what .. "; write `local " .. name .. "`", 2)
end)
rawset(provided, "_G", environment)
return environment
