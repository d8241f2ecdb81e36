local t
t.x = 1
