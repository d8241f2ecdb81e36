//! `cicerone bench`: the speed on this machine, on a public benchmark or in a given room.

mod navmesh;
mod navmesh_bench;
mod rectangles_bench;
mod room_bench;
mod scen;
mod scen_bench;
mod tactics_bench;
mod timing;
#[allow(unreachable_pub, dead_code)] // benches and tests use it too
mod yardstick;

use super::print::TextOrJson;
use cicerone::project::{MAX_ROOM_BYTES, read_file};
use cicerone::room::PlannerKind;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Measure: a MovingAI scenario file, or a room of your own
///
/// MAP.scen: every query of the file is searched, its length held against the optimum the file gives, and its time
/// against a simple A* in the same run, on the same cells. Exits with 1 if a length is wrong.
///
/// With --planner any-angle: every path over rectangles of cells is held against the grid's shortened path, and its time
/// against the search and the shortening. Exits with 1 if a path is longer. With --planner portals: the same for paths
/// from portal to portal, which may be longer.
///
/// MESH.json: a navmesh with moves and paths and what Detour (recastnavigation) answers on them. Counts the moves that end
/// elsewhere or go through other polygons, the paths that are longer, and the corridors that pull to other lengths. Exits
/// with 1 if there are any.
///
/// ROOM: random queries, every area opened and closed, and a crowd with random targets; and what part of a tick
/// takes the largest share. Scripts do not run.
#[derive(Args)]
pub(super) struct BenchArgs {
    /// A scenario file (.scen), a navmesh file (.json with polys), or a room: a file (.json, .txt, .map), or NAME for rooms/NAME.json, .txt or .map
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The map of a scenario file [default: its name without .scen]
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Write a line per query of a scenario file, as CSV
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// How the paths of a scenario file are found [default: grid]
    #[arg(long, value_enum)]
    planner: Option<PlannerName>,
    /// How often queries and areas are measured; what counts is the median
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// How many random queries in a room; 0 measures none [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    random_queries: Option<u32>,
    /// How many people come to those of a room [default: one for every four square metres, 1000 at most]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    crowd: Option<u32>,
    /// Game time for which all characters walk about; 0 measures no crowd [default: 5]
    #[arg(long, value_name = "N", value_parser = super::setup::seconds)]
    seconds: Option<f64>,
    /// Seed of what is random in a room [default: 1]
    #[arg(long, value_name = "K")]
    seed: Option<u64>,
    /// Edge of a cell in metres, for a .map as a room, whose file does not say [default: 1]
    #[arg(long, value_name = "M", value_parser = super::room::length, allow_hyphen_values = true)]
    cell_size: Option<f64>,
    /// How to print the result
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PlannerName {
    Grid,
    AnyAngle,
    Portals,
}

pub(super) fn bench(root: Option<&Path>, args: &BenchArgs) -> u8 {
    let is_scenario = args.file.extension().is_some_and(|end| end.eq_ignore_ascii_case("scen"));
    let of_scenarios = [
        ("--map", args.map.is_some()),
        ("--queries", args.queries.is_some()),
        ("--planner", args.planner.is_some()),
    ];
    let of_rooms = [
        ("--random-queries", args.random_queries.is_some()),
        ("--crowd", args.crowd.is_some()),
        ("--seconds", args.seconds.is_some()),
        ("--seed", args.seed.is_some()),
        ("--cell-size", args.cell_size.is_some()),
    ];
    let (others, goes_with) = match is_scenario {
        true => (&of_rooms[..], "a room"),
        false => (&of_scenarios[..], "a scenario file (.scen)"),
    };
    if let Some((flag, _)) = others.iter().find(|(_, given)| *given) {
        return super::print::complain(&format!("{flag} goes with {goes_with}"));
    }
    if is_scenario {
        return match args.planner {
            Some(PlannerName::AnyAngle) => rectangles_bench::bench(args, PlannerKind::AnyAngle),
            Some(PlannerName::Portals) => rectangles_bench::bench(args, PlannerKind::Portals),
            Some(PlannerName::Grid) | None => scen_bench::bench(args),
        };
    }
    if let Some(text) = navmesh_text(&args.file) {
        if let Some((flag, _)) = of_rooms.iter().find(|(_, given)| *given) {
            return super::print::complain(&format!("{flag} goes with a room, and this is a navmesh file"));
        }
        return navmesh_bench::bench(args, &text);
    }
    room_bench::bench(root, args)
}

/// The text of a navmesh file. `None` for a room, also for one that cannot be read.
fn navmesh_text(file: &Path) -> Option<String> {
    let is_json = file.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
    let text = String::from_utf8(read_file(file, MAX_ROOM_BYTES).ok().filter(|_| is_json)?).ok()?;
    navmesh::is_navmesh(&text).then_some(text)
}

/// A number with its noun.
fn count(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// To the thousandth, which is beyond the precision of measured times.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}
