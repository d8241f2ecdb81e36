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
---@field y? number the height, where storeys lie above each other
---@field z number along z

---How to walk.
---@class WalkOptions
---@field timeout? number seconds after which the walk ends as `timeout`

---How far to run.
---@class FleeOptions
---@field distance? number how far away is far enough, in metres as the crow flies; 5
---@field timeout? number seconds after which it ends as `timeout`

---Where to stroll, and how long to rest.
---@class WanderOptions
---@field area? string in this area; anywhere within reach
---@field around? Place what `within` counts from; where the character stands at first
---@field within? number within so many metres of `around`
---@field pause? (number|number[]) seconds to rest at each place, or the least and the most; {1, 3}
---@field timeout? number seconds after which it ends as `timeout`

---How people stand in line.
---@class QueueOptions
---@field tail? Place where the line leads to, along the way one walks; where the first in it came from
---@field spacing? number metres from one to the next; room enough for two bodies
---@field timeout? number seconds after which it ends as `timeout`

---What a path has to heed.
---@class PathOptions
---@field avoid? (Npc|Disc)[] what to lead round: characters, and discs of your own

---A round piece of the ground.
---@class Disc
---@field x number along x
---@field z number along z
---@field radius number in metres

---Where a random point may lie: everything holds that is given.
---@class RandomPoint
---@field area? string in this area
---@field near? Place where somebody can walk to from this place
---@field within? number within so many metres of `near`, as the crow flies

---How wide and how far somebody sees.
---@class SightOptions
---@field fov? number the whole angle of view, in radians, half of it to each side of the heading; all round
---@field range? number how far, in metres; any distance

---Which characters: those for whom everything holds that is given.
---@class NpcQuery
---@field tag? string they have this tag
---@field area? string they are in this area
---@field near? Place sorts them: the nearest to this place first
---@field within? number they are within so many metres of `near`
---@field alive? boolean whether they live
---@field player? boolean whether the player steers them

---A newcomer: the keys of a character in a room file, in snake_case.
---@class SpawnOptions
---@field at Place where
---@field name? string a name nobody has; `npc_1` and so on if left out
---@field script? string its behaviour
---@field player? boolean whether the player steers it; false if left out
---@field priority? integer who of two that are stuck makes way is the one with less; 0
---@field pinned? boolean whether nobody pushes it aside while it stands; false if left out
---@field returns_to_post? boolean whether it walks back when it was pushed off its place; false
---@field walk_speed? number metres a second; 1.4
---@field rotation_speed? number radians a second; 8
---@field collision_radius? number metres; the room's `agentRadius`
---@field heading? number radians; 0, along x
---@field tags? string[] words to find it by
---@field alive? boolean true if left out
---@field enabled? boolean true if left out

---What became of a walk.
---@class LastWalk
---@field reason Reason how it ended
---@field ok boolean whether it arrived
---@field x number where it was to lead
---@field z number where it was to lead
---@field reached Point where it ended
---@field missed_by number how far that is from where it was to lead, in metres
---@field seconds number how long it took
---@field blocked_by? string the area, obstacle or character that was in the way; of several the first
---@field cancelled_by? string who or what called it off: `guard at scripts/guard.lua:12`, `a click`, `the end of a scene`; nil if that is not known
---@field explanation? Explanation more about it, if the goal could not be reached

---Where a path ends.
---@class PathEnding
---@field x number the place that was asked for
---@field z number the place that was asked for
---@field snapped_to? Point where the path ends, if not at that very place
---@field missed_by number how far that is from the place, in metres; 0 if it ends there
---@field step string `avoiding` round what is in the way, `ignoring` through it, `nearest` if it only comes near

---What is in the way from one place to another.
---@class Explanation
---@field complete boolean whether nothing is: one gets to the very goal
---@field blocked_by string[] the areas that would have to open, or the obstacles in the way
---@field exact boolean whether no smaller set would do
---@field nearest? Point the reachable place nearest to the goal
---@field gap_m? number how wide the narrowest place is, if it is too narrow
---@field needed_m? number how wide it would have to be
---@field text string all of it in words

---A hotspot, as the room file has it.
---@class Hotspot
---@field name string its name
---@field id? integer the value of the channel it is painted in, if it is painted so
---@field cursor? string what the pointer is to look like: a word of the game's own
---@field walk_to? Point where one stands to use it

---A handler that is not called any more.
---@class SwitchedOff
---@field who string the character's name, or `the room`
---@field event string the event, `on_talk` say
---@field file string the script
---@field why string the last error, and why it was the last

---A pixel of the mask.
---@class Colour
---@field red integer 0 to 255
---@field green integer 0 to 255
---@field blue integer 0 to 255
---@field alpha integer 0 to 255; 255 where the image has no alpha

---How a spec loads a room.
---@class LoadOptions
---@field seed? integer feeds every random stream; 0 if left out
---@field script_overrides? table<string, string> characters by name, and the script that each follows instead of its own
---@field scripts? string[] room scripts beside the room's own
---@field limits? SpecLimits what scripts may use up
---@field allow_errors? boolean whether the test goes on when a script of the room has an error

---How near a run has to be to a recorded one.
---@class MatchOptions
---@field tolerance? number how far everybody may be from where they were, in metres; if left out, every bit is to be the same

