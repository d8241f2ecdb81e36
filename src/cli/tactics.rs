//! `cicerone tactics`: what an actor of a tactical level reaches, and at what cost in time units.

use super::path::terminal_width;
use super::room::{Doors, RoomArgs};
use super::{NO, OK, print};
use cicerone::draw::{Picture, SvgOptions};
use cicerone::glam::DVec3;
use cicerone::problem::did_you_mean;
use cicerone::tactics::{Actor, Cell, CellView, Move, ReachTable, Stance, TacticalField};
use cicerone::world::World;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Print what an actor of a tactical level reaches, and the time units (TU) that it takes
///
/// Places are in units, X,Y,Z with z up; a cell is 32 × 32 × 64 units. Exits with 1 if --to cannot be reached.
#[derive(Args)]
pub(super) struct TacticsArgs {
    #[command(flatten)]
    room: RoomArgs,
    /// Where the actor stands
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true, required_unless_present_any = ["trace", "actor"])]
    from: Option<DVec3>,
    /// This actor of the room: where it stands, its size, stance, TU and flight, and all others in its way
    #[arg(long, value_name = "NAME", conflicts_with_all = ["from", "size", "stance", "fly", "trace"])]
    actor: Option<String>,
    /// Print the moves to this place
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    to: Option<DVec3>,
    /// The side of the actor, in cells: 1, or 2 for one of 2 × 2 cells, which is named by that with the least x and y
    #[arg(long, value_name = "CELLS", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=2))]
    size: u32,
    /// The TU that the actor may spend [default: 65534, or what --actor has]
    #[arg(long, value_name = "TU")]
    budget: Option<u16>,
    /// The actor's stance at the start
    #[arg(long, value_enum, default_value = "stand")]
    stance: StanceArg,
    /// The actor flies
    #[arg(long)]
    fly: bool,
    /// Another actor of one cell is there (may be given several times)
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    forbid: Vec<DVec3>,
    #[command(flatten)]
    doors: Doors,
    /// Print the floor, the ceiling and the eight openings of each cell instead, in quants of 4 units
    #[arg(long, conflicts_with_all = ["to", "forbid", "fly"])]
    trace: bool,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Draw only this level; 0 is the lowest [default: all with a floor]
    #[arg(long, value_name = "N")]
    level: Option<u32>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum StanceArg {
    Stand,
    Crouch,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The least TU to all cells in reach, or the moves to a place
    Text,
    /// The same for programs
    Json,
    /// A map of each level in letters and numbers, with its walls
    Ascii,
    /// A plan of each level, coloured by TU
    Svg,
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
    let world = match args.room.open(root, &args.doors) {
        Ok(world) => world,
        Err(code) => return code,
    };
    match answer(&world, args) {
        Ok((text, code)) => code.max(print::to_file_or_stdout(&text, args.output.as_deref())),
        Err(message) => print::complain(&message),
    }
}

/// What is asked: where the actor starts, its size, and what it may do.
struct Asked {
    start: Cell,
    size: u32,
    actor: Actor,
}

