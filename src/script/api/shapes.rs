//! Tables with known keys, as parameters and results.

/// A table with known keys.
#[derive(Debug)]
pub struct Shape {
    /// Its name in LuaCATS.
    pub name: &'static str,
    /// Its description.
    pub about: &'static str,
    /// An example, for errors.
    pub(super) like: &'static str,
    /// Its keys, in a sensible order.
    pub fields: &'static [Field],
}

/// One key of a table.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// The value's type, as LuaCATS writes it; with `?` if it may be missing.
    pub lua_type: &'static str,
    /// What a string value names: see [`super::Param::names`].
    pub names: &'static str,
    /// What it means.
    pub about: &'static str,
}

impl Shape {
    pub(crate) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The present name of a key of version 0.1.
pub(super) fn renamed(key: &str) -> Option<&'static str> {
    (key == "cast").then_some("script_overrides")
}

const fn field(name: &'static str, lua_type: &'static str, about: &'static str) -> Field {
    Field { name, lua_type, names: "", about }
}

/// A key whose string or strings name something.
const fn named(
    name: &'static str,
    lua_type: &'static str,
    names: &'static str,
    about: &'static str,
) -> Field {
    Field { name, lua_type, names, about }
}

pub(super) const POINT: Shape = Shape {
    name: "Point",
    about: "A position, in metres.",
    like: "{x = 1, z = 2}",
    fields: &[
        field("x", "number", "along x"),
        field("y", "number?", "the height, where storeys lie above each other"),
        field("z", "number", "along z"),
    ],
};

pub(super) const WALK_OPTIONS: Shape = Shape {
    name: "WalkOptions",
    about: "How to walk.",
    like: "{timeout = 5}",
    fields: &[field("timeout", "number?", "seconds after which the walk ends as `timeout`")],
};

pub(super) const PATH_OPTIONS: Shape = Shape {
    name: "PathOptions",
    about: "What a path has to heed.",
    like: "{avoid = {npc, {x = 1, z = 2, radius = 0.5}}}",
    fields: &[field("avoid", "(Npc|Disc)[]?", "what to lead round: characters, and discs of your own")],
};

pub(super) const DISC: Shape = Shape {
    name: "Disc",
    about: "A round piece of the ground.",
    like: "{x = 1, z = 2, radius = 0.5}",
    fields: &[
        field("x", "number", "along x"),
        field("z", "number", "along z"),
        field("radius", "number", "in metres"),
    ],
};

pub(super) const RANDOM_POINT: Shape = Shape {
    name: "RandomPoint",
    about: "Where a random point may lie: everything holds that is given.",
    like: "{area = \"hall\", near = npc, within = 5}",
    fields: &[
        named("area", "string?", "area", "in this area"),
        named("near", "Place?", "place", "where somebody can walk to from this place"),
        field("within", "number?", "within so many metres of `near`, as the crow flies"),
    ],
};

pub(super) const SIGHT_OPTIONS: Shape = Shape {
    name: "SightOptions",
    about: "How wide and how far somebody sees.",
    like: "{fov = math.rad(90), range = 8}",
    fields: &[
        field(
            "fov",
            "number?",
            "the whole angle of view, in radians, half of it to each side of the heading; all round",
        ),
        field("range", "number?", "how far, in metres; any distance"),
    ],
};

pub(super) const FLEE_OPTIONS: Shape = Shape {
    name: "FleeOptions",
    about: "How far to run.",
    like: "{distance = 6}",
    fields: &[
        field("distance", "number?", "how far away is far enough, in metres as the crow flies; 5"),
        field("timeout", "number?", "seconds after which it ends as `timeout`"),
    ],
};

pub(super) const WANDER_OPTIONS: Shape = Shape {
    name: "WanderOptions",
    about: "Where to stroll, and how long to rest.",
    like: "{area = \"hall\", pause = {1, 3}}",
    fields: &[
        named("area", "string?", "area", "in this area; anywhere within reach"),
        named("around", "Place?", "place", "what `within` counts from; where the character stands at first"),
        field("within", "number?", "within so many metres of `around`"),
        field(
            "pause",
            "(number|number[])?",
            "seconds to rest at each place, or the least and the most; {1, 3}",
        ),
        field("timeout", "number?", "seconds after which it ends as `timeout`"),
    ],
};