---What scripts may use up, as `limits` in a room file.
---@class SpecLimits
---@field instructions_per_call? integer in one call, or one stretch of a sequence between two waits
---@field instructions_per_tick? integer of one script in one step
---@field instructions_per_tick_of_all? integer of all scripts together in one step
---@field instructions_per_load? integer while a file is loaded
---@field memory_mb? integer of all scripts together
---@field memory_per_script_mb? integer of one script
---@field characters? integer beyond which none can be spawned
---@field timers? integer of one script
---@field sequences? integer of one script

---How a test is run.
---@class TestOptions
---@field timeout? number seconds of game time after which it has failed; 600 if left out

---A character, as handlers get it (`npc`) and as `room:npc("NAME")` gives it. It is the same object every time, so `==` works, and it may be kept in `self`; used after the character has left, it says who that was and when they left.
---@class Npc
---@field directed boolean Whether a scene has taken the character over, see `npc:direct`.
---@field id string The character's name, as the room file or `spawn` gave it.
---@field name string The same as `npc.id`.
---@field valid boolean Whether the character is still in the room.
---@field x number Where the character is, in metres.
---@field y number The height of the ground where the character is, in metres.
---@field z number Where the character is, in metres; rooms lie in x and z, and y is the height.
---@field state "stand"|"walk" `"walk"` on the way, else `"stand"`.
---@field player boolean Whether the player steers this character: clicks send it somewhere.
---@field saying string? What the character says at the moment, or nil.
---@field heading number Where the character looks, in radians: 0 is along x, a quarter turn (`math.pi / 2`) along z.
---@field priority integer Who of two that are stuck makes way: the one with less, from -1000 to 1000.
---@field pinned boolean Whether the character keeps its place while it stands: nobody pushes it aside, and everybody plans round it.
---@field returns_to_post boolean Whether the character walks back by itself when it was pushed aside, or stepped aside for somebody.
---@field walk_speed number How fast the character walks, in metres a second; zero stands.
---@field rotation_speed number How fast the character turns, in radians a second.
---@field collision_radius number How much room the character takes among others: the radius of its body, in metres.
---@field alive boolean Whether the character lives.
---@field enabled boolean Whether the character takes part.
---@field scale number How large the character is drawn where it stands: see `room:scale_at`.
local Npc = {}

---Walks somewhere, and waits until the walk has ended.
---
---`ok` is true if it arrived. Else `reason` says why not: `partial` (as near as one gets), `no_path`, `blocked` (by
---others), `cancelled` (by another target, `npc:stop` or death), `timeout` or `despawned`. `npc:last_walk` knows more.
---A goal where nobody can stand is moved to the nearest place where one can, up to `snapDistance` away. If it lies in a
---closed area, or farther off the ground, the walk ends as `partial` at the nearest place that can be reached.
---@param place Place where to
---@param options? WalkOptions `{timeout = seconds}`
---@return boolean ok whether it arrived
---@return Reason reason how it ended
---@overload fun(self: Npc, x: number, z: number, options?: WalkOptions): boolean, Reason
function Npc:walk_to(place, options) end

---Sends the character somewhere and returns at once.
---
---A walk under way ends as `cancelled`, unless it leads to the same place. How the walk ends is told to `on_arrived`,
---to the behaviour's `on_arrived` and `on_walk_ended`. In sequences, `npc:walk_to` is what waits for it.
---@param place Place where to
---@param on_arrived? fun(npc: Npc, reason: Reason) called when this walk has arrived
---@overload fun(self: Npc, x: number, z: number, on_arrived?: fun(npc: Npc, reason: Reason))
function Npc:set_target(place, on_arrived) end

---Calls a function at every arrival from now on, until another takes its place. Nil ends it.
---@param action? fun(npc: Npc, reason: Reason) called with `npc, reason`
function Npc:on_arrived(action) end

---Whether the character has somewhere to go. Who makes way for others, or waits in a queue, is on its way, too.
---@return boolean moving whether it is on its way
function Npc:is_moving() end

---Where the character was last asked to go, while it is on its way; else nil.
---@return Point? target `{x=, z=}` in metres
function Npc:target() end

---What became of the last walk: a table, or nil if there was none yet.
---
---`blocked_by` names what was in the way: the character that blocked it, or, of a goal that cannot be reached, the closed area
---or the obstacle, as the room is now.
---@return LastWalk? walk what became of it
function Npc:last_walk() end

---Plans the walk under way again.
---@return boolean walking whether there was a walk
function Npc:force_replan() end

---Ends the walk under way, following somebody, or a turn, as `cancelled`; the character stands where it is.
---@return boolean ended whether there was anything to end
function Npc:stop() end

---The same as `npc:stop`.
---@return boolean ended whether there was anything to end
function Npc:stop_in_place() end

---Walks up to somebody, wherever they go, and waits until it is at talking distance. Their `on_talk` is told then.
---
---Ends as `cancelled` if they leave, die or are disabled.
---@param other Npc whom to
---@param options? WalkOptions `{timeout = seconds}`
---@return boolean ok whether it got there
---@return Reason reason how it ended
function Npc:talk_to(other, options) end

---Follows somebody and stays within a distance of them, until something ends it.
---
---`npc:stop` ends it, or another target, a timeout, or their leaving, dying or being disabled (all `cancelled` but the
---timeout). A follower that cannot get near goes as near as it can and waits for a way.
---@param other Npc whom
---@param distance? number how near to stay, in metres; talking distance if left out
---@param options? WalkOptions `{timeout = seconds}`
---@return boolean ok false: following has no arrival
---@return Reason reason how it ended
function Npc:follow(other, distance, options) end

