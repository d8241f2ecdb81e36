//! Joining places in a painted room to its nodes by sight. Usually the nearest node in sight is taken. But passages
//! may be narrower than the distance between nodes. Then the nearest node may lead nowhere while another node in
//! sight leads on, or the goal itself may be in sight although no node is.

use super::{Grid, Node, Overlay, Reach};
use glam::{DVec2, I64Vec2};

/// Search radius, in nodes, for other nodes around a place. They are used if the nearest node in sight does not lead
/// to the goal.
const MOST_RINGS: i64 = 8;

/// Upper limit on the components tested from one place. Noisy images may have many; more than this do not matter in
/// practice.
const MOST_COMPONENTS: usize = 8;

/// Number of lines of sight that cost one unit of work.
pub(crate) const LINES_OF_EXPANSION: u64 = 4;

impl Grid {
    /// The place where a walk begins or ends: the place itself, or its node if the place is not walkable.
    pub(crate) fn standing_place(&self, place: DVec2, node: Option<Node>) -> Option<DVec2> {
        if self.is_walkable(place) { Some(place) } else { node.map(|node| self.centre(node)) }
    }

    /// Whether a straight line is walkable although the node graph may not contain it. Always false on a plain grid.
    pub(crate) fn is_straight_way(&self, begin: DVec2, end: DVec2) -> bool {
        !self.nodes_are_cells() && self.segment_clear(begin, end)
    }

    /// The centre of a blocked cell in the first row (or column, if the line is steep) that has one. The end of the
    /// line if it is clear.
    pub(crate) fn first_blocked(&self, begin: DVec2, end: DVec2) -> DVec2 {
        let cell = self.blocker(self.spot(begin), self.spot(end));
        cell.map_or(end, |(x, z)| self.frame.centre(I64Vec2::new(x, z)))
    }

    /// The nodes around a place, nearest first; ties go to the lower index. The caller tests whether they are in
    /// sight.
    pub(crate) fn nodes_around(&self, place: DVec2) -> Vec<Node> {
        let middle = self.coords_at(place);
        let mut around = Vec::new();
        for ring in self.rings(middle).take_while(|&ring| ring <= MOST_RINGS) {
            self.for_ring(middle, ring, |coords| {
                if self.is_node(coords) {
                    let node = self.node_of(coords);
                    around.push((self.centre(node).distance_squared(place), node));
                }
            });
        }
        around.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        around.into_iter().map(|(_, node)| node).collect()
    }

    /// Finds a connected pair of nodes, one in sight of each place, minimising begin-node-node-end in straight lines.
    /// Without such a pair: the node in sight of `begin` whose component comes nearest to `asked`. For painted rooms
    /// with a field, if the nearest nodes in sight are not connected. Lines of sight keep clear of the overlay;
    /// `lines` counts them.
    pub(crate) fn joint(
        &self,
        (begin, end): (DVec2, DVec2),
        asked: DVec2,
        overlay: &Overlay,
        lines: &mut u64,
    ) -> Option<(Node, Option<Node>)> {
        let leaves = |node: Node| self.segment_clear_of(begin, self.centre(node), overlay);
        let enters = |node: Node| self.segment_clear_of(self.centre(node), end, overlay);
        let starts = self.components_in_sight(begin, leaves, lines);
        let goals = self.components_in_sight(end, enters, lines);
        let mut best: Option<(f64, Node, Node)> = None;
        for &start in &starts {
            for goal in goals.iter().copied().filter(|&goal| self.may_reach(start, goal)) {
                let (from, to) = (self.centre(start), self.centre(goal));
                let way = begin.distance(from) + from.distance(to) + to.distance(end);
                if best.is_none_or(|(least, ..)| way < least) {
                    best = Some((way, start, goal));
                }
            }
        }
        if let Some((_, start, goal)) = best {
            return Some((start, Some(goal)));
        }
        let nearness = |start: Node| {
            let nearest = self.nearest_in_reach(start, asked);
            nearest.first().map_or(u64::MAX, |&node| self.distance_sq_cells(node, asked))
        };
        // Ties go to the first one.
        starts.into_iter().min_by_key(|&start| nearness(start)).map(|start| (start, None))
    }

    /// One node per component in sight of a place: the nearest one.
    fn components_in_sight(&self, place: DVec2, sees: impl Fn(Node) -> bool, lines: &mut u64) -> Vec<Node> {
        let mut seen: Vec<Node> = self.node_at(place).into_iter().collect();
        for node in self.nodes_around(place) {
            if seen.len() == MOST_COMPONENTS {
                break;
            }
            if seen.iter().any(|&other| self.may_reach(other, node)) {
                continue;
            }
            *lines += 1;
            if sees(node) {
                seen.push(node);
            }
        }
        seen
    }
}

impl Reach {
    /// [`Reach::spread`] from a place: from its node, and in a painted room from all other nodes in sight.
    pub fn spread_from(&mut self, ground: &Grid, place: DVec2, node: Option<Node>, until: Option<Node>) {
        if let Some(node) = node {
            self.spread(ground, node, until);
        }
        if ground.nodes_are_cells() || until.is_some_and(|until| self.holds(ground, until)) {
            return;
        }
        for other in ground.nodes_around(place) {
            if !self.holds(ground, other) && self.look(ground, place, other) {
                self.spread(ground, other, until);
            }
        }
    }

    /// Whether a path leads to a place: to its node, or in a painted room to any other node in sight.
    pub fn leads_to(&mut self, ground: &Grid, place: DVec2, node: Option<Node>) -> bool {
        if node.is_some_and(|node| self.holds(ground, node)) {
            return true;
        }
        let around = if ground.nodes_are_cells() { Vec::new() } else { ground.nodes_around(place) };
        around.into_iter().any(|other| self.holds(ground, other) && self.look(ground, place, other))
    }
}
