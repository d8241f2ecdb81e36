//! The points of joined polygons: one place on the plane for all corners that lie there, and one vertex for those of
//! them that have the same height.

use super::check::{LEVEL_M, SAME_M, on_plane};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

/// Corners at one place whose heights differ by less have one vertex, in metres.
const STEP_M: f64 = 2.0 * LEVEL_M;

/// Places on the plane and the vertices there, each once.
#[derive(Default)]
pub(super) struct Vertices {
    /// x, y (up) and z, in metres. Vertices at one place have the same x and z, bit for bit.
    pub points: Vec<DVec3>,
    places: Vec<DVec2>,
    /// The vertices by their place and their height, in steps of [`STEP_M`].
    by_height: BTreeMap<(u32, i64), Vec<u32>>,
    /// The numbers of places by the cell of a lattice.
    by_cell: BTreeMap<[i64; 2], Vec<u32>>,
}

/// A corner: its place and its vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Corner {
    pub place: u32,
    pub vertex: u32,
}

impl Vertices {
    /// The corner at a point: that of the first one that lies there.
    pub(super) fn corner(&mut self, at: DVec3) -> Corner {
        let place = self.place(on_plane(at));
        Corner { place, vertex: self.vertex(place, at.y) }
    }

    /// A place on the plane.
    pub(super) fn at(&self, place: u32) -> DVec2 {
        self.places[place as usize]
    }

    /// The number of a place: that of the first one within twice [`SAME_M`].
    pub(super) fn place(&mut self, at: DVec2) -> u32 {
        let cell = (at / (4.0 * SAME_M)).floor();
        for offset in 0..9 {
            let near = [cell.x + f64::from(offset % 3 - 1), cell.y + f64::from(offset / 3 - 1)];
            let known = self.by_cell.get(&near.map(|part| part as i64)).into_iter().flatten();
            let is_there = |place: &&u32| self.places[**place as usize].distance(at) <= 2.0 * SAME_M;
            if let Some(&place) = known.into_iter().find(is_there) {
                return place;
            }
        }
        let place = self.places.len() as u32;
        self.places.push(at);
        self.by_cell.entry([cell.x as i64, cell.y as i64]).or_default().push(place);
        place
    }

    /// The vertex at a place that has a height.
    pub(super) fn vertex(&mut self, place: u32, height_m: f64) -> u32 {
        let step = (height_m / STEP_M).floor() as i64;
        let near = (step.saturating_sub(1)..=step.saturating_add(1))
            .filter_map(|step| self.by_height.get(&(place, step)));
        let has_height = |vertex: &u32| (self.points[*vertex as usize].y - height_m).abs() <= STEP_M;
        if let Some(vertex) = near.flatten().copied().filter(has_height).min() {
            return vertex;
        }
        let vertex = self.points.len() as u32;
        let at = self.places[place as usize];
        self.points.push(DVec3::new(at.x, height_m, at.y));
        self.by_height.entry((place, step)).or_default().push(vertex);
        vertex
    }
}
