//! The path that a query found.

use super::{QUERY_WORK, RouteSearch, Stage};
use crate::grid::Grid;
use crate::grid::search::answers::{nowhere, straight};
use crate::grid::search::node_search::{Draft, SearchMemory};
use crate::grid::search::shorten::{explain_shortening, shorten_past};
use crate::nav::{NoPath, Outcome, Path, PathTrace, Position, Query, Step};

impl RouteSearch {
    /// The cost of the path that was found, in metres, and the buffers: what [`RouteSearch::finish`] would say, without
    /// shortening the path. Infinite if it does not lead to the goal.
    pub(crate) fn finish_cost(self, ground: &Grid, query: &Query) -> (f64, SearchMemory) {
        let cell_m = ground.frame().cell_size_m;
        match self.stage {
            Stage::Searching { mut search, has_goal, .. } if !self.straight => {
                let arrived = search.reached() && !self.into_pocket;
                let is_complete = arrived && has_goal && ground.closed_area_over(query.to.at).is_none();
                let mut draft = search.take_draft();
                let cost = search.turns(ground, &mut draft.turns) * ground.edge_unit_cells();
                search.put_draft(draft);
                (if is_complete { cost * cell_m } else { f64::INFINITY }, search.into_memory())
            }
            _ => {
                let (path, memory) = self.finish(ground, query, None);
                let is_complete = path.outcome == Outcome::Complete;
                (if is_complete { path.cost_cells * cell_m } else { f64::INFINITY }, memory)
            }
        }
    }

    /// The resulting path, and the buffers. Call only after [`RouteSearch::advance`] returned
    /// [`Progress::Done`](crate::nav::Progress::Done). A trace records how the path was found.
    pub(crate) fn finish(
        self,
        ground: &Grid,
        query: &Query,
        trace: Option<&mut PathTrace>,
    ) -> (Path, SearchMemory) {
        let effort = (self.expansions(), self.work() + QUERY_WORK);
        let step = if self.through { Step::Ignoring } else { Step::Avoiding };
        let Query { from, to, obstacles, .. } = query;
        let (from, to) = (from.at, to.at);
        if let Some(places) = self.places.filter(|_| self.straight) {
            if let Some(trace) = trace {
                *trace = PathTrace::straight(places.0, places.1);
            }
            return (straight(ground, (from, to), places, step, effort), self.stage.into_memory());
        }
        match self.stage {
            Stage::Nowhere { reason, memory } => (nowhere(ground, reason, (from, to), step, effort), memory),
            Stage::Searching { mut search, start, has_goal } => {
                let closed_area = ground.closed_area_over(to);
                // No node leads into a pocket. The node nearest to it is as near as possible.
                let arrived = search.reached() && !self.into_pocket;
                let reason = match () {
                    () if closed_area.is_some() => Some(NoPath::GoalClosed),
                    () if !has_goal => Some(NoPath::GoalOffGround),
                    () if !arrived => Some(NoPath::Unreachable),
                    () => None,
                };
                let (outcome, step) = match reason {
                    None => (Outcome::Complete, step),
                    Some(_) => (Outcome::Partial, Step::Nearest),
                };
                let mut draft = search.take_draft();
                let Draft { turns, raw, points, halves, .. } = &mut *draft;
                let cost = search.turns(ground, turns);
                if let Some(detour) = self.detour {
                    *turns = detour;
                }
                let end = *turns.last().unwrap_or(&start);
                let by_sight = self.places.filter(|_| self.by_sight || search.is_by_sight());
                let cost_cells = cost * ground.edge_unit_cells();
                let snapped = match by_sight {
                    Some((begin, _)) => begin != from,
                    None => !ground.holds(start, from),
                };
                let asked = to;
                let others = if self.through { &[][..] } else { obstacles };
                let is_taken = !ground.nodes_are_cells() && others.iter().any(|disc| disc.holds(to));
                let to = Some(to).filter(|&to| ground.holds(end, to) && !is_taken);
                if outcome == Outcome::Partial
                    && end == start
                    && !snapped
                    && !self.by_sight
                    && ground.stays(start, from, asked)
                {
                    points.clear();
                    points.push(from);
                } else {
                    let ends = match by_sight {
                        Some((begin, end)) => (Some(begin), Some(end).filter(|_| arrived)),
                        None => ((!snapped).then_some(from), to),
                    };
                    raw.lay(ground, turns, ends.0, ends.1);
                    shorten_past(ground, raw, others, points, halves);
                    if let Some(trace) = trace {
                        explain_shortening(ground, raw, others, points, trace);
                    }
                }
                let length_m = points.windows(2).fold(0.0, |sum, pair| sum + pair[0].distance(pair[1]));
                if length_m == 0.0 {
                    points.truncate(1);
                }
                let known = usize::from(!snapped && (points.len() > 1 || outcome == Outcome::Partial));
                let waypoints = points[known..].iter().copied().map(Position::on_ground).collect();
                let end = points.last().copied().unwrap_or(from);
                search.put_draft(draft);
                let (expansions, work) = effort;
                let path = Path {
                    outcome,
                    reason,
                    closed_area: closed_area.map(|area| ground.area_name(area).to_owned()),
                    to: asked.into(),
                    snapped_to: (end != asked).then_some(Position::on_ground(end)),
                    missed_by_m: end.distance(asked),
                    step,
                    waypoints,
                    corridor: Vec::new(),
                    crossings: Vec::new(),
                    steps: Vec::new(),
                    cost_cells,
                    length_m,
                    expansions,
                    work,
                };
                (path, search.into_memory())
            }
        }
    }
}
