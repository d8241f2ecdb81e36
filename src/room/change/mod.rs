//! Compares two versions of a room by name: what a save changed.

mod characters;
mod others;
mod text;
mod ways;

pub use characters::{CharacterChange, CharacterField};
pub use ways::{LinkChange, WaypathChange};

use std::collections::BTreeMap;

use glam::DVec2;

use super::{Area, Room, WhenOccupied};
use characters::{character_change, start_changed};
use ways::{link_change, waypath_change};

/// The differences between an old and a new version of a room file.
///
/// Only the two versions of the *file* are compared. A door that was opened while the game ran stays open unless the
/// file's own `available` changed. A character that walked away stays where it is unless it is gone from the file.
/// Lists follow the order of the new file; lists of removed things follow that of the old one. Things are identified
/// by name, so a change of their order alone changes nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoomChange {
    /// The room's name.
    pub name_changed: bool,
    /// Cell size, radius, paddings or floor: the ground must be rebuilt.
    pub ground_changed: bool,
    /// The cells of a grid or painted room, or whether it is one.
    pub grid_changed: bool,
    /// The tactical level.
    pub tactics_changed: bool,
    /// The polygons of a mesh room, or whether it has any of its own.
    pub mesh_changed: bool,
    /// The paints, apart from those of areas and hotspots; or the image, where that changes no cell.
    pub mask_changed: bool,
    /// The picture behind the room.
    pub background_changed: bool,
    /// Hotspots added, removed or changed, by name.
    pub hotspots_changed: Vec<String>,
    /// The depth bands, which scale characters by z.
    pub depth_bands_changed: bool,
    /// Links that are new.
    pub links_added: Vec<String>,
    /// Links that are gone.
    pub links_removed: Vec<String>,
    /// Links in both versions that differ.
    pub links_changed: Vec<LinkChange>,
    /// Waypaths that are new.
    pub waypaths_added: Vec<String>,
    /// Waypaths that are gone.
    pub waypaths_removed: Vec<String>,
    /// Waypaths in both versions that differ.
    pub waypaths_changed: Vec<WaypathChange>,
    /// The rectangle of [`Room::bounds`]: the origin of the cells or their number is another.
    pub bounds_changed: bool,
    /// A constant of the crowd.
    pub crowd_changed: bool,
    /// The limits of scripts.
    pub limits_changed: bool,
    /// The length of a tick.
    pub ticks_per_second_changed: bool,
    /// Which script is the room's own; not the script's content.
    pub script_changed: bool,
    /// Areas that are new.
    pub areas_added: Vec<String>,
    /// Areas that are gone.
    pub areas_removed: Vec<String>,
    /// Areas in both versions that differ.
    pub areas_changed: Vec<AreaChange>,
    /// Obstacles that are new.
    pub obstacles_added: Vec<String>,
    /// Obstacles that are gone.
    pub obstacles_removed: Vec<String>,
    /// Obstacles with another polygon.
    pub obstacles_reshaped: Vec<String>,
    /// Areas and obstacles in both versions whose `seeThrough` changed.
    pub see_through_changed: Vec<String>,
    /// Points that are new.
    pub points_added: Vec<String>,
    /// Points that are gone.
    pub points_removed: Vec<String>,
    /// Points whose place changed.
    pub points_moved: Vec<String>,
    /// Points that became goals.
    pub goals_added: Vec<String>,
    /// Points that are no longer goals.
    pub goals_removed: Vec<String>,
    /// Characters that are new.
    pub characters_added: Vec<String>,
    /// Characters that are gone.
    pub characters_removed: Vec<String>,
    /// Characters in both versions that differ in more than their start.
    pub characters_changed: Vec<CharacterChange>,
    /// Something of the room as a whole changed that has no field here.
    pub others_changed: bool,
    /// Characters whose start (place or heading) changed. Living characters are not moved for it.
    pub starts_changed: Vec<String>,
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
    /// Something else of it changed.
    pub others: bool,
}

