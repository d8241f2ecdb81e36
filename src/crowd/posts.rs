//! Posts: the places that characters return to.

use super::Character;
use super::yielding::distance_sq_to_line;

/// How far ahead a walker about to pass a post is seen, in metres along its path.
const PASSING_M: f64 = 3.0;

/// Whether a character stands off the post it returns to, or looks elsewhere than it did there. A character that
/// follows or turns has something else to do.
pub(crate) fn is_off_post(character: &Character) -> bool {
    character.returns_to_post
        && character.walk.is_none()
        && (character.position != character.post || character.heading_rad != character.post_heading_rad)
        && character.following.is_none()
        && character.turn.is_none()
        && character.is_active()
        && character.walk_speed_mps > 0.0
}

/// Whether `other` is neither at the post of `who` nor about to pass it.
pub(crate) fn leaves_post_free(other: &Character, who: &Character) -> bool {
    let clear_m = other.touching_m(who);
    let line = match other.walk.as_ref().filter(|walk| !walk.is_waiting()) {
        Some(walk) => walk.corridor.line_ahead(other.position, PASSING_M),
        None => vec![other.position.at],
    };
    !other.is_active() || distance_sq_to_line(who.post.at, &line) >= clear_m * clear_m
}
