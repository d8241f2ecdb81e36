//! What a closed mesh of triangles fills of a vertical prism.
//!
//! At a height at which the surface does not touch the outline of the prism, the outline is inside as a whole, or outside
//! as a whole. So the heights that are filled are those of the surface within the prism, and those that are inside along
//! one vertical line in it.

use super::closed::closed;
use super::hull::TINY;
use super::solid::Filled;
use super::{MeshFault, Prism, TriangleMesh};
use glam::{DVec2, DVec3};

/// The side of a bin of triangles, at first.
const BIN: f64 = 32.0;
/// More entries than this for a triangle make bins wider.
const MAX_ENTRIES_PER_TRIANGLE: f64 = 16.0;
/// So many entries are always in order.
const FREE_ENTRIES: f64 = 100_000.0;

/// The solid that a closed mesh encloses. z is up.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
    triangles: Vec<Triangle>,
    bins: Bins,
}

#[derive(Debug, Clone)]
struct Triangle {
    corners: [DVec3; 3],
    min: DVec3,
    max: DVec3,
    /// The normals of its edges on the plane, of length 1 or zero, and what it covers of lines along them.
    normals: [(DVec2, [f64; 2]); 3],
    /// How it rises along x and y. `None` if it is vertical.
    slope: Option<DVec2>,
    /// The first bin that it is in.
    bin: [usize; 2],
}

/// Squares of the plane, each with the numbers of the triangles whose bounds meet it.
#[derive(Debug, Clone)]
struct Bins {
    origin: DVec2,
    side: f64,
    size: [usize; 2],
    /// Where the triangles of each bin begin in the list.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Body {
    /// The solid in a mesh.
    ///
    /// # Errors
    /// The first fault.
    pub(super) fn new(mesh: &TriangleMesh) -> Result<Self, MeshFault> {
        Ok(Self::of(&mesh.points, &closed(mesh)?))
    }

    /// The solid within triangles that enclose one. There is at least one triangle.
    pub(super) fn of(points: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let corners = triangles.iter().map(|corners| corners.map(|corner| points[corner as usize]));
        let mut triangles: Vec<Triangle> = corners.map(Triangle::new).collect();
        let min = triangles.iter().fold(DVec3::INFINITY, |min, triangle| min.min(triangle.min));
        let max = triangles.iter().fold(DVec3::NEG_INFINITY, |max, triangle| max.max(triangle.max));
        let bins = Bins::new(&triangles, min.truncate(), max.truncate());
        for triangle in &mut triangles {
            triangle.bin = bins.bin(triangle.min.truncate());
        }
        Self { min, max, triangles, bins }
    }

    /// The heights that it fills of a prism, from below. What only touches does not count.
    pub(super) fn fill(&self, prism: &Prism, mut take: impl FnMut(Filled)) {
        if !overlap([self.min.truncate(), self.max.truncate()], prism) {
            return;
        }
        let mut parts: Vec<PrismHeights> = Vec::new();
        let [from, to] = [prism.min, prism.max].map(|at| self.bins.bin(at));
        for y in from[1]..=to[1] {
            for x in from[0]..=to[0] {
                for triangle in self.bins.at([x, y]).iter().map(|&index| &self.triangles[index as usize]) {
                    // A triangle of several bins is looked at in the first one.
                    if [triangle.bin[0].max(from[0]), triangle.bin[1].max(from[1])] != [x, y] {
                        continue;
                    }
                    if let Some([low, high]) = triangle.heights_in(prism) {
                        parts.push(PrismHeights { low, high, is_surface: true });
                    }
                }
            }
        }
        self.inside((prism.min + prism.max) / 2.0, |[low, high]| {
            parts.push(PrismHeights { low, high, is_surface: false });
        });
        parts.sort_unstable_by(|a, b| (a.low.total_cmp(&b.low)).then(a.high.total_cmp(&b.high)));
        let mut begin = 0;
        while let Some(first) = parts.get(begin) {
            let (low, mut high, mut end) = (first.low, first.high, begin + 1);
            while let Some(part) = parts.get(end).filter(|part| part.low <= high + TINY) {
                (high, end) = (high.max(part.high), end + 1);
            }
            // Just below a level top there is no surface, so the prism is filled there from side to side.
            let mut at_top = parts[begin..end].iter().filter(|part| part.high > high - TINY);
            let is_level = at_top.clone().any(|part| !part.is_surface && part.low < high - TINY)
                && at_top.all(|part| !part.is_surface || part.low > high - TINY);
            if high - low > TINY {
                take(Filled { low, high, is_level });
            }
            begin = end;
        }
    }

    /// Whether a point is inside.
    pub(super) fn holds(&self, at: DVec3) -> bool {
        let mut holds = false;
        self.inside(at.truncate(), |[low, high]| holds |= low < at.z && at.z < high);
        holds
    }

