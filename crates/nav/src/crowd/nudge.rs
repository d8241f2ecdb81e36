//! Stepping aside: where a standing character goes when a walker wants to pass.

use super::Character;
use super::yielding::distance_sq_to_line;
use crate::nav::Position;
use crate::room::CrowdSettings;
use crate::surface::Surface;
use glam::DVec2;

/// Directions in which a character may step, as rotations of the way from the walker: away from it, to one side, to the
/// other side, towards it, and between these.
const STEPS: [(f64, f64); 8] = [
    (1.0, 0.0),
    (0.0, 1.0),
    (0.0, -1.0),
    (-1.0, 0.0),
    (DIAGONAL, DIAGONAL),
    (DIAGONAL, -DIAGONAL),
    (-DIAGONAL, DIAGONAL),
    (-DIAGONAL, -DIAGONAL),
];
const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Where a standing character steps when a walker comes from `away_from`. Of up to eight steps that no wall stops: one that
/// ends beside others, then one that ends off the line that the walker is about to walk, then the first of away from the
/// walker, to one side, to the other side, towards the walker, and the diagonals. Without a line, no diagonals are tried.
///
/// `others` are the places of other bodies, each with the least distance between the centres. `line` is the line ahead
/// of the walker with that distance. Either may be empty. `None`: walls all round.
pub fn nudge_target(
    stander: &Character,
    away_from: Position,
    others: &[(DVec2, f64)],
    (line, clear_m): (&[DVec2], f64),
    ground: &Surface,
    settings: &CrowdSettings,
) -> Option<Position> {
    let here = stander.position;
    let away = (here.at - away_from.at).try_normalize().unwrap_or(DVec2::X) * settings.nudge_distance_m;
    let rank = |to: &Position| {
        let hits = others.iter().filter(|(at, least_m)| at.distance(to.at) < *least_m).count();
        let is_in_the_way =
            !line.is_empty() && distance_sq_to_line(to.at, line.iter().copied()) < clear_m * clear_m;
        (hits, is_in_the_way)
    };
    // Where it matters who else is there, more steps are tried.
    let count = if line.is_empty() { 4 } else { STEPS.len() };
    let steps = STEPS[..count].iter().map(|&(cos, sin)| DVec2::new(cos, sin).rotate(away));
    steps.filter_map(|step| ground.push_straight(here, here.at + step)).min_by_key(rank)
}
