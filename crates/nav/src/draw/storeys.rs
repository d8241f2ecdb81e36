//! Storeys: which polygons of a mesh belong on one plan.
//!
//! Polygons above each other, a body's height or more apart, belong on different plans. Everything else joins them:
//! ground at about the same height and its neighbours stay together, and stairs belong to the storey below them.
//!
//! 1. Level polygons that are joined by portals and lie at about the same height form a piece. Every other polygon, as
//!    of stairs, is a piece of its own.
//! 2. A piece lies at least one storey above the pieces beneath it. That gives the number of storeys, and the height
//!    of each.
//! 3. A piece that may lie on several storeys is on the one whose floor is nearest below its middle.
//!
//! Doors that open and close do not change storeys.

use crate::mesh::{Behind, Mesh, PolygonView};
use crate::nav::{FloorId, Position};
use glam::DVec2;
use std::collections::BTreeSet;

/// Ground above other ground by less than this belongs to the same storey: the height of a body, in metres.
const BODY_M: f64 = 1.8;
/// Heights that differ by less are equal, in metres.
const SAME_M: f64 = 1e-6;
/// A polygon is level if its heights differ by at most this, in metres.
const LEVEL_M: f64 = 0.25;
/// The heights of a piece differ by at most this, in metres: half a body, so that it never lies above itself.
const PIECE_M: f64 = BODY_M / 2.0;
/// A level piece may lie this much below the floor of its storey, in metres.
const BELOW_FLOOR_M: f64 = 0.5;
/// Polygons that share less of the plane than this do not lie above each other, in square metres.
const LEAST_SHARED_M2: f64 = 1e-3;

/// The storeys of a mesh, the lowest first. Every polygon belongs to one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Storeys {
    /// For each polygon its storey, from 0.
    of_polygons: Vec<usize>,
    /// The lowest and the highest point of each storey, in metres.
    heights_m: Vec<(f64, f64)>,
}

impl Storeys {
    /// Divides the polygons of a mesh.
    pub(super) fn of(mesh: &Mesh, polygons: &[PolygonView]) -> Self {
        let slabs: Vec<Slab> = polygons.iter().map(Slab::of).collect();
        let stacked = stacked(mesh, polygons, &slabs);
        let mut of_polygons = vec![0; polygons.len()];
        if !stacked.is_empty() {
            let (pieces, piece_of) = pieces(polygons, &slabs);
            let storeys = storeys_of_pieces(&pieces, &stacked, &piece_of);
            of_polygons = piece_of.iter().map(|&piece| storeys[piece]).collect();
        }
        let mut heights_m = Vec::new();
        for (slab, &storey) in slabs.iter().zip(&of_polygons) {
            heights_m.resize(heights_m.len().max(storey + 1), (f64::INFINITY, f64::NEG_INFINITY));
            let (low, high) = &mut heights_m[storey];
            (*low, *high) = (low.min(slab.low_m), high.max(slab.high_m));
        }
        Self { of_polygons, heights_m }
    }

    /// Their number.
    pub(super) fn count(&self) -> usize {
        self.heights_m.len()
    }

    /// The storey of a polygon, from 0.
    pub(super) fn of_polygon(&self, polygon: u32) -> usize {
        self.of_polygons.get(polygon as usize).copied().unwrap_or(0)
    }

    /// What a storey is called: `storey 2 (y 3.0 to 5.8 m)`.
    pub(super) fn caption(&self, storey: usize) -> String {
        let (low, high) = self.heights_m.get(storey).copied().unwrap_or_default();
        let number = storey + 1;
        // Rounded alike, they need no range; and -0.0 is 0.0.
        let [low, high] = [low, high].map(|y| format!("{:.1}", (y * 10.0).round() / 10.0 + 0.0));
        if low == high {
            format!("storey {number} (y {low} m)")
        } else {
            format!("storey {number} (y {low} to {high} m)")
        }
    }
}

/// The extent of a polygon.
struct Slab {
    min: DVec2,
    max: DVec2,
    low_m: f64,
    high_m: f64,
    /// The mean height of its corners.
    middle_m: f64,
    square_metres: f64,
}

