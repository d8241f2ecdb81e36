//! Orders of the protocol, as JSON.

use crate::nav::Place;
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;

/// An order: an object whose `do` says which.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(super) enum Order {
    /// Makes steps.
    Step {
        ticks: Option<u32>,
    },
    /// Makes the steps of a frame.
    Advance {
        seconds: f64,
    },
    /// Tells all characters, areas and points.
    Look {},
    Click {
        at: Spot,
    },
    /// Steers the player, or a character.
    Steer {
        direction: [f64; 2],
        who: Option<Who>,
    },
    Walk {
        who: Who,
        to: Spot,
        exact: Option<bool>,
    },
    TalkTo {
        who: Who,
        other: Who,
    },
    Follow {
        who: Who,
        other: Who,
        distance: Option<f64>,
    },
    Use {
        who: Who,
        object: String,
    },
    Turn {
        who: Who,
        to: Spot,
    },
    Stop {
        who: Who,
    },
    Teleport {
        who: Who,
        to: Spot,
    },
    Push {
        who: Who,
        by: [f64; 2],
    },
    Say {
        who: Who,
        text: String,
        seconds: Option<f64>,
    },
    Spawn {
        name: String,
        at: Spot,
        script: Option<String>,
        player: Option<bool>,
        tags: Option<Vec<String>>,
        walk_speed: Option<f64>,
        radius: Option<f64>,
        collision_radius: Option<f64>,
    },
    Despawn {
        who: Who,
    },
    SetArea {
        area: String,
        available: bool,
    },
    SetLink {
        link: String,
        available: bool,
    },
    SetWaypath {
        waypath: String,
        available: bool,
    },
    /// Changes what is given of a hotspot.
    SetHotspot {
        hotspot: String,
        enabled: Option<bool>,
        at: Option<[f64; 2]>,
        walk_to: Option<Spot>,
        cursor: Option<String>,
    },
    /// Evaluates a line of Lua.
    Lua {
        line: String,
    },
    Path {
        from: Spot,
        to: Spot,
    },
    /// Replaces a file of the project and reloads it.
    Replace {
        file: String,
        content: String,
    },
    /// Saves the room: into the reply, or into a file.
    Save {
        file: Option<PathBuf>,
    },
    /// Goes back to a save: one of the two.
    Restore {
        save: Option<String>,
        file: Option<PathBuf>,
    },
    /// Ends a call of a function of the game.
    Finish {
        call: u64,
        results: Option<Vec<Value>>,
    },
    Quit {},
}

/// A character: its name or its number.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a character is its name or its number")]
pub(super) enum Who {
    Number(u32),
    Name(String),
}

/// A place: its name, `[x, z]` or `[x, y, z]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a place is its name, [x, z] or [x, y, z]")]
pub(super) enum Spot {
    Name(String),
    At(Place),
}