impl RoomChange {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares two versions of a room by name.
pub fn difference(old: &Room, new: &Room) -> RoomChange {
    let areas = by_name(
        old.areas.iter().map(|a| (a.name.as_str(), a)),
        new.areas.iter().map(|a| (a.name.as_str(), a)),
    );
    let obstacles = by_name(
        old.obstacles.iter().map(|o| (o.name.as_str(), o)),
        new.obstacles.iter().map(|o| (o.name.as_str(), o)),
    );
    let links = by_name(
        old.links.iter().map(|l| (l.name.as_str(), l)),
        new.links.iter().map(|l| (l.name.as_str(), l)),
    );
    let waypaths = by_name(
        old.waypaths.iter().map(|w| (w.name.as_str(), w)),
        new.waypaths.iter().map(|w| (w.name.as_str(), w)),
    );
    let points = by_name(
        old.points.iter().map(|(n, p)| (n.as_str(), p)),
        new.points.iter().map(|(n, p)| (n.as_str(), p)),
    );
    let goals = by_name(
        old.goals.iter().map(|goal| (goal.as_str(), goal)),
        new.goals.iter().map(|goal| (goal.as_str(), goal)),
    );
    let characters = by_name(
        old.characters.iter().map(|c| (c.name.as_str(), c)),
        new.characters.iter().map(|c| (c.name.as_str(), c)),
    );
    RoomChange {
        name_changed: old.name != new.name,
        ground_changed: old.ground != new.ground,
        grid_changed: old.grid != new.grid,
        tactics_changed: old.tactics != new.tactics,
        mesh_changed: old.mesh != new.mesh,
        mask_changed: old.mask != new.mask,
        background_changed: old.background != new.background,
        hotspots_changed: hotspots_changed(old, new),
        depth_bands_changed: old.depth_bands != new.depth_bands,
        bounds_changed: old.bounds() != new.bounds(),
        crowd_changed: old.crowd != new.crowd,
        limits_changed: old.limits != new.limits,
        ticks_per_second_changed: old.ticks_per_second != new.ticks_per_second,
        script_changed: old.script != new.script,
        areas_changed: {
            // In another mesh, the polygons of an area have other numbers.
            let same_mesh = old.mesh == new.mesh;
            areas.stayed.iter().filter_map(|(old, new)| area_change(old, new, same_mesh)).collect()
        },
        areas_added: areas.added,
        areas_removed: areas.removed,
        obstacles_reshaped: names_where(
            &obstacles.stayed,
            |old, new| !same_shape(&old.polygon, &new.polygon),
            |o| o.name.clone(),
        ),
        see_through_changed: [
            names_where(&areas.stayed, |old, new| old.see_through != new.see_through, |a| a.name.clone()),
            names_where(&obstacles.stayed, |old, new| old.see_through != new.see_through, |o| o.name.clone()),
        ]
        .concat(),
        obstacles_added: obstacles.added,
        obstacles_removed: obstacles.removed,
        points_moved: new
            .points
            .iter()
            .filter(|(name, place)| old.points.get(*name).is_some_and(|before| before != *place))
            .map(|(name, _)| name.clone())
            .collect(),
        links_changed: links.stayed.iter().filter_map(|(old, new)| link_change(old, new)).collect(),
        links_added: links.added,
        links_removed: links.removed,
        waypaths_changed: waypaths.stayed.iter().filter_map(|(old, new)| waypath_change(old, new)).collect(),
        waypaths_added: waypaths.added,
        waypaths_removed: waypaths.removed,
        points_added: points.added,
        points_removed: points.removed,
        goals_added: goals.added,
        goals_removed: goals.removed,
        characters_changed: characters
            .stayed
            .iter()
            .filter_map(|(old, new)| character_change(old, new))
            .collect(),
        starts_changed: names_where(&characters.stayed, start_changed, |c| c.name.clone()),
        others_changed: others::of_room(old) != others::of_room(new),
        characters_added: characters.added,
        characters_removed: characters.removed,
    }
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

/// Things of the same kind in two versions of a room.
struct ByName<'a, T> {
    added: Vec<String>,
    removed: Vec<String>,
    /// Old and new, in the order of the new file.
    stayed: Vec<(&'a T, &'a T)>,
}

fn by_name<'a, T>(
    old: impl Iterator<Item = (&'a str, &'a T)>,
    new: impl Iterator<Item = (&'a str, &'a T)>,
) -> ByName<'a, T> {
    let old: Vec<(&str, &T)> = old.collect();
    let old_names: BTreeMap<&str, &T> = old.iter().copied().collect();
    let mut new_names = BTreeMap::new();
    let mut result = ByName { added: Vec::new(), removed: Vec::new(), stayed: Vec::new() };
    for (name, thing) in new {
        new_names.insert(name, ());
        match old_names.get(name) {
            Some(before) => result.stayed.push((*before, thing)),
            None => result.added.push(name.to_owned()),
        }
    }
    let gone = old.iter().filter(|(name, _)| !new_names.contains_key(name));
    result.removed = gone.map(|(name, _)| (*name).to_owned()).collect();
    result
}

