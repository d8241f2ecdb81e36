//! Walks from request to end.

use super::congestion::is_quicker;
use super::focus::urgency_of;
use super::goals::move_to_own_side;
use super::{CommandError, EventKind, Near, Planning, World};
use crate::crowd::{
    Bystanders, CharacterId, Characters, LastWalk, PathRequest, Purpose, Replan, Walk, WalkEnd, WalkId,
    fingerprint, nudge_target,
};
use crate::nav::{ClassId, Corridor, Disc, LinkWay, Outcome, Path, Place, Query, Step};
use crate::plan::Moment;
use crate::problem::did_you_mean;
use crate::room::{CrowdSettings, PathShape};
use crate::surface::Surface;
use glam::DVec2;

impl World {
    /// Sends a character to a place, or up to a character to talk to, which is at that place now.
    pub(super) fn set_target(
        &mut self,
        who: CharacterId,
        to: Place,
        talk_to: Option<CharacterId>,
    ) -> Result<WalkId, CommandError> {
        let same_m = self.settings().target_replan_threshold_m;
        let reached_m = self.settings().waypoint_reached_m;
        let goal = self.ground.locate(to);
        let character = self.characters.get(who).ok_or(CommandError::Gone(who))?;
        let is_ground = self.ground_of(character).is_walkable(goal);
        let (position, active) = (character.landing(), character.is_active());
        if let Some(walk) = &character.walk
            && walk.purpose == Purpose::Errand
            && walk.goal.up_to == talk_to
            && walk.goal.to_use.is_none()
            && character.following.is_none()
            && (talk_to.is_some()
                || walk.goal.place.distance(to) <= same_m && self.ground.floors_touch(walk.goal.place, goal))
        {
            let id = walk.id;
            if let Some(walk) = &mut self.present(who)?.walk {
                (walk.goal.exact, walk.goal.look_at) = (false, None);
            }
            return Ok(id);
        }
        self.call_off(who, WalkEnd::Cancelled);
        let id = self.next_walk_id();
        let mut walk = Walk::new(id, Purpose::Errand, to);
        (walk.goal.up_to, walk.began_tick) = (talk_to, self.tick);
        let is_near = position.at.distance(to.at) <= reached_m;
        let there = is_near && is_ground && self.ground.floors_touch(position, goal);
        if there {
            walk.take_path(position, Corridor::new(vec![position]), false);
        }
        let character = self.present(who)?;
        (character.walk, character.last_errand) = (Some(walk), Some(id));
        if talk_to.is_some() {
            self.followers.insert(who);
        }
        if !active {
            self.end_walk(who, WalkEnd::Cancelled);
        } else if !there {
            self.ask_for_path(who, None);
        }
        Ok(id)
    }

    /// Sends a character to a hotspot or a point, to use it there.
    pub(super) fn set_out_to_use(
        &mut self,
        who: CharacterId,
        object: String,
    ) -> Result<WalkId, CommandError> {
        let to = self.place_to_use(&object)?;
        let present = self.present(who)?;
        if let Some(walk) = present.walk.as_ref().filter(|walk| walk.goal.to_use.as_ref() == Some(&object)) {
            return Ok(walk.id);
        }
        self.call_off(who, WalkEnd::Cancelled);
        let id = self.set_target(who, to, None)?;
        // The walk of an inactive character has ended already.
        if let Some(walk) = self.present(who)?.walk.as_mut() {
            walk.goal.to_use = Some(object);
        }
        Ok(id)
    }

    /// Where to stand to use a hotspot or a point; of two of the same name, the hotspot.
    fn place_to_use(&self, object: &str) -> Result<Place, CommandError> {
        match self.hotspot_named(object) {
            Some(hotspot) if !hotspot.enabled => Err(CommandError::HotspotOff(object.to_owned())),
            Some(hotspot) => hotspot.walk_to.ok_or_else(|| CommandError::NoWayToUse(object.to_owned())),
            None => self.point(object).ok_or_else(|| self.nothing_to_use(object)),
        }
    }

    fn nothing_to_use(&self, object: &str) -> CommandError {
        let hotspots = self.room().hotspots.iter().map(|hotspot| hotspot.name.as_str());
        let names = hotspots.chain(self.room().points.keys().map(String::as_str));
        CommandError::NothingToUse(object.to_owned(), did_you_mean(object, names).map(str::to_owned))
    }

