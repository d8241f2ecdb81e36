//! String pulling: the shortest path through a corridor of polygons, by the funnel algorithm (Lee and Preparata, 1984;
//! Mononen, "Simple Stupid Funnel Algorithm", 2010).

use super::Polygons;
use glam::DVec2;

/// A side of the funnel: a point, and the index of the portal at whose end it lies.
type Side = (DVec2, usize);

/// The shortest path through polygons in this order: the points at which it turns, each with the polygon before the turn,
/// and its end. `portals` lead from each of the polygons to the next one: their left and right ends on the way.
pub(super) fn pull(
    mut portals: Vec<(DVec2, DVec2)>,
    corridor: &[u32],
    from: DVec2,
    to: DVec2,
) -> Vec<(u32, DVec2)> {
    portals.push((to, to));
    let mut path = Vec::new();
    let mut apex = from;
    let (mut left, mut right): (Side, Side) = ((from, 0), (from, 0));
    let mut index = 0;
    while let Some(&(next_left, next_right)) = portals.get(index) {
        let turned = |side: Side, next: DVec2| (side.0 - apex).perp_dot(next - apex);
        let mut turn_at = None;
        if turned(right, next_right) >= 0.0 {
            if apex == right.0 || turned(left, next_right) < 0.0 {
                right = (next_right, index);
            } else {
                turn_at = Some(left);
            }
        }
        if turn_at.is_none() && turned(left, next_left) <= 0.0 {
            if apex == left.0 || turned(right, next_left) > 0.0 {
                left = (next_left, index);
            } else {
                turn_at = Some(right);
            }
        }
        index += 1;
        if let Some((corner, portal)) = turn_at {
            path.push((corridor[portal], corner));
            (apex, left, right) = (corner, (corner, portal), (corner, portal));
            index = portal + 1;
        }
    }
    path.extend(corridor.last().map(|&last| (last, to)));
    path.dedup_by_key(|(_, at)| *at);
    path
}

impl Polygons {
    /// The shortest path through these polygons in this order: the points at which it turns, each with the polygon
    /// before the turn, and its end. `None` if two polygons that follow each other are not joined by a portal. Of several
    /// portals between two polygons the first one is taken, as in Detour.
    pub fn pull(&self, corridor: &[u32], from: DVec2, to: DVec2) -> Option<Vec<(u32, DVec2)>> {
        let portals = corridor.windows(2).map(|pair| self.portal(pair[0], pair[1]));
        let portals: Vec<(DVec2, DVec2)> = portals.collect::<Option<_>>()?;
        (!corridor.is_empty()).then(|| pull(portals, corridor, from, to))
    }

    /// Whether a portal leads from a polygon to another one.
    #[cfg(test)]
    pub(super) fn portal_between(&self, from: u32, to: u32) -> bool {
        self.portal(from, to).is_some()
    }

    /// Whether one portal, and no other, leads from each polygon to the next one: then polygons say all about a path.
    pub(super) fn is_plain(&self, corridor: &[u32]) -> bool {
        corridor.windows(2).all(|pair| {
            self.edges(pair[0]).iter().filter(|edge| edge.neighbour() == Some(pair[1])).count() == 1
        })
    }

    /// The left and the right end of the first portal from a polygon to another one, as seen when walking through it.
    fn portal(&self, from: u32, to: u32) -> Option<(DVec2, DVec2)> {
        let (_, right, left) = self.segments(from).find(|(edge, ..)| edge.neighbour() == Some(to))?;
        Some((left, right))
    }
}
