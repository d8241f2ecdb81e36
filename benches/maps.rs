//! The maps and queries of the MovingAI benchmarks: those of others where they lie beside the checkout, and our own
//! small ones.

use crate::runner::{Options, Report};
use crate::yardstick::Cell;
use cicerone::room::{GridCells, parse};
use cicerone::surface::Surface;
use glam::{DVec2, dvec2};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A map, ready to be asked.
pub struct BenchMap {
    pub name: String,
    pub family: &'static str,
    pub cells: Arc<GridCells>,
    pub ground: Surface,
    pub queries: Vec<MapQuery>,
}

/// One line of a `.scen`: from cell to cell, and the shortest way's length in cells.
pub struct MapQuery {
    pub from: Cell,
    pub to: Cell,
    pub optimum: f64,
}

impl MapQuery {
    /// The middles of both cells, in metres.
    pub fn ends_m(&self) -> (DVec2, DVec2) {
        let middle = |(x, z): Cell| dvec2(f64::from(x) + 0.5, f64::from(z) + 0.5);
        (middle(self.from), middle(self.to))
    }
}

/// Families in the order they are reported in.
pub const FAMILIES: [&str; 6] = ["game", "cities", "rooms", "mazes", "random", SMALL];

/// Our own maps are so small that they are a family of their own: what begins a query counts more there than what
/// searches.
const SMALL: &str = "small";

/// All maps there are, by family and name. For a rough idea, every fourth query.
pub fn load(options: &Options, report: &Report) -> Vec<BenchMap> {
    // The package that measures peers lies farther down.
    let places = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root =
        places.into_iter().find(|place| place.join("tests/data/movingai").is_dir()).expect("our own maps");
    let data = std::env::var_os("CICERONE_DATA").map(PathBuf::from);
    let theirs = data.unwrap_or_else(|| root.join("../shared/data")).join("movingai");
    let mut maps = load_folder(&root.join("tests/data/movingai"), options);
    maps.iter_mut().for_each(|map| map.family = SMALL);
    if theirs.is_dir() {
        maps.extend(load_folder(&theirs, options));
    } else {
        let place = theirs.display();
        report.note(&format!(
            "no benchmark maps in {place} (CICERONE_DATA names another folder): small maps only"
        ));
    }
    let rank = |family: &str| FAMILIES.iter().position(|other| *other == family);
    maps.sort_by_key(|map| (rank(map.family), map.name.clone()));
    maps
}

fn load_folder(folder: &Path, options: &Options) -> Vec<BenchMap> {
    let files = std::fs::read_dir(folder).expect("a folder of maps").map(|entry| entry.unwrap().path());
    let maps = files.filter(|path| path.extension().is_some_and(|end| end == "map"));
    maps.map(|path| load_map(&path, options.pick(4, 1))).collect()
}

fn load_map(path: &Path, every: usize) -> BenchMap {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let bytes = std::fs::read(path).unwrap();
    let room = parse(&path.to_string_lossy(), &bytes).unwrap_or_else(|report| panic!("{report}")).room;
    let ground = Surface::new(&room).unwrap();
    let scenario = std::fs::read_to_string(path.with_extension("map.scen")).unwrap();
    let queries = scenario.lines().skip(1).step_by(every).map(read_query).collect();
    let cells = room.grid.expect("a map is a grid");
    BenchMap { family: family_of(&name), name, cells, ground, queries }
}

/// bucket, map, width, height, from x, from z, to x, to z, length.
fn read_query(line: &str) -> MapQuery {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let cell = |at: usize| (fields[at].parse().unwrap(), fields[at + 1].parse().unwrap());
    MapQuery { from: cell(4), to: cell(6), optimum: fields[8].parse().unwrap() }
}

/// The benchmark's own folders, by how their maps are called: `16room_002`, `maze512-8-2`, `random512-20-0`,
/// `Berlin_0_256`.
fn family_of(name: &str) -> &'static str {
    let is_city = ["_256", "_512", "_1024"].iter().any(|size| name.ends_with(size));
    match name {
        _ if name.starts_with("maze") => "mazes",
        _ if name.starts_with("random") => "random",
        _ if name.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with("room") => "rooms",
        _ if is_city => "cities",
        _ => "game",
    }
}
