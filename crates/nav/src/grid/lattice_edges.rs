//! A lattice whose nodes have four neighbours, as a field twice as wide and deep. So paths over it are searched by
//! jumps, as over any grid.
//!
//! Nodes are the cells of even column and row. Two joined nodes have a cell for their edge between them. The cell
//! between four nodes is walkable if all four edges exist; then both orders of the two steps are allowed, as on a
//! plain grid.

use super::components::Components;
use super::field::{Field, STRIDE};
use super::frame::CellRect;
use super::raster::Raster;
use super::{Grid, Node, Overlay};
use crate::nav::Disc;
use glam::I64Vec2;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct LatticeEdges {
    cells: Raster,
    transposed: Raster,
    components: Components,
}

impl LatticeEdges {
    /// The field for this many nodes, none of which exists yet.
    pub(super) fn new(columns: u32, rows: u32) -> Self {
        let size = |nodes: u32| (STRIDE * nodes).saturating_sub(1);
        let (width, depth) = (size(columns), size(rows));
        let (cells, transposed) = (Raster::new(width, depth), Raster::new(depth, width));
        Self { cells, transposed, components: Components::new(width, depth) }
    }

    pub(super) fn field(&self) -> Field<'_> {
        let Self { cells, transposed, components } = self;
        Field { cells, transposed, components: Some(components), four: true }
    }

    /// Takes over changed columns and rows of nodes: which nodes exist, and which are joined with the next node to
    /// the east and south. Returns the cells that may have changed.
    pub(super) fn update(
        &mut self,
        nodes: &Raster,
        (east, south): (&Raster, &Raster),
        columns: Range<u32>,
        rows: Range<u32>,
    ) -> CellRect {
        let around = |nodes: &Range<u32>, end: u32| {
            (STRIDE * nodes.start).saturating_sub(1)..(STRIDE * nodes.end).min(end)
        };
        let (width, depth) = (self.cells.width(), self.cells.depth());
        let (columns, rows) = (around(&columns, width), around(&rows, depth));
        let mut closed = false;
        for z in rows.clone() {
            for x in columns.clone() {
                let (node_x, node_z) = (x / STRIDE, z / STRIDE);
                let on = match (x % STRIDE, z % STRIDE) {
                    (0, 0) => nodes.get(node_x, node_z),
                    (1, 0) => east.get(node_x, node_z),
                    (0, _) => south.get(node_x, node_z),
                    _ => {
                        let both = |bits: &Raster, dx: u32, dz: u32| {
                            bits.get(node_x, node_z) && bits.get(node_x + dx, node_z + dz)
                        };
                        both(east, 0, 1) && both(south, 1, 0)
                    }
                };
                closed |= !on && self.cells.get(x, z);
                self.cells.set(x, z, on);
            }
        }
        self.transposed.transpose_from(&self.cells, rows.clone(), columns.clone());
        let corner = |x: u32, z: u32| I64Vec2::new(i64::from(x), i64::from(z));
        let rect = CellRect { min: corner(columns.start, rows.start), max: corner(columns.end, rows.end) };
        if !rect.is_empty() {
            self.components.update(&self.cells, &self.transposed, rect, closed);
        }
        rect
    }
}

impl Grid {
    /// Calls `cover` for the cells of the field that an overlay covers. On a plain grid these are nodes; elsewhere
    /// they are also edges, and the cells beside these. Edges out of the start stay free even if the start is covered.
    pub(super) fn for_each_covered(
        &self,
        overlay: &Overlay,
        start: Node,
        mut cover: impl FnMut((u32, u32), bool),
    ) {
        if self.nodes_are_cells() {
            return overlay.nodes.iter().for_each(|&node| cover(self.column_and_row(node), true));
        }
        let (width, depth) = self.field_size();
        let mut cover = |(x, z): (i64, i64), on: bool| {
            if (0..i64::from(width)).contains(&x) && (0..i64::from(depth)).contains(&z) {
                cover((x as u32, z as u32), on);
            }
        };
        let at = |node: I64Vec2| (i64::from(STRIDE) * node.x, i64::from(STRIDE) * node.y);
        for &node in &overlay.nodes {
            let (x, z) = at(self.coords_of(node));
            (-1..=1).for_each(|dz| (-1..=1).for_each(|dx| cover((x + dx, z + dz), true)));
        }
        for disc in &overlay.discs {
            self.for_each_edge_under(disc, |one, other| {
                let ((x, z), (to_x, to_z)) = (at(one), at(other));
                // The edge itself, and the cells beside it.
                let (along_x, along_z) = (to_x - x, to_z - z);
                let (x, z) = (x.midpoint(to_x), z.midpoint(to_z));
                (-1..=1).for_each(|side| cover((x + side * along_z / 2, z + side * along_x / 2), true));
            });
        }
        if overlay.covers(start) {
            self.for_each_edge(start, overlay, |to, _| {
                let ((x, z), (to_x, to_z)) = (at(self.coords_of(start)), at(self.coords_of(to)));
                cover((x.midpoint(to_x), z.midpoint(to_z)), false);
            });
        }
    }

    /// Calls `edge` for the edges that a disc crosses without covering one of their ends, from node to node. It may
    /// also be called for other edges near the disc.
    fn for_each_edge_under(&self, disc: &Disc, mut edge: impl FnMut(I64Vec2, I64Vec2)) {
        let (width, depth) = self.node_size();
        let last = I64Vec2::new(i64::from(width), i64::from(depth)) - 1;
        let low = (self.coords_at(disc.centre.at - disc.radius_m) - 1).clamp(I64Vec2::ZERO, last);
        let high = (self.coords_at(disc.centre.at + disc.radius_m) + 2).clamp(I64Vec2::ZERO, last);
        for z in low.y..=high.y {
            for x in low.x..=high.x {
                let one = I64Vec2::new(x, z);
                for other in [one + I64Vec2::X, one + I64Vec2::Y] {
                    if other.cmple(last).all() {
                        let (from, to) = (self.centre(self.node_of(one)), self.centre(self.node_of(other)));
                        if !disc.lets_pass(from, to) {
                            edge(one, other);
                        }
                    }
                }
            }
        }
    }
}