    /// The heights that are inside along a vertical line, from below.
    ///
    /// The turns of all triangles around the line add up to 0, however they are rounded, as each edge counts twice, in
    /// opposite directions. So the line ends outside, also if it hits edges or corners.
    fn inside(&self, at: DVec2, mut take: impl FnMut([f64; 2])) {
        if !(at.cmpge(self.min.truncate()).all() && at.cmple(self.max.truncate()).all()) {
            return;
        }
        let mut crossings: Vec<(f64, i32)> = Vec::new();
        for &index in self.bins.at(self.bins.bin(at)) {
            let triangle = &self.triangles[index as usize];
            let turns = triangle.turns_around(at);
            if turns != 0 {
                crossings.push((triangle.height_at(at), turns));
            }
        }
        crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // A triangle that faces down has turns below 0: there the line enters.
        let mut depth = 0;
        for pair in crossings.windows(2) {
            depth -= pair[0].1;
            if depth != 0 && pair[1].0 > pair[0].0 {
                take([pair[0].0, pair[1].0]);
            }
        }
    }
}

/// Heights within a prism: of a piece of the surface, or of what is inside along a line.
#[derive(Debug, Clone, Copy)]
struct PrismHeights {
    low: f64,
    high: f64,
    is_surface: bool,
}

/// Whether a rectangle and the bounds of a prism do more than touch.
fn overlap([min, max]: [DVec2; 2], prism: &Prism) -> bool {
    min.x + TINY < prism.max.x
        && prism.min.x + TINY < max.x
        && min.y + TINY < prism.max.y
        && prism.min.y + TINY < max.y
}

impl Triangle {
    fn new(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let flat = corners.map(DVec3::truncate);
        let normals = [0, 1, 2].map(|i| {
            let normal = (flat[(i + 1) % 3] - flat[i]).perp().normalize_or_zero();
            (normal, reach(&flat, normal))
        });
        let normal = (b - a).cross(c - a);
        let is_steep = normal.z.abs() <= 1e-12 * normal.length();
        let slope = (!is_steep).then(|| -normal.truncate() / normal.z);
        Self { corners, min: a.min(b).min(c), max: a.max(b).max(c), normals, slope, bin: [0, 0] }
    }

    /// The lowest and the highest point within a prism. `None` if they only touch: some line on the plane separates them.
    fn heights_in(&self, prism: &Prism) -> Option<[f64; 2]> {
        let is_free = |own: [f64; 2], other: [f64; 2]| own[0] + TINY >= other[1] || other[0] + TINY >= own[1];
        if !overlap([self.min.truncate(), self.max.truncate()], prism) {
            return None;
        }
        if let Some(along) = prism.slant
            && is_free(reach(&self.corners.map(DVec3::truncate), along), prism.reach(along))
        {
            return None;
        }
        let mut covers = self.slope.is_some();
        for &(normal, own) in &self.normals {
            if normal != DVec2::ZERO {
                let other = prism.reach(normal);
                if is_free(own, other) {
                    return None;
                }
                covers &= own[0] <= other[0] && other[1] <= own[1];
            }
        }
        let [low, high] = match self.slope {
            _ if self.min.z == self.max.z => [self.min.z; 2],
            Some(slope) if covers && prism.slant.is_none() => {
                let middle = self.height_at((prism.min + prism.max) / 2.0);
                let beside = ((prism.max - prism.min) / 2.0).dot(slope.abs());
                [middle - beside, middle + beside]
            }
            _ => heights_within(self.corners, prism.outline()).unwrap_or([self.min.z, self.max.z]),
        };
        Some([low.max(self.min.z), high.min(self.max.z)])
    }

    /// Its height at a place on the plane.
    fn height_at(&self, at: DVec2) -> f64 {
        let corner = self.corners[0];
        let rise = self.slope.map_or(0.0, |slope| slope.dot(at - corner.truncate()));
        (corner.z + rise).clamp(self.min.z, self.max.z)
    }

    /// How often it winds around a place on the plane: 1 counter-clockwise, -1 clockwise.
    fn turns_around(&self, at: DVec2) -> i32 {
        // Beside its bounds, what its edges count below is 0 in sum.
        if at.y < self.min.y || self.max.y <= at.y || at.x < self.min.x || self.max.x <= at.x {
            return 0;
        }
        let turn = |i: usize| {
            let (from, to) = (self.corners[i].truncate(), self.corners[(i + 1) % 3].truncate());
            // Both triangles at an edge take the same end first, so they agree about its side.
            let (low, high, sign) = if from.y <= to.y { (from, to, 1) } else { (to, from, -1) };
            if at.y < low.y || high.y <= at.y || at.x >= low.x.max(high.x) {
                return 0;
            }
            let is_left = at.x < low.x.min(high.x) || (high - low).perp_dot(at - low) > 0.0;
            if is_left { sign } else { 0 }
        };
        turn(0) + turn(1) + turn(2)
    }
}

