-- What scripts find before their first line. `host` holds the host's primitives; nothing of it stays visible.
local host = ...

local yield, getmetatable, setmetatable, type, error, rawget =
  coroutine.yield, getmetatable, setmetatable, type, error, rawget

-- Only what is safe and the same on every run.
collectgarbage, dofile, load, loadfile, warn = nil, nil, nil, nil, nil
string.dump = nil
math.randomseed = nil
for name, fn in pairs(host.math) do math[name] = fn end
getmetatable("").__metatable = false
_VERSION = nil

-- An address would differ from run to run.
local plain_tostring = tostring
function tostring(value)
  local kind, meta = type(value), getmetatable(value)
  if kind ~= "table" and kind ~= "function" and kind ~= "thread" then return plain_tostring(value) end
  if type(meta) == "table" and (meta.__tostring or meta.__name) then return plain_tostring(value) end
  return kind
end

-- What the host complains about reaches scripts as a plain string, like Lua's own errors.
local plain_error, plain_pcall, plain_xpcall = host.plain_error, pcall, xpcall
local function settle(ok, ...)
  if ok then return true, ... end
  return false, plain_error((...)) -- which raises again what must not be caught: a budget that is used up
end
function pcall(...) return settle(plain_pcall(...)) end
function xpcall(f, handler, ...)
  return settle(plain_xpcall(f, function(problem) return handler(plain_error(problem)) end, ...))
end
local plain_resume = coroutine.resume
function coroutine.resume(...) return settle(plain_resume(...)) end

for name, value in pairs(host.globals) do _G[name] = value end
function print(...)
  local words = table.pack(...)
  for i = 1, words.n do words[i] = tostring(words[i]) end
  host.globals.log.info(table.concat(words, "\t"))
end

-- Sequences: these put the running coroutine to sleep until the host wakes it with (ok, reason).
function wait(seconds)
  host.wait(seconds)
  return yield()
end
local npc = host.npc_methods
function npc.walk_to(self, ...)
  host.walk_to(self, ...)
  return yield()
end
function npc.talk_to(self, ...)
  host.talk_to(self, ...)
  return yield()
end
function npc.say(self, text, seconds)
  if host.say(self, text, seconds) then return yield() end
end

-- A name that nobody declared is a slip of the pen, to be told at once; and what is here belongs to all scripts, so none of
-- them may put something else in its place. Scripts see an empty table with all this behind it.
local known, provided = host.did_you_mean, _G
setmetatable(provided, {
  __index = function(_, name)
    error(known("undefined variable '" .. tostring(name) .. "'", name), 2)
  end,
})
local environment = setmetatable({}, {
  __index = provided,
  __newindex = function(_, name)
    name = tostring(name)
    local what = rawget(provided, name) ~= nil and "'" .. name .. "' belongs to all scripts"
      or "assignment to undeclared variable '" .. name .. "'"
    error(what .. "; write `local " .. name .. "`", 2)
  end,
  __metatable = false,
})
provided._G = environment
return environment
