//! Text grids.

use super::{life, read_twice};
use cicerone::room::parse;

const FILE: &str = "rooms/fuzzed.txt";

pub fn run(data: &[u8]) -> bool {
    let Some(parsed) = read_twice(|| parse(FILE, data)) else { return false };
    written_and_read(&parsed.room);
    life::enter(&parsed);
    true
}

/// Writes a room of cells and reads it again.
pub fn written_and_read(room: &cicerone::room::Room) {
    let text = room.to_text_grid().expect("a room of cells");
    let again = parse(FILE, text.as_bytes()).unwrap_or_else(|report| panic!("{report}\n{text}")).room;
    assert_eq!((&again.grid, &again.ground), (&room.grid, &room.ground), "what is written reads otherwise");
    assert_eq!(again.to_text_grid().as_deref(), Some(text.as_str()), "written twice, it differs");
}