/// What points cover of a line through the origin, in a direction of length 1.
fn reach(points: &[DVec2; 3], along: DVec2) -> [f64; 2] {
    let [a, b, c] = points.map(|at| at.dot(along));
    [a.min(b).min(c), a.max(b).max(c)]
}

/// The lowest and the highest point of what of a triangle lies within an outline (Sutherland and Hodgman). `None` if
/// rounding leaves nothing.
fn heights_within(corners: [DVec3; 3], outline: &[DVec2]) -> Option<[f64; 2]> {
    // Each side of the outline, of which there are six at most, adds a corner.
    const MOST: usize = 10;
    let (mut polygon, mut count) = ([DVec3::ZERO; MOST], 3);
    polygon[..3].copy_from_slice(&corners);
    for (index, from) in outline.iter().enumerate() {
        let along = outline[(index + 1) % outline.len()] - *from;
        let side = |at: DVec3| along.perp_dot(at.truncate() - *from);
        let (mut part, mut kept) = ([DVec3::ZERO; MOST], 0);
        let mut keep = |at: DVec3| {
            if kept < MOST {
                part[kept] = at;
                kept += 1;
            }
        };
        for index in 0..count {
            let (a, b) = (polygon[index], polygon[(index + 1) % count]);
            let (here, there) = (side(a), side(b));
            if here >= 0.0 {
                keep(a);
            }
            if (here >= 0.0) != (there >= 0.0) {
                keep(a.lerp(b, here / (here - there)));
            }
        }
        (polygon, count) = (part, kept);
    }
    let heights = polygon[..count].iter().map(|at| at.z);
    heights
        .fold(None, |range, z| Some(range.map_or([z; 2], |[low, high]: [f64; 2]| [low.min(z), high.max(z)])))
}

impl Bins {
    fn new(triangles: &[Triangle], min: DVec2, max: DVec2) -> Self {
        // A large triangle over small ones is in many bins. Wider ones bound the memory.
        let most = FREE_ENTRIES + MAX_ENTRIES_PER_TRIANGLE * triangles.len() as f64;
        let mut side = BIN;
        loop {
            let count = |extent: DVec2| (extent.x / side + 2.0) * (extent.y / side + 2.0);
            let entries = |triangle: &Triangle| count((triangle.max - triangle.min).truncate());
            let fits = count(max - min) <= FREE_ENTRIES
                && triangles.iter().map(entries).sum::<f64>() <= most.max(4.0 * triangles.len() as f64 + 1.0);
            // Of coordinates near the limit of numbers, the extent is infinite: one bin for all.
            if fits || !side.is_finite() {
                break;
            }
            side *= 2.0;
        }
        let mut bins = Self { origin: min, side, size: [1, 1], starts: Vec::new(), triangles: Vec::new() };
        if side.is_finite() {
            let last = (max - min) / side;
            bins.size = [last.x as usize + 1, last.y as usize + 1];
        }
        let all = |triangle: &Triangle| {
            let [from, to] = [triangle.min, triangle.max].map(|at| bins.bin(at.truncate()));
            let width = bins.size[0];
            (from[1]..=to[1]).flat_map(move |y| (from[0]..=to[0]).map(move |x| y * width + x))
        };
        // Count, sum up, fill.
        let mut starts = vec![0_u32; bins.size[0] * bins.size[1] + 1];
        triangles.iter().flat_map(all).for_each(|bin| starts[bin + 1] += 1);
        for bin in 1..starts.len() {
            starts[bin] += starts[bin - 1];
        }
        let mut list = vec![0; starts.last().map_or(0, |count| *count as usize)];
        let mut next = starts.clone();
        for (index, triangle) in (0..).zip(triangles) {
            for bin in all(triangle) {
                list[next[bin] as usize] = index;
                next[bin] += 1;
            }
        }
        (bins.starts, bins.triangles) = (starts, list);
        bins
    }

    /// The bin of a place, or the nearest one.
    fn bin(&self, at: DVec2) -> [usize; 2] {
        let place = (at - self.origin) / self.side;
        // Casts stop at the ends of their range, and make 0 of what is no number.
        [(place.x as usize).min(self.size[0] - 1), (place.y as usize).min(self.size[1] - 1)]
    }

    fn at(&self, [x, y]: [usize; 2]) -> &[u32] {
        let bin = y * self.size[0] + x;
        &self.triangles[self.starts[bin] as usize..self.starts[bin + 1] as usize]
    }
}
