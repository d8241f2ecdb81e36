//! The begin of the search for a route: the ways that may be part of it.

use super::{Route, Scope, Stage, WAYS_OF_EXPANSION};
use crate::nav::{Outcome, Path, Position, Query};
use crate::plan::links::rests::least_rests;
use crate::plan::links::{LinkNet, Over, Way};
use crate::surface::{SearchMemory, Surface};
use std::collections::{BTreeMap, BinaryHeap};

/// Pairs of parts of waypaths looked at per unit of work.
const PAIRS_OF_EXPANSION: u64 = 64;

impl Route {
    /// Begins the search, if a link or a waypath may help. Otherwise returns the direct path.
    #[allow(clippy::result_large_err)] // no error, and moved once
    pub(in crate::plan) fn new(
        ground: &Surface,
        net: &LinkNet,
        query: &Query,
        direct: Path,
        memory: SearchMemory,
    ) -> Result<Box<Self>, (Path, SearchMemory)> {
        let is_lost = direct.outcome == Outcome::None;
        let start = ground.anchor(start_of(ground, query), query.snap_m).map(|anchor| anchor.at);
        let Some(start) = start.filter(|_| !is_lost) else { return Err((direct, memory)) };
        let is_complete = direct.outcome == Outcome::Complete;
        let mut route = Self {
            direct,
            scope: Scope::Links,
            ways: Vec::new(),
            rest_m: Vec::new(),
            start,
            goal: None,
            open: BinaryHeap::new(),
            settled: Vec::new(),
            is_dead_end: Vec::new(),
            is_useless: Vec::new(),
            paths: BTreeMap::new(),
            route: Vec::new(),
            stage: Stage::Done,
            running: None,
            memory,
            work: 0,
        };
        let begins = !is_complete && route.begin(ground, net, query, (Scope::Links, false))
            || route.begin(ground, net, query, (Scope::All, !is_complete));
        if begins { Ok(Box::new(route)) } else { Err((route.direct, route.memory)) }
    }

    /// Begins to search over the ways of a scope, maybe after a search over links alone. False if none may help.
    pub(super) fn begin(
        &mut self,
        ground: &Surface,
        net: &LinkNet,
        query: &Query,
        (scope, is_second): (Scope, bool),
    ) -> bool {
        self.scope = scope;
        let is_partial = scope == Scope::All && self.direct.outcome != Outcome::Complete;
        self.goal = match is_partial {
            true => self.direct.waypoints.last().copied(),
            false => ground.anchor(ground.locate(query.to), query.snap_m).map(|anchor| anchor.at),
        };
        let parts = match scope {
            Scope::Links => net.waypaths.jumps(ground, query),
            Scope::All => net.waypaths.ways(ground, query, [Some(self.start), self.goal]),
        };
        // Without parts, the links have been searched already.
        if is_second && parts.is_empty() || is_partial && (parts.is_empty() || self.goal.is_none()) {
            return false;
        }
        let usable = net.usable(ground, &query.tags);
        let is_complete = self.direct.outcome == Outcome::Complete;
        // Jumps of waypaths join ground, too, and walked parts are cheaper than the lower bounds.
        let has_jumps = parts.iter().any(|way| way.jump().is_some());
        let goal = self.goal.filter(|_| !has_jumps);
        let mut ways = match goal.filter(|_| is_complete && !is_second) {
            Some(goal) if parts.is_empty() => usable.helpful(ground, self.start, goal, self.direct_m(ground)),
            Some(_) => usable.on_cycles(),
            None => usable.ways.clone(),
        };
        self.is_dead_end = match goal.filter(|_| scope == Scope::Links) {
            Some(goal) => usable.dead_ends(ground, self.start, goal),
            None => Vec::new(),
        };
        let links = ways.len();
        ways.extend(parts);
        let (count, parts) = (ways.len(), ways.len() - links);
        if count == 0 {
            return false;
        }
        let is_known = |way: &Way| matches!(way.over, Over::Waypath(_)).then_some(false);
        self.is_useless = ways.iter().map(is_known).collect();
        self.rest_m = least_rests(ground, &ways, self.goal, self.direct_m(ground));
        (self.settled, self.ways) = (vec![None; count], ways);
        (self.paths, self.route, self.stage) = (BTreeMap::new(), Vec::new(), Stage::Choosing);
        self.open.clear();
        let pairs = (parts * count) as u64;
        self.work += 1 + count as u64 / WAYS_OF_EXPANSION + pairs / PAIRS_OF_EXPANSION;
        for way in 0..count as u32 {
            self.push(ground, (None, Some(way)));
        }
        !self.open.is_empty()
    }
}

/// Where a query starts.
fn start_of(ground: &Surface, query: &Query) -> Position {
    let known = query.from_floor.map(|floor| Position { at: query.from.at, floor });
    known.filter(|&start| ground.is_walkable(start)).unwrap_or_else(|| ground.locate(query.from))
}
