//! Passages that are wide enough for characters and too narrow for the cells.

use super::{MAX_AREAS, are_joined, bounds, stand_in};
use crate::nav::Position;
use crate::problem::Problem;
use crate::room::{Area, JsonStep, Locator, Room};
use crate::surface::Surface;

/// Upper limit on the cells of a finer ground.
const MAX_CELLS: f64 = 4e6;

/// The factors by which finer cells are tried.
const FINER: [f64; 2] = [2.0, 4.0];

/// Areas between which a way would lead if the cells were smaller; each such passage once.
pub(super) fn too_narrow(room: &Room, open: &Surface, locator: &Locator) -> Vec<Problem> {
    if room.grid.is_some() || room.areas.len() > MAX_AREAS {
        return Vec::new();
    }
    // The largest first: a passage is named by the areas it joins.
    let size = |area: usize| {
        let (min, max) = bounds(&room.areas[area].polygon);
        (max - min).element_product()
    };
    let mut order: Vec<usize> = (0..room.areas.len()).collect();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
    // Areas with the same number are joined, or would be once all reported passages are mended.
    let mut groups: Vec<usize> = (0..room.areas.len()).collect();
    let mut found = Vec::new();
    // An area without a place to stand is at most a passage.
    let stands: Vec<bool> = room.areas.iter().map(|area| stand_in(area, open).is_some()).collect();
    for finer in FINER {
        let Some(fine) = finer_ground(room, finer) else { break };
        let place = |area: &Area| stand_in(area, &fine);
        let places: Vec<Option<Position>> =
            room.areas.iter().zip(&stands).map(|(area, stands)| place(area).filter(|_| *stands)).collect();
        for (at, &second) in order.iter().enumerate() {
            for &first in order.iter().take(at) {
                let (Some(from), Some(to)) = (places[first], places[second]) else { continue };
                if groups[first] == groups[second] || !are_joined(&fine, from, to) {
                    continue;
                }
                if !joined_coarsely(room, open, from, to) {
                    found.push(warning(room, &fine, locator, (first, second), (&order, finer)));
                }
                let (kept, gone) = (groups[first], groups[second]);
                groups.iter_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
            }
        }
    }
    found
}

fn finer_ground(room: &Room, finer: f64) -> Option<Surface> {
    let (min, max) = room.bounds();
    let cell_m = room.ground.cell_size_m / finer;
    let cells = (max - min) / cell_m;
    if cells.x * cells.y > MAX_CELLS {
        return None;
    }
    let mut room = room.clone();
    room.ground.cell_size_m = cell_m;
    room.areas.iter_mut().for_each(|area| area.available = true);
    Surface::new(&room).ok()
}

/// The same question to the room's own cells. Where one cannot stand at a place there, the nearest place counts.
fn joined_coarsely(room: &Room, open: &Surface, from: Position, to: Position) -> bool {
    let reach_m = 2.0 * room.ground.cell_size_m;
    let at = |place: Position| open.anchor(place, reach_m).map(|anchor| anchor.at);
    at(from).zip(at(to)).is_some_and(|(from, to)| open.may_reach(from, to))
}

fn warning(
    room: &Room,
    fine: &Surface,
    locator: &Locator,
    (first, second): (usize, usize),
    (order, finer): (&[usize], f64),
) -> Problem {
    let cell_m = room.ground.cell_size_m;
    let (from, to) = (&room.areas[first], &room.areas[second]);
    let places = stand_in(from, fine).zip(stand_in(to, fine));
    // The door is the smallest area without which no path is left.
    let others = order.iter().rev().copied().filter(|&area| area != first && area != second);
    let door = others.into_iter().find(|&area| {
        let mut without = fine.clone();
        let closed = without.area_named(&room.areas[area].name);
        closed.is_some_and(|closed| without.set_area_available(closed, false).is_some())
            && places.is_some_and(|(from, to)| !are_joined(&without, from, to))
    });
    let through = door.map(|door| format!("through '{}' ", room.areas[door].name)).unwrap_or_default();
    let message = format!(
        "cells of {cell_m} m are too coarse: no way leads {through}from '{}' to '{}', and with finer ones one does",
        from.name, to.name
    );
    let steps = [JsonStep::Key("areas"), JsonStep::Index(door.unwrap_or(second)), JsonStep::Key("polygon")];
    let hint = format!("write \"cellSize\": {}", rounded(cell_m / finer));
    locator.problem(&steps, message, "too narrow for the cells", Some(hint))
}

/// Rounded to the digits that people write.
fn rounded(length: f64) -> f64 {
    (length * 1000.0).floor() / 1000.0
}