---Turns on the spot, at the character's `rotation_speed`, towards a place or somebody.
---
---In a sequence it waits until the character looks there; in a handler the character begins to turn, and the handler
---goes on. Who is on the way looks where it goes: then it is `cancelled` at once.
---@param place Place what to look at
---@return boolean ok whether it looks there
---@return Reason reason `arrived`, or how it ended
---@overload fun(self: Npc, x: number, z: number): boolean, Reason
function Npc:turn_to(place) end

---Walks to a thing and uses it: the room's `on_use(room, npc, object)` is told then.
---
---A hotspot is used from its `walkTo`, a point from where it is.
---@param object string the name of a hotspot, or of a point: a fridge, a lever
---@param options? WalkOptions `{timeout = seconds}`
---@return boolean ok whether it got there
---@return Reason reason how the walk ended
function Npc:use(object, options) end

---Runs away from a place or somebody, and waits until it is far enough away.
---
---It goes where the way is shortest that does not lead past what it flees from, and looks for another place when that
---follows or comes towards it. If there is no such place, it goes as far away as it can, and ends as `partial`.
---@param from Place what to flee from
---@param options? FleeOptions `{distance = metres, timeout = seconds}`
---@return boolean ok whether it is far enough away
---@return Reason reason `arrived`, or how it ended
---@overload fun(self: Npc, from_x: number, from_z: number, options?: FleeOptions): boolean, Reason
function Npc:flee(from, options) end

---Strolls from one random place to the next, with a rest at each, until something else ends it.
---
---`npc:stop` ends it, or another target, or a timeout. Places are drawn as `room:random_point` draws them, of those
---that the character can walk to. A place that is taken or cut off meanwhile is given up for the next.
---@param options? WanderOptions `{area=, within=, pause=, timeout=}`
---@return boolean ok false: there is no arrival
---@return Reason reason how it ended; `no_path` if there is nowhere to go
function Npc:wander(options) end

---Goes to the end of the line at a place, moves up as others leave, and waits until it is at the front.
---
---Who comes first stands in front. The line leads along the way from the place to `tail`. At the front it returns, and
---the character keeps the place until it goes away; the next one moves up then. To leave earlier: `npc:leave_queue`,
---`npc:stop`, another target.
---Lines survive reloads and saves: who queues at the same place again has its old place in line.
---@param place Place where the first one stands
---@param options? QueueOptions `{tail=, spacing=, timeout=}`
---@return boolean ok whether it is at the front
---@return Reason reason `arrived`, or how it ended
---@overload fun(self: Npc, x: number, z: number, options?: QueueOptions): boolean, Reason
function Npc:queue_at(place, options) end

---Leaves every line it stands in.
---@return boolean left whether it was in line anywhere
function Npc:leave_queue() end

---Shows words over the character. With a time it also waits for them to have been read, in sequences.
---@param text string|number the words
---@param seconds? number how long; 2 if left out
---@return boolean? ok true once they have been read; nothing if it did not wait
---@return Reason? reason `done`
function Npc:say(text, seconds) end

---Takes the character over for as long as a function runs, and waits for it: a cut-scene, a talk.
---
---Meanwhile its own behaviour is off. The sequences of its script pause where they are, `run` as well as those begun
---by `start`, and so do its timers; `on_update` is not called. The walk it was on is put aside without ending.
---`on_talk`, `on_enter`, `on_leave` and `on_message` are kept, and told when it is given back; of the scene's own
---walks its script is told nothing. Clicks do not move a player who is in a scene.
---
---When the function is over, the character is given back: its walk is taken up again from where it is then, and
---everything that paused goes on where it was. So it is if the function ends with an error, if its sequence is
---cancelled or begins again after a reload, and if the character leaves. Scenes can be within scenes; if another
---sequence takes the character over, the scene before it pauses as well. An error in the function ends the sequence
---that waits for it, too; no `pcall` around `direct` keeps it.
---@param action fun(): boolean?, any what is to happen
---@return boolean ok false if the function returned false
---@return string reason `done`, or why not
function Npc:direct(action) end

---Where the character is, as a table that is its own from then on.
---@return Point position `{x=, z=}` in metres
function Npc:pos() end

---The distance to a place or to somebody, as the crow flies.
---@param place Place a place or somebody
---@return number distance in metres
---@overload fun(self: Npc, x: number, z: number): number
function Npc:distance_to(place) end

---Puts the character somewhere at once. The place must be walkable; a walk under way ends as `cancelled`.
---@param place Place where to
---@overload fun(self: Npc, x: number, z: number)
function Npc:teleport(place) end

---Takes the character out of the room. Its walk ends as `despawned`, its timers and sequences end with it.
function Npc:despawn() end

---Whether the character has a tag. Tags come from the room file, from `spawn`, or from `npc:add_tag`.
---@param tag string the tag
---@return boolean has whether it has it
function Npc:has_tag(tag) end

---All tags of the character, in alphabetical order.
---@return string[] tags the tags
function Npc:tags() end

---Gives the character a tag, to find it by with `room:npcs`.
---@param tag string the tag
function Npc:add_tag(tag) end

---Takes a tag from the character, if it has it.
---@param tag string the tag
function Npc:remove_tag(tag) end

