//! Hotspots as they are in the run: those of the room file, with what was changed since.

use super::limits::{check_place, check_point};
use super::{Applied, CommandError, World};
use crate::nav::Place;
use crate::problem::did_you_mean;
use crate::room::{Hotspot, MAX_NAME_BYTES, Room};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What of a hotspot is other than in the room file. What is `None` is as there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HotspotChange {
    /// Whether it can be pointed at and used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Where its middle is, in metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<DVec2>,
    /// Where one stands to use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk_to: Option<Place>,
    /// The look of the pointer over it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl HotspotChange {
    /// This change, and another one after it.
    fn and(&self, next: Self) -> Self {
        Self {
            enabled: next.enabled.or(self.enabled),
            at: next.at.or(self.at),
            walk_to: next.walk_to.or(self.walk_to),
            cursor: next.cursor.or_else(|| self.cursor.clone()),
        }
    }

    /// What of it is other than in the room file.
    fn beside(self, hotspot: &Hotspot) -> Self {
        Self {
            enabled: self.enabled.filter(|enabled| *enabled != hotspot.enabled),
            at: self.at.filter(|at| *at != hotspot.spot),
            walk_to: self.walk_to.filter(|walk_to| Some(*walk_to) != hotspot.walk_to),
            cursor: self.cursor.filter(|cursor| Some(cursor) != hotspot.cursor.as_ref()),
        }
    }

    fn of(&self, hotspot: &Hotspot) -> Hotspot {
        let mut changed = hotspot.clone();
        changed.enabled = self.enabled.unwrap_or(hotspot.enabled);
        if let Some(at) = self.at {
            changed.move_to(at);
        }
        if let Some(walk_to) = self.walk_to {
            (changed.walk_to, changed.walk_to_point) = (Some(walk_to), None);
        }
        changed.cursor = self.cursor.clone().or(changed.cursor);
        changed
    }
}

/// The hotspots of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Hotspots {
    /// What of them is other than in the room file, by name.
    pub(super) changes: BTreeMap<String, HotspotChange>,
    /// All of them with these changes.
    now: Vec<Hotspot>,
}

impl Hotspots {
    /// Those of a room with what was changed in a run. Other names than the room has are kept.
    pub(super) fn new(room: &Room, changes: BTreeMap<String, HotspotChange>) -> Self {
        let as_now = |hotspot: &Hotspot| {
            changes.get(&hotspot.name).map_or_else(|| hotspot.clone(), |change| change.of(hotspot))
        };
        Self { now: room.hotspots.iter().map(as_now).collect(), changes }
    }

    /// Those of another version of the room. Changes of hotspots that it has not, or has otherwise than `old`, are over.
    pub(super) fn after_reload(mut self, room: &Room, old: &[Hotspot]) -> Self {
        self.changes.retain(|name, _| {
            let now = room.hotspot_named(name);
            now.is_some() && now == old.iter().find(|hotspot| hotspot.name == *name)
        });
        Self::new(room, self.changes)
    }

    fn named(&self, name: &str) -> Option<&Hotspot> {
        self.now.iter().find(|hotspot| hotspot.name == name)
    }

    /// Changes one. Returns whether anything is other than before.
    pub(super) fn set(
        &mut self,
        room: &Room,
        name: String,
        change: HotspotChange,
    ) -> Result<Applied, CommandError> {
        if self.named(&name).is_none() {
            let meant = did_you_mean(&name, self.now.iter().map(|hotspot| hotspot.name.as_str()));
            let meant = meant.map(str::to_owned);
            return Err(CommandError::NoSuchHotspot(name, meant));
        }
        change.check()?;
        let before = self.changes.get(&name).cloned().unwrap_or_default();
        let in_file = room.hotspot_named(&name);
        let after = in_file.map_or_else(HotspotChange::default, |hotspot| before.and(change).beside(hotspot));
        if before == after {
            return Ok(Applied::Changed(false));
        }
        let mut changes = std::mem::take(&mut self.changes);
        match after == HotspotChange::default() {
            true => drop(changes.remove(&name)),
            false => drop(changes.insert(name, after)),
        }
        *self = Self::new(room, changes);
        Ok(Applied::Changed(true))
    }
}

impl World {
    /// All hotspots as they are now, in the order of the room file, those that are switched off included.
    pub fn hotspots(&self) -> &[Hotspot] {
        &self.hotspots.now
    }

    /// The hotspot with this name, as it is now.
    pub fn hotspot_named(&self, name: &str) -> Option<&Hotspot> {
        self.hotspots.named(name)
    }

    /// The hotspot at a place. One that is switched off does not count, nor one that is used from another storey than the
    /// place is on.
    pub fn hotspot_at(&self, place: impl Into<Place>) -> Option<&Hotspot> {
        let place = place.into();
        let is_near =
            |walk_to| self.ground.floors_touch(self.ground.locate(walk_to), self.ground.locate(place));
        let is_under = |hotspot: &&Hotspot| hotspot.enabled && self.room.is_on(hotspot, place.at);
        let mut there = self.hotspots.now.iter().filter(is_under);
        there.find(|hotspot| hotspot.walk_to.is_none_or(is_near))
    }
}

impl HotspotChange {
    /// Whether it can be one at all.
    ///
    /// # Errors
    /// A place that is none, or a word that is absurdly long.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        self.at.map_or(Ok(()), check_point)?;
        self.walk_to.map_or(Ok(()), check_place)?;
        match &self.cursor {
            Some(word) if word.len() > MAX_NAME_BYTES => Err(CommandError::BadText),
            _ => Ok(()),
        }
    }
}
