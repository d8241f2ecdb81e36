//! Following a character: a series of walks, and standing near it in between.

use super::{Applied, CommandError, World};
use crate::crowd::{Character, CharacterId, Following, Purpose, Walk, WalkEnd};
use crate::nav::{Corridor, Position};

/// The longest distance to follow at, in metres.
pub const MAX_FOLLOW_M: f64 = 1000.0;

/// A follower that was near, and is pushed away within this time, waits before it comes back.
const PUSHED_WITHIN_S: f64 = 5.0;

/// A follower without progress for this long stays where it is, if it may.
const SETTLES_AFTER_S: f64 = 0.5;

impl World {
    /// Begins to follow a character, or continues at another distance.
    pub(super) fn follow(
        &mut self,
        who: CharacterId,
        other: CharacterId,
        near_m: f64,
        beside: bool,
    ) -> Result<Applied, CommandError> {
        if who == other {
            return Err(CommandError::Oneself);
        }
        if !(0.0..=MAX_FOLLOW_M).contains(&near_m) {
            let message = format!("distance must be from 0 to {MAX_FOLLOW_M} m, not {near_m}");
            return Err(CommandError::BadNumber(message));
        }
        let other_at = self.present(other)?.position;
        let character = self.present(who)?;
        if let Some(following) = character.following.as_mut().filter(|following| following.who == other) {
            (following.near_m, following.beside) = (near_m, beside);
            return Ok(Applied::Walking(following.id));
        }
        let active = character.is_active();
        self.call_off(who, WalkEnd::Cancelled);
        let (id, tick) = (self.next_walk_id(), self.tick);
        let character = self.present(who)?;
        character.last_errand = Some(id);
        character.following = Some(Box::new(Following {
            id,
            who: other,
            near_m,
            began_tick: tick,
            other_at,
            rests_from_tick: tick,
            in_vain: 0,
            beside,
        }));
        self.followers.insert(who);
        if !active {
            self.call_off(who, WalkEnd::Cancelled);
        }
        Ok(Applied::Walking(id))
    }

    /// Sends followers after characters that moved on, and ends the following of characters that are gone, dead or
    /// disabled.
    pub(super) fn keep_up(&mut self) {
        let moved_m = self.settings().target_replan_threshold_m;
        let moment = self.ticks_of(self.settings().replan_cooldown_s);
        let (mut alone, mut behind) = (Vec::new(), Vec::new());
        let characters = &self.characters;
        self.followers.retain(|&who| characters.get(who).is_some_and(Character::has_target_character));
        for character in self.followers.iter().filter_map(|&who| self.characters.get(who)) {
            let Some(following) = &character.following else { continue };
            let Some(other) = self.characters.get(following.who).filter(|other| other.is_active()) else {
                alone.push(character.id);
                continue;
            };
            let goes = character.walk.is_none()
                && character.walk_speed_mps > 0.0
                && (following.sets_out_with(character, other)
                    || !following.is_near(character, other, &self.ground))
                && following.tries_again(other.position, self.tick, moved_m, moment);
            if goes {
                behind.push((character.id, other.position));
            }
        }
        for who in alone {
            self.call_off(who, WalkEnd::Cancelled);
        }
        for (who, to) in behind {
            self.go_after(who, to, moved_m);
        }
    }

    fn go_after(&mut self, who: CharacterId, to: Position, moved_m: f64) {
        self.end_turn(who, WalkEnd::Cancelled);
        let (began_tick, soon) = (self.tick, self.ticks_of(PUSHED_WITHIN_S));
        let Some(character) = self.characters.get_mut(who) else { return };
        let Some(following) = &mut character.following else { return };
        if following.other_at.distance(to) > moved_m || !self.ground.floors_touch(following.other_at, to) {
            following.in_vain = 0;
        } else if following.in_vain == 0
            && following.rests_from_tick > following.began_tick
            && began_tick - following.rests_from_tick < soon
        {
            // In a cramped place two may push each other away for ever: the pause doubles, as after failed walks.
            following.in_vain = 1;
        }
        following.other_at = to;
        let up_to = Some(following.who);
        let to = self.ground.place_of(to);
        let walk = character.walk.insert(Walk::new(following.id, Purpose::Errand, to));
        (walk.goal.up_to, walk.began_tick) = (up_to, began_tick);
        self.ask_for_path(who, None);
    }

