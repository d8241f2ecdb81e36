//! Benchmark of a navmesh file: its moves and paths, compared with the answers of Detour in the file.

use super::navmesh::{File, Move, PathTask, read};
use super::timing::{median, timed};
use super::{BenchArgs, count, rounded};
use crate::cli::print::TextOrJson;
use crate::cli::{NO, OK, print};
use cicerone::glam::DVec2;
use cicerone::internals::mesh::{AnyAngle, AnyAngleMemory, MoveMemory, Openness, Polygons, View};
use serde_json::json;

/// Ends of moves within this distance are equal, in metres: the file has float precision.
const SAME_PLACE_M: f64 = 1e-3;

/// The share by which a path may be longer because the file has float precision.
const SAME_LENGTH: f64 = 1e-5;

/// The share by which a path pulled through the file's corridor may differ from the file's, and the metres that are
/// added to it for short ones.
const SAME_PULL: (f64, f64) = (0.01, 1e-3);

/// Upper limit on the deviations that are listed.
const TOLD: usize = 10;

#[derive(Default)]
struct Sums {
    moves_elsewhere: usize,
    other_polygons: usize,
    paths_longer: usize,
    reached_otherwise: usize,
    /// Paths whose corridor is given.
    corridors: usize,
    pulled_otherwise: usize,
    ns_per_move: f64,
    us_per_path: f64,
    deviations: Vec<String>,
}

pub(super) fn bench(args: &BenchArgs, text: &str) -> u8 {
    let (file, mesh) = match read(&args.file, text) {
        Ok(read) => read,
        Err(problems) => {
            let more = problems.len().saturating_sub(TOLD);
            let mut text = problems[..problems.len() - more].join("\n");
            if more > 0 {
                text.push_str(&format!("\nand {more} more"));
            }
            return print::complain(&text);
        }
    };
    let sums = measure(&file, &mesh, args.rounds);
    let wrong = sums.moves_elsewhere
        + sums.other_polygons
        + sums.paths_longer
        + sums.reached_otherwise
        + sums.pulled_otherwise;
    match args.format {
        TextOrJson::Json => {
            let value = json!({
                "polygons": mesh.len(),
                "moves": file.moves.len(),
                "paths": file.paths.len(),
                "moves_elsewhere": sums.moves_elsewhere,
                "moves_through_other_polygons": sums.other_polygons,
                "paths_longer": sums.paths_longer,
                "paths_reached_otherwise": sums.reached_otherwise,
                "corridors": sums.corridors,
                "corridors_pulled_otherwise": sums.pulled_otherwise,
                "ns_per_move": rounded(sums.ns_per_move),
                "us_per_path": rounded(sums.us_per_path),
                "deviations": sums.deviations,
            });
            print::words(&print::pretty_json(&value));
        }
        TextOrJson::Text => {
            let mut text = format!(
                "{}: {}, {}, {}\n",
                args.file.display(),
                count(mesh.len(), "polygon", "polygons"),
                count(file.moves.len(), "move", "moves"),
                count(file.paths.len(), "path", "paths")
            );
            text.push_str(&format!(
                "moves: {} end elsewhere, {} go through other polygons; {:.0} ns each\n",
                sums.moves_elsewhere, sums.other_polygons, sums.ns_per_move
            ));
            text.push_str(&format!(
                "paths: {} longer than the file's, {} reached otherwise; {:.2} us each\n",
                sums.paths_longer, sums.reached_otherwise, sums.us_per_path
            ));
            text.push_str(&format!(
                "corridors: {} of {} pulled to another length",
                sums.pulled_otherwise, sums.corridors
            ));
            for deviation in sums.deviations.iter().take(TOLD) {
                text.push_str(&format!("\n  {deviation}"));
            }
            print::words(&text);
        }
    }
    if wrong == 0 { OK } else { NO }
}

