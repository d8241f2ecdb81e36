---@meta

-- What scripts can call, for the Lua language server of your editor. Made by `cicerone api --format stubs`.

---How a walk, or another wait, ended.
---@alias Reason
---| "arrived" # at the goal
---| "partial" # as near as one gets to a goal that cannot be reached
---| "no_path" # nowhere: there is no way at all
---| "blocked" # held up for ten seconds
---| "cancelled" # called off: by another target, a stop, a teleport or death
---| "timeout" # it took too long
---| "despawned" # the walker left the room
---| "done" # what was waited for is over
---| "failed" # a branch returned false and no reason

---A position: a table (`{x=, z=}`, with `y=` its height where storeys lie above each other), the name of a point, or a character or its name.
---@alias Place Point|string|Npc

---A position, in metres.
---@class Point
---@field x number along x
---@field y? number the height, in rooms with several storeys
---@field z number along z

---How to walk.
---@class WalkOptions
---@field timeout? number seconds after which the walk ends as `timeout`

---How to walk to a place.
---@class WalkToOptions
---@field timeout? number seconds after which the walk ends as `timeout`
---@field exact? boolean whether the walk must end at the place itself, not beside somebody who has arrived there; the character also comes back there after stepping aside; false if left out

---How far to flee.
---@class FleeOptions
---@field distance? number the straight-line distance that is far enough, in metres; 5 if left out
---@field timeout? number seconds after which it ends as `timeout`

---Where to walk, and how long to rest.
---@class WanderOptions
---@field area? string in this area; anywhere reachable if left out
---@field around? Place the centre for `within`; where the character stands at first if left out
---@field within? number within this distance of `around`, in metres
---@field pause? (number|number[]) seconds to rest at each place, or the least and the most; {1, 3} if left out
---@field timeout? number seconds after which it ends as `timeout`

---How characters stand in line.
---@class QueueOptions
---@field tail? Place where the line leads to, along the walkable way; where its first character came from if left out
---@field spacing? number metres from one character to the next; enough for two bodies if left out
---@field timeout? number seconds after which it ends as `timeout`

---A formation.
---@class FormOptions
---@field kind "circle"|"line"|"wedge" its shape
---@field who (Npc|string)[] the characters, or their names; at most 200
---@field at Place the middle of a circle or a line, the tip of a wedge
---@field spacing? number metres from one to the next; enough for two bodies if left out
---@field radius? number the radius of a circle, in metres; as the spacing says if left out
---@field facing? (number|Place) where a line or a wedge looks: a heading in radians, or a place; on, as they come, if left out
---@field timeout? number seconds after which those still on their way end as `timeout`

---How to plan a path.
---@class PathOptions
---@field avoid? (Npc|Disc)[] obstacles to avoid: characters, and discs of your own
---@field snap? (number|false) how far a place off the ground is moved, in metres; `false` for not at all; the room's `snapDistance` if left out
---@field same_side? boolean `true`: a goal is moved to its own side of a wall only, where that is known; `false`: to the nearest side; if left out, to its own side if that has ground within `snap`
---@field longest? number metres; a longer path counts as none

---How to look for a way.
---@class ReachOptions
---@field snap? (number|false) how far a place off the ground is moved, in metres; `false` for not at all; the room's `snapDistance` if left out
---@field same_side? boolean `true`: a goal is moved to its own side of a wall only, where that is known; `false`: to the nearest side; if left out, to its own side if that has ground within `snap`
---@field budget? integer how many places a search may look at; 10,000 if left out

---A round piece of the ground.
---@class Disc
---@field x number along x
---@field z number along z
---@field radius number in metres

---Where a random point may lie. All keys that are given must hold.
---@class RandomPoint
---@field area? string in this area
---@field near? Place where a character can walk to from this place
---@field within? number within this straight-line distance of `near`, in metres

---How wide and how far a character sees.
---@class SightOptions
---@field fov? number the whole angle of view, in radians, half of it to each side of the heading; all round if left out
---@field range? number how far, in metres; any distance if left out

---Which characters. All keys that are given must hold.
---@class NpcQuery
---@field tag? string characters with this tag
---@field area? string characters in this area
---@field near? Place sorts the characters: the nearest to this place first
---@field within? number characters within this distance of `near`, in metres
---@field alive? boolean whether the character is alive
---@field player? boolean whether the player controls the character

---A new character: the keys of a character in a room file, in snake_case.
---@class SpawnOptions
---@field at Place where it appears
---@field name? string a name that no other character has; `npc_1` and so on if left out
---@field script? string its behaviour
---@field heading? number radians; 0 if left out, which is along x
---@field player? boolean Whether the player steers this character: clicks make it walk. At most one may be the player.
---@field priority? integer The priority, from -1000 to 1000: of two stuck characters, the one with the lower priority makes way. Of equals, the one with the shorter way aside, or else the one that came later. No character goes before the player.
---@field pinned? boolean Whether the character keeps its place while it stands, like a clerk at a counter. No character pushes it aside, and all others plan round it. It can still be sent somewhere; while it walks, it is pushed like any other character. A player that stands is pushed by pinned characters only.
---@field returns_to_post? boolean Whether the character walks back by itself when it was pushed aside, or stepped aside for another one. It returns to its post: its start, the end of its last walk, or where it was teleported to. A script that sets this to true makes the place where it stands its post. It returns once no other character is there or about to pass. The way back is not a walk of the script: no event reports it, and every other walk replaces it.
---@field curved? boolean Whether the character walks along curves. Left out, or nil, it is as the room's `paths` say. It holds from the next path on. A curve stays on walkable ground and leads to the same place; where there is no room for it, the path stays straight. The character keeps its speed and looks along the curve.
---@field avoidance? ("steer"|"push") How the character avoids others: `steer` looks ahead and steers round them, `push` goes straight and pushes. Left out, or nil, it is as the room's `crowd` says.
---@field patience? (number|"never") After how many seconds without progress a walk of the character ends as blocked, or `never`. Then a walk goes on until it arrives, finds no path, or is ended. Left out, or nil, it is as the room's `crowd` says. It is three times as long if another walker holds up one that steers.
---@field shares_goals? boolean Whether the character has arrived when it touches somebody who has arrived at the same place. Left out, or nil, it is as `sharesGoals` of the room's `crowd` says. For one walk, use the option `exact` of `npc:walk_to`.
---@field walk_speed? number How fast the character walks, in metres a second. 1.4 is a brisk walk, 3 a run. At zero it stands.
---@field rotation_speed? number How fast the character turns, in radians a second. 6.28 is one full turn a second.
---@field collision_radius? number How much room the character takes up for others: they keep apart by the sum of these radii, in metres. Without it, its `radius`.
---@field radius? number The radius of the character's body, in metres: what it keeps from obstacles and walls, so where it fits through. Left out, or nil, it is the room's `agentRadius`. Of ground that has polygons, all characters have that. `collision_radius` changes with it, unless it was another one.
---@field tags? string[] Free words by which scripts find characters: ["guest", "thirsty"].
---@field alive? boolean Whether the character is alive. A dead character ends its walk, stays where it is, and blocks no other character. If another actor is on the cell of one that comes back to life, that one is put on the nearest free place. If there is none, setting it is an error.
---@field enabled? boolean Whether the character takes part. A disabled character ends its walk, and blocks no other character. Actors come back as with `alive`.

---A new link: the keys of a link in a room file, in snake_case.
---@class LinkOptions
---@field name string a name that no other link has
---@field from Place where it begins
---@field to Place where it ends
---@field kind? string `walk`, `jump`, `climb`, `ladder`, `lift`, `teleport` or `handler`; `walk` if left out
---@field one_way? boolean whether it leads from `from` to `to` only; false if left out
---@field cost? number as much as walking so many metres; the distance between the ends if left out
---@field seconds? number how long a crossing takes
---@field tags? string[] only characters with one of these tags use it
---@field never? string[] characters with one of these tags do not use it
---@field available? boolean whether it is open; true if left out
---@field capacity? integer how many may cross it at once; the others wait in line

---How a jump is jumped.
---@class JumpOptions
---@field velocity? number metres a second; as `time` says if left out
---@field time? number seconds; as `velocity` says if left out, or as links of the kind `jump` take

---A new waypath: the keys of a waypath in a room file.
---@class WaypathOptions
---@field name string a name that no other waypath has
---@field points Waypoint[] the waypoints, two or more, in walking order
---@field kind? string `one_way`, `two_way` or `loop`; `one_way` if left out
---@field tags? string[] only characters with one of these tags use it
---@field available? boolean whether it is open; true if left out

---A waypoint of a waypath.
---@class Waypoint
---@field at Place where it is
---@field crouch? boolean whether characters crouch from here on, or stand up; as before if left out
---@field speed? number the share of their walking speed from here on; as before if left out
---@field jump? boolean whether they jump to the next waypoint; false if left out
---@field handler? string a word for `on_waypoint`
---@field index? integer its number on the waypath, from 1; not for `room:add_waypath`
---@field waypath? string the name of the waypath; not for `room:add_waypath`

---A cell of the tactical level.
---@class Cell
---@field x integer the column, from 0
---@field y integer the row, from 0
---@field level integer the level, from 0 at the bottom
---@field stance? string `stand` or `crouch`: how the actor holds itself there

