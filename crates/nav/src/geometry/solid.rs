//! Solids of any shape: convex ones, and closed meshes of triangles.

use super::body::Body;
use super::{Hull, HullFault, MeshFault, Prism};
use glam::DVec3;
use std::sync::Arc;

/// The shape of a solid. z is up.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SolidShape {
    /// A box along the axes: its lowest and its highest corner.
    Box([DVec3; 2]),
    /// The convex hull of these corners.
    Points(Vec<DVec3>),
    /// What is behind all of these planes: a normal that points outwards, and the distance from the origin along it, if
    /// the normal is of length 1.
    Planes(Vec<(DVec3, f64)>),
    /// What a closed mesh encloses. It need not be convex.
    Mesh(Arc<TriangleMesh>),
}

/// Triangles between points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriangleMesh {
    /// x, y and z.
    pub points: Vec<DVec3>,
    /// The numbers of their corners, counter-clockwise seen from outside: (b - a) × (c - a) points outwards.
    pub triangles: Vec<[u32; 3]>,
}

/// A solid.
#[derive(Debug, Clone)]
pub(crate) enum Solid {
    Hull(Hull),
    Body(Body),
}

/// Why a shape is no solid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SolidFault {
    Hull(HullFault),
    Mesh(MeshFault),
}

/// Heights of a prism that a solid fills, at least in part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Filled {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Whether its top is level, and reaches from side to side. May be `false` where it is.
    pub(crate) is_level: bool,
}

impl TriangleMesh {
    /// Its lowest and its highest coordinates. `None` without points.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let first = *self.points.first()?;
        let wider = |[min, max]: [DVec3; 2], at: &DVec3| [min.min(*at), max.max(*at)];
        Some(self.points.iter().fold([first; 2], wider))
    }
}

impl SolidShape {
    /// The same shape somewhere else.
    #[must_use]
    pub fn moved(&self, by: DVec3) -> Self {
        match self {
            Self::Box(corners) => Self::Box(corners.map(|at| at + by)),
            Self::Points(points) => Self::Points(points.iter().map(|at| *at + by).collect()),
            Self::Planes(planes) => {
                Self::Planes(planes.iter().map(|&(normal, d)| (normal, d + normal.dot(by))).collect())
            }
            Self::Mesh(mesh) => {
                let points = mesh.points.iter().map(|at| *at + by).collect();
                Self::Mesh(Arc::new(TriangleMesh { points, triangles: mesh.triangles.clone() }))
            }
        }
    }
}

impl Solid {
    /// The solid of a shape.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn new(shape: &SolidShape) -> Result<Self, SolidFault> {
        let hull = match shape {
            SolidShape::Box([min, max]) => Hull::of_box(*min, *max),
            SolidShape::Points(points) => Hull::of_points(points),
            SolidShape::Planes(planes) => Hull::of_planes(planes),
            SolidShape::Mesh(mesh) => return Body::new(mesh).map(Self::Body).map_err(SolidFault::Mesh),
        };
        hull.map(Self::Hull).map_err(SolidFault::Hull)
    }

    /// The solid of a shape, or the box around it if that is a mesh, which then need not be closed.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn around(shape: &SolidShape) -> Result<Self, SolidFault> {
        match shape {
            SolidShape::Mesh(mesh) => {
                let bounds = mesh.bounds().ok_or(HullFault::Flat);
                let hull = bounds.and_then(|[min, max]| Hull::of_box(min, max));
                hull.map(Self::Hull).map_err(SolidFault::Hull)
            }
            _ => Self::new(shape),
        }
    }

    /// Its lowest and its highest coordinates.
    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        match self {
            Self::Hull(hull) => [hull.min, hull.max],
            Self::Body(body) => [body.min, body.max],
        }
    }

    /// The heights that it fills of a prism, from below. What only touches does not count.
    pub(crate) fn fill(&self, prism: &Prism, mut take: impl FnMut(Filled)) {
        match self {
            Self::Hull(hull) => {
                if let Some([low, high]) = hull.heights_in(prism) {
                    take(Filled { low, high, is_level: hull.fills(prism) });
                }
            }
            Self::Body(body) => body.fill(prism, take),
        }
    }
}
