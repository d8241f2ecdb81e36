//! The crowd: characters, path following, separation, and decisions to replan. It uses the ground and paths. It does
//! not use files, scripts or names of areas.
//!
//! Words of this module:
//!
//! - errand: a requested walk. Its end is reported. Walks that step aside or return to a post are not errands.
//! - post: a character's home position, where it returns to after it was pushed or sent away.
//! - fellow walkers: walkers within 5 m of the prioritised walker that go the same way.
//! - target character: the character that another one follows or walks up to ([`Character::has_target_character`]).
//! - companion: a follower that walks at the side of the character that it follows, its leader.
//! - waiting place: where a yielding walker waits, off the path of the prioritised walker.
//! - mouth: the release point of a yielding walker. The walker may continue once the other one's remaining path is
//!   clear of it.
//! - lent rank: priority inherited from walkers that queue behind.
//! - steering: velocities that avoid others before anybody touches. Rooms choose it by `avoidance`.
//! - flow: the direction in which walkers may pass, stored as the path of the walker that was granted priority.

mod abreast;
mod actor;
mod agent_snapshot;
mod bystanders;
mod character;
mod characters;
mod crossing;
mod follow;
mod formation;
mod free_spots;
mod jams;
mod motion;
mod neighbours;
mod nudge;
mod pace;
mod path_alignment;
mod posts;
mod progress;
mod rearrange;
mod replan;
mod separate;
mod sharing;
mod slide;
mod slots;
mod tasks;
mod waiting_place;
mod walk;
mod waypath;
mod yielding;

pub(crate) use abreast::{Abreast, Beside, beside_m};
pub use actor::{ActorState, CellWalk};
pub(crate) use agent_snapshot::{AgentRow, AgentSnapshot};
pub(crate) use bystanders::{Bystanders, fingerprint};
pub use character::{Character, CharacterId, Speech, State};
pub(crate) use character::{Counted, Footing, Rank};
pub(crate) use characters::Characters;
pub(crate) use crossing::crossing_s;
pub use crossing::{Crossed, Crossing};
pub(crate) use follow::{Followed, follow, turn_towards};
pub use formation::FormationKind;
pub(crate) use formation::{assign, circle_radius_m, places};
pub(crate) use free_spots::{Taken, free_spot};
pub(crate) use jams::Jams;
pub use motion::Motion;
pub(crate) use motion::{Intent, Steering};
pub use neighbours::Neighbours;
pub use nudge::nudge_target;
pub(crate) use pace::{Pace, patience_ticks};
pub(crate) use path_alignment::{go_along, queues_behind, way_ahead};
pub(crate) use posts::{is_off_post, leaves_post_free};
pub(crate) use progress::{Stuck, waits_for_stander, watch_progress};
pub(crate) use rearrange::{ATTEMPTS, Body, MOST_BODIES, Move, rearrange};
pub(crate) use replan::{Replan, is_affected};

pub(crate) use separate::{Separation, overtakes};
pub(crate) use sharing::{ArrivedCrowd, CROWD_REACH_M, GAP_M, arrival, sharable_walk};
pub(crate) use slide::{slide, steer_by_hand};
pub(crate) use tasks::SetAsideWalk;
pub use tasks::{Following, LastWalk, SetAside, Turn};
pub(crate) use waiting_place::{Past, WaitingPlace, find_waiting_place, waiting_place_concerns_m};
pub(crate) use walk::GiveWay;
pub use walk::{Avoids, HeldUp, PathRequest, Purpose, Walk, WalkEnd, WalkGoal, WalkId, WalkProgress};
pub use waypath::OnWaypath;
pub(crate) use yielding::{
    HOLDS_BACK_M, ONCOMING_M, Passage, RIGHT_OF_WAY_M, RightOfWay, Yielding, comes_against,
    distance_sq_to_line, has_passed, is_oncoming, rank_to_lend, watch_yielding, yields,
};

#[cfg(test)]
mod tests {
    use super::{Character, CharacterId};
    use crate::nav::Position;
    use crate::room::CharacterSpec;
    use glam::DVec2;

    /// A character with a radius of half a metre.
    pub(super) fn person(id: u32, x: f64, z: f64) -> Character {
        let spec = CharacterSpec::at(DVec2::new(x, z)).with_name(format!("c{id}"));
        let spec = spec.with(|traits| traits.collision_radius_m = 0.5);
        let position = Position::on_ground(spec.at.at);
        Character::new(CharacterId(id), &spec, position, 0)
    }
}