---A move of an actor, or a place that it reaches.
---@class TacticalMove
---@field x integer the column after it, from 0
---@field y integer the row after it, from 0
---@field level integer the level after it, from 0 at the bottom
---@field stance? string the stance after it: `stand` or `crouch`
---@field move? string `walk`, `crouch`, `stand`, `climb_up`, `climb_down`, `fall`, `fly`, `fly_up` or `fly_down`; not for places
---@field tu? integer its TU; for a place the least TU to reach it

---What a character is on the tactical level.
---@class TacticalActor
---@field x integer the column of its cell, from 0
---@field y integer the row of its cell, from 0
---@field level integer the level of its cell, from 0 at the bottom
---@field stance string `stand` or `crouch`
---@field tu integer the TU that it has left
---@field budget integer the TU that it gets for a turn
---@field side string the side that it is on
---@field size integer its side in cells: 1 or 2
---@field flies boolean whether it flies
---@field walking boolean whether it is on a walk

---What an actor is: the keys of `actor` in a room file.
---@class ActorOptions
---@field side? string the side that it is on
---@field size? integer its side in cells: 1 or 2
---@field stance? string `stand` or `crouch`
---@field flies? boolean whether it flies
---@field budget? integer the TU that it gets for a turn

---How an actor walks from cell to cell.
---@class TacticalWalk
---@field speed? number cells a second; as fast as the character walks if left out

---How a walk ended.
---@class LastWalk
---@field reason Reason how it ended
---@field ok boolean whether it arrived
---@field x number the requested place
---@field y? number its height, if one was requested
---@field z number the requested place
---@field reached Point where the walk ended
---@field missed_by number the distance from there to the requested place, in metres
---@field seconds number how long the walk took
---@field blocked_by? string the area, obstacle or character that was in the way; the first one if there are several
---@field cancelled_by? string what cancelled the walk: `guard at scripts/guard.lua:12`, `a click`, `the end of a scene`; nil if unknown
---@field explanation? Explanation what blocked the way, if the goal could not be reached

---Where a path ends.
---@class PathEnding
---@field x number the requested place
---@field y? number its height, if one was requested
---@field z number the requested place
---@field snapped_to? Point where the path ends, if not at the requested place
---@field missed_by number the distance from there to the requested place, in metres; 0 if the path ends there
---@field step string `avoiding` if it leads round obstacles, `ignoring` if through them, `nearest` if only near the goal

---How long walks waited for their paths. A path that is found in the next step has waited for 0 ticks.
---@class PathStats
---@field answered integer the number of searches that came to their end
---@field waiting integer the number of walks that wait for a path now
---@field mean number the mean wait, in ticks
---@field max integer the longest wait, in ticks
---@field half_within integer half of the waits were not longer than this, in ticks
---@field most_within integer 99 % of the waits were not longer than this, in ticks

---A wall near a place. The ground is on its left, with x to the right and z up.
---@class WallSegment
---@field from Point where it begins
---@field to Point where it ends
---@field nearest Point its point nearest to the place
---@field distance number how far that is from the place, in metres

---What blocks the way from one place to another.
---@class Explanation
---@field complete boolean whether the way is free: a character gets to the goal itself
---@field blocked_by string[] the areas and links that would have to open, or the obstacles in the way
---@field links string[] the links each of which would lead there alone
---@field exact boolean whether `blocked_by` is a smallest such set
---@field nearest? Point the reachable place nearest to the goal
---@field gap_m? number the width of the narrowest place, if it is too narrow
---@field needed_m? number the width that it would need
---@field text string the explanation in words

---A copy of a hotspot. `room:set_hotspot` changes the hotspot itself.
---@class Hotspot
---@field enabled boolean whether it can be pointed at and used
---@field name string its name
---@field id? integer its value in the painted channel, if it is painted
---@field cursor? string the look of the pointer: a word that the game defines
---@field walk_to? Point where a character stands to use it

---What to change of a hotspot.
---@class HotspotChanges
---@field enabled? boolean whether it can be pointed at and used
---@field at? Place where its middle is to be
---@field walk_to? Place where a character is to stand to use it
---@field cursor? string the look of the pointer: a word that the game defines

---A handler that is switched off.
---@class SwitchedOff
---@field who string the character's name, or `the room`
---@field event string the event, for example `on_talk`
---@field file string the script
---@field why string the last error, and why the handler was switched off

---A pixel of the mask.
---@class Colour
---@field red integer 0 to 255
---@field green integer 0 to 255
---@field blue integer 0 to 255
---@field alpha integer 0 to 255; 255 where the image has no alpha

---How a spec loads a room.
---@class LoadOptions
---@field seed? integer the seed of every random stream; 0 if left out
---@field script_overrides? table<string, string> for each character, by name, the script that it follows instead of its own
---@field scripts? string[] room scripts in addition to the room's own
---@field limits? SpecLimits limits of what scripts may use
---@field allow_errors? boolean whether the test continues when a script of the room has an error

---How near a run must be to the recorded one.
---@class MatchOptions
---@field tolerance? number how far each character may be from its recorded place, in metres; if left out, every bit must be the same

---Limits of what scripts may use, as `limits` in a room file.
---@class SpecLimits
---@field instructions_per_call? integer in one call, or one stretch of a sequence between two waits
---@field instructions_per_tick? integer of one script in one step
---@field instructions_per_tick_of_all? integer of all scripts together in one step
---@field instructions_per_load? integer while a file is loaded
---@field memory_mb? integer of all scripts together
---@field memory_per_script_mb? integer of one script
---@field characters? integer the number beyond which no character can be spawned
---@field timers? integer of one script
---@field sequences? integer of one script

---How a test is run.
---@class TestOptions
---@field timeout? number seconds of game time after which the test fails; 600 if left out

---A character, as handlers get it (`npc`) and as `room:npc("NAME")` gives it. It is the same object every time, so `==` works, and it may be kept in `self`; used after the character has left, it says who that was and when they left.
---@class Npc
---@field directed boolean Whether a scene has taken the character over: see `npc:direct`.
---@field id string The character's name, as the room file or `spawn` gave it.
---@field name string The same as `npc.id`.
---@field valid boolean Whether the character is still in the room.
---@field x number Where the character is, in metres.
---@field y number The height of the ground where the character is, in metres.
---@field z number Where the character is, in metres; rooms lie in x and z, and y is the height.
---@field state "stand"|"walk" `"walk"` while the character walks or is steered, otherwise `"stand"`.
---@field steering Point? The direction in which the character is steered (`npc:steer`), or nil.
---@field ground_speed number The factor of its speed on the ground where it stands: the `speed` of the area it is in, or 1.
---@field player boolean Whether the player controls this character: clicks make it walk.
---@field saying string? What the character says at the moment, or nil.
---@field heading number The direction in which the character looks, in radians: 0 is along x, a quarter turn (`math.pi / 2`) is along z.
---@field velocity Point The velocity of the character as `{x=, z=}` in metres a second, averaged over about a tenth of a second.
---@field link Link? The link that the character is crossing; nil on the ground.
---@field priority integer The priority, from -1000 to 1000: of two stuck characters, the one with the lower priority makes way.
---@field pinned boolean Whether the character keeps its place while it stands, like a clerk at a counter.
---@field returns_to_post boolean Whether the character walks back by itself when it was pushed aside, or stepped aside for another one.
---@field curved boolean? Whether the character walks along curves.
---@field avoidance ("steer"|"push")? How the character avoids others: `steer` looks ahead and steers round them, `push` goes straight and pushes.
---@field patience (number|"never")? After how many seconds without progress a walk of the character ends as blocked, or `never`.
---@field shares_goals boolean? Whether the character has arrived when it touches somebody who has arrived at the same place.
---@field walk_speed number How fast the character walks, in metres a second.
---@field rotation_speed number How fast the character turns, in radians a second.
---@field collision_radius number How much room the character takes up for others: they keep apart by the sum of these radii, in metres.
---@field radius number? The radius of the character's body, in metres: what it keeps from obstacles and walls, so where it fits through.
---@field alive boolean Whether the character is alive.
---@field enabled boolean Whether the character takes part.
---@field waypath Waypath? The waypath that the character walks along, or stands on where its walk ended; nil elsewhere.
---@field crouching boolean Whether the character crouches, as a waypoint of its waypath says.
---@field scale number The scale at which the character is drawn where it stands: see `room:scale_at`.
local Npc = {}

---Walks to a place, and waits until the walk has ended.
---
---`ok` is true if the character arrived. Otherwise `reason` says why not: `partial` (as near to the goal as
---possible), `no_path`, `blocked` (by other characters), `cancelled` (by another target, `npc:stop` or
---death), `timeout` or `despawned`. `npc:last_walk` gives details.
---
---A goal where a character cannot stand is moved to the nearest place where it can, up to `snapDistance`
---away. If the goal lies in a closed area, or farther off the ground, the walk ends as `partial` at the
---nearest reachable place.
---
---A character that touches somebody who has arrived at the same place has arrived, too, unless `exact` is true:
---see `npc.shares_goals`.
---@param place Place where to
---@param options? WalkToOptions `{timeout = seconds, exact = true}`
---@return boolean ok whether the character arrived
---@return Reason reason how it ended
---@overload fun(self: Npc, x: number, z: number, options?: WalkToOptions): boolean, Reason
function Npc:walk_to(place, options) end

