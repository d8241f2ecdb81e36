//! Checks that a mesh of triangles encloses a solid.

use super::TriangleMesh;
use super::body::Body;
use super::hull::TINY;
use glam::DVec3;

/// Why a mesh encloses no solid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeshFault {
    pub(crate) kind: MeshFaultKind,
    /// The triangle that it was found at.
    pub(crate) triangle: usize,
}

/// What is wrong with a mesh. Edges are given by their ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum MeshFaultKind {
    /// A triangle names a point that does not exist.
    NoPoint(u32),
    /// A coordinate is infinite, or no number.
    NotFinite,
    /// An edge has only one triangle. So many edges are at fault.
    Open([DVec3; 2], usize),
    /// An edge has so many triangles, more than two.
    Crowded([DVec3; 2], usize),
    /// Both triangles of an edge run along it in the same direction.
    Twisted([DVec3; 2]),
    /// A part of it has no volume.
    Flat,
    /// Its triangles are wound the wrong way round.
    InsideOut,
}

/// The triangles of a mesh that encloses a solid. Those with only two different corners are left out.
///
/// A mesh may have several parts. Where they overlap they count as one, and a part that is inside out is a cavity if it
/// lies in another one.
pub(super) fn closed(mesh: &TriangleMesh) -> Result<Vec<[u32; 3]>, MeshFault> {
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        let fault = |kind| Err(MeshFault { kind, triangle });
        for &corner in corners {
            match mesh.points.get(corner as usize) {
                None => return fault(MeshFaultKind::NoPoint(corner)),
                Some(at) if !at.is_finite() => return fault(MeshFaultKind::NotFinite),
                Some(_) => {}
            }
        }
    }
    if mesh.triangles.is_empty() {
        return Err(MeshFault { kind: MeshFaultKind::Flat, triangle: 0 });
    }
    // Parts that touch keep their own points. Files that split points along edges are joined by place.
    let by_number = Surface::new(mesh, mesh.triangles.clone());
    let surface = by_number.or_else(|_| Surface::new(mesh, joined(mesh)))?;
    surface.check_volumes()?;
    Ok(surface.triangles())
}

/// The triangles with the same number for all points at a place.
fn joined(mesh: &TriangleMesh) -> Vec<[u32; 3]> {
    // 0 and -0 are one place.
    let key = |index: u32| (mesh.points[index as usize] + 0.0).to_array().map(f64::to_bits);
    let mut order: Vec<u32> = (0..mesh.points.len() as u32).collect();
    order.sort_unstable_by_key(|&index| (key(index), index));
    let mut first_at = vec![0; order.len()];
    for run in order.chunk_by(|a, b| key(*a) == key(*b)) {
        run.iter().for_each(|&index| first_at[index as usize] = run[0]);
    }
    mesh.triangles.iter().map(|corners| corners.map(|corner| first_at[corner as usize])).collect()
}

/// One direction of an edge of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The numbers of its ends, the lower one first.
    ends: [u32; 2],
    /// Whether the triangle runs from the higher one to the lower one.
    is_back: bool,
    triangle: u32,
}

/// A mesh in which each edge has two triangles, one in each direction.
struct Surface<'a> {
    points: &'a [DVec3],
    triangles: Vec<[u32; 3]>,
    /// For each triangle, a triangle of the same part.
    part: Vec<u32>,
}

impl<'a> Surface<'a> {
    fn new(mesh: &'a TriangleMesh, triangles: Vec<[u32; 3]>) -> Result<Self, MeshFault> {
        let mut sides = Vec::with_capacity(3 * triangles.len());
        for (triangle, corners) in (0..).zip(&triangles) {
            if is_collapsed(corners) {
                continue;
            }
            for (i, &from) in corners.iter().enumerate() {
                let to = corners[(i + 1) % 3];
                sides.push(Side { ends: [from.min(to), from.max(to)], is_back: to < from, triangle });
            }
        }
        sides.sort_unstable();
        let (mut fault, mut open): (Option<MeshFault>, usize) = (None, 0);
        let mut part: Vec<u32> = (0..triangles.len() as u32).collect();
        for edge in sides.chunk_by(|a, b| a.ends == b.ends) {
            let ends = edge[0].ends.map(|end| mesh.points[end as usize]);
            let kind = match edge {
                [_] => MeshFaultKind::Open(ends, 0),
                [a, b] if a.is_back == b.is_back => MeshFaultKind::Twisted(ends),
                [a, b] => {
                    let [a, b] = [a, b].map(|side| root(&mut part, side.triangle));
                    part[a.max(b) as usize] = a.min(b);
                    continue;
                }
                more => MeshFaultKind::Crowded(ends, more.len()),
            };
            open += usize::from(edge.len() == 1);
            let triangle = edge.iter().map(|side| side.triangle as usize).min().unwrap_or(0);
            if fault.as_ref().is_none_or(|first| triangle < first.triangle) {
                fault = Some(MeshFault { kind, triangle });
            }
        }
        match fault {
            Some(MeshFault { kind: MeshFaultKind::Open(ends, _), triangle }) => {
                Err(MeshFault { kind: MeshFaultKind::Open(ends, open), triangle })
            }
            Some(fault) => Err(fault),
            None => {
                for triangle in 0..part.len() as u32 {
                    part[triangle as usize] = root(&mut part, triangle);
                }
                Ok(Self { points: &mesh.points, triangles, part })
            }
        }
    }

    fn triangles(self) -> Vec<[u32; 3]> {
        self.triangles.into_iter().filter(|corners| !is_collapsed(corners)).collect()
    }

