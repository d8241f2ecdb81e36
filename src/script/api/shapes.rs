//! Tables with known keys, as parameters and results.

pub(super) use super::link_shapes::{JUMP_OPTIONS, LINK_OPTIONS, WAYPATH_OPTIONS, WAYPOINT};
pub(super) use super::npc_traits::SPAWN_OPTIONS;
pub(super) use super::path_shapes::{
    DISC, EXPLANATION, PATH_ENDING, PATH_OPTIONS, PATH_STATS, REACH_OPTIONS, WALL_SEGMENT,
};
pub(super) use super::tactics_shapes::{ACTOR, ACTOR_OPTIONS, CELL, MOVE, TACTICAL_WALK};

/// A table with known keys.
#[derive(Debug)]
pub struct TableShape {
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

impl TableShape {
    pub(crate) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The present name of a key of version 0.1.
pub(super) fn renamed(key: &str) -> Option<&'static str> {
    (key == "cast").then_some("script_overrides")
}

pub(super) const fn field(name: &'static str, lua_type: &'static str, about: &'static str) -> Field {
    Field { name, lua_type, names: "", about }
}

/// A key whose string or strings name something.
pub(super) const fn named(
    name: &'static str,
    lua_type: &'static str,
    names: &'static str,
    about: &'static str,
) -> Field {
    Field { name, lua_type, names, about }
}

pub(super) const POINT: TableShape = TableShape {
    name: "Point",
    about: "A position, in metres.",
    like: "{x = 1, z = 2}",
    fields: &[
        field("x", "number", "along x"),
        field("y", "number?", "the height, in rooms with several storeys"),
        field("z", "number", "along z"),
    ],
};

pub(super) const WALK_OPTIONS: TableShape = TableShape {
    name: "WalkOptions",
    about: "How to walk.",
    like: "{timeout = 5}",
    fields: &[field("timeout", "number?", "seconds after which the walk ends as `timeout`")],
};

pub(super) const WALK_TO_OPTIONS: TableShape = TableShape {
    name: "WalkToOptions",
    about: "How to walk to a place.",
    like: "{timeout = 5}",
    fields: &[
        field("timeout", "number?", "seconds after which the walk ends as `timeout`"),
        field(
            "exact",
            "boolean?",
            "whether the walk must end at the place itself, not beside somebody who has arrived there; the character also comes back there after stepping aside; false if left out",
        ),
    ],
};

pub(super) const RANDOM_POINT: TableShape = TableShape {
    name: "RandomPoint",
    about: "Where a random point may lie. All keys that are given must hold.",
    like: "{area = \"hall\", near = npc, within = 5}",
    fields: &[
        named("area", "string?", "area", "in this area"),
        named("near", "Place?", "place", "where a character can walk to from this place"),
        field("within", "number?", "within this straight-line distance of `near`, in metres"),
    ],
};

pub(super) const SIGHT_OPTIONS: TableShape = TableShape {
    name: "SightOptions",
    about: "How wide and how far a character sees.",
    like: "{fov = math.rad(90), range = 8}",
    fields: &[
        field(
            "fov",
            "number?",
            "the whole angle of view, in radians, half of it to each side of the heading; all round if left out",
        ),
        field("range", "number?", "how far, in metres; any distance if left out"),
    ],
};

pub(super) const FLEE_OPTIONS: TableShape = TableShape {
    name: "FleeOptions",
    about: "How far to flee.",
    like: "{distance = 6}",
    fields: &[
        field(
            "distance",
            "number?",
            "the straight-line distance that is far enough, in metres; 5 if left out",
        ),
        field("timeout", "number?", "seconds after which it ends as `timeout`"),
    ],
};

pub(super) const WANDER_OPTIONS: TableShape = TableShape {
    name: "WanderOptions",
    about: "Where to walk, and how long to rest.",
    like: "{area = \"hall\", pause = {1, 3}}",
    fields: &[
        named("area", "string?", "area", "in this area; anywhere reachable if left out"),
        named(
            "around",
            "Place?",
            "place",
            "the centre for `within`; where the character stands at first if left out",
        ),
        field("within", "number?", "within this distance of `around`, in metres"),
        field(
            "pause",
            "(number|number[])?",
            "seconds to rest at each place, or the least and the most; {1, 3} if left out",
        ),
        field("timeout", "number?", "seconds after which it ends as `timeout`"),
    ],
};

pub(super) const QUEUE_OPTIONS: TableShape = TableShape {
    name: "QueueOptions",
    about: "How characters stand in line.",
    like: "{tail = \"door\"}",
    fields: &[
        named(
            "tail",
            "Place?",
            "place",
            "where the line leads to, along the walkable way; where its first character came from if left out",
        ),
        field(
            "spacing",
            "number?",
            "metres from one character to the next; enough for two bodies if left out",
        ),
        field("timeout", "number?", "seconds after which it ends as `timeout`"),
    ],
};

pub(super) const FORM_OPTIONS: TableShape = TableShape {
    name: "FormOptions",
    about: "A formation.",
    like: "{kind = \"circle\", who = {npc, \"ann\"}, at = \"well\"}",
    fields: &[
        field("kind", "\"circle\"|\"line\"|\"wedge\"", "its shape"),
        named("who", "(Npc|string)[]", "character", "the characters, or their names; at most 200"),
        named("at", "Place", "place", "the middle of a circle or a line, the tip of a wedge"),
        field("spacing", "number?", "metres from one to the next; enough for two bodies if left out"),
        field("radius", "number?", "the radius of a circle, in metres; as the spacing says if left out"),
        named(
            "facing",
            "(number|Place)?",
            "place",
            "where a line or a wedge looks: a heading in radians, or a place; on, as they come, if left out",
        ),
        field("timeout", "number?", "seconds after which those still on their way end as `timeout`"),
    ],
};

pub(super) const NPC_QUERY: TableShape = TableShape {
    name: "NpcQuery",
    about: "Which characters. All keys that are given must hold.",
    like: "{tag = \"guest\", near = npc, within = 3}",
    fields: &[
        field("tag", "string?", "characters with this tag"),
        named("area", "string?", "area", "characters in this area"),
        named("near", "Place?", "place", "sorts the characters: the nearest to this place first"),
        field("within", "number?", "characters within this distance of `near`, in metres"),
        field("alive", "boolean?", "whether the character is alive"),
        field("player", "boolean?", "whether the player controls the character"),
    ],
};

pub(super) const LAST_WALK: TableShape = TableShape {
    name: "LastWalk",
    about: "How a walk ended.",
    like: "",
    fields: &[
        field("reason", "Reason", "how it ended"),
        field("ok", "boolean", "whether it arrived"),
        field("x", "number", "the requested place"),
        field("y", "number?", "its height, if one was requested"),
        field("z", "number", "the requested place"),
        field("reached", "Point", "where the walk ended"),
        field("missed_by", "number", "the distance from there to the requested place, in metres"),
        field("seconds", "number", "how long the walk took"),
        field(
            "blocked_by",
            "string?",
            "the area, obstacle or character that was in the way; the first one if there are several",
        ),
        field(
            "cancelled_by",
            "string?",
            "what cancelled the walk: `guard at scripts/guard.lua:12`, `a click`, `the end of a scene`; nil if unknown",
        ),
        field("explanation", "Explanation?", "what blocked the way, if the goal could not be reached"),
    ],
};

pub(super) const HOTSPOT: TableShape = TableShape {
    name: "Hotspot",
    about: "A copy of a hotspot. `room:set_hotspot` changes the hotspot itself.",
    like: "",
    fields: &[
        field("enabled", "boolean", "whether it can be pointed at and used"),
        field("name", "string", "its name"),
        field("id", "integer?", "its value in the painted channel, if it is painted"),
        field("cursor", "string?", "the look of the pointer: a word that the game defines"),
        field("walk_to", "Point?", "where a character stands to use it"),
    ],
};

pub(super) const HOTSPOT_CHANGES: TableShape = TableShape {
    name: "HotspotChanges",
    about: "What to change of a hotspot.",
    like: "{enabled = false}",
    fields: &[
        field("enabled", "boolean?", "whether it can be pointed at and used"),
        field("at", "Place?", "where its middle is to be"),
        field("walk_to", "Place?", "where a character is to stand to use it"),
        field("cursor", "string?", "the look of the pointer: a word that the game defines"),
    ],
};

pub(super) const SWITCHED_OFF: TableShape = TableShape {
    name: "SwitchedOff",
    about: "A handler that is switched off.",
    like: "",
    fields: &[
        field("who", "string", "the character's name, or `the room`"),
        field("event", "string", "the event, for example `on_talk`"),
        field("file", "string", "the script"),
        field("why", "string", "the last error, and why the handler was switched off"),
    ],
};

pub(super) const COLOUR: TableShape = TableShape {
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

pub(super) const LOAD_OPTIONS: TableShape = TableShape {
    name: "LoadOptions",
    about: "How a spec loads a room.",
    like: "{seed = 7}",
    fields: &[
        field("seed", "integer?", "the seed of every random stream; 0 if left out"),
        named(
            "script_overrides",
            "table<string, string>?",
            "script",
            "for each character, by name, the script that it follows instead of its own",
        ),
        named("scripts", "string[]?", "script", "room scripts in addition to the room's own"),
        field("limits", "SpecLimits?", "limits of what scripts may use"),
        field(
            "allow_errors",
            "boolean?",
            "whether the test continues when a script of the room has an error",
        ),
    ],
};

pub(super) const MATCH_OPTIONS: TableShape = TableShape {
    name: "MatchOptions",
    about: "How near a run must be to the recorded one.",
    like: "{tolerance = 0.1}",
    fields: &[field(
        "tolerance",
        "number?",
        "how far each character may be from its recorded place, in metres; if left out, every bit must be the same",
    )],
};

pub(super) const SPEC_LIMITS: TableShape = TableShape {
    name: "SpecLimits",
    about: "Limits of what scripts may use, as `limits` in a room file.",
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
        field("characters", "integer?", "the number beyond which no character can be spawned"),
        field("timers", "integer?", "of one script"),
        field("sequences", "integer?", "of one script"),
    ],
};

pub(super) const TEST_OPTIONS: TableShape = TableShape {
    name: "TestOptions",
    about: "How a test is run.",
    like: "{timeout = 1200}",
    fields: &[field(
        "timeout",
        "number?",
        "seconds of game time after which the test fails; 600 if left out",
    )],
};

/// All of them, in reading order.
pub(super) const ALL: [&TableShape; 36] = [
    &POINT,
    &WALK_OPTIONS,
    &WALK_TO_OPTIONS,
    &FLEE_OPTIONS,
    &WANDER_OPTIONS,
    &QUEUE_OPTIONS,
    &FORM_OPTIONS,
    &PATH_OPTIONS,
    &REACH_OPTIONS,
    &DISC,
    &RANDOM_POINT,
    &SIGHT_OPTIONS,
    &NPC_QUERY,
    &SPAWN_OPTIONS,
    &LINK_OPTIONS,
    &JUMP_OPTIONS,
    &WAYPATH_OPTIONS,
    &WAYPOINT,
    &CELL,
    &MOVE,
    &ACTOR,
    &ACTOR_OPTIONS,
    &TACTICAL_WALK,
    &LAST_WALK,
    &PATH_ENDING,
    &PATH_STATS,
    &WALL_SEGMENT,
    &EXPLANATION,
    &HOTSPOT,
    &HOTSPOT_CHANGES,
    &SWITCHED_OFF,
    &COLOUR,
    &LOAD_OPTIONS,
    &MATCH_OPTIONS,
    &SPEC_LIMITS,
    &TEST_OPTIONS,
];