---Puts things into the character's pockets: a key, three coins. What a thing is, scripts decide.
---
---Pockets survive reloads, as everything about a character does.
---@param thing string what
---@param count? integer how many, 1 if left out
function Npc:give(thing, count) end

---Takes things out of the character's pockets; if there are not as many, it takes none.
---@param thing string what
---@param count? integer how many, 1 if left out
---@return boolean taken whether there were as many
function Npc:take(thing, count) end

---Whether the character carries a thing.
---@param thing string what
---@param count? integer how many at least, 1 if left out
---@return boolean has whether it carries as many
function Npc:has(thing, count) end

---Everything the character carries: how many of each thing.
---@return table<string, integer> inventory how many, by name
function Npc:inventory() end

---Whether the character sees a place or somebody: see `room:can_see`.
---@param other Place a place or somebody
---@param options? SightOptions `{fov = radians, range = metres}`
---@return boolean seen whether it does
---@return string? why what is in the way, if not
---@overload fun(self: Npc, other_x: number, other_z: number, options?: SightOptions): boolean, string?
function Npc:can_see(other, options) end

---As `npc:set_target`, for those who like functions.
---@param npc Npc who
---@param place Place where to
---@param on_arrived? fun(npc: Npc, reason: Reason) called when this walk has arrived
---@overload fun(npc: Npc, x: number, z: number, on_arrived?: fun(npc: Npc, reason: Reason))
function set_target(npc, place, on_arrived) end

---As `npc:on_arrived`, for those who like functions.
---@param npc Npc whose arrivals
---@param action? fun(npc: Npc, reason: Reason) called with `npc, reason`
function on_arrived(npc, action) end

---Waits for some seconds of game time.
---@param seconds number how long
---@return boolean ok true
---@return Reason reason `done`
function wait(seconds) end

---Waits until a function returns true; it is asked once a tick.
---@param condition fun(): boolean? what to wait for
---@param timeout? number how long at most, in seconds
---@return boolean ok whether it came true
---@return Reason reason `done` or `timeout`
function wait_until(condition, timeout) end

---Runs functions side by side, and waits until all of them are over.
---
---Each is a sequence of its own. `ok` is false if one of them returned false first, as
---`return npc:walk_to("bar")` does when it does not arrive; `reason` is then the second value of the first of those.
---An error in one of them ends them all, with the sequence that waits for them; no `pcall` around `all` keeps it.
---@param branches (fun(): boolean?, any)[] the functions
---@return boolean ok whether none returned false
---@return string reason `done`, or why not
function all(branches) end

---Runs functions side by side until the first of them is over. The others end, with the walks they set going.
---@param branches (fun(): boolean?, any)[] the functions, at least one
---@return boolean ok whether the winner did not return false
---@return string reason `done`, or what the winner returned second
---@return integer winner its place in the list
function race(branches) end

---Runs a function as a sequence of its own, and returns at once. It begins when sequences next have their turn.
---
---Handlers start one when something is to take time. It finishes on the code it began with, should the file be saved
---meanwhile.
---@param action fun(...) what to run
---@param ... any its arguments
---@return integer sequence for `cancel`
function start(action, ...) end

---As `npc:direct`, for several characters at once.
---@param who Npc|string|Npc[] a character, its name, or a list of characters
---@param action fun(): boolean?, any what is to happen
---@return boolean ok false if the function returned false
---@return string reason `done`, or why not
function direct(who, action) end

---Calls a function once, after some seconds of game time; in the next tick at the earliest. With a name instead of a
---function, the script's `on_timer` is called with that name and the data.
---
---A timer with a name is part of a saved room, with its data and the time it has left, and reloads keep it. A script
---(for each character that follows it) has one timer of a name: setting it again sets it anew, with new data. For two
---at a time take two names, `"close_" .. door` say.
---@param seconds number how much later
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

---Ends a timer, or a sequence that the same script began by `start`, with the walk it set going.
---@param id integer|string what `after`, `every` or `start` returned, or a timer's name
---@return boolean ended whether there was still something to end
function cancel(id) end

---Brings somebody into the room, at the walkable place nearest to `at`. Its script begins in the next tick.
---@param options SpawnOptions `{at=, name=, script=, walk_speed=, …}`, the keys of a character
---@return Npc npc the newcomer
function spawn(options) end

---As `room:spawn_once`, for those who like functions.
---@param options SpawnOptions as for `spawn`, with a `name`
---@return Npc npc the one of this name
---@return boolean is_new whether it came just now
function spawn_once(options) end

---As `room:set_area_available`, for those who like functions.
---@param name string the area's name in the room file
---@param available boolean whether one may walk there
---@return boolean changed whether anything changed by it
function set_area_available(name, available) end

---As `room:find_path`, for those who like functions.
---@param from Place where from
---@param to Place where to
---@param options? PathOptions `{avoid = {npc, {x=, z=, radius=}}}`
---@return Point[]? points the points to walk, or nil if there is no complete path
---@return number|string length_or_reason its length in metres, or why there is none
---@return PathEnding? ending where it ends, and whether it leads round what is to be avoided
---@overload fun(from_x: number, from_z: number, to_x: number, to_z: number, options?: PathOptions): Point[]?, number|string, PathEnding?
function find_path(from, to, options) end

---As `room:is_walkable`, for those who like functions.
---@param place Place the place
---@return boolean walkable whether one can stand there
---@overload fun(x: number, z: number): boolean
function is_walkable(place) end

