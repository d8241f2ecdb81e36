//! One 64-bit hash of everything that matters for what happens next.

use super::World;
use super::random::mix;
use crate::crowd::{Character, Following, LastWalk, Purpose, Walk, WalkEnd};
use glam::DVec2;

impl World {
    /// The hash of the simulation after the last tick: ground, doors, characters with their walks and random streams.
    /// Runs that differ in any of it differ in their hash from that tick on.
    pub fn checksum(&self) -> u64 {
        let mut hash = Hasher(0);
        hash.word(self.tick);
        hash.word(self.seed);
        hash.word(self.room_random);
        hash.word(self.next_walk);
        hash.word(self.queue.len() as u64);
        self.queue.owners().for_each(|who| hash.word(u64::from(who.0)));
        self.ground.words().iter().for_each(|&word| hash.word(word));
        for area in self.ground.areas() {
            hash.word(u64::from(self.ground.area_available(area)) | u64::from(self.is_closing(area)) << 1);
        }
        for (who, areas) in &self.inside {
            hash.word(u64::from(who.0));
            areas.iter().for_each(|area| hash.word(area.0 as u64));
        }
        for (who, why) in &self.replans {
            hash.word(u64::from(who.0) << 8 | *why as u64);
        }
        for right in &self.rights_of_way {
            hash.word(right.since_tick);
            hash.word(right.flow.len() as u64);
            right.flow.iter().chain([&right.at]).for_each(|&point| hash.point(point));
        }
        self.characters().iter().for_each(|character| hash.character(character));
        hash.0
    }
}

struct Hasher(u64);

impl Hasher {
    fn word(&mut self, word: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ word.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    }

    /// −0 and 0 are the same number and must hash alike.
    fn number(&mut self, number: f64) {
        self.word((number + 0.0).to_bits());
    }

    fn point(&mut self, point: DVec2) {
        self.number(point.x);
        self.number(point.y);
    }

    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        for chunk in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn character(&mut self, character: &Character) {
        self.word(u64::from(character.id.0));
        self.text(&character.name);
        self.point(character.position);
        self.number(character.heading_rad);
        self.number(character.walk_speed_mps);
        self.number(character.rotation_speed_radps);
        self.number(character.collision_radius_m);
        let flags = [character.player, character.alive, character.enabled, character.walk.is_some()];
        self.word(flags.iter().fold(0, |bits, &flag| bits << 1 | u64::from(flag)));
        self.word(character.priority as u64);
        self.word(character.random);
        self.point(character.counted.position);
        self.word(character.counted.until_tick);
        self.word(character.replans_from_tick << 1 | u64::from(character.counted.standing));
        self.text(character.behaviour.as_deref().unwrap_or_default());
        self.word(character.tags.len() as u64);
        character.tags.iter().for_each(|tag| self.text(tag));
        if let Some(speech) = &character.speech {
            self.text(&speech.text);
            self.word(speech.until_tick);
        }
        if let Some(walk) = &character.walk {
            self.walk(walk);
        }
        let has = [character.following.is_some(), character.turn.is_some(), character.last_walk.is_some()];
        self.word(has.iter().fold(0, |bits, &flag| bits << 1 | u64::from(flag)));
        if let Some(following) = &character.following {
            self.following(following);
        }
        if let Some(turn) = &character.turn {
            self.word(turn.id.0);
            self.point(turn.to);
        }
        if let Some(last) = &character.last_walk {
            self.last_walk(last);
        }
        self.word(character.things.len() as u64);
        for (thing, &count) in &character.things {
            self.text(thing);
            self.word(u64::from(count));
        }
    }

    fn following(&mut self, following: &Following) {
        self.word(following.id.0);
        self.word(u64::from(following.who.0) << 32 | u64::from(following.in_vain));
        self.number(following.near_m);
        self.point(following.other_at);
        self.word(following.began_tick);
        self.word(following.rests_from_tick);
    }

    fn last_walk(&mut self, last: &LastWalk) {
        self.word(last.walk.0);
        self.point(last.requested);
        self.text(last.end.as_str());
        if let WalkEnd::Blocked(Some(by)) = &last.end {
            self.text(by);
        }
        self.word(last.ticks);
        self.word(last.ended_tick);
    }

    fn walk(&mut self, walk: &Walk) {
        self.word(walk.id.0);
        self.word(
            walk.began_tick << 2 | u64::from(walk.renewed) << 1 | u64::from(walk.purpose == Purpose::Errand),
        );
        self.point(walk.requested);
        self.word(walk.next as u64);
        self.word(u64::from(walk.idle_ticks) << 2 | u64::from(walk.partial) << 1 | u64::from(walk.planning));
        for number in [walk.gained_m, walk.counted_m, walk.effort_m, walk.effort_limit_m] {
            self.number(number);
        }
        self.number(walk.last_left_m);
        for id in [
            walk.held_up_by,
            walk.hindered_by,
            walk.queues_behind,
            walk.up_to,
            walk.give_way.as_ref().map(|way| way.to),
        ] {
            self.word(id.map_or(u64::MAX, |id| u64::from(id.0)));
        }
        self.word(walk.planned_around);
        self.word(walk.around_movers_until_tick);
        self.word(walk.lent_rank.map_or(u64::MAX, |(rank, ticks)| rank.word() ^ u64::from(ticks) << 56));
        if let Some(way) = &walk.give_way {
            self.word(way.rank.word());
            self.word(way.wanted.len() as u64);
            way.wanted.iter().for_each(|&point| self.point(point));
            self.point(way.mouth);
            self.number(way.least_left_m);
            self.word(u64::from(way.ticks_in_all));
            self.word(u64::from(way.ticks) << 1 | u64::from(way.waiting));
        }
        self.word(walk.waypoints.len() as u64);
        walk.waypoints.iter().for_each(|&waypoint| self.point(waypoint));
    }
}
