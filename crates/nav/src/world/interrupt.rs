//! Errands that are interrupted, and resumed where they were.

use super::{Applied, CommandError, EventKind, World};
use crate::crowd::{CharacterId, Purpose, SetAside, SetAsideWalk, Walk, WalkEnd, WalkGoal, WalkId};
use crate::nav::Corridor;

/// Upper limit on the interrupted errands of one character, one within the other.
pub const MAX_SET_ASIDE: usize = 100;

impl World {
    /// Interrupts a character's walk, following or turn: its end is not reported, and the character stands. Steering ends
    /// for good: a direction from before a scene would be a surprise after it.
    pub(super) fn interrupt(&mut self, who: CharacterId) -> Result<Applied, CommandError> {
        let since_tick = self.tick;
        let character = self.present(who)?;
        if character.set_aside.len() >= MAX_SET_ASIDE {
            return Err(CommandError::TooDeep);
        }
        self.end_steering(who);
        let character = self.present(who)?;
        let (following, turn) = (character.following.take(), character.turn.take());
        let walk = self.drop_walk(who).filter(|walk| walk.purpose == Purpose::Errand && following.is_none());
        let walk = walk.map(|Walk { id, began_tick, goal, .. }| SetAsideWalk { id, began_tick, goal });
        let character = self.present(who)?;
        let last_errand = character.last_errand;
        character.set_aside.push(SetAside { since_tick, walk, following, turn, last_errand });
        Ok(Applied::Done)
    }

    /// Resumes the interrupted task. The character's task meanwhile is cancelled for it, and continues if no task was
    /// interrupted.
    pub(super) fn resume(&mut self, who: CharacterId, level: usize) -> Result<Applied, CommandError> {
        let character = self.present(who)?;
        if level + 1 < character.set_aside.len() {
            // A later interruption has the character. The task of the one that is over was set aside there.
            let between = character.set_aside.remove(level + 1);
            self.drop_aside(who, between, WalkEnd::Cancelled);
            return Ok(Applied::Changed(true));
        }
        let Some(last) = character.set_aside.get(level) else { return Ok(Applied::Changed(false)) };
        if last.walk.is_some() || last.following.is_some() || last.turn.is_some() {
            self.call_off(who, WalkEnd::Cancelled);
        }
        let tick = self.tick;
        let character = self.present(who)?;
        let Some(aside) = character.set_aside.pop() else { return Ok(Applied::Changed(false)) };
        // A walk that a scene began may go on, but it is not the character's own errand.
        character.last_errand = aside.last_errand;
        if !character.is_active() {
            self.drop_aside(who, aside, WalkEnd::Cancelled);
            return Ok(Applied::Changed(true));
        }
        let SetAside { since_tick, walk, following, turn, .. } = aside;
        // The time in between does not count.
        let paused = tick - since_tick;
        if turn.is_some() {
            character.turn = turn;
        }
        if let Some(mut following) = following {
            following.began_tick += paused;
            (following.rests_from_tick, following.in_vain) = (tick, 0);
            character.following = Some(following);
            self.followers.insert(who);
        }
        if let Some(walk) = walk {
            self.set_out_again(who, walk, paused);
        }
        Ok(Applied::Changed(true))
    }

    /// Sends a character on its interrupted walk again.
    fn set_out_again(&mut self, who: CharacterId, aside: SetAsideWalk, paused: u64) {
        let reached_m = self.settings().waypoint_reached_m;
        let other = aside.goal.up_to.and_then(|other| self.characters.get(other));
        let to = other.map_or(aside.goal.place, |other| self.ground.place_of(other.position));
        let there = self.ground.locate(to);
        let Some(character) = self.characters.get_mut(who) else { return };
        let is_ground = self.ground.of(character.class).is_walkable(there);
        let position = character.position;
        let mut walk = Walk::new(aside.id, Purpose::Errand, to);
        walk.began_tick = aside.began_tick + paused;
        walk.goal = WalkGoal { place: to, ..aside.goal };
        let is_near = position.distance(there) <= reached_m && self.ground.floors_touch(position, there);
        let there = is_near && is_ground;
        if there {
            walk.take_path(position, Corridor::new(vec![position]), false);
        }
        let goes_up_to_somebody = walk.goal.up_to.is_some();
        character.walk = Some(walk);
        if goes_up_to_somebody {
            self.followers.insert(who);
        }
        if !there {
            self.ask_for_path(who, None);
        }
    }

    /// Ends an interrupted walk, following or turn. Returns whether there was one of this number.
    pub(super) fn stop_aside(&mut self, who: CharacterId, walk: WalkId, end: &WalkEnd) -> bool {
        let since = self.tick;
        let Some(character) = self.characters.get_mut(who) else { return false };
        let is_meant = |aside: &SetAside| {
            aside.walk.as_ref().is_some_and(|it| it.id == walk)
                || aside.following.as_ref().is_some_and(|it| it.id == walk)
                || aside.turn.is_some_and(|it| it.id == walk)
        };
        let Some(place) = character.set_aside.iter().position(is_meant) else { return false };
        // Its entry stays: each scene resumes its own interruption.
        let last_errand = character.set_aside[place].last_errand;
        let nothing = SetAside { since_tick: since, walk: None, following: None, turn: None, last_errand };
        let aside = std::mem::replace(&mut character.set_aside[place], nothing);
        self.drop_aside(who, aside, end.clone());
        true
    }

    /// Ends all interrupted tasks of a character.
    pub(super) fn drop_all_aside(&mut self, who: CharacterId, end: &WalkEnd) {
        let all = self.characters.get_mut(who).map(|character| std::mem::take(&mut character.set_aside));
        for aside in all.into_iter().flatten().rev() {
            self.drop_aside(who, aside, end.clone());
        }
    }

    /// Ends an interrupted task and reports its end.
    fn drop_aside(&mut self, who: CharacterId, aside: SetAside, end: WalkEnd) {
        let paused = self.tick - aside.since_tick;
        if let Some(walk) = aside.walk {
            self.tell_end(who, walk.id, walk.goal.place, walk.began_tick + paused, end.clone());
        }
        if let Some(following) = aside.following {
            let other_at = self.ground.place_of(following.other_at);
            self.tell_end(who, following.id, other_at, following.began_tick + paused, end.clone());
        }
        if let Some(turn) = aside.turn {
            self.emit(EventKind::Turned { who, turn: turn.id, end });
        }
    }
}
