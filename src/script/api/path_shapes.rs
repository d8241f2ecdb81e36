//! Tables with known keys, for paths and what is asked of the ground.

use super::shapes::{Field, TableShape, field};

pub(super) const PATH_OPTIONS: TableShape = TableShape {
    name: "PathOptions",
    about: "How to plan a path.",
    like: "{avoid = {npc, {x = 1, z = 2, radius = 0.5}}}",
    fields: &[
        field("avoid", "(Npc|Disc)[]?", "obstacles to avoid: characters, and discs of your own"),
        SNAP,
        SAME_SIDE,
        field("longest", "number?", "metres; a longer path counts as none"),
    ],
};

const SNAP: Field = field(
    "snap",
    "(number|false)?",
    "how far a place off the ground is moved, in metres; `false` for not at all; the room's `snapDistance` if left out",
);
const SAME_SIDE: Field = field(
    "same_side",
    "boolean?",
    "`true`: a goal is moved to its own side of a wall only, where that is known; `false`: to the nearest side; if left out, to its own side if that \
     has ground within `snap`",
);

pub(super) const REACH_OPTIONS: TableShape = TableShape {
    name: "ReachOptions",
    about: "How to look for a way.",
    like: "{budget = 20000}",
    fields: &[
        SNAP,
        SAME_SIDE,
        field("budget", "integer?", "how many places a search may look at; 10,000 if left out"),
    ],
};

pub(super) const DISC: TableShape = TableShape {
    name: "Disc",
    about: "A round piece of the ground.",
    like: "{x = 1, z = 2, radius = 0.5}",
    fields: &[
        field("x", "number", "along x"),
        field("z", "number", "along z"),
        field("radius", "number", "in metres"),
    ],
};

pub(super) const PATH_STATS: TableShape = TableShape {
    name: "PathStats",
    about: "How long walks waited for their paths. A path that is found in the next step has waited for 0 ticks.",
    like: "",
    fields: &[
        field("answered", "integer", "the number of searches that came to their end"),
        field("waiting", "integer", "the number of walks that wait for a path now"),
        field("mean", "number", "the mean wait, in ticks"),
        field("max", "integer", "the longest wait, in ticks"),
        field("half_within", "integer", "half of the waits were not longer than this, in ticks"),
        field("most_within", "integer", "99 % of the waits were not longer than this, in ticks"),
    ],
};

pub(super) const PATH_ENDING: TableShape = TableShape {
    name: "PathEnding",
    about: "Where a path ends.",
    like: "",
    fields: &[
        field("x", "number", "the requested place"),
        field("y", "number?", "its height, if one was requested"),
        field("z", "number", "the requested place"),
        field("snapped_to", "Point?", "where the path ends, if not at the requested place"),
        field(
            "missed_by",
            "number",
            "the distance from there to the requested place, in metres; 0 if the path ends there",
        ),
        field(
            "step",
            "string",
            "`avoiding` if it leads round obstacles, `ignoring` if through them, `nearest` if only near the goal",
        ),
    ],
};

pub(super) const WALL_SEGMENT: TableShape = TableShape {
    name: "WallSegment",
    about: "A wall near a place. The ground is on its left, with x to the right and z up.",
    like: "",
    fields: &[
        field("from", "Point", "where it begins"),
        field("to", "Point", "where it ends"),
        field("nearest", "Point", "its point nearest to the place"),
        field("distance", "number", "how far that is from the place, in metres"),
    ],
};

pub(super) const EXPLANATION: TableShape = TableShape {
    name: "Explanation",
    about: "What blocks the way from one place to another.",
    like: "",
    fields: &[
        field("complete", "boolean", "whether the way is free: a character gets to the goal itself"),
        field(
            "blocked_by",
            "string[]",
            "the areas and links that would have to open, or the obstacles in the way",
        ),
        field("links", "string[]", "the links each of which would lead there alone"),
        field("exact", "boolean", "whether `blocked_by` is a smallest such set"),
        field("nearest", "Point?", "the reachable place nearest to the goal"),
        field("gap_m", "number?", "the width of the narrowest place, if it is too narrow"),
        field("needed_m", "number?", "the width that it would need"),
        field("text", "string", "the explanation in words"),
    ],
};
