//! Bad files: each is refused with place, reason and hint, none brings the program down. And odd ones that are fine.
//!
//! What a file looks like is in the tables; what is expected is a piece of the report, mostly the whole line. Those
//! that need a file system go through the command.

#[cfg(feature = "cli")]
mod by_command;
mod grids;
mod rooms;
mod sectors;
mod ways;

use cicerone::problem::Problem;
use cicerone::room::{Room, parse};

/// A sound room on one line, open at its end for more.
const HALL: &str = r#"{"areas": [{"name": "hall", "polygon": [[0,0],[4,0],[4,4],[0,4]]}]"#;
/// The header of a sound grid of 3 × 2 cells.
const HEADER: &str = "cellSize 0.5\nminX 0\nminZ 0\ngridWidth 3\ngridDepth 2\n";
/// The header of a sound map of 3 × 2 cells.
const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n";

struct Case {
    name: &'static str,
    file: &'static str,
    bytes: Vec<u8>,
    /// Pieces of the report, each in it.
    expected: Vec<&'static str>,
}

fn case(
    name: &'static str,
    file: &'static str,
    bytes: impl Into<Vec<u8>>,
    expected: &[&'static str],
) -> Case {
    Case { name, file, bytes: bytes.into(), expected: expected.to_vec() }
}

/// A room whose second line is this.
fn hall(more: &str) -> String {
    format!("{HALL},\n{more}}}")
}

fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
    let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
    units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

/// What is wrong with a file; nothing if it is accepted.
fn refused(file: &str, bytes: &[u8]) -> Option<Vec<Problem>> {
    parse(file, bytes).err().map(|report| report.problems)
}

#[test]
fn every_bad_file_is_refused_with_its_place() {
    let mut cases: Vec<Case> = rooms::cases();
    cases.extend(sectors::cases().into_iter().chain(ways::cases()));
    cases.extend(grids::grids().into_iter().chain(grids::maps()));
    assert!(cases.len() >= 180, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let Some(problems) = refused(case.file, &case.bytes) else {
            wrong.push(format!("{} ({}): accepted", case.name, case.file));
            continue;
        };
        let report: Vec<String> = problems.iter().map(Problem::to_string).collect();
        let said = report.join("\n");
        for expected in &case.expected {
            if !said.contains(expected) {
                let shown: String = said.chars().take(600).collect();
                wrong.push(format!(
                    "{} ({}): expected\n    {expected}\n  in\n    {shown}",
                    case.name, case.file
                ));
            }
        }
        let short = report.iter().all(|line| line.chars().count() < 600);
        let placed = problems.iter().all(|p| p.line > 0 && p.column > 0 && p.span.end <= case.bytes.len());
        if !short || !placed || problems.is_empty() || problems.len() > 1000 {
            wrong.push(format!(
                "{} ({}): {} problems, or endless ones",
                case.name,
                case.file,
                problems.len()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_cut_off_anywhere_are_refused() {
    let room = format!("{HALL},\n\"points\": {{\"ü\": [1.5, 2]}}, \"cellSize\": 0.25}}");
    let grid = format!("{HEADER}110\n111\n");
    let map = format!("{MAP}..@\n.GT\n");
    for (file, whole) in [("r.json", room), ("r.txt", grid), ("r.map", map)] {
        parse(file, whole.as_bytes()).unwrap_or_else(|report| panic!("{report}"));
        for length in 0..whole.trim_end().len() {
            let part = &whole.as_bytes()[..length];
            let Some(problems) = refused(file, part) else {
                panic!("accepted: {}", String::from_utf8_lossy(part))
            };
            assert!(!problems.is_empty() && problems.len() < 20, "{length} bytes of {file}: {problems:?}");
        }
    }
}

#[test]
fn odd_files_that_are_fine() {
    let plain = |file: &str, text: String| {
        parse(file, text.as_bytes()).unwrap_or_else(|report| panic!("{report}")).room
    };
    let hall = plain("r.json", format!("{HALL}}}"));
    let grid = plain("r.txt", format!("{HEADER}110\n111\n"));
    let map = plain("r.map", format!("{MAP}..@\n.GT\n"));
    let square = "[0,0],[4,0],[4,4],[0,4]";
    #[rustfmt::skip] // one line a case
    let odd = [
        ("a mark", "r.json", format!("\u{feff}{HALL}}}"), &hall),
        ("CRLF", "r.json", format!("{HALL}\r\n}}\r\n\r\n"), &hall),
        ("-0", "r.json", format!("{HALL}}}").replace("[0,0]", "[-0,-0.0]"), &hall),
        ("repeated corners", "r.json", format!("{HALL}}}").replace("[4,0]", "[4,0],[4,0],[4.0,0e0]"), &hall),
        ("the first corner again", "r.json", format!("{HALL}}}").replace("[0,4]", "[0,4],[0,0]"), &hall),
        ("the default written out", "r.json", format!("{HALL}, \"cellSize\": 0.4}}"), &hall),
        ("a mark", "r.txt", format!("\u{feff}{HEADER}110\n111\n"), &grid),
        ("CRLF", "r.txt", format!("{HEADER}110\n111\n").replace('\n', "\r\n"), &grid),
        ("-0", "r.txt", format!("{HEADER}110\n111\n").replace("minX 0", "minX -0.0"), &grid),
        ("no line ending", "r.txt", format!("{HEADER}110\n111"), &grid),
        ("blanks and blank lines behind", "r.txt", format!("{HEADER}110  \n111\t\n \n\n"), &grid),
        ("blanks in the header", "r.txt", format!("\n {HEADER}\n110\n111\n").replace("minX 0", "minX \t 0  "), &grid),
        ("another order", "r.txt", "gridDepth 2\ngridWidth 3\nminZ 0\nminX 0\ncellSize 0.5\n110\n111\n".to_owned(), &grid),
        ("defaults written out", "r.txt", format!("floorY 0\nboundaryPadding 0\nobjectPadding .25\nagentRadius 45e-2\n{HEADER}110\n111\n"), &grid),
        ("a mark and CRLF", "r.map", format!("\u{feff}{MAP}..@\n.GT\n\n").replace('\n', "\r\n"), &map),
        ("another order", "r.map", "width 3\nheight 2\ntype octile\nmap\n..@\n.ST\n".to_owned(), &map),
        ("other letters", "r.map", format!("{MAP}GSW\nS.O"), &map),
    ];
    for (name, file, text, expected) in odd {
        match parse(file, text.as_bytes()) {
            Ok(parsed) => assert_eq!(parsed.room, *expected, "{name}: {text}"),
            Err(report) => panic!("{name} ({file}) is refused:\n{report}"),
        }
    }
    // The other winding has the same ground.
    let turned = plain("r.json", format!("{HALL}}}").replace(square, "[0,4],[4,4],[4,0],[0,0]"));
    let ground = |room: &Room| cicerone::surface::Surface::new(room).unwrap();
    assert_eq!(ground(&turned).as_grid().unwrap().words(), ground(&hall).as_grid().unwrap().words());
    let fractional = plain("r.json", format!("{HALL}, \"cellSize\": 0.123456789}}"));
    assert_eq!(fractional.ground.cell_size_m, 0.123456789);
    assert_eq!(
        plain("r.txt", format!("{HEADER}110\n111\n").replace("0.5", "0.123456789")).ground.cell_size_m,
        0.123456789
    );
}
