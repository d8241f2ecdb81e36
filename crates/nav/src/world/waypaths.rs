//! Waypaths in a running world: walking along them, adding, opening and removing them.

use super::command_error::CommandError;
use super::{Applied, EventKind, World, check_place};
use crate::crowd::{Character, CharacterId, Crossed, Purpose, Replan, crossing_s};
use crate::nav::{LinkWay, Position, WaypathId, WaypathStep};
use crate::plan::{PlacedWaypath, check_waypaths};
use crate::problem::did_you_mean;
use crate::room::{
    LinkKind, MAX_NAME_BYTES, MAX_WAYPATHS, MAX_WAYPOINTS, RoomChange, SPEED_FACTORS, Waypath, WaypointAction,
};
use std::collections::BTreeSet;

/// Two places nearer to each other are the same, in metres.
const SAME_PLACE_M: f64 = 1e-3;

impl World {
    /// The characters that walk along a waypath now, or stand on it where their walk ended, by id.
    pub fn on_waypath(&self, waypath: WaypathId) -> impl Iterator<Item = CharacterId> + '_ {
        let is_on = move |c: &&Character| c.on_waypath.as_ref().is_some_and(|on| on.waypath == waypath);
        self.characters().iter().filter(is_on).map(|character| character.id)
    }

    /// A walker comes to a waypoint of its path that lies on a waypath, and acts as it says.
    pub(super) fn come_to_waypoint(&mut self, who: CharacterId, step: WaypathStep) {
        let joined = self.joined_at(who, step);
        let step = WaypathStep { point: step.point.or(joined), ..step };
        let placed = self.links.waypath(step.waypath);
        let point = placed.zip(step.point).and_then(|(placed, point)| {
            let action = placed.waypath.points.get(point as usize)?.action.clone();
            Some((placed.waypath.name.clone(), point, action))
        });
        let point = point.filter(|(_, _, action)| !action.is_nothing());
        let Some(character) = self.characters.get_mut(who) else { return };
        if let (Some(walk), Some(point)) = (&mut character.walk, step.point) {
            walk.last_waypoint = Some((step.waypath, point));
        }
        let acts = character.step_on(step, point.as_ref().map(|(_, _, action)| action));
        if let Some(on) = character.on_waypath.as_mut().filter(|_| joined.is_some()) {
            on.is_there = true; // the path may lead over the waypoint yet
        }
        if let Some((waypath, point, action)) = point.filter(|_| acts) {
            self.emit(EventKind::Waypoint { who, waypath, point, action });
        }
    }

    /// The waypoint at which a walker joins a waypath, if it does so beside it: a walk may end short of a waypoint, and the
    /// next one begin there.
    fn joined_at(&self, who: CharacterId, step: WaypathStep) -> Option<u32> {
        let position = self.characters.get(who)?.position;
        let placed = self.links.waypath(step.waypath).filter(|_| step.point.is_none() && !step.along)?;
        let is_beside = |at: &Position| {
            at.distance(position) <= 2.0 * self.room.crowd.waypoint_reached_m
                && self.ground.floors_touch(*at, position)
        };
        let point = placed.points.iter().position(|at| at.as_ref().is_some_and(is_beside))?;
        Some(point as u32)
    }

    /// A walker comes to the end of its walk. If that is a waypoint, it acts there, wherever it came from.
    pub(super) fn end_at_waypoint(&mut self, who: CharacterId) {
        let Some(character) = self.characters.get(who) else { return };
        let Some(walk) = character.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand) else {
            return;
        };
        // A walk to where the character stands ends there, beside the requested place.
        let goals = [walk.corridor.end(), Some(self.ground.locate(walk.goal.place))];
        let is_goal = |at: &Position| {
            let is_same =
                |goal: Position| at.distance(goal) <= SAME_PLACE_M && self.ground.floors_touch(*at, goal);
            goals.into_iter().flatten().any(is_same)
        };
        let may_use = |placed: &&PlacedWaypath| placed.available && placed.waypath.is_for(&character.tags);
        let here: Vec<(WaypathId, u32)> = self
            .links
            .waypaths()
            .iter()
            .filter(may_use)
            .flat_map(|placed| {
                let points = (0..).zip(&placed.points).filter(|(_, at)| at.as_ref().is_some_and(is_goal));
                points.map(|(point, _)| (placed.id, point))
            })
            .collect();
        // It may have come along a waypath, and have acted there.
        let on = character.on_waypath.as_ref().and_then(|on| Some((on.waypath, on.point?)));
        if on.is_some_and(|on| here.contains(&on))
            || walk.last_waypoint.is_some_and(|last| here.contains(&last))
        {
            return;
        }
        let acts = |&(waypath, point): &(WaypathId, u32)| {
            let placed = self.links.waypath(waypath);
            placed.is_some_and(|placed| !placed.waypath.points[point as usize].action.is_nothing())
        };
        if let Some((waypath, point)) = here.iter().copied().find(acts).or(here.first().copied()) {
            let point = Some(point);
            let step = WaypathStep { waypoint: 0, waypath, point, along: false, leaves: false };
            self.come_to_waypoint(who, step);
        }
    }

    /// A walker at a waypoint jumps to the next one. False if this is no jump that it may take.
    pub(super) fn take_jump_of_waypath(&mut self, who: CharacterId, way: LinkWay) -> bool {
        let Some((placed, [_, exit])) = self.links.jump(way) else { return false };
        let Some(character) = self.characters.get(who) else { return false };
        let leads = placed.available && placed.waypath.is_for(&character.tags);
        if !leads || !self.ground_of(character).is_walkable(exit) {
            return false;
        }
        let name = placed.waypath.name.clone();
        let length_m = self.ground.place_of(character.position).distance_in_space(self.ground.place_of(exit));
        let seconds = crossing_s(LinkKind::Jump, length_m, character.walk_speed_mps);
        self.begin_crossing(who, way, (LinkKind::Jump, Crossed::Waypath, &name), exit, seconds);
        self.emit(EventKind::Jumped(who));
        true
    }

    /// Adds a waypath.
    pub(super) fn add_waypath(&mut self, waypath: Waypath) -> Result<Applied, CommandError> {
        check_waypath(&waypath)?;
        if self.links.waypath_named(&waypath.name).is_some() {
            return Err(CommandError::WaypathNameTaken(waypath.name));
        }
        let all = self.links.waypaths();
        let points: usize = all.iter().map(|placed| placed.waypath.points.len()).sum();
        if all.len() >= MAX_WAYPATHS {
            return Err(CommandError::TooManyWaypaths(MAX_WAYPATHS));
        }
        if points + waypath.points.len() > MAX_WAYPOINTS {
            return Err(too_many_waypoints());
        }
        if let Some(fault) = check_waypaths(&self.ground, std::slice::from_ref(&waypath)).into_iter().next() {
            let hint = fault.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
            return Err(CommandError::BadWaypath(fault.message + &hint));
        }
        let id = self.links.add_waypath(&self.ground, waypath);
        self.waypath_opened(id);
        Ok(Applied::Done)
    }

    /// Removes a waypath. Walkers on it plan again.
    pub(super) fn remove_waypath(&mut self, name: &str) -> Result<Applied, CommandError> {
        let id = self.waypath_id(name)?;
        self.links.remove_waypath(id);
        self.waypath_closed(&[id]);
        Ok(Applied::Done)
    }

    /// Opens or closes a waypath. Walkers on it plan again.
    pub(super) fn set_waypath_available(
        &mut self,
        name: &str,
        available: bool,
    ) -> Result<Applied, CommandError> {
        let id = self.waypath_id(name)?;
        let changed = self.links.set_waypath_available(id, available);
        if changed {
            match available {
                true => self.waypath_opened(id),
                false => self.waypath_closed(&[id]),
            }
        }
        Ok(Applied::Changed(changed))
    }

    fn waypath_id(&self, name: &str) -> Result<WaypathId, CommandError> {
        match self.links.waypath_named(name) {
            Some(placed) => Ok(placed.id),
            None => Err(self.no_such_waypath(name.to_owned())),
        }
    }

    /// The error for a waypath that does not exist.
    pub fn no_such_waypath(&self, name: String) -> CommandError {
        let names = self.links.waypaths().iter().map(|placed| placed.waypath.name.as_str());
        let meant = did_you_mean(&name, names).map(str::to_owned);
        CommandError::NoSuchWaypath(name, meant)
    }

    /// Those who stand on a waypath that is no more leave it, and walkers whose path leads along it plan again.
    fn waypath_closed(&mut self, gone: &[WaypathId]) {
        let is_gone = |id: WaypathId| gone.contains(&id);
        let is_on = |c: &Character| c.on_waypath.as_ref().is_some_and(|on| is_gone(on.waypath));
        let stands = |c: &Character| c.walk.as_ref().is_none_or(|walk| walk.corridor.is_empty());
        for character in self.characters.all_mut().iter_mut().filter(|c| stands(c) && is_on(c)) {
            character.on_waypath = None;
        }
        let leads_along = |c: &&Character| {
            is_on(c) || c.walk.as_ref().is_some_and(|walk| walk.corridor.waypaths().any(is_gone))
        };
        let affected: Vec<CharacterId> = self.characters().iter().filter(leads_along).map(|c| c.id).collect();
        affected.into_iter().for_each(|who| self.request_replan(who, Replan::GroundChanged));
    }

    /// Walkers that may use a new waypath plan again.
    fn waypath_opened(&mut self, id: WaypathId) {
        let Some(placed) = self.links.waypath(id) else { return };
        let may_use = |c: &&Character| placed.waypath.is_for(&c.tags) && c.walk.is_some();
        let affected: Vec<CharacterId> = self.characters().iter().filter(may_use).map(|c| c.id).collect();
        affected.into_iter().for_each(|who| self.request_replan(who, Replan::GroundChanged));
    }

    /// Walkers plan again where a reload changed waypaths. They stay open or closed as in the game, unless their value in
    /// the file has changed.
    pub(super) fn change_waypaths(&mut self, change: &RoomChange) {
        for changed in &change.waypaths.changed {
            if let Some(available) = changed.available {
                let _ = self.set_waypath_available(&changed.name, available);
            }
        }
        let is_gone = |id: &WaypathId| {
            let placed = self.links.waypath(*id);
            placed.is_none_or(|placed| {
                change.waypaths.changed.iter().any(|waypath| waypath.name == placed.waypath.name)
            })
        };
        let of = |c: &Character| {
            let ahead = c.walk.iter().flat_map(|walk| walk.corridor.waypaths());
            ahead.chain(c.on_waypath.as_ref().map(|on| on.waypath)).collect::<Vec<_>>()
        };
        let gone: BTreeSet<WaypathId> = self.characters().iter().flat_map(of).filter(is_gone).collect();
        self.waypath_closed(&gone.into_iter().collect::<Vec<_>>());
        let changed = change.waypaths.changed.iter().map(|waypath| &waypath.name);
        for name in change.waypaths.added.iter().chain(changed) {
            if let Some(placed) = self.links.waypath_named(name).filter(|placed| placed.available) {
                self.waypath_opened(placed.id);
            }
        }
    }
}

