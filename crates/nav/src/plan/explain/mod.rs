//! Explanations of unreachable goals: closed areas, obstacles that block the way, or a passage that is too narrow.
//!
//! The areas to open, or the obstacles to remove, are a smallest hitting set. The search for it relies on
//! monotonicity: adding an opening never disconnects the goal. A narrow passage is the bottleneck of the widest path.

mod budget;
mod links;
mod narrow;
mod openings;
mod smallest;
mod text;

pub use self::links::explain_route;

use self::budget::Budget;
use self::narrow::gap_at;
use self::openings::{closed_areas, plugs};
use super::find_path_within;
use crate::nav::{Anchor, AreaId, NoPath, ObstacleId, Position, Query, Wall, WallOf};
use crate::surface::{Flood, SearchMemory, Surface};
use glam::DVec2;
use std::fmt;

/// Upper limit on the [work](crate::nav#terms) of one explanation.
const MOST_WORK: u64 = 10_000_000;

/// With more nodes than this, no search is run to break ties between equally near end points: it would need too much
/// memory.
const MOST_SEARCHED: usize = 4_000_000;

/// Why a goal cannot be reached: all hindrances between start and goal.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// All hindrances. Empty if the goal can be reached.
    pub hindrances: Vec<Hindrance>,
    /// False if the set of closed areas or the set of obstacles may not be the smallest possible.
    pub exact: bool,
    /// Links that would lead to the goal if they were open and for everybody, each of them alone.
    pub links_that_help: Vec<LinkHint>,
    /// The reachable point nearest to the goal, where a path would end. `None` if there is no walkable ground near
    /// the start.
    pub nearest: Option<Position>,
    /// The height of `nearest`, in metres, if the ground has more than one.
    pub nearest_y_m: Option<f64>,
    /// The [work](crate::nav#terms) of the explanation.
    pub work: u64,
}

/// One hindrance.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Hindrance {
    /// Closed areas that block the way. All of them must open.
    Closed(Vec<String>),
    /// Areas on the way that the walker may not enter.
    Barred(Vec<String>),
    /// Obstacles that block the way. All of them must be removed.
    Plugged(Vec<String>),
    /// A passage that is too narrow.
    Narrow(Narrow),
    /// The goal is too close to, or inside, these obstacles or area edges.
    Covered {
        /// The obstacles, or the areas whose edges are too close.
        by: Vec<Side>,
        /// The distance from the goal to the nearest of these, in metres. `None` if the goal is inside an obstacle.
        gap_m: Option<f64>,
        /// The required distance, in metres.
        needed_m: f64,
    },
    /// Links that cannot be used, on ground that nothing else joins. All of them must open.
    ClosedLinks(Vec<LinkHint>),
    /// A way between the pixels of a painted room that falls between its nodes.
    Lost {
        /// A place on that way, in metres.
        at: DVec2,
        /// The highest whole `sampleRate` that keeps it.
        sample_rate: f64,
    },
    /// No walkable ground near the start or the goal, or no walkable connection, even with all areas open and all
    /// obstacles removed. The reason says which.
    NoGround(NoPath),
}

/// The bottleneck of the widest path.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Narrow {
    /// The sides, usually two: obstacles before edges of areas. One side if both belong to the same owner.
    pub between: Vec<Side>,
    /// The width and the required width, in metres. `None` if the bottleneck is not a gap between two sides.
    pub widths_m: Option<(f64, f64)>,
    /// The middle of the bottleneck, in metres.
    pub at: DVec2,
}

/// A link that would help.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkHint {
    /// Its name.
    pub name: String,
    /// If it is open: the tags of those that may use it.
    pub only_for: Vec<String>,
    /// Whether it is open, and not for this walker.
    pub is_open: bool,
}

/// A side of a narrow gap.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Side {
    /// The obstacle with this name.
    Obstacle(String),
    /// The edge of the area with this name.
    EdgeOf(String),
}

/// An explanation was given up, because the budget ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooDear {
    /// The [work](crate::nav#terms) done until then.
    pub work: u64,
}

impl fmt::Display for TooDear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the explanation was given up after {} expansions: it would have cost more than it may",
            self.work
        )
    }
}

