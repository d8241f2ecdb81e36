//! The polygons along a path as a channel for curves.

use super::Mesh;
use crate::geometry::closest_on_segment;
use crate::nav::{CurveChannel, FloorId, Joint, Position, Sector};
use glam::DVec2;

/// How far a path may miss a portal that it goes through, in metres.
const MISS_M: f64 = 1e-6;

/// A place on a polyline: the index of its segment, and the share of the segment.
type Along = (usize, f64);

impl Mesh {
    /// The channel of a path from a position: wide sectors if there are some, else the polygons of the path.
    pub(crate) fn channel(
        &self,
        from: Position,
        waypoints: &[Position],
        floors: &[FloorId],
    ) -> Option<CurveChannel> {
        self.wide_channel(from, waypoints).or_else(|| self.channel_of_polygons(from, waypoints, floors))
    }

    /// The channel of a path from a position through these polygons. `None` if the position is on none of them, or if
    /// the path misses a portal.
    fn channel_of_polygons(
        &self,
        from: Position,
        waypoints: &[Position],
        floors: &[FloorId],
    ) -> Option<CurveChannel> {
        let here = self.polygon_of(from)?;
        let begins = floors.iter().rposition(|floor| floor.0 == here)?;
        let polygons: Vec<u32> = floors[begins..].iter().map(|floor| floor.0).collect();
        if !polygons.iter().all(|&polygon| polygon < self.polygon_count() && self.is_open(polygon)) {
            return None;
        }
        let line: Vec<DVec2> = std::iter::once(from.at).chain(waypoints.iter().map(|at| at.at)).collect();
        let mut along: Along = (0, 0.0);
        let mut channel = CurveChannel::default();
        let sector = |polygon: u32, turns: Vec<DVec2>| Sector {
            region: self.shape.polygons.corners(polygon).collect(),
            floor: FloorId(polygon),
            turns,
        };
        for pair in polygons.windows(2) {
            let portals = self.shape.polygons.segments(pair[0]);
            let portals = portals.filter(|(edge, ..)| edge.neighbour() == Some(pair[1]));
            let crossings = portals.filter_map(|(_, a, b)| Some((meets(&line, along, [a, b])?, [a, b])));
            let ((next, at), ends) =
                crossings.min_by(|((a, _), _), ((b, _), _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
            channel.sectors.push(sector(pair[0], turns(&line, along, next)));
            channel.joints.push(Joint { at, ends });
            along = next;
        }
        let end = (line.len().checked_sub(2)?, 1.0);
        channel.sectors.push(sector(*polygons.last()?, turns(&line, along, end)));
        Some(channel)
    }
}

/// Where a polyline first meets a portal, from a place on it on.
fn meets(line: &[DVec2], from: Along, [a, b]: [DVec2; 2]) -> Option<(Along, DVec2)> {
    let segments = line.windows(2).enumerate().skip(from.0);
    let mut found = segments.filter_map(|(index, pair)| {
        let (p, q) = (pair[0], pair[1]);
        let least = if index == from.0 { from.1 } else { 0.0 };
        let share = |point: DVec2| {
            let run = q - p;
            let length_sq = run.length_squared();
            if length_sq == 0.0 { 1.0 } else { (point - p).dot(run) / length_sq }
        };
        let turned = (q - p).perp_dot(b - a);
        let crossing = (turned != 0.0).then(|| p + (q - p) * ((a - p).perp_dot(b - a) / turned));
        let starts = p.lerp(q, least);
        [crossing, Some(starts), Some(a), Some(b)]
            .into_iter()
            .flatten()
            .filter(|point| point.is_finite())
            .filter_map(|point| {
                let on_line = share(point).clamp(least, 1.0);
                let at = closest_on_segment(p.lerp(q, on_line), a, b);
                (at.distance(p.lerp(q, on_line)) <= MISS_M).then_some(((index, on_line), at))
            })
            .min_by(|one, other| one.0.1.total_cmp(&other.0.1))
    });
    found.next()
}

/// The corners of a polyline between two places on it.
fn turns(line: &[DVec2], from: Along, to: Along) -> Vec<DVec2> {
    let point = |(index, share): Along| line[index].lerp(line[index + 1], share);
    let (begins, ends) = (point(from), point(to));
    let corners = line.get(from.0 + 1..=to.0).unwrap_or_default().iter().copied();
    corners.filter(|at| at.distance(begins) > 1e-9 && at.distance(ends) > 1e-9).collect()
}