fn measure(file: &File, mesh: &Polygons, rounds: u32) -> Sums {
    let mut sums = Sums::default();
    let mut memory = MoveMemory::default();
    for (index, task) in file.moves.iter().enumerate() {
        let [_, _, expected] = task.points();
        let (at, visited) = moved(mesh, task, &mut memory);
        let at = at.unwrap_or(DVec2::NAN);
        // Not a number is elsewhere, too.
        let is_there = at.distance(expected) <= SAME_PLACE_M;
        let same_polygons = visited == task.visited;
        sums.moves_elsewhere += usize::from(!is_there);
        sums.other_polygons += usize::from(!same_polygons);
        if !is_there || !same_polygons {
            let visited = visited.to_vec();
            sums.deviations.push(format!(
                "move {index} ends at {at:.4} through {visited:?}, not at {expected:.4} through {:?}",
                task.visited
            ));
        }
    }
    let mut paths = AnyAngleMemory::default();
    let openness = Openness::new(mesh, |_| true);
    let view = View::new(mesh, &openness);
    for (index, task) in file.paths.iter().enumerate() {
        paths = compare_path(view, index, task, paths, &mut sums);
        compare_corridor(mesh, index, task, &mut sums);
    }
    let (mut moves_us, mut paths_us) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let all_moves =
            || file.moves.iter().filter(|task| moved(mesh, task, &mut memory).0.is_some()).count();
        moves_us.push(timed(all_moves).0);
        let all_paths = || {
            for task in &file.paths {
                let [from, to] = task.ends();
                let (length_m, used) = path_length(view, from, to, std::mem::take(&mut paths));
                std::hint::black_box(length_m);
                paths = used;
            }
        };
        paths_us.push(timed(all_paths).0);
    }
    sums.ns_per_move = median(&moves_us) * 1e3 / file.moves.len().max(1) as f64;
    sums.us_per_path = median(&paths_us) / file.paths.len().max(1) as f64;
    sums
}

/// Whether a path is reached as in the file, and is not longer. What is partial there is asked for up to its end.
fn compare_path(
    view: View<'_>,
    index: usize,
    task: &PathTask,
    memory: AnyAngleMemory,
    sums: &mut Sums,
) -> AnyAngleMemory {
    let [from, to] = task.ends();
    let (mut length_m, mut memory) = path_length(view, from, to, memory);
    if length_m.is_some() != (task.partial == 0) {
        sums.reached_otherwise += 1;
        let word = if length_m.is_some() { "reached" } else { "not reached" };
        sums.deviations.push(format!("path {index} is {word}, in the file it is not so"));
        return memory;
    }
    if let Some(end) = task.reached().filter(|_| task.partial != 0) {
        (length_m, memory) = path_length(view, from, end, memory);
        if length_m.is_none() {
            sums.reached_otherwise += 1;
            sums.deviations.push(format!("path {index} does not reach where the file's ends"));
        }
    }
    let most_m = task.length_m * (1.0 + SAME_LENGTH);
    if let Some(length_m) = length_m.filter(|&length_m| length_m > most_m) {
        sums.paths_longer += 1;
        sums.deviations.push(format!("path {index} is {length_m:.5} m long, not {:.5} m", task.length_m));
    }
    memory
}

/// Whether the file's corridor is one here, and pulling a string through it gives the file's length.
fn compare_corridor(mesh: &Polygons, index: usize, task: &PathTask, sums: &mut Sums) {
    let Some((_, to)) = task.reached().filter(|_| !task.corridor.is_empty()) else { return };
    sums.corridors += 1;
    let mut at = task.ends()[0].1;
    let pulled = mesh.pull(&task.corridor, at, to);
    let mut length_m = |path: Vec<(u32, DVec2)>| -> f64 {
        path.iter().map(|&(_, turn)| std::mem::replace(&mut at, turn).distance(turn)).sum()
    };
    let pulled_m = pulled.map(&mut length_m);
    let most_m = task.length_m * SAME_PULL.0 + SAME_PULL.1;
    if !pulled_m.is_some_and(|pulled_m| (pulled_m - task.length_m).abs() <= most_m) {
        sums.pulled_otherwise += 1;
        let words = pulled_m.map_or("has polygons that are not joined".to_owned(), |pulled_m| {
            format!("is {pulled_m:.5} m long when pulled, not {:.5} m", task.length_m)
        });
        sums.deviations.push(format!("corridor {index} {words}"));
    }
}

/// The end of a move, and the polygons it goes through. No end if the move is refused.
fn moved<'a>(mesh: &Polygons, task: &Move, memory: &'a mut MoveMemory) -> (Option<DVec2>, &'a [u32]) {
    let [from, to, _] = task.points();
    match mesh.move_along(task.polygon, from, to, |_| true, memory) {
        Ok(moved) => (Some(moved.at), moved.visited),
        Err(_) => (None, &[]),
    }
}

/// The length of the shortest path, if there is one.
fn path_length(
    view: View<'_>,
    from: (u32, DVec2),
    to: (u32, DVec2),
    memory: AnyAngleMemory,
) -> (Option<f64>, AnyAngleMemory) {
    let mut search = AnyAngle::new(view, from, to, memory);
    search.advance(view, u64::MAX);
    let (path, memory) = search.finish(view.polygons);
    (path.map(|path| path.length_m), memory)
}
