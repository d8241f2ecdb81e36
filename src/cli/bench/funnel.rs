//! String pulling through a corridor of polygons: the funnel algorithm (Mononen, "Simple Stupid Funnel Algorithm", 2010;
//! Lee and Preparata, 1984). The product itself searches paths at any angle and needs none; this one compares its
//! polygons and portals with the corridors of Detour.

use cicerone::glam::DVec2;
use cicerone::internals::mesh::Polygons;

/// The length of the shortest path that goes through these polygons in this order, in metres. `None` if two that follow
/// each other are not joined by a portal.
pub(super) fn pulled_length_m(mesh: &Polygons, corridor: &[u32], from: DVec2, to: DVec2) -> Option<f64> {
    let mut portals: Vec<(DVec2, DVec2)> =
        corridor.windows(2).map(|pair| portal(mesh, pair[0], pair[1])).collect::<Option<_>>()?;
    portals.push((to, to));
    // The funnel: from its apex to the left and to the right, with the portals at which both sides lie.
    let (mut apex, mut length_m) = (from, 0.0);
    let (mut left, mut right) = ((from, 0), (from, 0));
    let mut index = 0;
    while let Some(&(next_left, next_right)) = portals.get(index) {
        let turns = |side: DVec2, next: DVec2| (side - apex).perp_dot(next - apex);
        let mut turn_at = None;
        if turns(right.0, next_right) >= 0.0 {
            if apex == right.0 || turns(left.0, next_right) < 0.0 {
                right = (next_right, index);
            } else {
                turn_at = Some(left);
            }
        }
        if turn_at.is_none() && turns(left.0, next_left) <= 0.0 {
            if apex == left.0 || turns(right.0, next_left) > 0.0 {
                left = (next_left, index);
            } else {
                turn_at = Some(right);
            }
        }
        index += 1;
        if let Some((corner, portal)) = turn_at {
            length_m += apex.distance(corner);
            apex = corner;
            (left, right) = ((corner, portal), (corner, portal));
            index = portal + 1;
        }
    }
    Some(length_m + apex.distance(to))
}

/// The left and the right end of the portal from a polygon to another one, seen by who walks through it.
fn portal(mesh: &Polygons, from: u32, to: u32) -> Option<(DVec2, DVec2)> {
    let edges = mesh.edges(from);
    let edge = edges.iter().position(|edge| edge.neighbour() == Some(to))?;
    let point = |edge: usize| mesh.vertices()[edges[edge % edges.len()].vertex() as usize];
    // Polygons are counter-clockwise, so the edge begins on the right.
    Some((point(edge + 1), point(edge)))
}
