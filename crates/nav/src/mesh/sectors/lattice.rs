//! The lattice of boxes: where its columns are.

use super::settings::Settings;
use crate::mesh::raster::CellCutter;
use glam::{DVec2, DVec3};

/// Coordinates this near to a border of columns are on it, in boxes.
const ON_BORDER: f64 = 1e-6;

/// Columns of boxes. The first start point is in the middle of a box.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lattice {
    /// The corner of a box, and the column and row that begin there.
    corner: DVec2,
    at: [f64; 2],
    /// Heights are measured from here: the first start point.
    pub base_m: f64,
    pub box_size_m: f64,
    /// In boxes along x and z. There is an empty column on each side of the level.
    pub width: usize,
    pub depth: usize,
}

impl Lattice {
    /// The lattice over a level with these bounds.
    pub(super) fn new(settings: &Settings, start: DVec3, min: DVec3, max: DVec3) -> Self {
        Self::with_boxes(settings.box_size_m, start, min, max)
    }

    /// The lattice over a level with these bounds, with boxes of this size.
    pub(super) fn with_boxes(size_m: f64, start: DVec3, min: DVec3, max: DVec3) -> Self {
        let corner = DVec2::new(start.x, start.z) - size_m / 2.0;
        let before = |from: f64, least: f64| ((from - least) / size_m).ceil() + 1.0;
        let at = [before(corner.x, min.x), before(corner.y, min.z)];
        let count =
            |at: f64, from: f64, most: f64| (at + ((most - from) / size_m).floor() + 2.0).max(1.0) as usize;
        Self {
            corner,
            at,
            base_m: start.y,
            box_size_m: size_m,
            width: count(at[0], corner.x, max.x),
            depth: count(at[1], corner.y, max.z),
        }
    }

    /// The middle of the first box, at the base.
    pub(super) fn start(&self) -> DVec3 {
        let middle = self.corner + self.box_size_m / 2.0;
        DVec3::new(middle.x, self.base_m, middle.y)
    }

    pub(super) fn columns(&self) -> usize {
        self.width * self.depth
    }

    pub(super) fn column(&self, x: usize, z: usize) -> u32 {
        (x + z * self.width) as u32
    }

    /// The column and row of a column.
    pub(super) fn place(&self, column: u32) -> [usize; 2] {
        [column as usize % self.width, column as usize / self.width]
    }

    /// The column under a point. `None` outside.
    pub(super) fn column_at(&self, at: DVec3) -> Option<u32> {
        let [x, z] = self.in_boxes(at);
        let is_inside = (0.0..self.width as f64).contains(&x) && (0.0..self.depth as f64).contains(&z);
        is_inside.then(|| self.column(x as usize, z as usize))
    }

    fn in_boxes(&self, at: DVec3) -> [f64; 2] {
        let on = (DVec2::new(at.x, at.z) - self.corner) / self.box_size_m;
        [on.x + self.at[0], on.y + self.at[1]]
    }

    /// The point on the plane where a column and row begin, and `inside` further, in metres.
    pub(super) fn point(&self, [x, z]: [usize; 2], inside: [f64; 2]) -> DVec2 {
        let boxes = DVec2::new(x as f64 - self.at[0], z as f64 - self.at[1]);
        self.corner + boxes * self.box_size_m + DVec2::from(inside)
    }

    /// A triangle in boxes and metres above the base.
    pub(super) fn cutter(&self, corners: [DVec3; 3]) -> CellCutter {
        let corners = corners.map(|corner| {
            let on_border =
                |part: f64| if (part - part.round()).abs() < ON_BORDER { part.round() } else { part };
            let [x, z] = self.in_boxes(corner).map(on_border);
            DVec3::new(x, corner.y - self.base_m, z)
        });
        CellCutter { corners, width: self.width, depth: self.depth }
    }
}