pub(super) const QUEUE_OPTIONS: Shape = Shape {
    name: "QueueOptions",
    about: "How people stand in line.",
    like: "{tail = \"door\"}",
    fields: &[
        named(
            "tail",
            "Place?",
            "place",
            "where the line leads to, along the way one walks; where the first in it came from",
        ),
        field("spacing", "number?", "metres from one to the next; room enough for two bodies"),
        field("timeout", "number?", "seconds after which it ends as `timeout`"),
    ],
};

pub(super) const NPC_QUERY: Shape = Shape {
    name: "NpcQuery",
    about: "Which characters: those for whom everything holds that is given.",
    like: "{tag = \"guest\", near = npc, within = 3}",
    fields: &[
        field("tag", "string?", "they have this tag"),
        named("area", "string?", "area", "they are in this area"),
        named("near", "Place?", "place", "sorts them: the nearest to this place first"),
        field("within", "number?", "they are within so many metres of `near`"),
        field("alive", "boolean?", "whether they live"),
        field("player", "boolean?", "whether the player steers them"),
    ],
};

pub(super) const SPAWN_OPTIONS: Shape = Shape {
    name: "SpawnOptions",
    about: "A newcomer: the keys of a character in a room file, in snake_case.",
    like: "{at = \"door\", script = \"scripts/guest.lua\"}",
    fields: &[
        named("at", "Place", "place", "where"),
        field("name", "string?", "a name nobody has; `npc_1` and so on if left out"),
        named("script", "string?", "script", "its behaviour"),
        field("player", "boolean?", "whether the player steers it; false if left out"),
        field("priority", "integer?", "who of two that are stuck makes way is the one with less; 0"),
        field("pinned", "boolean?", "whether nobody pushes it aside while it stands; false if left out"),
        field("returns_to_post", "boolean?", "whether it walks back when it was pushed off its place; false"),
        field("walk_speed", "number?", "metres a second; 1.4"),
        field("rotation_speed", "number?", "radians a second; 8"),
        field("collision_radius", "number?", "metres; the room's `agentRadius`"),
        field("heading", "number?", "radians; 0, along x"),
        field("tags", "string[]?", "words to find it by"),
        field("alive", "boolean?", "true if left out"),
        field("enabled", "boolean?", "true if left out"),
    ],
};

pub(super) const LAST_WALK: Shape = Shape {
    name: "LastWalk",
    about: "What became of a walk.",
    like: "",
    fields: &[
        field("reason", "Reason", "how it ended"),
        field("ok", "boolean", "whether it arrived"),
        field("x", "number", "where it was to lead"),
        field("z", "number", "where it was to lead"),
        field("reached", "Point", "where it ended"),
        field("missed_by", "number", "how far that is from where it was to lead, in metres"),
        field("seconds", "number", "how long it took"),
        field(
            "blocked_by",
            "string?",
            "the area, obstacle or character that was in the way; of several the first",
        ),
        field(
            "cancelled_by",
            "string?",
            "who or what called it off: `guard at scripts/guard.lua:12`, `a click`, `the end of a scene`; nil if that is not known",
        ),
        field("explanation", "Explanation?", "more about it, if the goal could not be reached"),
    ],
};

pub(super) const PATH_ENDING: Shape = Shape {
    name: "PathEnding",
    about: "Where a path ends.",
    like: "",
    fields: &[
        field("x", "number", "the place that was asked for"),
        field("z", "number", "the place that was asked for"),
        field("snapped_to", "Point?", "where the path ends, if not at that very place"),
        field("missed_by", "number", "how far that is from the place, in metres; 0 if it ends there"),
        field(
            "step",
            "string",
            "`avoiding` round what is in the way, `ignoring` through it, `nearest` if it only comes near",
        ),
    ],
};

pub(super) const EXPLANATION: Shape = Shape {
    name: "Explanation",
    about: "What is in the way from one place to another.",
    like: "",
    fields: &[
        field("complete", "boolean", "whether nothing is: one gets to the very goal"),
        field("blocked_by", "string[]", "the areas that would have to open, or the obstacles in the way"),
        field("exact", "boolean", "whether no smaller set would do"),
        field("nearest", "Point?", "the reachable place nearest to the goal"),
        field("gap_m", "number?", "how wide the narrowest place is, if it is too narrow"),
        field("needed_m", "number?", "how wide it would have to be"),
        field("text", "string", "all of it in words"),
    ],
};

