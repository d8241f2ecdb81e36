//! Questions about paths. They change nothing: their scratch space is their own, so they can be asked while the world is
//! read, and in several threads at once.

use super::World;
use super::goals::move_to_own_side;
use crate::crowd::CharacterId;
use crate::nav::{ClassId, Outcome, Path, Place, Query};
use crate::plan::{Explanation, LinkNet, TooDear, explain_route, find_route, find_route_within};
use crate::surface::{SearchMemory, Surface};

impl World {
    /// Plans a path right now, ignoring characters in the way.
    pub fn find_path(&self, from: impl Into<Place>, to: impl Into<Place>) -> Path {
        let query = self.plain_query(from, to);
        self.idle.searches.with(|memory| find_route(&self.ground, &self.links, query, memory))
    }

    /// [`World::find_path`], giving up with `None` after `most` expansions.
    pub fn find_path_within(&self, from: impl Into<Place>, to: impl Into<Place>, most: u64) -> Option<Path> {
        let query = self.plain_query(from, to);
        self.answer(query, most)
    }

    /// The ground and the links of a class.
    fn searched(&self, class: ClassId) -> (&Surface, &LinkNet) {
        (self.ground_in(class), self.links_in(class))
    }

    /// The ground and the links of a character's class.
    pub(super) fn searched_by(&self, who: CharacterId) -> (&Surface, &LinkNet) {
        self.searched(self.class_of(who))
    }

    /// A query between two places, for whatever walks there.
    pub fn plain_query(&self, from: impl Into<Place>, to: impl Into<Place>) -> Query {
        self.query_in(ClassId::default(), from, to)
    }

    /// A query between two places, for a walker of a class.
    pub fn query_in(&self, class: ClassId, from: impl Into<Place>, to: impl Into<Place>) -> Query {
        let query = Query::new(from, to).with_snap_m(self.settings().snap_distance_m);
        self.on_its_side(query.with_class(class))
    }

    /// The query with its goal on the own side of the place asked for: see [`Query::asked`].
    fn on_its_side(&self, mut query: Query) -> Query {
        let (ground, net) = self.searched(query.class);
        self.idle.searches.with(|memory| move_to_own_side(ground, net, &mut query, memory));
        query
    }

    /// The same query with another snap distance. `same_side`: whether its goal may only be moved to its own side of a wall
    /// (`None`: if there is ground within the distance; false: to whichever side is nearest). `None` if there is no ground
    /// where it may be moved to.
    pub fn snapped(&self, query: Query, snap_m: f64, same_side: Option<bool>) -> Option<Query> {
        let asked = query.asked.unwrap_or(query.to);
        let mut query = Query { to: asked, asked: None, ..query }.with_snap_m(snap_m);
        let (ground, net) = self.searched(query.class);
        let own = same_side == Some(false)
            || self.idle.searches.with(|memory| move_to_own_side(ground, net, &mut query, memory));
        (own || same_side.is_none()).then_some(query)
    }

    /// Whether a path answers a query, and the work of finding out. `None` if `most` expansions do not tell.
    pub fn can_reach(&self, query: Query, most: u64) -> (Option<bool>, u64) {
        let (ground, net) = self.searched(query.class);
        let ends = [query.from, query.to].map(|place| ground.anchor(place, query.snap_m));
        let ([Some(from), Some(to)], true) = (ends, ground.is_at_a_floor(query.to)) else {
            return (Some(false), 1);
        };
        if ground.surely_reaches(from.at, to.at) {
            return (Some(true), 1);
        }
        if net.is_empty() && ground.never_reaches(from.at, to.at) {
            return (Some(false), 1);
        }
        match self.answer(query, most) {
            Some(path) => (Some(path.outcome == Outcome::Complete), path.work),
            None => (None, most),
        }
    }

    /// A query from where a character stands: its tags decide which links and waypaths it may use. `None` if it is not
    /// in the room.
    pub fn query_of(&self, walker: CharacterId, to: impl Into<Place>) -> Option<Query> {
        let walker = self.characters.get(walker)?;
        let floor = self.ground.floor_of(walker.position);
        let query = self.query_in(walker.class, self.ground.place_of(walker.position), to);
        Some(query.with_from_floor(floor).with_tags(walker.tags.clone()))
    }

    /// The path that answers a query: round its obstacles if a path leads round them all, else through them. Gives up
    /// with `None` after `most` expansions.
    pub fn answer(&self, query: Query, most: u64) -> Option<Path> {
        let (ground, net) = self.searched(query.class);
        self.idle.searches.with(|memory| find_route_within(ground, net, query, memory, most))
    }

    /// Plans a path right now, as for a walk from `from`: round standing characters, else through them, else as near as
    /// possible. `walker` is not in its own way. Gives up with `None` after `most` expansions.
    pub fn find_path_to_nearest(
        &self,
        from: impl Into<Place>,
        to: impl Into<Place>,
        walker: Option<CharacterId>,
        most: u64,
    ) -> Option<Path> {
        let settings = self.room.crowd;
        let character = walker.and_then(|walker| self.characters.get(walker));
        let own_radius_m = character.map_or(self.room.ground.agent_radius_m, |c| c.collision_radius_m);
        let tags = character.map_or_else(Vec::new, |character| character.tags.clone());
        let class = character.map_or_else(ClassId::default, |character| character.class);
        let query = self.query_in(class, from, to).with_tags(tags);
        let line = (query.from.at, query.to.at);
        let obstacles = self.idle.onlookers.with(|bystanders| {
            bystanders.look(self.characters.all(), &settings);
            bystanders.in_the_way([walker, None], own_radius_m, line, &settings, false).to_vec()
        });
        self.answer(query.with_obstacles(obstacles), most)
    }

    /// Explains what is between two places: closed areas, obstacles, a width. Standing characters are ignored.
    ///
    /// # Errors
    /// [`TooDear`] if that would cost more than `most_work` expansions.
    pub fn explain_path(
        &self,
        from: impl Into<Place>,
        to: impl Into<Place>,
        most_work: u64,
    ) -> Result<Explanation, TooDear> {
        let query = self.plain_query(from, to);
        self.explain(&query, most_work)
    }

    /// [`World::explain_path`] for a query, such as [`World::query_of`] a character.
    ///
    /// # Errors
    /// The same.
    pub fn explain(&self, query: &Query, most_work: u64) -> Result<Explanation, TooDear> {
        let (ground, net) = self.searched(query.class);
        let search = |memory: &mut SearchMemory| explain_route(ground, net, query, memory, most_work);
        let mut explanation = self.idle.searches.with(search)?;
        explanation.tell_barred(|area| !self.ground.is_barred(query.class, area));
        Ok(explanation)
    }
}
