//! The field: the cells that paths are searched over by jumps. It has eight directions or four. A plain grid is its
//! own field.

use super::components::Components;
use super::raster::Raster;
use super::{Grid, Node};

/// A grid is crowded if more than one in this many cells is a jump point.
const CROWDED: u64 = 8;

/// The cells of a field, and its connected components.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) cells: &'a Raster,
    /// The cells with rows and columns swapped.
    pub(super) transposed: &'a Raster,
    pub(super) components: Option<&'a Components>,
    /// Whether there are four directions. Then nodes are [`STRIDE`] cells apart; with eight, each cell is a node.
    pub(super) four: bool,
}

/// Cells from a node to the next in a field with four directions. The cell between two nodes stands for their edge.
pub(crate) const STRIDE: u32 = 2;

impl Field<'_> {
    /// Cells from a node to the next.
    pub(super) fn stride(&self) -> u32 {
        if self.four { STRIDE } else { 1 }
    }
}

impl Grid {
    /// The field that paths are searched over. It has no components if [`Grid::has_field`] is false; then nothing is
    /// searched over it.
    pub(super) fn field(&self) -> Field<'_> {
        match self.lattice.as_ref().and_then(|lattice| lattice.edges()) {
            Some(edges) => edges.field(),
            None => Field {
                cells: &self.walkable,
                transposed: &self.transposed,
                components: self.components.as_ref(),
                four: false,
            },
        }
    }

    /// Whether jump point search works on this ground. False for nodes with eight sampled neighbours, because each of
    /// their edges is sampled separately, and for nodes that are not equally far apart.
    pub(crate) fn has_field(&self) -> bool {
        self.field().components.is_some() && self.lattice.as_ref().is_none_or(|lattice| lattice.is_even())
    }

    /// Cells of the field from a node to the next.
    pub(crate) fn field_stride(&self) -> u32 {
        self.field().stride()
    }

    /// Whether the field has four directions instead of eight.
    pub(crate) fn has_four_directions(&self) -> bool {
        self.field().four
    }

    /// Columns and rows of the field.
    pub(crate) fn field_size(&self) -> (u32, u32) {
        let cells = self.field().cells;
        (cells.width(), cells.depth())
    }

    /// Whether the field has this cell. The coordinates may lie outside the field.
    pub(crate) fn field_holds(&self, (x, z): (u32, u32)) -> bool {
        let cells = self.field().cells;
        x < cells.width() && z < cells.depth() && cells.get(x, z)
    }

    /// The cell of a node in the field.
    pub(crate) fn field_cell(&self, node: Node) -> (u32, u32) {
        let ((x, z), stride) = (self.column_and_row(node), self.field_stride());
        (x * stride, z * stride)
    }

    /// The node of a cell of the field.
    pub(crate) fn field_node(&self, (x, z): (u32, u32)) -> Node {
        let stride = self.field_stride();
        self.node_in(x / stride, z / stride)
    }

    /// Whether a large share of cells are jump points. Then caching jumps does not pay, because few of them are used
    /// twice. The answer depends on the cells alone.
    pub(crate) fn is_crowded(&self) -> bool {
        self.nodes_are_cells() && self.corners * CROWDED > self.frame.len() as u64
    }

    /// All nodes of a path that is straight or diagonal between the given nodes.
    pub(crate) fn nodes_between(&self, turns: &[Node]) -> Vec<Node> {
        let mut nodes = Vec::from_iter(turns.first().copied());
        let width = i64::from(self.node_size().0);
        for pair in turns.windows(2) {
            let ((x, z), (to_x, to_z)) = (self.column_and_row(pair[0]), self.column_and_row(pair[1]));
            let steps = i64::from(x.abs_diff(to_x).max(z.abs_diff(to_z)));
            let row = width * i64::from((to_z > z) as i8 - (to_z < z) as i8);
            let step = row + i64::from((to_x > x) as i8 - (to_x < x) as i8);
            nodes.extend((1..=steps).map(|steps| Node((i64::from(pair[0].0) + step * steps) as u32)));
        }
        nodes
    }
}
