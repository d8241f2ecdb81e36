//! What a save changed, as text for its author, in the file's own names.

use super::{AreaChange, LinkChange, RoomChange, WaypathChange};
use crate::room::WhenOccupied;

impl RoomChange {
    /// What changed, each in a few words: `+tom`, `-ann`, `barkeep: walkSpeed`, `door: open`.
    pub fn describe(&self) -> Vec<String> {
        let mut words = Vec::new();
        come_and_gone(&mut words, "", &self.characters_added, &self.characters_removed);
        for character in &self.characters_changed {
            let fields: Vec<&str> = character.fields.iter().map(|field| field.key()).collect();
            words.push(format!("{}: {}", character.name, fields.join(" ")));
        }
        words.extend(self.starts_changed.iter().map(|name| format!("{name}: start (from the next run on)")));
        come_and_gone(&mut words, "area ", &self.areas_added, &self.areas_removed);
        words.extend(self.areas_changed.iter().map(area_words));
        come_and_gone(&mut words, "obstacle ", &self.obstacles_added, &self.obstacles_removed);
        words.extend(self.obstacles_reshaped.iter().map(|name| format!("{name}: polygon")));
        words.extend(self.see_through_changed.iter().map(|name| format!("{name}: seeThrough")));
        come_and_gone(&mut words, "link ", &self.links_added, &self.links_removed);
        words.extend(self.links_changed.iter().map(link_words));
        come_and_gone(&mut words, "waypath ", &self.waypaths_added, &self.waypaths_removed);
        words.extend(self.waypaths_changed.iter().map(waypath_words));
        come_and_gone(&mut words, "point ", &self.points_added, &self.points_removed);
        words.extend(self.points_moved.iter().map(|name| format!("{name}: moved")));
        come_and_gone(&mut words, "goal ", &self.goals_added, &self.goals_removed);
        words.extend(self.hotspots_changed.iter().map(|name| format!("{name}: hotspot")));
        let settings = [
            (self.name_changed, "name"),
            (self.ground_changed, "ground settings"),
            (self.grid_changed, "cells"),
            (self.mesh_changed, "mesh"),
            (self.tactics_changed, "tactical level"),
            (self.mask_changed && !self.grid_changed && !self.paint_changed(), "mask"),
            (self.background_changed, "background"),
            (self.depth_bands_changed, "depth bands"),
            (self.crowd_changed, "crowd"),
            (self.script_changed, "script"),
            (self.others_changed, "settings"),
        ];
        words.extend(settings.iter().filter(|(changed, _)| *changed).map(|(_, word)| (*word).to_owned()));
        words
    }
}

impl RoomChange {
    /// Whether areas or hotspots changed, which the text lists by name and which explain a changed image.
    fn paint_changed(&self) -> bool {
        !self.hotspots_changed.is_empty() || self.areas_changed.iter().any(|area| area.reshaped)
    }
}

fn come_and_gone(words: &mut Vec<String>, kind: &str, added: &[String], removed: &[String]) {
    words.extend(added.iter().map(|name| format!("+{kind}{name}")));
    words.extend(removed.iter().map(|name| format!("-{kind}{name}")));
}

fn link_words(link: &LinkChange) -> String {
    let available = link.available.map(|available| if available { "open" } else { "closed" });
    let what: Vec<&str> = available.into_iter().chain(link.others.then_some("settings")).collect();
    format!("link {}: {}", link.name, what.join(" "))
}

fn waypath_words(waypath: &WaypathChange) -> String {
    let available = waypath.available.map(|available| if available { "open" } else { "closed" });
    let what: Vec<&str> = available.into_iter().chain(waypath.others.then_some("settings")).collect();
    format!("waypath {}: {}", waypath.name, what.join(" "))
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
    if area.others {
        what.push("settings");
    }
    format!("{}: {}", area.name, what.join(" "))
}
