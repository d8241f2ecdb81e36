//! Hotspots that are covered by others.

use super::spread;
use crate::nav::STOREY_M;
use crate::problem::Problem;
use crate::room::{Hotspot, JsonStep, Locator, Room};
use glam::DVec2;
use std::collections::BTreeSet;
use std::ops::Range;

/// Sample places along each side of a hotspot. A free spot between two samples is too small to click on.
const ALONG: u32 = 64;

/// Upper limit on the hotspots that are checked.
const MAX_HOTSPOTS: usize = 500;

/// Hotspots of which no part can be clicked on.
pub(super) fn covered(room: &Room, locator: &Locator) -> Vec<Problem> {
    let mut found = Vec::new();
    for (index, hotspot) in room.hotspots.iter().enumerate().take(MAX_HOTSPOTS) {
        let Some(over) = over_all(room, hotspot) else { continue };
        let names = over.iter().take(3).map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" and ");
        let lie = if over.len() == 1 { "lies" } else { "lie" };
        let message = format!("'{}' cannot be pointed at: {names} {lie} over all of it", hotspot.name);
        let hint = format!("the first in the list is on top: move '{}' further up", hotspot.name);
        let steps = [JsonStep::Key("hotspots"), JsonStep::Index(index), JsonStep::Key("name")];
        found.push(locator.problem(&steps, message, "covered", Some(hint)));
    }
    found
}

/// The hotspots that cover a hotspot, if they cover all of it.
fn over_all<'a>(room: &'a Room, hotspot: &Hotspot) -> Option<BTreeSet<&'a str>> {
    let mut over = BTreeSet::new();
    let look = |place: DVec2| {
        let counts = |other: &&Hotspot| other.enabled || other.name == hotspot.name;
        let mut there = room.hotspots_at(place).filter(counts);
        let on_top = there.find(|other| !are_on_two_storeys(other, hotspot));
        over.extend(on_top.filter(|on_top| on_top.name != hotspot.name).map(|on_top| on_top.name.as_str()));
        on_top.is_some_and(|on_top| on_top.name == hotspot.name)
    };
    let places = std::iter::once(hotspot.spot).chain(spread(&hotspot.polygon, ALONG));
    let free = match &hotspot.painted {
        Some(painted) => {
            let pixel_m = room.ground.cell_size_m;
            let runs = painted
                .pixels
                .rows()
                .flat_map(|row| painted.pixels.row(row).iter().map(move |run| (run, row)));
            let columns =
                |run: &Range<u32>| [run.start, run.start.midpoint(run.end), run.end.saturating_sub(1)];
            let pixels = runs.flat_map(|(run, row)| columns(run).map(|column| (column, row)));
            let middle = |(column, row)| DVec2::new(f64::from(column) + 0.5, f64::from(row) + 0.5) * pixel_m;
            pixels.map(middle).any(look)
        }
        None => {
            let inside = |place: &DVec2| crate::geometry::contains(&hotspot.polygon, *place);
            places.filter(inside).any(look)
        }
    };
    (!free && !over.is_empty()).then_some(over)
}

/// Whether two hotspots are used from different storeys, so that neither covers the other.
fn are_on_two_storeys(one: &Hotspot, other: &Hotspot) -> bool {
    let height_m = |hotspot: &Hotspot| hotspot.walk_to.and_then(|walk_to| walk_to.y_m);
    height_m(one).zip(height_m(other)).is_some_and(|(one, other)| (one - other).abs() >= STOREY_M)
}
