//! Checks walks from outside: each begins, makes progress or waits, and ends exactly once.

use super::finding::FindingKind;
use super::rules::{Rules, Sighting};
use crate::crowd::{Character, CharacterId, WalkId};
use crate::world::{Event, EventKind, World};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// All walks and turns in progress, and the ends that were reported.
#[derive(Debug, Clone, Default)]
pub(super) struct Walks {
    open: BTreeMap<WalkId, Tracked>,
    told: BTreeSet<WalkId>,
}

/// One walk, measured independently of the crowd's own counters.
#[derive(Debug, Clone)]
struct Tracked {
    who: CharacterId,
    seen_tick: u64,
    /// The position at its last progress.
    anchor: DVec2,
    /// Ticks since then, not counting waits for others.
    still_ticks: u64,
    /// Ticks without a path.
    pathless_ticks: u64,
    requested: DVec2,
    /// A quarter of the way it could have walked by now: a lower bound of the effort spent.
    effort_m: f64,
    /// An upper bound of the effort that its paths so far allow.
    limit_m: f64,
    /// The walk's own counter; a fall means that the walk was requested again.
    own_effort_m: f64,
    reported: bool,
}

impl Walks {
    /// Takes the events, then checks the walking characters.
    pub(super) fn look(&mut self, world: &World, events: &[Event], rules: &Rules, found: &mut Vec<Sighting>) {
        for event in events {
            let (who, walk) = match &event.kind {
                EventKind::WalkEnded { who, walk, .. } => (*who, *walk),
                EventKind::Turned { who, turn, .. } => (*who, *turn),
                _ => continue,
            };
            self.open.remove(&walk);
            if !self.told.insert(walk) {
                found.push(Sighting::of(
                    FindingKind::EndMisreported,
                    world,
                    who,
                    "the end of one walk was told twice",
                ));
            }
        }
        let now = world.tick_number();
        for character in world.characters() {
            self.see(world, character, rules, found);
        }
        let lost: Vec<WalkId> =
            self.open.iter().filter(|(_, walk)| walk.seen_tick != now).map(|(&id, _)| id).collect();
        for walk in lost.into_iter().filter_map(|id| self.open.remove(&id)) {
            found.push(Sighting::of(
                FindingKind::EndMisreported,
                world,
                walk.who,
                "a walk is over, and its end was never told",
            ));
        }
    }

    fn see(&mut self, world: &World, character: &Character, rules: &Rules, found: &mut Vec<Sighting>) {
        let following = character.following.as_ref().map(|following| following.id);
        let errand = character.errand().filter(|_| following.is_none());
        let ids = [following, errand.map(|walk| walk.id), character.turn.map(|turn| turn.id)];
        for id in ids.into_iter().flatten() {
            if self.told.contains(&id) {
                self.told.remove(&id); // report only once
                let words = "its walk goes on, and its end was told already";
                found.push(Sighting::of(FindingKind::EndMisreported, world, character.id, words));
            }
            let tracked = self.open.entry(id).or_insert_with(|| Tracked::new(character));
            tracked.seen_tick = world.tick_number();
            if let Some(walk) = errand.filter(|walk| walk.id == id)
                && let Some((kind, words)) = tracked.measure(character, walk, world.dt_s(), rules)
                && !std::mem::replace(&mut tracked.reported, true)
            {
                found.push(Sighting::of(kind, world, character.id, &words));
            }
        }
    }
}

impl Tracked {
    fn new(character: &Character) -> Self {
        Self {
            who: character.id,
            seen_tick: 0,
            anchor: character.position.at,
            still_ticks: 0,
            pathless_ticks: 0,
            requested: character.target().map_or(character.position.at, |target| target.at),
            effort_m: 0.0,
            limit_m: 0.0,
            own_effort_m: 0.0,
            reported: false,
        }
    }

    /// Measures one more tick of an errand; returns a violation, if any.
    fn measure(
        &mut self,
        character: &Character,
        walk: &crate::crowd::Walk,
        dt_s: f64,
        rules: &Rules,
    ) -> Option<(FindingKind, String)> {
        let seconds = |ticks: u64| ticks as f64 * dt_s;
        if walk.corridor.is_empty() && !walk.gives_way() {
            self.pathless_ticks += 1;
            let too_long = seconds(self.pathless_ticks) > rules.pathless_s;
            return too_long.then(|| {
                (FindingKind::Endless, format!("waits for a path for {:.0} s", seconds(self.pathless_ticks)))
            });
        }
        self.pathless_ticks = 0;
        let waits = walk.gives_way() || walk.held_up.queues_behind.is_some();
        if character.position.at.distance(self.anchor) > rules.headway_m {
            self.anchor = character.position.at;
            self.still_ticks = 0;
        } else if !waits {
            self.still_ticks += 1;
        }
        if walk.progress.effort_m < self.own_effort_m {
            (self.effort_m, self.limit_m) = (0.0, 0.0);
        }
        self.own_effort_m = walk.progress.effort_m;
        self.limit_m += 3.0 * self.requested.distance(walk.goal.place.at);
        self.requested = walk.goal.place.at;
        self.limit_m = self.limit_m.max(3.0 * walk.corridor.left_m(character.position) + 20.0);
        let step_m = if character.walk_speed_mps > 0.0 { character.walk_speed_mps } else { 1.0 } * dt_s;
        self.effort_m += 0.25 * step_m;
        let own_s = character.patience.map_or(0.0, |patience| 4.0 * patience.seconds());
        let still_s = rules.still_s.max(own_s);
        if seconds(self.still_ticks) > still_s {
            let words = format!(
                "on its way to ({:.2}, {:.2}), it has not got on for {:.0} s, and the walk does not end",
                walk.goal.place.at.x,
                walk.goal.place.at.y,
                seconds(self.still_ticks)
            );
            return Some((FindingKind::Stuck, words));
        }
        (still_s.is_finite() && self.effort_m > rules.effort_slack * self.limit_m).then(|| {
            let words = format!(
                "the walk to ({:.2}, {:.2}) has lasted four times as long as its effort allows",
                walk.goal.place.at.x, walk.goal.place.at.y
            );
            (FindingKind::Endless, words)
        })
    }
}
