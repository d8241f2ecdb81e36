//! The ways that a walker may use, remembered until the ground or the links change.

use super::dead_ends::{LinkEdge, dead_ends};
use super::{LinkNet, Over, Way};
use crate::nav::{LinkWay, Position};
use crate::plan::links::route::SAME_M;
use crate::surface::Surface;
use glam::DVec2;
use std::sync::Arc;

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
}

/// The remembered lists. Results do not depend on it.
#[derive(Debug, Default)]
pub(super) struct UsableLists {
    /// The revisions of the ground and of the links.
    revision: (u64, u64),
    lists: Vec<Arc<Usable>>,
}

/// A clone knows nothing: it may be asked about other ground of the same revision.
impl Clone for UsableLists {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Usable {
    fn new(ground: &Surface, net: &LinkNet, tags: &[String]) -> Self {
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
        let on_cycles = on_cycles.map(|(way, _)| (*way, ends(way))).collect();
        Self { tags: tags.to_vec(), ways, edges, on_cycles, least_m, is_plain }
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
        if !self.is_plain {
            return self.on_cycles();
        }
        let [start, goal] = [start, goal].map(|end| ground.bound_point(end));
        let below_m = most_m - SAME_M;
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
    pub(super) fn usable(&mut self, ground: &Surface, tags: &[String]) -> Arc<Usable> {
        let revision = (ground.revision(), self.revision);
        if self.usable.revision != revision {
            self.usable = UsableLists { revision, lists: Vec::new() };
        }
        if let Some(known) = self.usable.lists.iter().find(|known| known.tags == tags) {
            return known.clone();
        }
        let new = Arc::new(Usable::new(ground, self, tags));
        let lists = &mut self.usable.lists;
        if lists.len() == MOST_LISTS {
            lists.remove(0);
        }
        lists.push(new.clone());
        new
    }
}
