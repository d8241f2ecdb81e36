//! The vertices at which shortest paths can turn.

use super::{NONE, Polygons};

/// Where shortest paths can turn at a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mesh) enum Corner {
    /// Nowhere.
    None,
    /// In the fan of open polygons round it. There is no other one.
    OfOneFan,
    /// In one of several fans that meet at the vertex only, or at a portal that leads one way.
    OfFans,
}

impl Polygons {
    /// Gives the corners of polygons that meet at a point one vertex, as far as two-way portals join them. Vertices
    /// are what searches know the shortest ways to: one that is reached below a ledge is not reached above it, and one
    /// that is reached on one side of a step is reached on the other. Without such portals nothing changes.
    pub(super) fn part_vertices(&mut self) {
        let two_way = |edge: u32| self.edges[edge as usize].twin().filter(|_| !self.is_one_way(edge));
        let all = 0..self.edges.len() as u32;
        let next = |edge: u32| self.edge_after(self.owners[edge as usize], edge);
        let has_steps = all.clone().any(|edge| {
            let ends_at = |twin: u32| self.edges[next(twin) as usize].vertex;
            self.is_one_way(edge)
                || two_way(edge).is_some_and(|twin| ends_at(twin) != self.edges[edge as usize].vertex)
        });
        if !has_steps {
            return;
        }
        let mut new = vec![NONE; self.edges.len()];
        let (mut points, mut waiting) = (Vec::new(), Vec::new());
        for first in all {
            if new[first as usize] != NONE {
                continue;
            }
            waiting.push(first);
            while let Some(edge) = waiting.pop() {
                if std::mem::replace(&mut new[edge as usize], points.len() as u32) != NONE {
                    continue;
                }
                // Round the point in both directions: over this edge, and over the one before it.
                let before = self.edge_before(self.owners[edge as usize], edge);
                let beside = [two_way(edge).map(next), two_way(before)];
                waiting.extend(beside.into_iter().flatten().filter(|&edge| new[edge as usize] == NONE));
            }
            points.push(self.edges[first as usize].at);
        }
        self.edges.iter_mut().zip(new).for_each(|(edge, vertex)| edge.vertex = vertex);
        self.vertices = points;
    }

    /// Finds the edges by which one arrives through portals that lead one way only.
    pub(super) fn find_landings(&mut self) {
        let all = 0..self.edges.len() as u32;
        let arrives = |edge: u32| self.edges[edge as usize].twin().filter(|_| self.is_one_way(edge));
        self.landings = all.filter_map(arrives).collect();
        self.landings.sort_unstable();
    }

    /// Where shortest paths can turn at a vertex: where open polygons round it, from one wall to the next, span more than
    /// half a turn. Closed polygons (for which `is_open` is false) are walls.
    pub(in crate::mesh) fn corner_at(&self, vertex: u32, is_open: impl Fn(u32) -> bool) -> Corner {
        let range = self.first_from[vertex as usize] as usize..self.first_from[vertex as usize + 1] as usize;
        let (mut fans, mut is_corner) = (0, false);
        for &edge in &self.from_vertices[range] {
            let polygon = self.owners[edge as usize];
            if !is_open(polygon) {
                continue;
            }
            let before = self.edge_before(polygon, edge);
            // A fan ends at a one-way portal on one of its sides only, so both ends may be corners.
            if [edge, before].into_iter().any(|edge| self.is_one_way(edge) || self.is_landing(edge)) {
                return Corner::OfFans;
            }
            if self.open_behind(before, &is_open).is_none() {
                fans += 1;
                is_corner = is_corner || self.fan_is_reflex(polygon, edge, &is_open);
            }
        }
        match (is_corner, fans) {
            (false, _) => Corner::None,
            (true, 1) => Corner::OfOneFan,
            (true, _) => Corner::OfFans,
        }
    }

    /// Whether one arrives by an edge that cannot be passed from this side.
    fn is_landing(&self, edge: u32) -> bool {
        self.landings.binary_search(&edge).is_ok()
    }

    /// The open polygon behind an edge.
    fn open_behind(&self, edge: u32, is_open: &impl Fn(u32) -> bool) -> Option<u32> {
        self.edges[edge as usize].neighbour().filter(|&neighbour| is_open(neighbour))
    }

    /// Whether the polygons round the vertex at which `edge` begins span more than half a turn, up to the next wall.
    /// The edge before `edge` is a wall.
    fn fan_is_reflex(&self, polygon: u32, edge: u32, is_open: &impl Fn(u32) -> bool) -> bool {
        let vertex = self.vertices[self.edges[edge as usize].vertex as usize];
        let wall = self.edges[self.edge_before(polygon, edge) as usize].vertex;
        let first = self.vertices[wall as usize] - vertex;
        let (mut polygon, mut edge) = (polygon, edge);
        let mut is_half_turn = false;
        // Clockwise round the vertex, from the wall on. Each polygon spans at most half a turn.
        for _ in 0..self.edges.len() {
            if is_half_turn {
                return true; // and this polygon spans more
            }
            let along = self.vertices[self.next_vertex(polygon, edge) as usize] - vertex;
            let (turned, tolerance) = (first.perp_dot(along), 1e-12 * first.length() * along.length());
            if turned > tolerance {
                return true;
            }
            is_half_turn = turned > -tolerance && first.dot(along) < 0.0;
            let here = self.edges[edge as usize];
            let Some(twin) = here.twin().filter(|_| is_open(here.neighbour)) else { return false };
            (polygon, edge) = (here.neighbour, twin);
            edge = self.edge_after(polygon, edge);
        }
        false
    }
}
