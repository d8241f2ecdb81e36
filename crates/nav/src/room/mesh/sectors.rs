//! Sectors: the ground of a level as it was flooded.

use crate::room::Fingerprint;
use glam::DVec3;

/// How a level is flooded to find its sectors. The flood begins at the start points.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FloodSettings {
    /// Places on the floor, x, y (up) and z in metres. The first one is in the middle of a box.
    pub starts: Vec<DVec3>,
    /// The side of a box, in metres.
    pub box_size_m: f64,
    /// The headroom of characters that crouch, in metres. `None`: nobody crouches.
    pub crouch_height_m: Option<f64>,
    /// The steepest slope, in degrees. `None`: the upward part of its unit normal is above 0.71 (44.8 degrees).
    pub slope_deg: Option<f64>,
    /// Sectors of fewer boxes are left out.
    pub min_sector_boxes: usize,
    /// Narrower openings are closed, in metres.
    pub min_portal_width_m: f64,
}

impl Default for FloodSettings {
    fn default() -> Self {
        Self {
            starts: Vec::new(),
            box_size_m: 0.5,
            crouch_height_m: None,
            slope_deg: None,
            min_sector_boxes: 1,
            min_portal_width_m: 0.75,
        }
    }
}

impl FloodSettings {
    /// Adds the settings to the fingerprint of a level.
    pub(super) fn add_to(&self, fingerprint: &mut Fingerprint) {
        let Self { starts, box_size_m, crouch_height_m, slope_deg, min_sector_boxes, min_portal_width_m } =
            self;
        let none = f64::NEG_INFINITY;
        let numbers =
            [*box_size_m, crouch_height_m.unwrap_or(none), slope_deg.unwrap_or(none), *min_portal_width_m];
        fingerprint.add(&(*min_sector_boxes as u64).to_le_bytes());
        let parts = starts.iter().flat_map(|start| start.to_array()).chain(numbers);
        parts.for_each(|number| fingerprint.add(&number.to_bits().to_le_bytes()));
    }
}

/// The sectors of a level and the portals between them. Ground keeps the radius of characters from their borders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sectors {
    /// The side of the boxes, in metres.
    pub box_size_m: f64,
    /// No two overlap.
    pub sectors: Vec<SectorBox>,
    /// Stretches of the sides of sectors that lead to others. Those both ways are there once.
    pub portals: Vec<SectorPortal>,
}

/// A sector: a rectangle of boxes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectorBox {
    /// Its smallest corner, at the height of its lowest ground, in metres.
    pub min: DVec3,
    /// Its largest corner, at the height of its highest ground, in metres.
    pub max: DVec3,
    /// The number of its boxes.
    pub boxes: usize,
    /// Whether characters have to crouch in it.
    pub is_low: bool,
}

/// A stretch where one walks from one sector to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectorPortal {
    /// The number of the sector on one side.
    pub from: u32,
    /// The number of the sector on the other side.
    pub to: u32,
    /// Both ends, at the height of `from`, in metres.
    pub ends: [DVec3; 2],
    /// Whether it leads down a drop, from `from` to `to` only.
    pub one_way: bool,
}
