//! Optimal reciprocal collision avoidance (ORCA): van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision
//! avoidance", 2011. For each neighbour, a half-plane of velocities that avoid it for a time; of the velocities in all
//! half-planes, the one nearest to the preferred velocity, by linear programming in the plane. Geometry only: the caller
//! gives the time.

use glam::DVec2;

/// A half-plane of permitted velocities: those to the left of a directed line, in m/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HalfPlane {
    /// A point on the line.
    pub(super) point: DVec2,
    /// The direction of the line: a unit vector.
    pub(super) along: DVec2,
}

/// The motion of another body relative to one's own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encounter {
    /// Where the other is, from here.
    pub(super) offset: DVec2,
    /// Own velocity less the other's.
    pub(super) velocity: DVec2,
    /// The distance to be kept between the centres.
    pub(super) clear_m: f64,
    /// The part of the change that is one's own: a half if the other does the same, 1 if it does nothing.
    pub(super) share: f64,
}

/// Bodies that touch part in this time, in seconds. Shorter times make them jump apart.
const PARTS_IN_S: f64 = 0.5;

impl Encounter {
    /// The velocities with which the two do not meet for `horizon_s`, if the own velocity now is `own`.
    pub(super) fn half_plane(&self, own: DVec2, horizon_s: f64) -> HalfPlane {
        let Self { offset, velocity, clear_m, share } = *self;
        let apart_sq = offset.length_squared();
        let (along, change) = if apart_sq > clear_m * clear_m {
            let from_cutoff = velocity - offset / horizon_s;
            let dot = from_cutoff.dot(offset);
            if dot < 0.0 && dot * dot > clear_m * clear_m * from_cutoff.length_squared() {
                // Nearest is the round end of the truncated cone.
                round_end(from_cutoff, clear_m / horizon_s)
            } else {
                let leg_m = (apart_sq - clear_m * clear_m).sqrt();
                let along = match offset.perp_dot(from_cutoff) > 0.0 {
                    true => DVec2::new(
                        offset.x * leg_m - offset.y * clear_m,
                        offset.x * clear_m + offset.y * leg_m,
                    ),
                    false => -DVec2::new(
                        offset.x * leg_m + offset.y * clear_m,
                        offset.y * leg_m - offset.x * clear_m,
                    ),
                } / apart_sq;
                (along, along * velocity.dot(along) - velocity)
            }
        } else {
            // Too near already: they part. The round end would let a quick one go on through the other.
            let towards = offset.try_normalize().unwrap_or(DVec2::X);
            let parting_mps = (clear_m - apart_sq.sqrt()) / PARTS_IN_S;
            (towards.perp(), -towards * (velocity.dot(towards) + parting_mps))
        };
        HalfPlane { point: own + change * share, along }
    }
}

/// The line that touches the circle of a cone's end where `from_centre` points, and the way to it.
fn round_end(from_centre: DVec2, radius_mps: f64) -> (DVec2, DVec2) {
    let length = from_centre.length();
    let out = if length > 1e-9 { from_centre / length } else { DVec2::NEG_X };
    (DVec2::new(out.y, -out.x), out * (radius_mps - length))
}

/// Lines whose directions differ by less are parallel.
const PARALLEL: f64 = 1e-9;

/// The velocity nearest to `preferred` in all half-planes, at most `most_mps` long. If there is none, the one that goes
/// least into the half-planes forbidden, the most forbidden one counting.
pub(super) fn nearest_permitted(
    planes: &[HalfPlane],
    preferred: DVec2,
    most_mps: f64,
    spare: &mut Vec<HalfPlane>,
) -> DVec2 {
    let mut velocity = preferred.clamp_length_max(most_mps);
    let met = within_all(planes, most_mps, Wanted::Near(preferred), &mut velocity);
    if met < planes.len() {
        least_forbidden(planes, met, most_mps, &mut velocity, spare);
    }
    velocity
}

/// What is best among the permitted velocities.
#[derive(Clone, Copy)]
enum Wanted {
    /// The one nearest to this.
    Near(DVec2),
    /// The one farthest in this direction.
    Towards(DVec2),
}

/// Moves `velocity` into one half-plane after the other. Returns how many could be met.
fn within_all(planes: &[HalfPlane], most_mps: f64, wanted: Wanted, velocity: &mut DVec2) -> usize {
    for (index, plane) in planes.iter().enumerate() {
        if plane.along.perp_dot(plane.point - *velocity) > 0.0 {
            match best_on_line(&planes[..index], plane, most_mps, wanted) {
                Some(best) => *velocity = best,
                None => return index,
            }
        }
    }
    planes.len()
}

/// The best velocity on the line of a half-plane that is in all the half-planes before.
fn best_on_line(before: &[HalfPlane], plane: &HalfPlane, most_mps: f64, wanted: Wanted) -> Option<DVec2> {
    let dot = plane.point.dot(plane.along);
    let discriminant = dot * dot + most_mps * most_mps - plane.point.length_squared();
    if discriminant < 0.0 {
        return None;
    }
    let half = discriminant.sqrt();
    let (mut low, mut high) = (-dot - half, -dot + half);
    for other in before {
        let cross = plane.along.perp_dot(other.along);
        let off = other.along.perp_dot(plane.point - other.point);
        if cross.abs() <= PARALLEL {
            if off < 0.0 {
                return None;
            }
            continue;
        }
        let at = off / cross;
        if cross >= 0.0 {
            high = high.min(at);
        } else {
            low = low.max(at);
        }
        if low > high {
            return None;
        }
    }
    let at = match wanted {
        Wanted::Near(point) => plane.along.dot(point - plane.point).clamp(low, high),
        Wanted::Towards(direction) if direction.dot(plane.along) > 0.0 => high,
        Wanted::Towards(_) => low,
    };
    Some(plane.point + plane.along * at)
}