impl Slab {
    fn of(polygon: &PolygonView) -> Self {
        let corners = polygon.on_plane();
        let heights = || polygon.corners.iter().map(|corner| corner.y);
        let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let (min, max) = corners.iter().fold(nothing, |(min, max), &at| (min.min(at), max.max(at)));
        Self {
            min,
            max,
            low_m: heights().fold(f64::INFINITY, f64::min),
            high_m: heights().fold(f64::NEG_INFINITY, f64::max),
            middle_m: heights().sum::<f64>() / corners.len().max(1) as f64,
            square_metres: square_metres(&corners),
        }
    }

    fn is_level(&self) -> bool {
        self.high_m - self.low_m <= LEVEL_M
    }
}

/// The pairs of polygons that lie above each other, the lower one first.
fn stacked(mesh: &Mesh, polygons: &[PolygonView], slabs: &[Slab]) -> Vec<(u32, u32)> {
    let nothing = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) =
        slabs.iter().fold(nothing, |(low, high), slab| (low.min(slab.low_m), high.max(slab.high_m)));
    if high - low < BODY_M - SAME_M {
        return Vec::new();
    }
    let mut along_x: Vec<usize> = (0..slabs.len()).collect();
    along_x.sort_by(|&a, &b| slabs[a].min.x.total_cmp(&slabs[b].min.x));
    let mut stacked = Vec::new();
    for (position, &one) in along_x.iter().enumerate() {
        let beside =
            along_x[position + 1..].iter().take_while(|&&other| slabs[other].min.x < slabs[one].max.x);
        for &other in beside {
            let (below, above) =
                if slabs[one].middle_m <= slabs[other].middle_m { (one, other) } else { (other, one) };
            let meet = slabs[one].min.y < slabs[other].max.y && slabs[other].min.y < slabs[one].max.y;
            let is_far = slabs[above].high_m - slabs[below].low_m >= BODY_M - SAME_M;
            if meet
                && is_far
                && headroom_m(mesh, polygons, below, above).is_some_and(|m| m >= BODY_M - SAME_M)
            {
                stacked.push((below as u32, above as u32));
            }
        }
    }
    stacked
}

/// The least height between two polygons, where they share the plane. `None` where they do not.
fn headroom_m(mesh: &Mesh, polygons: &[PolygonView], below: usize, above: usize) -> Option<f64> {
    let mut shared = polygons[below].on_plane();
    let cutter = polygons[above].on_plane();
    for (&a, &b) in cutter.iter().zip(cutter.iter().cycle().skip(1)) {
        shared = left_of(&shared, a, b);
    }
    if square_metres(&shared) < LEAST_SHARED_M2 {
        return None;
    }
    let height_m = |polygon: usize, at| mesh.height_m(Position { at, floor: FloorId(polygon as u32) });
    shared.iter().map(|&at| height_m(above, at) - height_m(below, at)).reduce(f64::min)
}

/// The part of a convex polygon to the left of a line.
fn left_of(polygon: &[DVec2], a: DVec2, b: DVec2) -> Vec<DVec2> {
    let side = |at: DVec2| (b - a).perp_dot(at - a);
    let mut part = Vec::with_capacity(polygon.len() + 1);
    for (&from, &to) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let (here, there) = (side(from), side(to));
        if here >= 0.0 {
            part.push(from);
        }
        if (here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0) {
            part.push(from.lerp(to, here / (here - there)));
        }
    }
    part
}

fn square_metres(polygon: &[DVec2]) -> f64 {
    let Some(&origin) = polygon.first() else { return 0.0 };
    polygon.windows(2).map(|pair| (pair[0] - origin).perp_dot(pair[1] - origin)).sum::<f64>() / 2.0
}

/// Ground that is on one storey as a whole.
struct Piece {
    is_level: bool,
    /// The mean height, by square metres.
    middle_m: f64,
    square_metres: f64,
}

