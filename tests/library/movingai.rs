//! Conformance with the MovingAI benchmarks: on maps of others, every optimal length is the one their authors give.
//!
//! The maps lie beside the checkout (`../shared/data/movingai`, or where `CICERONE_DATA` says); without them this is
//! skipped and says so. The twin in `tests/data/movingai` always runs: small maps of our own, whose lengths a
//! brute-force search written apart (in another language) computed.

use cicerone::nav::{Outcome, Query};
use cicerone::plan::find_path;
use cicerone::room::{Room, parse};
use cicerone::surface::{SearchMemory, Surface};
use glam::{DVec2, dvec2};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// One line of a `.scen`: from, to, and the length of the shortest way in cells.
struct Task {
    line: usize,
    from: DVec2,
    to: DVec2,
    optimum: f64,
}

/// What one map gave.
struct Score {
    map: String,
    queries: usize,
    expansions: u64,
    seconds: f64,
    faults: Vec<String>,
}

#[test]
fn small_maps_of_our_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/movingai");
    let scores = run(&folder);
    assert_eq!(scores.len(), 4);
    assert_eq!(scores.iter().map(|score| score.queries).sum::<usize>(), 120);
}

#[test]
fn the_benchmark_maps() {
    let data = std::env::var_os("CICERONE_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let folder = data.join("movingai");
    if !folder.is_dir() {
        eprintln!("skipped: no benchmark maps in {} (CICERONE_DATA names another folder)", folder.display());
        return;
    }
    let scores = run(&folder);
    assert!(!scores.is_empty(), "no .map with a .map.scen in {}", folder.display());
}

/// Runs all queries of every map of a folder, a few maps at a time.
#[track_caller]
fn run(folder: &Path) -> Vec<Score> {
    let mut maps: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|end| end == "map"));
    // The largest first, so that no thread is left with it at the end.
    maps.sort_by_key(|path| (path.metadata().unwrap().len(), path.clone()));
    let (left, scores) = (Mutex::new(maps), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(map) = left.lock().unwrap().pop() else { return };
                    let score = judge(&map);
                    scores.lock().unwrap().push(score);
                }
            });
        }
    });
    let mut scores = scores.into_inner().unwrap();
    scores.sort_by(|a, b| a.map.cmp(&b.map));
    for score in &scores {
        let Score { map, queries, expansions, seconds, .. } = score;
        eprintln!("{map}: {queries} queries, {expansions} expansions, {seconds:.2} s");
    }
    let faults: Vec<&String> = scores.iter().flat_map(|score| &score.faults).collect();
    assert!(faults.is_empty(), "{} faults, the first: {:#?}", faults.len(), &faults[..faults.len().min(10)]);
    scores
}

fn judge(map: &Path) -> Score {
    let began = std::time::Instant::now();
    let name = map.file_name().unwrap().to_string_lossy().into_owned();
    let room = parse(&name, &std::fs::read(map).unwrap()).unwrap_or_else(|report| panic!("{report}")).room;
    let ground = Surface::new(&room).unwrap();
    let words = ground.as_grid().unwrap().words().to_vec();
    let tasks = tasks(&std::fs::read_to_string(map.with_extension("map.scen")).unwrap());
    let mut memory = SearchMemory::default();
    let mut score = Score { map: name, queries: 0, expansions: 0, seconds: 0.0, faults: Vec::new() };
    for task in &tasks {
        let query = Query::new(task.from, task.to).with_snap_m(8.0);
        let path = find_path(&ground, query, &mut memory);
        score.queries += 1;
        score.expansions += path.expansions;
        let mut fault = |what: String| score.faults.push(format!("{}.scen:{}: {what}", score.map, task.line));
        if path.outcome != Outcome::Complete || path.points().last() != Some(&task.to) {
            fault(format!("{:?}, ends at {:?}", path.outcome, path.waypoints.last()));
        }
        let tolerance = (task.optimum * 1e-3).max(0.006);
        if (path.cost_cells - task.optimum).abs() > tolerance {
            fault(format!("{} instead of {}", path.cost_cells, task.optimum));
        }
        if path.length_m > path.cost_cells + 1e-9 {
            fault(format!("pulling the string made {} of {}", path.length_m, path.cost_cells));
        }
        let mut at = task.from;
        for &to in &path.waypoints {
            if !ground.segment_clear(at, to) || !clear(&room, at, to.at) {
                fault(format!("the segment from {at} to {to} is not clear"));
            }
            at = to.at;
        }
    }
    assert_eq!(ground.as_grid().unwrap().words(), words);
    score.seconds = began.elapsed().as_secs_f64();
    score
}

fn tasks(text: &str) -> Vec<Task> {
    let mut tasks = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let Ok(numbers) =
            fields[4..].iter().map(|field| field.parse::<f64>()).collect::<Result<Vec<f64>, _>>()
        else {
            panic!("line {}: {line}", index + 1);
        };
        let [from_x, from_z, to_x, to_z, optimum] = numbers[..] else { panic!("line {}: {line}", index + 1) };
        let (from, to) = (dvec2(from_x + 0.5, from_z + 0.5), dvec2(to_x + 0.5, to_z + 0.5));
        tasks.push(Task { line: index + 1, from, to, optimum });
    }
    tasks
}

/// Whether all cells that a segment has a length in are walkable, row by row: shares no code with the product's
/// traversal.
fn clear(room: &Room, from: DVec2, to: DVec2) -> bool {
    const TOUCH: f64 = 1e-9;
    let grid = room.grid.as_ref().unwrap();
    let (low, high) = if from.y <= to.y { (from, to) } else { (to, from) };
    (low.y.floor() as u32..=high.y.floor() as u32).all(|z| {
        let x_at = |height: f64| {
            let part = if high.y > low.y { (height - low.y) / (high.y - low.y) } else { 0.0 };
            low.x + (high.x - low.x) * part
        };
        let (top, bottom) = (low.y.max(f64::from(z)), high.y.min(f64::from(z) + 1.0));
        let (a, b) = if high.y > low.y { (x_at(top), x_at(bottom)) } else { (low.x, high.x) };
        let (left, right) = (a.min(b) + TOUCH, a.max(b) - TOUCH);
        left >= right || (left.floor() as u32..=right.floor() as u32).all(|x| grid.is_walkable(x, z))
    })
}
