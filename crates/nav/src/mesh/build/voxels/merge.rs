//! Triangles to convex polygons, with as few edges as possible.

use super::regions::GridVertex;
use super::triangulate::Triangle;
use super::{Progress, VoxelProblem, VoxelSettings};
use crate::mesh::progress::Stopped;
use std::collections::BTreeMap;

/// A convex polygon, counter-clockwise in x and z.
#[derive(Debug, Clone)]
pub(super) struct Ring {
    pub corners: Vec<u32>,
    /// How far it may be above or below the floor, in metres.
    pub error_m: f64,
}

/// What polygons may become.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    max_corners: usize,
    max_error_m: f64,
    cell_size_m: f64,
}

impl Limits {
    pub(super) fn new(settings: &VoxelSettings) -> Self {
        Self {
            max_corners: settings.max_corners,
            max_error_m: settings.max_height_error_m,
            cell_size_m: settings.cell_size_m,
        }
    }
}

/// Merges triangles.
pub(super) fn merge(
    triangles: &[Triangle],
    vertices: &[GridVertex],
    limits: Limits,
    progress: &mut Progress,
) -> Result<Vec<Ring>, VoxelProblem> {
    let mut rings: Vec<Ring> = triangles
        .iter()
        .map(|triangle| Ring { corners: triangle.corners.to_vec(), error_m: f64::from(triangle.error_m) })
        .collect();
    // Polygons without needless corners can be merged further.
    for round in 0..2 {
        rings = merge_once(rings, vertices, limits, &mut |done, total| {
            progress.sometimes(done + round * total, 2 * total)
        })?;
        remove_straight_corners(&mut rings, vertices, limits);
    }
    Ok(rings)
}

type ReportDone<'a> = &'a mut dyn FnMut(usize, usize) -> Result<(), Stopped>;

/// Tries to remove each edge between two polygons, the longest first.
fn merge_once(
    rings: Vec<Ring>,
    vertices: &[GridVertex],
    limits: Limits,
    report: ReportDone,
) -> Result<Vec<Ring>, VoxelProblem> {
    let mut rings: Vec<Option<Ring>> = rings.into_iter().map(Some).collect();
    let mut edges = shared_edges(&rings);
    edges.sort_by_key(|&(ends, ..)| (std::cmp::Reverse(length_squared(ends, vertices)), ends));
    // Which polygon another one has become a part of.
    let mut whole: Vec<u32> = (0..rings.len() as u32).collect();
    for (done, &(_, a, b)) in edges.iter().enumerate() {
        report(done, edges.len())?;
        let (a, b) = (root(&mut whole, a), root(&mut whole, b));
        if a == b {
            continue;
        }
        let (Some(one), Some(other)) = (&rings[a as usize], &rings[b as usize]) else { continue };
        if let Some(union) = union(one, other, vertices, limits) {
            rings[a as usize] = Some(union);
            rings[b as usize] = None;
            whole[b as usize] = a;
        }
    }
    Ok(rings.into_iter().flatten().collect())
}

fn root(whole: &mut [u32], mut polygon: u32) -> u32 {
    while whole[polygon as usize] != polygon {
        let above = whole[whole[polygon as usize] as usize];
        whole[polygon as usize] = above;
        polygon = above;
    }
    polygon
}

/// The edges that two polygons share: both ends, and the polygons.
fn shared_edges(rings: &[Option<Ring>]) -> Vec<((u32, u32), u32, u32)> {
    let mut all = Vec::new();
    for (index, ring) in rings.iter().enumerate() {
        for (from, to) in edges(ring.as_ref().map_or(&[][..], |ring| &ring.corners)) {
            all.push(((from.min(to), from.max(to)), index as u32));
        }
    }
    all.sort_unstable();
    let pairs = all.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    pairs.map(|pair| (pair[0].0, pair[0].1, pair[1].1)).collect()
}

fn edges(corners: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    (0..corners.len()).map(|i| (corners[i], corners[if i + 1 == corners.len() { 0 } else { i + 1 }]))
}