---Sends the character somewhere and returns at once.
---
---A walk under way ends as `cancelled`, unless it leads to the same place. When the walk ends, `on_arrived`
---and the behaviour's `on_arrived` and `on_walk_ended` are called. To wait for the end in a sequence, use
---`npc:walk_to`.
---@param place Place where to
---@param on_arrived? fun(npc: Npc, reason: Reason) called when this walk has arrived
---@overload fun(self: Npc, x: number, z: number, on_arrived?: fun(npc: Npc, reason: Reason))
function Npc:set_target(place, on_arrived) end

---Sets a function that is called at every arrival from now on. Another function replaces it, nil removes it.
---@param action? fun(npc: Npc, reason: Reason) called with `npc, reason`
function Npc:on_arrived(action) end

---Whether the character is on a walk, or is steered. A character that makes way for others, or waits behind
---others, is on a walk, too.
---@return boolean moving whether it is on a walk or steered
function Npc:is_moving() end

---The goal of the character's walk, or nil if it is not on a walk.
---@return Point? target `{x=, z=}` in metres
function Npc:target() end

---How the last walk ended: a table, or nil if there was no walk yet.
---
---`blocked_by` names what was in the way. For a blocked walk, this is the character that blocked it, or the area
---that closed on its way again and again. For a
---goal that cannot be reached, it is the closed area or the obstacle, as the room is now.
---@return LastWalk? walk how it ended
function Npc:last_walk() end

---Plans the walk under way again.
---@return boolean walking whether there was a walk
function Npc:force_replan() end

---Steers the character directly, as a player's stick does, and returns at once.
---
---The direction lies in x and z. Its length is the share of the character's `walk_speed`; a longer one counts
---as 1. The character goes on in this direction until it is steered elsewhere, `npc:steer(0, 0)`, `npc:stop`,
---or another order such as `npc:set_target`. It slides along walls, turns at its `rotation_speed`, enters
---areas, and pushes and is pushed as on a walk. It finds no path: it does not go round obstacles.
---
---The latest order counts, from whichever script. Steering ends a walk under way, following and a turn as
---`cancelled`, and so does it end a verb such as `npc:wander`. `npc:steer(0, 0)` ends steering only: a stick at
---rest leaves a walk alone. A scene that takes the character ends its steering, and so do `npc:teleport`,
---death, and being disabled.
---@param dx number the direction along x, -1 to 1
---@param dz number the direction along z, -1 to 1
function Npc:steer(dx, dz) end

---Pushes the character: knock-back, or the motion of an animation. It goes on with what it does.
---
---It stays on the ground and slides along walls. A walk goes on from where it is then. A character that crosses a
---link is not moved. One that stands and has `returns_to_post` walks back.
---@param dx number how far along x, in metres
---@param dz number how far along z, in metres
---@return number moved how far it came, in metres
function Npc:push(dx, dz) end

---Ends the walk under way, following another character, a turn as `cancelled`, or steering. The character
---stands where it is.
---@return boolean ended whether there was anything to end
function Npc:stop() end

---The same as `npc:stop`.
---@return boolean ended whether there was anything to end
function Npc:stop_in_place() end

---Walks up to another character, even if that one moves, and waits until it is at talking distance. Then
---`on_talk` of the other character is called.
---
---Ends as `cancelled` if the other character leaves, dies or is disabled.
---@param other Npc the character to talk to
---@param options? WalkOptions `{timeout = seconds}`
---@return boolean ok whether the character arrived
---@return Reason reason how it ended
function Npc:talk_to(other, options) end

---Follows another character and stays within a distance of it, until something ends the following.
---
---It ends as `timeout` after the timeout. It ends as `cancelled` by `npc:stop`, by another target, or when
---the other character leaves, dies or is disabled. A follower that cannot get near goes as near as possible,
---and waits until a way is free.
---@param other Npc the character to follow
---@param distance? number how near to stay, in metres; talking distance if left out
---@param options? WalkOptions `{timeout = seconds}`
---@return boolean ok false: following has no arrival
---@return Reason reason how it ended
function Npc:follow(other, distance, options) end

---Walks at the side of another character, until something ends it.
---
---Two or three walk side by side. More walk in rows of three behind them. Where there is no room, as at a
---door, they go one behind the other, and come together again behind it. The other character walks no faster
---than its companions, and waits for those that are a few steps behind; the player does not. Else it is as
---`npc:follow`. A character with `avoidance = "push"` only follows.
---@param other Npc the character to walk with
---@param options? WalkOptions `{timeout = seconds}`
---@return boolean ok false: it has no arrival
---@return Reason reason how it ended
function Npc:walk_beside(other, options) end

---Turns on the spot, at the character's `rotation_speed`, towards a place or another character.
---
---In a sequence it waits until the character looks there. In a handler the character begins to turn, and the
---handler continues. A walking character looks where it goes, so a turn during a walk is `cancelled` at once.
---@param place Place what to look at
---@return boolean ok whether the character looks there now
---@return Reason reason `arrived`, or how it ended
---@overload fun(self: Npc, x: number, z: number): boolean, Reason
function Npc:turn_to(place) end

---Walks to a hotspot or a point and uses it. Then the room's `on_use(room, npc, object)` is called.
---
---The character uses a hotspot from its `walkTo`, and a point from the point itself.
---@param object string the name of a hotspot, or of a point: a fridge, a lever
---@param options? WalkOptions `{timeout = seconds}`
---@return boolean ok whether the character arrived
---@return Reason reason how the walk ended
function Npc:use(object, options) end

---Flees from a place or a character, and waits until it is far enough away.
---
---The character goes to the place with the shortest path that does not lead past the threat. If the threat
---follows or comes towards it, it looks for another place. If there is no such place, it goes as far away as
---possible, and ends as `partial`.
---@param from Place what to flee from
---@param options? FleeOptions `{distance = metres, timeout = seconds}`
---@return boolean ok whether it is far enough away
---@return Reason reason `arrived`, or how it ended
---@overload fun(self: Npc, from_x: number, from_z: number, options?: FleeOptions): boolean, Reason
function Npc:flee(from, options) end

---Walks from one random place to the next, with a rest at each, until something ends it.
---
---`npc:stop`, another target, or a timeout ends it. Places are drawn as by `room:random_point`, from those
---that the character can walk to. If a place becomes occupied or cut off meanwhile, the character goes to
---the next one.
---@param options? WanderOptions `{area=, within=, pause=, timeout=}`
---@return boolean ok false: wandering has no arrival
---@return Reason reason how it ended; `no_path` if there is nowhere to go
function Npc:wander(options) end

---Goes to the end of the line at a place, moves up as others leave, and waits until it is at the front.
---
---The first character to come stands in front. The line leads along the way from the place to `tail`. The
---function returns when the character is at the front. The character keeps the front until it walks away;
---then the next one moves up. To leave earlier, use `npc:leave_queue`, `npc:stop` or another target.
---
---Lines survive reloads and saves: a character that queues at the same place again has its old place in
---line.
---@param place Place where the front of the line is
---@param options? QueueOptions `{tail=, spacing=, timeout=}`
---@return boolean ok whether it is at the front
---@return Reason reason `arrived`, or how it ended
---@overload fun(self: Npc, x: number, z: number, options?: QueueOptions): boolean, Reason
function Npc:queue_at(place, options) end

---Leaves every line in which the character stands.
---@return boolean left whether it stood in a line
function Npc:leave_queue() end

---Shows words over the character. In a sequence, with `seconds`, it also waits until that time is over.
---@param text string|number the words
---@param seconds? number how long; 2 if left out
---@return boolean? ok true after waiting; nothing without waiting
---@return Reason? reason `done`
function Npc:say(text, seconds) end

---Takes the character over for as long as a function runs, and waits for it: a cut-scene, a talk.
---
---Meanwhile the character's own behaviour is off. All sequences of its script pause, `run` included, and so
---do its timers. `on_update` is not called. Its walk is put aside without ending. The events `on_talk`,
---`on_enter`, `on_leave`, `on_waypoint`, `on_step` and `on_message` are kept, and called when the scene ends. The script gets no
---events of the scene's own walks. Clicks do not move a player that is in a scene.
---
---When the function ends, the character is given back: its walk is resumed from where it is then, and
---everything that paused continues. The same happens if the function ends with an error, if its sequence is
---cancelled or restarts after a reload, and if the character leaves.
---
---Scenes can be nested. If another sequence takes the character over, the earlier scene pauses as well. An
---error in the function also ends the sequence that waits for it; a `pcall` around `direct` does not catch
---it.
---@param action fun(): boolean?, any what happens in the scene
---@return boolean ok false if the function returned false
---@return string reason `done`, or why not
function Npc:direct(action) end

---Where the character is, as a new table. The table does not change when the character moves.
---@return Point position `{x=, z=}` in metres
function Npc:pos() end

---The straight-line distance to a place or to a character. In rooms with storeys, heights count.
---@param place Place a place or a character
---@return number distance in metres
---@overload fun(self: Npc, x: number, z: number): number
function Npc:distance_to(place) end

---Moves the character to a place at once. The place must be walkable for it. A walk under way ends as `cancelled`.
---@param place Place where to
---@overload fun(self: Npc, x: number, z: number)
function Npc:teleport(place) end

---Removes the character from the room. Its walk ends as `despawned`. Its timers and sequences end, too.
function Npc:despawn() end

---Whether the character has a tag. Tags come from the room file, from `spawn`, or from `npc:add_tag`.
---@param tag string the tag
---@return boolean has whether it has it
function Npc:has_tag(tag) end

