//! What a painted room shows: its walkable pixels, and the outlines of what is painted on it.

use super::cells::outlines;
use super::{Floor, Picture, Shape};
use crate::room::{GridCells, Hotspot, Pixels, Room};
use crate::space::Ground;
use glam::DVec2;
use std::sync::Arc;

/// The edges between the nodes of a painted room.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// Where each edge begins and ends, metres; edges in one line that follow each other are one.
    pub lines: Vec<[DVec2; 2]>,
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
pub(super) fn floor_of(ground: &Ground) -> Floor {
    let frame = ground.frame();
    let cells = GridCells::from_words(frame.min, frame.width, frame.depth, ground.words().to_vec());
    Floor { cells: Arc::new(cells), size_m: frame.cell_size_m }
}

/// The outlines of some pixels, the largest first; holes are outlines, too.
pub(super) fn outlines_of(pixels: &Pixels, pixel_m: f64) -> Vec<Vec<DVec2>> {
    let (columns, rows) = (pixels.columns(), pixels.rows());
    let (left, top) = (columns.start, rows.start);
    let is_one = |x: u32, z: u32| pixels.contains(left + x, top + z);
    let place = |[x, z]: [u32; 2]| DVec2::new(f64::from(left + x), f64::from(top + z)) * pixel_m;
    let mut found: Vec<Vec<DVec2>> = outlines(columns.end - left, rows.end - top, is_one)
        .into_iter()
        .map(|corners| corners.into_iter().map(place).collect())
        .collect();
    let size = |polygon: &Vec<DVec2>| {
        let next = polygon.iter().cycle().skip(1);
        polygon.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f64>().abs()
    };
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    found
}

/// The outlines of a hotspot.
pub(super) fn outlines_of_hotspot(hotspot: &Hotspot, pixel_m: f64) -> Vec<Vec<DVec2>> {
    match &hotspot.painted {
        Some(painted) => outlines_of(&painted.pixels, pixel_m),
        None => vec![hotspot.polygon.clone()],
    }
}

impl Graph {
    /// The edges of a ground whose nodes are not its cells.
    pub fn of(ground: &Ground) -> Self {
        let mut graph = Self::default();
        for (from, to) in ground.edges() {
            // Edges come row by row, so one that goes on follows at once, unless it is vertical.
            match graph.lines.last_mut() {
                Some([begin, end]) if *end == from && begin.y == end.y && to.y == end.y => *end = to,
                _ => graph.lines.push([from, to]),
            }
        }
        graph
    }
}
