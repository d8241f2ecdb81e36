//! Rooms as JSON.

use super::{check_problems, life, mask};
use cicerone::room::{Parsed, RoomReport, parse_with, without_comments};

pub fn run(data: &[u8]) -> bool {
    if let Ok(text) = std::str::from_utf8(data) {
        let plain = without_comments(text);
        assert_eq!(plain.len(), text.len(), "places in the text must stay");
    }
    let (first, second) = (read(data), read(data));
    match (first, second) {
        (Err(report), Err(again)) => {
            assert_eq!(report, again, "refused in two ways");
            check_problems(&report.problems, Some(&report.source));
            false
        }
        (Ok(parsed), Ok(again)) => {
            assert_eq!(parsed.room, again.room, "read in two ways");
            let json = parsed.room.to_json().expect("a room that came from JSON").to_string();
            let written = read(json.as_bytes()).unwrap_or_else(|report| panic!("{report}\n{json}"));
            assert_eq!(written.room, parsed.room, "what is written reads otherwise: {json}");
            life::enter(&parsed);
            true
        }
        _ => panic!("refused once, and once not"),
    }
}

/// Whatever image it names is a small one.
fn read(data: &[u8]) -> Result<Parsed, RoomReport> {
    parse_with("rooms/fuzzed.json", data, None, &|_| Ok(mask::small_png().to_vec()))
}
