//! Reachability: the nodes that can be walked to from a place, by a flood fill over runs of cells. It is many times
//! faster than a search.

use super::raster::Raster;
use super::{Grid, LINES_OF_EXPANSION, Node, Overlay};
use crate::geometry::for_words;
use glam::{DVec2, I64Vec2};
use std::ops::Range;

/// The reachable nodes. A diagonal step needs both cells beside it, so only cells that share an edge count.
#[derive(Debug, Clone)]
pub struct Reach {
    reached: Raster,
    waiting: Vec<(u32, Range<u32>)>,
    lines: u64,
    work: u64,
    most_work: u64,
}

impl Grid {
    /// Whether a path may lead from one node to another. `false` is certain for these two nodes. `true` is certain,
    /// too, except for sampled nodes with eight neighbours: only a search can tell there.
    pub fn may_reach(&self, from: Node, to: Node) -> bool {
        match (self.component(from), self.component(to)) {
            (Some(from), Some(to)) => from == to,
            _ => true,
        }
    }

    /// The component of a walkable node, if only steps of cells join nodes.
    pub(super) fn component(&self, node: Node) -> Option<u32> {
        let field = self.field();
        let cell = self.coords_of(node) * i64::from(field.stride());
        Some(field.components?.component_at(field.cells, cell))
    }

    /// The nodes reachable from a node that are at the minimum distance from the cell of a point. Empty if only a
    /// search can tell; see [`Grid::may_reach`].
    pub fn nearest_in_reach(&self, from: Node, point: DVec2) -> Vec<Node> {
        let field = self.field();
        let Some(components) = field.components else { return Vec::new() };
        let stride = i64::from(field.stride());
        let asked = self.coords_at(point).saturating_mul(I64Vec2::splat(stride));
        let place_of = |cell: I64Vec2| {
            let node = cell / stride;
            self.lattice.as_ref().map_or(node, |lattice| lattice.cell_of(node))
        };
        let of = self.coords_of(from) * stride;
        let to = (asked, self.frame.cell_at(point));
        let cells = components.nearest((field.cells, field.stride()), of, to, place_of);
        cells.into_iter().map(|cell| self.node_of(cell / stride)).collect()
    }
}

impl Reach {
    /// An empty flood. It stops as soon as it has done more work than `most_work`.
    pub fn new(ground: &Grid, most_work: u64) -> Self {
        let (width, depth) = ground.node_size();
        let reached = Raster::new(width, depth);
        Self { reached, waiting: Vec::new(), lines: 0, work: 1 + ground.copy_work(), most_work }
    }

    /// Adds all nodes reachable from `from`, which need not be walkable itself. It stops early once `until` is among
    /// them.
    pub fn spread(&mut self, ground: &Grid, from: Node, until: Option<Node>) {
        match ground.lattice {
            Some(_) => self.spread_over_lattice(ground, from, until, |_, _| {}),
            None => self.spread_along(ground, from, until, |_, _, _| {}),
        }
    }

    /// Like [`Reach::spread`], and calls `rim` with the adjacent nodes that are not walkable here but are walkable in
    /// `wider`, a ground of the same frame. It may be called more than once for a node.
    pub fn spread_to_rim(&mut self, ground: &Grid, wider: &Grid, from: Node, mut rim: impl FnMut(Node)) {
        if ground.lattice.is_some() {
            let beside = |reached: &Raster, node: Node| {
                wider.for_each_edge(node, &Overlay::default(), |to, _| {
                    let (x, z) = ground.column_and_row(to);
                    if !reached.get(x, z) {
                        rim(to);
                    }
                });
            };
            return self.spread_over_lattice(ground, from, None, beside);
        }
        let frame = ground.frame;
        self.spread_along(ground, from, None, |reached, z, run| {
            let mut look = |z: u32, mut span: Range<u32>| {
                while let Some(x) = wider.walkable.first_without(&ground.walkable, z, span.clone()) {
                    if !reached.get(x, z) {
                        rim(Node(frame.index(I64Vec2::new(i64::from(x), i64::from(z)))));
                    }
                    span.start = x + 1;
                }
            };
            look(z, run.start.saturating_sub(1)..run.start);
            look(z, run.end..(run.end + 1).min(frame.width));
            beside(z, frame.depth).for_each(|z| look(z, run.clone()));
        });
    }

    /// Whether a node is reachable.
    pub fn holds(&self, ground: &Grid, node: Node) -> bool {
        let (x, z) = ground.column_and_row(node);
        (node.0 as usize) < ground.node_limit() && self.reached.get(x, z)
    }

    /// The first reachable node, row by row. Two floods over one ground that have the same first node are the same.
    pub fn first(&self, ground: &Grid) -> Option<Node> {
        let mut rows =
            (0..ground.node_size().1).flat_map(|z| self.reached.row(z).iter().zip(0..).map(move |w| (z, w)));
        rows.find(|(_, (word, _))| **word != 0)
            .map(|(z, (word, index))| ground.node_in(64 * index + word.trailing_zeros(), z))
    }

