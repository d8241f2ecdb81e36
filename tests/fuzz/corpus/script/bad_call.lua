return { on_spawn = function(self, npc) npc:wlak_to("bar") end, on_load = function(room) room:npc("nobody"):say(nil) error({}) end }
