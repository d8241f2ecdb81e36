//! Optimal reciprocal collision avoidance as published: J. van den Berg, S. J. Guy, M. Lin, D. Manocha, "Reciprocal
//! n-body collision avoidance", 2011. Written from the paper. Corners of walls are treated as the RVO2 library does:
//! no constraint from the side of a wall that its neighbour hides.

use glam::DVec2;

/// Somebody who is avoided.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    pub at: DVec2,
    pub velocity: DVec2,
    pub radius_m: f64,
}

/// A straight wall, solid to the left of the way from its first corner to its second.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    from: DVec2,
    to: DVec2,
    /// Directions of the wall before, of this one, and of the next.
    directions: [DVec2; 3],
}

/// What users of RVO2 choose.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Nobody farther away is avoided.
    pub neighbour_m: f64,
    /// Nor more than so many, the nearest.
    pub neighbours: usize,
    /// How long no person and no wall may be hit, in seconds.
    pub horizon_s: f64,
    pub wall_horizon_s: f64,
    /// The time from one step to the next, in seconds.
    pub step_s: f64,
}

/// Velocities on one side of a line: `(velocity - point) · normal >= 0`.
#[derive(Debug, Clone, Copy)]
struct HalfPlane {
    point: DVec2,
    normal: DVec2,
}

impl HalfPlane {
    /// How far a velocity is on the wrong side; negative on the right one.
    fn depth(&self, velocity: DVec2) -> f64 {
        (self.point - velocity).dot(self.normal)
    }
}

/// What a velocity is sought for.
#[derive(Debug, Clone, Copy)]
enum Aim {
    /// The nearest to this one.
    Near(DVec2),
    /// The farthest in this direction.
    Towards(DVec2),
}

/// Parallel, as far as numbers tell.
const PARALLEL: f64 = 1e-9;

/// The walls of loops of corners.
pub fn edges(loops: &[Vec<DVec2>]) -> Vec<Edge> {
    let of_loop = |corners: &Vec<DVec2>| -> Vec<Edge> {
        let count = corners.len();
        let direction = |index: usize| (corners[(index + 1) % count] - corners[index % count]).normalize();
        let edge = |index: usize| Edge {
            from: corners[index],
            to: corners[(index + 1) % count],
            directions: [direction(index + count - 1), direction(index), direction(index + 1)],
        };
        (0..count).map(edge).collect()
    };
    loops.iter().flat_map(of_loop).collect()
}

/// Finds velocities; keeps its buffers.
#[derive(Debug, Default)]
pub struct Avoider {
    near: Vec<(f64, usize)>,
    planes: Vec<HalfPlane>,
    relaxed: Vec<HalfPlane>,
}

impl Avoider {
    /// The velocity of somebody who wants another one. `others` may be in any order, and without those far away.
    pub fn velocity(
        &mut self,
        own: &Body,
        others: &[Body],
        walls: &[Edge],
        wanted: DVec2,
        most_mps: f64,
        settings: &Settings,
    ) -> DVec2 {
        self.planes.clear();
        self.add_walls(own, walls, most_mps, settings);
        let fixed = self.planes.len();
        let near = others.iter().enumerate().map(|(index, other)| (other.at.distance_squared(own.at), index));
        self.near.clear();
        self.near.extend(near.filter(|near| near.0 <= settings.neighbour_m * settings.neighbour_m));
        if self.near.len() > settings.neighbours {
            self.near.select_nth_unstable_by(settings.neighbours, |a, b| a.0.total_cmp(&b.0));
            self.near.truncate(settings.neighbours);
        }
        self.near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let of_body =
            |&(_, index): &(f64, usize)| half_of(own, &others[index], settings.horizon_s, settings.step_s);
        self.planes.extend(self.near.iter().map(of_body));
        match solve(&self.planes, most_mps, Aim::Near(wanted)) {
            Ok(velocity) => velocity,
            Err((failed, velocity)) => self.least_wrong(fixed, failed, velocity, most_mps),
        }
    }

    /// Adds the walls that can be reached, the nearest first.
    fn add_walls(&mut self, own: &Body, walls: &[Edge], most_mps: f64, settings: &Settings) {
        let reach_m = settings.wall_horizon_s * most_mps + own.radius_m;
        let near =
            walls.iter().enumerate().map(|(index, wall)| (wall.nearest(own.at).distance(own.at), index));
        self.near.clear();
        self.near.extend(near.filter(|near| near.0 <= reach_m));
        self.near.sort_by(|a, b| a.0.total_cmp(&b.0));
        for &(_, index) in &self.near {
            if let Some(plane) = walls[index].half(own, settings.wall_horizon_s, &self.planes) {
                self.planes.push(plane);
            }
        }
    }

