//! Bad rooms.

use super::{Case, HALL, case, hall, utf16};

fn room(name: &'static str, more: &str, expected: &'static str) -> Case {
    case(name, "r.json", hall(more), &[expected])
}

/// A room with one area of these corners, on its second line.
fn outline(name: &'static str, corners: &str, expected: &'static str) -> Case {
    case(
        name,
        "r.json",
        format!("{{\"areas\": [{{\"name\": \"hall\", \"polygon\":\n{corners}}}]}}"),
        &[expected],
    )
}

#[rustfmt::skip] // one line a case
pub(super) fn cases() -> Vec<Case> {
    vec![
        case("empty", "r.json", "", &["r.json:1:1: the file is empty; the least room is"]),
        case("blank", "r.json", " \r\n\t\n", &["r.json:1:1: the file is empty"]),
        case("only a mark", "r.json", "\u{feff}", &["r.json:1:1: the file is empty"]),
        case("UTF-16 LE", "r.json", utf16(HALL, true, true), &["r.json:1:1: the file is not UTF-8 but, it seems, UTF-16; save it as UTF-8"]),
        case("UTF-16 BE", "r.json", utf16(HALL, false, true), &["r.json:1:1: the file is not UTF-8 but, it seems, UTF-16"]),
        case("UTF-16 without a mark", "r.json", utf16(HALL, true, false), &["it seems, UTF-16"]),
        case("Latin-1", "r.json", b"{\n\"name\": \"caf\xe9\"}".to_vec(), &["r.json:2:13: the file is not UTF-8 from here on; save it as UTF-8"]),
        case("a picture", "r.json", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), &["r.json:1:1: this is an image, and no room"]),
        case("a list", "r.json", "[]", &["r.json:1:1: expected", "a room is written {\"areas\": […]}"]),
        case("a word", "r.json", "null", &["r.json:1:1: expected"]),
        room("NaN", "\"floorY\": NaN", "r.json:2:11: JSON has no NaN; write a finite number"),
        room("infinity", "\"floorY\": Infinity", "r.json:2:11: JSON has no Infinity"),
        room("-infinity", "\"floorY\": -Infinity", "r.json:2:11: JSON has no -Infinity"),
        room("1e308", "\"floorY\": 1e308", "r.json:2:11: floorY must be at most 1000000, found 1e308 (floorY)"),
        room("1e400", "\"floorY\": 1e400", "r.json:2:11: this number is too large to be held"),
        room("two trailing commas", "\"points\": {},,", "r.json:2:14: one comma too many; delete it"),
        room("a comma alone in a list", "\"obstacles\": [,]", "r.json:2:15: a comma with nothing before it; delete it"),
        case("garbage behind", "r.json", format!("{HALL}}}\n}}"), &["r.json:2:1: text after the end of the room"]),
        case("a second room behind", "r.json", format!("{HALL}}}\n{HALL}}}"), &["r.json:2:1: text after the end of the room"]),
        room("a bracket in a comment", "// doors", "r.json:2:10: the file ends before the '{' of 1:1 is closed"),
        room("a hash comment", "\"points\": {} # none", "r.json:2:14: '#' begins no comment; write // or /* … */"),
        room("an open comment", "\"points\": {} /* doors", "r.json:2:14: this comment is not closed; write */ where it ends"),
        room("a mistake behind a comment", "/* dööörs, { */ \"celSize\": 1,", "r.json:2:17: unknown key 'celSize' in the room (celSize); did you mean 'cellSize'?"),
        room("a value that a comment stands in", "\"cellSize\": // }\n\"0.5\"", "r.json:3:1: expected a number, found a string (cellSize)"),
        room("a key twice", "\"cellSize\": 1, \"cellSize\": 2", "r.json:2:16: the key 'cellSize' stands twice (cellSize); the first is at 2:1; keep one of them"),
        room("a nested key twice", "\"points\": {\"b\": [1, 1], \"b\": [1, 1]}", "r.json:2:25: the key 'b' stands twice (points.b)"),
        room("a key twice deep inside", "\"characters\": [{\"name\": \"a\", \"at\": [1,1], \"at\": [2,2]}]", "r.json:2:43: the key 'at' stands twice (characters[0].at)"),
        room("two areas of one name", "\"obstacles\": [{\"name\": \"a\", \"polygon\": [[0,0],[1,0],[1,1]]}, {\"name\": \"a\", \"polygon\": [[0,0],[1,0],[1,1]]}]", "r.json:2:71: a second obstacle named 'a' (obstacles[1].name); rename this one or the obstacle at 2:24"),
        room("a character named like a point", "\"points\": {\"a\": [1,1]}, \"characters\": [{\"name\": \"a\", \"at\": \"a\"}]", "r.json:2:49: the character 'a' has the name of a point"),
        room("an unknown key", "\"celSize\": 1", "r.json:2:1: unknown key 'celSize' in the room (celSize); did you mean 'cellSize'?"),
        room("an unknown key inside", "\"characters\": [{\"name\": \"a\", \"at\": [1,1], \"walkspeed\": 1}]", "r.json:2:43: unknown key 'walkspeed' in a character (characters[0].walkspeed); did you mean 'walkSpeed'?"),
        room("an unknown point", "\"points\": {\"gate\": [1,1]}, \"characters\": [{\"name\": \"a\", \"at\": \"gaet\"}]", "r.json:2:63: unknown point 'gaet' (characters[0].at); did you mean 'gate'?"),
        room("an unknown focus", "\"points\": {\"gate\": [1,1]}, \"focus\": \"gaet\"", "r.json:2:37: unknown character or point 'gaet' (focus); did you mean 'gate'?"),
        room("paths of an unknown shape", "\"paths\": \"curvy\"", "r.json:2:10: "),
        room("a number in quotes", "\"cellSize\": \"0.5\"", "r.json:2:13: expected a number, found a string (cellSize); write 0.5 without quotes"),
        room("null", "\"cellSize\": null", "r.json:2:13: expected a number, found null (cellSize); leave the key out"),
        room("a list for an object", "\"points\": []", "r.json:2:11: expected an object, found a list (points)"),
        room("a negative size", "\"cellSize\": -0.4", "r.json:2:13: cellSize must be greater than 0, found -0.4 (cellSize)"),
        room("no size", "\"cellSize\": 0", "r.json:2:13: cellSize must be greater than 0, found 0 (cellSize)"),
        room("a negative padding", "\"objectPadding\": -1", "r.json:2:18: objectPadding must be at least 0, found -1 (objectPadding)"),
        room("no steps a second", "\"ticksPerSecond\": 0", "r.json:2:19: ticksPerSecond must be at least 1, found 0 (ticksPerSecond)"),
        room("half a step a second", "\"ticksPerSecond\": 0.5", "r.json:2:19: ticksPerSecond must be a whole number, found 0.5"),
        outline("1e6 x 1e6 cells", "[[0,0],[400000,0],[400000,400000],[0,400000]]", "the room is too large for its cells: 1 million x 1 million of them, at most 64 million in all"),
        outline("two corners", "[[0,0],[1,0]]", "r.json:2:1: polygon needs at least 3 entries, found 2 (areas[0].polygon)"),
        outline("two different corners", "[[0,0],[1,0],[0,0],[1,0]]", "r.json:2:1: a polygon needs 3 different corners, found 2"),
        outline("corners on a line", "[[0,0],[1,1],[2,2]]", "r.json:2:1: all corners of this polygon lie on one line (areas[0].polygon); it has no inside"),
        outline("no inside", "[[0,0],[2,0],[2,1],[2,0]]", "r.json:2:1: "),
        outline("a bow tie", "[[0,0],[4,4],[4,0],[0,4]]", "r.json:2:14: this polygon crosses itself: edge [0, 0]-[4, 4] meets edge [4, 0]-[0, 4] (areas[0].polygon[2])"),
        outline("a height", "[[0,0,0],[4,0,0],[4,4,0]]", "r.json:2:2: expected a corner [x, z], found a list of 3 (areas[0].polygon[0]); leave out the height"),
        outline("far away", "[[0,0],[2e6,0],[4,4]]", "r.json:2:9: a coordinate must be at most 1000000, found 2e6 (areas[0].polygon[1][0])"),
        outline("a million corners", &million(), "r.json:2:1: polygon may have at most 100000 entries, found 1000000"),
        case("no areas", "r.json", "{\"areas\": []}", &["r.json:1:11: areas needs at least 1 entry, found 0"]),
        case("nothing at all", "r.json", "{}", &["r.json:1:1: missing key 'areas'"]),
        room("two players", "\"characters\": [{\"name\": \"a\", \"at\": [1,1], \"player\": true}, {\"name\": \"b\", \"at\": [2,1], \"player\": true}]", "r.json:2:97: a second player (characters[1].player); 'a' is the player already (line 2)"),
        room("a script that leaves the project", "\"script\": \"../other/a.lua\"", "r.json:2:11: the path of the script leaves the project (script)"),
        room("a script that leaves it on the way", "\"script\": \"a/../../b.lua\"", "r.json:2:11: the path of the script leaves the project"),
        room("an absolute script", "\"script\": \"/etc/passwd\"", "r.json:2:11: the path of the script is absolute (script)"),
        room("a script on a drive", "\"script\": \"C:a.lua\"", "r.json:2:11: the path of the script is absolute"),
        room("a script with a NUL", "\"script\": \"a\\u0000.lua\"", "r.json:2:11: the path of the script holds a control character"),
        case("deep nesting", "r.json", "[".repeat(100_000), &["r.json:1:65: nested deeper than 64 levels"]),
        case("deep nesting that closes", "r.json", format!("{}{}", "{\"a\":".repeat(1000), "}".repeat(1000)), &["nested deeper than 64 levels"]),
        room("an absurdly long key", &format!("\"points\": {{\"{}\": 1}}", "k".repeat(100_000)), "…"),
        room("half a character", "\"name\": \"\\ud800\"", "r.json:2:10: half a character"),
        room("a raw line break in a string", "\"name\": \"a\nb\"", "r.json:2:9: this string is not closed on its line"),
    ]
}

fn million() -> String {
    let corners: Vec<String> = (0..1_000_000).map(|i| format!("[{i},0]")).collect();
    format!("[{}]", corners.join(","))
}
