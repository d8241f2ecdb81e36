//! The ground of a room: a grid of cells painted from areas and obstacles, or given by its file.

use super::Overlay;
use super::components::Components;
use super::frame::{CellRect, Frame};
use super::history::History;
use super::lattice::Lattice;
use super::layer::Layer;
use super::painter::{Changed, Painter};
use super::raster::Raster;
use crate::geometry::{border_distance, contains, rect_distance};
use crate::nav::{AreaId, Change, Disc, Position};
use crate::room::{GridCells, GroundSettings, Shortening, WhenOccupied};
use glam::{DVec2, I64Vec2};

/// Search node index, row-major: a cell, or a sampled pixel of a painted room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

/// Walkable ground on the XZ plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    pub(super) frame: Frame,
    pub(super) walkable: Raster,
    /// The cells, transposed: rows and columns swapped.
    pub(super) transposed: Raster,
    /// Number of walkable cells at which a path can turn round a corner (see [`Raster::corners`]).
    pub(super) corners: u64,
    /// The connected components, where nodes are cells.
    pub(super) components: Option<Components>,
    /// The nodes of a painted room. Without a lattice, every cell is a node.
    pub(super) lattice: Option<Lattice>,
    pub(super) painter: Painter,
    pub(super) settings: GroundSettings,
    pub(super) revision: u64,
    pub(super) history: History,
}

impl Grid {
    /// Opens or closes an area. Only its cells and their padding are touched. `None` if no cell changed.
    pub fn set_area_available(&mut self, area: AreaId, available: bool) -> Option<Change> {
        if self.painter.areas[area.0].available == available {
            return None;
        }
        self.painter.areas[area.0].available = available;
        let dirty = self.repaint(self.painter.toggle_rect(&self.frame, area.0));
        self.revision += u64::from(dirty.is_some());
        dirty
    }

    /// Restores the revision from before a change that was undone.
    pub fn set_revision(&mut self, revision: u64) {
        self.revision = revision;
    }

    /// The work of opening or closing an area, in words of 64 cells and rows of polygons.
    pub fn toggle_work(&self, area: AreaId) -> u64 {
        self.painter.toggle_work(&self.frame, area.0)
    }

    pub(super) fn repaint(&mut self, rect: CellRect) -> Option<Change> {
        let span = |from: i64, to: i64| from.max(0) as u32..to as u32;
        let (columns, rows) = (span(rect.min.x, rect.max.x), span(rect.min.y, rect.max.y));
        let beside = (span(rect.min.x - 1, rect.max.x + 1), span(rect.min.y - 1, rect.max.y + 1));
        let corners = |cells: &Raster| cells.corners(beside.0.clone(), beside.1.clone());
        let corners_before = corners(&self.walkable);
        let Changed { opened, closed } = self.painter.paint(&self.frame, &mut self.walkable, rect);
        if !opened && !closed {
            return None;
        }
        self.corners = self.corners + corners(&self.walkable) - corners_before;
        self.transposed.transpose_from(&self.walkable, rows, columns);
        if let Some(components) = &mut self.components {
            components.update(&self.walkable, &self.transposed, rect, closed);
        }
        let in_field = match &mut self.lattice {
            Some(lattice) => lattice.resample(&self.walkable, rect),
            None => rect,
        };
        self.history.note(in_field);
        // A node may appear or disappear through the cells beside it.
        let beside = self.lattice.as_ref().map_or(0, |lattice| i64::from(lattice.reach_px()));
        let corner = |cell: I64Vec2| self.frame.min + cell.as_dvec2() * self.frame.cell_size_m;
        let (min, max) = (corner(rect.min - beside), corner(rect.max + beside));
        Some(Change { min, max, opened, closed })
    }

    /// Counts the changes of walkable ground. Equal revisions of one ground mean equal bits.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// An id of the present state of the ground. It is unique in this process: no other ground and no other state of
    /// this ground has it.
    pub(crate) fn edition(&self) -> u64 {
        self.history.edition()
    }

