local subjects = { '', 'a', 'hello world', 'key = value; other=thing', '  trim me  ', 'aaaab', '(a(b)c)(d', 'x\0y\0', 'THE (quick) fox', '\xe4\xf6 %d 100%' }
local patterns = {
  '', '.', 'a', 'l+', 'l*', 'l-', 'l?', '^', '$', '^$', '^h', 'd$', '^%s*(.-)%s*$', '(%w+)%s*=%s*(%w+)', '()', '()ll()', '(a*(.)%w(%s*))',
  '%b()', '%b', '%bx', '%f[%w]%w+', '%f[%W]', '%f', '%f[', '[a-z]', '[^a-z]', '[]]', '[^]]', '[a', '[]', '[^', '[%a_-]', '[a-]', '[-a]', '[%z]', '%z',
  '[a-%%]', '[%', '%', '%1', '(a)%1', '(%1)', '(a', 'a)', '(()', '%2', '(.)(.)%2', '(.-)%1', '\0', '[\0]', '%d+', '%D', '%u%l*', '%p', '%c', '%g', '%x+',
  '[%w%s]+', '[^%s]+', '.-b', '.*b', 'a-b', 'a?a?a?aab', '^(.)(.*)$', '$a', 'a^b', '^^', '$$', '%$', '%^', '%.', '%%', '(%()', '((a)(b))', '[[]', '[a-c-e]',
  '%a+', '%S-$', '(%s)', '.%f[%s]', '[%d%.]+', '(', ')', '[z-a]', '\xe4', '[\xe0-\xff]+', '%w', '%W',
}
for _, pattern in ipairs(patterns) do
  for _, subject in ipairs(subjects) do
    for _, init in ipairs{ 1, 3, -2, 100 } do
      case(string.find, subject, pattern, init)
      case(string.match, subject, pattern, init)
    end
    case(string.find, subject, pattern, 1, true)
    case(string.gsub, subject, pattern, '<%0>')
    case(string.gsub, subject, pattern, '%1.', 2)
    case(string.gsub, subject, pattern, { a = 'A', hello = 1, key = false })
    case(function()
      local found = {}
      for one, two in subject:gmatch(pattern) do found[#found + 1] = { one, two } end
      return found
    end)
  end
end
