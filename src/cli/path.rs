//! `cicerone path` and `cicerone draw`: one query, one picture.

use super::place::Place;
use super::{BAD_INPUT, NO, OK, print, project_of, room_file};
use cicerone::draw::{Picture, SvgOptions};
use cicerone::path::{NoPath, Outcome};
use cicerone::problem::did_you_mean;
use cicerone::project::{MAX_ROOM_BYTES, read_file};
use cicerone::runtime::check_room;
use cicerone::world::World;
use clap::{Args, ValueEnum};
use glam::DVec2;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Find a path in a room and print or draw it
///
/// Exits with 0 if the path is complete, 1 if it is partial or there is none. People standing about are not in the way.
#[derive(Args)]
pub(super) struct PathArgs {
    /// The room: a file, or NAME for rooms/NAME.json
    #[arg(value_name = "ROOM")]
    room: PathBuf,
    /// Where from: X,Z in metres, or the name of a point or character
    #[arg(long, value_name = "X,Z", allow_hyphen_values = true)]
    from: Place,
    /// Where to
    #[arg(long, value_name = "X,Z", allow_hyphen_values = true)]
    to: Place,
    /// Open this area first (may be given several times)
    #[arg(long, value_name = "AREA")]
    open: Vec<String>,
    /// Close this area first (may be given several times)
    #[arg(long, value_name = "AREA")]
    close: Vec<String>,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: PathFormat,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PathFormat {
    Text,
    Json,
    Ascii,
    Svg,
}

/// Draw a room as an SVG picture
#[derive(Args)]
pub(super) struct DrawArgs {
    /// The room: a file, or NAME for rooms/NAME.json
    #[arg(value_name = "ROOM")]
    room: PathBuf,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,
    /// Show the cells of the walking grid too
    #[arg(long)]
    cells: bool,
}

#[derive(Serialize)]
struct Answer {
    outcome: Outcome,
    reason: Option<NoPath>,
    cost_cells: f64,
    length_m: f64,
    waypoints: Vec<[f64; 3]>,
    expansions: u64,
}

pub(super) fn path(root: Option<&Path>, args: &PathArgs) -> u8 {
    let doors = args.open.iter().map(|name| (name, true)).chain(args.close.iter().map(|name| (name, false)));
    let mut world = match open_world(root, &args.room, doors) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let (from, to) = match (args.from.find(&world), args.to.find(&world)) {
        (Ok(from), Ok(to)) => (from, to),
        (Err(message), _) | (_, Err(message)) => return print::complain(&message),
    };
    let path = world.find_path(from, to, None);
    let code = if path.outcome == Outcome::Complete { OK } else { NO };
    let picture = || Picture::of_world(&world).with_path(from, to, &path);
    let content = match args.format {
        PathFormat::Text => in_words(&path, to),
        PathFormat::Ascii => picture().with_cells(world.ground()).to_text(terminal_width()),
        PathFormat::Svg => picture().to_svg(&SvgOptions::default()),
        PathFormat::Json => {
            let floor_y = world.ground().floor_y_m();
            print::pretty_json(&Answer {
                outcome: path.outcome,
                reason: path.reason,
                cost_cells: path.cost_cells,
                length_m: path.length_m,
                waypoints: path.waypoints.iter().map(|p| [p.x, floor_y, p.y]).collect(),
                expansions: path.expansions,
            })
        }
    };
    code.max(print::to_file_or_stdout(&content, args.output.as_deref()))
}

pub(super) fn draw(root: Option<&Path>, args: &DrawArgs) -> u8 {
    let world = match open_world(root, &args.room, std::iter::empty()) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let mut picture = Picture::of_room(world.room(), world.ground());
    if args.cells {
        picture = picture.with_cells(world.ground());
    }
    print::to_file_or_stdout(&picture.to_svg(&SvgOptions::default()), args.output.as_deref())
}

/// A room brought to life without its scripts, its areas as the file has them but for `doors`.
fn open_world<'a>(
    root: Option<&Path>,
    room: &Path,
    doors: impl Iterator<Item = (&'a String, bool)>,
) -> Result<World, u8> {
    let room = room_file(room);
    let project = project_of(root, &room);
    let name = project.name_of(&room);
    let bytes = read_file(&room, MAX_ROOM_BYTES)
        .map_err(|error| print::complain(&format!("{}: {error}", room.display())))?;
    let (mut room, _) = check_room(&project, &name, &bytes).map_err(|error| {
        print::problems(&error.problems, &error.source.text);
        BAD_INPUT
    })?;
    for (name, available) in doors {
        match room.areas.iter_mut().find(|area| area.name == *name) {
            Some(area) => area.available = available,
            None => {
                let hint = did_you_mean(name, room.areas.iter().map(|area| area.name.as_str()));
                let hint = hint.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
                return Err(print::complain(&format!("no area '{name}' in this room{hint}")));
            }
        }
    }
    World::new(room, 0).map_err(|error| print::complain(&error.to_string()))
}

fn in_words(path: &cicerone::path::Path, to: DVec2) -> String {
    let mut text = match (path.outcome, path.reason) {
        (Outcome::Complete, _) => format!("complete: {:.2} m, {:.3} cells\n", path.length_m, path.cost_cells),
        (Outcome::Partial, _) => {
            format!(
                "partial: no way leads there; {:.2} m to the nearest point that can be reached\n",
                path.length_m
            )
        }
        (Outcome::None, reason) => {
            format!("none: {}\n", reason.map_or("no way leads there", NoPath::describe))
        }
    };
    if let Some(end) = path.waypoints.last().filter(|end| path.outcome == Outcome::Complete && **end != to) {
        let apart_m = end.distance(to);
        text.push_str(&format!(
            "the goal is no walkable ground; the nearest is {apart_m:.2} m away, where the path ends\n"
        ));
    }
    for &DVec2 { x, y: z } in &path.waypoints {
        text.push_str(&format!("  {x:.2}, {z:.2}\n"));
    }
    text
}

/// Columns that a text picture may take.
fn terminal_width() -> usize {
    crossterm::terminal::size().map_or(100, |(columns, _)| usize::from(columns))
}
