//! Bad text grids and maps.

use super::{Case, HALL, HEADER, MAP, case, utf16};

fn grid(name: &'static str, text: impl Into<Vec<u8>>, expected: &'static str) -> Case {
    case(name, "r.txt", text, &[expected])
}

/// A sound grid with `old` replaced by `new`.
fn but(name: &'static str, old: &str, new: &str, expected: &'static str) -> Case {
    let sound = format!("{HEADER}110\n111\n");
    assert!(sound.contains(old), "{old}");
    case(name, "r.txt", sound.replacen(old, new, 1), &[expected])
}

fn map(name: &'static str, text: impl Into<Vec<u8>>, expected: &'static str) -> Case {
    case(name, "r.map", text, &[expected])
}

#[rustfmt::skip] // one line a case
pub(super) fn grids() -> Vec<Case> {
    vec![
        grid("empty", "", "r.txt:1:1: the file is empty; a grid is a header"),
        grid("blank", "\r\n \n", "r.txt:1:1: the file is empty"),
        grid("UTF-16 LE", utf16(HEADER, true, true), "r.txt:1:1: the file is not UTF-8 but, it seems, UTF-16"),
        grid("UTF-16 BE", utf16(HEADER, false, true), "r.txt:1:1: the file is not UTF-8 but, it seems, UTF-16"),
        grid("not UTF-8", b"cellSize 0.5\nmin\xff 0\n".to_vec(), "r.txt:2:4: the file is not UTF-8 from here on"),
        grid("binary", b"\x7fELF\x01\x01\x01\0\0\0".to_vec(), "r.txt:1:1: this is no text: a control character (code 127)"),
        grid("a NUL among the rows", format!("{HEADER}1\u{0}0\n111\n"), "r.txt:6:2: this is no text: a control character (code 0)"),
        grid("a room", format!("{HALL}}}"), "r.txt:1:1: expected 'key value' or a row of 1 and 0, found '{\"areas\":'"),
        grid("a map", format!("{MAP}...\n...\n"), "r.txt:1:1: unknown key 'type'"),
        grid("only rows", "110\n111\n", "r.txt:1:1: missing key 'gridWidth'; the rows have 3 cells: write 'gridWidth 3'"),
        grid("only a header", HEADER, "r.txt:5:12: the file ends after 0 of 2 rows; gridDepth is 2 (at 5:11); was it saved whole?"),
        but("no width", "gridWidth 3\n", "", "r.txt:5:1: missing key 'gridWidth'; the rows have 3 cells: write 'gridWidth 3'"),
        but("no depth", "gridDepth 2\n", "", "r.txt:5:1: missing key 'gridDepth'; there are 2 rows: write 'gridDepth 2'"),
        but("no corner", "minZ 0\n", "", "r.txt:5:1: missing key 'minZ'; write 'minZ …' before the rows"),
        but("an unknown key", "cellSize", "celSize", "r.txt:1:1: unknown key 'celSize'; did you mean 'cellSize'?"),
        but("a key in other letters", "gridWidth", "grid_width", "r.txt:4:1: unknown key 'grid_width'; did you mean 'gridWidth'?"),
        but("an unknown word", "cellSize 0.5", "colour red", "r.txt:1:1: unknown key 'colour'; the keys are cellSize, agentRadius"),
        but("a key twice", "minX 0\n", "minX 0\nminX 1\n", "r.txt:3:1: the key 'minX' stands twice; the first is in line 2; keep one of them"),
        but("an equals sign", "minX 0", "minX = 0", "r.txt:2:8: more than one value after 'minX'; delete this"),
        but("a colon", "minX 0", "minX: 0", "r.txt:2:1: unknown key 'minX:'; did you mean 'minX'?"),
        but("no value", "minX 0", "minX", "r.txt:2:5: no value after 'minX'; write 'key value'"),
        but("a word for a number", "minX 0", "minX west", "r.txt:2:6: minX must be a number, found 'west'"),
        but("a comma in a number", "cellSize 0.5", "cellSize 0,5", "r.txt:1:10: cellSize must be a number, found '0,5'"),
        but("NaN", "minX 0", "minX nan", "r.txt:2:6: minX must be a finite number, found nan"),
        but("infinity", "minX 0", "minX -inf", "r.txt:2:6: minX must be a finite number, found -inf"),
        but("1e308", "minX 0", "minX 1e308", "r.txt:2:6: minX must be at most 1005000, found 1e308"),
        but("-1e308", "minZ 0", "minZ -1e308", "r.txt:3:6: minZ must be at least -1005000, found -1e308"),
        but("1e400", "minX 0", "minX 1e400", "r.txt:2:6: minX must be a finite number, found 1e400"),
        but("no cell size", "cellSize 0.5", "cellSize 0", "r.txt:1:10: cellSize must be greater than 0, found 0"),
        but("a negative cell size", "cellSize 0.5", "cellSize -0.5", "r.txt:1:10: cellSize must be greater than 0, found -0.5"),
        but("a huge cell size", "cellSize 0.5", "cellSize 1001", "r.txt:1:10: cellSize must be at most 1000, found 1001"),
        but("a negative padding", "cellSize 0.5", "objectPadding -1", "r.txt:1:15: objectPadding must be at least 0, found -1"),
        but("no radius", "cellSize 0.5", "agentRadius 0", "r.txt:1:13: agentRadius must be greater than 0, found 0"),
        but("a floor in the clouds", "cellSize 0.5", "floorY 1e7", "r.txt:1:8: floorY must be at most 1000000, found 1e7"),
        but("no width to speak of", "gridWidth 3", "gridWidth 0", "r.txt:4:11: gridWidth must be at least 1, found 0"),
        but("a negative depth", "gridDepth 2", "gridDepth -2", "r.txt:5:11: gridDepth must be at least 1, found -2"),
        but("half a column", "gridWidth 3", "gridWidth 2.5", "r.txt:4:11: gridWidth must be a whole number, found 2.5"),
        but("more columns than there are cells", "gridWidth 3", "gridWidth 18446744073709551619", "r.txt:4:11: gridWidth must be at most 64000000, found 18446744073709551619"),
        grid("1e6 x 1e6 cells", "minX 0\nminZ 0\ngridWidth 1000000\ngridDepth 1000000\n1\n", "r.txt:3:11: 1000000 x 1000000 cells are too many: at most 64000000 in all; is a digit too many?"),
        grid("a grid to the horizon", "cellSize 1000\nminX 0\nminZ 0\ngridWidth 2000\ngridDepth 1\n1\n", "r.txt:4:11: the grid reaches as far as 2000000 m; it may reach to 1005000"),
        but("a short row", "111\n", "11\n", "r.txt:7:3: row 2 has 2 cells, expected 3; gridWidth is 3 (at 4:11)"),
        but("a long row", "110\n", "11010\n", "r.txt:6:4: row 1 has 5 cells, expected 3; gridWidth is 3 (at 4:11)"),
        but("all rows of another length", "gridWidth 3", "gridWidth 4", "r.txt:4:11: gridWidth is 4, but every row has 3 cells; write gridWidth 3?"),
        but("a row missing", "111\n", "", "r.txt:6:4: the file ends after 1 of 2 rows; gridDepth is 2 (at 5:11); was it saved whole?"),
        but("rows too many", "111\n", "111\n101\n001\n", "r.txt:8:1: there are 4 rows, expected 2: from here on they are too many; gridDepth is 2 (at 5:11)"),
        but("an empty row", "111\n", "\n111\n", "r.txt:7:1: an empty line among the rows; delete it"),
        but("another character", "110\n", "1x0\n", "r.txt:6:2: 'x' is no cell: expected 1 or 0"),
        but("other characters", "110\n", "1#é\n", "r.txt:6:2: '#' is no cell: expected 1 or 0 (and 1 more in this row)"),
        but("blanks between", "110\n", "1 1 0\n", "r.txt:6:2: a blank is no cell: expected 1 or 0"),
        but("the header among the rows", "111\n", "111\nfloorY 0\n", "r.txt:8:1: a line of the header among the rows; the header comes before the rows"),
        but("a comment", "minX 0\n", "# the corner\nminX 0\n", "r.txt:2:1: expected 'key value' or a row of 1 and 0, found '#'; a grid has no comments"),
        case("many at once", "r.txt", "cellSize 0\nminX x\nminx 1\ngridWidth 2\ngridDepth 1\n1a1\n", &["r.txt:1:10:", "r.txt:2:6:", "r.txt:3:1:", "r.txt:6:1: missing key 'minZ'", "r.txt:6:2: 'a' is no cell", "r.txt:6:3: row 1 has 3 cells, expected 2"]),
    ]
}

