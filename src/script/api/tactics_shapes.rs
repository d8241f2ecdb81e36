//! Tables with known keys, for the tactical level.

use super::shapes::{TableShape, field};

pub(super) const CELL: TableShape = TableShape {
    name: "Cell",
    about: "A cell of the tactical level.",
    like: "{x = 3, y = 1, level = 0}",
    fields: &[
        field("x", "integer", "the column, from 0"),
        field("y", "integer", "the row, from 0"),
        field("level", "integer", "the level, from 0 at the bottom"),
        field("stance", "string?", "`stand` or `crouch`: how the actor holds itself there"),
    ],
};

pub(super) const MOVE: TableShape = TableShape {
    name: "TacticalMove",
    about: "A move of an actor, or a place that it reaches.",
    like: "{x = 3, y = 1, level = 0}",
    fields: &[
        field("x", "integer", "the column after it, from 0"),
        field("y", "integer", "the row after it, from 0"),
        field("level", "integer", "the level after it, from 0 at the bottom"),
        field("stance", "string?", "the stance after it: `stand` or `crouch`"),
        field(
            "move",
            "string?",
            "`walk`, `crouch`, `stand`, `climb_up`, `climb_down`, `fall`, `fly`, `fly_up` or `fly_down`; not for places",
        ),
        field("tu", "integer?", "its TU; for a place the least TU to reach it"),
    ],
};

pub(super) const ACTOR: TableShape = TableShape {
    name: "TacticalActor",
    about: "What a character is on the tactical level.",
    like: "{x = 3, y = 1, level = 0, stance = \"stand\", tu = 50}",
    fields: &[
        field("x", "integer", "the column of its cell, from 0"),
        field("y", "integer", "the row of its cell, from 0"),
        field("level", "integer", "the level of its cell, from 0 at the bottom"),
        field("stance", "string", "`stand` or `crouch`"),
        field("tu", "integer", "the TU that it has left"),
        field("budget", "integer", "the TU that it gets for a turn"),
        field("side", "string", "the side that it is on"),
        field("size", "integer", "its side in cells: 1 or 2"),
        field("flies", "boolean", "whether it flies"),
        field("walking", "boolean", "whether it is on a walk"),
    ],
};

pub(super) const ACTOR_OPTIONS: TableShape = TableShape {
    name: "ActorOptions",
    about: "What an actor is: the keys of `actor` in a room file.",
    like: "{side = \"guards\", budget = 40}",
    fields: &[
        field("side", "string?", "the side that it is on"),
        field("size", "integer?", "its side in cells: 1 or 2"),
        field("stance", "string?", "`stand` or `crouch`"),
        field("flies", "boolean?", "whether it flies"),
        field("budget", "integer?", "the TU that it gets for a turn"),
    ],
};

pub(super) const TACTICAL_WALK: TableShape = TableShape {
    name: "TacticalWalk",
    about: "How an actor walks from cell to cell.",
    like: "{speed = 4}",
    fields: &[field("speed", "number?", "cells a second; as fast as the character walks if left out")],
};
