//! Which polygons are open, and where paths can turn because of that.

use super::blocks::BlockMarks;
use super::polygons::Corner;
use super::{Edge, Polygons};

/// For each polygon whether it is open, and for each vertex where shortest paths can turn there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Openness {
    open: Vec<bool>,
    corners: Vec<Corner>,
}

impl Openness {
    /// Polygons are open or closed as `is_open` says.
    pub fn new(polygons: &Polygons, is_open: impl Fn(u32) -> bool) -> Self {
        let open: Vec<bool> = (0..polygons.len() as u32).map(is_open).collect();
        let vertices = 0..polygons.vertices().len() as u32;
        let is_open = |polygon: u32| open[polygon as usize];
        let corners = vertices.map(|vertex| polygons.corner_at(vertex, is_open)).collect();
        Self { open, corners }
    }

    /// As if several fans met at all corners, where searches follow all ways of equal length.
    #[cfg(test)]
    pub(super) fn follow_all_ways(&mut self) {
        self.corners.iter_mut().filter(|corner| **corner != Corner::None).for_each(|it| *it = Corner::OfFans);
    }

    /// The same for lines only: no path turns anywhere.
    pub(super) fn without_corners(polygons: &Polygons, is_open: impl Fn(u32) -> bool) -> Self {
        Self { open: (0..polygons.len() as u32).map(is_open).collect(), corners: Vec::new() }
    }

    /// Whether a polygon is open.
    #[inline]
    pub fn is_open(&self, polygon: u32) -> bool {
        self.open[polygon as usize]
    }

    /// Opens or closes a polygon. Call [`Openness::turn_at`] for its vertices when all polygons are set.
    pub(super) fn set(&mut self, polygon: u32, is_open: bool) {
        self.open[polygon as usize] = is_open;
    }

    /// Finds again where paths can turn at a vertex.
    pub(super) fn turn_at(&mut self, polygons: &Polygons, vertex: u32) {
        let open = &self.open;
        self.corners[vertex as usize] = polygons.corner_at(vertex, |polygon| open[polygon as usize]);
    }
}

/// Portals that a search does not use, as edges of both sides, with their ends.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Barred {
    edges: Vec<u32>,
    ends: Vec<u32>,
}

impl Barred {
    /// Bars a portal in both directions.
    pub(super) fn bar(&mut self, polygons: &Polygons, edge: u32) {
        let twin = polygons.edge(edge).twin();
        for edge in [Some(edge), twin].into_iter().flatten() {
            if !self.edges.contains(&edge) {
                self.edges.push(edge);
                self.ends.push(polygons.edge(edge).vertex());
                let next = polygons.edge_after(polygons.owner(edge), edge);
                self.ends.push(polygons.edge(next).vertex());
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether an edge is barred.
    pub(super) fn holds(&self, edge: u32) -> bool {
        self.edges.contains(&edge)
    }
}

/// Polygons as a search finds them.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The polygons.
    pub polygons: &'a Polygons,
    openness: &'a Openness,
    barred: Option<&'a Barred>,
    /// Whether portals that lead one way only are walls.
    is_two_way: bool,
    /// Whether polygons may be open that never are in the running room, so that blocks say nothing.
    is_altered: bool,
}

impl<'a> View<'a> {
    /// The open polygons.
    pub fn new(polygons: &'a Polygons, openness: &'a Openness) -> Self {
        Self { polygons, openness, barred: None, is_two_way: false, is_altered: false }
    }

    /// The same view, where polygons may be open that never are in the running room.
    pub(super) fn altered(self, is_altered: bool) -> Self {
        Self { is_altered, ..self }
    }

    /// The same view without portals that lead one way only.
    pub(super) fn two_way(self) -> Self {
        Self { is_two_way: true, ..self }
    }

    /// The same view without some portals.
    pub(super) fn without(self, barred: &'a Barred) -> Self {
        Self { barred: Some(barred).filter(|barred| !barred.is_empty()), ..self }
    }

    /// The polygon behind an edge, and the same edge there. `None` if the edge cannot be passed.
    #[inline]
    pub(super) fn behind(self, edge: u32) -> Option<(u32, u32)> {
        self.behind_edge(self.polygons.edge(edge), || edge)
    }

    /// [`View::behind`] for an edge at hand. `index` tells its index.
    #[inline]
    pub(super) fn behind_edge(self, edge: Edge, index: impl Fn() -> u32) -> Option<(u32, u32)> {
        let (polygon, twin) = edge.neighbour().zip(edge.twin())?;
        let passes = self.openness.is_open(polygon)
            && self.barred.is_none_or(|barred| !barred.holds(index()))
            && !(self.is_two_way && self.polygons.is_one_way(index()));
        passes.then_some((polygon, twin))
    }

    /// Marks the blocks that a path between two polygons may cross.
    pub(super) fn mark_blocks(self, marks: &mut BlockMarks, one: u32, other: u32) {
        if self.is_altered {
            marks.mark_all();
        } else {
            marks.mark(&self.polygons.blocks, one, other);
        }
    }

    /// Whether a polygon is open.
    #[inline]
    pub(super) fn is_open(self, polygon: u32) -> bool {
        self.openness.is_open(polygon)
    }

    /// Where shortest paths can turn at a vertex.
    #[inline]
    pub(super) fn corner(self, vertex: u32) -> Corner {
        match self.barred {
            Some(barred) if barred.ends.contains(&vertex) => Corner::OfFans,
            _ => self.openness.corners[vertex as usize],
        }
    }
}
