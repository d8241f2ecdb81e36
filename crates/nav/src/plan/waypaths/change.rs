//! Waypaths added, removed, opened, closed and replaced.

use super::{PlacedWaypath, Waypaths};
use crate::nav::{LinkId, LinkWay, Position, WaypathId};
use crate::plan::links::place_on;
use crate::plan::{LinkNet, WAYPATH_SHARE};
use crate::room::Waypath;
use crate::surface::Surface;

impl LinkNet {
    /// All waypaths, in the order in which they were added.
    pub fn waypaths(&self) -> &[PlacedWaypath] {
        self.waypaths.all()
    }

    /// The waypath with this id.
    pub fn waypath(&self, id: WaypathId) -> Option<&PlacedWaypath> {
        self.waypaths.all.iter().find(|placed| placed.id == id)
    }

    /// The waypath with this name.
    pub fn waypath_named(&self, name: &str) -> Option<&PlacedWaypath> {
        self.waypaths.all.iter().find(|placed| placed.waypath.name == name)
    }

    /// The waypath that a jump belongs to, and where the jump begins and ends. `None` for links.
    pub(crate) fn jump(&self, way: LinkWay) -> Option<(&PlacedWaypath, [Position; 2])> {
        self.waypaths.all.iter().find_map(|placed| Some((placed, placed.jump(way)?)))
    }

    /// The cost of a crossing, in metres: that of a link, or the length of a jump.
    pub(crate) fn crossing_cost_m(&self, way: LinkWay) -> f64 {
        let link = self.get(way.link).map(|placed| placed.cost_m);
        let jump = || self.jump(way).map(|(_, [from, to])| WAYPATH_SHARE * from.distance(to));
        link.or_else(jump).unwrap_or(0.0)
    }

    /// The least cost of a walk with these tags, as a share of its straight length. Below 1 if there are waypaths that it
    /// may use.
    pub(crate) fn least_share(&self, tags: &[String]) -> f64 {
        let is_of_use = |placed: &PlacedWaypath| placed.available && placed.waypath.is_for(tags);
        if self.waypaths.all.iter().any(is_of_use) { WAYPATH_SHARE } else { 1.0 }
    }

    /// Whether there are links, or waypaths with jumps.
    pub(crate) fn leads_over_gaps(&self) -> bool {
        let jumps = |placed: &PlacedWaypath| placed.waypath.points.iter().any(|point| point.action.jump);
        !self.links().is_empty() || self.waypaths.all.iter().any(jumps)
    }

    /// The id of the next waypath.
    pub(crate) fn next_waypath_id(&self) -> u32 {
        self.waypaths.next_id
    }

    /// Adds a waypath. Its name must be free.
    pub(crate) fn add_waypath(&mut self, ground: &Surface, waypath: Waypath) -> WaypathId {
        let id = WaypathId(self.waypaths.next_id);
        self.waypaths.next_id += 1;
        let (first_jump, available) = (self.jump_ids(&waypath), waypath.available);
        self.waypaths.all.push(blank(id, waypath, available, first_jump));
        self.place_waypaths(ground, Some(id));
        id
    }

    /// The parts of waypaths that a query may use: their ends and costs.
    #[cfg(test)]
    pub(crate) fn parts(
        &self,
        ground: &Surface,
        query: &crate::nav::Query,
        ends: [Option<Position>; 2],
    ) -> Vec<(Position, Position, f64)> {
        let ways = self.waypaths.ways(ground, query, ends);
        ways.into_iter().map(|way| (way.entry, way.exit, way.cost_m)).collect()
    }

    /// Gives ids to the jumps of a waypath: the first of them.
    fn jump_ids(&mut self, waypath: &Waypath) -> LinkId {
        let first = LinkId(self.next_id);
        self.next_id += waypath.pieces() as u32;
        first
    }

    /// Removes a waypath. Returns whether it was there.
    pub(crate) fn remove_waypath(&mut self, id: WaypathId) -> bool {
        let before = self.waypaths.all.len();
        self.waypaths.all.retain(|placed| placed.id != id);
        self.revision += 1;
        self.waypaths.cross();
        self.waypaths.all.len() < before
    }

    /// Opens or closes a waypath. Returns whether anything changed.
    pub(crate) fn set_waypath_available(&mut self, id: WaypathId, available: bool) -> bool {
        let Some(placed) = self.waypaths.all.iter_mut().find(|placed| placed.id == id) else { return false };
        let changed = placed.available != available;
        placed.available = available;
        self.revision += u64::from(changed);
        changed
    }

    /// Takes the waypaths of a changed room. Those of the same name keep their ids, and stay open or closed as in the
    /// game. Those that are in `kept` stay, although the room has none of their names.
    pub(crate) fn replace_waypaths(
        &mut self,
        ground: &Surface,
        waypaths: &[Waypath],
        kept: impl Fn(&PlacedWaypath) -> bool,
    ) {
        let mut all = std::mem::take(&mut self.waypaths.all);
        all.retain_mut(|placed| {
            let Some(new) = waypaths.iter().find(|new| new.name == placed.waypath.name) else {
                return kept(placed);
            };
            if new.points != placed.waypath.points || new.kind != placed.waypath.kind {
                placed.first_jump = self.jump_ids(new);
            }
            placed.waypath.clone_from(new);
            true
        });
        self.waypaths.all = all;
        for new in waypaths {
            if self.waypath_named(&new.name).is_none() {
                self.add_waypath(ground, new.clone());
            }
        }
        self.place_waypaths(ground, None);
    }

    /// Restores the waypaths of a saved world, in the order of ids.
    pub(crate) fn restore_waypaths(
        &mut self,
        ground: &Surface,
        waypaths: impl Iterator<Item = (WaypathId, Waypath, bool, LinkId)>,
        next_id: u32,
    ) {
        let placed = |(id, waypath, available, first_jump)| blank(id, waypath, available, first_jump);
        self.waypaths = Waypaths { all: waypaths.map(placed).collect(), next_id, ..Waypaths::default() };
        self.place_waypaths(ground, None);
    }

    /// Finds the waypoints of one waypath on the ground, or of all.
    fn place_waypaths(&mut self, ground: &Surface, only: Option<WaypathId>) {
        if self.waypaths.all.is_empty() {
            return;
        }
        self.revision += 1;
        let mut open: Option<Surface> = None;
        for placed in self.waypaths.all.iter_mut().filter(|placed| only.is_none_or(|id| placed.id == id)) {
            let points = &placed.waypath.points;
            placed.points = points.iter().map(|point| place_on(ground, &mut open, point.at)).collect();
        }
        self.waypaths.cross();
    }
}

impl Waypaths {
    /// Forgets the waypoints at these places.
    pub(in crate::plan) fn leave_out(&mut self, is_gone: impl Fn(Position) -> bool) {
        let mut all = std::mem::take(&mut self.all);
        for point in all.iter_mut().flat_map(|placed| &mut placed.points) {
            *point = point.filter(|&at| !is_gone(at));
        }
        *self = Self { all, next_id: self.next_id, ..Self::default() };
        self.cross();
    }
}

fn blank(id: WaypathId, waypath: Waypath, available: bool, first_jump: LinkId) -> PlacedWaypath {
    PlacedWaypath { id, waypath, available, points: Vec::new(), first_jump, crossings: Vec::new() }
}
