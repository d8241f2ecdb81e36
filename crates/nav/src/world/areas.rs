//! Areas that open and close, and the characters in them.

use super::classes::walker_class;
use super::{EventKind, Near, World};
use crate::crowd::{Character, CharacterId, Replan, Taken, free_spot, is_affected};
use crate::nav::{AreaId, Change, ClassId, Place, Position};
use crate::plan::{Grounds, LinkNet, NoClass};
use crate::room::{CharacterSpec, Room, WhenOccupied};
use crate::surface::Surface;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

impl World {
    /// The approximate work of opening or closing an area, in words of cells, rows of polygons and characters looked
    /// at; 0 if it is in that state already. Callers that charge for work ask before.
    pub fn toggle_work(&self, area: &str, available: bool) -> u64 {
        let Some(area) = self.ground.area_named(area) else { return 0 };
        if self.ground.area_available(area) == available {
            return 0;
        }
        self.ground.toggle_work(area) + self.characters().len() as u64
    }

    /// Opens or closes an area as its `whenOccupied` says. True if it did so at once, or began to wait for it.
    pub(super) fn set_area_available(&mut self, area: AreaId, available: bool) -> bool {
        if available {
            let waited = self.occupancy.closing.remove(&area);
            return self.switch_area(area, true) || waited;
        }
        if !self.ground.area_available(area) {
            return false;
        }
        let occupied = self.is_occupied(area);
        let holds = self.ground.area_when_occupied(area) == WhenOccupied::Hold;
        (!(occupied && holds) && self.switch_area(area, false)) || self.occupancy.closing.insert(area)
    }

    /// Closes the areas that waited for characters to leave and are empty now.
    pub(super) fn close_vacated_areas(&mut self) {
        for area in self.occupancy.closing.clone() {
            if !self.ground.area_available(area) {
                self.occupancy.closing.remove(&area);
                continue;
            }
            if !self.is_occupied(area) && self.switch_area(area, false) {
                self.occupancy.closing.remove(&area);
            }
        }
    }

    /// Whether a character in an area keeps it open, if it holds. Dead and disabled characters do not: they are moved
    /// out. Actors of a tactical level keep brushes open, not ground.
    fn is_occupied(&self, area: AreaId) -> bool {
        let inside = |c: &Character| c.is_in_crowd() && self.ground.area_contains(area, c.position);
        self.characters().iter().any(inside)
    }

    /// Switches an area now, with two exceptions. If the area holds, no active character may lose its ground (padding
    /// reaches further than the polygon), and no actor may be in its brushes. In any case, characters must not be left
    /// without any ground, and active actors not without a free place.
    fn switch_area(&mut self, area: AreaId, available: bool) -> bool {
        if self.ground.area_available(area) == available {
            return false;
        }
        self.forget_classes();
        let holds = self.ground.area_when_occupied(area) == WhenOccupied::Hold;
        let name = self.ground.area_name(area).to_owned();
        let shut_in = match available {
            true => Vec::new(),
            false => match self.close_brushes(&name, holds) {
                Some(shut_in) => shut_in,
                None => return false,
            },
        };
        let characters = self.characters.all();
        let (switched, dirty) = self.ground.try_area_available(area, available, |ground| {
            let keeps_theirs = |character: &Character| character.is_well_placed(ground);
            let somewhere = || characters.iter().all(|character| ground.of(character.class).has_ground());
            let held = || holds && characters.iter().any(|c| c.is_in_crowd() && !keeps_theirs(c));
            available || !held() && somewhere()
        });
        if !switched {
            if !available {
                self.undo_closing(&name);
            }
            return false;
        }
        if available {
            self.open_brushes(&name);
        } else {
            self.move_shut_in(shut_in);
        }
        if self.room.areas[area.0].speed.is_some() {
            self.occupancy.whereabouts.clear(); // those who stand in it are faster or slower now
        }
        let switched = (name.clone(), available);
        self.emit(EventKind::AreaChanged { area: name, available });
        if let Some(dirty) = dirty {
            self.ground_changed_by(&dirty, Some(&switched));
        }
        true
    }

    /// Moves characters whose ground is gone and replans exactly the walks that the change concerns.
    pub(super) fn ground_changed(&mut self, dirty: &Change) {
        self.ground_changed_by(dirty, None);
    }

