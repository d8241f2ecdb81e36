//! The names in a room, and tests whether a string in a script is one of them.

use super::facts::Spawned;
use crate::problem::did_you_mean;
use crate::room::Room;
use crate::script::api::Object;
use std::collections::BTreeSet;

/// The names that scripts may use in a room.
#[derive(Debug, Default)]
pub(super) struct RoomNames {
    /// The room's file, from the project's root.
    pub(super) file: String,
    pub(super) name: String,
    points: BTreeSet<String>,
    areas: BTreeSet<String>,
    characters: BTreeSet<String>,
    hotspots: BTreeSet<String>,
    obstacles: BTreeSet<String>,
    links: BTreeSet<String>,
    waypaths: BTreeSet<String>,
    /// The names of characters spawned there.
    pub(super) spawned: Vec<Spawned>,
    scripts: Vec<(String, Object)>,
}

impl RoomNames {
    pub(super) fn of(file: &str, room: &Room) -> Self {
        let behaviours = room.characters.iter().filter_map(|spec| spec.script.clone());
        let scripts = room.script.iter().map(|script| (script.clone(), Object::RoomScript));
        Self {
            file: file.to_owned(),
            name: room.name.clone(),
            points: room.points.keys().cloned().collect(),
            areas: room.areas.iter().map(|area| area.name.clone()).collect(),
            characters: room.characters.iter().map(|spec| spec.name.clone()).collect(),
            hotspots: room.hotspots.iter().map(|hotspot| hotspot.name.clone()).collect(),
            obstacles: room.obstacles.iter().map(|obstacle| obstacle.name.clone()).collect(),
            links: room.links.iter().map(|link| link.name.clone()).collect(),
            waypaths: room.waypaths.iter().map(|waypath| waypath.name.clone()).collect(),
            spawned: Vec::new(),
            scripts: scripts.chain(behaviours.map(|script| (script, Object::Behaviour))).collect(),
        }
    }

    /// The scripts that the room's file names, with their roles.
    pub(super) fn scripts(&self) -> impl Iterator<Item = (&str, Object)> {
        self.scripts.iter().map(|(script, role)| (script.as_str(), *role))
    }

    /// The sets of names valid where the API table says `names`. Names that are almost places count as places:
    /// silence beats a false alarm.
    fn sets(&self, names: &str) -> Vec<&BTreeSet<String>> {
        match names {
            "area" => vec![&self.areas],
            "character" => vec![&self.characters],
            "point" => vec![&self.points, &self.characters],
            "place" | "target" => vec![&self.points, &self.characters, &self.hotspots, &self.areas],
            "object" => vec![&self.hotspots, &self.points],
            "hotspot" => vec![&self.hotspots, &self.points, &self.characters],
            "link" => vec![&self.links],
            "waypath" => vec![&self.waypaths],
            _ => Vec::new(),
        }
    }

    pub(super) fn knows(&self, names: &str, name: &str) -> bool {
        let sets = self.sets(names);
        sets.is_empty() || sets.iter().any(|set| set.contains(name))
    }

    /// The most similar name.
    pub(super) fn near(&self, names: &str, name: &str) -> Option<&str> {
        let spawned = self.spawned.iter().filter_map(|spawned| match spawned {
            Spawned::Named(name) if may_be_character(names) => Some(name),
            _ => None,
        });
        did_you_mean(name, self.sets(names).into_iter().flatten().chain(spawned).map(String::as_str))
    }

    /// The kind of thing that has this name instead, as text.
    pub(super) fn other(&self, name: &str) -> Option<&'static str> {
        let all = [
            ("an area", &self.areas),
            ("a point", &self.points),
            ("a character", &self.characters),
            ("a hotspot", &self.hotspots),
            ("an obstacle", &self.obstacles),
            ("a link", &self.links),
            ("a waypath", &self.waypaths),
        ];
        all.into_iter().find(|(_, set)| set.contains(name)).map(|(what, _)| what)
    }
}

/// Whether a name of this kind may belong to a spawned character.
pub(super) fn may_be_character(names: &str) -> bool {
    matches!(names, "character" | "point" | "place" | "target" | "hotspot")
}

/// The kind of these names, as text.
pub(super) fn in_words(names: &str) -> &'static str {
    match names {
        "area" => "area",
        "character" => "character",
        "object" => "hotspot or point",
        "hotspot" => "hotspot",
        "target" => "hotspot, point or character",
        "link" => "link",
        "waypath" => "waypath",
        _ => "point or character",
    }
}
