//! `cicerone tactics`: what an actor of a tactical level reaches, and at what cost in time units.

use super::room::{Doors, RoomArgs};
use super::{NO, OK, print};
use cicerone::glam::DVec3;
use cicerone::problem::did_you_mean;
use cicerone::room::Room;
use cicerone::tactics::{Actor, Cell, CellView, Move, ReachTable, Stance, TacticalField};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::Path;

/// Print what an actor of a tactical level reaches, and the time units (TU) that it takes
///
/// Places are in units, X,Y,Z with z up; a cell is 32 × 32 × 64 units. Exits with 1 if --to cannot be reached.
#[derive(Args)]
pub(super) struct TacticsArgs {
    #[command(flatten)]
    room: RoomArgs,
    /// Where the actor stands
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true, required_unless_present = "trace")]
    from: Option<DVec3>,
    /// Print the moves to this place
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true, requires = "from")]
    to: Option<DVec3>,
    /// The side of the actor, in cells: 1, or 2 for one of 2 × 2 cells, which is named by that with the least x and y
    #[arg(long, value_name = "CELLS", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=2))]
    size: u32,
    /// The TU that the actor may spend
    #[arg(long, value_name = "TU", default_value = "65534")]
    budget: u16,
    /// The actor's stance at the start
    #[arg(long, value_enum, default_value = "stand")]
    stance: StanceArg,
    /// The actor flies
    #[arg(long)]
    fly: bool,
    /// Another actor of one cell is there (may be given several times)
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    forbid: Vec<DVec3>,
    /// Open the brushes of this area first (may be given several times)
    #[arg(long, value_name = "AREA")]
    open: Vec<String>,
    /// Close the brushes of this area first (may be given several times)
    #[arg(long, value_name = "AREA")]
    close: Vec<String>,
    /// Print the floor, the ceiling and the eight openings of each cell instead, in quants of 4 units
    #[arg(long, conflicts_with_all = ["to", "forbid", "fly"])]
    trace: bool,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum StanceArg {
    Stand,
    Crouch,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Serialize)]
struct Answer {
    reach: Vec<PlaceTu>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathTu>,
}

#[derive(Serialize)]
struct PlaceTu {
    cell: Cell,
    stance: &'static str,
    tu: u16,
}

#[derive(Serialize)]
struct PathTu {
    tu: Option<u16>,
    /// The stance at the end.
    stance: Option<&'static str>,
    moves: Vec<MoveTu>,
}

#[derive(Serialize)]
struct MoveTu {
    #[serde(rename = "move")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<[i32; 2]>,
    to: Cell,
    stance: &'static str,
    tu: u16,
}

#[derive(Serialize)]
struct Traced {
    /// Cells along x and y, and levels.
    size: [u32; 3],
    /// The directions of the openings.
    directions: [[i32; 2]; 8],
    cells: Vec<TracedCell>,
}

#[derive(Serialize)]
struct TracedCell {
    cell: Cell,
    floor: i16,
    ceiling: i16,
    openings: [u8; 8],
}

fn place(text: &str) -> Result<DVec3, String> {
    let numbers: Vec<f64> = text.split(',').map_while(|word| word.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, z] if numbers.iter().all(|number| number.is_finite()) && text.split(',').count() == 3 => {
            Ok(DVec3::new(x, y, z))
        }
        _ => Err("three numbers in units, as in 48,16,0".into()),
    }
}

pub(super) fn tactics(root: Option<&Path>, args: &TacticsArgs) -> u8 {
    let world = match args.room.open(root, &Doors::default()) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let field = match field(world.room(), args) {
        Ok(field) => field,
        Err(message) => return print::complain(&message),
    };
    match answer(&field, args) {
        Ok((text, code)) => {
            print::text(&text);
            code
        }
        Err(message) => print::complain(&message),
    }
}

/// The traced level, its areas as the file and the arguments say.
fn field(room: &Room, args: &TacticsArgs) -> Result<TacticalField, String> {
    let Some(tactics) = &room.tactics else {
        return Err(format!(
            "{}: this room has no tactical level, the key 'tactics'",
            args.room.room.display()
        ));
    };
    let is_open = |name: &str| {
        let in_file = room.areas.iter().any(|area| area.name == name && area.available);
        let has = |names: &[String]| names.iter().any(|other| other == name);
        (in_file || has(&args.open)) && !has(&args.close)
    };
    let field = TacticalField::new(tactics, is_open);
    for name in args.open.iter().chain(&args.close) {
        if !field.areas().contains(name) {
            let hint = did_you_mean(name, field.areas().iter().map(String::as_str));
            let hint = hint.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
            return Err(format!("no brush belongs to an area '{name}'{hint}"));
        }
    }
    Ok(field)
}