impl std::error::Error for TooDear {}

/// Explains why no path leads from `query.from` to `query.to`. The obstacles of the query are ignored.
///
/// The target of the explanation is:
/// - the exact point `to`, if it is walkable with all areas open;
/// - otherwise the nearest point that is walkable with all areas open.
///
/// Exception: if `to` is outside all areas and its nearest walkable point is reachable, that point is the target, as
/// in [`super::find_path`]. So there is nothing to explain.
///
/// # Errors
/// [`TooDear`] if the work would exceed `most_work`.
pub fn explain_path(
    ground: &Surface,
    query: &Query,
    memory: &mut SearchMemory,
    most_work: u64,
) -> Result<Explanation, TooDear> {
    let mut budget = Budget::new(most_work.min(MOST_WORK));
    let explanation = explain(ground, query, memory, &mut budget);
    let explanation = explanation.ok_or(TooDear { work: budget.spent() })?;
    let nearest = explanation.nearest.filter(|_| ground.has_heights());
    Ok(Explanation { nearest_y_m: nearest.map(|nearest| ground.height_m(nearest)), ..explanation })
}

fn explain(
    ground: &Surface,
    query: &Query,
    memory: &mut SearchMemory,
    budget: &mut Budget,
) -> Option<Explanation> {
    let mut explanation = Explanation::of_nothing();
    let snap_m = query.snap_m;
    let (from, to) = (ground.locate(query.from), ground.locate(query.to));
    let begin = ground.anchor(from, snap_m).filter(|_| ground.is_at_a_floor(query.from));
    let Some(begin) = begin else {
        if let Some(area) = ground.closed_areas().into_iter().find(|&area| ground.area_contains(area, from)) {
            return explain_from_within(ground, area, query, memory, budget);
        }
        explanation.hindrances.push(Hindrance::NoGround(NoPath::StartOffGround));
        return Some(explanation);
    };
    if !ground.is_at_a_floor(query.to) {
        let now = budget.flood(ground, &begin)?;
        explanation.nearest = nearest((ground, &begin), &now, query, memory, budget)?;
        explanation.hindrances.push(Hindrance::NoGround(NoPath::GoalOffGround));
        explanation.work = budget.spent();
        return Some(explanation);
    }
    if let Some(area) = ground.closed_area_apart(to) {
        return explain_into(ground, area, (begin, query), memory, budget);
    }
    let mut now = budget.flood(ground, &begin)?;
    let arrived = ground
        .anchor(to, snap_m)
        .filter(|end| ground.is_straight_way(begin.at, end.at) || now.leads_to(ground, end));
    explanation.nearest = match arrived {
        Some(end) => Some(end.at),
        None => nearest((ground, &begin), &now, query, memory, budget)?,
    };
    if arrived.is_none_or(|end| end.at.at != to.at) {
        let open = ground.with_all_open();
        budget.pay(ground.closed_areas().into_iter().map(|area| ground.area_work(area)).sum())?;
        let in_area = open.areas().any(|area| open.area_contains(area, to));
        if in_area || arrived.is_none() {
            explain_goal(&mut explanation, &open, query, in_area, budget)?;
            match open.anchor(to, snap_m) {
                Some(end) if ground.is_straight_way(begin.at, end.at) || now.leads_to(ground, &end) => {}
                Some(end) => explain_way(&mut explanation, ground, open, (&begin, &end), budget)?,
                None if explanation.hindrances.is_empty() => {
                    explanation.hindrances.push(Hindrance::NoGround(NoPath::GoalOffGround));
                }
                None => {}
            }
        }
    }
    // Rasterisation may put the goal's cell outside the closed area that the goal lies in. Then no hindrance was found.
    if explanation.hindrances.is_empty()
        && let Some(area) = ground.closed_area_over(to)
    {
        explanation.hindrances.push(Hindrance::Closed(vec![ground.area_name(area).to_owned()]));
    }
    explanation.work = budget.spent();
    Some(explanation)
}