fn least_forbidden(
    planes: &[HalfPlane],
    first: usize,
    most_mps: f64,
    velocity: &mut DVec2,
    spare: &mut Vec<HalfPlane>,
) {
    let mut depth = 0.0;
    for (index, plane) in planes.iter().enumerate().skip(first) {
        if plane.along.perp_dot(plane.point - *velocity) <= depth {
            continue;
        }
        // The lines on which this plane and another one are equally deep.
        spare.clear();
        for other in &planes[..index] {
            let cross = plane.along.perp_dot(other.along);
            let point = if cross.abs() > PARALLEL {
                plane.point + plane.along * (other.along.perp_dot(plane.point - other.point) / cross)
            } else if plane.along.dot(other.along) > 0.0 {
                continue;
            } else {
                (plane.point + other.point) * 0.5
            };
            if let Some(along) = (other.along - plane.along).try_normalize() {
                spare.push(HalfPlane { point, along });
            }
        }
        let inward = plane.along.perp();
        let mut found = inward * most_mps;
        // It fails by rounding only.
        if within_all(spare, most_mps, Wanted::Towards(inward), &mut found) == spare.len() {
            *velocity = found;
        }
        depth = plane.along.perp_dot(plane.point - *velocity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;
    use proptest::prelude::*;

    fn depth(planes: &[HalfPlane], velocity: DVec2) -> f64 {
        let depths = planes.iter().map(|plane| plane.along.perp_dot(plane.point - velocity));
        depths.fold(0.0, f64::max)
    }

    /// The best of many velocities: permitted and nearest to the preferred one, or the least forbidden.
    fn best_of_many(planes: &[HalfPlane], preferred: DVec2, most_mps: f64) -> DVec2 {
        let steps = -100..=100;
        let all = steps.clone().flat_map(|x| steps.clone().map(move |z| dvec2(f64::from(x), f64::from(z))));
        let all = all.map(|at| at * (most_mps / 100.0)).filter(|at| at.length() <= most_mps);
        let key = |at: &DVec2| (depth(planes, *at).max(1e-9), at.distance(preferred));
        all.min_by(|one, other| key(one).partial_cmp(&key(other)).unwrap()).unwrap()
    }

    fn plane() -> impl Strategy<Value = HalfPlane> {
        (0.0..std::f64::consts::TAU, -1.0..1.0).prop_map(|(angle, off): (f64, f64)| {
            let along = dvec2(libm::cos(angle), libm::sin(angle));
            HalfPlane { point: along.perp() * off, along }
        })
    }

    proptest! {
        #[test]
        fn no_other_velocity_is_better(
            planes in prop::collection::vec(plane(), 0..7),
            x in -1.4..1.4,
            z in -1.4..1.4,
        ) {
            let (preferred, most_mps) = (dvec2(x, z).clamp_length_max(1.4), 1.4);
            let found = nearest_permitted(&planes, preferred, most_mps, &mut Vec::new());
            let best = best_of_many(&planes, preferred, most_mps);
            prop_assert!(found.length() <= most_mps + 1e-9);
            prop_assert!(depth(&planes, found) <= depth(&planes, best) + 1e-6, "{found} is forbidden more than {best}");
            if depth(&planes, best) == 0.0 {
                prop_assert!(found.distance(preferred) <= best.distance(preferred) + 1e-6, "{best} is nearer");
            }
        }
    }

    #[test]
    fn two_that_take_their_halves_pass_each_other() {
        for (offset, their_velocity) in [
            (dvec2(3.0, 0.1), dvec2(-1.4, 0.0)),
            (dvec2(2.0, 2.0), dvec2(0.0, -1.4)),
            (dvec2(2.0, 0.3), dvec2(0.2, 0.0)),
            (dvec2(0.55, 0.0), dvec2(-0.5, 0.0)),
        ] {
            let own = dvec2(1.4, 0.0);
            let clear_m = 0.6;
            let mine = Encounter { offset, velocity: own - their_velocity, clear_m, share: 0.5 };
            let theirs = Encounter { offset: -offset, velocity: their_velocity - own, clear_m, share: 0.5 };
            let mut spare = Vec::new();
            let a = nearest_permitted(&[mine.half_plane(own, 1.5)], own, 2.0, &mut spare);
            let b =
                nearest_permitted(&[theirs.half_plane(their_velocity, 1.5)], their_velocity, 2.0, &mut spare);
            let nearest_m = (0..=150).map(|step| (offset + (b - a) * f64::from(step) * 0.01).length());
            let nearest_m = nearest_m.fold(f64::INFINITY, f64::min);
            assert!(nearest_m >= clear_m.min(offset.length()) - 1e-6, "{offset}: {nearest_m}");
        }
    }
}
