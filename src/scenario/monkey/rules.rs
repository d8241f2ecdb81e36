//! The rules of a watch, and its sightings.

use super::finding::FindingKind;
use crate::crowd::CharacterId;
use crate::room::CrowdSettings;
use crate::world::World;
use glam::DVec2;

/// The limits of the rules.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rules {
    /// The least distance that counts as progress, in metres.
    pub headway_m: f64,
    /// A walk without progress for this long, not counting waits for others, should have ended as blocked, in
    /// seconds.
    pub still_s: f64,
    /// A walk without a path for this long is forgotten, in seconds.
    pub pathless_s: f64,
    /// The longest walk, as a multiple of its effort limit, counted in quarters.
    pub effort_slack: f64,
    /// Standing characters may overlap for this long, in seconds; infinite in a room without separation.
    pub overlap_s: f64,
    /// Upper limit on the times in a row that a character may be blocked, over `blocked_s` seconds, though a way
    /// exists.
    pub blocked_times: u32,
    /// See [`Rules::blocked_times`].
    pub blocked_s: f64,
}

impl Rules {
    /// The limits that follow from the constants of a room's crowd, with some slack.
    pub fn of(crowd: &CrowdSettings) -> Self {
        // A walker has three times the patience with others that walk.
        let patience = 4.0;
        Self {
            headway_m: crowd.stuck_progress_m / 2.0,
            still_s: patience * crowd.patience().seconds() + 2.0,
            pathless_s: 10.0,
            effort_slack: 1.1,
            overlap_s: if crowd.collision_iterations > 0 { 10.0 } else { f64::INFINITY },
            blocked_times: 5,
            blocked_s: 60.0 + crowd.patience().seconds(),
        }
    }
}

/// A violated rule, at the moment it is seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The character.
    pub who: String,
    /// Its position, in metres.
    pub at: DVec2,
    /// The sighting in a sentence.
    pub words: String,
}

impl Sighting {
    pub(super) fn of(kind: FindingKind, world: &World, who: CharacterId, words: &str) -> Self {
        let at = world.character(who).map_or(DVec2::ZERO, |character| character.position.at);
        Self { kind, who: world.name_of(who).to_owned(), at, words: words.to_owned() }
    }
}
