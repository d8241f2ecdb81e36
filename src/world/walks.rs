//! Walks from their beginning to their one end.

use super::{CommandError, EventKind, World};
use crate::crowd::{CharacterId, Purpose, Replan, Walk, WalkEnd, WalkId, dynamic_obstacles, nudge_target};
use crate::path::{Outcome, Path, Query};
use crate::space::Disc;
use glam::DVec2;

impl World {
    pub(super) fn set_target(&mut self, who: CharacterId, to: DVec2) -> Result<WalkId, CommandError> {
        let same_m = self.settings().target_replan_threshold_m;
        let reached_m = self.settings().waypoint_reached_m;
        let character = self.present(who)?;
        let (position, active) = (character.position, character.is_active());
        if let Some(walk) = &character.walk
            && walk.purpose == Purpose::Errand
            && walk.requested.distance(to) <= same_m
        {
            return Ok(walk.id);
        }
        self.end_walk(who, WalkEnd::Cancelled);
        let id = self.next_walk_id();
        let mut walk = Walk::new(id, Purpose::Errand, to);
        let there = position.distance(to) <= reached_m;
        if there {
            walk.take_path(position, vec![position], false);
        }
        self.present(who)?.walk = Some(walk);
        if !active {
            self.end_walk(who, WalkEnd::Cancelled);
        } else if !there {
            self.ask_for_path(who, None);
        }
        Ok(id)
    }

    /// Ends the walk somebody is on. Whoever asked for it is told, exactly once, because the walk is gone with it.
    pub(super) fn end_walk(&mut self, who: CharacterId, end: WalkEnd) -> bool {
        let Some(walk) = self.roster.get_mut(who).and_then(|character| character.walk.take()) else {
            return false;
        };
        if walk.planning {
            self.queue.cancel(who);
        }
        self.replans.remove(&who);
        if walk.purpose == Purpose::Errand {
            self.emit(EventKind::WalkEnded { who, walk: walk.id, end });
        }
        true
    }

    /// Notes that a walker needs a new path; the most urgent reason is kept. Whoever waits for a path already gets one: asking
    /// again would only put them back to the end of the queue.
    pub(super) fn request_replan(&mut self, who: CharacterId, why: Replan) {
        let waits = self.roster.get(who).and_then(|c| c.walk.as_ref()).is_none_or(|walk| walk.planning);
        if waits {
            return;
        }
        let reason = self.replans.entry(who).or_insert(why);
        *reason = why.min(*reason);
    }

    /// Puts a walker's query into the queue. It goes on along its old path meanwhile.
    pub(super) fn ask_for_path(&mut self, who: CharacterId, why: Option<Replan>) {
        let Some(character) = self.roster.get_mut(who) else { return };
        let from = character.position;
        let Some(walk) = &mut character.walk else { return };
        walk.planning = true;
        walk.renewed |= matches!(why, None | Some(Replan::Forced | Replan::GroundChanged));
        let to = walk.requested;
        let obstacles = self.obstacles_for(who, from, to, why == Some(Replan::Stuck));
        self.queue.submit(who, Query { from, to, snap_m: self.settings().snap_distance_m, obstacles });
    }

    /// Gives a walker the path the queue found, or ends its walk if there is none.
    pub(super) fn take_path(&mut self, who: CharacterId, path: Path) {
        if path.outcome == Outcome::None {
            self.end_walk(who, WalkEnd::NoPath);
            return;
        }
        let Some(character) = self.roster.get_mut(who) else { return };
        if let Some(walk) = &mut character.walk {
            walk.take_path(character.position, path.waypoints, path.outcome == Outcome::Partial);
        }
    }

    /// Sends a stander out of a walker's way.
    pub(super) fn step_aside(&mut self, who: CharacterId, for_whom: CharacterId) {
        let Some(away_from) = self.roster.get(for_whom).map(|walker| walker.position) else { return };
        let Some(stander) = self.roster.get(who) else { return };
        let Some(place) = nudge_target(stander, away_from, &self.ground, self.settings()) else { return };
        let position = stander.position;
        let mut walk = Walk::new(self.next_walk_id(), Purpose::StepAside, place);
        walk.take_path(position, vec![place], false);
        if let Some(stander) = self.roster.get_mut(who) {
            stander.walk = Some(walk);
        }
    }

    pub(super) fn obstacles_for(
        &self,
        who: CharacterId,
        from: DVec2,
        to: DVec2,
        movers_too: bool,
    ) -> Vec<Disc> {
        dynamic_obstacles(self.characters(), who, from, to, self.settings(), movers_too)
    }
}
