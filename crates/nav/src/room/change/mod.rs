//! Compares two versions of a room by name: what a save changed.

mod characters;
mod others;
mod text;
mod ways;

pub use characters::{CharacterChange, CharacterField};
pub use ways::WayChange;

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;

use super::{Area, Obstacle, Room, WhenOccupied};
use crate::geometry::Place;
use characters::{character_change, start_change};
use ways::{link_change, waypath_change};

/// The differences between an old and a new version of a room file.
///
/// Only the two versions of the *file* are compared. A door that was opened while the game ran stays open unless the
/// file's own `available` changed. A character that walked away stays where it is unless it is gone from the file.
/// Lists follow the order of the new file; lists of removed things follow that of the old one. Things are identified
/// by name, so a change of their order alone changes nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoomChange {
    /// What changed of the room as a whole.
    pub room: Vec<RoomField>,
    /// Hotspots added, removed or changed, by name.
    pub hotspots: Vec<String>,
    /// Areas.
    pub areas: Changes<AreaChange>,
    /// Obstacles.
    pub obstacles: Changes<ObstacleChange>,
    /// Links.
    pub links: Changes<WayChange>,
    /// Waypaths.
    pub waypaths: Changes<WayChange>,
    /// Points; those that changed have another place.
    pub points: Changes<String>,
    /// Points that became goals, or are goals no longer.
    pub goals: Changes<String>,
    /// Characters; those that changed differ in more than their start.
    pub characters: Changes<CharacterChange>,
    /// Characters whose start (place or heading) changed. Living characters are not moved for it.
    pub starts: Vec<String>,
}

/// The differences of things that have names.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes<T> {
    /// Those that are new.
    pub added: Vec<String>,
    /// Those that are gone.
    pub removed: Vec<String>,
    /// Those in both versions that differ.
    pub changed: Vec<T>,
}

impl<T> Default for Changes<T> {
    fn default() -> Self {
        Self { added: Vec::new(), removed: Vec::new(), changed: Vec::new() }
    }
}

/// A part of the room as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoomField {
    /// Its name.
    Name,
    /// Cell size, radius, paddings or floor: the ground must be rebuilt.
    Ground,
    /// The cells of a grid or painted room, or whether it is one.
    Grid,
    /// The polygons of a mesh room, or whether it has any of its own.
    Mesh,
    /// The tactical level.
    Tactics,
    /// The paints, apart from those of areas and hotspots; or the image, where that changes no cell.
    Mask,
    /// The picture behind the room.
    Background,
    /// The depth bands, which scale characters by z.
    DepthBands,
    /// The rectangle of [`Room::bounds`]: the origin of the cells or their number is another.
    Bounds,
    /// A constant of the crowd.
    Crowd,
    /// The limits of scripts.
    Limits,
    /// The length of a tick.
    TicksPerSecond,
    /// Which script is the room's own; not the script's content.
    Script,
    /// Something that is none of these.
    Others,
}

/// An area in both versions and its differences; at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct AreaChange {
    /// The area's name.
    pub name: String,
    /// The polygon or the pixels changed.
    pub reshaped: bool,
    /// The pixels changed.
    pub repainted: bool,
    /// The new `available`, if the file's value changed.
    pub available: Option<bool>,
    /// The new `whenOccupied`, if it changed.
    pub when_occupied: Option<WhenOccupied>,
    /// The new `seeThrough`, if it changed.
    pub see_through: Option<bool>,
    /// Something else of it changed.
    pub others: bool,
}

/// An obstacle in both versions and its differences; at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct ObstacleChange {
    /// The obstacle's name.
    pub name: String,
    /// The polygon changed.
    pub reshaped: bool,
    /// The new `seeThrough`, if it changed.
    pub see_through: Option<bool>,
}

