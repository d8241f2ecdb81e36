//! `cicerone path --move-along`: a move without a path.

use super::path::{PathFormat, micrometres, point};
use super::{NO, OK, print};
use cicerone::nav::{FloorId, Place};
use cicerone::problem::length_text;
use cicerone::surface::Surface;
use serde::Serialize;
use std::path::Path;

/// The end of a move that slides along walls, and the polygons that it goes through.
#[derive(Serialize)]
struct MovedAlong {
    end: [f64; 3],
    /// How far the end is from the place asked for, on the plane.
    missed_by_m: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    polygons: Option<Vec<FloorId>>,
}

/// Exits with 0 if the move gets there, and with 1 if a wall stops it.
pub(super) fn move_along(
    ground: &Surface,
    from: Place,
    to: Place,
    (format, output): (PathFormat, Option<&Path>),
) -> u8 {
    let is_json = match format {
        PathFormat::Text => false,
        PathFormat::Json => true,
        _ => return print::complain("--move-along has no picture: leave --format out, or use json"),
    };
    let Some((end, polygons)) = ground.move_through(from, to.at) else {
        return print::complain(&format!(
            "--from ({:.2}, {:.2}) is no walkable ground",
            from.at.x, from.at.y
        ));
    };
    let polygons = ground.as_mesh().map(|_| polygons);
    let missed_by_m = end.at.distance(to.at);
    let moved = MovedAlong { end: point(ground, end), missed_by_m: micrometres(missed_by_m), polygons };
    let content = if is_json { print::pretty_json(&moved) } else { moved.in_words() };
    let code = if missed_by_m > 0.0 { NO } else { OK };
    code.max(print::to_file_or_stdout(&content, output))
}

impl MovedAlong {
    fn in_words(&self) -> String {
        let [x, _, z] = self.end;
        let missed = match self.missed_by_m {
            0.0 => String::new(),
            missed_by_m => format!("; a wall stops it, {} off", length_text(missed_by_m)),
        };
        let through = self.polygons.as_ref().map(|all| {
            let numbers: Vec<String> = all.iter().map(|polygon| polygon.0.to_string()).collect();
            format!("through the polygons {}\n", numbers.join(", "))
        });
        format!("it ends at ({x:.2}, {z:.2}){missed}\n{}", through.unwrap_or_default())
    }
}