/// The start is in a closed area, and no walkable ground is near. Names that area, plus what still blocks once it is
/// open.
fn explain_from_within(
    ground: &Surface,
    area: AreaId,
    query: &Query,
    memory: &mut SearchMemory,
    budget: &mut Budget,
) -> Option<Explanation> {
    budget.pay(ground.copy_work() + ground.area_work(area))?;
    let mut open = ground.clone();
    open.set_area_available(area, true);
    let name = ground.area_name(area).to_owned();
    if open.anchor(open.locate(query.from), query.snap_m).is_none() {
        let hindrances = vec![Hindrance::Closed(vec![name]), Hindrance::NoGround(NoPath::StartOffGround)];
        return Some(Explanation { hindrances, work: budget.spent(), ..Explanation::of_nothing() });
    }
    let mut explanation = explain(&open, query, memory, budget)?;
    add_closed(&mut explanation, name, true);
    // With the area closed, no path leads anywhere.
    explanation.nearest = None;
    Some(explanation)
}

/// Adds an area to the closed areas of an explanation, as the first or the last of them.
fn add_closed(explanation: &mut Explanation, name: String, first: bool) {
    for hindrance in &mut explanation.hindrances {
        if let Hindrance::Closed(names) = hindrance {
            return names.insert(if first { 0 } else { names.len() }, name);
        }
    }
    explanation.hindrances.insert(0, Hindrance::Closed(vec![name]));
}

/// The goal is in a closed area. Names that area, plus what still blocks once it is open.
fn explain_into(
    ground: &Surface,
    area: AreaId,
    (begin, query): (Anchor, &Query),
    memory: &mut SearchMemory,
    budget: &mut Budget,
) -> Option<Explanation> {
    budget.pay(ground.copy_work() + ground.area_work(area))?;
    let mut open = ground.clone();
    open.set_area_available(area, true);
    let mut explanation = explain(&open, query, memory, budget)?;
    let name = ground.area_name(area).to_owned();
    add_closed(&mut explanation, name, false);
    let now = budget.flood(ground, &begin)?;
    explanation.nearest = nearest((ground, &begin), &now, query, memory, budget)?;
    explanation.work = budget.spent();
    Some(explanation)
}

/// The end of a partial path; `None` if the budget ran out. Ties between equally near places are resolved by a search.
/// Above [`MOST_SEARCHED`] nodes, or if that search takes too much work, ties are resolved by index.
fn nearest(
    (ground, begin): (&Surface, &Anchor),
    flood: &Flood,
    query: &Query,
    memory: &mut SearchMemory,
    budget: &mut Budget,
) -> Option<Option<Position>> {
    let stops = flood.stops_near(ground, begin, query);
    // If nothing is reachable, the path stays at the start.
    let Some(&first) = stops.first() else { return Some(Some(begin.at)) };
    budget.pay(flood.stops_work(ground, first, ground.locate(query.to)))?;
    if stops.len() == 1 || ground.node_limit() > MOST_SEARCHED {
        return Some(Some(first));
    }
    let path = find_path_within(ground, query.clone(), memory, budget.left() / 4);
    budget.pay(path.as_ref().map_or(budget.left() / 4, |path| path.work))?;
    let end = path.and_then(|path| path.waypoints.last().copied());
    Some(Some(end.filter(|end| stops.contains(end)).unwrap_or(first)))
}

/// Finds what makes the goal itself unwalkable, with all areas open.
fn explain_goal(
    explanation: &mut Explanation,
    open: &Surface,
    query: &Query,
    in_area: bool,
    budget: &mut Budget,
) -> Option<()> {
    let to = open.locate(query.to);
    if !in_area || open.is_walkable(to) {
        return Some(());
    }
    budget.pay(open.walls_work())?;
    let walls = open.walls();
    let near = |wall: &&Wall| wall.distance(to.at) <= wall.keep_off_m && wall.keep_off_m > 0.0;
    let inside: Vec<ObstacleId> = open.obstacles().filter(|&o| open.obstacle_contains(o, to)).collect();
    let mut by: Vec<WallOf> = inside.iter().copied().map(WallOf::Obstacle).collect();
    by.extend(walls.iter().filter(near).map(|wall| wall.of));
    let is_obstacle = |of: &WallOf| matches!(of, WallOf::Obstacle(_));
    if by.iter().any(is_obstacle) {
        by.retain(is_obstacle);
    }
    by.sort_unstable();
    by.dedup();
    // The point may be clear although its cell is blocked. Then `by` is empty.
    let worst = walls.iter().filter(|wall| by.contains(&wall.of));
    if let Some(worst) = worst.min_by(|a, b| a.distance(to.at).total_cmp(&b.distance(to.at))) {
        explanation.hindrances.push(Hindrance::Covered {
            by: by.iter().map(|&of| side(open, of)).collect(),
            gap_m: inside.is_empty().then(|| worst.distance(to.at)),
            needed_m: worst.keep_off_m,
        });
    }
    Some(())
}