    /// A follower that stands has an errand again, so that it can yield, and comes back afterwards.
    pub(super) fn wake_follower(&mut self, who: CharacterId) {
        let Some(character) = self.characters.get(who) else { return };
        let Some(following) = character.following.as_deref().filter(|_| character.errand().is_none()) else {
            return;
        };
        let Some(other) = self.characters.get(following.who) else { return };
        let (id, up_to) = (following.id, following.who);
        let mut walk = Walk::new(id, Purpose::Errand, self.ground.place_of(other.position));
        walk.take_path(character.position, Corridor::new(vec![character.position]), false);
        (walk.goal.up_to, walk.began_tick) = (Some(up_to), self.tick);
        if let Some(character) = self.characters.get_mut(who) {
            character.walk = Some(walk);
        }
    }

    /// The follower is near enough. It stands, and its walk is over after a moment without progress: a faster follower
    /// would stop and go otherwise.
    pub(super) fn stay_near(&mut self, who: CharacterId) {
        let moment = self.ticks_of(SETTLES_AFTER_S) as u32;
        let Some(walk) = self.characters.get_mut(who).and_then(|character| character.walk.as_mut()) else {
            return;
        };
        walk.progress.effort_m = 0.0;
        if walk.progress.idle_ticks >= moment {
            self.end_walk(who, WalkEnd::Arrived);
        }
    }

    /// One walk of a series is over, however it ended; the following continues.
    pub(super) fn rest(&mut self, who: CharacterId) {
        let tick = self.tick;
        let Some(character) = self.characters.get(who) else { return };
        let Some(mut following) = character.following.as_deref().copied() else { return };
        let other = self.characters.get(following.who);
        let near = other.is_some_and(|other| following.is_near(character, other, &self.ground));
        let is_at_ease = near && following.in_vain == 0;
        following.in_vain = if is_at_ease { 0 } else { following.in_vain.saturating_add(1) };
        following.other_at = other.map_or(following.other_at, |other| other.position);
        following.rests_from_tick = tick;
        if let Some(character) = self.characters.get_mut(who) {
            character.following = Some(Box::new(following));
        }
    }

    /// Followers whose room is taken by followers of the same character stand where they are, instead of shoving for
    /// it. So do companions near one that stands, if they do not get on.
    pub(super) fn settle(&mut self) {
        let moment = self.ticks_of(SETTLES_AFTER_S) as u32;
        let settles = |who: &CharacterId| {
            let Some(character) = self.characters.get(*who) else { return false };
            let Some(walk) = character.errand().filter(|walk| walk.give_way.is_none()) else { return false };
            let is_taken = || walk.held_up.by.is_some_and(|by| self.is_in_its_place(*who, by));
            walk.progress.idle_ticks >= moment && (is_taken() || self.is_near_enough(character))
        };
        let settled: Vec<CharacterId> = self.followers.iter().copied().filter(settles).collect();
        for who in settled {
            self.end_walk(who, WalkEnd::Partial);
        }
    }

    /// Whether a companion is near its place beside one that stands.
    fn is_near_enough(&self, companion: &Character) -> bool {
        let Some(following) = companion.following.as_ref().filter(|following| following.beside) else {
            return false;
        };
        self.characters.get(following.who).is_some_and(|other| {
            let near_m = following.near_m(companion, other) + companion.touching_m(other);
            !following.sets_out_with(companion, other) && companion.position.distance(other.position) < near_m
        })
    }

    /// Whether a character stands where a follower would like to be, as it follows the same one.
    pub(super) fn is_in_its_place(&self, follower: CharacterId, stander: CharacterId) -> bool {
        let (Some(follower), Some(stander)) = (self.characters.get(follower), self.characters.get(stander))
        else {
            return false;
        };
        let Some(following) = &follower.following else { return false };
        let other = self.characters.get(following.who);
        other.is_some_and(|other| following.is_taken_by(stander, follower, other))
    }
}