    /// Ends a character's walk. The end is reported exactly once, because the walk is gone with it; a follower only
    /// rests.
    pub(super) fn end_walk(&mut self, who: CharacterId, end: WalkEnd) -> bool {
        let Some(walk) = self.drop_walk(who) else { return false };
        if walk.purpose != Purpose::Errand {
            return true;
        }
        self.post_here(who);
        match self.characters.get(who).and_then(|character| character.following.as_ref()) {
            Some(_) => self.rest(who),
            None => {
                self.tell_end(who, walk.id, walk.goal.place, walk.began_tick, end);
                let last = self.characters.get_mut(who).and_then(|character| character.last_walk.as_mut());
                last.into_iter().for_each(|last| last.exact = walk.goal.exact);
            }
        }
        true
    }

    /// Ends a character's errand: its walk, or its following.
    pub(super) fn end_errand(&mut self, who: CharacterId, end: WalkEnd) -> bool {
        let Some(following) = self.characters.get_mut(who).and_then(|character| character.following.take())
        else {
            return self.end_walk(who, end);
        };
        let walk = self.drop_walk(who).filter(|walk| walk.purpose == Purpose::Errand);
        self.post_here(who);
        let requested = walk.map_or_else(|| self.ground.place_of(following.other_at), |walk| walk.goal.place);
        self.tell_end(who, following.id, requested, following.began_tick, end);
        true
    }

    /// Ends a character's errand, its turn on the spot, and its steering.
    pub(super) fn call_off(&mut self, who: CharacterId, end: WalkEnd) -> bool {
        let steered = self.end_steering(who);
        let turned = self.end_turn(who, end.clone());
        let walked = self.end_cell_walk(who, end.clone());
        self.end_errand(who, end) || walked || turned || steered
    }

    pub(super) fn drop_walk(&mut self, who: CharacterId) -> Option<Walk> {
        let character = self.characters.get_mut(who)?;
        let walk = character.walk.take()?;
        if walk.path_request.is_some() {
            self.planning.queue.cancel(who);
        }
        self.planning.replans.remove(&who);
        Some(walk)
    }

    pub(super) fn tell_end(
        &mut self,
        who: CharacterId,
        walk: WalkId,
        requested: Place,
        began_tick: u64,
        end: WalkEnd,
    ) {
        let (ended_tick, ticks) = (self.tick, self.tick - began_tick);
        let (mut reached, mut within) = (self.ground.locate(requested), false);
        if let Some(character) = self.characters.get_mut(who) {
            (reached, within) = (character.position, !character.set_aside.is_empty());
            character.last_walk = Some(Box::new(LastWalk {
                walk,
                requested,
                reached,
                end: end.clone(),
                ticks,
                ended_tick,
                exact: false,
            }));
        }
        self.emit(EventKind::WalkEnded { who, walk, end, requested, reached, ticks, within });
    }

    /// Notes that a walker needs a new path; the most urgent reason is kept. A walker that waits for a path already
    /// gets one: asking again would only put it back to the end of the queue.
    pub(super) fn request_replan(&mut self, who: CharacterId, why: Replan) {
        let Some(walk) = self.characters.get_mut(who).and_then(|c| c.walk.as_mut()) else { return };
        if walk.path_request.is_some() {
            if why != Replan::Jammed {
                walk.weigh_no_more();
            }
            return;
        }
        let reason = self.planning.replans.entry(who).or_insert(why);
        *reason = why.min(*reason);
    }

    /// Queues a walker for a path search. It continues along its old path meanwhile.
    pub(super) fn ask_for_path(&mut self, who: CharacterId, why: Option<Replan>) {
        let around_movers = self.tick + self.ticks_of(self.settings().stuck_replan_after_s);
        let Some(walk) = self.characters.get_mut(who).and_then(|character| character.walk.as_mut()) else {
            return;
        };
        let weighs = why == Some(Replan::Jammed);
        walk.path_request = Some(if weighs { PathRequest::Weighing } else { PathRequest::Needed });
        walk.give_way = None;
        walk.progress.renewed |= matches!(why, None | Some(Replan::Forced));
        if why == Some(Replan::Stuck) {
            walk.avoids.movers_until_tick = around_movers;
        }
        self.planning.queue.submit(who, self.tick);
    }

