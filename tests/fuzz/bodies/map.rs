//! Maps of the pathfinding benchmarks.

use super::{grid, life, read_twice};
use cicerone::room::parse_with;

pub fn run(data: &[u8]) -> bool {
    scaled(data, None) & scaled(data, Some(0.25))
}

/// Reads a map with cells of this size. Whether it could be read.
fn scaled(data: &[u8], cell_size_m: Option<f64>) -> bool {
    let read = || parse_with("rooms/fuzzed.map", data, cell_size_m, &|_| Err("no other files".into()));
    let Some(parsed) = read_twice(read) else { return false };
    grid::written_and_read(&parsed.room);
    life::enter(&parsed);
    true
}