    /// [`World::ground_changed`], with the area that opens or closes.
    fn ground_changed_by(&mut self, dirty: &Change, switched: Option<&(String, bool)>) {
        let ids: Vec<CharacterId> = self.characters().iter().map(|character| character.id).collect();
        let leads_anywhere = dirty.opened && self.links.has_shortcuts();
        for who in ids {
            if dirty.closed {
                self.evict(who);
            }
            let Some(character) = self.characters.get_mut(who) else { continue };
            if let Some(following) = &mut character.following {
                following.in_vain = 0; // a way may be free now
            }
            if let Some(walk) = &mut character.walk {
                walk.weigh_no_more(); // the present path may be blocked
                let opens = |closed: &String| matches!(switched, Some((area, true)) if area == closed);
                walk.held_up.closed_area = walk.held_up.closed_area.take().filter(|closed| !opens(closed));
            }
            let Some(walk) = &character.walk else { continue };
            let share = self.links.least_share(&character.tags);
            if leads_anywhere && walk.path_request.is_none()
                || is_affected(walk, character.landing(), (dirty, share), self.ground.of(character.class))
            {
                if let (Some(walk), Some((area, false))) = (&mut character.walk, switched) {
                    walk.held_up.closed_area = Some(area.clone());
                }
                self.request_replan(who, Replan::GroundChanged);
            }
        }
    }

    pub(super) fn evict(&mut self, who: CharacterId) {
        let Some(character) = self.characters.get_mut(who) else { return };
        let ground = self.ground.of(character.class);
        if let Some(crossing) = &mut character.crossing
            && !ground.is_walkable(crossing.to)
            && ground.is_walkable(crossing.from)
        {
            crossing.turn_back(self.tick);
            self.request_replan(who, Replan::GroundChanged);
        }
        let Some(character) = self.characters.get(who) else { return };
        if character.is_well_placed(&self.ground) {
            return;
        }
        let Some(nearest) = self.ground_of(character).nearest_on_storey(character.position) else { return };
        let to = self.free_ground(character, nearest);
        let Some(character) = self.characters.get_mut(who) else { return };
        (character.position, character.post, character.on_waypath) = (to, to, None);
        if character.crossing.is_some() || character.actor.is_some() {
            return; // seen elsewhere, or still on its cell
        }
        self.emit(EventKind::Evicted { who, to });
    }

    /// Where a character is put whose place is no ground: the nearest ground, or if somebody is there the nearest place for
    /// its body beside others. Where there is none, it is put upon others, who part.
    pub(super) fn free_ground(&self, character: &Character, nearest: Position) -> Position {
        if !character.is_in_crowd() {
            return nearest;
        }
        let radius_m = character.collision_radius_m;
        let reach_m = character.position.distance(nearest) + self.settings().snap_distance_m;
        let others = self.characters().iter().filter(|other| {
            let near_m = reach_m + radius_m + other.collision_radius_m;
            let is_body = other.id != character.id && other.is_in_crowd() && other.crossing.is_none();
            is_body && other.position.distance(nearest) <= near_m && other.is_well_placed(&self.ground)
        });
        let taken: Vec<Taken> =
            others.map(|other| (other.position, radius_m + other.collision_radius_m)).collect();
        let is_free = |to: Position| {
            taken.iter().all(|&(at, least_m)| at.distance(to) >= least_m || !self.ground.floors_touch(at, to))
        };
        if is_free(nearest) {
            return nearest;
        }
        let steps = (0.5 * radius_m.max(0.1), reach_m);
        free_spot(self.ground_of(character), nearest, nearest.at, steps, &taken).unwrap_or(nearest)
    }