---Sends a message to somebody's script, or to the room's. Their `on_message` is called in the next tick.
---@param to Npc|string|Npc[]|Room a character, its name, a list of characters (as `room:npcs` gives), or `room`
---@param message string what it is about
---@param data? any anything that goes with it; a table is shared, not copied
function send(to, message, data) end

---Writes a line, as `log.info` does, with tabs between the values.
---@param ... any anything
function print(...) end

---A random number: `random()` in [0, 1), `random(n)` a whole one from 1 to n, `random(m, n)` from m to n.
---
---It is drawn from the world's seed, by a stream of its own for each character, so every run draws the same.
---`math.random` is the same function.
---@param m? integer from, or up to if `n` is left out
---@param n? integer up to
---@return integer number the number: a whole one, but for `random()`
---@overload fun(): number
function random(m, n) end

---`room` is there in every script, and room scripts get it as their first argument.
---@class Room
---@field name string The room's name: that of its file.
---@field time number Game time since the room was opened, in seconds.
---@field tick integer Steps since the room was opened, `ticksPerSecond` of them a second.
---@field state table A table for what the room's scripts remember.
local Room = {}

---Who stands in line at a place, the first one first. Who is on the way to the end of it does not count yet.
---@param place Place the place, as it was given to `npc:queue_at`
---@return Npc[] npcs the characters
---@overload fun(self: Room, x: number, z: number): Npc[]
function Room:queue(place) end

---A character, by name. A name that nobody has is an error; `room:find_npc` gives nil instead.
---@param name string the character's name
---@return Npc npc the character
function Room:npc(name) end

---A character, by name, or nil if nobody has that name.
---@param name string the character's name
---@return Npc? npc the character
function Room:find_npc(name) end

---Everybody, or those with a tag, or those that a table asks for.
---
---They come in the order in which they came into the room; the nearest first if the table says `near`.
---@param which? string|NpcQuery a tag, or `{tag=, area=, near=, within=, alive=, player=}`
---@return Npc[] npcs the characters
function Room:npcs(which) end

---Everybody in an area, in the order they came.
---@param area string the area's name
---@return Npc[] npcs the characters
function Room:npcs_in(area) end

---Brings somebody into the room, unless somebody of this name is there already: then that one, as it is.
---
---`run` begins again after a reload, and when a saved room is restored. What it spawns so is there once, however often
---it begins. The dead count, too: they are still in the room.
---@param options SpawnOptions as for `spawn`, with a `name`
---@return Npc npc the one of this name
---@return boolean is_new whether it came just now
function Room:spawn_once(options) end

---Opens or closes an area of the room: a door, a bridge, a spill on the floor.
---
---Walks that lead through it are planned again before the next step. Who stands in an area that closes is treated as
---its `whenOccupied` says.
---@param name string the area's name in the room file
---@param available boolean whether one may walk there
---@return boolean changed whether anything changed by it
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

---Where a named point is, or a character of that name.
---@param name string the point's name in the room file
---@return Point position `{x=, z=}` in metres
function Room:point(name) end

---The names of all points, in alphabetical order.
---@return string[] names the names
function Room:points() end

---Points at a place, as a player's click does. `on_click` is told; or else the player walks there, or uses the hotspot.
---@param place Place where; a hotspot's name means a place on it
---@overload fun(self: Room, x: number, z: number)
function Room:click(place) end

---The hotspot at a place, or the one of this name; nil if there is none at the place. Of several that lie over each
---other, the first in the room file.
---@param which Place a place, or the hotspot's name
---@return Hotspot? hotspot the hotspot: a copy of what the room file says of it
---@overload fun(self: Room, which_x: number, which_z: number): Hotspot?
function Room:hotspot(which) end

---The names of all hotspots, the first on top.
---@return string[] names the names
function Room:hotspots() end

---The channels of the mask's pixel at a place, 0 to 255 each; nil beside the mask, and in a room without one.
---
---What a room keeps in a channel is its own matter: what the floor is made of, how deep the water is.
---@param place Place the place
---@return Colour? colour `{red=, green=, blue=, alpha=}`
---@overload fun(self: Room, x: number, z: number): Colour?
function Room:mask_at(place) end

---How large somebody at a place is drawn, because of how far back it is.
---
---1 is their size, also where the room file has no `depthBands`.
---@param place Place the place
---@return number scale times their size
---@return string? band the name of the depth band, if it has one
---@overload fun(self: Room, x: number, z: number): number, string?
function Room:scale_at(place) end

---Plans a path, ignoring other characters.
---
---A call may look at so many places only (see the room's `limits`); `npc:walk_to` searches over several ticks.
---
---`avoid` puts characters, or discs of your own, in the way. The path leads round them all if it can (the ending's
---`step` is `"avoiding"`), else through them (`"ignoring"`).
---@param from Place where from
---@param to Place where to
---@param options? PathOptions `{avoid = {npc, {x=, z=, radius=}}}`
---@return Point[]? points the points to walk, or nil if there is no complete path
---@return number|string length_or_reason its length in metres, or why there is none
---@return PathEnding? ending where it ends, and whether it leads round what is to be avoided
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number, options?: PathOptions): Point[]?, number|string, PathEnding?
function Room:find_path(from, to, options) end

