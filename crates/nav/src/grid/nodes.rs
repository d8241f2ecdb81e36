//! Nodes, and the points near them. Nodes lie in columns and rows. In a plain grid they are the cells; in a painted
//! room they are the sampled lattice.

use super::{Grid, Node, Overlay};
use glam::{DVec2, I64Vec2};
use std::ops::RangeInclusive;

/// √2, the cost of a diagonal step.
const DIAGONAL: f64 = std::f64::consts::SQRT_2;

/// The eight steps by ascending index of where they lead, so that ties are broken the same way everywhere. Jumps count
/// directions clockwise instead.
const BY_INDEX: [(i64, i64); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The cost of a way along both axes, by straight and diagonal steps.
fn octile(apart: I64Vec2) -> f64 {
    let apart = apart.abs();
    let (short, long) = (apart.min_element() as f64, apart.max_element() as f64);
    (long - short) + short * DIAGONAL
}

/// Search limit, in nodes, for the nearest node in sight of a point. Points deeper in a pocket have no node; a longer
/// search would cost more than it is worth.
const MOST_SIGHT_NODES: i64 = 64;

impl Grid {
    /// Whether a node exists here: a walkable cell, or in a painted room a sampled pixel that qualifies.
    pub fn has_node(&self, node: Node) -> bool {
        (node.0 as usize) < self.node_limit() && self.is_node(self.coords_of(node))
    }

    /// The number of possible nodes; every [`Node`] is smaller.
    pub fn node_limit(&self) -> usize {
        let (width, depth) = self.node_size();
        width as usize * depth as usize
    }

    /// Whether any node exists.
    pub fn has_ground(&self) -> bool {
        match &self.lattice {
            Some(lattice) => lattice.has_nodes(),
            None => self.words().iter().any(|&word| word != 0),
        }
    }

    /// Cells from one node to the next.
    pub fn node_spacing_cells(&self) -> f64 {
        self.lattice.as_ref().map_or(1.0, |lattice| lattice.sampling().rate_px)
    }

    /// Cells per unit of the cost of edges. Where nodes are not equally far apart, that is one.
    pub fn edge_unit_cells(&self) -> f64 {
        self.lattice
            .as_ref()
            .map_or(1.0, |lattice| if lattice.is_even() { lattice.sampling().rate_px } else { 1.0 })
    }

    /// Whether this is a plain grid, where the node of a point is the cell that contains it. Otherwise the node is
    /// only in sight of the point.
    pub fn nodes_are_cells(&self) -> bool {
        self.lattice.is_none()
    }

    /// The node of a walkable point: the cell that holds it, or in a painted room the nearest node in sight.
    pub fn node_at(&self, point: DVec2) -> Option<Node> {
        let cell = self.frame.cell_at(point);
        if !self.cell_is_walkable(cell) {
            return None;
        }
        if self.nodes_are_cells() {
            return Some(Node(self.frame.index(cell)));
        }
        self.nearest_of(
            point,
            |ring| ring <= MOST_SIGHT_NODES,
            |node| self.segment_clear(point, self.centre(node)),
        )
    }

    /// The node of the cell that holds a point, in a plain grid. It need not be walkable.
    pub(super) fn cell_node(&self, point: DVec2) -> Option<Node> {
        let cell = self.frame.cell_at(point);
        self.frame.holds(cell).then(|| Node(self.frame.index(cell)))
    }

    /// Whether a walkable point sees no node, so only a straight line can lead to it or away. A plain grid has no such
    /// points.
    pub fn is_pocket(&self, point: DVec2) -> bool {
        !self.nodes_are_cells() && self.is_walkable(point) && self.node_at(point).is_none()
    }

    /// The middle of a node, in metres.
    pub fn centre(&self, node: Node) -> DVec2 {
        self.frame.centre(self.cell_of(node))
    }

    /// Whether `point` belongs to `node`, as in [`Grid::node_at`]. In a plain grid the node need not be walkable.
    pub fn holds(&self, node: Node, point: DVec2) -> bool {
        match self.nodes_are_cells() {
            true => self.frame.cell_at(point) == self.cell_of(node),
            false => self.node_at(point) == Some(node),
        }
    }

    /// The walkable node whose centre is nearest to `point` by Euclidean distance, at most `reach_m` away and not
    /// covered. Ties go to the lower index. Searches square rings outward, and stops when a ring cannot hold a nearer
    /// node.
    pub fn nearest(&self, point: DVec2, reach_m: f64, overlay: &Overlay) -> Option<Node> {
        self.nearest_within(point, reach_m, |node| !overlay.covers(node))
    }

    /// The same among the nodes that `accept` takes.
    pub(super) fn nearest_within(
        &self,
        point: DVec2,
        reach_m: f64,
        accept: impl Fn(Node) -> bool,
    ) -> Option<Node> {
        let near =
            |node: Node| self.centre(node).distance_squared(point) <= reach_m * reach_m && accept(node);
        self.nearest_of(point, |ring| self.ring_begins_at(ring) * self.frame.cell_size_m <= reach_m, near)
    }

    /// The node whose centre is nearest to `point`, for which `accept` is true. The search goes outwards in rings,
    /// stopping at the first ring for which `within` is false.
    fn nearest_of(
        &self,
        point: DVec2,
        within: impl Fn(i64) -> bool,
        accept: impl Fn(Node) -> bool,
    ) -> Option<Node> {
        let middle = self.coords_at(point);
        let mut best: Option<(f64, u32)> = None;
        for ring in self.rings(middle) {
            // A centre on this ring is at least this far away, wherever the point lies in its cell.
            let at_least = self.ring_begins_at(ring) * self.frame.cell_size_m;
            if !within(ring) || best.is_some_and(|(distance_sq, _)| at_least > distance_sq.sqrt()) {
                break;
            }
            self.for_ring(middle, ring, |coords| {
                let node = self.node_of(coords);
                let distance_sq = self.centre(node).distance_squared(point);
                if best.is_none_or(|b| (distance_sq, node.0) < b) && self.is_node(coords) && accept(node) {
                    best = Some((distance_sq, node.0));
                }
            });
        }
        best.map(|(_, index)| Node(index))
    }

    // ---- columns and rows of nodes ----

    /// Columns and rows of nodes.
    pub(super) fn node_size(&self) -> (u32, u32) {
        self.lattice.as_ref().map_or((self.frame.width, self.frame.depth), |lattice| lattice.size())
    }

    /// Column and row of the node at a point, or of the last node at or before it. They may lie outside.
    pub(super) fn coords_at(&self, point: DVec2) -> I64Vec2 {
        let cell = self.frame.cell_at(point);
        self.lattice.as_ref().map_or(cell, |lattice| lattice.coords_at(cell))
    }

    /// Column and row of a node.
    #[inline]
    pub(crate) fn column_and_row(&self, node: Node) -> (u32, u32) {
        let (width, _) = self.node_size();
        (node.0 % width, node.0 / width)
    }

    /// The node in this column and row, which must exist.
    #[inline]
    pub(crate) fn node_in(&self, x: u32, z: u32) -> Node {
        Node(z * self.node_size().0 + x)
    }

    /// [`Grid::column_and_row`] as a vector, for sums that may lead outside.
    #[inline]
    pub(super) fn coords_of(&self, node: Node) -> I64Vec2 {
        let (x, z) = self.column_and_row(node);
        I64Vec2::new(i64::from(x), i64::from(z))
    }

    /// [`Grid::node_in`] for a vector, which must lie inside.
    #[inline]
    pub(super) fn node_of(&self, coords: I64Vec2) -> Node {
        self.node_in(coords.x as u32, coords.y as u32)
    }

    /// The cell a node stands on.
    pub(super) fn cell_of(&self, node: Node) -> I64Vec2 {
        let coords = self.coords_of(node);
        self.lattice.as_ref().map_or(coords, |lattice| lattice.cell_of(coords))
    }

    pub(super) fn is_node(&self, coords: I64Vec2) -> bool {
        match &self.lattice {
            Some(lattice) => lattice.holds(coords),
            None => self.cell_is_walkable(coords),
        }
    }

    /// The least distance of a node on a ring, in cells.
    fn ring_begins_at(&self, ring: i64) -> f64 {
        match &self.lattice {
            // The node before a point is up to one step away from it, plus the rounding to whole cells.
            Some(lattice) => ((ring - 1) as f64 * lattice.sampling().rate_px - 1.5).max(0.0),
            None => (ring as f64 - 0.5).max(0.0),
        }
    }

    /// The least number of cells between the cell of a point and a node on a ring around it, along one axis.
    pub(super) fn ring_begins_cells(&self, ring: i64) -> u64 {
        match &self.lattice {
            Some(_) => (self.ring_begins_at(ring) - 1.0).max(0.0).floor() as u64,
            None => ring.unsigned_abs(),
        }
    }

    /// The Chebyshev distances from `middle` at which nodes exist.
    pub(super) fn rings(&self, middle: I64Vec2) -> RangeInclusive<i64> {
        let (width, depth) = self.node_size();
        let size = I64Vec2::new(i64::from(width), i64::from(depth));
        let outside = (-middle).max(middle - (size - 1)).max(I64Vec2::ZERO).max_element();
        outside..=(middle.abs().max((size - middle).abs())).max_element()
    }

    /// The columns and rows of nodes at Chebyshev distance `ring` from `middle`.
    pub(super) fn for_ring(&self, middle: I64Vec2, ring: i64, mut visit: impl FnMut(I64Vec2)) {
        let (width, depth) = self.node_size();
        let (width, depth) = (i64::from(width), i64::from(depth));
        let columns = (middle.x - ring).max(0)..=(middle.x + ring).min(width - 1);
        for z in (middle.y - ring).max(0)..=(middle.y + ring).min(depth - 1) {
            if (z - middle.y).abs() == ring {
                columns.clone().for_each(|x| visit(I64Vec2::new(x, z)));
            } else {
                for x in [middle.x - ring, middle.x + ring] {
                    if (0..width).contains(&x) {
                        visit(I64Vec2::new(x, z));
                    }
                }
            }
        }
    }

    // ---- edges, for searching ----

    /// Calls `visit(to, cost)` for every edge from `node`; a straight edge costs 1, a diagonal one √2. Where nodes are
    /// not equally far apart, edges cost what their cells do. A grid has eight neighbours, and a diagonal edge needs two
    /// walkable cells beside it. A painted room has the sampled edges. Covered nodes count as blocked, except that an edge may start on one.
    pub fn for_each_edge(&self, node: Node, overlay: &Overlay, mut visit: impl FnMut(Node, f64)) {
        if let Some(lattice) = &self.lattice {
            let clear = |to: Node| {
                overlay.is_empty()
                    || !overlay.covers(to) && overlay.lets_pass(self.centre(node), self.centre(to))
            };
            let from = self.coords_of(node);
            lattice.for_each_edge(from, |to, diagonal| {
                let cost = match lattice.is_even() {
                    true if diagonal => DIAGONAL,
                    true => 1.0,
                    false => octile(lattice.cell_of(to) - lattice.cell_of(from)),
                };
                let to = self.node_of(to);
                if clear(to) {
                    visit(to, cost);
                }
            });
            return;
        }
        let cell = self.frame.cell_of(node.0);
        let free = BY_INDEX.map(|(dx, dz)| {
            let to = cell + I64Vec2::new(dx, dz);
            self.cell_is_walkable(to) && !overlay.covers(Node(self.frame.index(to)))
        });
        let [_, north, _, west, east, _, south, _] = free;
        let open = [north && west, true, north && east, true, true, south && west, true, south && east];
        for (i, (dx, dz)) in BY_INDEX.into_iter().enumerate() {
            if free[i] && open[i] {
                let to = Node(self.frame.index(cell + I64Vec2::new(dx, dz)));
                visit(to, if dx != 0 && dz != 0 { DIAGONAL } else { 1.0 });
            }
        }
    }

    /// All edges from a node to one with a higher index, in the order of both: for drawing.
    pub fn edges(&self) -> Vec<(Node, Node)> {
        let none = Overlay::default();
        let mut edges = Vec::new();
        for node in (0..self.node_limit() as u32).map(Node).filter(|&node| self.has_node(node)) {
            self.for_each_edge(node, &none, |to, _| edges.extend((to > node).then_some((node, to))));
        }
        edges
    }

    /// The least cost of a path from `a` to `b` with eight neighbours: the octile distance.
    pub(crate) fn least_cost(&self, a: Node, b: Node) -> f64 {
        match &self.lattice {
            Some(lattice) if !lattice.is_even() => octile(self.cell_of(a) - self.cell_of(b)),
            _ => octile(self.coords_of(a) - self.coords_of(b)),
        }
    }

    /// A point as [`Grid::least_cost_m`] takes it: its cell on a plain grid, and itself in a painted room.
    pub(crate) fn bound_point(&self, point: DVec2) -> DVec2 {
        if self.nodes_are_cells() { self.frame.cell_at(point).as_dvec2() } else { point }
    }

    /// A lower bound of the cost of a path between two points, in metres: from cell to cell on a plain grid, whether they
    /// are walkable or not. In a painted room, the distance less that to the nodes. The points are those of
    /// [`Grid::bound_point`].
    #[inline]
    pub(crate) fn least_cost_m(&self, from: DVec2, to: DVec2) -> f64 {
        let cell_m = self.frame.cell_size_m;
        if self.nodes_are_cells() {
            let apart = (from - to).abs();
            let (short, long) = (apart.min_element(), apart.max_element());
            return ((long - short) + short * DIAGONAL) * cell_m;
        }
        (from.distance(to) - 2.0 * DIAGONAL * self.node_spacing_cells() * cell_m).max(0.0)
    }

    /// The cost of a straight walk, in metres, by steps in four or eight directions that are as short as one likes.
    pub(crate) fn straight_cost_m(&self, from: DVec2, to: DVec2) -> f64 {
        let apart = (from - to).abs();
        let (short, long) = (apart.min_element(), apart.max_element());
        match &self.lattice {
            Some(lattice) if !lattice.sampling().eight => short + long,
            _ => (long - short) + short * DIAGONAL,
        }
    }

    /// Squared distance, in cells, between `node` and the cell that holds `point`. The point may be off the ground.
    pub fn distance_sq_cells(&self, node: Node, point: DVec2) -> u64 {
        // Points are limited to 1e6 m and cells to sane sizes; saturate rather than wrap on absurd input.
        let apart = self.cell_of(node).saturating_sub(self.frame.cell_at(point));
        let square = |d: i64| d.unsigned_abs().saturating_mul(d.unsigned_abs());
        square(apart.x).saturating_add(square(apart.y))
    }
}
