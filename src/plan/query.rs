//! Answers to single queries.

use super::Planner;
use crate::nav::{Path, PathTrace, Progress, Query};
use crate::surface::{SearchMemory, Surface};

/// Answers a query in one go. `memory` is scratch space that is worth keeping between calls.
///
/// The cascade: round the obstacles; else ignoring them; else to the reachable node nearest to the goal asked for.
pub fn find_path(ground: &Surface, query: Query, memory: &mut SearchMemory) -> Path {
    let mut planner = Planner::new(ground, query, std::mem::take(memory));
    loop {
        if let Progress::Done = planner.advance(ground, u64::MAX) {
            let (path, used) = planner.finish(ground);
            *memory = used;
            return path;
        }
    }
}

/// [`find_path`], with a trace of the path before shortening, for pictures and reports.
pub fn find_path_traced(ground: &Surface, query: Query, memory: &mut SearchMemory) -> (Path, PathTrace) {
    let mut planner = Planner::new(ground, query, std::mem::take(memory));
    while planner.advance(ground, u64::MAX) == Progress::Running {}
    let mut trace = PathTrace::default();
    let (path, used) = planner.finish_traced(ground, &mut trace);
    *memory = used;
    (path, trace)
}

/// [`find_path`] with at most `most` expansions of work; `None` if that was not enough.
pub fn find_path_within(
    ground: &Surface,
    query: Query,
    memory: &mut SearchMemory,
    most: u64,
) -> Option<Path> {
    let mut planner = Planner::new(ground, query, std::mem::take(memory));
    match planner.advance(ground, most) {
        Progress::Running => {
            *memory = planner.into_memory();
            None
        }
        Progress::Done => {
            let (path, used) = planner.finish(ground);
            *memory = used;
            Some(path)
        }
    }
}
