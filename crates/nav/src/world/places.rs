//! Places by their names.

use super::{LogEntry, World, next_random};
use crate::crowd::{Character, CharacterId};
use crate::nav::{Anchor, AreaId, ClassId, Outcome, Place, Position, Region};
use crate::plan::find_path_within;
use crate::room::Hotspot;
use crate::surface::SearchMemory;

/// A place that was looked up.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct FoundPlace {
    /// Where it is.
    pub at: Position,
    /// The work of finding it, in expansions of a search.
    pub work: u64,
}

/// Number of nodes tested that cost one unit of work.
const NODES_OF_EXPANSION: u64 = 16;

impl World {
    /// The place that a name stands for, as seen from `from`: a point, a character, where a hotspot is used from, or an
    /// area.
    ///
    /// For an area, that is where the shortest path to its nearest point enters it. The nearest point is by straight
    /// line, of the reachable ones. A `from` in the area stands for itself. A closed area has no walkable ground, so
    /// its place is not walkable then.
    pub fn place_from(&self, name: &str, from: Option<Position>) -> Option<Place> {
        self.place_from_in(ClassId::default(), name, from)
    }

    fn place_from_in(&self, class: ClassId, name: &str, from: Option<Position>) -> Option<Place> {
        let in_area = |area| self.place_in_area(class, area, from, u64::MAX);
        self.place_named(name)
            .or_else(|| in_area(self.area_named(name)?).map(|found| self.ground.place_of(found.at)))
    }

    /// The character that clicks move: the first one marked as the player.
    pub fn player(&self) -> Option<&Character> {
        self.characters().iter().find(|character| character.player)
    }

    /// The place to click for a name: on a hotspot, or as [`World::place_from`] has it for the player.
    pub fn place_to_click(&self, name: &str) -> Option<Place> {
        let player = self.player();
        let hotspot = self.hotspot_named(name);
        hotspot.map(Hotspot::place_to_click).or_else(|| {
            let class = player.map_or_else(ClassId::default, |player| player.class);
            self.place_from_in(class, name, player.map(|player| player.position))
        })
    }

    /// The place of an area for a class of walkers, as seen from `from`; see [`World::place_from`]. Spends no more than about `most_work`
    /// expansions; `None` if they do not suffice.
    pub fn place_in_area(
        &self,
        class: ClassId,
        area: AreaId,
        from: Option<Position>,
        most_work: u64,
    ) -> Option<FoundPlace> {
        self.idle.searches.with(|memory| self.search_in_area(class, area, from, most_work, memory))
    }

    fn search_in_area(
        &self,
        class: ClassId,
        area: AreaId,
        from: Option<Position>,
        most_work: u64,
        memory: &mut SearchMemory,
    ) -> Option<FoundPlace> {
        let ground = self.ground_in(class);
        let middle = ground.area_middle(area);
        let here = from.unwrap_or(middle);
        if ground.is_walkable(here) && ground.area_contains(area, here) {
            return Some(FoundPlace { at: here, work: 1 });
        }
        let start = from.and_then(|from| self.anchor_near(class, from));
        let (nearest, looked_at) = ground.nearest_in_area(area, here, start.as_ref());
        let mut work = 1 + looked_at / NODES_OF_EXPANSION;
        let nearest = nearest.unwrap_or(middle);
        let straight = ground.segment_clear(here, nearest);
        if start.is_none() || straight || !ground.is_walkable(nearest) {
            return Some(FoundPlace { at: nearest, work });
        }
        // The nearest point may lie behind a wall, far from the door of the area.
        let query = self.query_in(class, ground.place_of(here), ground.place_of(nearest));
        let path = find_path_within(ground, query, memory, most_work.saturating_sub(work))?;
        work += path.work;
        let entered = (path.outcome == Outcome::Complete)
            .then(|| ground.enters_area(area, here, &path.waypoints))
            .flatten();
        Some(FoundPlace { at: entered.unwrap_or(nearest), work })
    }

    /// A random place in a region, by the random stream of a character or of the room, and the work in expansions;
    /// `None` if it takes more than `most_work`. Every drawn number counts as [`World::random`] counts it.
    pub fn random_place(
        &mut self,
        who: Option<CharacterId>,
        region: &Region,
        most_work: u64,
    ) -> Option<(Option<Position>, u64)> {
        let mut stream = *self.stream_of(who);
        let mut draws = 0;
        let found = self.ground.of(region.class).random_place(region, most_work, || {
            draws += 1;
            next_random(&mut stream)
        });
        *self.stream_of(who) = stream;
        if let Some(command_log) = &mut self.outbox.command_log {
            command_log.extend(std::iter::repeat_n(LogEntry::Drew(who), draws));
        }
        found
    }

    /// Where a character of a class at a place sets out: at its own node, or the nearest one within the snapping distance.
    pub fn anchor_near(&self, class: ClassId, place: Position) -> Option<Anchor> {
        self.ground_in(class).node_anchor(place, self.settings().snap_distance_m)
    }

    /// What can be named as a place in this room, in words.
    pub fn kinds_of_places(&self) -> &'static str {
        match (self.room.hotspots.is_empty(), self.room.areas.is_empty()) {
            (true, true) => "point or character",
            (true, false) => "point, character or area",
            (false, true) => "point, character or hotspot",
            (false, false) => "point, character, hotspot or area",
        }
    }
}