/// The pieces, by their middles ascending, and for each polygon its piece.
fn pieces(polygons: &[PolygonView], slabs: &[Slab]) -> (Vec<Piece>, Vec<usize>) {
    let mut by_height: Vec<usize> = (0..slabs.len()).collect();
    by_height.sort_by(|&a, &b| slabs[a].middle_m.total_cmp(&slabs[b].middle_m));
    let (mut pieces, mut piece_of) = (Vec::new(), vec![None; slabs.len()]);
    for &start in &by_height {
        if piece_of[start].is_some() {
            continue;
        }
        let (number, mut members) = (pieces.len(), vec![start]);
        piece_of[start] = Some(number);
        let fits = |polygon: usize| {
            slabs[start].is_level()
                && slabs[polygon].is_level()
                && (slabs[polygon].high_m - slabs[start].low_m).abs() <= PIECE_M
        };
        let mut next = 0;
        while let Some(&polygon) = members.get(next) {
            next += 1;
            for behind in polygons[polygon].behind.iter().filter_map(|behind| match behind {
                Behind::Portal(polygon) | Behind::OneWay(polygon) => Some(*polygon as usize),
                Behind::Wall => None,
            }) {
                if piece_of[behind].is_none() && fits(behind) {
                    piece_of[behind] = Some(number);
                    members.push(behind);
                }
            }
        }
        let square_metres: f64 = members.iter().map(|&polygon| slabs[polygon].square_metres).sum();
        let moment: f64 = members.iter().map(|&p| slabs[p].square_metres * slabs[p].middle_m).sum();
        let middle_m = if square_metres > 0.0 { moment / square_metres } else { slabs[start].middle_m };
        pieces.push(Piece { is_level: slabs[start].is_level(), middle_m, square_metres });
    }
    // Each polygon starts a piece, if it belongs to none before.
    sort_pieces(pieces, piece_of.into_iter().flatten().collect())
}

/// Numbers the pieces by their middles.
fn sort_pieces(pieces: Vec<Piece>, mut piece_of: Vec<usize>) -> (Vec<Piece>, Vec<usize>) {
    let mut pieces: Vec<(usize, Piece)> = pieces.into_iter().enumerate().collect();
    pieces.sort_by(|a, b| a.1.middle_m.total_cmp(&b.1.middle_m));
    let mut new_number = vec![0; pieces.len()];
    pieces.iter().enumerate().for_each(|(new, (old, _))| new_number[*old] = new);
    piece_of.iter_mut().for_each(|piece| *piece = new_number[*piece]);
    (pieces.into_iter().map(|(_, piece)| piece).collect(), piece_of)
}

/// The storey of each piece.
fn storeys_of_pieces(pieces: &[Piece], stacked: &[(u32, u32)], piece_of: &[usize]) -> Vec<usize> {
    // A piece of a lower number lies below, so that nothing goes round in a circle.
    let mut below = vec![BTreeSet::new(); pieces.len()];
    let mut above = vec![BTreeSet::new(); pieces.len()];
    for &(one, other) in stacked {
        let (one, other) = (piece_of[one as usize], piece_of[other as usize]);
        let (low, high) = (one.min(other), one.max(other));
        if low != high {
            below[high].insert(low);
            above[low].insert(high);
        }
    }
    let mut lowest = vec![0; pieces.len()];
    for piece in 0..pieces.len() {
        lowest[piece] = below[piece].iter().map(|&beneath| lowest[beneath] + 1).max().unwrap_or(0);
    }
    let count = lowest.iter().max().map_or(1, |top| top + 1);
    let is_stacked = |piece: usize| !(below[piece].is_empty() && above[piece].is_empty());
    let floors_m: Vec<f64> = (0..count)
        .map(|storey| {
            let here = |piece: &usize| lowest[*piece] == storey && is_stacked(*piece);
            let all: Vec<usize> = (0..pieces.len()).filter(here).collect();
            let level: Vec<usize> = all.iter().copied().filter(|&piece| pieces[piece].is_level).collect();
            mean_m(pieces, if level.is_empty() { &all } else { &level })
        })
        .collect();
    let mut storeys = lowest.clone();
    for piece in (0..pieces.len()).rev() {
        let highest = above[piece].iter().map(|&over| storeys[over] - 1).min().unwrap_or(count - 1);
        let Piece { is_level, middle_m, .. } = pieces[piece];
        let reach_m = if is_level { middle_m + BELOW_FLOOR_M } else { middle_m };
        let beneath = (lowest[piece]..=highest).filter(|&storey| floors_m[storey] <= reach_m);
        let nearest =
            beneath.reduce(|best, storey| if floors_m[storey] > floors_m[best] { storey } else { best });
        storeys[piece] = nearest.unwrap_or(lowest[piece]);
    }
    storeys
}

/// The mean height of some pieces, by square metres.
fn mean_m(pieces: &[Piece], some: &[usize]) -> f64 {
    let square_metres: f64 = some.iter().map(|&piece| pieces[piece].square_metres).sum();
    let moment: f64 = some.iter().map(|&piece| pieces[piece].middle_m * pieces[piece].square_metres).sum();
    if square_metres > 0.0 { moment / square_metres } else { f64::NEG_INFINITY }
}