    /// The rectangles of cells of the field that changed since the given edition: smallest column and row, and
    /// largest. `None` if they are not known.
    pub(crate) fn changes_since(
        &self,
        edition: u64,
    ) -> Option<impl Iterator<Item = ((u32, u32), (u32, u32))> + '_> {
        let corner = |cell: I64Vec2| (cell.x as u32, cell.y as u32);
        self.history.since(edition).map(move |changes| {
            changes.map(move |rect| (corner(rect.min), corner((rect.max - 1).max(I64Vec2::ZERO))))
        })
    }

    /// The position of the grid, for drawing.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The height of the floor, in metres: the same everywhere.
    pub fn height_m(&self, _: Position) -> f64 {
        self.settings.floor_y_m
    }

    /// The edge of a cell, in metres.
    pub fn resolution_m(&self) -> f64 {
        self.frame.cell_size_m
    }

    /// Number of cells touched by a full scan, including padding up to whole words.
    pub fn size(&self) -> usize {
        self.words().len() * 64
    }

    /// Calls `word` with all walkable bits, row by row.
    pub fn for_each_state_word(&self, word: impl FnMut(u64)) {
        self.words().iter().copied().for_each(word);
    }

    /// All walkable bits, for checksums and comparisons.
    pub fn words(&self) -> &[u64] {
        self.walkable.all()
    }

    /// The cells as they are now.
    pub fn to_cells(&self) -> GridCells {
        let Frame { min, width, depth, .. } = self.frame;
        GridCells::from_words(min, width, depth, self.words().to_vec())
    }

    /// The rectangle around all cells: smallest and largest coordinates, in metres.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        (self.frame.min, self.frame.max())
    }

    /// The walkable ground, in square metres.
    pub fn walkable_m2(&self) -> f64 {
        self.walkable_count() as f64 * self.frame.cell_size_m * self.frame.cell_size_m
    }

    /// Column and row of the walkable cell that holds a point.
    pub fn walkable_cell(&self, point: DVec2) -> Option<(u32, u32)> {
        let cell = self.frame.cell_at(point);
        self.cell_is_walkable(cell).then_some((cell.x as u32, cell.y as u32))
    }

    /// The number of walkable cells.
    pub fn walkable_count(&self) -> u64 {
        self.words().iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether a search avoids obstacles one by one, as its path meets them. Else it avoids all of them or none.
    pub fn avoids_singly(&self) -> bool {
        self.nodes_are_cells()
    }

    /// Whether nodes are sampled cells of a painted room, some cells apart. Else every walkable cell is a node.
    pub fn is_sampled(&self) -> bool {
        !self.nodes_are_cells()
    }

    /// The present cells as the text of a `.txt` room. It describes the same walkable cells. Paths are also the same,
    /// except in a painted room, whose nodes are not in the text.
    pub fn to_text_grid(&self) -> String {
        self.to_cells().to_text(&self.settings)
    }

    /// Whether a character's centre may be here.
    pub fn is_walkable(&self, point: DVec2) -> bool {
        self.cell_is_walkable(self.frame.cell_at(point))
    }

    /// The way paths over the ground are shortened.
    pub fn shortening(&self) -> Shortening {
        self.settings.shortening
    }

    /// The nodes covered by some discs: those whose centre lies in a disc, and the one that holds the disc's own
    /// centre.
    pub fn overlay<'a>(&self, discs: impl IntoIterator<Item = &'a Disc>) -> Overlay {
        let (mut nodes, mut apart) = (Vec::new(), Vec::new());
        for disc in discs {
            apart.extend((!self.nodes_are_cells()).then_some(*disc));
            self.for_each_under(disc, |node| nodes.push(node));
        }
        nodes.sort_unstable();
        nodes.dedup();
        Overlay { nodes, discs: apart }
    }

    /// Calls `under` for the nodes that a disc covers.
    pub(crate) fn for_each_under(&self, disc: &Disc, mut under: impl FnMut(Node)) {
        let (width, depth) = self.node_size();
        let end = I64Vec2::new(i64::from(width), i64::from(depth));
        let (own, is_cell) = (self.coords_at(disc.centre.at), self.nodes_are_cells());
        let (low, high) = (disc.centre.at - disc.radius_m, disc.centre.at + disc.radius_m);
        // Rounded down twice (point to pixel, pixel to node), so one extra column and row are included.
        let (min, max) = (self.coords_at(low), self.coords_at(high) + 2);
        let (min, max) = (min.clamp(I64Vec2::ZERO, end), max.clamp(I64Vec2::ZERO, end));
        for z in min.y..max.y {
            for x in min.x..max.x {
                let coords = I64Vec2::new(x, z);
                let node = self.node_of(coords);
                let centre = if is_cell { self.frame.centre(coords) } else { self.centre(node) };
                if disc.holds(centre) || is_cell && own == coords {
                    under(node);
                }
            }
        }
    }

    // ---- areas ----

    /// The number of named areas; every [`AreaId`] is smaller.
    pub fn area_count(&self) -> usize {
        self.painter.areas.len()
    }

    /// All areas in file order.
    pub fn areas(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..self.area_count()).map(AreaId)
    }

    /// The area with this name.
    pub fn area_named(&self, name: &str) -> Option<AreaId> {
        self.areas().find(|&area| self.area_name(area) == name)
    }

    /// An area's name.
    pub fn area_name(&self, area: AreaId) -> &str {
        &self.painter.areas[area.0].layer.name
    }

    /// Whether an area is open.
    pub fn area_available(&self, area: AreaId) -> bool {
        self.painter.areas[area.0].available
    }

    /// The treatment of characters inside when an area closes.
    pub fn area_when_occupied(&self, area: AreaId) -> WhenOccupied {
        self.painter.areas[area.0].when_occupied
    }

    /// Whether a point lies in an area's polygon, or on one of its pixels. The area may be open or closed.
    pub fn area_contains(&self, area: AreaId, point: DVec2) -> bool {
        let layer = &self.painter.areas[area.0].layer;
        let cell = self.frame.cell_at(point);
        layer.rect.near(cell)
            && match &layer.painted {
                Some(pixels) => self.frame.holds(cell) && pixels.contains(cell.x as u32, cell.y as u32),
                None => contains(&layer.polygon, point),
            }
    }

    /// A lower bound of the distance from a point of the grid to a place that lies in other areas, in metres.
    pub fn area_border_m(&self, point: DVec2) -> f64 {
        let at = |cell: I64Vec2| self.frame.min + cell.as_dvec2() * self.frame.cell_size_m;
        let mut least_m = f64::INFINITY;
        for Layer { rect, polygon, painted, .. } in self.painter.areas.iter().map(|area| &area.layer) {
            let away_m = rect_distance(point, at(rect.min), at(rect.max));
            if away_m < least_m {
                let border_m = match painted {
                    Some(_) => {
                        let cell = self.frame.cell_at(point);
                        (point - at(cell)).min(at(cell + 1) - point).min_element().max(away_m)
                    }
                    None => border_distance(polygon, point),
                };
                least_m = least_m.min(border_m);
            }
        }
        least_m
    }

    pub(super) fn cell_is_walkable(&self, cell: I64Vec2) -> bool {
        self.frame.holds(cell) && self.walkable.get(cell.x as u32, cell.y as u32)
    }
}

impl CellRect {
    /// Whether a cell lies in the rectangle or beside it: a quick rejection of most points.
    fn near(&self, cell: I64Vec2) -> bool {
        cell.cmpge(self.min - 1).all() && cell.cmple(self.max).all()
    }
}