impl RoomChange {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares two versions of a room by name.
pub fn difference(old: &Room, new: &Room) -> RoomChange {
    let same_mesh = old.mesh == new.mesh; // in another mesh, the polygons of an area have other numbers
    let (points, goals) =
        (|room: &Room| room.points.clone().into_iter().collect(), |room: &Room| room.goals.clone());
    let (old_points, new_points): (Vec<_>, Vec<_>) = (points(old), points(new));
    let moved =
        |(_, old): &(String, Place), (name, new): &(String, Place)| (old != new).then(|| name.clone());
    RoomChange {
        room: room_change(old, new),
        hotspots: hotspots_changed(old, new),
        areas: changes(
            &old.areas,
            &new.areas,
            |area| &area.name,
            |old, new| area_change(old, new, same_mesh),
        ),
        obstacles: changes(&old.obstacles, &new.obstacles, |obstacle| &obstacle.name, obstacle_change),
        links: changes(&old.links, &new.links, |link| &link.name, link_change),
        waypaths: changes(&old.waypaths, &new.waypaths, |waypath| &waypath.name, waypath_change),
        points: changes(&old_points, &new_points, |(name, _)| name, moved),
        goals: changes(&goals(old), &goals(new), |goal| goal, |_, _| None),
        characters: changes(&old.characters, &new.characters, |spec| &spec.name, character_change),
        starts: changes(&old.characters, &new.characters, |spec| &spec.name, start_change).changed,
    }
}

fn room_change(old: &Room, new: &Room) -> Vec<RoomField> {
    let compared = [
        (RoomField::Name, old.name != new.name),
        (RoomField::Ground, old.ground != new.ground),
        (RoomField::Grid, old.grid != new.grid),
        (RoomField::Mesh, old.mesh != new.mesh),
        (RoomField::Tactics, old.tactics != new.tactics),
        (RoomField::Mask, old.mask != new.mask),
        (RoomField::Background, old.background != new.background),
        (RoomField::DepthBands, old.depth_bands != new.depth_bands),
        (RoomField::Bounds, old.bounds() != new.bounds()),
        (RoomField::Crowd, old.crowd != new.crowd),
        (RoomField::Limits, old.limits != new.limits),
        (RoomField::TicksPerSecond, old.ticks_per_second != new.ticks_per_second),
        (RoomField::Script, old.script != new.script),
        (RoomField::Others, others::of_room(old) != others::of_room(new)),
    ];
    compared.into_iter().filter(|(_, changed)| *changed).map(|(field, _)| field).collect()
}

fn hotspots_changed(old: &Room, new: &Room) -> Vec<String> {
    let changed = |one: &Room, other: &Room| -> Vec<String> {
        let differs = one.hotspots.iter().filter(|spot| other.hotspot_named(&spot.name) != Some(spot));
        differs.map(|spot| spot.name.clone()).collect()
    };
    let mut names = changed(new, old);
    names.extend(changed(old, new).into_iter().filter(|name| new.hotspot_named(name).is_none()));
    let order = |room: &Room| room.hotspots.iter().map(|spot| spot.name.clone()).collect::<Vec<_>>();
    if names.is_empty() && order(old) != order(new) {
        names = order(new); // the order decides which one is on top
    }
    names
}

/// Compares things of the same kind by name.
fn changes<T, C>(
    old: &[T],
    new: &[T],
    name: impl Fn(&T) -> &String,
    change: impl Fn(&T, &T) -> Option<C>,
) -> Changes<C> {
    let before: BTreeMap<&String, &T> = old.iter().map(|thing| (name(thing), thing)).collect();
    let mut result = Changes::default();
    let mut names = BTreeSet::new();
    for thing in new {
        names.insert(name(thing));
        match before.get(name(thing)) {
            Some(before) => result.changed.extend(change(before, thing)),
            None => result.added.push(name(thing).clone()),
        }
    }
    result.removed = old.iter().map(&name).filter(|name| !names.contains(name)).cloned().collect();
    result
}

fn area_change(old: &Area, new: &Area, same_mesh: bool) -> Option<AreaChange> {
    let change = AreaChange {
        others: others::of_area(old) != others::of_area(new),
        name: new.name.clone(),
        repainted: old.painted != new.painted,
        reshaped: !same_shape(&old.polygon, &new.polygon)
            || old.painted != new.painted
            || old.heights_m != new.heights_m
            || same_mesh && old.mesh_polygons != new.mesh_polygons,
        available: (old.available != new.available).then_some(new.available),
        when_occupied: (old.when_occupied != new.when_occupied).then_some(new.when_occupied),
        see_through: (old.see_through != new.see_through).then_some(new.see_through),
    };
    let same = AreaChange {
        name: new.name.clone(),
        reshaped: false,
        repainted: false,
        available: None,
        when_occupied: None,
        see_through: None,
        others: false,
    };
    (change != same).then_some(change)
}

fn obstacle_change(old: &Obstacle, new: &Obstacle) -> Option<ObstacleChange> {
    let reshaped = !same_shape(&old.polygon, &new.polygon);
    let see_through = (old.see_through != new.see_through).then_some(new.see_through);
    (reshaped || see_through.is_some()).then(|| ObstacleChange {
        name: new.name.clone(),
        reshaped,
        see_through,
    })
}

/// Compares corner by corner. Another first corner or winding counts as a change: that costs a rebuild and does no
/// harm.
fn same_shape(old: &[DVec2], new: &[DVec2]) -> bool {
    old == new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::parse;

    const BEFORE: &str = r#"{
        "areas": [{"name": "hall", "polygon": [[0,0],[9,0],[9,9],[0,9]]}, {"name": "door", "polygon": [[9,4],[10,4],[10,5]]}],
        "obstacles": [{"name": "bar", "polygon": [[1,1],[2,1],[2,2]]}],
        "points": {"gate": [1, 5]},
        "characters": [{"name": "hero", "at": "gate", "player": true}, {"name": "guest", "at": [5, 5], "tags": ["a"]}]
    }"#;

    fn room(text: &str) -> Room {
        match parse("r.json", text.as_bytes()) {
            Ok(parsed) => parsed.room,
            Err(report) => panic!("{report}"),
        }
    }

