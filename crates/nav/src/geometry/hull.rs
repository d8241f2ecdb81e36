//! Convex solids: the height of what they fill of a vertical prism.

use glam::{DVec2, DVec3};

/// Lengths below this are rounding errors.
pub(super) const TINY: f64 = 1e-6;

/// A convex solid. z is up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hull {
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
    /// The corners of its faces that are not vertical. Empty for a box along the axes.
    faces: Vec<Vec<DVec3>>,
}

/// A vertical prism: a convex outline on the plane, counter-clockwise from above with x to the right and y up.
#[derive(Debug, Clone)]
pub(crate) struct Prism {
    pub(super) min: DVec2,
    pub(super) max: DVec2,
    /// Its corners: four, or six of a slanting one.
    corners: [DVec2; 6],
    count: usize,
    /// The normal of the two sides that are not along an axis. `None` for a box.
    pub(super) slant: Option<DVec2>,
}

/// Why a shape is no convex solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HullFault {
    /// A corner lies inside the hull of the others.
    NotConvex,
    /// It has no volume.
    Flat,
    /// The first corner of its box is not the lower one.
    InsideOut,
    /// Its planes do not enclose it.
    Open,
}

impl Prism {
    /// An upright box around a place.
    pub(crate) fn square(centre: DVec2, half: f64) -> Self {
        let (min, max) = (centre - half, centre + half);
        Self::upright(min, max)
    }

    fn upright(min: DVec2, max: DVec2) -> Self {
        let (right, left) = (DVec2::new(max.x, min.y), DVec2::new(min.x, max.y));
        Self { min, max, corners: [min, right, max, left, min, min], count: 4, slant: None }
    }

    /// Its corners, counter-clockwise.
    pub(super) fn outline(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    /// What it covers of a line through the origin, in a direction of length 1.
    pub(super) fn reach(&self, along: DVec2) -> [f64; 2] {
        if self.slant.is_none() {
            let (middle, half) = ((self.min + self.max) / 2.0, (self.max - self.min) / 2.0);
            let (at, beside) = (middle.dot(along), half.dot(along.abs()));
            return [at - beside, at + beside];
        }
        let wider = |[low, high]: [f64; 2], at: &DVec2| {
            let at = at.dot(along);
            [low.min(at), high.max(at)]
        };
        self.outline().iter().fold([f64::INFINITY, f64::NEG_INFINITY], wider)
    }

    /// A box that is swept from one place to another.
    pub(crate) fn swept(from: DVec2, to: DVec2, half: f64) -> Self {
        let (min, max) = (from.min(to) - half, from.max(to) + half);
        if from.x == to.x || from.y == to.y {
            return Self::upright(min, max);
        }
        let (left, right) = if from.x < to.x { (from, to) } else { (to, from) };
        let h = half;
        let at = |centre: DVec2, x: f64, y: f64| centre + DVec2::new(x, y);
        let corners = match left.y < right.y {
            true => [
                at(left, -h, -h),
                at(left, h, -h),
                at(right, h, -h),
                at(right, h, h),
                at(right, -h, h),
                at(left, -h, h),
            ],
            false => [
                at(left, -h, -h),
                at(right, -h, -h),
                at(right, h, -h),
                at(right, h, h),
                at(left, h, h),
                at(left, -h, h),
            ],
        };
        let slant = Some((to - from).perp().normalize());
        Self { min, max, corners, count: 6, slant }
    }
}

impl Hull {
    pub(crate) fn of_box(min: DVec3, max: DVec3) -> Result<Self, HullFault> {
        match () {
            () if min.cmpgt(max).any() => Err(HullFault::InsideOut),
            () if (max - min).min_element() < TINY => Err(HullFault::Flat),
            () => Ok(Self { min, max, faces: Vec::new() }),
        }
    }

    pub(super) fn of_points(points: &[DVec3]) -> Result<Self, HullFault> {
        let planes = planes_of(points);
        if planes.is_empty() {
            return Err(HullFault::Flat);
        }
        let is_corner =
            |at: &DVec3| planes.iter().filter(|(n, d)| (n.dot(*at) - d).abs() < TINY).count() >= 3;
        match points.iter().all(is_corner) {
            true => Self::of_corners(points, &planes),
            false => Err(HullFault::NotConvex),
        }
    }

    pub(super) fn of_planes(planes: &[(DVec3, f64)]) -> Result<Self, HullFault> {
        let unit: Vec<(DVec3, f64)> = planes
            .iter()
            .filter(|(normal, _)| normal.length() > TINY)
            .map(|(normal, distance)| (*normal / normal.length(), distance / normal.length()))
            .collect();
        let mut corners: Vec<DVec3> = Vec::new();
        for (i, (a, da)) in unit.iter().enumerate() {
            for (j, (b, db)) in unit.iter().enumerate().skip(i + 1) {
                for (c, dc) in unit.iter().skip(j + 1) {
                    let volume = a.dot(b.cross(*c));
                    if volume.abs() < TINY {
                        continue;
                    }
                    let at = (b.cross(*c) * *da + c.cross(*a) * *db + a.cross(*b) * *dc) / volume;
                    let is_in = unit.iter().all(|(n, d)| n.dot(at) <= d + TINY);
                    if is_in && corners.iter().all(|corner| corner.distance(at) > TINY) {
                        corners.push(at);
                    }
                }
            }
        }
        let hull = planes_of(&corners);
        if hull.is_empty() {
            return Err(HullFault::Open);
        }
        // What goes on for ever has another hull than that of its corners.
        let is_given =
            |(n, d): &(DVec3, f64)| unit.iter().any(|(m, e)| m.distance(*n) < 1e-5 && (d - e).abs() < 1e-3);
        match hull.iter().all(is_given) {
            true => Self::of_corners(&corners, &hull),
            false => Err(HullFault::Open),
        }
    }

