//! The links of a room as paths use them: placed on the ground, with their costs, and routes over them.

mod dead_ends;
mod joined;
mod leg_costs;
mod placed_link;
mod rests;
mod route;
mod usable;

pub(super) use self::placed_link::place_on;
pub use self::placed_link::{PlacedLink, end_off_ground};
pub(super) use self::route::Route;

use self::leg_costs::LegCosts;
use self::route::SAME_M;
use self::usable::UsableLists;
use super::waypaths::{WaypathPart, Waypaths};
use crate::nav::{LinkId, LinkWay, Position};
use crate::room::{Link, Waypath};
use crate::surface::Surface;

/// How far from an end of a link the ground may be, in metres.
pub const LINK_SNAP_M: f64 = 1.0;

/// All links and waypaths of a room, and what is known of the ground between them.
#[derive(Debug, Clone, Default)]
pub struct LinkNet {
    links: Vec<PlacedLink>,
    pub(in crate::plan) waypaths: Waypaths,
    pub(in crate::plan) next_id: u32,
    pub(in crate::plan) revision: u64,
    costs: LegCosts,
    usable: UsableLists,
}

/// One direction of a link that a walker may use, or of a part of a waypath.
#[derive(Debug, Clone, Copy)]
pub(in crate::plan) struct Way {
    pub over: Over,
    pub entry: Position,
    pub exit: Position,
    pub cost_m: f64,
}

/// What a way leads over.
#[derive(Debug, Clone, Copy)]
pub(in crate::plan) enum Over {
    /// A link.
    Link(LinkWay),
    /// A part of a waypath.
    Waypath(WaypathPart),
}

impl Way {
    /// The link that it leads over, if it is one.
    fn link(&self) -> Option<LinkWay> {
        match self.over {
            Over::Link(way) => Some(way),
            Over::Waypath(_) => None,
        }
    }

    /// The jump of a waypath that it leads over, if it is one.
    fn jump(&self) -> Option<LinkWay> {
        match self.over {
            Over::Link(_) => None,
            Over::Waypath(part) => part.jump,
        }
    }

    /// Whether it is part of a waypath.
    fn is_part(&self) -> bool {
        matches!(self.over, Over::Waypath(_))
    }

    /// Whether it is cheaper than a straight walk from its entry to its exit.
    fn is_fast(&self, ground: &Surface) -> bool {
        self.cost_m < ground.least_cost_m(self.entry, self.exit) - SAME_M
    }

    /// Whether it leads back over the same link, or along the same part of a waypath.
    fn is_back_over(&self, other: &Self) -> bool {
        match (self.link(), other.link()) {
            (Some(way), Some(other)) => way.link == other.link,
            (None, None) => self.entry == other.exit && self.exit == other.entry,
            _ => false,
        }
    }
}

impl LinkNet {
    /// The links of a room, numbered in their order.
    pub fn new(ground: &Surface, links: &[Link]) -> Self {
        let mut net = Self::default();
        net.extend(ground, links);
        net
    }

    /// The links and the waypaths of a room, numbered in their order.
    pub fn with_waypaths(ground: &Surface, links: &[Link], waypaths: &[Waypath]) -> Self {
        let mut net = Self::new(ground, links);
        for waypath in waypaths {
            net.add_waypath(ground, waypath.clone());
        }
        net
    }

