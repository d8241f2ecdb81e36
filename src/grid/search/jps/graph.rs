//! The jump-point graph: jumps remembered from earlier searches. A room hardly changes between queries, except for a
//! door here and there. So the places where shortest paths turn, and the jumps between them, are remembered. The
//! graph fills in as searches need it (compare Harabor, Uras, Stuckey and Koenig, "Regarding Jump Point Search and
//! Subgoal Graphs", 2019).
//!
//! A remembered jump is exactly the jump that would be found again, so no result depends on the memory. Each list of
//! jumps knows the rectangle it was found in, and is found again only if the ground changed in there. If more than
//! one cell in eight of a plain grid is a place where paths turn, nothing is remembered, and places are numbered like
//! cells: there, a new search for jumps is cheaper than the memory.

use super::jumps::{Direction, Directions, Jump, Seen};
use crate::grid::{Grid, QueryMask};
use std::ops::Range;

/// The number of a place where paths turn.
pub(super) type PlaceId = u32;

/// The place at which a search begins. Nothing is remembered of it.
pub(super) const START: PlaceId = 0;

/// The most bytes the graph may take for each cell. A larger graph is forgotten between two searches.
const MOST_BYTES_A_CELL: usize = 12;

/// The most changes of the ground that are kept. After more, the graph is forgotten.
const MOST_CHANGES: usize = 256;

/// Columns and rows: smallest and largest.
type Corners = ((u32, u32), (u32, u32));

/// A remembered jump from a place to the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) cost: u64,
    pub(super) to: PlaceId,
    pub(super) x: u32,
    pub(super) z: u32,
    pub(super) onward: Directions,
}

#[derive(Debug, Clone, Copy, Default)]
struct JumpPoint {
    x: u32,
    z: u32,
    /// For each direction, the index of its fan plus one; 0 if there is none.
    fans: [u32; 8],
}

/// All remembered jumps from a place in one direction.
#[derive(Debug, Clone, Copy)]
struct Fan {
    first: u32,
    len: u32,
    /// The number of changes for which the fan is known to be right.
    checked: u32,
    seen: Seen,
}

#[derive(Debug, Clone, Default)]
pub(super) struct JumpPointGraph {
    edition: u64,
    cells: usize,
    /// Nodes in a row, and cells of the field from one node to the next.
    width: u32,
    stride: u32,
    crowded: bool,
    /// The place in each cell; [`START`] if the cell has none.
    place_of: Vec<PlaceId>,
    places: Vec<JumpPoint>,
    fans: Vec<Fan>,
    ways: Vec<Way>,
    changes: Vec<Corners>,
}

impl JumpPointGraph {
    /// Updates the graph to the present state of the ground. Returns whether places got new numbers.
    pub(super) fn begin(&mut self, ground: &Grid) -> bool {
        let (cells, crowded, stride) = (ground.node_limit(), ground.is_crowded(), ground.field_stride());
        let width = (ground.field_size().0).div_ceil(stride);
        let mut anew = (self.cells, self.width, self.stride, self.crowded) != (cells, width, stride, crowded);
        if self.edition != ground.edition() {
            match ground.changes_since(self.edition) {
                Some(changes) => self.changes.extend(changes),
                None => anew = true,
            }
            self.edition = ground.edition();
        }
        anew |= self.bytes() > MOST_BYTES_A_CELL * cells + (1 << 16) || self.changes.len() > MOST_CHANGES;
        if anew {
            self.forget();
            (self.cells, self.width, self.stride, self.crowded) = (cells, width, stride, crowded);
            if crowded {
                self.place_of = Vec::new();
            } else if self.place_of.len() != cells {
                self.place_of = vec![START; cells];
            }
        }
        anew
    }

    fn bytes(&self) -> usize {
        let Self { places, fans, ways, .. } = self;
        size_of_val(places.as_slice()) + size_of_val(fans.as_slice()) + size_of_val(ways.as_slice())
    }

    fn forget(&mut self) {
        for place in self.places.iter().skip(1) {
            self.place_of[(place.z / self.stride * self.width + place.x / self.stride) as usize] = START;
        }
        self.places.clear();
        self.places.push(JumpPoint::default());
        self.fans.clear();
        self.ways.clear();
        self.changes.clear();
    }

    /// The number of places; every [`PlaceId`] is smaller.
    pub(super) fn len(&self) -> usize {
        if self.crowded { self.cells + 1 } else { self.places.len() }
    }

    /// Whether anything is remembered.
    pub(super) fn remembers(&self) -> bool {
        !self.crowded
    }

    /// Column and row of a place other than [`START`].
    #[inline]
    pub(super) fn cell_of(&self, id: PlaceId) -> (u32, u32) {
        if self.crowded {
            return ((id - 1) % self.width, (id - 1) / self.width);
        }
        let JumpPoint { x, z, .. } = self.places[id as usize];
        (x, z)
    }

    /// A jump as an entry of the graph.
    #[inline]
    pub(super) fn way_of(&mut self, jump: &Jump, cost: u64) -> Way {
        let &Jump { x, z, onward, .. } = jump;
        let cell = z / self.stride * self.width + x / self.stride;
        if self.crowded {
            return Way { cost, to: cell + 1, x, z, onward };
        }
        let known = &mut self.place_of[cell as usize];
        if *known == START {
            *known = self.places.len() as PlaceId;
            self.places.push(JumpPoint { x, z, fans: [0; 8] });
        }
        Way { cost, to: *known, x, z, onward }
    }

    /// The jumps from a place in one direction, and the cells looked at to find them. They are remembered, or else
    /// found now.
    #[inline]
    pub(super) fn ways(
        &mut self,
        ground: &Grid,
        id: PlaceId,
        direction: Direction,
        cost_of: impl Fn(&Jump) -> u64,
    ) -> (Range<usize>, Seen) {
        let known = self.places[id as usize].fans[direction] as usize;
        if known > 0 {
            let fan = &mut self.fans[known - 1];
            let now = self.changes.len() as u32;
            let Seen { low, high, .. } = fan.seen;
            let touches = |&(from, to): &Corners| {
                from.0 <= high.0 && to.0 >= low.0 && from.1 <= high.1 && to.1 >= low.1
            };
            if fan.checked == now || !self.changes[fan.checked as usize..].iter().any(touches) {
                fan.checked = now;
                return (fan.first as usize..(fan.first + fan.len) as usize, fan.seen);
            }
        }
        self.look(ground, id, direction, cost_of)
    }

    #[cold]
    fn look(
        &mut self,
        ground: &Grid,
        id: PlaceId,
        direction: Direction,
        cost_of: impl Fn(&Jump) -> u64,
    ) -> (Range<usize>, Seen) {
        let (first, none) = (self.ways.len(), QueryMask::default());
        let seen = ground.jumps_from(&none, self.cell_of(id), direction, u32::MAX, |jump| {
            let way = self.way_of(&jump, cost_of(&jump));
            self.ways.push(way);
        });
        let len = (self.ways.len() - first) as u32;
        let fan = Fan { first: first as u32, len, checked: self.changes.len() as u32, seen };
        let known = &mut self.places[id as usize].fans[direction];
        if *known == 0 {
            self.fans.push(fan);
            *known = self.fans.len() as u32;
        } else {
            self.fans[*known as usize - 1] = fan;
        }
        (first..self.ways.len(), seen)
    }

    #[inline]
    pub(super) fn way(&self, index: usize) -> Way {
        self.ways[index]
    }
}