---Whether `only` and `never` of an area let the character in, whether the area is open or not. An area that does not
---is no ground for it: paths lead round it, and nobody can push it in there.
---@param area string the name of an area
---@return boolean may whether it may
function Npc:may_enter(area) end

---All tags of the character, in alphabetical order.
---@return string[] tags the tags
function Npc:tags() end

---Gives the character a tag. `room:npcs` finds characters by their tags.
---@param tag string the tag
function Npc:add_tag(tag) end

---Takes a tag from the character, if it has it.
---@param tag string the tag
function Npc:remove_tag(tag) end

---Adds items to the character's inventory: a key, three coins. The scripts decide what an item means.
---
---The inventory survives reloads, as everything about a character does.
---@param thing string the item
---@param count? integer how many, 1 if left out
function Npc:give(thing, count) end

---Removes items from the character's inventory. If it has fewer than `count`, none are removed.
---@param thing string the item
---@param count? integer how many, 1 if left out
---@return boolean taken whether there were as many
function Npc:take(thing, count) end

---Whether the character carries an item.
---@param thing string the item
---@param count? integer how many at least, 1 if left out
---@return boolean has whether it carries as many
function Npc:has(thing, count) end

---The inventory of the character: how many of each item.
---@return table<string, integer> inventory how many, by name
function Npc:inventory() end

---Jumps to a place, as over a link of the kind `jump`; in a sequence it waits until the character has landed.
---
---A walk, a following and a turn end as `cancelled`.
---
---The jump of the player is recorded when it lands, so that others can follow; see `room:record_jump`. Nothing
---happens if the character is crossing a link, or jumps already.
---@param place Place where to
---@param options? JumpOptions `{velocity=, time=}`
---@return boolean? ok true after waiting; nothing without waiting
---@return Reason? reason `done`
---@overload fun(self: Npc, x: number, z: number, options?: JumpOptions): boolean?, Reason?
function Npc:jump_to(place, options) end

---Crosses the link that the character is on, in a straight line, in this many seconds. Only for links of the
---kind `handler`, in `on_link`; in a sequence it waits until the character is across.
---@param seconds? number how long; as long as walking takes if left out
---@return boolean? ok true after waiting; nothing without waiting
---@return Reason? reason `done`
function Npc:cross(seconds) end

---Whether the character sees a place or another character: see `room:can_see`.
---@param other Place a place or another character
---@param options? SightOptions `{fov = radians, range = metres}`
---@return boolean seen whether the character sees it
---@return string? why what is in the way, if not
---@overload fun(self: Npc, other_x: number, other_z: number, options?: SightOptions): boolean, string?
function Npc:can_see(other, options) end

---What is known of the character, as a text of many lines: to be read in the console or in a log.
---
---It tells the state of the character, its walk, why it waits and how its last walk ended, `self`, the handlers
---of its script and those that are off after errors, its sequences with their current lines, timers, and
---messages that are not delivered yet. Looking changes nothing and runs no code of scripts. Of a character that
---has left, it tells when.
---
---The text is for people: its form may change with every version.
---@return string text what is known, at most about 12,000 bytes
function Npc:inspect() end

---The same as `npc:set_target`, as a global function.
---@param npc Npc the character
---@param place Place where to
---@param on_arrived? fun(npc: Npc, reason: Reason) called when this walk has arrived
---@overload fun(npc: Npc, x: number, z: number, on_arrived?: fun(npc: Npc, reason: Reason))
function set_target(npc, place, on_arrived) end

---The same as `npc:on_arrived`, as a global function.
---@param npc Npc the character
---@param action? fun(npc: Npc, reason: Reason) called with `npc, reason`
function on_arrived(npc, action) end

---Waits for some seconds of game time.
---@param seconds number how long
---@return boolean ok true
---@return Reason reason `done`
function wait(seconds) end

---Waits until a function returns true. The function is called once a tick.
---@param condition fun(): boolean? what to wait for
---@param timeout? number how long at most, in seconds
---@return boolean ok whether the condition became true
---@return Reason reason `done` or `timeout`
function wait_until(condition, timeout) end

---Runs functions side by side, and waits until all of them are over.
---
---Each function is a sequence of its own. `ok` is false if a function returned false as its first value, as
---`return npc:walk_to("bar")` does when the walk does not arrive. `reason` is then the second value of the
---first such function. An error in a function ends all of them, and the sequence that waits for them; a
---`pcall` around `all` does not catch it.
---@param branches (fun(): boolean?, any)[] the functions
---@return boolean ok whether no function returned false
---@return string reason `done`, or why not
function all(branches) end

---Runs functions side by side until the first of them is over. The others end, and so do the walks that they
---began.
---@param branches (fun(): boolean?, any)[] the functions, at least one
---@return boolean ok false if the winner returned false
---@return string reason `done`, or the second value of the winner
---@return integer winner the index of the winner in the list
function race(branches) end

---Runs a function as a sequence of its own, and returns at once. It begins when sequences next have their
---turn.
---
---A handler starts a sequence for work that takes time. If the file is saved meanwhile, the sequence continues
---with the code it began with.
---@param action fun(...) what to run
---@param ... any its arguments
---@return integer sequence for `cancel`
function start(action, ...) end

---The same as `npc:direct`, for several characters at once.
---@param who Npc|string|Npc[] a character, its name, or a list of characters
---@param action fun(): boolean?, any what happens in the scene
---@return boolean ok false if the function returned false
---@return string reason `done`, or why not
function direct(who, action) end

---Calls a function once, after some seconds of game time; in the next tick at the earliest. With a name
---instead of a function, the script's `on_timer` is called with that name and the data.
---
---A timer with a name is part of a saved room, with its data and the time left, and reloads keep it. For
---each character, a script has one timer per name: setting it again replaces it, with new data. For two
---timers at a time, use two names, such as `"close_" .. door`.
---@param seconds number the delay
---@param action fun()|string what to call, or the name of the timer
---@param data? any what `on_timer` gets with the name
---@return integer timer for `cancel`
function after(seconds, action, data) end

---Calls a function again and again, every so many seconds of game time; or `on_timer`, as for `after`.
---@param seconds number the time between calls
---@param action fun()|string what to call, or the name of the timer
---@param data? any what `on_timer` gets with the name
---@return integer timer for `cancel`
function every(seconds, action, data) end

---Ends a timer, or a sequence that the same script began by `start`. The walk that the sequence began ends,
---too.
---@param id integer|string what `after`, `every` or `start` returned, or a timer's name
---@return boolean ended whether there was still something to end
function cancel(id) end

---Adds a character to the room, at the walkable place nearest to `at`. Its script begins in the next tick.
---@param options SpawnOptions `{at=, name=, script=, walk_speed=, …}`, the keys of a character
---@return Npc npc the new character
function spawn(options) end

---The same as `room:spawn_once`, as a global function.
---@param options SpawnOptions as for `spawn`, with a `name`
---@return Npc npc the character of this name
---@return boolean is_new whether it was added by this call
function spawn_once(options) end

---The same as `room:set_area_available`, as a global function.
---@param name string the area's name in the room file
---@param available boolean true to open the area, false to close it
---@return boolean changed whether anything changed
function set_area_available(name, available) end

---The same as `room:find_path`, as a global function.
---@param from Place where from
---@param to Place where to
---@param options? PathOptions `{avoid = {npc, {x=, z=, radius=}}, snap=, same_side=, longest=}`
---@return Point[]? points the points to walk, or nil if there is no complete path
---@return number|string length_or_reason its length in metres, or why there is none
---@return PathEnding? ending where it ends, and whether it leads round the obstacles of `avoid`
---@overload fun(from_x: number, from_z: number, to_x: number, to_z: number, options?: PathOptions): Point[]?, number|string, PathEnding?
function find_path(from, to, options) end

---The same as `room:is_walkable`, as a global function.
---@param place Place the place; of a character, for its body
---@return boolean walkable whether a character can stand there
---@overload fun(x: number, z: number): boolean
function is_walkable(place) end

---Sends a message to the script of a character, or to the room's script. Its `on_message` is called in the
---next tick, or later if it has used up its budget.
---
---Fails while 10,000 messages are under way, and for a table with a metatable.
---@param to Npc|string|Npc[]|Room a character, its name, a list of characters (as `room:npcs` gives), or `room`
---@param message string the message
---@param data? any any data for the receiver; a table is shared, not copied
function send(to, message, data) end

---Writes a line, as `log.info` does, with tabs between the values.
---@param ... any anything
function print(...) end

---A random number: `random()` is in [0, 1), `random(n)` an integer from 1 to n, `random(m, n)` one from m to n.
---
---Each character has its own random stream, made from the world's seed. So every run draws the same numbers.
---`math.random` is the same function.
---@param m? integer from, or up to if `n` is left out
---@param n? integer up to
---@return integer number the number; an integer, except for `random()`
---@overload fun(): number
function random(m, n) end

---`room` is there in every script, and room scripts get it as their first argument.
---@class Room
---@field name string The room's name: that of its file.
---@field time number Game time since the room was opened, in seconds.
---@field tick integer Steps since the room was opened, `ticksPerSecond` of them a second.
---@field state table A table for the data of the room's scripts.
---@field focus Npc|Place|nil The character or the place near which paths are searched first, or nil for that of the room file or the player.
local Room = {}