    /// Checks that replacing `old` by `new` in the file gives exactly what `expected` writes into an empty change.
    fn check(old: &str, new: &str, expected: impl Fn(&mut RoomChange)) {
        assert!(BEFORE.contains(old), "{old}");
        let mut change = RoomChange::default();
        expected(&mut change);
        assert_eq!(difference(&room(BEFORE), &room(&BEFORE.replacen(old, new, 1))), change, "{old} -> {new}");
    }

    fn names(name: &str) -> Vec<String> {
        vec![name.to_owned()]
    }

    #[test]
    fn the_same_room_in_other_words() {
        assert!(difference(&room(BEFORE), &room(BEFORE)).is_empty());
        check("[0,0]", "[0,0],[0.0,-0]", |_| {});
        check("\"obstacles\"", "\"cellSize\": 0.4, \"crowd\": {\"snapDistance\": 8}, \"obstacles\"", |_| {});
    }

    #[test]
    fn settings() {
        check("\"points\"", "\"floorY\": 1, \"points\"", |change| change.room = vec![RoomField::Ground]);
        check("\"points\"", "\"cellSize\": 0.5, \"points\"", |change| {
            change.room = vec![RoomField::Ground, RoomField::Bounds];
        });
        check("\"points\"", "\"crowd\": {\"snapDistance\": 1}, \"points\"", |change| {
            change.room = vec![RoomField::Crowd]
        });
        check("\"points\"", "\"script\": \"a.lua\", \"points\"", |change| {
            change.room = vec![RoomField::Script]
        });
        check("\"points\"", "\"ticksPerSecond\": 30, \"points\"", |change| {
            change.room = vec![RoomField::TicksPerSecond]
        });
        check("\"points\"", "\"name\": \"x\", \"points\"", |change| change.room = vec![RoomField::Name]);
    }

    #[test]
    fn areas() {
        let door = AreaChange {
            name: "door".into(),
            reshaped: false,
            repainted: false,
            available: None,
            when_occupied: None,
            see_through: None,
            others: false,
        };
        check("\"door\"", "\"door\", \"available\": false", |change| {
            change.areas.changed = vec![AreaChange { available: Some(false), ..door.clone() }];
        });
        check("\"door\"", "\"door\", \"whenOccupied\": \"hold\"", |change| {
            change.areas.changed =
                vec![AreaChange { when_occupied: Some(WhenOccupied::Hold), ..door.clone() }];
        });
        check("[10,5]", "[10,6]", |change| {
            change.areas.changed = vec![AreaChange { reshaped: true, ..door.clone() }];
        });
        check("\"door\"", "\"door\", \"seeThrough\": true", |change| {
            change.areas.changed = vec![AreaChange { see_through: Some(true), ..door.clone() }];
        });
        check("\"door\"", "\"gap\"", |change| {
            change.areas.added = names("gap");
            change.areas.removed = names("door");
        });
    }

    #[test]
    fn obstacles_and_points() {
        let bar = ObstacleChange { name: "bar".into(), reshaped: false, see_through: None };
        check("[2,2]", "[2,3]", |change| {
            change.obstacles.changed = vec![ObstacleChange { reshaped: true, ..bar.clone() }];
        });
        check("\"bar\"", "\"bar\", \"seeThrough\": true", |change| {
            change.obstacles.changed = vec![ObstacleChange { see_through: Some(true), ..bar.clone() }];
        });
        check("\"bar\"", "\"well\"", |change| {
            change.obstacles.added = names("well");
            change.obstacles.removed = names("bar");
        });
        check("\"gate\": [1, 5]", "\"gate\": [1, 5], \"well\": [2, 2]", |change| {
            change.points.added = names("well")
        });
        check("\"points\"", "\"goals\": [\"gate\"], \"points\"", |change| change.goals.added = names("gate"));
        check("\"gate\": [1, 5]", "\"gate\": [1, 6]", |change| {
            change.points.changed = names("gate");
            change.starts = names("hero");
        });
    }

    #[test]
    fn characters() {
        check("[5, 5]", "[6, 5]", |change| change.starts = names("guest"));
        check("[\"a\"]", "[\"b\"], \"enabled\": false", |change| {
            let fields = vec![CharacterField::Tags, CharacterField::Enabled];
            change.characters.changed = vec![CharacterChange { name: "guest".into(), fields }];
        });
        check("\"guest\"", "\"cook\"", |change| {
            change.characters.added = names("cook");
            change.characters.removed = names("guest");
        });
        // A radius that defaults to the room's changes with it.
        check("\"points\"", "\"agentRadius\": 0.3, \"points\"", |change| {
            change.room = vec![RoomField::Ground, RoomField::Bounds];
            let fields = || vec![CharacterField::CollisionRadius];
            change.characters.changed =
                ["hero", "guest"].map(|name| CharacterChange { name: name.into(), fields: fields() }).into();
        });
    }
}