    fn of_corners(corners: &[DVec3], planes: &[(DVec3, f64)]) -> Result<Self, HullFault> {
        let min = corners.iter().fold(DVec3::INFINITY, |min, at| min.min(*at));
        let max = corners.iter().fold(DVec3::NEG_INFINITY, |max, at| max.max(*at));
        let slanted = planes.iter().filter(|(normal, _)| normal.z.abs() > TINY);
        let faces: Vec<Vec<DVec3>> = slanted.map(|plane| face_of(corners, plane)).collect();
        let is_box = planes.len() == 6 && planes.iter().all(|(n, _)| n.abs().max_element() > 1.0 - 1e-12);
        Ok(Self { min, max, faces: if is_box { Vec::new() } else { faces } })
    }

    /// The lowest and the highest point of what it fills of a prism. `None` if they only touch.
    pub(crate) fn heights_in(&self, prism: &Prism) -> Option<[f64; 2]> {
        let overlaps = self.min.x + TINY < prism.max.x
            && prism.min.x + TINY < self.max.x
            && self.min.y + TINY < prism.max.y
            && prism.min.y + TINY < self.max.y;
        if !overlaps {
            return None;
        }
        if self.faces.is_empty() {
            // Two convex outlines overlap if no side of one of them separates them.
            let meets = prism.slant.is_none_or(|along| {
                let (min, max) = (self.min.truncate(), self.max.truncate());
                let (middle, half) = (min.midpoint(max).dot(along), ((max - min) / 2.0).dot(along.abs()));
                let [low, high] = prism.reach(along);
                middle - half + TINY < high && low + TINY < middle + half
            });
            return meets.then_some([self.min.z, self.max.z]);
        }
        let mut heights: Option<[f64; 2]> = None;
        for face in &self.faces {
            let part = clipped(face.clone(), prism);
            if area(&part) <= TINY {
                continue;
            }
            for at in part {
                let [low, high] = heights.unwrap_or([at.z; 2]);
                heights = Some([low.min(at.z), high.max(at.z)]);
            }
        }
        heights.filter(|[low, high]| high - low > TINY)
    }

    /// Whether it is a box that fills the prism from side to side.
    pub(crate) fn fills(&self, prism: &Prism) -> bool {
        self.faces.is_empty()
            && self.min.x <= prism.min.x
            && self.min.y <= prism.min.y
            && self.max.x >= prism.max.x
            && self.max.y >= prism.max.y
    }
}

/// The planes of the faces of a convex hull, their normals outwards, of length 1. Empty if it has no volume.
fn planes_of(points: &[DVec3]) -> Vec<(DVec3, f64)> {
    let mut planes: Vec<(DVec3, f64)> = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in points.iter().skip(j + 1) {
                let normal = (*b - *a).cross(*c - *a);
                if normal.length() < TINY {
                    continue;
                }
                let normal = normal.normalize();
                for normal in [normal, -normal] {
                    let distance = normal.dot(*a);
                    let is_outer = points.iter().all(|at| normal.dot(*at) <= distance + TINY);
                    let has_volume = points.iter().any(|at| normal.dot(*at) < distance - TINY);
                    let is_known =
                        |(n, d): &(DVec3, f64)| n.distance(normal) < 1e-6 && (d - distance).abs() < TINY;
                    if is_outer && has_volume && !planes.iter().any(is_known) {
                        planes.push((normal, distance));
                    }
                }
            }
        }
    }
    planes
}

/// The corners of a face, in order around it.
fn face_of(corners: &[DVec3], (normal, distance): &(DVec3, f64)) -> Vec<DVec3> {
    let mut on: Vec<DVec3> =
        corners.iter().copied().filter(|at| (normal.dot(*at) - distance).abs() < TINY).collect();
    let Some(&first) = on.first() else { return on };
    let centre = on.iter().sum::<DVec3>() / on.len() as f64;
    let right = (first - centre).normalize_or_zero();
    let up = normal.cross(right);
    // Around the centre: the half turn first, then the slope.
    let turn = |at: &DVec3| {
        let (x, y) = ((*at - centre).dot(right), (*at - centre).dot(up));
        let share = x / (x.abs() + y.abs());
        if y >= 0.0 { 1.0 - share } else { 3.0 + share }
    };
    on.sort_by(|a, b| turn(a).total_cmp(&turn(b)));
    on
}

/// What of a flat polygon lies within a prism (Sutherland and Hodgman).
fn clipped(mut polygon: Vec<DVec3>, prism: &Prism) -> Vec<DVec3> {
    let outline = prism.outline();
    for (index, from) in outline.iter().enumerate() {
        let along = outline[(index + 1) % outline.len()] - *from;
        let side = |at: DVec3| along.perp_dot(at.truncate() - *from);
        let mut part = Vec::with_capacity(polygon.len() + 1);
        for (index, &a) in polygon.iter().enumerate() {
            let b = polygon[(index + 1) % polygon.len()];
            let (here, there) = (side(a), side(b));
            if here >= 0.0 {
                part.push(a);
            }
            if (here >= 0.0) != (there >= 0.0) {
                part.push(a.lerp(b, here / (here - there)));
            }
        }
        polygon = part;
    }
    polygon
}

/// The area of a polygon on the plane, in square units.
fn area(polygon: &[DVec3]) -> f64 {
    let next = |index: usize| polygon[(index + 1) % polygon.len()];
    let twice: f64 =
        polygon.iter().enumerate().map(|(index, at)| at.truncate().perp_dot(next(index).truncate())).sum();
    (twice / 2.0).abs()
}
