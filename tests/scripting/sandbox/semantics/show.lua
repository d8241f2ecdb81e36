local format, type, tostring, select, math_type, next, concat =
  string.format, type, tostring, select, math.type, next, table.concat

-- A value in words: strings quoted, numbers to the last bit, tables with their entries in order, other things by their type.
local function show(value, depth)
  local kind = type(value)
  if kind == 'string' then
    local text = format('%q', value):gsub('\\\n', '\\n'):gsub('[\x80-\xff]', function(c) return '\\' .. c:byte() end)
    return text
  end
  if kind == 'number' then
    if value ~= value then return 'nan' end
    return math_type(value) == 'float' and format('%.17gf', value) or format('%d', value)
  end
  if kind ~= 'table' then return (kind == 'nil' or kind == 'boolean') and tostring(value) or kind end
  if depth > 3 then return '...' end
  local entries = {}
  local key, entry = next(value)
  while key ~= nil do
    local text = '[' .. show(key, depth + 1) .. ']=' .. show(entry, depth + 1)
    local at = #entries + 1
    while at > 1 and entries[at - 1] > text do
      entries[at] = entries[at - 1]
      at = at - 1
    end
    entries[at] = text
    key, entry = next(value, key)
  end
  return '{' .. concat(entries, ' ') .. '}'
end

local function all(...)
  local words = {}
  for i = 1, select('#', ...) do words[i] = show((select(i, ...)), 0) end
  return concat(words, ', ')
end

local function case(f, ...) log.info(all(pcall(f, ...))) end