---Plans a path as a walk would: round those who stand in the way, else through them, else as near as one gets.
---@param from Place where from
---@param to Place where to
---@param walker? Npc who does not stand in its own way
---@return Point[]? points the points to walk, or nil
---@return number|string length_or_reason its length in metres, or why there is none
---@return "avoiding"|"ignoring"|"nearest"|nil step round everybody, through somebody, or only near the goal
---@return PathEnding? ending where it ends, if not at the very place
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number, walker?: Npc): Point[]?, number|string, "avoiding"|"ignoring"|"nearest"|nil, PathEnding?
function Room:find_path_to_nearest(from, to, walker) end

---Says what is in the way from one place to another, and how near one gets.
---
---That is: the closed areas that would have to open (the fewest), or obstacles, or a gap that is too narrow.
---@param from Place where from
---@param to Place where to
---@return Explanation explanation what is in the way
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number): Explanation
function Room:explain_path(from, to) end

---Whether one can stand at a place.
---@param place Place the place
---@return boolean walkable whether one can stand there
---@overload fun(self: Room, x: number, z: number): boolean
function Room:is_walkable(place) end

---The walkable place nearest to another, or nil if there is none within `snapDistance`.
---@param place Place the place
---@return Point? position `{x=, z=}` in metres
---@overload fun(self: Room, x: number, z: number): Point?
function Room:nearest(place) end

---Whether the straight way between two places is walkable all along: no wall, obstacle or closed area between them.
---What one sees is another matter: `room:can_see`.
---@param from Place one place
---@param to Place the other
---@return boolean clear whether nothing is between
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number): boolean
function Room:line_of_sight(from, to) end

---Whether one sees from one place to another. Walls, closed areas and obstacles hide what is behind them, unless the
---room file says `seeThrough` of an area or an obstacle. People hide nobody.
---
---Somebody is seen of whom the middle or one side is, and who looks may lean to a side, too: what is narrower than
---both bodies hides nothing. `fov` and `range` are for somebody who looks: a cone around the heading. If it is not seen, `why` is the name of the
---area or the obstacle in between, or `"wall"`, `"range"` or `"fov"`.
---@param from Place who looks, or from where
---@param to Place what at
---@param options? SightOptions `{fov = radians, range = metres}`
---@return boolean seen whether one sees it
---@return string? why what is in the way, if not
---@overload fun(self: Room, from_x: number, from_z: number, to_x: number, to_z: number, options?: SightOptions): boolean, string?
function Room:can_see(from, to, options) end

---A random place where one can stand, all such places being equally likely; nil if there is none.
---
---It is drawn as `random` draws: from the world's seed, by the stream of the character whose code asks.
---@param options? RandomPoint `{area=, near=, within=}`; anywhere if left out
---@return Point? position `{x=, z=}` in metres
function Room:random_point(options) end

---The handlers that are not called any more until the next reload, and why.
---
---An error in a handler ends that one call. After ten errors in a row, or at once if it ran out of fuel or memory,
---a handler is switched off, for the character or the room script whose handler it is. `run` stands here if it
---ended with an error.
---@return SwitchedOff[] handlers them, in order of whose they are
function Room:switched_off_handlers() end

---An area of the room, as `room:area("NAME")` gives it.
---@class Area
---@field name string The area's name in the room file.
---@field valid boolean Whether the room has the area: a reload may take it away.
---@field available boolean Whether one may walk there.
local Area = {}

---Whether a place lies in the area.
---@param place Place a place or somebody
---@return boolean inside whether it is inside
---@overload fun(self: Area, x: number, z: number): boolean
function Area:contains(place) end

---Everybody in the area, in the order they came into the room.
---@return Npc[] npcs the characters
function Area:npcs() end

---Lines for the author, with the file and line they come from.
log = {}

---Writes a line for the author only. The values are put into words and joined by spaces: tables with what is in
---them, as the console shows them, and numbers with six digits behind the point at most.
---@param ... any anything
function log.debug(...) end

---Writes a line worth reading, with the file and line of the call.
---@param ... any anything
function log.info(...) end

---Writes a line about something odd.
---@param ... any anything
function log.warn(...) end

---Writes a line about something wrong. The game goes on; Lua's own `error` ends the handler.
---@param ... any anything
function log.error(...) end

---The table that a character's script returns. The host calls these functions where they are there; all are optional. `self` is a table of this one character, kept over every reload.
---@class Behaviour
---@field [any] any
---@field run? fun(self: table, npc: Npc) What the character does by itself: a sequence that begins when it comes into the room.
---@field on_spawn? fun(self: table, npc: Npc) The character came into the room: with it, or by `spawn`.
---@field on_despawn? fun(self: table, npc: Npc) The character has left the room.
---@field on_update? fun(self: table, npc: Npc, dt: number) Every tick.
---@field on_arrived? fun(self: table, npc: Npc, reason: "arrived"|"partial") A walk of the character has led somewhere.
---@field on_walk_ended? fun(self: table, npc: Npc, reason: Reason) A walk of the character has ended, whatever the reason.
---@field on_blocked? fun(self: table, npc: Npc, by: string|nil) A walk of the character has ended as `blocked`: it got no further for ten seconds.
---@field on_enter? fun(self: table, npc: Npc, area: string) The character stepped into an area.
---@field on_leave? fun(self: table, npc: Npc, area: string) The character stepped out of an area.
---@field on_talk? fun(self: table, npc: Npc, other: Npc) Somebody walked up to the character to talk, and is at talking distance.
---@field on_message? fun(self: table, npc: Npc, message: string, data: any, from: Npc|nil) Somebody's script, or the room's, sent a message with `send`.
---@field on_timer? fun(self: table, npc: Npc, name: string, data: any) A timer that `after` or `every` set with a name is due.
---@field on_reload? fun(self: table, npc: Npc) The character's file was saved, and is live; or the room was brought back to a saved moment.