---Sends characters into a formation: a circle, a line or a wedge. In a sequence it waits until all stand there.
---
---Everybody gets a place of their own, so that they walk little and their ways do not cross. The first one has
---the tip of a wedge. Places without free ground move to the nearest free ground. Those in a circle look to its
---middle, the others along `facing`. In a handler the characters set out, and the handler continues.
---
---`ok` is true if all have arrived at a place of their own. Otherwise `reason` is that of the first who did not:
---`partial` for one that has no room in the formation.
---@param options FormOptions `{kind=, who=, at=, spacing=, radius=, facing=, timeout=}`
---@return boolean? ok whether all arrived; nothing in a handler
---@return Reason? reason `arrived`, or how it ended
function Room:form(options) end

---The characters that stand in line at a place, the front one first. Characters still on their way to the
---end of the line do not count.
---@param place Place the place, as it was given to `npc:queue_at`
---@return Npc[] npcs the characters
---@overload fun(self: Room, x: number, z: number): Npc[]
function Room:queue(place) end

---A character, by name. If no character has that name, it is an error; `room:find_npc` returns nil instead.
---@param name string the character's name
---@return Npc npc the character
function Room:npc(name) end

---A character, by name, or nil if no character has that name.
---@param name string the character's name
---@return Npc? npc the character
function Room:find_npc(name) end

---All characters, or the characters with a tag, or the characters that match a table.
---
---They are listed in the order in which they came into the room. If the table has `near`, the nearest comes
---first.
---@param which? string|NpcQuery a tag, or `{tag=, area=, near=, within=, alive=, player=}`
---@return Npc[] npcs the characters
function Room:npcs(which) end

---The characters in an area, in the order in which they came into the room.
---@param area string the area's name
---@return Npc[] npcs the characters
function Room:npcs_in(area) end

---Adds a character to the room, unless a character of this name is there already. Then it returns that one,
---unchanged.
---
---`run` restarts after a reload, and when a saved room is restored. With this function it spawns a
---character only once. A dead character counts, too: it is still in the room.
---@param options SpawnOptions as for `spawn`, with a `name`
---@return Npc npc the character of this name
---@return boolean is_new whether it was added by this call
function Room:spawn_once(options) end

---Opens or closes an area of the room: a door, a bridge, a spill on the floor.
---
---Walks that lead through it are planned again before the next step. Characters in an area that closes are
---treated as its `whenOccupied` says. So are actors of the tactical level in its brushes.
---@param name string the area's name in the room file
---@param available boolean true to open the area, false to close it
---@return boolean changed whether anything changed
function Room:set_area_available(name, available) end

---Whether an area is open.
---@param name string the area's name
---@return boolean available whether it is open
function Room:is_area_available(name) end

---An area, by its name: its methods and fields follow below.
---@param name string the area's name in the room file
---@return Area area the area
function Room:area(name) end

---The names of all areas, as the room file orders them.
---@return string[] names the names
function Room:areas() end

---Where a named point is, or a character with that name.
---@param name string the point's name in the room file
---@return Point position `{x=, z=}` in metres
function Room:point(name) end

---The names of all points, in alphabetical order.
---@return string[] names the names
function Room:points() end

---Acts as a click of the player at a place. `on_click` is called. If it does not take the click, the player
---walks there, or uses the hotspot there.
---@param place Place where; a hotspot's name means a place on it
---@overload fun(self: Room, x: number, z: number)
function Room:click(place) end

---A link of the room, by its name: a jump, a ladder, a lift. Its fields and methods follow below.
---@param name string the link's name
---@return Link link the link
function Room:link(name) end

---The names of all links, in the order in which they were added: first those of the room file.
---@return string[] names the names
function Room:links() end

---Adds a link between two places, with the keys that a link has in a room file. Characters use it in their
---walks from now on; those under way plan again if it may help them.
---
---The link stays until it is removed, also when the room file is reloaded.
---@param options LinkOptions `{name=, from=, to=, kind=, …}`, the keys of a link
---@return Link link the new link
function Room:add_link(options) end

---Records a jump: others may follow over a temporary link of the kind `jump`, one way.
---
---A room keeps 20; the first one goes when another comes, and who is on the way to it plans again. None is added
---where an open link for everybody leads from one place to the other already, its ends no more than half a metre
---away: then that link is the result. A jump of the player by `npc:jump_to` is recorded by itself.
---@param from Place where it begins
---@param to Place where it ends
---@param options? JumpOptions `{velocity=, time=}`
---@return Link link the link
---@return boolean new whether it was added
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number, options?: JumpOptions): Link, boolean
function Room:record_jump(from, to, options) end

---A waypath of the room, by its name: a lane, a pavement, a patrol. Its fields and methods follow below.
---@param name string the waypath's name
---@return Waypath waypath the waypath
function Room:waypath(name) end

---The names of all waypaths, in the order in which they were added: first those of the room file.
---@return string[] names the names
function Room:waypaths() end

---Adds a waypath, with the keys of a room file in Lua's spelling. Characters use it in their walks from now on.
---
---The waypath stays until it is removed, also when the room file is reloaded.
---@param options WaypathOptions `{name=, points=, kind=, …}`, the keys of a waypath
---@return Waypath waypath the new waypath
function Room:add_waypath(options) end

---The room's tactical level: turn-based movement from cell to cell. An error in rooms without one.
---@return Tactics tactics the level
function Room:tactics() end

---The hotspot at a place, or the hotspot with a name. Nil if there is none at the place. Where hotspots
---overlap, the first one in the room file counts. One that is switched off is at no place.
---@param which Place a place, or the hotspot's name
---@return Hotspot? hotspot a copy of the hotspot as it is now; `room:set_hotspot` changes it
---@overload fun(self: Room, which_x: number, which_z: number): Hotspot?
function Room:hotspot(which) end

---Changes a hotspot: switches it off or on, moves it, gives it another place to stand or another pointer. What is
---left out stays.
---
---The changes are saved with the room. A reload keeps them, unless the hotspot has changed in the room file.
---@param name string the hotspot's name
---@param changes HotspotChanges `{enabled=, at=, walk_to=, cursor=}`
---@return boolean changed whether anything is other than before
function Room:set_hotspot(name, changes) end

---The names of all hotspots, the first on top.
---@return string[] names the names
function Room:hotspots() end

---The channels of the mask's pixel at a place, 0 to 255 each. Nil outside the mask, and in a room without a
---mask.
---
---The room decides what a channel means: what the floor is made of, or how deep the water is.
---@param place Place the place
---@return Colour? colour `{red=, green=, blue=, alpha=}`
---@overload fun(self: Room, x: number, z: number): Colour?
function Room:mask_at(place) end

---The scale at which a character at a place is drawn, because of its distance from the viewer.
---
---1 is the full size. It is also the scale where the room file has no `depthBands`.
---@param place Place the place
---@return number scale a factor of the full size
---@return string? band the name of the depth band, if the band has one
---@overload fun(self: Room, x: number, z: number): number, string?
function Room:scale_at(place) end

---Plans a path, ignoring other characters. From a character, its tags decide which links and waypaths it may use.
---
---The work of one call is limited (see the room's `limits`). `npc:walk_to` searches over several ticks
---instead.
---
---`avoid` lists obstacles: characters, or discs of your own. The path leads round all of them if possible
---(the ending's `step` is `"avoiding"`), otherwise through them (`"ignoring"`).
---
---A place off the ground is moved by up to `snap` metres, the room's `snapDistance` if left out, to the nearest place
---on its own side of a wall. With `same_side = true` to no other side where its own is known, with
---`same_side = false` to whichever is nearest, with `snap = false` not at all. A path longer than `longest` metres counts as none.
---@param from Place where from
---@param to Place where to
---@param options? PathOptions `{avoid = {npc, {x=, z=, radius=}}, snap=, same_side=, longest=}`
---@return Point[]? points the points to walk, or nil if there is no complete path
---@return number|string length_or_reason its length in metres, or why there is none
---@return PathEnding? ending where it ends, and whether it leads round the obstacles of `avoid`
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number, options?: PathOptions): Point[]?, number|string, PathEnding?
function Room:find_path(from, to, options) end

---Plans a path as a walk would. The path leads round the characters that stand in the way, otherwise through
---them, otherwise to the reachable place nearest to the goal.
---@param from Place where from
---@param to Place where to
---@param walker? Npc the character that walks; it does not block its own path
---@return Point[]? points the points to walk, or nil
---@return number|string length_or_reason its length in metres, or why there is none
---@return "avoiding"|"ignoring"|"nearest"|nil step round all characters, through some, or only near the goal
---@return PathEnding? ending where it ends, if not at the goal
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number, walker?: Npc): Point[]?, number|string, "avoiding"|"ignoring"|"nearest"|nil, PathEnding?
function Room:find_path_to_nearest(from, to, walker) end

---Where a straight move ends that walls stop, and that slides along them.
---
---For a camera or a cursor that stays on the ground. Characters in the way do not count. It is `moveAlongSurface`
---of Recast and Detour. A long move may slip round a corner; divide it into steps
---of a body's radius if that matters. At most 20 metres.
---@param from Place where from: walkable ground; of a character, for its body
---@param to Place where to
---@return Point? point where the move ends, or nil if it begins off the ground
---@return integer[] polygons the polygons of a mesh that it goes through, as `cicerone bake` counts them; on cells none
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number): Point?, integer[]
function Room:move_along(from, to) end

