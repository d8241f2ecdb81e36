//! A search from node to node that can stop after any number of expansions and continue with the identical result. On
//! ground with a field it is jump point search. Where nodes have eight sampled edges, or are not equally far apart, it is A*
//! along these edges.

use super::detour::Detour;
use super::edges::{EdgeMemory, EdgeSearch};
use super::jps::{JumpMemory, JumpPointSearch, LinkSteps};
use super::raw_path::RawPath;
use super::shorten::Halves;
use crate::grid::{Grid, Node, Overlay};
use crate::nav::Progress;
use glam::DVec2;
use std::sync::Arc;

/// Grid search buffers. Reuse avoids allocation, and keeps jumps that were found earlier. Results do not depend on
/// the content.
#[derive(Debug, Clone, Default)]
pub struct SearchMemory {
    edges: Option<Box<EdgeMemory>>,
    jumps: Option<Box<JumpMemory>>,
    draft: Option<Box<Draft>>,
}

/// Scratch space of a path being made.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) turns: Vec<Node>,
    pub(super) raw: RawPath,
    pub(super) points: Vec<DVec2>,
    pub(super) halves: Halves,
    pub(super) detour: Detour,
}

/// One search from a node to another.
#[derive(Debug, Clone)]
pub struct NodeSearch {
    goal: Option<Node>,
    road: Road,
    /// Scratch space for other searches.
    idle: SearchMemory,
}

#[derive(Debug, Clone)]
enum Road {
    Jumps(JumpPointSearch),
    Edges(EdgeSearch),
}

impl NodeSearch {
    /// Begins a search. Both nodes must be walkable; the overlay may cover the start. `asked` is the point asked for,
    /// before it was snapped to the goal. If there is no goal or no path to it, and the overlay is empty, the search
    /// goes to the reachable node nearest to `asked`. With an overlay it only finds out that there is no path.
    pub fn new(
        ground: &Grid,
        start: Node,
        goal: impl Into<Option<Node>>,
        asked: DVec2,
        overlay: &Overlay,
        memory: SearchMemory,
    ) -> Self {
        Self::over_links(ground, start, goal.into(), asked, (overlay, None), memory)
    }

    /// Begins a search that also finds out whether links make the path cheaper, if it can: over the cells
    /// of a plain grid that is not crowded, with an empty overlay.
    pub(super) fn over_links(
        ground: &Grid,
        start: Node,
        goal: Option<Node>,
        asked: DVec2,
        (overlay, links): (&Overlay, Option<&Arc<LinkSteps>>),
        memory: SearchMemory,
    ) -> Self {
        let mut idle = memory;
        if !ground.has_field() {
            let memory = idle.edges.take().unwrap_or_default();
            let road = Road::Edges(EdgeSearch::new(ground, start, goal, asked, memory));
            return Self { goal, road, idle };
        }
        // With an overlay, it is enough to know that there is no path.
        let nearest;
        let goals = match &goal {
            Some(goal) if ground.may_reach(start, *goal) => std::slice::from_ref(goal),
            _ => {
                nearest = if overlay.is_empty() { ground.nearest_in_reach(start, asked) } else { Vec::new() };
                &nearest
            }
        };
        let memory = idle.jumps.take().unwrap_or_default();
        let road = Road::Jumps(JumpPointSearch::new(ground, start, goals, overlay, links, memory));
        Self { goal, road, idle }
    }

    /// If the start and goal nodes turn out not to be connected, lets the search use other nodes in sight of the real
    /// end points. A* along edges only.
    pub(super) fn join_by_sight(&mut self, begin: DVec2, end: DVec2) {
        if let Road::Edges(search) = &mut self.road {
            search.join_by_sight(begin, end);
        }
    }

    /// Whether the path begins or ends at another node than the one asked for.
    pub(super) fn is_by_sight(&self) -> bool {
        matches!(&self.road, Road::Edges(search) if search.is_by_sight())
    }

    /// Lets the search end without a path once no path can cost less than so many edges. A\* along edges, which
    /// plain grids do not have, goes on.
    pub(super) fn cut_off(&mut self, most_edges: f64) {
        if let Road::Jumps(search) = &mut self.road {
            search.cut_off(most_edges);
        }
    }

    /// Runs until `budget` is spent, counted as in [`NodeSearch::work`]; the last expansion may exceed it. The ground
    /// and overlay must be those it began with.
    pub fn advance(&mut self, ground: &Grid, overlay: &Overlay, budget: u64) -> Progress {
        match &mut self.road {
            Road::Jumps(search) => search.advance(ground, budget),
            Road::Edges(search) => search.advance(ground, overlay, budget),
        }
    }

    /// Whether the goal was found.
    pub fn reached(&self) -> bool {
        match &self.road {
            Road::Jumps(search) => self.goal.is_some() && search.reached() == self.goal,
            Road::Edges(search) => search.reached(),
        }
    }

    /// Whether it is known that no link makes the path cheaper.
    pub(super) fn no_link_helps(&self) -> bool {
        matches!(&self.road, Road::Jumps(search) if search.no_link_helps())
    }

    /// Nodes expanded so far.
    pub fn expansions(&self) -> u64 {
        match &self.road {
            Road::Jumps(search) => search.expansions(),
            Road::Edges(search) => search.expansions(),
        }
    }

    /// The cost so far, in budget units. One expansion of the usual size is one unit. An expansion that scans many
    /// cells counts for more. Cached jumps cost the same as fresh ones.
    pub fn work(&self) -> u64 {
        match &self.road {
            Road::Jumps(search) => search.work(),
            Road::Edges(search) => search.work(),
        }
    }

    /// The cheapest path to the goal, start first, and its cost. If the goal was not reached and the overlay is
    /// empty, the path leads to the reachable node nearest to the point asked for. Nearness is the Euclidean distance
    /// between cells; ties go to the lower cost, then the lower index.
    pub fn way(&mut self, ground: &Grid) -> (Vec<Node>, f64) {
        let mut turns = Vec::new();
        let cost = self.turns(ground, &mut turns);
        (if ground.nodes_are_cells() { ground.nodes_between(&turns) } else { turns }, cost)
    }

    /// The nodes in which that path turns, perhaps with some more. In a grid it is straight or diagonal between them;
    /// elsewhere it follows an edge. Returns its cost.
    pub(super) fn turns(&mut self, ground: &Grid, turns: &mut Vec<Node>) -> f64 {
        match &mut self.road {
            Road::Jumps(search) => search.turns(ground, turns),
            Road::Edges(search) => {
                let end = search.goal().filter(|_| search.reached());
                search.way_to(end.unwrap_or_else(|| search.nearest_expanded()), turns)
            }
        }
    }

    /// Takes the scratch space for the path out. [`NodeSearch::put_draft`] puts it back, for
    /// [`NodeSearch::into_memory`].
    pub(super) fn take_draft(&mut self) -> Box<Draft> {
        self.idle.draft.take().unwrap_or_default()
    }

    pub(super) fn put_draft(&mut self, draft: Box<Draft>) {
        self.idle.draft = Some(draft);
    }

    /// Ends the search and returns its buffers.
    pub fn into_memory(self) -> SearchMemory {
        let mut memory = self.idle;
        match self.road {
            Road::Jumps(search) => memory.jumps = Some(search.into_memory()),
            Road::Edges(search) => memory.edges = Some(search.into_memory()),
        }
        memory
    }
}

impl SearchMemory {
    pub(super) fn edges(&mut self) -> &mut EdgeMemory {
        self.edges.get_or_insert_default()
    }
}
