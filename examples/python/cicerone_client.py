"""A client of `cicerone serve`: a room in a process of its own, stepped from Python.

    room = Room("gatehouse", root="path/to/project")
    room.walk("player", "square")
    for event in room.step(60):
        print(event["text"])
    print(room.characters["player"]["x"])

Run as a program (`cicerone_client.py [COMMAND [ROOT]]`) it plays a minute of the gatehouse: the script of the keeper calls functions of the game
(`scripts/game_api.json`), and this program answers them.
"""

import json
import subprocess
import sys


class Refused(Exception):
    """The room does not take an order, and says why."""


class Room:
    """A running room. Every order is a method: `room.teleport("ann", [3, 4])`, `room.setArea("gate", available=True)`."""

    # The parameters of orders, so that they can be given without their names.
    PARAMETERS = {
        "walk": ("who", "to"), "talkTo": ("who", "other"), "follow": ("who", "other"), "use": ("who", "object"),
        "turn": ("who", "to"), "stop": ("who",), "teleport": ("who", "to"), "push": ("who", "by"),
        "say": ("who", "text"), "spawn": ("name", "at"), "despawn": ("who",), "click": ("at",), "steer": ("direction",),
        "setArea": ("area", "available"), "setLink": ("link", "available"), "lua": ("line",), "path": ("from", "to"),
        "replace": ("file", "content"), "restore": ("save",), "finish": ("call", "results"),
    }

    def __init__(self, room, command="cicerone", root=None, seed=0):
        words = [command, "serve", room, "--stdio", "--game", "--seed", str(seed)] + (["--root", root] if root else [])
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.characters, self.names, self.tick, self.hash = {}, {}, 0, ""
        hello = self.process.stdout.readline()
        if not hello:
            raise Refused("the room does not open: see its errors above")
        self.about = json.loads(hello)
        if self.about["protocol"] != 1:
            raise Refused(f"protocol {self.about['protocol']} is another one than 1")
        self._take(self.about)

    def order(self, do, **arguments):
        """Gives an order, and returns the reply."""
        self.process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        if not reply:
            raise Refused("the room has ended")
        reply = json.loads(reply)
        if "error" in reply:
            raise Refused(reply["error"])
        self._take(reply)
        return reply

    def step(self, ticks=1):
        """Makes steps, and returns what happened."""
        return self.order("step", ticks=ticks)["events"]

    def __getattr__(self, do):
        def order(*given, **named):
            return self.order(do, **dict(zip(self.PARAMETERS[do], given)), **named)

        if do not in self.PARAMETERS:
            raise AttributeError(f"there is no order {do}; there is {', '.join(self.PARAMETERS)}")
        return order

    def close(self):
        """Ends the room."""
        self.process.stdin.close()
        self.process.wait()

    def _take(self, told):
        self.tick, self.hash = told.get("tick", self.tick), told.get("hash", self.hash)
        for character in told.get("characters", []):
            name = self.names.setdefault(character["id"], character.get("name"))
            self.characters.setdefault(name, {}).update(character)
        for number in told.get("gone", []):
            self.characters.pop(self.names.pop(number), None)


def main():
    """A minute of the gatehouse."""
    command = sys.argv[1] if len(sys.argv) > 1 else "cicerone"
    root = sys.argv[2] if len(sys.argv) > 2 else None
    room = Room("gatehouse", command, root, seed=7)
    room.click("keeper")  # the player walks up to the keeper and talks
    playing = []  # calls that scripts wait for: number, tick of the end, results
    for _ in range(60 * room.about["ticksPerSecond"] // 2):
        for event in room.step(2):
            if event["event"] in ("called", "area_changed", "said"):
                print(f"{room.tick / room.about['ticksPerSecond']:6.2f} s  {event['text']}")
            if event["event"] == "called" and event["waits"]:
                is_dialog = event["function"] == "start_dialog"
                playing.append((event["call"], room.tick + 60, ["pay"] if is_dialog else []))
        for call, until, results in [one for one in playing if one[1] <= room.tick]:
            room.finish(call, results)
            playing.remove((call, until, results))
    print(f"after {room.tick} ticks the hash is {room.hash}")
    room.close()


if __name__ == "__main__":
    main()