    /// The velocity that is least wrong for the worst of the people, where none suits all. Walls stay as they are.
    fn least_wrong(&mut self, fixed: usize, failed: usize, found: DVec2, most_mps: f64) -> DVec2 {
        let (mut velocity, mut depth) = (found, 0.0);
        for index in failed.max(fixed)..self.planes.len() {
            let worst = self.planes[index];
            if worst.depth(velocity) <= depth {
                continue;
            }
            self.relaxed.clear();
            self.relaxed.extend_from_slice(&self.planes[..fixed]);
            for before in &self.planes[fixed..index] {
                // Where the one before is no more wrong than this one.
                let across = before.normal - worst.normal;
                let length = across.length();
                if length > PARALLEL {
                    let normal = across / length;
                    let off = (before.point.dot(before.normal) - worst.point.dot(worst.normal)) / length;
                    self.relaxed.push(HalfPlane { point: normal * off, normal });
                }
            }
            if let Ok(better) = solve(&self.relaxed, most_mps, Aim::Towards(worst.normal)) {
                velocity = better;
            }
            depth = worst.depth(velocity);
        }
        velocity
    }
}

/// The half of the velocities by which one does its share of avoiding another.
fn half_of(own: &Body, other: &Body, horizon_s: f64, step_s: f64) -> HalfPlane {
    let (apart, relative) = (other.at - own.at, own.velocity - other.velocity);
    let touching_m = own.radius_m + other.radius_m;
    let apart_sq = apart.length_squared();
    let overlaps = apart_sq <= touching_m * touching_m;
    // Those that overlap are to be apart at the next step.
    let until_s = if overlaps { step_s } else { horizon_s };
    let off_disc = relative - apart / until_s;
    let along = off_disc.dot(apart);
    let (normal, change) =
        if overlaps || along < 0.0 && along * along > touching_m * touching_m * off_disc.length_squared() {
            // The round end of the forbidden cone is nearest.
            let normal = off_disc.try_normalize().unwrap_or(DVec2::X);
            (normal, touching_m / until_s - off_disc.length())
        } else {
            let side = if apart.perp_dot(off_disc) > 0.0 { 1.0 } else { -1.0 };
            let normal = tangent(apart, touching_m, side).perp() * side;
            (normal, -relative.dot(normal))
        };
    HalfPlane { point: own.velocity + 0.5 * change * normal, normal }
}

/// The direction in which a disc is just passed: with it to the right for side 1, to the left for side -1.
fn tangent(middle: DVec2, radius_m: f64, side: f64) -> DVec2 {
    let apart_sq = middle.length_squared();
    let leg_m = (apart_sq - radius_m * radius_m).max(0.0).sqrt();
    (middle * leg_m + middle.perp() * radius_m * side) / apart_sq
}

impl Edge {
    fn nearest(&self, at: DVec2) -> DVec2 {
        let along = self.directions[1];
        self.from + along * (at - self.from).dot(along).clamp(0.0, self.from.distance(self.to))
    }

    /// The velocities that do not hit this wall, unless somebody is behind it or other walls are in its way.
    fn half(&self, own: &Body, horizon_s: f64, known: &[HalfPlane]) -> Option<HalfPlane> {
        let [before, along, after] = self.directions;
        let (left, right) = (self.from - own.at, self.to - own.at);
        let outwards = -along.perp();
        let off_m = -left.dot(outwards);
        if off_m < 0.0 {
            return None;
        }
        let radius = own.radius_m / horizon_s;
        let is_kept_off = |plane: &HalfPlane, end: DVec2| plane.depth(end / horizon_s) >= radius - 1e-5;
        if known.iter().any(|plane| is_kept_off(plane, left) && is_kept_off(plane, right)) {
            return None;
        }
        // Corners that are hollow belong to the wall on the other side.
        let (bulges_left, bulges_right) = (before.perp_dot(along) >= 0.0, along.perp_dot(after) >= 0.0);
        let (past_left, past_right) = (left.dot(along) > 0.0, right.dot(along) < 0.0);
        let nearest = self.nearest(own.at) - own.at;
        let is_near = nearest.length_squared() <= own.radius_m * own.radius_m;
        let is_end_on = off_m <= own.radius_m && (past_left || past_right);
        if (is_near || is_end_on) && (past_left && !bulges_left || past_right && !bulges_right) {
            return None;
        }
        if is_near {
            let normal = (-nearest).try_normalize().unwrap_or(outwards);
            return Some(HalfPlane { point: DVec2::ZERO, normal });
        }
        // The corners that bound the view, with the walls on their left and right. Seen end-on, one bounds both sides.
        let [at_left, at_right] = [(left, before, along, bulges_left), (right, along, after, bulges_right)];
        let (first, second) = match (is_end_on, past_left) {
            (true, true) => (at_left, at_left),
            (true, false) => (at_right, at_right),
            _ => (at_left, at_right),
        };
        // A hollow corner bounds nothing: the wall goes on. What points into the next wall is left to that one.
        let side = |(corner, before, after, bulges): (DVec2, DVec2, DVec2, bool), side: f64| {
            let straight = -along * side;
            if !bulges {
                return (straight, false);
            }
            let way = tangent(corner, own.radius_m, side);
            let next = if side > 0.0 { before } else { after };
            let points_in = next.perp_dot(way) >= 0.0;
            (if points_in { -next * side } else { way }, points_in)
        };
        let ((left_way, left_hidden), (right_way, right_hidden)) = (side(first, 1.0), side(second, -1.0));
        let (left, right, velocity) = (first.0 / horizon_s, second.0 / horizon_s, own.velocity);
        let (off_left, off_right, front) = (velocity - left, velocity - right, right - left);
        let on_front = if is_end_on { 0.5 } else { off_left.dot(front) / front.length_squared() };
        let (on_left, on_right) = (off_left.dot(left_way), off_right.dot(right_way));
        let round = |corner: DVec2| {
            let normal = (velocity - corner).try_normalize().unwrap_or(outwards);
            Some(HalfPlane { point: corner + normal * radius, normal })
        };
        if on_left < 0.0 && (on_front < 0.0 || is_end_on && on_right < 0.0) {
            return round(left);
        }
        if on_front > 1.0 && on_right < 0.0 {
            return round(right);
        }
        let beyond = |is: bool, far: f64| if is { f64::INFINITY } else { far };
        let off_front = off_left.reject_from(front.try_normalize().unwrap_or(along)).length();
        let to_front = beyond(is_end_on || !(0.0..=1.0).contains(&on_front), off_front);
        let to_left = beyond(on_left < 0.0, off_left.perp_dot(left_way).abs());
        let to_right = beyond(on_right < 0.0, off_right.perp_dot(right_way).abs());
        let (corner, normal, is_hidden) = if to_front <= to_left && to_front <= to_right {
            (left, outwards, false)
        } else if to_left <= to_right {
            (left, left_way.perp(), left_hidden)
        } else {
            (right, -right_way.perp(), right_hidden)
        };
        (!is_hidden).then_some(HalfPlane { point: corner + normal * radius, normal })
    }
}

