//! Rights of way: who passes where two sides meet, and for how long.

use super::World;
use crate::crowd::{
    Character, CharacterId, HOLDS_BACK_M, Passage, RIGHT_OF_WAY_M, RightOfWay, go_along, way_ahead, yields,
};
use crate::nav::Position;
use crate::room::Avoidance;
use glam::DVec2;

/// A walker that lets a flow pass, and is still in its way after this long, is sent to a waiting place, in seconds.
const FINDS_NO_ROOM_AFTER_S: f64 = 4.0;

/// The flow of walkers that look ahead begins with the last one within this distance of the spot, in metres. Longer flows
/// take too many people with them at wide doors.
const FLOW_BEGINS_WITHIN_M: f64 = 1.5;

/// Walkers against a right of way are sent to waiting places this often.
const TOLD_EVERY_S: f64 = 0.25;

impl World {
    /// Tells walkers that steer what the rights of way near them mean.
    pub(super) fn tell_passages(&mut self) {
        for right in &self.yields.rights_of_way {
            for who in self.near.bystanders.around(right.at.at, HOLDS_BACK_M) {
                let Some(place) = self.characters.place_of(who) else { continue };
                let walker = &self.characters.all()[place];
                let row = &mut self.near.agents.rows[place];
                if row.looks_ahead
                    && row.passage == Passage::Free
                    && walker.position.distance(right.at) <= HOLDS_BACK_M
                    && self.ground.floors_touch(walker.position, right.at)
                {
                    row.passage = right.passage(walker, self.ground.of(walker.class));
                }
            }
        }
    }

    /// Whether a character steers round others, if it can.
    pub(super) fn looks_ahead(&self, character: &Character) -> bool {
        character.avoidance.unwrap_or(self.room.crowd.avoidance) == Avoidance::Steer
    }

    /// Whether a character lets a flow pass, but has no room to step aside.
    fn is_trapped(&self, character: &Character) -> bool {
        let place = self.characters.place_of(character.id);
        let row = place.and_then(|place| self.near.agents.rows.get(place));
        let in_the_way_ticks = character.motion.as_ref().map_or(0, |motion| motion.in_the_way_ticks);
        let is_late = u64::from(in_the_way_ticks) > self.ticks_of(FINDS_NO_ROOM_AFTER_S);
        is_late || row.is_some_and(|row| row.passage == Passage::Trapped)
    }

    /// Two walkers that steer are stuck against each other: one of them gets the right of way.
    pub(super) fn settle_who_passes(&mut self, walker: CharacterId, by: CharacterId) {
        let (Some(one), Some(other)) = (self.characters.get(walker), self.characters.get(by)) else { return };
        if one.walk.is_none() || other.walk.is_none() || go_along(one, other) {
            return;
        }
        let at = Position { at: one.position.at.midpoint(other.position.at), ..one.position };
        let first = if yields(one, other, None) { by } else { walker };
        self.grant(first, at);
    }

    /// Gives a walker, and all that go along, the right of way at a spot, unless one holds there already.
    pub(super) fn grant(&mut self, who: CharacterId, at: Position) {
        if self.rights_of_way_at(at).next().is_some() {
            return;
        }
        let Some(flow) = self.characters.get(who).map(way_ahead) else { return };
        self.yields.rights_of_way.push(RightOfWay { at, flow, since_tick: self.tick });
    }

    /// The rights of way that hold at a position.
    pub(super) fn rights_of_way_at(&self, at: Position) -> impl Iterator<Item = &RightOfWay> {
        let near = move |right: &&RightOfWay| right.at.distance(at) <= RIGHT_OF_WAY_M;
        self.yields
            .rights_of_way
            .iter()
            .filter(near)
            .filter(move |right| self.ground.floors_touch(right.at, at))
    }

