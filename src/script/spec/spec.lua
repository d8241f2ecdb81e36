-- What spec files find beside what all scripts do. `host` holds the host's primitives; nothing of it stays visible.
local host = ...

local yield, isyieldable = coroutine.yield, coroutine.isyieldable
local unpack, select = table.unpack, select
local setmetatable, getmetatable, error, pcall, rawget, rawset, pairs, type, tostring =
  setmetatable, getmetatable, error, pcall, rawget, rawset, pairs, type, tostring

local names = {}
for name, fn in pairs(host.plain) do names[name] = fn end

-- The host notes what is waited for, and wakes the test with what came of it.
local function settle(ok, problem)
  if not ok then error(problem, 0) end
end
for name, begin in pairs(host.waiting) do
  names[name] = function(...)
    if begin(isyieldable(), ...) then settle(yield()) end
  end
end

local open_room = names.load_room
function names.load_room(...)
  open_room(...)
  return names.room
end

-- A stub is a function, or the values that it returns.
function names.stub(name, ...)
  local with, given, count = (...), { ... }, select("#", ...)
  if type(with) ~= "function" then
    with = function() return unpack(given, 1, count) end
  end
  host.stubs[host.name_to_stub(name)] = with
end

function names.run_until(condition, timeout, what)
  local deadline = host.deadline(isyieldable(), condition, timeout, what)
  while true do
    local found = condition()
    if found then return found end
    host.next_tick(isyieldable(), deadline, timeout, what)
    yield()
  end
end

-- `describe` and `it` can be called as they are, and in two other ways.
local function in_three_ways(plain)
  local function in_one(way)
    return function(...)
      host.focus(way)
      return plain(...)
    end
  end
  local only, skip = in_one("only"), in_one("skip")
  local call = in_one("plain")
  return setmetatable({ only = only, skip = skip }, {
    __call = function(_, ...) return call(...) end,
    __index = function(_, way) error(host.no_way(tostring(way)), 2) end,
    __newindex = function() error("this belongs to all specs; use a name of your own", 2) end,
    __metatable = false,
  }), only, skip
end
names.describe, names.fdescribe, names.xdescribe = in_three_ways(names.describe)
names.it, names.fit, names.xit = in_three_ways(names.it)

-- An expectation holds what it is about. What is expected of it is looked at once, or again each tick if it was given time.
local methods = {}
local about = { __index = methods, __metatable = false, __name = "expectation" }
setmetatable(methods, { __index = function(_, name) error(host.unknown(tostring(name)), 2) end })

local function expectation(subject) return setmetatable({ subject = subject }, about) end
local real = host.real -- the metatable of what cannot be seen through
function names.expect(...)
  host.expects(...)
  local subject = ...
  if type(subject) == "table" and real(subject) == about then return subject end
  return expectation(subject)
end
function names.path_between(...) return expectation(host.path_between(...)) end

local function looked_at(check, negated)
  return function(self, ...)
    if type(self) ~= "table" or real(self) ~= about then error(host.dotted, 2) end
    local again = check(isyieldable(), negated, self, ...)
    while again do
      settle(yield())
      if again == "told" then return end
      again = check(isyieldable(), negated, self, ...)
    end
  end
end
for name, check in pairs(host.checks) do
  methods[name] = looked_at(check, false)
  if name:find("^to_") and host.can_be_negated[name] then methods["not_" .. name] = looked_at(check, true) end
end
function methods:within(seconds)
  if type(self) ~= "table" or real(self) ~= about then error(host.dotted, 2) end
  local other = expectation(rawget(self, "subject"))
  rawset(other, "until_tick", host.patience(seconds))
  rawset(other, "seconds", seconds)
  return other
end

function methods:to_match_recording(...)
  if type(self) ~= "table" or real(self) ~= about then error(host.dotted, 2) end
  if host.match_recording(isyieldable(), rawget(self, "subject"), ...) then settle(yield()) end
end

-- What fails may wait first, so it is called here, where that is possible.
local of_function = { __tostring = function() return "the function" end }
for _, name in pairs({ "to_fail", "not_to_fail" }) do
  local judge = methods[name]
  methods[name] = function(self, ...)
    if type(self) == "table" and real(self) == about and type(rawget(self, "subject")) == "function" then
      local ok, problem = pcall(rawget(self, "subject"))
      self = expectation(setmetatable({ failed = not ok, problem = not ok and tostring(problem) or nil }, of_function))
    end
    return judge(self, ...)
  end
end

return setmetatable({}, {
  __index = setmetatable(names, { __index = host.shared }),
  __newindex = host.shared,
  __metatable = false,
})
