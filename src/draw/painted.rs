//! What a painted room shows: its walkable pixels, and the outlines of what is painted on it.

use super::{Floor, Picture, Shape};
use crate::grid::{CutOff, Grid, NodePlan};
use crate::room::{Hotspot, Pixels, Room};
use glam::DVec2;
use std::ops::Range;
use std::sync::Arc;

/// A hotspot, as a picture shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct HotspotView {
    /// Its name.
    pub name: String,
    /// Its corners, metres; of a painted one, those of its largest piece.
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
        let pixels = hotspot.painted.as_ref().map(|painted| painted.pixels.clone());
        let (name, polygon) = (hotspot.name.clone(), hotspot.polygon.clone());
        Self { name, polygon, at: hotspot.spot, pixels, pixel_m }
    }
}

/// What a painted room is searched over: nodes and the edges between them. Places are pixels of the mask: column and row.
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
    /// Where each edge begins and ends, and whether it is cut off; edges in one line that follow each other are one.
    pub edges: Vec<([u32; 2], [u32; 2], bool)>,
    /// Every pixel that was sampled, row by row.
    pub samples: Vec<([u32; 2], Sample)>,
    /// The runs of walkable pixels that see no node: row and columns.
    pub unseen: Vec<(u32, Range<u32>)>,
    /// Whether what is cut off is cut off from the player, and not from the largest part.
    pub from_player: bool,
}

/// What became of a pixel that was sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// It is a node.
    Node,
    /// It is a node, but no way joins it with the main part.
    CutOff,
    /// It is none: not walkable, or too near to the edge.
    Rejected,
}

impl Picture {
    /// Adds the picture behind the room, over all of its mask, or over its areas.
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

    /// Whether there is a sample of a kind.
    pub(super) fn has(&self, kind: Sample) -> bool {
        self.samples.iter().any(|(_, sample)| *sample == kind)
    }
}
