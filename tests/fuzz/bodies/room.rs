//! Rooms as JSON.

use super::{life, mask, read_twice};
use cicerone::room::{Parsed, RoomReport, parse_with, without_comments};

pub fn run(data: &[u8]) -> bool {
    if let Ok(text) = std::str::from_utf8(data) {
        let plain = without_comments(text);
        assert_eq!(plain.len(), text.len(), "places in the text must stay");
    }
    let Some(parsed) = read_twice(|| read(data)) else { return false };
    let json = parsed.room.to_json().expect("a room that came from JSON").to_string();
    let written = read(json.as_bytes()).unwrap_or_else(|report| panic!("{report}\n{json}"));
    assert_eq!(written.room, parsed.room, "what is written reads otherwise: {json}");
    life::enter(&parsed);
    true
}

/// Whatever image it names is a small one.
fn read(data: &[u8]) -> Result<Parsed, RoomReport> {
    parse_with("rooms/fuzzed.json", data, None, &|_| Ok(mask::small_png().to_vec()))
}