#[rustfmt::skip] // one line a case
pub(super) fn maps() -> Vec<Case> {
    vec![
        map("empty", "", "r.map:1:1: the file is empty; a map begins with type octile"),
        map("UTF-16", utf16(MAP, true, true), "r.map:1:1: the file is not UTF-8 but, it seems, UTF-16"),
        map("not UTF-8", b"type octile\n\xe9".to_vec(), "r.map:2:1: the file is not UTF-8 from here on"),
        map("binary", b"type\0octile".to_vec(), "r.map:1:5: this is no text: a control character (code 0)"),
        map("another type", MAP.replace("octile", "tile") + "...\n...\n", "r.map:1:6: maps of type 'tile' are not read, only octile ones; octile maps have one letter a cell"),
        map("no type", MAP.replace("type octile\n", "") + "...\n...\n", "r.map:3:1: missing key 'type' before 'map'; write 'type octile'"),
        map("no width", MAP.replace("width 3\n", "") + "...\n...\n", "r.map:3:1: missing key 'width' before 'map'; write 'width …'"),
        map("no line map", MAP.replace("map\n", "") + "...\n...\n", "r.map:5:4: no line 'map' before the rows"),
        map("a key twice", MAP.replace("width", "height") + "...\n", "r.map:3:1: the key 'height' stands twice; the first is in line 2"),
        map("an unknown key", MAP.replace("width", "widht") + "...\n...\n", "r.map:3:1: unknown key 'widht'; did you mean 'width'?"),
        map("a negative height", MAP.replace("height 2", "height -2") + "...\n", "r.map:2:8: height must be a whole number from 1 to 64000000, found '-2'"),
        map("no height to speak of", MAP.replace("height 2", "height 0") + "...\n", "r.map:2:8: height must be a whole number from 1 to 64000000, found '0'"),
        map("a number too long", MAP.replace("width 3", "width 99999999999999999999") + "...\n...\n", "r.map:3:7: width must be a whole number"),
        map("no value", MAP.replace("width 3", "width") + "...\n...\n", "r.map:3:6: no value after 'width'; write 'width 512'"),
        map("1e6 x 1e6 cells", "type octile\nheight 1000000\nwidth 1000000\nmap\n.\n", "r.map:3:7: 1000000 x 1000000 cells are too many: at most 64000000 in all"),
        map("a short row", format!("{MAP}...\n..\n"), "r.map:6:3: row 2 has 2 cells, expected 3; width is 3 (at 3:7)"),
        map("rows missing", format!("{MAP}...\n"), "r.map:5:4: the file ends after 1 of 2 rows; height is 2 (at 2:8); was it saved whole?"),
        map("rows too many", format!("{MAP}...\n...\n...\n"), "r.map:7:1: there are 3 rows, expected 2"),
        map("another letter", format!("{MAP}.x.\n...\n"), "r.map:5:2: 'x' is no cell: expected one of . G S (walkable) or @ O T W (blocked)"),
        map("only a header", MAP, "r.map:4:4: the file ends after 0 of 2 rows"),
    ]
}
