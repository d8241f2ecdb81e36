//! A lattice of nodes farther apart than cells: the nodes of a painted room, one every few pixels. The graph comes
//! from sampling every n pixels. Neighbours are joined if the line between them is walkable.

use super::frame::CellRect;
use super::lattice_edges::LatticeEdges;
use super::raster::Raster;
use crate::geometry::{Visit, traverse_cells};
use crate::room::Sampling;
use glam::{DVec2, I64Vec2};
use std::ops::Range;

/// The nodes that exist, and the nodes that are joined. It depends on the cells alone, not on how often they were
/// repainted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lattice {
    sampling: Sampling,
    /// The column of cells that each column of nodes stands on.
    columns: Vec<u32>,
    /// The row of cells that each row of nodes stands on.
    rows: Vec<u32>,
    nodes: Raster,
    /// Whether a node is joined with its east neighbour, its south neighbour, and the two diagonal neighbours to the
    /// south.
    east: Raster,
    south: Raster,
    south_east: Raster,
    south_west: Raster,
    /// Nodes, east and south as one field, if nodes have four neighbours.
    edges: Option<LatticeEdges>,
}

impl Lattice {
    /// The lattice over a grid of this size, without nodes yet. Nodes are placed at every multiple of the sample rate
    /// that falls inside the grid.
    pub(super) fn new(sampling: Sampling, width: u32, depth: u32) -> Self {
        let places = |end: u32| -> Vec<u32> {
            // The rate is at least 1, so there are at most as many nodes as cells.
            let place = |index: u32| (f64::from(index) * sampling.rate_px).floor();
            (0..end).map(place).take_while(|&at| at < f64::from(end)).map(|at| at as u32).collect()
        };
        let (columns, rows) = (places(width), places(depth));
        let bits = || Raster::new(columns.len() as u32, rows.len() as u32);
        let (nodes, east, south) = (bits(), bits(), bits());
        let diagonal = || if sampling.eight { bits() } else { Raster::new(0, 0) };
        let (south_east, south_west) = (diagonal(), diagonal());
        let edges = (!sampling.eight).then(|| LatticeEdges::new(columns.len() as u32, rows.len() as u32));
        Self { sampling, nodes, east, south, south_east, south_west, columns, rows, edges }
    }

    /// The field of nodes and edges, if nodes have four neighbours.
    pub(super) fn edges(&self) -> Option<&LatticeEdges> {
        self.edges.as_ref()
    }