    /// Spends the search budget of one tick.
    pub(super) fn serve_paths(&mut self) {
        let (focus, moment) = (self.focus_at(), Moment { tick: self.tick, late_ticks: self.late_ticks() });
        let pace = self.pace();
        let Self {
            planning: Planning { queue, .. }, ground, links, characters, near, room, tick, idle, ..
        } = self;
        let Near { agents, bystanders, jams, .. } = near;
        let settings = &room.crowd;
        let mut found = Vec::new();
        let over = |characters: &Characters, who: CharacterId| {
            let class = characters.get(who).map_or_else(ClassId::default, |who| who.class);
            (ground.of(class), ground.net(class, links))
        };
        queue.serve(
            over,
            u64::from(settings.search_budget_expansions),
            moment,
            characters,
            |characters, who| urgency_of(characters.get(who), focus),
            |characters, who| {
                let mut query = query_of(who, characters, bystanders, ground, settings, *tick);
                let (own_ground, links) = over(characters, who);
                idle.searches.with(|memory| move_to_own_side(own_ground, links, &mut query, memory));
                let walk = characters.get(who).and_then(|character| character.walk.as_ref());
                if walk.is_some_and(|walk| *tick < walk.avoids.jams_until_tick) {
                    jams.look(characters.all(), &agents.rows, ground, &pace, *tick);
                    query.obstacles.extend(jams.discs(query.from, query.to, ground));
                }
                query
            },
            |who, path, obstacles| found.push((who, path, obstacles)),
        );
        for (who, path, obstacles) in found {
            self.take_path(who, path, &obstacles);
        }
    }

    /// Gives a walker the path the queue found, or ends its walk if there is none.
    /// The path stays straight where a curve would meet one of the `obstacles` that it avoids.
    pub(super) fn take_path(&mut self, who: CharacterId, path: Path, obstacles: &[Disc]) {
        if path.outcome == Outcome::None {
            self.end_walk(who, WalkEnd::NoPath);
            return;
        }
        let delays_s = self.delays_s(who, &path);
        let Some(character) = self.characters.get_mut(who) else { return };
        let position = character.landing();
        let is_curved = character.curved.unwrap_or(self.room.paths == PathShape::Curved);
        let (speed_mps, radius_m) = (character.speed_mps(), character.traits.collision_radius_m);
        let avoids = path.step == Step::Avoiding;
        let avoided = if avoids { obstacles } else { &[] };
        if let Some(walk) = &mut character.walk {
            // Standing at the nearest place already is a walk, too: it ends in the next tick.
            let here = path.waypoints.is_empty().then_some(position);
            let waypoints = here.map_or(path.waypoints, |here| vec![here]);
            let partial = path.outcome == Outcome::Partial;
            let links = &self.links;
            let cost_m = |way: LinkWay| links.crossing_cost_m(way);
            let mut corridor = Corridor::of_path(Path { waypoints, ..path }, cost_m);
            if is_curved {
                let ground = self.ground.of(character.class);
                corridor.bend(position, |from, waypoints, floors, is_along_waypath| {
                    if is_along_waypath {
                        return None;
                    }
                    ground.curve(from, waypoints, floors, avoided).map(|curve| curve.waypoints)
                });
            }
            if let Some([present_s, other_s]) = delays_s {
                let (other, present) = ((&corridor, other_s), (&walk.corridor, present_s));
                if !avoids || !is_quicker(other, present, position, speed_mps) {
                    walk.path_request = None;
                    return;
                }
            }
            walk.avoids.circles = match avoids {
                true => self.near.bystanders.firm_beside(position, corridor.ahead(), radius_m, &self.ground),
                false => Vec::new(),
            };
            walk.take_path(position, corridor, partial);
            let reached_m = self.room.crowd.waypoint_reached_m;
            character.stay_on_waypath(|waypath, point| {
                let placed = links.waypath(waypath);
                let at = placed.and_then(|placed| *placed.points.get(point as usize)?);
                at.is_some_and(|at| at.distance(position) <= reached_m)
            });
        }
    }

    /// Sends a standing character out of a walker's way.
    pub(super) fn step_aside(&mut self, who: CharacterId, for_whom: CharacterId) {
        let (Some(walker), Some(stander)) = (self.characters.get(for_whom), self.characters.get(who)) else {
            return;
        };
        let settings = self.room.crowd;
        let (mut others, mut line) = (Vec::new(), Vec::new());
        // It does not go on before one that is about to arrive.
        let arrives = walker
            .errand()
            .is_some_and(|walk| walk.corridor.left_m(walker.position) < settings.nudge_distance_m);
        if self.looks_ahead(stander) || arrives {
            line.extend(walker.line_ahead(settings.give_way_reach_m));
            let reach_m = 2.0 * settings.nudge_distance_m;
            let near: Vec<CharacterId> = self.near.bystanders.around(stander.position.at, reach_m).collect();
            let near = near.into_iter().filter(|&id| id != who && id != for_whom);
            let near = near.filter_map(|id| self.characters.get(id)).filter(|other| other.is_in_crowd());
            let near = near.filter(|other| self.ground.floors_touch(stander.position, other.position));
            others.extend(
                near.map(|other| (other.position.at, stander.collision_radius_m + other.collision_radius_m)),
            );
        }
        let line = (&line[..], stander.touching_m(walker));
        let place = nudge_target(stander, walker.position, &others, line, self.ground_of(stander), &settings);
        let Some(place) = place else { return };
        let position = stander.position;
        let mut walk = Walk::new(self.next_walk_id(), Purpose::StepAside, self.ground.place_of(place));
        walk.take_path(position, Corridor::new(vec![place]), false);
        if let Some(stander) = self.characters.get_mut(who) {
            stander.walk = Some(walk);
        }
    }