    /// Emits which character entered or left which area since the last tick, by character, leaving before entering; and
    /// finds how fast one walks there.
    /// Most are far from the next border and need no check until they have gone that far.
    pub(super) fn notice_areas(&mut self) {
        let Self { near: Near { agents, .. }, characters, occupancy, ground, room, .. } = self;
        let Occupancy { whereabouts, inside, .. } = occupancy;
        let mut events = Vec::new();
        whereabouts.resize(agents.rows.len(), Whereabouts::UNKNOWN);
        for (row, known) in agents.rows.iter().zip(whereabouts) {
            if known.who == row.id
                && known.at.at.distance_squared(row.position.at) < known.clear_m * known.clear_m
            {
                continue;
            }
            let clear_m = (ground.area_border_m(row.position) - ROUNDING_M).max(0.0);
            *known = Whereabouts { who: row.id, at: row.position, clear_m };
            let inside_now = || ground.areas().filter(|&area| ground.area_contains(area, row.position));
            let before = inside.entry(row.id).or_default();
            if !inside_now().eq(before.iter().copied()) {
                let now: Vec<AreaId> = inside_now().collect();
                let name = |&area: &AreaId| ground.area_name(area).to_owned();
                let gone = before.iter().filter(|area| !now.contains(area)).map(name);
                events.extend(gone.map(|area| EventKind::Left(row.id, area)));
                let come = now.iter().filter(|area| !before.contains(area)).map(name);
                events.extend(come.map(|area| EventKind::Entered(row.id, area)));
                *before = now;
            }
            if let Some(character) = characters.get_mut(row.id) {
                let speed = |area: &AreaId| room.areas[area.0].speed.filter(|_| ground.area_available(*area));
                character.ground_speed = before.iter().rev().find_map(speed).unwrap_or(1.0);
            }
        }
        events.into_iter().for_each(|kind| self.emit(kind));
    }
}

/// Which characters are in which areas.
#[derive(Debug, Clone, Default)]
pub(super) struct Occupancy {
    /// The areas each character was in at the end of the last tick, ascending.
    pub(super) inside: BTreeMap<CharacterId, Vec<AreaId>>,
    /// How far that holds for certain, by place in the list of all characters.
    pub(super) whereabouts: Vec<Whereabouts>,
    /// Areas that close as soon as they are empty.
    pub(super) closing: BTreeSet<AreaId>,
}

/// Where a character was at the last check of its areas, and how far the next border of any area is from there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whereabouts {
    pub(super) who: CharacterId,
    pub(super) at: Position,
    pub(super) clear_m: f64,
}

impl Whereabouts {
    const UNKNOWN: Self =
        Self { who: CharacterId(u32::MAX), at: Position::on_ground(DVec2::ZERO), clear_m: 0.0 };
}

/// More than the rounding error of the distance to a border, whatever the room's size.
const ROUNDING_M: f64 = 1e-6;

/// Hotspots of a room file whose `walkTo` has no ground in reach, even with all areas open: index into `room.hotspots`,
/// what is wrong, and a hint where to stand.
pub fn check_hotspots(room: &Room, ground: &Surface) -> Vec<(usize, String, Option<String>)> {
    let snap_m = room.crowd.snap_distance_m;
    let lost = |at: Place| {
        let at = ground.locate(at);
        !ground.is_walkable(at) && ground.nearest(at, snap_m).is_none()
    };
    let placed =
        room.hotspots.iter().enumerate().filter_map(|(index, spot)| Some((index, spot, spot.walk_to?)));
    let lost: Vec<_> = placed.filter(|(_, _, at)| lost(*at)).collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let open = ground.with_all_open();
    let lost = lost.into_iter().filter(|(_, _, at)| open.nearest(open.locate(*at), snap_m).is_none());
    let told = |(count, (index, spot, at)): (usize, (usize, &crate::room::Hotspot, Place))| {
        let nearest = (count < MOST_HINTS).then(|| open.nearest(open.locate(at), f64::INFINITY)).flatten();
        let hint =
            nearest.map(|at| format!("the nearest walkable point is [{:.2}, {:.2}]", at.at.x, at.at.y));
        (index, format!("no ground within {snap_m} m of where '{}' is used from", spot.name), hint)
    };
    lost.enumerate().map(told).collect()
}

/// A character of a room file whose start is not walkable with the areas as the file has them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BadStart {
    /// Its place in `room.characters`.
    pub index: usize,
    /// What is wrong.
    pub message: String,
    /// The nearest place where it could stand, in words.
    pub hint: Option<String>,
    /// Whether there is ground, but covered by something too near. Then the character starts at the nearest walkable
    /// point; a start off the ground is a mistake.
    pub is_covered: bool,
}

/// Upper limit on the hints for places of one kind: each may take a look at all of the ground, and a thousand are of
/// no use.
const MOST_HINTS: usize = 100;