---Whether any path leads from one place to another, ignoring characters. Cheaper than a path: mostly a look at which
---pieces of ground are joined.
---
---Where only a search can tell, as over links, it looks at `budget` places at most, and says nil if they are not
---enough. `snap` and `same_side` mean the same as for `room:find_path`.
---@param from Place where from
---@param to Place where to
---@param options? ReachOptions `{snap=, same_side=, budget=}`
---@return boolean? reaches whether a path leads there; nil if the budget was too small to tell
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number, options?: ReachOptions): boolean?
function Room:can_reach(from, to, options) end

---Says what blocks the way from one place to another, and how near a character can get.
---
---Blockers are closed areas (the fewest that would have to open), obstacles, or a gap that is too narrow.
---@param from Place where from
---@param to Place where to
---@return Explanation explanation what is in the way
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number): Explanation
function Room:explain_path(from, to) end

---Whether a character can stand at a place. A place with a height must be less than 1.5 m from its floor.
---@param place Place the place; of a character, for its body
---@return boolean walkable whether a character can stand there
---@overload fun(self: Room, x: number, z: number): boolean
function Room:is_walkable(place) end

---The walkable place nearest to another, or nil if there is none within `snapDistance`.
---@param place Place the place; of a character, for its body
---@return Point? position `{x=, z=}` in metres
---@overload fun(self: Room, x: number, z: number): Point?
function Room:nearest(place) end

---The walls near a place: the nearest eight within `range` metres, nearest first. Walls are where the ground
---ends for a character's centre: outer walls, obstacles and closed areas, not characters.
---
---Only ground that is connected to the place within the range counts, on its storey. A place off the ground has
---no walls.
---@param place Place the place; of a character, for its body
---@param range? number in metres, at most 20; 4 if left out
---@return WallSegment[] walls the nearest first; none if there is only open ground
---@overload fun(self: Room, x: number, z: number, range?: number): WallSegment[]
function Room:walls_near(place, range) end

---Whether the straight way between two places is walkable all along: no wall, obstacle or closed area
---between them. Whether a character can see from one to the other is a different question: see
---`room:can_see`.
---@param from Place the first place; of a character, for its body
---@param to Place the second place
---@return boolean clear whether nothing is between
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number): boolean
function Room:line_of_sight(from, to) end

---How long walks have waited for their paths since the room was opened.
---@return PathStats stats numbers of requests, and waits in ticks
function Room:path_stats() end

---Whether there is a clear line of vision from one place to another. Walls, closed areas and obstacles block
---the view, unless the room file sets `seeThrough` for an area or an obstacle. Characters do not block the
---view.
---
---A character is visible if its middle or one of its sides is. The viewer may lean to a side, too. So an
---obstacle narrower than both bodies hides nothing.
---
---`fov` limits the view to a cone around the viewer's heading, `range` to a distance. If nothing is seen,
---`why` is the name of the area or obstacle in between, or `"wall"`, `"storey"`, `"range"` or `"fov"`.
---@param from Place the character that looks, or a place
---@param to Place the character or place to look at
---@param options? SightOptions `{fov = radians, range = metres}`
---@return boolean seen whether it is visible
---@return string? why what is in the way, if not
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number, options?: SightOptions): boolean, string?
function Room:can_see(from, to, options) end

---A random place where a character can stand, or nil if there is none. All such places are equally likely.
---
---It is drawn as by `random`: from the world's seed, by the stream of the character whose script calls.
---@param options? RandomPoint `{area=, near=, within=}`; anywhere if left out
---@return Point? position `{x=, z=}` in metres
function Room:random_point(options) end

---The handlers that are switched off until the next reload, and why.
---
---An error in a handler ends that call only. After ten errors in a row, the handler is switched off for its
---character or room script. A handler that ran out of fuel or memory is switched off at once. The list also
---has each `run` that ended with an error.
---@return SwitchedOff[] handlers the handlers, ordered by their character or room
function Room:switched_off_handlers() end

---What is known of the room, as a text of many lines: to be read in the console or in a log.
---
---It tells the time, closed areas and links, `room.state`, and the handlers, sequences, timers and messages of
---the room's scripts. As `npc:inspect`, it changes nothing.
---@return string text what is known, at most about 12,000 bytes
function Room:inspect() end

---An area of the room, as `room:area("NAME")` gives it.
---@class Area
---@field name string The area's name in the room file.
---@field valid boolean Whether the room has the area.
---@field available boolean Whether the area is open.
local Area = {}

---Whether a place lies in the area.
---@param place Place a place or a character
---@return boolean inside whether it is inside
---@overload fun(self: Area, x: number, z: number): boolean
function Area:contains(place) end

---The characters in the area, in the order in which they came into the room.
---@return Npc[] npcs the characters
function Area:npcs() end

---A link of the room, as `room:link("NAME")` gives it.
---@class Link
---@field temporary boolean Whether the link is a recorded jump, which goes when others come.
---@field velocity number? The velocity of a recorded jump, in metres a second; nil for other links.
---@field seconds number? How long a crossing takes, in seconds; nil if that follows from kind and length.
---@field name string The link's name.
---@field valid boolean Whether the room has the link.
---@field kind "walk"|"jump"|"climb"|"ladder"|"lift"|"teleport"|"handler" How characters cross it: `walk`, `jump`, `climb`, `ladder`, `lift`, `teleport` or `handler`.
---@field available boolean Whether the link is open.
---@field cost number The cost of a crossing: as much as walking so many metres.
---@field one_way boolean Whether the link leads from `from` to `to` only.
---@field capacity integer? How many characters may cross it at once; nil if any number may.
---@field from Point Where the link begins on the ground, as a new table.
---@field to Point Where the link ends on the ground, as a new table.
local Link = {}

---The characters that are crossing the link, in the order in which they came into the room.
---@return Npc[] npcs the characters
function Link:users() end

---The characters that wait in line for the link, in their order. Only links with a `capacity` have a line.
---@return Npc[] npcs the characters
function Link:waiting() end

---Removes the link. Characters that are crossing it finish.
function Link:remove() end

---A waypath of the room, as `room:waypath("NAME")` gives it.
---@class Waypath
---@field name string The waypath's name.
---@field valid boolean Whether the room has the waypath.
---@field kind "one_way"|"two_way"|"loop" In which directions it leads: `one_way`, `two_way` or `loop`.
---@field available boolean Whether the waypath is open.
---@field tags string[] The tags of the characters that use it: one of them is enough.
---@field length number Its length on the ground, in metres.
---@field points Waypoint[] Its waypoints, in walking order, as new tables.
local Waypath = {}

---The characters that walk along it or stand on it, in the order in which they came into the room.
---@return Npc[] npcs the characters
function Waypath:users() end

---Removes the waypath. Walkers on it plan again.
function Waypath:remove() end

---The room's tactical level, as `room:tactics()` gives it. Cells are tables with `x`, `y` and `level`, counted from 0; an actor of 2 × 2 cells is named by that with the least `x` and `y`.
---@class Tactics
---@field side string? The side whose turn it is.
---@field round integer The round, from 1; 0 before the first turn.
local Tactics = {}

---Makes a character an actor, or puts an actor on another cell. It drops to the floor there.
---
---Keys that are left out stay as they are, or are those of a room file: 1 × 1 cells, upright, 50 TU, on the side
---`neutral`. An actor takes no part in the crowd: it stands on cells, and only `tactics:walk` moves it.
---@param npc Npc the character
---@param cell Cell the cell
---@param options? ActorOptions `{side=, size=, stance=, flies=, budget=}`
function Tactics:place(npc, cell, options) end

---Lets an actor leave the level: it is a character of the crowd again. False if it was no actor.
---@param npc Npc the actor
---@return boolean removed whether it was an actor
function Tactics:remove(npc) end

---What a character is on the level: its cell, its stance, its time units (TU). Nil if it is no actor.
---@param npc Npc the character
---@return TacticalActor? actor `{x=, y=, level=, stance=, tu=, budget=, side=, size=, flies=, walking=}`
function Tactics:actor(npc) end

---All places that an actor reaches, with the least TU, by level, row and column. Cells of other actors are
---closed to it. Empty for one that is dead or disabled.
---@param npc Npc the actor
---@param budget? integer the TU that it may spend; what it has left, if left out
---@return TacticalMove[] places a list of `{x=, y=, level=, stance=, tu=}`
function Tactics:reach(npc, budget) end

---The least TU of a walk to a cell, whatever the actor has left. Nil if there is no way, or if the actor is dead or
---disabled. A cell outside the level is an error.
---@param npc Npc the actor
---@param cell Cell the cell
---@return integer? tu the TU
---@return string? stance the stance at the end: `stand` or `crouch`
function Tactics:cost_to(npc, cell) end

---The moves of the cheapest walk to a cell, for `tactics:walk`. Nil if there is no way, or if the actor is dead or
---disabled. A cell outside the level is an error.
---
---In mid-fall, the path begins where the actor will land: `tactics:walk` lets it drop there first.
---@param npc Npc the actor
---@param cell Cell the cell
---@return TacticalMove[]? path the moves: `{move=, x=, y=, level=, stance=, tu=}`
function Tactics:path_to(npc, cell) end

