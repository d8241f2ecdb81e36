local S = {}
function S.on_update() while true do end end
function S.on_load() local t = {} while true do t[#t + 1] = ("x"):rep(1000) .. #t end end
function S.run() local function f() return 1 + f() end f() end
return S
