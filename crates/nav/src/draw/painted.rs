//! The shapes of a painted room: its walkable pixels, and the outlines of its painted things.

use super::{Floor, Picture, Shape};
use crate::grid::{CutOff, Grid, NodePlan};
use crate::room::{Hotspot, Pixels, Room};
use glam::DVec2;
use std::ops::Range;
use std::sync::Arc;

/// A hotspot in a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct HotspotView {
    /// Its name.
    pub name: String,
    /// Its corners, metres; for a painted one, those of its largest piece.
    pub polygon: Vec<DVec2>,
    /// A place on it, near its middle, metres.
    pub at: DVec2,
    /// Its pixels, if it is painted.
    pub pixels: Option<Arc<Pixels>>,
    /// The edge of a pixel, metres.
    pub pixel_m: f64,
}

impl HotspotView {
    pub(super) fn of(hotspot: &Hotspot, pixel_m: f64) -> Self {
        // One that was moved is not where its pixels are.
        let painted = hotspot.painted.as_ref().filter(|_| hotspot.moved_m == DVec2::ZERO);
        let pixels = painted.map(|painted| painted.pixels.clone());
        let (name, polygon) = (hotspot.name.clone(), hotspot.polygon.clone());
        Self { name, polygon, at: hotspot.spot, pixels, pixel_m }
    }
}

/// The search graph of a painted room: nodes and edges. Places are pixels of the mask: column and row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// The corner of the first pixel, metres.
    pub min: DVec2,
    /// The edge of a pixel, metres.
    pub pixel_m: f64,
    /// Pixels from a sample to the next.
    pub spacing_px: f64,
    /// Columns and rows of pixels.
    pub size: (u32, u32),
    /// The start and end of each edge, and whether it is cut off. Collinear edges that follow each other are joined.
    pub edges: Vec<([u32; 2], [u32; 2], bool)>,
    /// Every pixel that was sampled, row by row.
    pub samples: Vec<([u32; 2], Sample)>,
    /// The runs of walkable pixels that see no node: row and columns.
    pub unseen: Vec<(u32, Range<u32>)>,
    /// Whether the main part is that of the player, not the largest.
    pub from_player: bool,
}

/// The result of sampling a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// A node.
    Node,
    /// A node that no path joins with the main part.
    CutOff,
    /// Not a node: not walkable, or too near to the edge.
    Rejected,
}

impl Picture {
    /// Adds the picture behind the room, over all of its mask or its areas.
    pub(super) fn add_backdrop(&mut self, room: &Room) {
        let Some(picture) = room.background.clone() else { return };
        let corners = room.areas.iter().flat_map(|area| &area.polygon);
        let extent = corners.fold(None, |extent: Option<(DVec2, DVec2)>, &corner| {
            let (min, max) = extent.unwrap_or((corner, corner));
            Some((min.min(corner), max.max(corner)))
        });
        let extent = if room.mask.is_some() { Some(room.bounds()) } else { extent };
        if let Some((min, max)) = extent {
            self.add(Shape::Backdrop { picture, min, max });
        }
    }
}

/// The walkable pixels of a painted room as they are now.
pub(super) fn floor_of(grid: &Grid) -> Floor {
    Floor { cells: Arc::new(grid.to_cells()), size_m: grid.frame().cell_size_m }
}

impl Graph {
    /// The graph of a grid whose nodes are sampled.
    pub(super) fn of(grid: &Grid, cut_off: &CutOff) -> Self {
        let frame = grid.frame();
        let NodePlan { samples, edges, unseen } = grid.node_plan(cut_off);
        let sample = |(pixel, is_node, is_cut_off)| match (is_node, is_cut_off) {
            (false, _) => (pixel, Sample::Rejected),
            (true, true) => (pixel, Sample::CutOff),
            (true, false) => (pixel, Sample::Node),
        };
        Self {
            min: frame.min,
            pixel_m: frame.cell_size_m,
            spacing_px: grid.node_spacing_cells(),
            size: (frame.width, frame.depth),
            edges,
            samples: samples.into_iter().map(sample).collect(),
            unseen,
            from_player: cut_off.from_player,
        }
    }

    /// Whether there is a sample of this kind.
    pub(super) fn has(&self, kind: Sample) -> bool {
        self.samples.iter().any(|(_, sample)| *sample == kind)
    }
}
