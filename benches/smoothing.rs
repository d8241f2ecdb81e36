//! String pulling against the search whose cells it pulls tight.
//!
//! Nothing is subtracted: a [`Planner`] is asked in two steps. Beginning and advancing it is the search; finishing it
//! reads the cells back, pulls the string and adds up the length, so what is called pulling here is a little too much
//! rather than too little.

use crate::maps::{self, BenchMap, FAMILIES, MapQuery};
use crate::runner::{Entry, Options, Report, Table, median, timed};
use cicerone::internals::Planner;
use cicerone::nav::{Outcome, Progress, Query};
use cicerone::plan::LinkNet;
use cicerone::surface::{SearchMemory, Surface};

#[derive(Default, Clone, Copy)]
struct Sum {
    queries: usize,
    search_us: f64,
    pull_us: f64,
    cells: f64,
    waypoints: usize,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.queries += other.queries;
        self.search_us += other.search_us;
        self.pull_us += other.pull_us;
        self.cells += other.cells;
        self.waypoints += other.waypoints;
    }
}

pub fn run(options: &Options, report: &mut Report) {
    let maps = maps::load(options, report);
    let headings = &[
        "map",
        "queries",
        "search_us",
        "pull_us",
        "pull/search_%",
        "cost_cells",
        "waypoints",
        "pull_ns/cell",
    ];
    let mut by_map = Table::new("by map (means)", headings);
    let mut by_family = Table::new("by family (means)", headings);
    let mut families = FAMILIES.map(|family| (family, Sum::default()));
    for map in &maps {
        let sum = measure(map, options.pick(1, 2));
        by_map.row(row(&map.name, sum));
        if let Some((_, total)) = families.iter_mut().find(|(family, _)| *family == map.family) {
            total.add(sum);
        }
    }
    for (family, sum) in families.iter().filter(|(_, sum)| sum.queries > 0) {
        by_family.row(row(family, *sum));
    }
    report.table(&by_map);
    report.table(&by_family);
    report.note("pull: Planner::finish, that is reading the cells back, pulling, and the length; search: all before it");
}

fn row(name: &str, sum: Sum) -> Vec<Entry> {
    let each = 1.0 / sum.queries as f64;
    vec![
        name.into(),
        sum.queries.into(),
        Entry::Real(sum.search_us * each, 1),
        Entry::Real(sum.pull_us * each, 1),
        Entry::Real(100.0 * sum.pull_us / sum.search_us, 1),
        Entry::Real(sum.cells * each, 0),
        Entry::Real(sum.waypoints as f64 * each, 1),
        Entry::Real(sum.pull_us * 1e3 / sum.cells, 0),
    ]
}

fn measure(map: &BenchMap, rounds: usize) -> Sum {
    let mut memory = SearchMemory::default();
    let mut sum = Sum { queries: map.queries.len(), ..Sum::default() };
    for query in &map.queries {
        let (mut search_us, mut pull_us) = (Vec::new(), Vec::new());
        for round in 0..=rounds {
            let asked = ask(&map.ground, query, &mut memory);
            // The first answer only warms the caches; it is the one whose shape is noted.
            if round == 0 {
                sum.cells += asked.cells;
                sum.waypoints += asked.waypoints;
            } else {
                search_us.push(asked.search_us);
                pull_us.push(asked.pull_us);
            }
        }
        sum.search_us += median(&search_us);
        sum.pull_us += median(&pull_us);
    }
    sum
}

struct Asked {
    search_us: f64,
    pull_us: f64,
    cells: f64,
    waypoints: usize,
}

fn ask(ground: &Surface, query: &MapQuery, memory: &mut SearchMemory) -> Asked {
    let (from, to) = query.ends_m();
    let query = Query::new(from, to).with_snap_m(8.0);
    let scratch = std::mem::take(memory);
    let (search, planner) = timed(|| {
        let mut planner = Planner::new(ground, &LinkNet::default(), query, scratch);
        while planner.advance(ground, &LinkNet::default(), u64::MAX) == Progress::Running {}
        planner
    });
    let (pull, (path, scratch)) = timed(|| planner.finish(ground));
    *memory = scratch;
    assert_eq!(path.outcome, Outcome::Complete);
    Asked {
        search_us: search.as_secs_f64() * 1e6,
        pull_us: pull.as_secs_f64() * 1e6,
        cells: path.cost_cells,
        waypoints: path.waypoints.len(),
    }
}
