//! Arriving by touch: see `crowd/sharing.rs`.

use super::World;
use crate::crowd::{
    ArrivedCrowd, CROWD_REACH_M, Character, CharacterId, GAP_M, LastWalk, Purpose, WalkEnd, arrival,
    sharable_walk,
};
use crate::nav::{Place, Position};

/// A walker checks this often whether it has arrived by touch, in seconds.
const LOOK_EVERY_S: f64 = 0.1;

/// A walker without progress for this long is held up, in seconds.
const HELD_UP_AFTER_S: f64 = 0.5;

/// How far characters may have moved since their places were indexed in this tick, in metres.
const MOVED_M: f64 = 0.3;

/// Two places nearer than this to each other are one, in metres.
const SAME_PLACE_M: f64 = 1e-3;

impl World {
    /// Ends the walks of those that touch somebody who has arrived at the same place. The checks are spread over several
    /// ticks by the ids.
    pub(super) fn share_goals(&mut self) {
        let every = self.ticks_of(LOOK_EVERY_S);
        let room_shares = self.settings().shares_goals;
        let mut widest_m = None;
        let mut arrived = Vec::new();
        let mut near = std::mem::take(&mut self.scratch.near);
        for place in 0..self.near.agents.rows.len() {
            let row = &self.near.agents.rows[place];
            if row.standing || !row.active || !(self.tick + u64::from(row.id.0)).is_multiple_of(every) {
                continue;
            }
            let Some(walker) = self.characters.all().get(place) else { continue };
            let Some(walk) = sharable_walk(walker, room_shares) else { continue };
            let own_end = walk.give_way.is_none().then(|| walk.corridor.end()).flatten();
            let goal = own_end.unwrap_or_else(|| self.ground.locate(walk.goal.place));
            if walker.position.distance(goal) > CROWD_REACH_M || walk.corridor.next_link().is_some() {
                continue;
            }
            let radius_m = walker.collision_radius_m;
            let widest_m = *widest_m.get_or_insert_with(|| {
                self.near.agents.rows.iter().map(|row| row.radius_m).fold(0.0, f64::max)
            });
            let who = walker.id;
            let reach_m = radius_m + widest_m + GAP_M + MOVED_M;
            near.clear();
            near.extend(self.near.bystanders.within(walker.position.at, reach_m).filter(|&id| id != who));
            if let Some(end) = self.end_by_touch(who, goal, &near) {
                arrived.push((who, end));
            }
        }
        self.scratch.near = near;
        for (who, end) in arrived {
            self.end_walk(who, end);
        }
    }

    /// The present errand of a character must end at the very place, and there it looks at a point.
    pub(super) fn walk_exactly(&mut self, who: CharacterId, look_at: Option<Place>) {
        let walk = self.characters.get_mut(who).and_then(|character| character.walk.as_mut());
        if let Some(walk) = walk.filter(|walk| walk.purpose == Purpose::Errand) {
            (walk.goal.exact, walk.goal.look_at) = (true, look_at);
        }
    }

    /// How a walk ends because the walker touches one of those `near`.
    fn end_by_touch(&mut self, who: CharacterId, goal: Position, near: &[CharacterId]) -> Option<WalkEnd> {
        let walker = self.characters.get(who)?;
        let touched = near.iter().filter_map(|&id| self.characters.get(id));
        let touched = touched.filter(|other| {
            let reach_m = walker.collision_radius_m + other.collision_radius_m + GAP_M;
            walker.position.distance(other.position) <= reach_m
        });
        let end = touched.filter_map(|other| {
            let last = self.arrived_with(walker, other)?;
            // Not through a wall, and not on another storey.
            let is_in_sight = self.ground.floors_touch(walker.position, other.position)
                && self.ground_of(walker).segment_clear(walker.position, other.position);
            is_in_sight.then(|| last.end.clone())
        });
        let end = end.min()?;
        if self.is_waypoint(goal) {
            return None;
        }
        let distance_m = walker.position.distance(goal);
        let all: Vec<CharacterId> = self.near.bystanders.within(goal.at, distance_m + MOVED_M).collect();
        let walker = self.characters.get(who)?;
        let mut crowd = ArrivedCrowd::default();
        for other in all.into_iter().filter_map(|id| self.characters.get(id)) {
            let is_nearer = other.position.distance(goal) <= distance_m;
            if is_nearer && self.arrived_with(walker, other).is_some() {
                crowd.add(other.collision_radius_m);
            }
        }
        let idle_ticks = walker.walk.as_ref()?.progress.idle_ticks;
        let is_held_up = u64::from(idle_ticks) >= self.ticks_of(HELD_UP_AFTER_S);
        crowd.reaches(distance_m, walker.collision_radius_m, is_held_up).then_some(end)
    }

    /// The last walk of a character that has arrived where a walker wants to go, or has got as near to it as the walker
    /// can.
    fn arrived_with<'a>(&self, walker: &Character, other: &'a Character) -> Option<&'a LastWalk> {
        let (walk, last) = (walker.walk.as_ref()?, arrival(other)?);
        let is_same = walk.goal.place.distance(last.requested) <= self.settings().target_replan_threshold_m
            && self.ground.floors_touch(walk.goal.place, last.requested);
        (is_same && (last.end == WalkEnd::Partial) == walk.partial).then_some(last)
    }

    /// Whether a waypoint is there: it may make the walker do something.
    fn is_waypoint(&self, goal: Position) -> bool {
        let mut points = self.links.waypaths().iter().flat_map(|placed| placed.points.iter().flatten());
        points.any(|at| at.distance(goal) <= SAME_PLACE_M && self.ground.floors_touch(*at, goal))
    }
}
