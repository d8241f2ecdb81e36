//! What a watch goes by, and what it tells.

use super::finding::Kind;
use crate::crowd::CharacterId;
use crate::room::CrowdSettings;
use crate::world::World;
use glam::DVec2;

/// How long is too long.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// A character that moved farther than this got on, in metres.
    pub headway_m: f64,
    /// A walk that did not get on for so long without waiting for anybody should have ended as blocked, in seconds.
    pub still_s: f64,
    /// A walk that has no path for so long is forgotten, in seconds.
    pub pathless_s: f64,
    /// A walk may last so many times its effort limit, counted in quarters.
    pub effort_slack: f64,
    /// Standers may overlap for so long, in seconds; for ever in a room that pushes nobody.
    pub overlap_s: f64,
    /// Somebody may be blocked so many times in a row, over so many seconds, though there is a way.
    pub blocked_times: u32,
    /// See [`Rules::blocked_times`].
    pub blocked_s: f64,
}

impl Rules {
    /// What the constants of a room's crowd promise, and some slack.
    pub fn of(crowd: &CrowdSettings) -> Self {
        Self {
            headway_m: crowd.stuck_progress_m / 2.0,
            still_s: 2.0 * crowd.stuck_blocked_after_s + 2.0,
            pathless_s: 10.0,
            effort_slack: 1.1,
            overlap_s: if crowd.collision_iterations > 0 { 10.0 } else { f64::INFINITY },
            blocked_times: 5,
            blocked_s: 60.0 + crowd.stuck_blocked_after_s,
        }
    }
}

/// Something that should not be, at the moment it is seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// What kind of thing.
    pub kind: Kind,
    /// Whom it is about.
    pub who: String,
    /// Where they are, in metres.
    pub at: DVec2,
    /// In a sentence.
    pub words: String,
}

impl Sighting {
    pub(super) fn of(kind: Kind, world: &World, who: CharacterId, words: &str) -> Self {
        let at = world.character(who).map_or(DVec2::ZERO, |character| character.position);
        Self { kind, who: world.name_of(who).to_owned(), at, words: words.to_owned() }
    }
}