fn names_where<T>(
    pairs: &[(&T, &T)],
    changed: impl Fn(&T, &T) -> bool,
    name: impl Fn(&T) -> String,
) -> Vec<String> {
    pairs.iter().filter(|(old, new)| changed(old, new)).map(|(_, new)| name(new)).collect()
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
    };
    let same = AreaChange {
        name: new.name.clone(),
        reshaped: false,
        repainted: false,
        available: None,
        when_occupied: None,
        others: false,
    };
    (change != same).then_some(change)
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
        check("\"points\"", "\"floorY\": 1, \"points\"", |change| change.ground_changed = true);
        check("\"points\"", "\"cellSize\": 0.5, \"points\"", |change| {
            change.ground_changed = true;
            change.bounds_changed = true;
        });
        check("\"points\"", "\"crowd\": {\"snapDistance\": 1}, \"points\"", |change| {
            change.crowd_changed = true
        });
        check("\"points\"", "\"script\": \"a.lua\", \"points\"", |change| change.script_changed = true);
        check("\"points\"", "\"ticksPerSecond\": 30, \"points\"", |change| {
            change.ticks_per_second_changed = true
        });
        check("\"points\"", "\"name\": \"x\", \"points\"", |change| change.name_changed = true);
    }

    #[test]
    fn areas() {
        let door = AreaChange {
            name: "door".into(),
            reshaped: false,
            repainted: false,
            available: None,
            when_occupied: None,
            others: false,
        };
        check("\"door\"", "\"door\", \"available\": false", |change| {
            change.areas_changed = vec![AreaChange { available: Some(false), ..door.clone() }];
        });
        check("\"door\"", "\"door\", \"whenOccupied\": \"hold\"", |change| {
            change.areas_changed =
                vec![AreaChange { when_occupied: Some(WhenOccupied::Hold), ..door.clone() }];
        });
        check("[10,5]", "[10,6]", |change| {
            change.areas_changed = vec![AreaChange { reshaped: true, ..door.clone() }];
        });
        check("\"door\"", "\"door\", \"seeThrough\": true", |change| {
            change.see_through_changed = names("door")
        });
        check("\"door\"", "\"gap\"", |change| {
            change.areas_added = names("gap");
            change.areas_removed = names("door");
        });
    }

    #[test]
    fn obstacles_and_points() {
        check("[2,2]", "[2,3]", |change| change.obstacles_reshaped = names("bar"));
        check("\"bar\"", "\"bar\", \"seeThrough\": true", |change| change.see_through_changed = names("bar"));
        check("\"bar\"", "\"well\"", |change| {
            change.obstacles_added = names("well");
            change.obstacles_removed = names("bar");
        });
        check("\"gate\": [1, 5]", "\"gate\": [1, 5], \"well\": [2, 2]", |change| {
            change.points_added = names("well")
        });
        check("\"points\"", "\"goals\": [\"gate\"], \"points\"", |change| change.goals_added = names("gate"));
        check("\"gate\": [1, 5]", "\"gate\": [1, 6]", |change| {
            change.points_moved = names("gate");
            change.starts_changed = names("hero");
        });
    }

    #[test]
    fn characters() {
        check("[5, 5]", "[6, 5]", |change| change.starts_changed = names("guest"));
        check("[\"a\"]", "[\"b\"], \"enabled\": false", |change| {
            let fields = vec![CharacterField::Tags, CharacterField::Enabled];
            change.characters_changed = vec![CharacterChange { name: "guest".into(), fields }];
        });
        check("\"guest\"", "\"cook\"", |change| {
            change.characters_added = names("cook");
            change.characters_removed = names("guest");
        });
        // A radius that defaults to the room's changes with it.
        check("\"points\"", "\"agentRadius\": 0.3, \"points\"", |change| {
            change.ground_changed = true;
            change.bounds_changed = true;
            let fields = || vec![CharacterField::CollisionRadius];
            change.characters_changed =
                ["hero", "guest"].map(|name| CharacterChange { name: name.into(), fields: fields() }).into();
        });
    }
}