/// Finds the hindrances between two points that no path joins. `open` is the ground with all areas open. Both points
/// are walkable on `open`.
fn explain_way(
    explanation: &mut Explanation,
    ground: &Surface,
    mut open: Surface,
    ends: (&Anchor, &Anchor),
    budget: &mut Budget,
) -> Option<()> {
    let mut found = Vec::new();
    if !budget.joined(&open, ends)? {
        budget.pay(open.rebuild_work())?;
        let mut bare = open.with_share_of_room(0.0);
        if !budget.joined(&bare, ends)? {
            let Some(plugs) = plugs(explanation, &bare, ends, budget)? else {
                budget.pay(bare.lost_ways_work())?;
                let lost = bare.lost_between(ends.0.at, ends.1.at);
                explanation.hindrances.push(match lost {
                    Some((at, sample_rate)) => Hindrance::Lost { at, sample_rate },
                    None => Hindrance::NoGround(NoPath::Unreachable),
                });
                return Some(());
            };
            for &plug in &plugs {
                budget.pay(2 * open.obstacle_work(plug))?;
                open.lift_obstacle(plug);
                bare.lift_obstacle(plug);
            }
            let names = plugs.into_iter().map(|plug| ground.obstacle_name(plug).to_owned());
            found.push(Hindrance::Plugged(names.collect()));
        }
        if !budget.joined(&open, ends)? {
            budget.pay(open.walls_work() + open.rebuild_work())?;
            let walls = open.walls();
            let (pinch, work) = open.pinch(&bare, ends, &walls, budget.left());
            budget.pay(work)?;
            let pinch = pinch?;
            let at = pinch.map_or_else(|| open.first_blocked(ends.0.at, ends.1.at.at), |pinch| pinch.at);
            found.push(Hindrance::Narrow(narrow_place(&open, &walls, at)));
            open = pinch.map_or(bare, |pinch| open.with_share_of_room(pinch.share * (1.0 - 1e-9)));
        }
    }
    let closed = closed_areas(explanation, ground, open, ends, budget);
    if !closed.is_empty() {
        let names = closed.into_iter().map(|area| ground.area_name(area).to_owned());
        found.insert(0, Hindrance::Closed(names.collect()));
    }
    explanation.hindrances.splice(0..0, found);
    Some(())
}

fn narrow_place(ground: &Surface, walls: &[Wall], at: DVec2) -> Narrow {
    if let Some(gap) = gap_at(at, walls, ground.resolution_m()) {
        let mut between: Vec<Side> = gap.between.iter().map(|&of| side(ground, of)).collect();
        between.dedup();
        return Narrow { between, widths_m: Some((gap.width_m, gap.needed_m)), at };
    }
    let near = |wall: &&Wall| wall.distance(at) <= wall.keep_off_m && wall.keep_off_m > 0.0;
    let mut near: Vec<WallOf> = walls.iter().filter(near).map(|wall| wall.of).collect();
    near.sort_unstable();
    near.dedup();
    Narrow { between: near.into_iter().map(|of| side(ground, of)).collect(), widths_m: None, at }
}

fn side(ground: &Surface, of: WallOf) -> Side {
    match of {
        WallOf::Obstacle(obstacle) => Side::Obstacle(ground.obstacle_name(obstacle).to_owned()),
        WallOf::Area(area) => Side::EdgeOf(ground.area_name(area).to_owned()),
    }
}
