//! Going back to a post.

use super::World;
use crate::crowd::{CharacterId, ONCOMING_M, Purpose, Walk, is_off_post, leaves_post_free, turn_towards};
use glam::DVec2;

/// A character off its post checks this often whether it can go back, in seconds: long enough for a crowd to pass.
const LOOK_EVERY_S: f64 = 1.0;

/// The same where the post is not in sight, which takes a search.
const SEARCH_EVERY_S: f64 = 5.0;

impl World {
    /// Makes a character's present position and heading its post.
    pub(super) fn post_here(&mut self, who: CharacterId) {
        if let Some(character) = self.characters.get_mut(who) {
            (character.post, character.post_heading_rad) = (character.position, character.heading_rad);
        }
    }

    /// Sends back characters that were pushed or sent off their posts. Their checks are spread over the second by their
    /// ids.
    pub(super) fn return_to_posts(&mut self) {
        let (look, search) = (self.ticks_of(LOOK_EVERY_S), self.ticks_of(SEARCH_EVERY_S));
        let off_post = std::mem::take(&mut self.near.agents.off_post);
        for &place in &off_post {
            let Some(character) = self.characters.all().get(place as usize) else { continue };
            let (who, from, post) = (character.id, character.position, character.post);
            let due = |every: u64| (self.tick + u64::from(who.0)).is_multiple_of(every);
            let near = from.distance(post) <= self.room.crowd.waypoint_reached_m
                && self.ground.floors_touch(from, post);
            if near {
                self.look_as_posted(place as usize);
                continue;
            }
            if !due(look) || !is_off_post(character) {
                continue;
            }
            let in_sight = self.ground_of(character).segment_clear(from, post);
            if (in_sight || due(search)) && self.is_post_free(who) {
                let to = self.ground.place_of(post);
                let mut walk = Walk::new(self.next_walk_id(), Purpose::StepAside, to);
                walk.began_tick = self.tick;
                if let Some(character) = self.characters.get_mut(who) {
                    character.walk = Some(walk);
                }
                self.ask_for_path(who, None);
            }
        }
        self.near.agents.off_post = off_post;
    }

    /// Turns a character that is back at its post to its post heading.
    fn look_as_posted(&mut self, place: usize) {
        let dt_s = self.dt_s();
        let Some(character) = self.characters.all_mut().get_mut(place) else { return };
        let heading = character.post_heading_rad;
        let direction = DVec2::new(libm::cos(heading), libm::sin(heading));
        if is_off_post(character) && turn_towards(character, direction, dt_s) {
            character.heading_rad = heading;
        }
    }

    fn is_post_free(&mut self, who: CharacterId) -> bool {
        let Some(character) = self.characters.get(who) else { return false };
        let reach_m = ONCOMING_M + 2.0 * character.collision_radius_m;
        let mut near = self.near.bystanders.around(character.post.at, reach_m);
        near.all(|other| {
            let other = self.characters.get(other).filter(|other| other.id != who);
            other.is_none_or(|other| leaves_post_free(other, character))
        })
    }
}