    /// No part is flat, and those that are inside out are cavities.
    fn check_volumes(&self) -> Result<(), MeshFault> {
        let (mut volumes, mut areas) = (vec![0.0; self.part.len()], vec![0.0; self.part.len()]);
        for (corners, &part) in self.triangles.iter().zip(&self.part) {
            // From a corner of the part: far from the origin, rounding would give a volume to what is flat.
            let origin = self.points[self.triangles[part as usize][0] as usize];
            let [a, b, c] = corners.map(|corner| self.points[corner as usize] - origin);
            volumes[part as usize] += a.dot(b.cross(c)) / 6.0;
            areas[part as usize] += (b - a).cross(c - a).length() / 2.0;
        }
        let parts = || (0..self.part.len()).filter(|&index| self.part[index] as usize == index);
        let solid_parts = || parts().filter(|&part| !is_collapsed(&self.triangles[part]));
        let of_part = |kind, triangle| Err(MeshFault { kind, triangle });
        if solid_parts().next().is_none() {
            return of_part(MeshFaultKind::Flat, 0);
        }
        for part in solid_parts() {
            if volumes[part].abs() <= TINY * areas[part] {
                return of_part(MeshFaultKind::Flat, part);
            }
        }
        let Some(first) = solid_parts().find(|&part| volumes[part] < 0.0) else { return Ok(()) };
        let is_outer = |part: u32| volumes[part as usize] > 0.0;
        let all = self.triangles.iter().zip(&self.part);
        let outer: Vec<[u32; 3]> = all.filter(|(_, part)| is_outer(**part)).map(|(all, _)| *all).collect();
        if outer.is_empty() {
            return of_part(MeshFaultKind::InsideOut, first);
        }
        let outer = Body::of(self.points, &outer);
        for (corners, &part) in self.triangles.iter().zip(&self.part) {
            let is_inner = volumes[part as usize] < 0.0;
            if is_inner && corners.iter().any(|&at| !outer.holds(self.points[at as usize])) {
                return of_part(MeshFaultKind::InsideOut, part as usize);
            }
        }
        Ok(())
    }
}

/// Whether a triangle has only two different corners.
fn is_collapsed([a, b, c]: &[u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// The representative of a part (union-find with path halving).
fn root(part: &mut [u32], mut of: u32) -> u32 {
    while part[of as usize] != of {
        part[of as usize] = part[part[of as usize] as usize];
        of = part[of as usize];
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Prism, Solid, SolidShape};
    use glam::DVec2;
    use std::sync::Arc;

    /// A tetrahedron at a place, `split` with points of its own for each triangle.
    fn tetrahedron(at: DVec3, split: bool) -> TriangleMesh {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|corner| at + corner * 8.0).to_vec();
        let triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        match split {
            false => TriangleMesh { points, triangles },
            true => TriangleMesh {
                points: triangles.iter().flatten().map(|&corner: &u32| points[corner as usize]).collect(),
                triangles: (0..4).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
            },
        }
    }

    fn joined_with(mut mesh: TriangleMesh, other: &TriangleMesh) -> TriangleMesh {
        let first = mesh.points.len() as u32;
        mesh.points.extend(&other.points);
        mesh.triangles.extend(other.triangles.iter().map(|corners| corners.map(|at| at + first)));
        mesh
    }

    fn fault(mesh: &TriangleMesh) -> Option<MeshFaultKind> {
        closed(mesh).err().map(|fault| fault.kind)
    }

    #[test]
    fn split_points_are_joined_by_place() {
        let mut mesh = tetrahedron(DVec3::ZERO, true);
        assert_eq!(fault(&mesh), None);
        mesh.points[0].x = -0.0;
        assert_eq!(fault(&mesh), None);
        mesh.points[0].x = 1e-9;
        assert!(matches!(fault(&mesh), Some(MeshFaultKind::Open(..))));
    }

    #[test]
    fn parts_with_points_of_their_own_may_touch() {
        let (a, b) = (tetrahedron(DVec3::ZERO, false), tetrahedron(DVec3::X * 8.0, false));
        assert_eq!(fault(&joined_with(a.clone(), &b)), None);
        // The same solid twice, with points split: four triangles at each edge.
        let split = tetrahedron(DVec3::ZERO, true);
        assert!(matches!(fault(&joined_with(split.clone(), &split)), Some(MeshFaultKind::Crowded(_, 4))));
        assert_eq!(fault(&joined_with(a.clone(), &a)), None);
    }

    #[test]
    fn flat_parts_far_away_are_flat() {
        let mut sheet = tetrahedron(DVec3::new(8000.0, 8000.0, 3.0), false);
        sheet.points[3] = DVec3::new(8002.0, 8001.0, 3.0);
        assert_eq!(fault(&joined_with(tetrahedron(DVec3::ZERO, false), &sheet)), Some(MeshFaultKind::Flat));
        assert_eq!(fault(&TriangleMesh::default()), Some(MeshFaultKind::Flat));
    }

    #[test]
    fn strange_numbers_do_no_harm() {
        for odd in [f64::NAN, f64::INFINITY] {
            let mut mesh = tetrahedron(DVec3::ZERO, false);
            mesh.points[1].y = odd;
            assert_eq!(fault(&mesh), Some(MeshFaultKind::NotFinite));
        }
        for far in [1e9, 1e150, 1e300, 1.7e308] {
            let mut mesh = tetrahedron(DVec3::ZERO, false);
            mesh.points[1].x = far;
            mesh.points[2].y = -far;
            let shape = SolidShape::Mesh(Arc::new(mesh));
            if let Ok(solid) = Solid::new(&shape) {
                solid.fill(&Prism::square(DVec2::new(2.0, 1.0), 2.0), |_| {});
            }
        }
    }
}