/// The best velocity within all half-planes and no faster than allowed; or the first half-plane that leaves none, with
/// the best velocity for those before it.
fn solve(planes: &[HalfPlane], most_mps: f64, aim: Aim) -> Result<DVec2, (usize, DVec2)> {
    let mut velocity = match aim {
        Aim::Near(wanted) => wanted.clamp_length_max(most_mps),
        Aim::Towards(direction) => direction * most_mps,
    };
    for (index, plane) in planes.iter().enumerate() {
        if plane.depth(velocity) > 0.0 {
            velocity = on_border(plane, &planes[..index], most_mps, aim).ok_or((index, velocity))?;
        }
    }
    Ok(velocity)
}

/// The best velocity on the border of a half-plane, within others.
fn on_border(plane: &HalfPlane, others: &[HalfPlane], most_mps: f64, aim: Aim) -> Option<DVec2> {
    let direction = -plane.normal.perp();
    let middle = -plane.point.dot(direction);
    let half_sq = middle * middle + most_mps * most_mps - plane.point.length_squared();
    if half_sq < 0.0 {
        return None;
    }
    let (mut low, mut high) = (middle - half_sq.sqrt(), middle + half_sq.sqrt());
    for other in others {
        let (depth, climb) = (other.depth(plane.point), direction.dot(other.normal));
        if climb.abs() <= PARALLEL {
            if depth > 0.0 {
                return None;
            }
        } else if climb > 0.0 {
            low = low.max(depth / climb);
        } else {
            high = high.min(depth / climb);
        }
        if low > high {
            return None;
        }
    }
    let along = match aim {
        Aim::Near(wanted) => (wanted - plane.point).dot(direction).clamp(low, high),
        Aim::Towards(goal) => {
            if goal.dot(direction) > 0.0 {
                high
            } else {
                low
            }
        }
    };
    Some(plane.point + direction * along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    const SETTINGS: Settings =
        Settings { neighbour_m: 15.0, neighbours: 10, horizon_s: 2.0, wall_horizon_s: 1.0, step_s: 0.1 };

    fn body(at: DVec2, velocity: DVec2) -> Body {
        Body { at, velocity, radius_m: 0.3 }
    }

    #[test]
    fn two_head_on_each_do_half() {
        let (one, other) = (body(DVec2::ZERO, DVec2::X), body(dvec2(2.0, 0.1), -DVec2::X));
        let mut avoider = Avoider::default();
        let a = avoider.velocity(&one, &[other], &[], DVec2::X, 1.0, &SETTINGS);
        let b = avoider.velocity(&other, &[one], &[], -DVec2::X, 1.0, &SETTINGS);
        assert!((a + b).length() < 1e-9 && a.y < -0.1, "{a} {b}");
    }

    #[test]
    fn a_wall_is_reached_no_sooner_than_its_horizon() {
        // A square pillar; its near wall is a metre and a radius away.
        let pillar = [(1.3, -5.0), (11.3, -5.0), (11.3, 5.0), (1.3, 5.0)].map(DVec2::from).to_vec();
        let walls = edges(&[pillar]);
        let one = body(DVec2::ZERO, DVec2::X);
        let velocity = Avoider::default().velocity(&one, &[], &walls, DVec2::X * 2.0, 2.0, &SETTINGS);
        assert!((velocity - DVec2::X).length() < 1e-9, "{velocity}");
    }
}