/// All starts that are not walkable; only the first ones have a hint.
pub fn check_starts(room: &Room, ground: &Surface) -> Vec<BadStart> {
    let classes = room.characters.iter().map(|spec| walker_class(room, &spec.traits)).collect::<Vec<_>>();
    let others = classes.iter().any(|class| !class.is_own()).then(|| Grounds::new(ground.clone()));
    let Some(mut grounds) = others else {
        let own = room.characters.iter().map(|spec| (spec, Ok(ground))).collect();
        return bad_starts(room, own);
    };
    let classes: Vec<Result<ClassId, NoClass>> =
        classes.into_iter().map(|class| grounds.find_or_make(class, &LinkNet::default(), false)).collect();
    let over = |class: Result<ClassId, NoClass>| class.map(|class| grounds.of(class));
    bad_starts(room, room.characters.iter().zip(classes).map(|(spec, class)| (spec, over(class))).collect())
}

/// Starts that are not walkable, on the ground of each character.
fn bad_starts(room: &Room, starts: Vec<(&CharacterSpec, Result<&Surface, NoClass>)>) -> Vec<BadStart> {
    let misplaced = |spec: &CharacterSpec, ground: &Surface| {
        !ground.is_walkable(ground.locate(spec.at)) || !ground.is_at_a_floor(spec.at)
    };
    let bad = |(spec, ground): &(&CharacterSpec, Result<&Surface, NoClass>)| {
        ground.is_err() || ground.is_ok_and(|ground| misplaced(spec, ground))
    };
    starts
        .into_iter()
        .enumerate()
        .filter(|(_, start)| bad(start))
        .enumerate()
        .map(|(count, (index, (spec, ground)))| {
            let ground = match ground {
                Ok(ground) => ground,
                Err(why) => {
                    let message = format!("'{}' has no ground to stand on: {why}", spec.name);
                    return BadStart { index, message, hint: None, is_covered: false };
                }
            };
            let at = ground.locate(spec.at);
            if let Some(y_m) = spec.at.y_m.filter(|_| ground.is_walkable(at)) {
                let floor_m = ground.height_m(at);
                let message = format!("'{}' starts at height {y_m:.2} m, where no floor is", spec.name);
                let hint = format!("the nearest floor there is at {floor_m:.2} m; it starts there");
                return BadStart { index, message, hint: Some(hint), is_covered: true };
            }
            let barred = ground
                .areas()
                .find(|&area| !room.areas[area.0].admits(&spec.tags) && ground.area_contains(area, at));
            let area = ground.areas().find(|&area| ground.area_contains(area, at));
            let open = ground.areas().any(|a| ground.area_available(a) && ground.area_contains(a, at));
            let inside = room.obstacles.iter().find(|o| crate::geometry::contains(&o.polygon, at.at));
            let place = match (inside, area) {
                _ if barred.is_some() => {
                    let name = barred.map_or("", |area| ground.area_name(area));
                    format!("in the area '{name}', which it may not enter")
                }
                (Some(obstacle), _) => format!("inside obstacle '{}'", obstacle.name),
                (None, None) if room.mask.is_some() => "on a pixel that does not walk".into(),
                (None, None) => "outside every area".into(),
                (None, Some(area)) if !open => format!("in the closed area '{}'", ground.area_name(area)),
                (None, Some(_)) => "too close to an obstacle or the edge".into(),
            };
            // A hint may take a look at all of the ground, and a thousand are of no use.
            let nearest = (count < MOST_HINTS).then(|| ground.nearest(at, f64::INFINITY));
            let nearest = nearest.flatten();
            let is_covered = open || barred.is_some() || inside.is_some() && room.mask.is_some();
            let starts = if is_covered && nearest.is_some() { "; it starts there" } else { "" };
            let left_out = || {
                let whose = if walker_class(room, &spec.traits).is_own() { "" } else { " for it" };
                (!ground.has_ground()).then(|| format!("the room has no ground{whose}; it is left out"))
            };
            let hint = nearest
                .map(|at| format!("the nearest walkable point is [{:.2}, {:.2}]{starts}", at.at.x, at.at.y))
                .or_else(left_out);
            let whose = if barred.is_some() { "" } else { ", where no character can stand" };
            let message = format!("'{}' starts {place}{whose}", spec.name);
            BadStart { index, message, hint, is_covered }
        })
        .collect()
}