---Walks along a path, move by move, and waits until that has ended. Each move costs its TU; after each, the
---`on_step` of the character and of the room is called.
---
---`reason` is `arrived`; `partial` if the TU did not suffice for another move; `blocked` if a cell is taken or a
---door has closed; `cancelled` by `npc:stop`, by another order, or because the actor is dead or disabled; or
---`despawned`. The lowest speed is a cell a minute.
---@param npc Npc the actor
---@param path Cell[] the moves, as from `tactics:path_to`: `{x=, y=, level=, stance=}` is enough
---@param options? TacticalWalk `{speed = cells a second}`
---@return boolean ok whether it arrived
---@return Reason reason how it ended
function Tactics:walk(npc, path, options) end

---Crouches, for 3 TU, and waits until that is done. Nothing happens if the actor crouches already. In mid-fall it
---first drops to the floor. On a ladder and in the air nobody crouches: `reason` is `blocked` then. Other
---reasons are those of `tactics:walk`.
---@param npc Npc the actor
---@return boolean ok whether it crouches now
---@return Reason reason how it ended
function Tactics:crouch(npc) end

---Stands up, for 3 TU, and waits until that is done. Under a low ceiling `reason` is `blocked`. Other reasons are
---those of `tactics:walk`.
---@param npc Npc the actor
---@return boolean ok whether it stands now
---@return Reason reason how it ended
function Tactics:stand(npc) end

---Whether an actor flies from now on. One that no longer flies drops to the floor. One in mid-fall that flies now
---stays in the air: its walk ends as `cancelled`.
---@param npc Npc the actor
---@param flies boolean whether it flies
function Tactics:fly(npc, flies) end

---Ends the turn, and begins that of the next side: its actors get their TU, and `on_turn` is called. After the
---last side, another round begins. Sides whose actors are all dead or disabled are left out; an error if all are.
function Tactics:end_turn() end

---Begins the turn of a side of your choice, as initiative wants it. It may be one whose actors are all dead, for
---reinforcements. Another round begins if the side does not come after the present one.
---@param side string the side
function Tactics:begin_turn(side) end

---The sides that have an actor which is alive and enabled, in the order of their turns.
---
---That is the order in which the first actor of each side came into the room. A side that comes back takes its
---old place.
---@return string[] sides the names
function Tactics:sides() end

---The size of the level in cells and levels.
---@return integer width cells along x
---@return integer depth cells along y
---@return integer levels levels
function Tactics:size() end

---Lines for the author, with the file and line they come from.
log = {}

---Writes a line for the author only. The values are written as the console shows them, and joined by spaces.
---Tables are written with their contents, numbers with at most six digits after the point.
---@param ... any anything
function log.debug(...) end

---Writes a line worth reading, with the file and line of the call.
---@param ... any anything
function log.info(...) end

---Writes a warning.
---@param ... any anything
function log.warn(...) end

---Writes an error. The handler continues; Lua's own `error` ends it.
---@param ... any anything
function log.error(...) end

---The table that a character's script returns. The host calls these functions where they are there; all are optional. `self` is a table of this one character, kept over every reload.
---@class Behaviour
---@field [any] any
---@field run? fun(self: table, npc: Npc) What the character does by itself: a sequence that begins when it comes into the room.
---@field on_spawn? fun(self: table, npc: Npc) The character came into the room, when the room was opened or by `spawn`.
---@field on_despawn? fun(self: table, npc: Npc) The character has left the room.
---@field on_update? fun(self: table, npc: Npc, dt: number) Called every tick.
---@field on_arrived? fun(self: table, npc: Npc, reason: "arrived"|"partial") A walk of the character has arrived, or has ended as near to the goal as possible.
---@field on_walk_ended? fun(self: table, npc: Npc, reason: Reason) A walk of the character has ended, whatever the reason.
---@field on_blocked? fun(self: table, npc: Npc, by: string|nil) A walk of the character has ended as `blocked`: the character made no progress for ten seconds.
---@field on_enter? fun(self: table, npc: Npc, area: string) The character stepped into an area.
---@field on_leave? fun(self: table, npc: Npc, area: string) The character stepped out of an area.
---@field on_link? fun(self: table, npc: Npc, link: Link) The character begins to cross a link.
---@field on_waypoint? fun(self: table, npc: Npc, waypoint: Waypoint) The character came to a waypoint of a waypath that has an action, along the waypath or where it joined it.
---@field on_step? fun(self: table, npc: Npc, step: TacticalMove) The character made a move on the tactical level: after each cell, each change of its stance, and each cell of a fall.
---@field on_fall? fun(self: table, npc: Npc, step: TacticalMove) The character fell by a cell of the tactical level.
---@field on_crouch? fun(self: table, npc: Npc, step: TacticalMove) The character crouched on the tactical level.
---@field on_turn? fun(self: table, npc: Npc, side: string, round: integer) The turn of the character's side began on the tactical level.
---@field on_talk? fun(self: table, npc: Npc, other: Npc) Another character walked up to this one to talk, and is at talking distance.
---@field on_message? fun(self: table, npc: Npc, message: string, data: any, from: Npc|nil) A script of a character, or of the room, sent this character a message with `send`.
---@field on_timer? fun(self: table, npc: Npc, name: string, data: any) A timer that `after` or `every` set with a name is due.
---@field on_reload? fun(self: table, npc: Npc) The character's script was saved and reloaded, or the room was restored to a saved moment.

---The table that a room's script returns. The host calls these functions where they are there; all are optional.
---@class RoomScript
---@field [any] any
---@field run? fun(room: Room) What happens in the room by itself: a sequence that begins with the room.
---@field on_load? fun(room: Room) The room has been opened.
---@field on_update? fun(room: Room, dt: number) Called every tick.
---@field on_enter? fun(room: Room, npc: Npc, area: string) A character stepped into an area.
---@field on_leave? fun(room: Room, npc: Npc, area: string) A character stepped out of an area, or left the room from there.
---@field on_area_changed? fun(room: Room, area: string, available: boolean) An area opened or closed.
---@field on_turn? fun(room: Room, side: string, round: integer) The turn of a side began on the tactical level.
---@field on_step? fun(room: Room, npc: Npc, step: TacticalMove) A character made a move on the tactical level: after each cell, each change of its stance, and each cell of a fall.
---@field on_click? fun(room: Room, place: Point, hotspot: Hotspot|nil): boolean? The player clicked somewhere.
---@field on_use? fun(room: Room, npc: Npc, object: string) A character used a hotspot or a point of the room: by `npc:use`, or because the player clicked on a hotspot.
---@field on_message? fun(room: Room, message: string, data: any, from: Npc|nil) A script of a character, or of the room, sent the room a message with `send(room, …)`.
---@field on_timer? fun(room: Room, name: string, data: any) A timer that `after` or `every` set with a name is due.
---@field on_reload? fun(room: Room) The room's script was saved and reloaded, or the room was restored to a saved moment.

---A block of tests that belong together.
---@class Describe
---@overload fun(name: string, block: fun())
---@field only fun(name: string, block: fun()) These tests run, and no others.
---@field skip fun(name: string, block: fun()) These tests are left out.

---@type Describe
describe = {}
fdescribe, xdescribe = describe.only, describe.skip

---A test. It runs in a Lua state and a room of its own, as a sequence: it can wait.
---@class It
---@overload fun(name: string, options: TestOptions|fun(), body?: fun())
---@field only fun(name: string, options: TestOptions|fun(), body?: fun()) This test runs, and no others.
---@field skip fun(name: string, options: TestOptions|fun(), body?: fun()) This test is left out.

---@type It
it = {}
fit, xit = it.only, it.skip

---Runs a function before each test of the block. Functions of outer blocks run first. The function can wait.
---@param body fun() what each test begins with
function before_each(body) end

---Runs a function after each test of the block, also after a failed one. Functions of outer blocks run last.
---@param body fun() what each test ends with
function after_each(body) end

---Declares a test that is not written yet. Inside a test, it ends the test as pending.
---@param why string what is missing
function pending(why) end

---Opens a room for this test. The room's scripts run in the same Lua state. A test has one room at most.
---
---When the function returns, the room has made its first step: `on_load` has been called, and `run` has
---begun. An error in a script of the room, in this step or later, fails the test, unless `allow_errors` is
---set.
---@param path string from the project's root, `rooms/tavern.json`, or just `tavern`
---@param options? LoadOptions `{seed = 7}`
---@return Room room the room; the global `room` is the same
function load_room(path, options) end

---Runs the room for some seconds of game time.
---@param seconds number how long
function run_for(seconds) end

---Runs the room until a function returns a value other than false or nil, and returns that value. The
---function is called once a tick.
---
---The test fails if this takes longer than `timeout`.
---@param condition fun(): any what to wait for
---@param timeout? number how long at most, in seconds; 60 if left out
---@param what? string what is waited for, in words, for the report of a failure
---@return any found what the function returned
function run_until(condition, timeout, what) end

---Clicks at a place, as a player does.
---
---The click takes effect in the next tick. Use `run_for` or `within` to see its result.
---@param place Place a hotspot, a point, a character, or x and z
---@overload fun(x: number, z: number)
function click(place) end

---Opens an area of the room.
---@param area string the area's name
---@return boolean changed whether anything changed
function open(area) end

---Closes an area of the room. Characters in the area are treated as its `whenOccupied` says.
---@param area string the area's name
---@return boolean changed whether anything changed
function close(area) end

---Acts as if a file was saved, for this test only. With `text`, the file has that content from now on.
---Without it, the file is read again.
---
---Nothing is written to the disk. If the room refuses the new version, it is an error that lists all
---problems.
---@param file string the file of a script or of the room, from the project's root
---@param text? string the content of the file from now on
function reload(file, text) end