    /// The reachable nodes at the minimum distance from a point. The distance is in cells, between the node and the
    /// cell that holds the point.
    pub fn nearest(&self, ground: &Grid, point: DVec2) -> Vec<Node> {
        let middle = ground.coords_at(point);
        let mut best = (u64::MAX, Vec::new());
        for ring in ground.rings(middle) {
            let at_least = ground.ring_begins_cells(ring);
            if at_least.saturating_mul(at_least) > best.0 {
                break;
            }
            ground.for_ring(middle, ring, |cell| {
                if !self.reached.get(cell.x as u32, cell.y as u32) {
                    return;
                }
                let node = ground.node_of(cell);
                let distance = ground.distance_sq_cells(node, point);
                if distance < best.0 {
                    best = (distance, Vec::new());
                }
                if distance == best.0 {
                    best.1.push(node);
                }
            });
        }
        best.1.sort_unstable();
        best.1
    }

    /// Whether a node is in sight of a place; false once the work exceeds its limit.
    pub(super) fn look(&mut self, ground: &Grid, place: DVec2, node: Node) -> bool {
        self.lines += 1;
        self.work += u64::from(self.lines.is_multiple_of(LINES_OF_EXPANSION));
        self.work <= self.most_work && ground.segment_clear(place, ground.centre(node))
    }

    /// The work done so far, in expansions of a search. It exceeds the limit if the flood was cut short.
    pub fn work(&self) -> u64 {
        self.work
    }

    fn spread_along(
        &mut self,
        ground: &Grid,
        from: Node,
        until: Option<Node>,
        mut added: impl FnMut(&Raster, u32, Range<u32>),
    ) {
        let until = until.map(|node| ground.frame.cell_of(node.0));
        let ends = |z: u32, run: &Range<u32>| {
            until.is_some_and(|cell| cell.y == i64::from(z) && run.contains(&(cell.x as u32)))
        };
        let cell = ground.frame.cell_of(from.0);
        let (x, z) = (cell.x as u32, cell.y as u32);
        self.waiting.clear();
        if ground.walkable.get(x, z) {
            self.seed(ground, z, ground.walkable.run_around(z, x));
        } else {
            self.seed(ground, z, x..x + 1);
            for x in [x.checked_sub(1), Some(x + 1)].into_iter().flatten() {
                if let Some(x) =
                    ground.walkable.first_without(&self.reached, z, x..(x + 1).min(ground.frame.width))
                {
                    self.seed(ground, z, ground.walkable.run_around(z, x));
                }
            }
        }
        while let Some((z, run)) = self.waiting.pop()
            && self.work <= self.most_work
        {
            added(&self.reached, z, run.clone());
            if ends(z, &run) {
                return;
            }
            for z in beside(z, ground.frame.depth) {
                let mut span = run.clone();
                while let Some(x) = ground.walkable.first_without(&self.reached, z, span.clone()) {
                    let found = ground.walkable.run_around(z, x);
                    span.start = found.end.min(span.end);
                    self.seed(ground, z, found);
                }
            }
        }
    }

    /// The same node by node, because neighbouring nodes of a lattice need not be joined.
    fn spread_over_lattice(
        &mut self,
        ground: &Grid,
        from: Node,
        until: Option<Node>,
        mut added: impl FnMut(&Raster, Node),
    ) {
        let mut flooded = 0_u32;
        let mut waiting = vec![from];
        let (x, z) = ground.column_and_row(from);
        self.reached.set(x, z, true);
        while let Some(node) = waiting.pop()
            && self.work <= self.most_work
        {
            flooded += 1;
            self.work += u64::from(flooded.is_multiple_of(NODES_OF_EXPANSION));
            added(&self.reached, node);
            if until == Some(node) {
                return;
            }
            ground.for_each_edge(node, &Overlay::default(), |to, _| {
                let (x, z) = ground.column_and_row(to);
                if !self.reached.get(x, z) {
                    self.reached.set(x, z, true);
                    waiting.push(to);
                }
            });
        }
    }

    fn seed(&mut self, ground: &Grid, z: u32, run: Range<u32>) {
        debug_assert!(run.end <= ground.frame.width);
        for_words(self.reached.row_mut(z), run.clone(), |word, mask| *word |= mask);
        self.work += 1 + u64::from(run.end - run.start) / 1024;
        self.waiting.push((z, run));
    }
}

/// Number of flooded lattice nodes that cost one unit of work: a flood needs no priority queue.
const NODES_OF_EXPANSION: u32 = 8;

/// The rows above and below a row.
fn beside(z: u32, depth: u32) -> impl Iterator<Item = u32> {
    z.checked_sub(1).into_iter().chain(Some(z + 1).filter(|&z| z < depth))
}
