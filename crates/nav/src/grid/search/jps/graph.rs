//! The jump-point graph. Caches jump points and the jumps between them across queries, because the ground seldom
//! changes. The graph fills in as searches need it (compare Harabor, Uras, Stuckey and Koenig, "Regarding Jump Point
//! Search and Subgoal Graphs", 2019).
//!
//! A cached jump is exactly the jump that would be found again, so no result depends on the cache. Each list stores
//! the rectangle of cells it depends on, and is rebuilt only if the ground changed in there. If more than one cell in
//! eight of a plain grid is a jump point, nothing is cached, and jump point ids are cell indices: there, a new search
//! for jumps is cheaper than the cache.

use super::goals::Measure;
use super::jumps::{Direction, Directions, Jump, Seen};
use super::links::{EndPlaces, LinkEnds};
use crate::grid::{Grid, QueryMask};
use std::ops::Range;
use std::sync::Arc;

/// The id of a jump point.
pub(super) type PlaceId = u32;

/// The start of a search. Its jumps are not cached here (see `start_jumps`).
pub(super) const START: PlaceId = 0;

/// Memory limit in bytes per cell. A larger graph is cleared between two searches.
const MOST_BYTES_A_CELL: usize = 12;

/// Limit on ground changes tracked before the graph is cleared.
const MOST_CHANGES: usize = 256;

/// Ids from this one on stand for ends of links, not for jump points.
pub(super) const FIRST_END: PlaceId = 1 << 31;

/// Columns and rows: smallest and largest.
type Corners = ((u32, u32), (u32, u32));

/// A cached jump from a jump point to the next one.
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

/// All cached jumps from a jump point in one direction.
#[derive(Debug, Clone, Copy)]
struct Fan {
    first: u32,
    len: u32,
    /// Number of ground changes already checked for this list.
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
    /// The jump point in each cell; [`START`] if the cell has none.
    place_of: Vec<PlaceId>,
    places: Vec<JumpPoint>,
    fans: Vec<Fan>,
    ways: Vec<Way>,
    changes: Vec<Corners>,
    /// The ends of links that jumps pass. Among the ways of a jump point, such an end has no directions to go on in, and
    /// its id is its number from [`FIRST_END`] on.
    pub(super) ends: EndPlaces,
}

impl JumpPointGraph {
    /// Updates the graph to the present state of the ground, and to the ends of links, if the search needs them. Returns
    /// whether jump points got new ids.
    pub(super) fn begin(&mut self, ground: &Grid, ends: Option<&Arc<LinkEnds>>) -> bool {
        let (cells, crowded, stride) = (ground.node_limit(), ground.is_crowded(), ground.field_stride());
        let width = (ground.field_size().0).div_ceil(stride);
        let mut rebuilt =
            (self.cells, self.width, self.stride, self.crowded) != (cells, width, stride, crowded);
        let has_changed = self.edition != ground.edition();
        if has_changed {
            match ground.changes_since(self.edition) {
                Some(changes) => self.changes.extend(changes),
                None => rebuilt = true,
            }
            self.edition = ground.edition();
        }
        rebuilt |= self.bytes() > MOST_BYTES_A_CELL * cells + (1 << 16) || self.changes.len() > MOST_CHANGES;
        match ends {
            Some(ends) => rebuilt |= self.ends.begin(ground, ends, has_changed),
            // The ends may lie outside another ground.
            None if has_changed && !self.ends.is_empty() => {
                self.ends = EndPlaces::default();
                rebuilt = true;
            }
            None => {}
        }
        if rebuilt {
            self.forget();
            (self.cells, self.width, self.stride, self.crowded) = (cells, width, stride, crowded);
            if crowded {
                self.place_of = Vec::new();
            } else if self.place_of.len() != cells {
                self.place_of = vec![START; cells];
            }
        }
        rebuilt
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

    /// The number of jump points; every [`PlaceId`] is smaller.
    pub(super) fn len(&self) -> usize {
        if self.crowded { self.cells + 1 } else { self.places.len() }
    }

    /// Whether anything is cached.
    pub(super) fn remembers(&self) -> bool {
        !self.crowded
    }

    /// Column and row of a jump point other than [`START`].
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
        Way { cost, to: self.place_at((x, z)), x, z, onward }
    }

    /// The id of the jump point in a cell. One that is not known gets one.
    #[inline]
    pub(super) fn place_at(&mut self, (x, z): (u32, u32)) -> PlaceId {
        let cell = z / self.stride * self.width + x / self.stride;
        if self.crowded {
            return cell + 1;
        }
        let known = &mut self.place_of[cell as usize];
        if *known == START {
            *known = self.places.len() as PlaceId;
            self.places.push(JumpPoint { x, z, fans: [0; 8] });
        }
        *known
    }

    /// The jumps from a jump point in one direction, and the cells scanned to find them. They come from the cache, or
    /// are found now.
    #[inline]
    pub(super) fn ways(
        &mut self,
        ground: &Grid,
        id: PlaceId,
        direction: Direction,
        measure: Measure,
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
        self.look(ground, id, direction, measure)
    }

    #[cold]
    fn look(
        &mut self,
        ground: &Grid,
        id: PlaceId,
        direction: Direction,
        measure: Measure,
    ) -> (Range<usize>, Seen) {
        let (first, none, cell) = (self.ways.len(), QueryMask::default(), self.cell_of(id));
        let mut seen = ground.jumps_from(&none, cell, direction, u32::MAX, |jump| {
            let way = self.way_of(&jump, measure.of(&jump));
            self.ways.push(way);
        });
        let free = seen.free;
        for (end, place) in (0..).zip(self.ends.places()) {
            let (x, z) = place.cell;
            let lies = place.lies_in(cell, direction, free, &measure);
            // What may hide the end lies in the rectangle from the jump point to it.
            if lies.is_some() || place.is_beside_ray(cell, direction, free, &measure) {
                seen.low = (seen.low.0.min(x), seen.low.1.min(z));
                seen.high = (seen.high.0.max(x), seen.high.1.max(z));
            }
            if let Some(cost) = lies {
                self.ways.push(Way { cost, to: FIRST_END + end, x, z, onward: 0 });
            }
        }
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
