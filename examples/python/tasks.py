"""Ten everyday tasks. The book shows them beside the same ones in Rust, C and Bevy:
docs/src/programmers/side-by-side.md. Each task checks its own results.

tasks.py [COMMAND]: COMMAND is the cicerone command.
"""

# task: common
import json
import sys
import tempfile
from pathlib import Path

from cicerone_client import Refused, Room


def told(events, words):
    return any(words in event["text"] for event in events)
# end

COMMAND = sys.argv[1] if len(sys.argv) > 1 else "cicerone"

HALL = """{
  "areas": [
    { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 6], [0, 6]] },
    { "name": "gate", "polygon": [[8, 2], [9, 2], [9, 4], [8, 4]], "available": false },
    { "name": "yard", "polygon": [[9, 0], [16, 0], [16, 6], [9, 6]] }
  ],
  "points": { "fire": [6, 3], "well": [14, 3] },
  "characters": [
    { "name": "ann", "at": [1, 1], "player": true },
    { "name": "bob", "at": [1, 5], "script": "scripts/bob.lua" }
  ]
}"""

BOB = "return { run = function(self, npc) npc:walk_to(5, 5) npc:say('Hello!') end }"


# task: open
def open_room(root, script=BOB):  # files are on the disk: the room is a process of its own
    for name, text in {"rooms/hall.json": HALL, "scripts/bob.lua": script}.items():
        file = Path(root, name)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return Room("hall", COMMAND, root)


def step(room):
    room.step(60)  # a second of game time
    assert room.tick == 60
# end


# task: walk
def walk(room):
    walk = room.walk("ann", "fire")["walk"]
    ends = [event["end"] for event in room.step(600) if event.get("walk") == walk]
    assert ends == ["Arrived"]
# end


# task: door
def door(room):
    room.setArea("gate", True)
    room.setArea("gate", False)
    events = room.step()
    assert told(events, "gate opens") and told(events, "gate closes")
# end


# task: path
def path(room):
    path = room.path([1, 1], [6, 3])
    assert path["complete"] and path["length"] < 6 and path["points"][-1] == [6, 3]
# end


# task: spawn
def spawn(room):
    room.spawn("cat", [2, 3], script="scripts/bob.lua", tags=["animal"])
    room.step(60)
    assert room.characters["cat"]["x"] > 2.5  # sent off by its script
    room.despawn("cat")
# end


# task: frame
def frame(room):
    room.walk("ann", [6, 1])
    x, moved = 1, 0
    for _ in range(144):
        room.order("advance", seconds=1 / 144)  # the length of your frame, in seconds
        ann = room.characters["ann"]  # draw her at x, z, turned by heading
        moved += ann["x"] > x
        x = ann["x"]
    assert moved > 50  # only in the 60 frames with a step
# end


# task: steer
def steer(room):
    room.steer([1, 0])  # the player, until another direction
    room.step(60)
    room.steer([0, 0])
    room.push("ann", [0, 0.5])
    room.step()
    assert room.characters["ann"]["x"] > 2 and room.characters["ann"]["z"] > 1.4
# end


# task: function
def function(root):
    animation = {"signature": "npc:play_animation(name: string)", "about": "Plays it to its end.", "waits": True}
    Path(root, "scripts").mkdir()
    Path(root, "scripts/game_api.json").write_text(json.dumps({"functions": [animation]}))
    room = open_room(root, "return { run = function(self, npc) npc:play_animation('wave') npc:say('I waved.') end }")
    for event in room.step():
        if event["event"] == "called":
            room.finish(event["call"])  # once it is played
    assert told(room.step(), "I waved.")
    room.close()
# end


# task: save
def save(room):
    saved = room.order("save")["save"]
    room.step(90)
    later = room.hash
    room.restore(saved)
    room.step(90)
    assert room.hash == later
# end


# task: script
def script(room):
    room.replace("scripts/bob.lua", "return { run = function(self, npc) npc:say('New!') end }")
    try:
        room.replace("scripts/bob.lua", "return { run = funktion(self, npc) end }")
        raise AssertionError("it is not refused")
    except Refused as mistake:
        assert str(mistake).startswith("scripts/bob.lua:1:")
    assert told(room.step(), "New!")  # with the last good version
# end


def main():
    tasks = {"open": step, "walk": walk, "door": door, "path": path, "spawn": spawn, "frame": frame, "steer": steer}
    for name, task in {**tasks, "save": save, "script": script}.items():
        with tempfile.TemporaryDirectory() as root:
            room = open_room(root)
            task(room)
            room.close()
        print(f"{name}: done")
    with tempfile.TemporaryDirectory() as root:
        function(root)
    print("function: done")
    print("all ten tasks are done")


if __name__ == "__main__":
    main()