pub(super) const HOTSPOT: Shape = Shape {
    name: "Hotspot",
    about: "A hotspot, as the room file has it.",
    like: "",
    fields: &[
        field("name", "string", "its name"),
        field("id", "integer?", "the value of the channel it is painted in, if it is painted so"),
        field("cursor", "string?", "what the pointer is to look like: a word of the game's own"),
        field("walk_to", "Point?", "where one stands to use it"),
    ],
};

pub(super) const SWITCHED_OFF: Shape = Shape {
    name: "SwitchedOff",
    about: "A handler that is not called any more.",
    like: "",
    fields: &[
        field("who", "string", "the character's name, or `the room`"),
        field("event", "string", "the event, `on_talk` say"),
        field("file", "string", "the script"),
        field("why", "string", "the last error, and why it was the last"),
    ],
};

pub(super) const COLOUR: Shape = Shape {
    name: "Colour",
    about: "A pixel of the mask.",
    like: "",
    fields: &[
        field("red", "integer", "0 to 255"),
        field("green", "integer", "0 to 255"),
        field("blue", "integer", "0 to 255"),
        field("alpha", "integer", "0 to 255; 255 where the image has no alpha"),
    ],
};

pub(super) const LOAD_OPTIONS: Shape = Shape {
    name: "LoadOptions",
    about: "How a spec loads a room.",
    like: "{seed = 7}",
    fields: &[
        field("seed", "integer?", "feeds every random stream; 0 if left out"),
        named(
            "script_overrides",
            "table<string, string>?",
            "script",
            "characters by name, and the script that each follows instead of its own",
        ),
        named("scripts", "string[]?", "script", "room scripts beside the room's own"),
        field("limits", "SpecLimits?", "what scripts may use up"),
        field("allow_errors", "boolean?", "whether the test goes on when a script of the room has an error"),
    ],
};

pub(super) const MATCH_OPTIONS: Shape = Shape {
    name: "MatchOptions",
    about: "How near a run has to be to a recorded one.",
    like: "{tolerance = 0.1}",
    fields: &[field(
        "tolerance",
        "number?",
        "how far everybody may be from where they were, in metres; if left out, every bit is to be the same",
    )],
};

pub(super) const SPEC_LIMITS: Shape = Shape {
    name: "SpecLimits",
    about: "What scripts may use up, as `limits` in a room file.",
    like: "{instructions_per_call = 5000000}",
    fields: &[
        field(
            "instructions_per_call",
            "integer?",
            "in one call, or one stretch of a sequence between two waits",
        ),
        field("instructions_per_tick", "integer?", "of one script in one step"),
        field("instructions_per_tick_of_all", "integer?", "of all scripts together in one step"),
        field("instructions_per_load", "integer?", "while a file is loaded"),
        field("memory_mb", "integer?", "of all scripts together"),
        field("memory_per_script_mb", "integer?", "of one script"),
        field("characters", "integer?", "beyond which none can be spawned"),
        field("timers", "integer?", "of one script"),
        field("sequences", "integer?", "of one script"),
    ],
};

pub(super) const TEST_OPTIONS: Shape = Shape {
    name: "TestOptions",
    about: "How a test is run.",
    like: "{timeout = 1200}",
    fields: &[field("timeout", "number?", "seconds of game time after which it has failed; 600 if left out")],
};

/// All of them, in reading order.
pub(super) const ALL: [&Shape; 21] = [
    &POINT,
    &WALK_OPTIONS,
    &FLEE_OPTIONS,
    &WANDER_OPTIONS,
    &QUEUE_OPTIONS,
    &PATH_OPTIONS,
    &DISC,
    &RANDOM_POINT,
    &SIGHT_OPTIONS,
    &NPC_QUERY,
    &SPAWN_OPTIONS,
    &LAST_WALK,
    &PATH_ENDING,
    &EXPLANATION,
    &HOTSPOT,
    &SWITCHED_OFF,
    &COLOUR,
    &LOAD_OPTIONS,
    &MATCH_OPTIONS,
    &SPEC_LIMITS,
    &TEST_OPTIONS,
];
