//! The ways that a walker may use, remembered until the ground or the links change.

use super::dead_ends::{LinkEdge, dead_ends};
use super::{LinkNet, Over, Way};
use crate::nav::{LinkWay, Position, Query};
use crate::plan::links::route::SAME_M;
use crate::surface::{LinkEnds, LinkSteps, Surface};
use glam::DVec2;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Lists for so many different sets of tags are remembered.
const MOST_LISTS: usize = 16;

/// The ways for walkers with some tags.
#[derive(Debug)]
pub(super) struct Usable {
    tags: Vec<String>,
    pub(super) ways: Vec<Way>,
    /// The link of each way, as an edge between components of the ground.
    edges: Vec<LinkEdge>,
    /// The ways that may be part of a route back to the component where it begins, with their entries and exits as lower
    /// bounds take them.
    on_cycles: Vec<(Way, [DVec2; 2])>,
    /// The cost of the cheapest way, in metres.
    least_m: f64,
    /// Whether no way is cheaper than a straight walk from its entry to its exit. Then the cost of a route over a way is at
    /// least that of straight walks to its entry and from its exit, and of the way, whatever other ways it takes.
    is_plain: bool,
    /// The ways as a search for a direct path takes them. `None` if it cannot tell whether one helps.
    steps: Option<Arc<LinkSteps>>,
}

/// The remembered lists. Results do not depend on it. The lock is held to look for a list, not while one is made.
#[derive(Debug, Default)]
pub(super) struct UsableLists(Mutex<Lists>);

#[derive(Debug, Default)]
struct Lists {
    /// The revisions of the ground and of the links.
    revision: (u64, u64),
    lists: Vec<Arc<Usable>>,
    /// The ends of all links, the same list until they change. `None` before the first query.
    ends: Option<Arc<LinkEnds>>,
}

/// A clone knows nothing: it may be asked about other ground of the same revision.
impl Clone for UsableLists {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Usable {
    fn new(ground: &Surface, net: &LinkNet, tags: &[String], ends_of_all: &Arc<LinkEnds>) -> Self {
        let (mut ways, mut edges) = (Vec::new(), Vec::new());
        for placed in net.links.iter().filter(|placed| placed.link.is_for(tags)) {
            for backward in [false, true] {
                if let Some([entry, exit]) = placed.way(backward).filter(|_| placed.leads(ground, backward)) {
                    let over = Over::Link(LinkWay { link: placed.id, backward });
                    ways.push(Way { over, entry, exit, cost_m: placed.cost_m });
                    edges.push((placed.id, [entry, exit].map(|end| ground.component(end))));
                }
            }
        }
        let least_m = ways.iter().map(|way| way.cost_m).fold(f64::INFINITY, f64::min);
        let is_plain = !ways.iter().any(|way| way.is_fast(ground));
        let is_dead = dead_ends(&edges, &[]);
        let ends = |way: &Way| [way.entry, way.exit].map(|end| ground.bound_point(end));
        let on_cycles = ways.iter().zip(is_dead).filter(|(_, is_dead)| !is_dead);
        let on_cycles: Vec<(Way, [DVec2; 2])> = on_cycles.map(|(way, _)| (*way, ends(way))).collect();
        let links = on_cycles.iter().map(|(way, _)| ([way.entry, way.exit], way.cost_m));
        let steps = if is_plain { ground.link_steps(ends_of_all, links) } else { None };
        Self { tags: tags.to_vec(), ways, edges, on_cycles, least_m, is_plain, steps }
    }

    /// For each way, whether it cannot be part of a route from the start to the goal.
    pub(super) fn dead_ends(&self, ground: &Surface, start: Position, goal: Position) -> Vec<bool> {
        let kept: Vec<u32> = [start, goal].into_iter().filter_map(|end| ground.component(end)).collect();
        dead_ends(&self.edges, &kept)
    }

    /// The ways that may be part of a route back to the component where it begins.
    pub(super) fn on_cycles(&self) -> Vec<Way> {
        self.on_cycles.iter().map(|(way, _)| *way).collect()
    }

    /// The ways that may be part of a route from the start to the goal that costs less than `most_m`, in their order. Both
    /// are in the same component.
    pub(super) fn helpful(&self, ground: &Surface, start: Position, goal: Position, most_m: f64) -> Vec<Way> {
        let [start, goal] = [start, goal].map(|end| ground.bound_point(end));
        let below_m = most_m - SAME_M;
        if !self.is_plain {
            // A route walks to its first way, and from its last one.
            let walk_m = |from: DVec2, to: DVec2| ground.least_between_m(from, to);
            let ways = || self.on_cycles.iter();
            let to_first_m = ways().map(|(way, [entry, _])| walk_m(start, *entry) + way.cost_m);
            let from_last_m = ways().map(|(_, [_, exit])| walk_m(*exit, goal));
            let [first_m, last_m] =
                [to_first_m.fold(f64::INFINITY, f64::min), from_last_m.fold(f64::INFINITY, f64::min)];
            return if first_m + last_m < below_m { self.on_cycles() } else { Vec::new() };
        }
        if self.least_m >= below_m || ground.least_between_m(start, goal) >= below_m {
            return Vec::new();
        }
        let may_help = |(way, [entry, exit]): &&(Way, [DVec2; 2])| {
            let bound_m = ground.least_between_m(start, *entry) + way.cost_m;
            bound_m < below_m && bound_m + ground.least_between_m(*exit, goal) < below_m
        };
        self.on_cycles.iter().filter(may_help).map(|(way, _)| *way).collect()
    }
}

impl LinkNet {
    /// The ways of links that a walker with these tags may use now.
    pub(super) fn usable(&self, ground: &Surface, tags: &[String]) -> Arc<Usable> {
        let ends = {
            let known = self.known_lists(ground);
            if let Some(list) = known.lists.iter().find(|list| list.tags == tags) {
                return list.clone();
            }
            known.ends.clone().unwrap_or_default()
        };
        let new = Arc::new(Usable::new(ground, self, tags, &ends));
        let lists = &mut self.known_lists(ground).lists;
        if let Some(list) = lists.iter().find(|list| list.tags == tags) {
            return list.clone(); // another thread was faster
        }
        if lists.len() == MOST_LISTS {
            lists.remove(0);
        }
        lists.push(new.clone());
        new
    }

    /// The lists for the ground and the links as they are now.
    fn known_lists(&self, ground: &Surface) -> MutexGuard<'_, Lists> {
        let revision = (ground.revision(), self.revision);
        let mut known = self.usable.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.revision != revision {
            let ends = self.links.iter().filter_map(|placed| placed.ends).flatten();
            let ends = Arc::new(ground.link_ends(ends));
            let same = known.ends.take().filter(|known| *known == ends);
            *known = Lists { revision, lists: Vec::new(), ends: same.or(Some(ends)) };
        }
        known
    }

    /// The links of a query for the search for the direct path, which tells whether one helps.
    /// `None` if it cannot tell.
    pub(in crate::plan) fn steps(&self, ground: &Surface, query: &Query) -> Option<Arc<LinkSteps>> {
        let has_links_alone = !self.links.is_empty() && self.waypaths.all().is_empty();
        if has_links_alone { self.usable(ground, &query.tags).steps.clone() } else { None }
    }
}
