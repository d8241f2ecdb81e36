//! Benchmark of a MovingAI scenario file, compared with the simple A*.

use super::scen::{Scenario, Task, read};
use super::timing::{mean, median, quantile, timed};
use super::yardstick::Yardstick;
use super::{BenchArgs, count, rounded};
use crate::cli::print::TextOrJson;
use crate::cli::progress::Progress;
use crate::cli::{BAD_INPUT, NO, OK, print};
use cicerone::internals::grid::{Grid, Node, NodeSearch, Overlay, SearchMemory};
use cicerone::nav;
use cicerone::project::{MAX_ROOM_BYTES, read_file};
use cicerone::room::{GridCells, Room, parse};
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The results of one query.
struct Measured {
    task: Task,
    /// The end that is not walkable, if any.
    blocked: Option<&'static str>,
    /// Length of the found path in cells, if there is one.
    length: Option<f64>,
    simple_length: Option<f64>,
    /// Medians over the rounds.
    us: f64,
    simple_us: f64,
    expansions: u64,
    simple_expansions: u64,
}

impl Measured {
    /// The error in the length, as text.
    fn mismatch(&self, file: &str) -> Option<String> {
        let words = |length: Option<f64>| length.map_or("no way".to_owned(), |length| format!("{length:.6}"));
        let right = match self.task.expects_no_way() {
            true => self.length.is_none(),
            false => self.length.is_some_and(|length| self.task.agrees(length)),
        };
        // The simple search must agree too, or the two do not measure the same work.
        let same = match (self.length, self.simple_length) {
            (Some(ours), Some(simple)) => (ours - simple).abs() <= 1e-9 * simple.max(1.0),
            (ours, simple) => ours.is_none() && simple.is_none(),
        };
        let Task { line, from, to, optimum } = self.task;
        (!right || !same).then(|| {
            let simple =
                if same { String::new() } else { format!("; simple A*: {}", words(self.simple_length)) };
            let blocked = self.blocked.map_or(String::new(), |end| format!(" ({end} is blocked)"));
            let expected = match self.task.expects_no_way() {
                true => "no way (length 0)".to_owned(),
                false => optimum.to_string(),
            };
            format!(
                "{file}:{line}:1: {from:?} to {to:?}: {}, not {expected}{simple}{blocked}",
                words(self.length)
            )
        })
    }
}

/// Upper limit on the wrong lengths that are listed.
const TOLD: usize = 20;