fn answer(world: &World, args: &TacticsArgs) -> Result<(String, u8), String> {
    let field = world.tactics().ok_or_else(|| {
        format!("{}: this room has no tactical level, the key 'tactics'", args.room.room.display())
    })?;
    if args.trace {
        return match args.format {
            Format::Json | Format::Text => Ok((traced(field, args), OK)),
            Format::Ascii | Format::Svg => {
                Err("--trace prints numbers, as text or as JSON; `cicerone draw` draws what they say".into())
            }
        };
    }
    let Asked { start, size, mut actor } = match &args.actor {
        Some(name) => of_actor(world, name)?,
        None => of_args(field, args)?,
    };
    actor
        .forbidden
        .extend(args.forbid.iter().map(|&at| cell_of(field, at, "--forbid")).collect::<Result<Vec<_>, _>>()?);
    actor.budget = args.budget.unwrap_or(actor.budget);
    let table = field.table(start, size, &actor).ok_or_else(|| {
        let [x, y, level] = start;
        format!(
            "there is no room for an actor of {size} × {size} cells at cell {x}, {y} on level {level}: a wall, or no floor"
        )
    })?;
    let to = args.to.map(|to| cell_of(field, to, "--to")).transpose()?;
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
        Format::Ascii | Format::Svg => {
            let mut picture = Picture::of_world(world).with_reach(&table, size, actor.budget);
            if let Some((to, stance)) = to.and_then(|to| Some((to, table.best_stance(to)?))) {
                picture = picture.with_moves(table.start, size, &table.path(to, stance).unwrap_or_default());
            }
            let picture = level_of(picture, args.level)?;
            match args.format {
                Format::Ascii => picture.to_text(terminal_width()),
                _ => picture.to_svg(&SvgOptions::default()),
            }
        }
    };
    Ok((text, code))
}

/// An actor of the room.
fn of_actor(world: &World, name: &str) -> Result<Asked, String> {
    let character = world.character_named(name);
    let Some((character, actor)) = character.and_then(|who| Some((who, who.actor.as_deref()?))) else {
        let actors = world.characters().iter().filter(|character| character.actor.is_some());
        let hint = did_you_mean(name, actors.map(|character| character.name.as_str()));
        let hint = hint.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
        return Err(format!("no actor '{name}' in this room{hint}"));
    };
    let query = world.cell_query(character.id).ok_or_else(|| format!("'{name}' is no actor"))?;
    Ok(Asked { start: actor.cell, size: actor.size, actor: query })
}

/// The picture with what an actor of the room reaches.
pub(super) fn with_reach_of(picture: Picture, world: &World, name: &str) -> Result<Picture, String> {
    world.tactics().ok_or_else(|| format!("--reach {name}: this room has no tactical level"))?;
    of_actor(world, name)?;
    let who = world.character_named(name).map(|character| character.id);
    Ok(who.into_iter().fold(picture, |picture, who| picture.with_reach_of(world, who)))
}

/// The actor that the arguments describe.
fn of_args(field: &TacticalField, args: &TacticsArgs) -> Result<Asked, String> {
    let stance = match args.stance {
        StanceArg::Stand => Stance::Stand,
        StanceArg::Crouch => Stance::Crouch,
    };
    let actor = Actor::new(stance, u16::MAX - 1).flying(args.fly);
    let start = cell_of(field, args.from.unwrap_or_default(), "--from")?;
    Ok(Asked { start, size: args.size, actor })
}

fn cell_of(field: &TacticalField, place: DVec3, what: &str) -> Result<Cell, String> {
    field.cell_at(place).ok_or_else(|| {
        let (low, [x, y, z]) = (field.origin(), field.size().map(f64::from));
        let high = low + DVec3::new(x * 32.0, y * 32.0, z * 64.0);
        let size = format!(
            "x is from {} to below {}, y from {} to below {}, z from {} to below {}",
            low.x, high.x, low.y, high.y, low.z, high.z
        );
        format!("{what} ({}, {}, {}) lies outside the level: {size}", place.x, place.y, place.z)
    })
}

/// The picture, or the level of it that was asked for.
pub(super) fn level_of(picture: Picture, level: Option<u32>) -> Result<Picture, String> {
    let Some(level) = level else { return Ok(picture) };
    let levels: Vec<u32> =
        (1..=picture.storey_count()).filter_map(|number| picture.level_of_storey(number)).collect();
    let number = (1..).zip(&levels).find(|(_, shown)| **shown == level).map(|(number, _)| number);
    number.and_then(|number| picture.storey(number)).ok_or_else(|| match levels[..] {
        [] => format!("--level {level}: this room has no tactical level"),
        [first, .., last] => format!("--level {level}: this room has floors on levels {first} to {last}"),
        [only] => format!("--level {level}: this room has floors on level {only} only"),
    })
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
        _ => cells
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