    /// Columns and rows of nodes.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.columns.len() as u32, self.rows.len() as u32)
    }

    /// The sampling of the nodes.
    pub(super) fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// Whether all nodes are equally far apart: the sample rate is a whole number.
    pub(super) fn is_even(&self) -> bool {
        is_even(self.sampling)
    }

    /// The cell that a node of the lattice stands on.
    pub(super) fn cell_of(&self, node: I64Vec2) -> I64Vec2 {
        I64Vec2::new(i64::from(self.columns[node.x as usize]), i64::from(self.rows[node.y as usize]))
    }

    /// The column and row of the last node at or before a cell. They may lie outside.
    pub(super) fn coords_at(&self, cell: I64Vec2) -> I64Vec2 {
        (cell.as_dvec2() / self.sampling.rate_px).floor().as_i64vec2()
    }

    /// Whether a node exists here; outside there is none.
    pub(super) fn holds(&self, node: I64Vec2) -> bool {
        let (width, depth) = self.size();
        let inside = (0..i64::from(width)).contains(&node.x) && (0..i64::from(depth)).contains(&node.y);
        inside && self.nodes.get(node.x as u32, node.y as u32)
    }

    /// Whether there is any node at all.
    pub(super) fn has_nodes(&self) -> bool {
        self.nodes.all().iter().any(|&word| word != 0)
    }

    /// Calls `visit(to, diagonal)` for every node joined with this one, by ascending number.
    pub(super) fn for_each_edge(&self, node: I64Vec2, mut visit: impl FnMut(I64Vec2, bool)) {
        let (width, depth) = self.size();
        let (x, z) = (node.x as u32, node.y as u32);
        let eight = self.sampling.eight;
        let mut look = |bits: &Raster, x: u32, z: u32, to: (i64, i64)| {
            if bits.get(x, z) {
                visit(node + I64Vec2::from(to), to.0 != 0 && to.1 != 0);
            }
        };
        if z > 0 {
            if eight && x > 0 {
                look(&self.south_east, x - 1, z - 1, (-1, -1));
            }
            look(&self.south, x, z - 1, (0, -1));
            if eight && x + 1 < width {
                look(&self.south_west, x + 1, z - 1, (1, -1));
            }
        }
        if x > 0 {
            look(&self.east, x - 1, z, (-1, 0));
        }
        if x + 1 < width {
            look(&self.east, x, z, (1, 0));
        }
        if z + 1 < depth {
            if eight && x > 0 {
                look(&self.south_west, x, z, (-1, 1));
            }
            look(&self.south, x, z, (0, 1));
            if eight && x + 1 < width {
                look(&self.south_east, x, z, (1, 1));
            }
        }
    }

    /// Samples again the nodes and edges that the cells of `rect` can affect. Returns the cells of [`Lattice::edges`]
    /// that may have changed.
    pub(super) fn resample(&mut self, cells: &Raster, rect: CellRect) -> CellRect {
        if rect.is_empty() {
            return rect;
        }
        let reach = i64::from(self.reach_px());
        // From the last node before the rectangle to the first one after it: edges begin and end there.
        let touched = |places: &[u32], from: i64, to: i64| -> Range<u32> {
            let first = places.partition_point(|&at| i64::from(at) < from - reach).saturating_sub(1);
            let last = places.partition_point(|&at| i64::from(at) < to + reach) + 1;
            first as u32..last.min(places.len()) as u32
        };
        let columns = touched(&self.columns, rect.min.x, rect.max.x);
        let rows = touched(&self.rows, rect.min.y, rect.max.y);
        for z in rows.clone() {
            for x in columns.clone() {
                self.nodes.set(x, z, self.is_node(cells, x, z));
            }
        }
        let (width, depth) = self.size();
        for z in rows.clone() {
            for x in columns.clone() {
                let (more_x, more_z) = (x + 1 < width, z + 1 < depth);
                self.east.set(x, z, more_x && self.joined(cells, (x, z), (x + 1, z)));
                self.south.set(x, z, more_z && self.joined(cells, (x, z), (x, z + 1)));
                if self.sampling.eight {
                    let both = more_x && more_z;
                    self.south_east.set(x, z, both && self.joined(cells, (x, z), (x + 1, z + 1)));
                    let both = x > 0 && more_z;
                    self.south_west.set(x, z, both && self.joined(cells, (x, z), (x - 1, z + 1)));
                }
            }
        }
        let Self { nodes, east, south, edges, .. } = self;
        let edges = edges.as_mut().map(|edges| edges.update(nodes, (east, south), columns, rows));
        edges.unwrap_or(CellRect::of(None))
    }

    /// The largest distance, in pixels, from a node to the cells that must be walkable for it to exist.
    pub(super) fn reach_px(&self) -> u32 {
        if self.sampling.cover { (self.sampling.rate_px / 2.0).floor() as u32 } else { 0 }
    }

    fn is_node(&self, cells: &Raster, x: u32, z: u32) -> bool {
        let reach = self.reach_px();
        let around = |at: u32, end: u32| at.saturating_sub(reach)..(at + reach + 1).min(end);
        let columns = around(self.columns[x as usize], cells.width());
        around(self.rows[z as usize], cells.depth()).all(|row| cells.all_in(row, columns.clone()))
    }

    /// Whether both are nodes, and the straight line between them lies on walkable cells.
    fn joined(&self, cells: &Raster, (x, z): (u32, u32), (to_x, to_z): (u32, u32)) -> bool {
        if !(self.nodes.get(x, z) && self.nodes.get(to_x, to_z)) {
            return false;
        }
        let (from, to) = (
            (self.columns[x as usize], self.rows[z as usize]),
            (self.columns[to_x as usize], self.rows[to_z as usize]),
        );
        if from.1 == to.1 {
            return cells.all_in(from.1, from.0..to.0 + 1);
        }
        if from.0 == to.0 {
            return (from.1..=to.1).all(|row| cells.get(from.0, row));
        }
        let centre = |(x, z): (u32, u32)| DVec2::new(f64::from(x) + 0.5, f64::from(z) + 0.5);
        let free = |cell: I64Vec2| cells.get(cell.x as u32, cell.y as u32);
        traverse_cells(centre(from), centre(to), |visit| match visit {
            Visit::Cell(cell) => free(cell),
            Visit::Corner(one, other) => free(one) && free(other),
        })
    }
}

fn is_even(sampling: Sampling) -> bool {
    sampling.rate_px.fract() == 0.0
}