    /// Redirects walks up to a character that moved, and ends walks up to a character that is gone, dead or disabled.
    pub(super) fn chase(&mut self) {
        let settings = self.room.crowd;
        let cooldown = self.ticks_of(settings.replan_cooldown_s);
        let mut gone = Vec::new();
        let mut moved = Vec::new();
        for character in self.followers.iter().filter_map(|&who| self.characters.get(who)) {
            let Some(walk) = &character.walk else { continue };
            let Some(partner) = walk.goal.up_to else { continue };
            let Some(other) = self.characters.get(partner).filter(|other| other.is_active()) else {
                gone.push(character.id);
                continue;
            };
            let due = self.tick >= character.replans_from_tick
                && walk.path_request.is_none()
                && walk.give_way.is_none();
            let has_moved = || {
                walk.goal.place.distance(other.position.at) > settings.target_replan_threshold_m
                    || !self.ground.floors_touch(walk.goal.place, other.position)
            };
            if due && has_moved() {
                moved.push((character.id, self.ground.place_of(other.position)));
            }
        }
        for who in gone {
            self.end_walk(who, WalkEnd::Cancelled);
        }
        for (who, to) in moved {
            let Some(character) = self.characters.get_mut(who) else { continue };
            character.replans_from_tick = self.tick + cooldown;
            if let Some(walk) = &mut character.walk {
                // A longer way allows for more effort.
                walk.progress.effort_limit_m += 3.0 * walk.goal.place.distance(to);
                walk.goal.place = to;
            }
            self.request_replan(who, Replan::TargetMoved);
        }
    }

    /// Walkers near a mover replan, at most every cooldown, and only where it can make a difference: the obstacles in
    /// the way have changed since their path was planned.
    pub(super) fn notice_crowding(&mut self) {
        let settings = self.room.crowd;
        let cooldown = self.ticks_of(settings.replan_cooldown_s);
        let next_look = self.tick + cooldown;
        let Self { characters, near: Near { agents, bystanders, .. }, scratch, tick, .. } = self;
        let characters = characters.all_mut();
        agents.take(characters, &settings, *tick, cooldown);
        bystanders.look_at(agents.rows.iter().copied(), &settings);
        let mut crowded = std::mem::take(&mut scratch.crowded);
        for &place in &agents.may_look {
            let character = &mut characters[place as usize];
            let Some(walk) = &character.walk else { continue };
            if !bystanders.mover_near_way_of(character, &settings) {
                continue;
            }
            let line = (character.position.at, walk.goal.place.at);
            let movers_too = *tick < walk.avoids.movers_until_tick;
            let except = [Some(character.id), walk.goal.up_to];
            let own_radius_m = character.collision_radius_m;
            let obstacles = bystanders.in_the_way(except, own_radius_m, line, &settings, movers_too);
            if fingerprint(obstacles) != walk.avoids.obstacles_hash {
                crowded.push(character.id);
            }
            character.replans_from_tick = next_look;
        }
        crowded.drain(..).for_each(|who| self.request_replan(who, Replan::Crowded));
        self.scratch.crowded = crowded;
    }
}

/// The query of a walker whose turn has come: from its position then, round the obstacles at that moment.
fn query_of(
    who: CharacterId,
    characters: &mut Characters,
    bystanders: &mut Bystanders,
    ground: &Surface,
    settings: &CrowdSettings,
    tick: u64,
) -> Query {
    let mut query = Query::new(DVec2::ZERO, DVec2::ZERO).with_snap_m(settings.snap_distance_m);
    let Some(character) = characters.get_mut(who) else { return query };
    let position = character.landing();
    query.from = ground.place_of(position);
    query.from_floor = ground.floor_of(position);
    query.tags.clone_from(&character.tags);
    query.class = character.class;
    let Some(walk) = &mut character.walk else { return query };
    query.to = walk.goal.place;
    let movers_too = tick < walk.avoids.movers_until_tick;
    let line = (query.from.at, query.to.at);
    let except = [Some(who), walk.goal.up_to];
    let own_radius_m = character.traits.collision_radius_m;
    query.obstacles = bystanders.in_the_way(except, own_radius_m, line, settings, movers_too).to_vec();
    walk.avoids.obstacles_hash = fingerprint(&query.obstacles);
    query
}
