//! Joints: the points of waypaths at which paths may join and leave them.
//!
//! Joints are at the waypoints, where pieces cross, and every few metres between. For a query there are more: the points
//! of the nearest pieces at which a straight walk to its ends, or from them, is the cheapest; see `query_parts.rs`.

use super::{PlacedWaypath, Waypaths};
use crate::nav::{Place, Position};
use crate::surface::Surface;
use glam::DVec2;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The least distance between joints that are not waypoints, in metres.
const LEAST_SPACING_M: f64 = 4.0;

/// Upper limit on the joints that are neither waypoints nor crossings, and on the crossings, of a room.
const MOST_SPACED: f64 = 256.0;
const MOST_CROSSINGS: usize = 256;

/// Joints nearer to each other are one, in metres.
const SAME_JOINT_M: f64 = 0.05;

/// A joint of a piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Joint {
    /// The share of the piece up to it, 0 to 1.
    pub share: f64,
    pub at: Position,
    /// Whether one can walk to the next joint, and back.
    pub open: [bool; 2],
}

/// For each piece of a waypath, its joints.
pub(super) type JointsOfPieces = Vec<Vec<Joint>>;

/// The joints of all waypaths, and the revision of the ground that they are on. `None` after a change of the waypaths.
/// The lock is held to look at them, not while they are found.
#[derive(Debug, Default)]
pub(super) struct KnownJoints(Mutex<Option<(u64, Arc<[JointsOfPieces]>)>>);

impl KnownJoints {
    fn get(&self) -> MutexGuard<'_, Option<(u64, Arc<[JointsOfPieces]>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for KnownJoints {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.get().clone()))
    }
}

impl Waypaths {
    /// Finds where pieces cross, after a change of the waypaths.
    pub(super) fn cross(&mut self) {
        self.joints = KnownJoints::default();
        let length_m: f64 = self.all.iter().map(PlacedWaypath::length_m).sum();
        self.spacing_m = LEAST_SPACING_M.max(length_m / MOST_SPACED);
        let mut pieces: Vec<(usize, usize, DVec2, DVec2)> = Vec::new();
        for (index, placed) in self.all.iter_mut().enumerate() {
            placed.crossings = vec![Vec::new(); placed.waypath.pieces()];
            let walked = (0..placed.waypath.pieces()).filter(|&piece| !placed.only_jumps(piece));
            let ends = |piece| placed.ends(piece).map(|[from, to]| (index, piece, from.at, to.at));
            pieces.extend(walked.filter_map(ends));
        }
        let mut count = 0;
        for (number, &(index, piece, a, b)) in pieces.iter().enumerate() {
            for &(other, other_piece, c, d) in &pieces[number + 1..] {
                let Some([share, other_share]) = crossing(a, b, c, d) else { continue };
                if count == MOST_CROSSINGS {
                    return;
                }
                count += 1;
                self.all[index].crossings[piece].push(share);
                self.all[other].crossings[other_piece].push(other_share);
            }
        }
    }

    /// The joints on the ground as it is now: found once, and kept until the ground or the waypaths change.
    pub(super) fn joints(&self, ground: &Surface) -> Arc<[JointsOfPieces]> {
        if let Some((_, joints)) = self.joints.get().as_ref().filter(|(at, _)| *at == ground.revision()) {
            return joints.clone();
        }
        let of = |placed: &PlacedWaypath| {
            let pieces = 0..placed.waypath.pieces();
            pieces.map(|piece| joints(placed, piece, self.spacing_m, ground)).collect()
        };
        let joints: Arc<[JointsOfPieces]> = self.all.iter().map(of).collect();
        *self.joints.get() = Some((ground.revision(), joints.clone()));
        joints
    }
}

/// The joints of a piece: none if one of its ends is off the ground.
fn joints(placed: &PlacedWaypath, piece: usize, spacing_m: f64, ground: &Surface) -> Vec<Joint> {
    let Some([from, to]) = placed.ends(piece) else { return Vec::new() };
    let length_m = from.distance(to);
    let mut shares = vec![0.0];
    if !placed.only_jumps(piece) {
        let spaces = (length_m / spacing_m).floor().max(1.0) as u32;
        shares.extend((1..spaces).map(|number| f64::from(number) / f64::from(spaces)));
        shares.extend(&placed.crossings[piece]);
        shares.sort_by(f64::total_cmp);
        shares.dedup_by(|next, before| (*next - *before) * length_m < SAME_JOINT_M);
        shares.retain(|share| (1.0 - share) * length_m >= SAME_JOINT_M || *share == 0.0);
    }
    shares.push(1.0);
    let mut joints: Vec<Joint> = Vec::new();
    for share in shares {
        let at = match joints.last() {
            None => from,
            Some(_) if share == 1.0 => to,
            Some(before) => point_on(ground, before.at, [from, to], share),
        };
        if let Some(before) = joints.last_mut() {
            let forth = ground.is_walkable(before.at) && ground.segment_clear(before.at, at);
            let back = ground.is_walkable(at) && ground.segment_clear(at, before.at);
            before.open = [forth, back];
        }
        joints.push(Joint { share, at, open: [false; 2] });
    }
    joints
}

/// A point between the ends of a piece, found on the ground from the joint before it.
pub(super) fn point_on(
    ground: &Surface,
    before: Position,
    [from, to]: [Position; 2],
    share: f64,
) -> Position {
    let at = from.at.lerp(to.at, share);
    ground.walk_straight(before, at).unwrap_or_else(|| {
        let heights = || [from, to].map(|end| ground.height_m(end));
        let between = |[low, high]: [f64; 2]| low + (high - low) * share;
        ground.locate(Place { at, y_m: ground.has_heights().then(|| between(heights())) })
    })
}

/// Where two segments cross: the shares of their lengths. `None` if they are parallel, or only touch at their ends.
fn crossing(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Option<[f64; 2]> {
    if a.min(b).cmpgt(c.max(d)).any() || c.min(d).cmpgt(a.max(b)).any() {
        return None;
    }
    let (one, other, apart) = (b - a, d - c, c - a);
    let across = one.perp_dot(other);
    let share = apart.perp_dot(other) / across;
    let other_share = apart.perp_dot(one) / across;
    let is_inside = |share: f64| (0.0..=1.0).contains(&share);
    let is_end = |share: f64| share == 0.0 || share == 1.0;
    let crosses = across != 0.0 && is_inside(share) && is_inside(other_share);
    (crosses && !(is_end(share) && is_end(other_share))).then_some([share, other_share])
}