---Puts a function, or the value to return, in the place of a function of the game.
---
---It stays there for this test.
---Arguments are checked as in the game. `expect(NAME):to_have_been_called_with(…)` tells what was given.
---Without a stub, the declaration in `scripts/game_api.json` says what a function returns in a spec.
---@param name string|function the function, as in `play_sound` or `npc:play_animation`
---@param result? any a function, or the value to return
function stub(name, result) end

---Begins an expectation about a character, the room, an area, a path or any value.
---
---A number or a text keeps its value from the call of `expect`, so `within` has nothing to wait for. A
---character, the room, an area or a path is tested again in each tick. The first expectation that fails ends
---the test.
---@param subject any the subject: what is tested
---@return Expectation expectation the expectation
function expect(subject) end

---The path from one place to another, for `expect`. It is planned when an expectation about it is tested.
---Characters in the way do not count.
---@param from Place where from
---@param to Place where to
---@return Expectation path an expectation about it
---@overload fun(from_x: number, from_z: number, to_x: number, to_z: number): Expectation
function path_between(from, to) end

---What `expect(x)` gives. Where one fails, the test ends and has failed. Every `to_…` that is looked at once has an opposite, `not_to_…`; `expect(x):within(seconds):to_…` runs the room until it is so.
---@class Expectation
local Expectation = {}

---Expects a walk to arrive in time. Runs the room until the walk under way has ended, or the next walk if
---none is.
---
---It fails as soon as the walk ends for another reason, and says which.
---@param seconds number how long at most
function Expectation:to_arrive_within(seconds) end

---Expects a walk to end for this reason. Runs the room until the walk under way has ended, or the next walk
---if none is.
---@param reason Reason how the walk must end, for example `partial`
---@param seconds? number how long at most; 60 if left out
function Expectation:to_end_with(reason, seconds) end

---That a character is in an area.
---@param area string the area's name
function Expectation:to_be_in(area) end

---The opposite of: That a character is in an area.
---@param area string the area's name
function Expectation:not_to_be_in(area) end

---That a character is near a place or another character, or that a number is near another number.
---@param place Place|number a place, a character, x and z, or a number
---@param metres number the greatest distance, in metres; for numbers, the greatest difference
---@param more? number metres, after x and z
function Expectation:to_be_near(place, metres, more) end

---The opposite of: That a character is near a place or another character, or that a number is near another number.
---@param place Place|number a place, a character, x and z, or a number
---@param metres number the greatest distance, in metres; for numbers, the greatest difference
---@param more? number metres, after x and z
function Expectation:not_to_be_near(place, metres, more) end

---That a character has said something since the test began. With `expect(room)`, any character counts.
---@param text string the words, or a part of them
function Expectation:to_have_said(text) end

---The opposite of: That a character has said something since the test began. With `expect(room)`, any character counts.
---@param text string the words, or a part of them
function Expectation:not_to_have_said(text) end

---That an area is open.
function Expectation:to_be_available() end

---The opposite of: That an area is open.
function Expectation:not_to_be_available() end

---That a script of the room has had an error. Without `allow_errors` of `load_room`, such an error fails the
---test anyway.
---@param text string the error, or a part of it
function Expectation:to_have_reported(text) end

---The opposite of: That a script of the room has had an error. Without `allow_errors` of `load_room`, such an error fails the
---test anyway.
---@param text string the error, or a part of it
function Expectation:not_to_have_reported(text) end

---That a character never comes near another character, or a place, from now to the end of the test.
---
---The subject is a character, a list of characters, or with `expect(room)` all characters. Distances are
---between the middles of bodies.
---@param place Place a character, a place, or x and z
---@param metres number the least distance allowed
---@param more? number metres, after x and z
---@overload fun(self: Expectation, x: number, z: number, metres: number, more?: number)
function Expectation:to_stay_clear_of(place, metres, more) end

---That the subject does not enter an area from now to the end of the test.
---
---The subject is a character, a list of characters, or with `expect(room)` all characters. It fails at once
---if one of them is in the area already.
---@param area string the area's name
function Expectation:never_to_enter(area) end

---That from now to the end of the test no walk ends as `blocked`, and no walk is without progress for too
---long.
---
---The subject is a character, a list of characters, or with `expect(room)` all characters.
---@param seconds? number the longest time without progress; 10 if left out, as for a walk to be given up
function Expectation:not_to_be_stuck(seconds) end

---That a path leads there, and is shorter than a number of metres.
---@param metres number metres
function Expectation:to_be_shorter_than(metres) end

---The opposite of: That a path leads there, and is shorter than a number of metres.
---@param metres number metres
function Expectation:not_to_be_shorter_than(metres) end

---That a path leads there, and is longer than a number of metres.
---@param metres number metres
function Expectation:to_be_longer_than(metres) end

---The opposite of: That a path leads there, and is longer than a number of metres.
---@param metres number metres
function Expectation:not_to_be_longer_than(metres) end

---That a path leads there.
function Expectation:to_be_complete() end

---The opposite of: That a path leads there.
function Expectation:not_to_be_complete() end

---That no path leads there, because of an area that is closed or an obstacle.
---@param name string the name of the area or obstacle
function Expectation:to_be_blocked_by(name) end

---The opposite of: That no path leads there, because of an area that is closed or an obstacle.
---@param name string the name of the area or obstacle
function Expectation:not_to_be_blocked_by(name) end

---That the run since `load_room` is as it was recorded, bit for bit or within a tolerance of the recorded places.
---
---With a tolerance, the run may also be up to a second longer or shorter.
---
---`cicerone test --update` records the run again, in the folder `recordings` beside the spec. The report of a
---difference names the character that left its recorded path first, when, and by how much, with both paths in
---one picture. It also names what changed in the room's file, and the first command that differs.
---@param name string the recording's name: letters, digits, `-` and `_`
---@param options? MatchOptions the tolerance
function Expectation:to_match_recording(name, options) end

---That a function of the game has been called since the test began, or that many times.
---@param times? integer how often exactly; at least once if left out
function Expectation:to_have_been_called(times) end

---The opposite of: That a function of the game has been called since the test began, or that many times.
---@param times? integer how often exactly; at least once if left out
function Expectation:not_to_have_been_called(times) end

---That a function of the game has been called with these arguments since the test began.
---
---The arguments are compared as they were given: a point's name is not the same as its position. A method's
---character does not count.
---@param ... any the arguments
function Expectation:to_have_been_called_with(...) end

---The opposite of: That a function of the game has been called with these arguments since the test began.
---
---The arguments are compared as they were given: a point's name is not the same as its position. A method's
---character does not count.
---@param ... any the arguments
function Expectation:not_to_have_been_called_with(...) end

---That a value equals another. Tables are compared by their contents, at every level.
---@param value any the other value
function Expectation:to_equal(value) end

---The opposite of: That a value equals another. Tables are compared by their contents, at every level.
---@param value any the other value
function Expectation:not_to_equal(value) end

---The same as `to_equal`, with a shorter name.
---@param value any the other value
function Expectation:to_be(value) end

---The opposite of: The same as `to_equal`, with a shorter name.
---@param value any the other value
function Expectation:not_to_be(value) end

---That a value is `true`. Other values that count as true, such as 1, do not pass.
function Expectation:to_be_true() end

---The opposite of: That a value is `true`. Other values that count as true, such as 1, do not pass.
function Expectation:not_to_be_true() end

---That a value is `false`. Nil does not pass.
function Expectation:to_be_false() end

---The opposite of: That a value is `false`. Nil does not pass.
function Expectation:not_to_be_false() end

---That a value is nil.
function Expectation:to_be_nil() end

---The opposite of: That a value is nil.
function Expectation:not_to_be_nil() end

---That a number is less than another.
---@param value number the other
function Expectation:to_be_less_than(value) end

---The opposite of: That a number is less than another.
---@param value number the other
function Expectation:not_to_be_less_than(value) end

---That a number is greater than another.
---@param value number the other
function Expectation:to_be_greater_than(value) end

---The opposite of: That a number is greater than another.
---@param value number the other
function Expectation:not_to_be_greater_than(value) end

---That a number lies between two others, or equals one of them.
---@param least number the smaller
---@param most number the greater
function Expectation:to_be_between(least, most) end

---The opposite of: That a number lies between two others, or equals one of them.
---@param least number the smaller
---@param most number the greater
function Expectation:not_to_be_between(least, most) end

---That a list contains a value, or that a text contains a part.
---@param value any the value, or the part
function Expectation:to_contain(value) end

---The opposite of: That a list contains a value, or that a text contains a part.
---@param value any the value, or the part
function Expectation:not_to_contain(value) end

---That a text matches a Lua pattern.
---@param pattern string as `string.find` takes it
function Expectation:to_match(pattern) end

---The opposite of: That a text matches a Lua pattern.
---@param pattern string as `string.find` takes it
function Expectation:not_to_match(pattern) end

---That a function fails. With a text, the error must contain it. The function may wait.
---@param text? string a part of the error
function Expectation:to_fail(text) end

---The opposite of: That a function fails. With a text, the error must contain it. The function may wait.
---@param text? string a part of the error
function Expectation:not_to_fail(text) end

---Gives the next expectation some time: the room runs until it holds.
---@param seconds number how long at most
---@return Expectation expectation the same, with time
function Expectation:within(seconds) end

---The room: there in every script.
---@type Room
room = {}
