//! Parts of waypaths for one query: the ways between joints that its walker may use.

use super::joints::{Joint, point_on};
use super::{PlacedWaypath, WAYPATH_SHARE, Waypaths};
use crate::geometry::distance_sq_to_segment;
use crate::nav::{Disc, LinkWay, Position, Query, WaypathId};
use crate::plan::links::{Over, Way};
use crate::surface::Surface;

/// The cheapest straight walk to a waypath meets it at an angle whose cosine is [`WAYPATH_SHARE`], as light that enters
/// another medium (Snell): so far from the nearest point, as a share of the distance to it.
const AHEAD: f64 = 1.133_893_419_027_681_7;

/// For each end of a query, so many of the nearest pieces get joints for it.
const NEAREST_PIECES: usize = 8;

/// A joint for a query that is nearer to another one is left out, in metres.
const SAME_PLACE_M: f64 = 1e-3;

/// One direction of a part of a waypath, between two joints.
#[derive(Debug, Clone, Copy)]
pub(in crate::plan) struct WaypathPart {
    pub waypath: WaypathId,
    /// The waypoint at its beginning, by index, if there is one.
    pub from: Option<u32>,
    /// The waypoint at its end.
    pub to: Option<u32>,
    /// The jump over it. `None` if it is walked.
    pub jump: Option<LinkWay>,
}

impl Waypaths {
    /// The parts that the walker of a query may use. `ends` are its start and its goal.
    pub(in crate::plan) fn ways(
        &self,
        ground: &Surface,
        query: &Query,
        ends: [Option<Position>; 2],
    ) -> Vec<Way> {
        let joints = self.joints(ground);
        let all = self.all.iter().zip(joints.iter());
        let (usable, joints): (Vec<&PlacedWaypath>, Vec<_>) =
            all.filter(|(placed, _)| is_usable(placed, query)).unzip();
        let near = nearest_pieces(&usable, ends);
        // A walker inside a disc may leave it, as over other ground.
        let is_out = |disc: &&Disc| ends[0].is_none_or(|start| !disc.holds(start.at));
        let discs: Vec<Disc> = query.obstacles.iter().filter(is_out).copied().collect();
        let mut ways = Vec::new();
        for (index, placed) in usable.iter().enumerate() {
            for piece in 0..placed.waypath.pieces() {
                let mut joints = joints[index][piece].clone();
                for (_, _, _, end) in near.iter().filter(|near| (near.1, near.2) == (index, piece)) {
                    add_joints_for(ground, placed, piece, *end, &mut joints);
                }
                add_ways(ground, placed, piece, &joints, &discs, &mut ways);
            }
        }
        ways
    }

    /// The jumps of waypaths that the walker of a query may use: like links, they lead where no ground does.
    pub(in crate::plan) fn jumps(&self, ground: &Surface, query: &Query) -> Vec<Way> {
        let mut ways = Vec::new();
        for placed in self.all.iter().filter(|placed| is_usable(placed, query)) {
            for piece in 0..placed.waypath.pieces() {
                add_jumps(ground, placed, piece, &mut ways);
            }
        }
        ways
    }
}

/// Whether the walker of a query may use a waypath.
fn is_usable(placed: &PlacedWaypath, query: &Query) -> bool {
    placed.available && placed.waypath.is_for(&query.tags)
}

