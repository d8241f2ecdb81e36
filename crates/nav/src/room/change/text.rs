//! What a save changed, as text for its author, in the file's own names.

use super::{AreaChange, Changes, RoomChange, RoomField, WayChange};
use crate::room::WhenOccupied;

impl RoomChange {
    /// What changed, each in a few words: `+tom`, `-ann`, `barkeep: walkSpeed`, `door: open`.
    pub fn describe(&self) -> Vec<String> {
        let mut words = Vec::new();
        described(&mut words, "", &self.characters, |character| {
            let fields: Vec<&str> = character.fields.iter().map(|field| field.key()).collect();
            format!("{}: {}", character.name, fields.join(" "))
        });
        words.extend(self.starts.iter().map(|name| format!("{name}: start (from the next run on)")));
        described(&mut words, "area ", &self.areas, area_words);
        described(&mut words, "obstacle ", &self.obstacles, |obstacle| {
            let see_through = obstacle.see_through.map(|_| "seeThrough");
            let what: Vec<&str> =
                obstacle.reshaped.then_some("polygon").into_iter().chain(see_through).collect();
            format!("{}: {}", obstacle.name, what.join(" "))
        });
        described(&mut words, "link ", &self.links, |link| way_words("link", link));
        described(&mut words, "waypath ", &self.waypaths, |waypath| way_words("waypath", waypath));
        described(&mut words, "point ", &self.points, |name| format!("{name}: moved"));
        described(&mut words, "goal ", &self.goals, String::clone);
        words.extend(self.hotspots.iter().map(|name| format!("{name}: hotspot")));
        words.extend(self.room.iter().filter_map(|field| self.field_words(*field)).map(str::to_owned));
        words
    }

    fn field_words(&self, field: RoomField) -> Option<&'static str> {
        Some(match field {
            RoomField::Name => "name",
            RoomField::Ground => "ground settings",
            RoomField::Grid => "cells",
            RoomField::Mesh => "mesh",
            RoomField::Tactics => "tactical level",
            RoomField::Mask if self.room.contains(&RoomField::Grid) || self.is_repainted() => return None,
            RoomField::Mask => "mask",
            RoomField::Background => "background",
            RoomField::DepthBands => "depth bands",
            RoomField::Crowd => "crowd",
            RoomField::Script => "script",
            RoomField::Others => "settings",
            RoomField::Bounds | RoomField::Limits | RoomField::TicksPerSecond => return None,
        })
    }

    /// Whether areas or hotspots changed, which the text lists by name and which explain a changed image.
    fn is_repainted(&self) -> bool {
        !self.hotspots.is_empty() || self.areas.changed.iter().any(|area| area.reshaped)
    }
}

/// Adds what came, what is gone, and what changed.
fn described<T>(words: &mut Vec<String>, kind: &str, changes: &Changes<T>, changed: impl Fn(&T) -> String) {
    words.extend(changes.added.iter().map(|name| format!("+{kind}{name}")));
    words.extend(changes.removed.iter().map(|name| format!("-{kind}{name}")));
    words.extend(changes.changed.iter().map(changed));
}

fn way_words(kind: &str, way: &WayChange) -> String {
    let available = way.available.map(|available| if available { "open" } else { "closed" });
    let what: Vec<&str> = available.into_iter().chain(way.others.then_some("settings")).collect();
    format!("{kind} {}: {}", way.name, what.join(" "))
}

fn area_words(area: &AreaChange) -> String {
    let mut what = Vec::new();
    if let Some(available) = area.available {
        what.push(if available { "open" } else { "closed" });
    }
    if area.reshaped {
        what.push(if area.repainted { "repainted" } else { "polygon" });
    }
    match area.when_occupied {
        Some(WhenOccupied::Evict) => what.push("evicts"),
        Some(WhenOccupied::Hold) => what.push("holds"),
        None => {}
    }
    if area.see_through.is_some() {
        what.push("seeThrough");
    }
    if area.others {
        what.push("settings");
    }
    format!("{}: {}", area.name, what.join(" "))
}
