//! Posts: the home positions that characters return to.

use super::yielding::distance_sq_to_line;
use super::{Character, WalkEnd};

/// How far ahead along its path a walker counts as about to pass a post, in metres.
///
/// Whole segments of a path are tested: a walker on a long segment counts although it is farther away. The caller passes
/// only characters near the post.
const PASSING_M: f64 = 3.0;

/// Whether a character should go back to its post: it has `returnsToPost`, or holds its place, and stands elsewhere or
/// looks in another direction. False while it walks, is steered, follows another one or turns.
pub(crate) fn is_off_post(character: &Character) -> bool {
    !character.is_moving()
        && (character.position != character.post || character.heading_rad != character.post_heading_rad)
        && character.following.is_none()
        && character.turn.is_none()
        && character.is_in_crowd()
        && character.walk_speed_mps > 0.0
        && (character.returns_to_post || holds_its_place(character))
}

/// Whether a character has come to stand at this very place, for example in a line or a formation, and has had no other
/// errand since.
fn holds_its_place(character: &Character) -> bool {
    let last = character.last_walk.as_ref().filter(|last| last.exact && last.end == WalkEnd::Arrived);
    last.is_some_and(|last| character.last_errand == Some(last.walk))
}

/// Between two who stand close, a post may be so much too narrow, in metres: each was pushed a little.
const SQUEEZE_M: f64 = 0.05;

/// Whether `other` is neither at the post of `who` nor about to pass it.
pub(crate) fn leaves_post_free(other: &Character, who: &Character) -> bool {
    let stands_m = other.collision_radius_m + who.collision_radius_m - SQUEEZE_M;
    let clear_m = if other.is_moving() { other.touching_m(who) } else { stands_m };
    !other.is_active() || distance_sq_to_line(who.post.at, other.line_ahead(PASSING_M)) >= clear_m * clear_m
}