    /// Whether there are neither links nor waypaths.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty() && self.waypaths.all().is_empty()
    }

    /// All links, in the order in which they were added.
    pub fn links(&self) -> &[PlacedLink] {
        &self.links
    }

    /// The link with this id.
    pub fn get(&self, id: LinkId) -> Option<&PlacedLink> {
        // Ids ascend in the list.
        self.links.binary_search_by_key(&id, |placed| placed.id).ok().map(|index| &self.links[index])
    }

    /// The link with this name.
    pub fn named(&self, name: &str) -> Option<&PlacedLink> {
        self.links.iter().find(|placed| placed.link.name == name)
    }

    /// Whether an open link is cheaper than the straight line between its ends, as a teleport is. If not, the straight
    /// line to a place is a lower bound of the cost of going there.
    pub(crate) fn has_shortcuts(&self) -> bool {
        self.links.iter().any(|placed| placed.available && placed.cost_m < placed.length_m)
    }

    /// The number of changes of links so far.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The id of the next link.
    pub fn next_id(&self) -> u32 {
        self.next_id
    }

    /// Takes an id for a jump without a link.
    pub(crate) fn take_id(&mut self) -> LinkId {
        self.next_id += 1;
        LinkId(self.next_id - 1)
    }

    /// Adds a link. Its name must be free.
    pub(crate) fn add(&mut self, ground: &Surface, link: Link) -> LinkId {
        let before = self.links.len();
        self.extend(ground, std::slice::from_ref(&link));
        self.links[before].id
    }

    fn extend(&mut self, ground: &Surface, links: &[Link]) {
        let first = self.links.len();
        for link in links {
            let id = LinkId(self.next_id);
            self.next_id += 1;
            self.links.push(PlacedLink {
                id,
                link: link.clone(),
                available: link.available,
                ends: None,
                length_m: 0.0,
                cost_m: 0.0,
            });
        }
        self.place(ground, first);
    }

    /// Removes a link.
    pub(crate) fn remove(&mut self, id: LinkId) -> Option<PlacedLink> {
        let index = self.links.iter().position(|placed| placed.id == id)?;
        self.revision += 1;
        self.costs.forget(id);
        Some(self.links.remove(index))
    }

    /// Opens or closes a link. Returns whether anything changed.
    pub(crate) fn set_available(&mut self, id: LinkId, available: bool) -> bool {
        let Some(placed) = self.links.iter_mut().find(|placed| placed.id == id) else { return false };
        let changed = placed.available != available;
        placed.available = available;
        self.revision += u64::from(changed);
        changed
    }

    /// Opens a link for everybody, for explanations.
    pub(in crate::plan) fn open_for_all(&mut self, index: usize) {
        let placed = &mut self.links[index];
        placed.available = true;
        placed.link.tags.clear();
        placed.link.never.clear();
        self.revision += 1;
    }

    /// Takes the links of a changed room. Links of the same name keep their ids, and stay open or closed as in the game.
    /// Those that are in `kept` stay, although the room has none of their names.
    pub(crate) fn replace(&mut self, ground: &Surface, links: &[Link], kept: impl Fn(&PlacedLink) -> bool) {
        let is_new = |link: &&Link| self.named(&link.name).is_none();
        let new: Vec<Link> = links.iter().filter(is_new).cloned().collect();
        self.links.retain_mut(|placed| match links.iter().find(|link| link.name == placed.link.name) {
            Some(link) => {
                placed.link.clone_from(link);
                true
            }
            None => kept(placed),
        });
        self.costs = LegCosts::default();
        self.extend(ground, &new);
        self.place(ground, 0);
    }

    /// The same links and waypaths for walkers who have other ground: those with an end where it is none lead nowhere for
    /// them.
    pub(in crate::plan) fn on_other_ground(&self, ground: &Surface) -> Self {
        let mut net = Self { costs: LegCosts::default(), usable: UsableLists::default(), ..self.clone() };
        let open = ground.with_all_open();
        let is_ground = |at: &Position| ground.is_walkable(*at) || open.is_walkable(*at);
        for placed in &mut net.links {
            placed.ends = placed.ends.filter(|ends| ends.iter().all(is_ground));
        }
        net.waypaths.leave_out(|at| !is_ground(&at));
        net
    }

    /// Restores the links of a saved world: ids and availability, in the order of ids.
    pub(crate) fn restore(ground: &Surface, links: Vec<(LinkId, Link, bool)>, next_id: u32) -> Self {
        let mut net = Self { next_id, ..Self::default() };
        let placed = |(id, link, available)| PlacedLink {
            id,
            link,
            available,
            ends: None,
            length_m: 0.0,
            cost_m: 0.0,
        };
        net.links = links.into_iter().map(placed).collect();
        net.place(ground, 0);
        net
    }
}