pub(super) fn bench(args: &BenchArgs) -> u8 {
    let opened = open(args).and_then(|(room, cells, tasks)| {
        let ground = Grid::new(&room).map_err(|error| print::complain(&error.to_string()))?;
        Ok((ground, cells, tasks))
    });
    let (ground, cells, tasks) = match opened {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let measured = measure(&ground, &cells, &tasks, args.rounds);
    if let Some(file) = &args.queries {
        let code = print::to_file_or_stdout(&csv(&measured), Some(file));
        if code != OK {
            return code;
        }
    }
    let file = args.file.display().to_string();
    let mismatches: Vec<String> = measured.iter().filter_map(|query| query.mismatch(&file)).collect();
    mismatches.iter().take(TOLD).for_each(|mismatch| print::note(mismatch));
    if mismatches.len() > TOLD {
        let more = mismatches.len() - TOLD;
        print::note(&format!("and {more} more; --queries FILE.csv writes down all"));
    }
    let printed = match args.format {
        TextOrJson::Json => print::text(&print::pretty_json(&as_json(&measured, &mismatches))),
        TextOrJson::Text => print::words(&in_words(&args.file, &ground, &measured, mismatches.len())),
    };
    let code = if mismatches.is_empty() { OK } else { NO };
    code.max(printed)
}

fn without_scen(file: &Path) -> PathBuf {
    let plain = file.with_extension("");
    // Some collections name the file arena.map.scen, some arena.scen.
    if plain.extension().is_some() || plain.exists() { plain } else { plain.with_extension("map") }
}

/// The map as a room, its cells, and the queries.
pub(super) fn open(args: &BenchArgs) -> Result<(Room, GridCells, Vec<Task>), u8> {
    let map = &args.map.clone().unwrap_or_else(|| without_scen(&args.file));
    let bytes = |file: &Path, hint: &str| {
        read_file(file, MAX_ROOM_BYTES)
            .map_err(|error| print::complain(&format!("{}: {error}{hint}", file.display())))
    };
    let file = &args.file;
    let text = String::from_utf8(bytes(file, "")?)
        .map_err(|_| print::complain(&format!("{}: it is not UTF-8; save it as UTF-8", file.display())))?;
    let map_bytes = bytes(map, if args.map.is_none() { "; --map FILE names the map" } else { "" })?;
    let room = parse(&map.to_string_lossy(), &map_bytes).map_err(|report| {
        print::problems(&report.problems, &String::from_utf8_lossy(&map_bytes));
        BAD_INPUT
    })?;
    let room = room.room;
    let Some(cells) = &room.grid else {
        return Err(print::complain(&format!("{}: expected a map of cells (.map or .txt)", map.display())));
    };
    let Scenario { tasks, map: named } =
        read(&file.display().to_string(), &text, cells).map_err(|error| print::complain(&error))?;
    let opened = map.file_name().unwrap_or_default().to_string_lossy();
    if args.map.is_none() && named != opened {
        print::note(&format!(
            "the queries name the map '{named}', this is '{opened}'; --map FILE names another"
        ));
    }
    let cells = GridCells::clone(cells);
    Ok((room, cells, tasks))
}

/// A round is a pass over all queries with one of the two and then with the other, so that each has its own data in
/// the cache; which of them begins alternates. A pass before the first round warms both up.
fn measure(ground: &Grid, cells: &GridCells, tasks: &[Task], rounds: u32) -> Vec<Measured> {
    let mut simple = Yardstick::new(cells);
    let mut memory = SearchMemory::default();
    let progress = Progress::new("queries", 2 * (u64::from(rounds) + 1) * tasks.len() as u64);
    let mut measured: Vec<Measured> = tasks
        .iter()
        .map(|&task| {
            let (length, expansions) = ours(ground, &task, &mut memory);
            let before = simple.expansions();
            let ends = [("the start", task.from), ("the goal", task.to)];
            let blocked = ends.iter().find(|(_, (x, z))| !cells.is_walkable(*x, *z)).map(|(end, _)| *end);
            let simple_length =
                blocked.is_none().then(|| simple.find(task.from, task.to)).flatten().map(|found| found.cost);
            let simple_expansions = simple.expansions() - before;
            progress.step();
            progress.step();
            let (us, simple_us) = (0.0, 0.0);
            Measured { task, blocked, length, simple_length, us, simple_us, expansions, simple_expansions }
        })
        .collect();
    let mut times = vec![(Vec::new(), Vec::new()); tasks.len()];
    for round in 0..rounds {
        for turn in 0..2 {
            for ((task, measured), (us, simple_us)) in tasks.iter().zip(&measured).zip(&mut times) {
                if (round + turn) % 2 == 0 {
                    us.push(timed(|| ours(ground, task, &mut memory)).0);
                } else if measured.simple_length.is_some() {
                    simple_us.push(timed(|| simple.find(task.from, task.to)).0);
                }
                progress.step();
            }
        }
    }
    for (measured, (us, simple_us)) in measured.iter_mut().zip(&times) {
        (measured.us, measured.simple_us) = (median(us), median(simple_us));
    }
    measured
}

/// The product's search, without smoothing: the length of the way if there is one, and how many nodes were expanded.
fn ours(ground: &Grid, task: &Task, memory: &mut SearchMemory) -> (Option<f64>, u64) {
    let node = |(x, z): (u32, u32)| Node(z * ground.frame().width + x);
    let (start, goal) = (node(task.from), node(task.to));
    if [start, goal].iter().any(|&node| !ground.is_walkable(ground.centre(node))) {
        return (None, 0);
    }
    let nobody = Overlay::default();
    let mut search =
        NodeSearch::new(ground, start, goal, ground.centre(goal), &nobody, std::mem::take(memory));
    while search.advance(ground, &nobody, u64::MAX) == nav::Progress::Running {}
    let (_, length) = std::hint::black_box(search.way(ground));
    let (reached, expansions) = (search.reached(), search.expansions());
    *memory = search.into_memory();
    (reached.then_some(length), expansions)
}

/// The number of queries that should find no path, and how many of them found none.
fn without_way(measured: &[Measured]) -> (usize, usize) {
    let expected = || measured.iter().filter(|query| query.task.expects_no_way());
    (expected().count(), expected().filter(|query| query.length.is_none()).count())
}

/// Sums over all queries.
struct Sums {
    us: Vec<f64>,
    total_us: f64,
    simple_total_us: f64,
    expansions: u64,
    simple_expansions: u64,
}

fn sums(measured: &[Measured]) -> Sums {
    Sums {
        us: measured.iter().map(|query| query.us).collect(),
        total_us: measured.iter().map(|query| query.us).sum(),
        simple_total_us: measured.iter().map(|query| query.simple_us).sum(),
        expansions: measured.iter().map(|query| query.expansions).sum(),
        simple_expansions: measured.iter().map(|query| query.simple_expansions).sum(),
    }
}

fn as_json(measured: &[Measured], mismatches: &[String]) -> serde_json::Value {
    let sums = sums(measured);
    json!({
        "queries": measured.len(),
        "mismatches": mismatches.len(),
        "mismatched": mismatches,
        "no_way_expected": without_way(measured).0,
        "no_way_found": without_way(measured).1,
        "total_us": rounded(sums.total_us),
        "mean_us": rounded(mean(&sums.us)),
        "median_us": rounded(median(&sums.us)),
        "p99_us": rounded(quantile(&sums.us, 0.99)),
        "expansions": sums.expansions,
        "simple_total_us": rounded(sums.simple_total_us),
        "simple_expansions": sums.simple_expansions,
        "ratio_to_simple_astar": rounded(sums.simple_total_us / sums.total_us.max(1e-9)),
    })
}

fn in_words(file: &Path, ground: &Grid, measured: &[Measured], mismatches: usize) -> String {
    let sums = sums(measured);
    let simple_us: Vec<f64> = measured.iter().map(|query| query.simple_us).collect();
    let frame = ground.frame();
    let mut text = format!(
        "{}: {} on {} × {} cells, {}\n\n",
        file.display(),
        count(measured.len(), "query", "queries"),
        frame.width,
        frame.depth,
        match mismatches {
            0 => "every length is the optimum".to_owned(),
            1 => "1 length is wrong".to_owned(),
            _ => format!("{mismatches} lengths are wrong"),
        }
    );
    let (expected, found) = without_way(measured);
    if expected > 0 {
        text.insert_str(
            text.trim_end().len(),
            &format!(
                "\n{} no way (length 0 between different cells), and {} none",
                if expected == 1 {
                    "1 query expects".to_owned()
                } else {
                    format!("{expected} queries expect")
                },
                match found {
                    _ if found == expected => "there is".to_owned(),
                    _ => format!("{found} of them found"),
                }
            ),
        );
    }
    let _ = writeln!(
        text,
        "{:<10} {:>10} {:>10} {:>10} {:>12} {:>13}",
        "a query", "mean us", "median us", "p99 us", "expansions", "ns/expansion"
    );
    let mut row = |name: &str, us: &[f64], total_us: f64, expansions: u64| {
        let each = expansions / measured.len() as u64;
        let ns = total_us * 1e3 / expansions.max(1) as f64;
        let (mean, median, p99) = (mean(us), median(us), quantile(us, 0.99));
        let _ = writeln!(text, "{name:<10} {mean:>10.2} {median:>10.2} {p99:>10.2} {each:>12} {ns:>13.0}");
    };
    row("cicerone", &sums.us, sums.total_us, sums.expansions);
    row("simple A*", &simple_us, sums.simple_total_us, sums.simple_expansions);
    if sums.simple_total_us > 0.0 {
        let times = sums.simple_total_us / sums.total_us.max(1e-9);
        let _ = write!(text, "\n{times:.1} times as fast as a simple A*");
    }
    text
}

fn csv(measured: &[Measured]) -> String {
    let mut text = String::from(
        "line,from_x,from_z,to_x,to_z,optimum,length,us,expansions,simple_us,simple_expansions,mismatch\n",
    );
    for query in measured {
        let Task { line, from, to, optimum } = query.task;
        let length = query.length.map(|length| length.to_string()).unwrap_or_default();
        let _ = writeln!(
            text,
            "{line},{},{},{},{},{optimum},{length},{:.3},{},{:.3},{},{}",
            from.0,
            from.1,
            to.0,
            to.1,
            query.us,
            query.expansions,
            query.simple_us,
            query.simple_expansions,
            u8::from(query.mismatch("").is_some())
        );
    }
    text
}