---The table that a room's script returns. The host calls these functions where they are there; all are optional.
---@class RoomScript
---@field [any] any
---@field run? fun(room: Room) What happens in the room by itself: a sequence that begins with the room.
---@field on_load? fun(room: Room) The room has been opened; its characters come right after.
---@field on_update? fun(room: Room, dt: number) Every tick.
---@field on_enter? fun(room: Room, npc: Npc, area: string) Somebody stepped into an area.
---@field on_leave? fun(room: Room, npc: Npc, area: string) Somebody stepped out of an area, or left the room from there.
---@field on_area_changed? fun(room: Room, area: string, available: boolean) An area opened or closed.
---@field on_click? fun(room: Room, place: Point, hotspot: Hotspot|nil): boolean? The player clicked somewhere.
---@field on_use? fun(room: Room, npc: Npc, object: string) Somebody used something of the room: by `npc:use`, or because the player clicked on a hotspot.
---@field on_message? fun(room: Room, message: string, data: any, from: Npc|nil) Somebody's script sent the room a message with `send(room, …)`.
---@field on_timer? fun(room: Room, name: string, data: any) A timer that `after` or `every` set with a name is due.
---@field on_reload? fun(room: Room) The room's script was saved and is live, or the room was brought back to a saved moment; `run` begins again after this.

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

---Runs a function before each test of the block, those of outer blocks first. It is part of the test: it can wait.
---@param body fun() what each test begins with
function before_each(body) end

---Runs a function after each test of the block, those of outer blocks last; after one that failed, too.
---@param body fun() what each test ends with
function after_each(body) end

---A test that has still to be written; in a test, ends it as one that says nothing yet.
---@param why string what is missing
function pending(why) end

---Opens a room for this test; its scripts run in the same Lua state. One room a test.
---
---The room has made its first step then: `on_load` has been called, `run` has begun. An error in one of its scripts
---fails the test, then and later, unless `allow_errors` says that it may be.
---@param path string from the project's root, `rooms/tavern.json`, or just `tavern`
---@param options? LoadOptions `{seed = 7}`
---@return Room room the room; it is `room`, too
function load_room(path, options) end

---Lets the room run for some seconds of game time.
---@param seconds number how long
function run_for(seconds) end

---Lets the room run until a function returns something else than false or nil, and gives that. It is asked once a tick.
---
---The test fails when that takes longer than `timeout`.
---@param condition fun(): any what to wait for
---@param timeout? number how long at most, in seconds; 60 if left out
---@param what? string what is waited for, in words: they stand in the report if it does not come
---@return any found what the function returned
function run_until(condition, timeout, what) end

---Clicks at a place, as a player does.
---
---It takes effect in the next tick: what comes of it is to be seen after `run_for`, or with `within`.
---@param place Place a hotspot, a point, somebody, or x and z
---@overload fun(x: number, z: number)
function click(place) end

---Opens an area of the room.
---@param area string the area's name
---@return boolean changed whether anything changed by it
function open(area) end

---Closes an area of the room. Who stands in it is treated as its `whenOccupied` says.
---@param area string the area's name
---@return boolean changed whether anything changed by it
function close(area) end

---Saves a file, as far as this test is concerned: with a text it says so from now on, without it is read again.
---
---Nothing is written to the disk. A version that the room refuses is an error with all its problems.
---@param file string the file of a script or of the room, from the project's root
---@param text? string what it says from now on
function reload(file, text) end

---What is to be expected of something: a character, the room, an area, a path, any value.
---
---A number or a text is what it was when `expect` was called, so `within` has nothing to wait for; a character, the room, an
---area or a path is looked at anew each tick. The first expectation that fails ends the test.
---@param subject any what it is about
---@return Expectation expectation see there
function expect(subject) end

---The way from one place to another as the room is at the moment of an expectation about it; who stands about does not count.
---@param from Place where from
---@param to Place where to
---@return Expectation path an expectation about it
---@overload fun(from_x: number, from_z: number, to_x: number, to_z: number): Expectation
function path_between(from, to) end

---What `expect(x)` gives. Where one fails, the test ends and has failed. Every `to_…` that is looked at once has an opposite, `not_to_…`; `expect(x):within(seconds):to_…` runs the room until it is so.
---@class Expectation
local Expectation = {}

---Runs the room until the walk that is under way has ended, or else the next one: at its goal, and in time.
---
---It fails as soon as the walk ends otherwise, and says why.
---@param seconds number how long at most
function Expectation:to_arrive_within(seconds) end

---Runs the room until the walk that is under way has ended, or else the next one, for this reason.
---@param reason Reason how the walk is to end: `partial`, say
---@param seconds? number how long at most; 60 if left out
function Expectation:to_end_with(reason, seconds) end

---That a character is in an area.
---@param area string the area's name
function Expectation:to_be_in(area) end

---The opposite of: That a character is in an area.
---@param area string the area's name
function Expectation:not_to_be_in(area) end

---That a character is near a place or somebody; that a number is near another.
---@param place Place|number a place, somebody, x and z, or a number
---@param metres number how near at least, in metres; of numbers, how far apart at most
---@param more? number metres, after x and z
function Expectation:to_be_near(place, metres, more) end