fn length_squared((a, b): (u32, u32), vertices: &[GridVertex]) -> i64 {
    let (a, b) = (vertices[a as usize], vertices[b as usize]);
    let (dx, dz) = (i64::from(a.x - b.x), i64::from(a.z - b.z));
    dx * dx + dz * dz
}

/// The turn at `b`, in order: to the right or back, straight on, to the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Wrong,
    Straight,
    Left,
}

fn turn(a: u32, b: u32, c: u32, vertices: &[GridVertex]) -> Turn {
    let [a, b, c] = [a, b, c].map(|vertex| vertices[vertex as usize]);
    let along = (i64::from(b.x - a.x), i64::from(b.z - a.z));
    let next = (i64::from(c.x - b.x), i64::from(c.z - b.z));
    let (cross, dot) = (along.0 * next.1 - along.1 * next.0, along.0 * next.0 + along.1 * next.1);
    match cross {
        // Back along a slit: two polygons may meet at its end only.
        0 if dot <= 0 => Turn::Wrong,
        0 => Turn::Straight,
        1.. => Turn::Left,
        ..0 => Turn::Wrong,
    }
}

/// Both polygons as one, if it is convex and near enough to the floor.
fn union(one: &Ring, other: &Ring, vertices: &[GridVertex], limits: Limits) -> Option<Ring> {
    let (a, b) = (&one.corners, &other.corners);
    let after = |ring: &[u32], index: usize| ring[(index + 1) % ring.len()];
    let before = |ring: &[u32], index: usize| ring[(index + ring.len() - 1) % ring.len()];
    let find = |vertex: u32| b.iter().position(|&other| other == vertex);
    // The shared edges must be one stretch. In `a` it begins where the edge before is not shared.
    let is_shared = |i: usize| find(a[i]).is_some_and(|j| before(b, j) == after(a, i));
    let starts: Vec<usize> =
        (0..a.len()).filter(|&i| is_shared(i) && !is_shared((i + a.len() - 1) % a.len())).collect();
    let &[start] = &starts[..] else { return None };
    let length = (0..a.len()).take_while(|&i| is_shared((start + i) % a.len())).count();
    if length + 1 >= a.len().min(b.len()) {
        return None;
    }
    let begin = find(a[start])?;
    let mut corners: Vec<u32> = (length..a.len()).map(|i| a[(start + i) % a.len()]).collect();
    corners.extend((0..b.len() - length).map(|i| b[(begin + i) % b.len()]));
    let count = corners.len();
    let shared: Vec<u32> = (1..length).map(|i| a[(start + i) % a.len()]).collect();
    let touches_twice = (0..count).any(|i| corners[..i].contains(&corners[i]));
    let is_convex = (0..count).all(|i| {
        turn(corners[i], corners[(i + 1) % count], corners[(i + 2) % count], vertices) >= Turn::Straight
    });
    if count > limits.max_corners || touches_twice || !is_convex {
        return None;
    }
    let error_m = one.error_m.max(other.error_m) + 2.0 * unevenness_m(&corners, &shared, vertices, limits);
    let is_near = error_m <= limits.max_error_m.max(one.error_m.max(other.error_m) + 1e-3);
    is_near.then_some(Ring { corners, error_m })
}

/// The greatest distance in height between the vertices (corners, and others inside) and a plane near all of them. Two
/// surfaces through the vertices differ by at most twice as much.
fn unevenness_m(corners: &[u32], inside: &[u32], vertices: &[GridVertex], limits: Limits) -> f64 {
    let scale = limits.cell_size_m;
    let origin = vertices[corners[0] as usize];
    let point = |corner: &u32| {
        let v = vertices[*corner as usize];
        [f64::from(v.x - origin.x) * scale, f64::from(v.y_m - origin.y_m), f64::from(v.z - origin.z) * scale]
    };
    let points: Vec<[f64; 3]> = corners.iter().map(point).collect();
    let mut normal = [0.0; 3];
    let mut middle = [0.0; 3];
    for (i, a) in points.iter().enumerate() {
        let b = &points[if i + 1 == points.len() { 0 } else { i + 1 }];
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            normal[axis] += (a[u] - b[u]) * (a[v] + b[v]);
            middle[axis] += a[axis] / points.len() as f64;
        }
    }
    if normal[1] == 0.0 {
        return f64::INFINITY;
    }
    let off = |p: &[f64; 3]| {
        let plane = middle[1] - ((p[0] - middle[0]) * normal[0] + (p[2] - middle[2]) * normal[2]) / normal[1];
        (p[1] - plane).abs()
    };
    points.iter().copied().chain(inside.iter().map(point)).map(|p| off(&p)).fold(0.0, f64::max)
}

