//! Hotspots as they are in the run: those of the room file, with what was changed since.

use super::limits::{check_place, check_point};
use super::{Applied, CommandError, World};
use crate::nav::Place;
use crate::problem::did_you_mean;
use crate::room::{Hotspot, MAX_NAME_BYTES};
use glam::DVec2;
use serde::{Deserialize, Serialize};

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

impl World {
    /// All hotspots as they are now, in the order of the room file, those that are switched off included.
    pub fn hotspots(&self) -> &[Hotspot] {
        &self.hotspots
    }

    /// The hotspot with this name, as it is now.
    pub fn hotspot_named(&self, name: &str) -> Option<&Hotspot> {
        self.hotspots.iter().find(|hotspot| hotspot.name == name)
    }

    /// The hotspot at a place. One that is switched off does not count, nor one that is used from another storey than the
    /// place is on.
    pub fn hotspot_at(&self, place: impl Into<Place>) -> Option<&Hotspot> {
        let place = place.into();
        let is_near =
            |walk_to| self.ground.floors_touch(self.ground.locate(walk_to), self.ground.locate(place));
        let mut there =
            self.hotspots.iter().filter(|hotspot| hotspot.enabled && self.room.is_on(hotspot, place.at));
        there.find(|hotspot| hotspot.walk_to.is_none_or(is_near))
    }

    pub(super) fn set_hotspot(
        &mut self,
        name: String,
        change: HotspotChange,
    ) -> Result<Applied, CommandError> {
        if self.hotspot_named(&name).is_none() {
            let meant = did_you_mean(&name, self.hotspots.iter().map(|hotspot| hotspot.name.as_str()));
            let meant = meant.map(str::to_owned);
            return Err(CommandError::NoSuchHotspot(name, meant));
        }
        change.check()?;
        let before = self.hotspot_changes.get(&name).cloned().unwrap_or_default();
        let in_file = self.room.hotspot_named(&name);
        let after = in_file.map_or_else(HotspotChange::default, |hotspot| before.and(change).beside(hotspot));
        if before == after {
            return Ok(Applied::Changed(false));
        }
        match after == HotspotChange::default() {
            true => drop(self.hotspot_changes.remove(&name)),
            false => drop(self.hotspot_changes.insert(name, after)),
        }
        self.renew_hotspots();
        Ok(Applied::Changed(true))
    }

    /// Changes of hotspots that another version of the room has not, or has otherwise than `old`, are over.
    pub(super) fn keep_hotspots(&mut self, old: &[Hotspot]) {
        let room = &self.room;
        self.hotspot_changes.retain(|name, _| {
            let now = room.hotspot_named(name);
            now.is_some() && now == old.iter().find(|hotspot| hotspot.name == *name)
        });
        self.renew_hotspots();
    }

    pub(super) fn renew_hotspots(&mut self) {
        let changes = &self.hotspot_changes;
        let as_now = |hotspot: &Hotspot| {
            changes.get(&hotspot.name).map_or_else(|| hotspot.clone(), |change| change.of(hotspot))
        };
        self.hotspots = self.room.hotspots.iter().map(as_now).collect();
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
