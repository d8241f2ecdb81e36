"""The C library from Python's ctypes: hall.py PATH_OF_LIBRARY"""
import ctypes
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p

lib = ctypes.CDLL(sys.argv[1])
lib.cicerone_last_error.restype = c_char_p
lib.cicerone_options_new.restype = c_void_p


class Place(ctypes.Structure):
    _fields_ = [("x", c_double), ("y", c_double), ("z", c_double)]


class Event(ctypes.Structure):
    _fields_ = [
        ("kind", c_int), ("end", c_int), ("tick", c_uint64), ("who", c_uint32), ("other", c_uint32),
        ("walk", c_uint64), ("call", c_uint64), ("place", Place), ("name", c_char_p), ("text", c_char_p),
        ("arguments", c_void_p), ("available", c_bool),
    ]


def do(name, *arguments):
    if getattr(lib, name)(*arguments) != 0:
        raise RuntimeError(f"{name}: {lib.cicerone_last_error().decode()}")


FUNCTION = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)


@FUNCTION
def play_sound(_user, call, _answer):
    name = c_char_p()
    do("cicerone_call_text", c_void_p(call), c_size_t(0), byref(name))
    print("sound:", name.value.decode())


ROOM = b"""{
    "areas": [{ "name": "hall", "polygon": [[0, 0], [16, 0], [16, 6], [0, 6]] }],
    "points": { "well": [14, 3] },
    "characters": [{ "name": "ann", "at": [1, 1], "script": "scripts/ann.lua" }]
}"""
ANN = b"return { run = function(self, npc) play_sound('creak'); npc:walk_to('well') end }"

options = c_void_p(lib.cicerone_options_new())
do("cicerone_options_file", options, b"rooms/hall.json", ROOM, c_size_t(len(ROOM)))
do("cicerone_options_file", options, b"scripts/ann.lua", ANN, c_size_t(len(ANN)))
do("cicerone_options_function", options, b"play_sound(name: string)", b"Plays a sound.", play_sound, None)
room = c_void_p()
do("cicerone_open", b"rooms/hall.json", options, byref(room))
lib.cicerone_options_free(options)

WALK_ENDED, ARRIVED = 3, 1
event, is_there, arrived = Event(), c_bool(), False
for _ in range(20):
    do("cicerone_step", room, c_uint32(60))
    while True:
        do("cicerone_next_event", room, byref(event), byref(is_there))
        if not is_there.value:
            break
        print(f"tick {event.tick}: {event.text.decode()}")
        arrived = arrived or (event.kind == WALK_ENDED and event.end == ARRIVED)
hash_after = c_uint64()
do("cicerone_time", room, None, None, byref(hash_after))
print(f"hash {hash_after.value:016x}")
print("ann arrives at the well" if arrived else "ann is still on her way")
lib.cicerone_close(room)