/// Removes the corners that lie on a straight line in all their polygons.
fn remove_straight_corners(rings: &mut [Ring], vertices: &[GridVertex], limits: Limits) {
    // For each vertex the vertices beside it in each of its polygons.
    let mut beside: BTreeMap<u32, Vec<(u32, u32, u32)>> = BTreeMap::new();
    for (index, ring) in rings.iter().enumerate() {
        let count = ring.corners.len();
        for i in 0..count {
            let (before, after) = (ring.corners[(i + count - 1) % count], ring.corners[(i + 1) % count]);
            beside.entry(ring.corners[i]).or_default().push((before, after, index as u32));
        }
    }
    for (&vertex, uses) in &beside {
        let is_pair = match uses[..] {
            [_] => true,
            [(a, b, _), (c, d, _)] => (a, b) == (d, c),
            _ => false,
        };
        if !is_pair {
            continue;
        }
        // Neighbours on the line may be gone by now.
        let (_, _, first) = uses[0];
        let corners = &rings[first as usize].corners;
        let Some(at) = corners.iter().position(|&corner| corner == vertex) else { continue };
        let count = corners.len();
        let (before, after) = (corners[(at + count - 1) % count], corners[(at + 1) % count]);
        if turn(before, vertex, after, vertices) != Turn::Straight {
            continue;
        }
        let bend_m = bend_m(before, vertex, after, vertices);
        let may = |&(_, _, ring): &(u32, u32, u32)| {
            let ring = &rings[ring as usize];
            ring.corners.len() > 3
                && ring.error_m + 2.0 * bend_m <= limits.max_error_m.max(ring.error_m + 1e-3)
        };
        if uses.iter().all(may) {
            for &(_, _, ring) in uses {
                let ring = &mut rings[ring as usize];
                ring.corners.retain(|&corner| corner != vertex);
                ring.error_m += 2.0 * bend_m;
            }
        }
    }
}

/// How far a vertex is above or below the line between two others.
fn bend_m(before: u32, vertex: u32, after: u32, vertices: &[GridVertex]) -> f64 {
    let whole = (length_squared((before, after), vertices) as f64).sqrt();
    let share = (length_squared((before, vertex), vertices) as f64).sqrt() / whole.max(1.0);
    let [a, v, b] = [before, vertex, after].map(|vertex| f64::from(vertices[vertex as usize].y_m));
    (v - (a + (b - a) * share)).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_at_the_end_of_a_slit_stay_apart() {
        let point = |x, z| GridVertex { x, z, y_m: 0.0 };
        // 0 and 4 are the two sides of a slit that ends at 1.
        let vertices = [point(0, 0), point(2, 0), point(4, 0), point(2, 3), point(0, 0), point(2, -3)];
        let ring = |corners: &[u32]| Ring { corners: corners.to_vec(), error_m: 0.0 };
        let limits = Limits::new(&VoxelSettings::default());
        let (above, below) = (ring(&[0, 1, 2, 3]), ring(&[2, 1, 4, 5]));
        assert!(union(&above, &below, &vertices, limits).is_none());
        let joined = ring(&[2, 1, 0, 5]);
        let union = union(&above, &joined, &vertices, limits).expect("without a slit they are one");
        assert_eq!(union.corners.len(), 4);
    }
}