    /// Updates the rights of way. Without them, two crowds at a door would mingle and lock. So all walkers in one
    /// direction pass together, while those against it give way at once. A right ends when no walker is left to pass,
    /// and turns round when others have waited long enough.
    pub(super) fn watch_rights_of_way(&mut self) {
        let mut rights = std::mem::take(&mut self.yields.rights_of_way);
        let mut near = std::mem::take(&mut self.scratch.near);
        rights.retain_mut(|right| {
            near.clear();
            near.extend(self.near.bystanders.around(right.at.at, RIGHT_OF_WAY_M));
            near.retain(|&id| {
                let walker = self.characters.get(id);
                walker.is_some_and(|walker| self.ground.floors_touch(walker.position, right.at))
            });
            self.watch_right_of_way(right, &near)
        });
        self.yields.rights_of_way = rights;
        self.scratch.near = near;
    }

    /// Updates a right of way with regard to those near it. Returns whether it still holds.
    fn watch_right_of_way(&mut self, right: &mut RightOfWay, near: &[CharacterId]) -> bool {
        let patience = self.ticks_of(self.settings().stuck_blocked_after_s);
        let now = self.tick.is_multiple_of(self.ticks_of(TOLD_EVERY_S));
        let walkers = || near.iter().filter_map(|&id| self.characters.get(id));
        let Some(first) = walkers().find(|walker| right.concerns(walker) > 0).map(|walker| walker.id) else {
            return false;
        };
        let is_late = self.tick > right.since_tick + patience;
        // The player goes first.
        let player = walkers().find(|c| c.player && right.concerns(c) < 0).map(way_ahead);
        let held_back = || if is_late { self.held_back(right, walkers()) } else { None };
        if let Some(flow) = player.or_else(held_back) {
            right.flow = flow;
            right.since_tick = self.tick;
            return true;
        }
        if !now {
            return true;
        }
        self.follow_last(right, walkers());
        let against: Vec<CharacterId> = walkers()
            .filter(|walker| !walker.player && right.concerns(walker) < 0)
            .filter(|walker| !self.looks_ahead(walker) || self.is_trapped(walker))
            .map(|walker| walker.id)
            .collect();
        for who in against {
            // One that has nowhere to go, as in a corridor, goes first if the other one has.
            let looks_ahead = self.characters.get(who).is_some_and(|trapped| self.looks_ahead(trapped));
            if !looks_ahead {
                self.send_to_waiting_place(who, first);
            } else if self.send_one(who, first) == Some(first) {
                right.flow = self.characters.get(who).map(way_ahead).unwrap_or_default();
                right.since_tick = self.tick;
                break;
            }
        }
        true
    }

    /// The path of one that a right of way holds back.
    fn held_back<'a>(
        &self,
        right: &RightOfWay,
        near: impl Iterator<Item = &'a Character> + Clone,
    ) -> Option<Vec<DVec2>> {
        let waiting = near.clone().filter_map(|c| c.walk.as_ref()?.give_way.as_ref());
        let held = waiting.filter(|way| way.waiting).find(|way| right.holds_back(way));
        held.map(|way| way.wanted.clone()).or_else(|| {
            let mut near = near;
            near.find(|c| self.looks_ahead(c) && right.concerns(c) < 0).map(way_ahead)
        })
    }

    /// Lets the flow be the path of the last of the walkers that look ahead and are about to pass the spot with it. Others
    /// must not get between them.
    fn follow_last<'a>(&self, right: &mut RightOfWay, near: impl Iterator<Item = &'a Character>) {
        let at = right.at;
        let off_m = |walker: &Character| walker.position.distance(at);
        let with = near.filter(|walker| self.looks_ahead(walker) && right.concerns(walker) > 0);
        let with = with.filter(|walker| off_m(walker) < FLOW_BEGINS_WITHIN_M);
        let last = with.max_by(|one, other| off_m(one).total_cmp(&off_m(other)));
        if let Some((last, walk)) = last.and_then(|last| Some((last, last.walk.as_ref()?))) {
            right.flow.clear();
            right.flow.extend(walk.corridor.line_ahead(last.position, off_m(last) + HOLDS_BACK_M));
        }
    }
}
