//! Who walks there: characters, following their paths, keeping them apart, deciding when to plan again. Knows ground and
//! paths; never a file, a script or an area's name.

mod bearing;
mod bystanders;
mod character;
mod follow;
mod give_way;
mod muster;
mod neighbours;
mod orders;
mod posts;
mod progress;
mod replan;
mod roster;
mod separate;
mod walk;

pub use bearing::{go_along, queues_behind, way_ahead};
pub use bystanders::{Bystanders, fingerprint};
pub use character::{Character, CharacterId, Counted, Footing, Rank, Speech, State};
pub use follow::{Followed, follow, turn_towards};
pub use give_way::{
    COMPANY_M, Courtesy, HEED_M, ONCOMING_M, Refuge, RightOfWay, comes_against, find_refuge, has_passed,
    is_oncoming, rank_to_lend, refuge_concerns_m, watch_courtesy,
};
pub use muster::{Muster, Row};
pub use neighbours::Neighbours;
pub use orders::{Following, LastWalk, SetAside, SetAsideWalk, Turn};
pub use posts::{is_off_post, leaves_post_free};
pub use progress::{Stuck, watch_progress};
pub use replan::{Replan, is_affected};
pub use roster::Roster;
pub use separate::{Separation, nudge_target, overtakes};
pub use walk::{GiveWay, Purpose, Walk, WalkEnd, WalkId};

#[cfg(test)]
mod tests {
    use super::{Character, CharacterId};
    use crate::room::CharacterSpec;
    use glam::DVec2;

    /// Somebody of half a metre.
    pub(super) fn person(id: u32, x: f64, z: f64) -> Character {
        let name = format!("c{id}");
        let spec = CharacterSpec { name, collision_radius_m: 0.5, ..CharacterSpec::at(DVec2::new(x, z)) };
        Character::new(CharacterId(id), &spec, spec.at, 0)
    }
}
