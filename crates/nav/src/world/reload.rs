//! Reloading: a changed room under the running world.

use super::actors::field_of;
use super::{Applied, Command, CommandError, EventKind, Setting, World};
use crate::nav::{AreaId, Change, Place, Position};
use crate::plan::{Grounds, PlacedWaypath};
use crate::room::{CharacterField, CharacterSpec, Room, RoomChange, RoomField, difference};
use crate::surface::{NextGround, Surface};
use crate::tactics::{CELL, TacticalField};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl World {
    /// Swaps in a new version of the room. Only what the file changed changes: characters keep position, goal and
    /// state; doors stay as the game left them unless their value in the file has changed.
    /// `change` is the [`difference`] of the rooms, and `next` the ground of the new one, if there is one already.
    pub(super) fn replace_room(
        &mut self,
        room: Room,
        change: &RoomChange,
        next: Option<NextGround>,
    ) -> Result<Applied, CommandError> {
        debug_assert_eq!(*change, difference(&self.room, &room));
        if change.is_empty() {
            return Ok(Applied::Changed(false));
        }
        let running = |name: &str| self.ground.area_named(name).map(|id| self.ground.area_available(id));
        let available: Vec<bool> =
            room.areas.iter().map(|area| running(&area.name).unwrap_or(area.available)).collect();
        let (ground, dirty) =
            self.ground.rebuilt_over(next, &room, &available).map_err(CommandError::Ground)?;
        let somebody_stays = self.characters().iter().any(|c| !change.characters.removed.contains(&c.name));
        if somebody_stays && !ground.has_ground() {
            let at =
                self.characters().first().map_or_else(Place::default, |c| self.ground.place_of(c.position));
            return Err(CommandError::NoGround(at));
        }
        self.forget_classes();
        let mut ground = Grounds::new(ground);
        let classes = self.classes_over(&mut ground, &room)?;
        self.renumber_areas(&ground);
        self.occupancy.whereabouts.clear();
        self.relocate(&ground);
        let by_script: BTreeSet<String> = {
            let in_file = |name: &String| self.room.links.iter().any(|link| link.name == *name);
            let names = self.links.links().iter().map(|placed| placed.link.name.clone());
            names.filter(|name| !in_file(name)).collect()
        };
        self.links.replace(&ground, &room.links, |placed| by_script.contains(&placed.link.name));
        let by_script: BTreeSet<String> = {
            let in_file = |name: &String| self.room.waypaths.iter().any(|waypath| waypath.name == *name);
            let names = self.links.waypaths().iter().map(|placed| placed.waypath.name.clone());
            names.filter(|name| !in_file(name)).collect()
        };
        let is_kept = |placed: &PlacedWaypath| by_script.contains(&placed.waypath.name);
        self.links.replace_waypaths(&ground, &room.waypaths, is_kept);
        // What is ground for others may have changed anywhere.
        let is_for_all = !self.ground.has_classes() && !ground.has_classes();
        let dirty = if is_for_all { dirty } else { Some(Change::of_all(ground.bounds())) };
        self.ground = ground;
        self.ground.follow_links(&self.links);
        self.characters.all_mut().iter_mut().zip(classes).for_each(|(one, class)| one.class = class);
        let old_tactics = self.room.tactics.clone();
        let old_hotspots = std::mem::take(&mut self.room.hotspots);
        self.room = room;
        if change.room.contains(&RoomField::Tactics) {
            let is_open = |name: &str| {
                let area = self.ground.area_named(name);
                area.is_some_and(|area| self.ground.area_available(area))
            };
            let origin = |field: &Option<Arc<TacticalField>>| field.as_ref().map(|field| field.origin());
            let old_origin = origin(&self.tactics);
            self.tactics = match (&self.tactics, &old_tactics, &self.room.tactics) {
                (Some(field), Some(old), Some(new)) => Some(Arc::new(field.retraced(old, new, is_open))),
                _ => field_of(&self.room, is_open),
            };
            if let (Some(old), Some(new)) = (old_origin, origin(&self.tactics)) {
                self.shift_actors((old - new) / CELL);
            }
            self.fit_actors();
        }
        self.hotspots = std::mem::take(&mut self.hotspots).after_reload(&self.room, &old_hotspots);
        self.change_links(change);
        self.change_waypaths(change);
        self.change_characters(change);
        if let Some(dirty) = dirty {
            self.ground_changed(&dirty);
        }
        // Doors stay as the game left them, unless their value in the file has changed: then they open and close as
        // they would for a script.
        for area in &change.areas.changed {
            if let (Some(id), Some(available)) = (self.ground.area_named(&area.name), area.available) {
                self.set_area_available(id, available);
            }
        }
        Ok(Applied::Changed(true))
    }

    /// Finds the floors of the new ground for all positions: its floors may have other numbers.
    fn relocate(&mut self, new: &Surface) {
        let old = &self.ground;
        let relocated = |position: &mut Position| *position = new.relocated(old, *position);
        for character in self.characters.all_mut() {
            relocated(&mut character.position);
            if let Some(crossing) = &mut character.crossing {
                relocated(&mut crossing.from);
                relocated(&mut crossing.to);
            }
            relocated(&mut character.post);
            relocated(&mut character.counted.position);
            let set_aside = character.set_aside.iter_mut().filter_map(|task| task.following.as_mut());
            for following in set_aside.chain(&mut character.following) {
                relocated(&mut following.other_at);
            }
            if let Some(last) = &mut character.last_walk {
                relocated(&mut last.reached);
            }
            if let Some(walk) = &mut character.walk {
                walk.corridor.relocate(relocated);
            }
        }
        self.yields.rights_of_way.iter_mut().for_each(|right| relocated(&mut right.at));
        self.release_all(); // their places may be gone
        self.planning.queue.ask_again();
    }

    /// Areas are numbered by the file, so occupants are matched by area name. Characters in an area that is gone have
    /// left it.
    fn renumber_areas(&mut self, new: &Surface) {
        let old = &self.ground;
        let renumbered: BTreeMap<AreaId, AreaId> =
            old.areas().filter_map(|id| Some((id, new.area_named(old.area_name(id))?))).collect();
        let mut left = Vec::new();
        for (who, areas) in &mut self.occupancy.inside {
            let gone = areas.iter().filter(|id| !renumbered.contains_key(id));
            left.extend(gone.map(|&id| EventKind::Left(*who, old.area_name(id).to_owned())));
            *areas = areas.iter().filter_map(|id| renumbered.get(id).copied()).collect();
            areas.sort_unstable();
        }
        self.occupancy.closing =
            self.occupancy.closing.iter().filter_map(|id| renumbered.get(id).copied()).collect();
        left.into_iter().for_each(|kind| self.emit(kind));
    }

    fn change_characters(&mut self, change: &RoomChange) {
        for name in &change.characters.removed {
            if let Some(id) = self.characters.named(name).map(|c| c.id) {
                let _ = self.despawn(id);
            }
        }
        let specs: BTreeMap<String, CharacterSpec> =
            self.room.characters.iter().map(|spec| (spec.name.clone(), spec.clone())).collect();
        for name in &change.characters.added {
            // A character that a script spawned under this name stays; the file only describes it from now on.
            if let Some(spec) = specs.get(name).filter(|_| self.characters.named(name).is_none()) {
                let _ = self.spawn(spec);
            }
        }
        for changed in &change.characters.changed {
            let Some(who) = self.characters.named(&changed.name).map(|c| c.id) else { continue };
            let Some(spec) = specs.get(&changed.name) else { continue };
            for field in &changed.fields {
                let Some(setting) = Setting::of(*field, spec) else {
                    self.change_actor(who, spec);
                    continue;
                };
                let before = self.characters.get(who).map(|character| character.collision_radius_m);
                let _ = self.carry_out(Command::Tune { who, setting });
                // The file says both, so neither follows the other.
                if let (CharacterField::Radius, Some(character)) = (field, self.characters.get_mut(who)) {
                    character.collision_radius_m = before.unwrap_or(character.collision_radius_m);
                }
            }
        }
    }
}
