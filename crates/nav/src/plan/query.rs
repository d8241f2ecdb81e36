//! Answers single queries at once, without a queue.

use super::{LinkNet, Planner};
use crate::nav::{Path, PathTrace, Progress, Query};
use crate::surface::{SearchMemory, Surface};

/// Answers a query over the ground alone, in one call. `memory` holds scratch buffers: keep it between calls, and later
/// calls are faster.
///
/// The fallback sequence: the path avoids the obstacles; else it ignores them; else it leads to the reachable node
/// nearest to the goal.
pub fn find_path(ground: &Surface, query: Query, memory: &mut SearchMemory) -> Path {
    find_route(ground, &LinkNet::default(), query, memory)
}

/// [`find_path`] that may cross links: the path with the least cost, with those of its links.
pub fn find_route(ground: &Surface, net: &LinkNet, query: Query, memory: &mut SearchMemory) -> Path {
    let mut planner = Planner::new(ground, net, query, std::mem::take(memory));
    while planner.advance(ground, net, u64::MAX) == Progress::Running {}
    let (path, used) = planner.finish(ground);
    *memory = used;
    path
}

/// [`find_route`] that also returns the raw path and the line-of-sight tests of the direct path, for pictures and
/// reports.
pub fn find_route_traced(
    ground: &Surface,
    net: &LinkNet,
    query: Query,
    memory: &mut SearchMemory,
) -> (Path, PathTrace) {
    let mut planner = Planner::new(ground, net, query, std::mem::take(memory)).traced();
    while planner.advance(ground, net, u64::MAX) == Progress::Running {}
    let (path, used, trace) = planner.finish_traced(ground);
    *memory = used;
    (path, trace)
}

/// [`find_route_traced`] over the ground alone.
pub fn find_path_traced(ground: &Surface, query: Query, memory: &mut SearchMemory) -> (Path, PathTrace) {
    find_route_traced(ground, &LinkNet::default(), query, memory)
}

/// [`find_path`] with a budget of `most` units of [work](crate::nav#terms). `None` if the budget ran out.
pub fn find_path_within(
    ground: &Surface,
    query: Query,
    memory: &mut SearchMemory,
    most: u64,
) -> Option<Path> {
    find_route_within(ground, &LinkNet::default(), query, memory, most)
}

/// [`find_route`] with a budget of `most` units of [work](crate::nav#terms). `None` if the budget ran out.
pub fn find_route_within(
    ground: &Surface,
    net: &LinkNet,
    query: Query,
    memory: &mut SearchMemory,
    most: u64,
) -> Option<Path> {
    let mut planner = Planner::new(ground, net, query, std::mem::take(memory));
    match planner.advance(ground, net, most) {
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
