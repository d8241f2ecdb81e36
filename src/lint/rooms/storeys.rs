//! Polygons above each other that count as one storey.

use crate::nav::STOREY_M;
use crate::problem::Problem;
use crate::room::{JsonStep, Locator, Room};

/// Upper limit on the pairs that are told.
const MOST_PAIRS: usize = 3;

/// Polygons of the room's mesh that lie above each other by less than a storey.
pub(super) fn too_low(room: &Room, locator: &Locator) -> Vec<Problem> {
    let Some(mesh) = &room.mesh else { return Vec::new() };
    let stacks = mesh.low_storeys(STOREY_M);
    let mut problems = Vec::new();
    for stack in stacks.iter().take(MOST_PAIRS) {
        let [one, other] = stack.polygons;
        let message = format!(
            "polygon {other} lies {:.2} m from polygon {one} around [{:.2}, {:.2}, {:.2}]: characters on one push and \
             see those on the other",
            stack.apart_m, stack.at.x, stack.at.y, stack.at.z
        );
        let hint = format!("storeys are {STOREY_M} m apart or more");
        problems.push(locator.problem(&[JsonStep::Key("mesh")], message, "one storey", Some(hint)));
    }
    if let Some(more) = stacks.len().checked_sub(MOST_PAIRS).filter(|more| *more > 0) {
        let message = format!("{more} more pairs of polygons are as near above each other");
        problems.push(locator.problem(&[JsonStep::Key("mesh")], message, "", None));
    }
    problems
}