---The opposite of: That a character is near a place or somebody; that a number is near another.
---@param place Place|number a place, somebody, x and z, or a number
---@param metres number how near at least, in metres; of numbers, how far apart at most
---@param more? number metres, after x and z
function Expectation:not_to_be_near(place, metres, more) end

---That a character, or with `expect(room)` anybody, has said something since the test began.
---@param text string a part of the words is enough
function Expectation:to_have_said(text) end

---The opposite of: That a character, or with `expect(room)` anybody, has said something since the test began.
---@param text string a part of the words is enough
function Expectation:not_to_have_said(text) end

---That one may walk in an area.
function Expectation:to_be_available() end

---The opposite of: That one may walk in an area.
function Expectation:not_to_be_available() end

---That a script of the room has had an error. Mind `allow_errors` of `load_room`.
---@param text string a part of the error is enough
function Expectation:to_have_reported(text) end

---The opposite of: That a script of the room has had an error. Mind `allow_errors` of `load_room`.
---@param text string a part of the error is enough
function Expectation:not_to_have_reported(text) end

---That somebody never comes near somebody else, or a place, from now to the end of the test.
---
---It is about a character, a list of them, or with `expect(room)` everybody. Distances are those of the middles.
---@param place Place somebody, a place, or x and z
---@param metres number how near is too near
---@param more? number metres, after x and z
---@overload fun(self: Expectation, x: number, z: number, metres: number, more?: number)
function Expectation:to_stay_clear_of(place, metres, more) end

---That nobody of them enters an area from now to the end of the test.
---
---It is about a character, a list of them, or with `expect(room)` everybody. Who is in it already has failed.
---@param area string the area's name
function Expectation:never_to_enter(area) end

---That from now to the end of the test no walk ends as `blocked`, and none stops getting on for too long.
---
---It is about a character, a list of them, or with `expect(room)` everybody.
---@param seconds? number how long one may wait without getting on; 10 if left out, when a walk gives up by itself
function Expectation:not_to_be_stuck(seconds) end

---That a path leads there, and is shorter than so many metres.
---@param metres number metres
function Expectation:to_be_shorter_than(metres) end

---The opposite of: That a path leads there, and is shorter than so many metres.
---@param metres number metres
function Expectation:not_to_be_shorter_than(metres) end

---That a path leads there, and is longer than so many metres.
---@param metres number metres
function Expectation:to_be_longer_than(metres) end

---The opposite of: That a path leads there, and is longer than so many metres.
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

---That everything since `load_room` is as it was recorded: bit for bit, or everybody within a tolerance of where they were.
---
---Within a tolerance the run may also be up to a second longer or shorter.
---
---`cicerone test --update` records it anew, in the folder `recordings` beside the spec. What differs is told by who left the
---old way first, when, and by how much, with both ways in one picture, by what the room's file says otherwise, and by the
---first deed that differs.
---@param name string the recording's name: letters, digits, `-` and `_`
---@param options? MatchOptions how near is near enough
function Expectation:to_match_recording(name, options) end

---That a value equals another; tables are compared by what is in them, all the way down.
---@param value any what it is to equal
function Expectation:to_equal(value) end

---The opposite of: That a value equals another; tables are compared by what is in them, all the way down.
---@param value any what it is to equal
function Expectation:not_to_equal(value) end

---As `to_equal`, for those who like it shorter.
---@param value any what it is to be
function Expectation:to_be(value) end

---The opposite of: As `to_equal`, for those who like it shorter.
---@param value any what it is to be
function Expectation:not_to_be(value) end

---That a value is true: not just something that counts as true, like 1.
function Expectation:to_be_true() end

---The opposite of: That a value is true: not just something that counts as true, like 1.
function Expectation:not_to_be_true() end

---That a value is false: not just nil.
function Expectation:to_be_false() end

---The opposite of: That a value is false: not just nil.
function Expectation:not_to_be_false() end

---That there is nothing.
function Expectation:to_be_nil() end

---The opposite of: That there is nothing.
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

---That a number lies between two others, or is one of them.
---@param least number the smaller
---@param most number the greater
function Expectation:to_be_between(least, most) end

---The opposite of: That a number lies between two others, or is one of them.
---@param least number the smaller
---@param most number the greater
function Expectation:not_to_be_between(least, most) end

---That a list has a value in it, or that a text has a part.
---@param value any the value, or the part
function Expectation:to_contain(value) end

---The opposite of: That a list has a value in it, or that a text has a part.
---@param value any the value, or the part
function Expectation:not_to_contain(value) end

---That a text matches a pattern of Lua's.
---@param pattern string as `string.find` takes it
function Expectation:to_match(pattern) end

---The opposite of: That a text matches a pattern of Lua's.
---@param pattern string as `string.find` takes it
function Expectation:not_to_match(pattern) end

---That a function fails; with a text, that it is part of the error. The function may wait.
---@param text? string a part of the error
function Expectation:to_fail(text) end

---The opposite of: That a function fails; with a text, that it is part of the error. The function may wait.
---@param text? string a part of the error
function Expectation:not_to_fail(text) end

---Gives what follows some time: the room runs until it is so.
---@param seconds number how long at most
---@return Expectation expectation the same, with time
function Expectation:within(seconds) end

---The room: there in every script.
---@type Room
room = {}
