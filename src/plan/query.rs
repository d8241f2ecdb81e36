//! Answers single queries at once, without a queue.

use super::Planner;
use crate::nav::{Path, PathTrace, Progress, Query};
use crate::surface::{SearchMemory, Surface};

/// Answers a query in one call. `memory` holds scratch buffers: keep it between calls, and later calls are faster.
///
/// The fallback sequence: the path avoids the obstacles; else it ignores them; else it leads to the reachable node
/// nearest to the goal.
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

/// [`find_path`] that also returns the raw path and the line-of-sight tests, for pictures and reports.
pub fn find_path_traced(ground: &Surface, query: Query, memory: &mut SearchMemory) -> (Path, PathTrace) {
    let mut planner = Planner::new(ground, query, std::mem::take(memory));
    while planner.advance(ground, u64::MAX) == Progress::Running {}
    let mut trace = PathTrace::default();
    let (path, used) = planner.finish_traced(ground, &mut trace);
    *memory = used;
    (path, trace)
}

/// [`find_path`] with a budget of `most` units of [work](crate::nav#terms). `None` if the budget ran out.
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
