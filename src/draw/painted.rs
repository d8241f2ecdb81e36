//! What a painted room shows: its walkable pixels, and the outlines of what is painted on it.

use super::{Floor, Picture, Shape};
use crate::room::{GridCells, Hotspot, Pixels, Room};
use crate::space::Ground;
use glam::DVec2;
use std::sync::Arc;

/// A hotspot, as a picture shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
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

impl Spot {
    pub(super) fn of(hotspot: &Hotspot, pixel_m: f64) -> Self {
        let pixels = hotspot.painted.as_ref().map(|painted| painted.pixels.clone());
        let (name, polygon) = (hotspot.name.clone(), hotspot.polygon.clone());
        Self { name, polygon, at: hotspot.spot, pixels, pixel_m }
    }
}

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

impl Graph {
    /// The edges of a ground whose nodes are not its cells.
    pub fn of(ground: &Ground) -> Self {
        let (mut along, mut down, mut across) = (Vec::new(), Vec::new(), Vec::new());
        for (from, to) in ground.edges() {
            match (from.x == to.x, from.y == to.y) {
                (true, _) => down.push([from, to]),
                (_, true) => along.push([from, to]),
                _ => across.push([from, to]),
            }
        }
        down.sort_by(|[a, _], [b, _]| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let mut lines: Vec<[DVec2; 2]> = Vec::new();
        for (is_along, edges) in [(true, along), (false, down)] {
            for [from, to] in edges {
                let goes_on = |[_, end]: &&mut [DVec2; 2]| *end == from;
                let begins = lines.last().is_none_or(|[a, b]| (a.y == b.y) != is_along);
                match lines.last_mut().filter(goes_on).filter(|_| !begins) {
                    Some([_, end]) => *end = to,
                    None => lines.push([from, to]),
                }
            }
        }
        lines.extend(across);
        Self { lines }
    }
}