/// The pieces nearest to the ends of a query: the squared distance, the waypath, the piece, the end.
fn nearest_pieces(
    usable: &[&PlacedWaypath],
    ends: [Option<Position>; 2],
) -> Vec<(f64, usize, usize, Position)> {
    let mut near = Vec::new();
    for end in ends.into_iter().flatten() {
        let mut all = Vec::new();
        for (index, placed) in usable.iter().enumerate() {
            for piece in (0..placed.waypath.pieces()).filter(|&piece| !placed.only_jumps(piece)) {
                let Some([from, to]) = placed.ends(piece) else { continue };
                all.push((distance_sq_to_segment(end.at, from.at, to.at), index, piece, end));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        all.truncate(NEAREST_PIECES);
        near.extend(all);
    }
    near
}

/// Adds the joints at which a walk to an end of a query, or from it, is best: the nearest one, and those where it meets
/// the piece at the best angle.
fn add_joints_for(
    ground: &Surface,
    placed: &PlacedWaypath,
    piece: usize,
    end: Position,
    joints: &mut Vec<Joint>,
) {
    let Some([from, to]) = placed.ends(piece) else { return };
    let run = to.at - from.at;
    let length_m = run.length();
    if length_m == 0.0 {
        return;
    }
    let along_m = (end.at - from.at).dot(run) / length_m;
    let away_m = ((end.at - from.at).perp_dot(run) / length_m).abs();
    for at_m in [along_m, along_m - AHEAD * away_m, along_m + AHEAD * away_m] {
        let share = at_m / length_m;
        let Some(next) = joints.iter().position(|joint| joint.share > share) else { continue };
        let Some(before) = next.checked_sub(1).map(|before| joints[before]) else { continue };
        let near_m = (share - before.share).min(joints[next].share - share) * length_m;
        if near_m < SAME_PLACE_M || before.open == [false; 2] {
            continue;
        }
        let (at, after) = (point_on(ground, before.at, [from, to], share), joints[next].at);
        let stays_open = |way: usize, pairs: [(Position, Position); 2]| {
            !before.open[way] || pairs.into_iter().all(|(from, to)| ground.segment_clear(from, to))
        };
        let is_on_it = ground.is_walkable(at)
            && stays_open(0, [(before.at, at), (at, after)])
            && stays_open(1, [(after, at), (at, before.at)]);
        if is_on_it {
            joints.insert(next, Joint { share, at, open: before.open });
        }
    }
}

/// Adds the ways of a piece.
fn add_ways(
    ground: &Surface,
    placed: &PlacedWaypath,
    piece: usize,
    joints: &[Joint],
    discs: &[Disc],
    ways: &mut Vec<Way>,
) {
    let point_at = |joint: usize| match joint {
        0 => Some(placed.waypath.ends_of(piece)[0] as u32),
        last if last + 1 == joints.len() => Some(placed.waypath.ends_of(piece)[1] as u32),
        _ => None,
    };
    let walked = placed.waypath.directions().iter().filter(|&&way| !placed.waypath.jumps(piece, way));
    for &backward in walked {
        for index in 1..joints.len() {
            let mut ends = [index - 1, index];
            if backward {
                ends.reverse();
            }
            let [entry, exit] = ends.map(|end| joints[end].at);
            let is_free = |disc: &Disc| !disc.holds(entry.at) && disc.lets_pass(entry.at, exit.at);
            let is_open = joints[index - 1].open[usize::from(backward)];
            if is_open && discs.iter().all(is_free) {
                let [from, to] = ends.map(point_at);
                let over = Over::Waypath(WaypathPart { waypath: placed.id, from, to, jump: None });
                let cost_m = WAYPATH_SHARE * ground.straight_cost_m(entry, exit);
                ways.push(Way { over, entry, exit, cost_m });
            }
        }
    }
    add_jumps(ground, placed, piece, ways);
}

/// Adds the jumps over a piece.
fn add_jumps(ground: &Surface, placed: &PlacedWaypath, piece: usize, ways: &mut Vec<Way>) {
    for &backward in placed.waypath.directions() {
        let way = placed.jump_over(piece, backward);
        let Some([entry, exit]) = placed.jump(way) else { continue };
        if ![entry, exit].iter().all(|&end| ground.is_walkable(end)) {
            continue;
        }
        let mut points = placed.waypath.ends_of(piece).map(|point| Some(point as u32));
        if backward {
            points.reverse();
        }
        let [from, to] = points;
        let over = Over::Waypath(WaypathPart { waypath: placed.id, from, to, jump: Some(way) });
        let cost_m = WAYPATH_SHARE * ground.straight_cost_m(entry, exit);
        ways.push(Way { over, entry, exit, cost_m });
    }
}