fn answer(field: &TacticalField, args: &TacticsArgs) -> Result<(String, u8), String> {
    let Some(from) = args.from.filter(|_| !args.trace) else { return Ok((traced(field, args), OK)) };
    let stance = match args.stance {
        StanceArg::Stand => Stance::Stand,
        StanceArg::Crouch => Stance::Crouch,
    };
    let cell_of = |place: DVec3, what: &str| {
        field.cell_at(place).ok_or_else(|| {
            let [x, y, z] = field.size();
            let size = format!("x from 0 to {}, y from 0 to {}, z from 0 to {}", x * 32, y * 32, z * 64);
            format!("{what} {} lies outside the level: {size}", in_words(place))
        })
    };
    let forbidden = args.forbid.iter().map(|&at| cell_of(at, "--forbid")).collect::<Result<_, _>>()?;
    let actor = Actor::new(stance, args.budget).flying(args.fly).around(forbidden);
    let start = cell_of(from, "--from")?;
    let table = field.table(start, args.size, &actor).ok_or_else(|| {
        format!(
            "there is no room for an actor of {0} × {0} cells at {1}: a wall, or no floor",
            args.size,
            in_words(from)
        )
    })?;
    let to = args.to.map(|to| cell_of(to, "--to")).transpose()?;
    let path = to.map(|to| path_to(&table, to));
    let code = if path.as_ref().is_some_and(|path| path.tu.is_none()) { NO } else { OK };
    let text = match args.format {
        Format::Json => {
            let place = |at: cicerone::tactics::Reached| PlaceTu {
                cell: at.cell,
                stance: at.stance.as_str(),
                tu: at.tu,
            };
            print::pretty_json(&Answer { reach: table.reached().map(place).collect(), path })
        }
        Format::Text => match &path {
            Some(path) => path_in_words(path),
            None => maps(field, &table),
        },
    };
    Ok((text, code))
}

fn path_to(table: &ReachTable, to: Cell) -> PathTu {
    let stance = table.best_stance(to);
    let moves = stance.and_then(|stance| table.path(to, stance)).unwrap_or_default();
    let told = |step: &Move| MoveTu {
        kind: step.kind.as_str(),
        direction: step.kind.direction(),
        to: step.to,
        stance: step.stance.as_str(),
        tu: step.tu,
    };
    PathTu {
        tu: stance.and_then(|stance| table.tu(to, stance)),
        stance: stance.map(Stance::as_str),
        moves: moves.iter().map(told).collect(),
    }
}

fn path_in_words(path: &PathTu) -> String {
    let Some(tu) = path.tu else { return "out of reach\n".into() };
    let mut text = format!("{tu} TU in {} moves\n", path.moves.len());
    let mut spent = 0;
    for step in &path.moves {
        spent += step.tu;
        let [x, y, z] = step.to;
        text.push_str(&format!(
            "  {spent:>5} TU  {:<10} to {x}, {y}, level {z}  {}\n",
            step.kind, step.stance
        ));
    }
    text
}

/// A map of each level in reach: the least TU of each cell.
fn maps(field: &TacticalField, table: &ReachTable) -> String {
    let [width, depth, levels] = field.size();
    let least = |cell: Cell| {
        let stances = [Stance::Stand, Stance::Crouch];
        stances.into_iter().filter_map(|stance| table.tu(cell, stance)).min()
    };
    let mut text = String::new();
    for z in 0..levels {
        let cells: Vec<Vec<Option<u16>>> =
            (0..depth).map(|y| (0..width).map(|x| least([x, y, z])).collect()).collect();
        let Some(most) = cells.iter().flatten().flatten().max() else { continue };
        let digits = most.to_string().len();
        text.push_str(&format!("level {z}\n"));
        for row in cells {
            for tu in row {
                let word = tu.map_or_else(|| ".".to_owned(), |tu| tu.to_string());
                text.push_str(&format!(" {word:>digits$}"));
            }
            text.push('\n');
        }
    }
    text
}

fn traced(field: &TacticalField, args: &TacticsArgs) -> String {
    let [width, depth, levels] = field.size();
    let all = (0..levels).flat_map(|z| (0..depth).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
    let cells = all.filter_map(|cell| {
        let CellView { floor, ceiling, openings, .. } = field.cell(cell, args.size)?;
        Some(TracedCell { cell, floor, ceiling, openings })
    });
    let cells: Vec<TracedCell> = cells.collect();
    match args.format {
        Format::Json => {
            let directions = cicerone::tactics::DIRECTIONS;
            print::pretty_json(&Traced { size: field.size(), directions, cells })
        }
        Format::Text => cells
            .iter()
            .map(|at| {
                let [x, y, z] = at.cell;
                let openings = at.openings.map(|gap| gap.to_string()).join(" ");
                format!(
                    "{x}, {y}, level {z}: floor {}, ceiling {}, openings {openings}\n",
                    at.floor, at.ceiling
                )
            })
            .collect(),
    }
}

fn in_words(place: DVec3) -> String {
    format!("({}, {}, {})", place.x, place.y, place.z)
}
