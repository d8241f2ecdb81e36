-- Logs everything whose order or words might come from an address, a clock or a hash seed.
local R = {}

local function order(what, t)
  local seen = {}
  for key, value in pairs(t) do seen[#seen + 1] = tostring(key) .. '=' .. tostring(value) end
  log.info(what .. ':', table.concat(seen, ' '))
end

local function keyed(n, key)
  local t = {}
  for i = 1, n do t[key(i)] = i end
  return t
end

local function orders()
  order('short strings', keyed(100, function(i) return 'k' .. i * 7919 end))
  order('long strings', keyed(40, function(i) return ('a long key '):rep(5) .. i end))
  order('very long strings', keyed(10, function(i) return ('0123456789'):rep(100) .. i end) and { done = true })
  order('integers', keyed(60, function(i) return i * 7919 % 1009 - 500 end))
  order('floats', keyed(60, function(i) return i / 7 end))
  order('huge numbers', keyed(30, function(i) return i * 1e300 end))
  order('booleans', { [true] = 1, [false] = 2 })
  local mixed = keyed(50, function(i) return ({ i, i / 3, 's' .. i, ('long'):rep(20) .. i, i % 2 == 0 })[i % 5 + 1] end)
  order('mixed', mixed)
  for i = 1, 50, 3 do mixed['s' .. i], mixed[i] = nil, nil end
  for i = 100, 120 do mixed['new' .. i] = i end
  order('mixed after deletions', mixed)
  local emptied = keyed(64, function(i) return 'e' .. i end)
  for i = 1, 63 do emptied['e' .. i] = nil end
  for i = 1, 5 do emptied['again' .. i] = i end
  order('nearly emptied', emptied)
  order('globals', _G)
  order('string library', string)
end

local function chances()
  log.info('random', random(), random(1, 100), random(6), math.random(), math.random(3, 4), math.random(1000000))
end

local function sorts()
  local people = {}
  for i = 1, 60 do people[i] = { name = 'p' .. i, age = i * 7 % 5 } end
  table.sort(people, function(a, b) return a.age < b.age end)
  local names = {}
  for i, one in ipairs(people) do names[i] = one.name end
  log.info('sort with ties', table.concat(names, ' '))
  local numbers = {}
  for i = 1, 60 do numbers[i] = i end
  log.info('sort by nonsense', pcall(table.sort, numbers, function() return true end))
  log.info('by nonsense', table.concat(numbers, ' '))
  log.info('sort by chance', pcall(table.sort, numbers, function() return random() < 0.5 end))
  log.info('by chance', table.concat(numbers, ' '))
end

local function words()
  local ann = room:npc('ann')
  local values = { {}, print, function() end, coroutine.create(print), ann, room, string, setmetatable({}, { __name = 'Named' }) }
  for i, value in ipairs(values) do
    log.info('words', i, value, tostring(value), ('%s %10s'):format(value, value))
    log.info('joined', pcall(function() return 'x' .. value end))
    log.info('concat', pcall(table.concat, { value }))
    log.info('compared', pcall(function() return value < value end))
    log.info('called', pcall(function() return value.nothing.at_all end))
  end
  log.info('pointer', pcall(string.format, '%p', {}))
  log.info('gsub', pcall(string.gsub, 'x', 'x', function() return {} end))
  print(values[1], values[2], values[4], ann)
end

-- Objects as keys leave the order of the keys beside them, and the size of the list part, to where they lie in memory.
local function objects()
  local makers = {
    table = function() return {} end,
    ['function'] = function() local at = {} return function() return at end end,
    coroutine = function() return coroutine.create(function() end) end,
  }
  for _, kind in ipairs({ 'table', 'function', 'coroutine' }) do
    local t, keys = {}, {}
    for i = 1, 50 do keys[i] = makers[kind]() t[keys[i]] = true end
    for i = 1, 40 do t['k' .. i] = i end
    for i = 1, 50 do t[keys[i]] = nil end
    order(kind .. ' keys, removed', t)
  end
  local cast, t = room:npcs(), {}
  for _, npc in ipairs(cast) do t[npc] = true end
  for i = 1, 10 do t['k' .. i] = i end
  for _, npc in ipairs(cast) do t[npc] = nil end
  order('removed characters', t)
  local list, keys = {}, {}
  for i = 1, 300 do keys[i] = {} end
  for i = 1, 300 do
    if i % 3 > 0 then list[i] = i end
    list[keys[i]] = i
    if i % 7 == 0 then list[keys[i - 3]] = nil end
  end
  log.info('a list with holes', #list)
end

-- Garbage that hangs from objects as keys: what it costs shows when it was collected.
local function churn()
  for i = 1, 1000 do
    local t = {}
    for j = 1, 8 do t[{}] = ('a string of some length '):rep(4) .. i .. j end
  end
  log.info('churned')
end

local function refusals()
  local function keys(what, key)
    local ok, problem = pcall(function() for _ in pairs({ [key] = 1 }) do end end)
    log.info(what, 'keys:', ok and 'passed' or 'refused', problem)
  end
  keys('table', {})
  keys('function', keys)
  keys('coroutine', coroutine.create(keys))
  keys('character', room:npc('ann'))
  keys('room', room)
end

function R.on_load()
  orders()
  chances()
  sorts()
  words()
  objects()
  refusals()
  after(0.5, churn)
  after(0.2, function() error({ 'an error with a table' }) end)
  after(0.3, function() error(setmetatable({}, { __tostring = function() return 'an error with words' end })) end)
  after(0.4, function() local t = {} return t.x.y end)
  start(function() for i = 1, 5 do wait(0.1) chances() end end)
end

return R
