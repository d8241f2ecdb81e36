//! A picture of a scene: everybody's track, and where all are at the end.

use super::measure::Pose;
use super::scenes::Scene;
use glam::DVec2;
use std::fmt::Write as _;

/// Width or height of a picture, whichever is larger, in pixels.
const EDGE_PX: f64 = 900.0;

/// Space round the room, in metres.
const MARGIN_M: f64 = 0.5;

/// The picture as SVG: a track for each person, and its body where it is at the end.
pub fn svg(scene: &Scene, tracks: &[Vec<Pose>]) -> String {
    let (low, high) = extent(scene.room.areas.iter().flat_map(|area| area.polygon.iter().copied()));
    let (low, high) = (low - MARGIN_M, high + MARGIN_M);
    let scale = EDGE_PX / (high - low).max_element();
    let size = (high - low) * scale;
    let points = |places: &[DVec2]| {
        places.iter().fold(String::new(), |mut text, place| {
            let at = (*place - low) * scale;
            let _ = write!(text, "{:.1},{:.1} ", at.x, at.y);
            text
        })
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#3b4252\"/>\n",
        size.x, size.y
    );
    for area in &scene.room.areas {
        let _ = writeln!(
            text,
            "<polygon fill=\"#f4f2ec\" stroke=\"#f4f2ec\" points=\"{}\"/>",
            points(&area.polygon)
        );
    }
    for obstacle in &scene.room.obstacles {
        let _ = writeln!(text, "<polygon fill=\"#8f8672\" points=\"{}\"/>", points(&obstacle.polygon));
    }
    for (index, track) in tracks.iter().enumerate() {
        let colour = format!("hsl({},65%,42%)", index * 137 % 360);
        let _ = writeln!(
            text,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.55\" stroke-width=\"1.2\" points=\"{}\"/>",
            points(&track.iter().map(|pose| pose.at).collect::<Vec<_>>())
        );
    }
    for (index, (track, spec)) in tracks.iter().zip(&scene.room.characters).enumerate() {
        let Some(last) = track.last() else { continue };
        let at = (last.at - low) * scale;
        let radius = spec.collision_radius_m * scale;
        let _ = writeln!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\" fill=\"hsl({},65%,72%)\" stroke=\"#2e3440\"/>",
            at.x,
            at.y,
            index * 137 % 360
        );
    }
    text.push_str("</svg>\n");
    text
}

/// The rectangle round some places, from its lowest to its highest corner.
pub(super) fn extent(places: impl Iterator<Item = DVec2>) -> (DVec2, DVec2) {
    places.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
}
