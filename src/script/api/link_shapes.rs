//! Tables with known keys, for links, jumps and waypaths.

use super::shapes::{TableShape, field, named};

pub(super) const LINK_OPTIONS: TableShape = TableShape {
    name: "LinkOptions",
    about: "A new link: the keys of a link in a room file, in snake_case.",
    like: "{name = \"rope\", from = \"cliff\", to = \"beach\", kind = \"climb\"}",
    fields: &[
        field("name", "string", "a name that no other link has"),
        named("from", "Place", "place", "where it begins"),
        named("to", "Place", "place", "where it ends"),
        field(
            "kind",
            "string?",
            "`walk`, `jump`, `climb`, `ladder`, `lift`, `teleport` or `handler`; `walk` if left out",
        ),
        field("one_way", "boolean?", "whether it leads from `from` to `to` only; false if left out"),
        field(
            "cost",
            "number?",
            "as much as walking so many metres; the distance between the ends if left out",
        ),
        field("seconds", "number?", "how long a crossing takes"),
        field("tags", "string[]?", "only characters with one of these tags use it"),
        field("never", "string[]?", "characters with one of these tags do not use it"),
        field("available", "boolean?", "whether it is open; true if left out"),
        field("capacity", "integer?", "how many may cross it at once; the others wait in line"),
    ],
};

pub(super) const JUMP_OPTIONS: TableShape = TableShape {
    name: "JumpOptions",
    about: "How a jump is jumped.",
    like: "{velocity = 4}",
    fields: &[
        field("velocity", "number?", "metres a second; as `time` says if left out"),
        field(
            "time",
            "number?",
            "seconds; as `velocity` says if left out, or as links of the kind `jump` take",
        ),
    ],
};

pub(super) const WAYPATH_OPTIONS: TableShape = TableShape {
    name: "WaypathOptions",
    about: "A new waypath: the keys of a waypath in a room file.",
    like: "{name = \"lane\", points = {{at = \"gate\"}, {at = {x = 3, z = 1}}}}",
    fields: &[
        field("name", "string", "a name that no other waypath has"),
        field("points", "Waypoint[]", "the waypoints, two or more, in walking order"),
        field("kind", "string?", "`one_way`, `two_way` or `loop`; `one_way` if left out"),
        field("tags", "string[]?", "only characters with one of these tags use it"),
        field("available", "boolean?", "whether it is open; true if left out"),
    ],
};

pub(super) const WAYPOINT: TableShape = TableShape {
    name: "Waypoint",
    about: "A waypoint of a waypath.",
    like: "{at = {x = 3, z = 1}, crouch = true}",
    fields: &[
        named("at", "Place", "place", "where it is"),
        field(
            "crouch",
            "boolean?",
            "whether characters crouch from here on, or stand up; as before if left out",
        ),
        field("speed", "number?", "the share of their walking speed from here on; as before if left out"),
        field("jump", "boolean?", "whether they jump to the next waypoint; false if left out"),
        field("handler", "string?", "a word for `on_waypoint`"),
        field("index", "integer?", "its number on the waypath, from 1; not for `room:add_waypath`"),
        named("waypath", "string?", "waypath", "the name of the waypath; not for `room:add_waypath`"),
    ],
};