fn too_many_waypoints() -> CommandError {
    CommandError::BadWaypath(format!("the waypaths of a room have at most {MAX_WAYPOINTS} waypoints"))
}

/// Whether a waypath that a script or a game gives is one.
pub(super) fn check_waypath(waypath: &Waypath) -> Result<(), CommandError> {
    if waypath.name.trim().is_empty() || waypath.name.len() > MAX_NAME_BYTES {
        return Err(CommandError::BadName);
    }
    super::limits::check_tags(&waypath.tags)?;
    if waypath.points.len() < 2 {
        return Err(CommandError::BadWaypath("a waypath has two waypoints or more".into()));
    }
    if waypath.points.len() > MAX_WAYPOINTS {
        return Err(too_many_waypoints());
    }
    for point in &waypath.points {
        check_place(point.at)?;
        check_action(&point.action)?;
    }
    Ok(())
}

/// Whether an action is one.
pub(super) fn check_action(action: &WaypointAction) -> Result<(), CommandError> {
    let [least, most] = SPEED_FACTORS;
    if !action.speed.is_none_or(|speed| (least..=most).contains(&speed)) {
        return Err(CommandError::BadNumber(format!("speed must be from {least} to {most}")));
    }
    let fits = |word: &String| (1..=MAX_NAME_BYTES).contains(&word.len());
    if action.handler.as_ref().is_none_or(fits) { Ok(()) } else { Err(CommandError::BadName) }
}
