//! Maps of the pathfinding benchmarks.

use super::{check_problems, grid, life};
use cicerone::room::parse_with;

pub fn run(data: &[u8]) -> bool {
    scaled(data, None) & scaled(data, Some(0.25))
}

/// Reads a map with cells of this size. Whether it could be read.
fn scaled(data: &[u8], cell_size_m: Option<f64>) -> bool {
    let read = || parse_with("rooms/fuzzed.map", data, cell_size_m, &|_| Err("no other files".into()));
    match read() {
        Err(report) => {
            assert_eq!(read().unwrap_err(), report, "refused in two ways");
            check_problems(&report.problems, Some(&report.source));
            false
        }
        Ok(parsed) => {
            assert_eq!(read().unwrap().room, parsed.room, "read in two ways");
            grid::written_and_read(&parsed.room);
            life::enter(&parsed);
            true
        }
    }
}
