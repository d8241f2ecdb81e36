//! A world as data: saved in the middle of a run, and restored.

use super::actors::Turns;
use super::areas::Occupancy;
use super::departed::Register;
use super::hotspots::Hotspots;
use super::link_lines::Lines;
use super::links::Crossings;
use super::simulated_state::{AreaState, LinkState, RestoreError, Snapshot, WaypathState};
use super::{Outbox, Planning, RandomStreams, World, Yields, check};
use crate::crowd::Characters;
use crate::nav::AreaId;
use crate::plan::{LinkNet, PathQueue};
use crate::room::Room;
use crate::surface::Surface;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// All of a world but its room. With that room it continues bit for bit as the world would have. Areas and characters
/// stand in it by name. Plain data for serde, checked by [`World::restore`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorldState(Snapshot<'static>);

impl WorldState {
    /// Fixed steps that had been done.
    pub fn tick_number(&self) -> u64 {
        self.0.tick
    }
}

impl World {
    /// The world as it is now, in the middle of walks, searches and turns.
    pub fn state(&self) -> WorldState {
        WorldState(self.snapshot().into_owned())
    }

    /// Restores a state in the room it was taken in. An edited room is put under it afterwards by
    /// [`Command::ReplaceRoom`](super::Command::ReplaceRoom), as under a running world.
    ///
    /// # Errors
    /// [`RestoreError`] if the ground cannot be built, or if this room cannot be in this state.
    pub fn restore(room: Room, state: &WorldState) -> Result<Self, RestoreError> {
        let ground = Surface::new(&room).map_err(|error| RestoreError::new(error.to_string()))?;
        Self::restore_over(ground, room, state)
    }

    /// [`World::restore`] over a ground that was made of the room.
    pub(crate) fn restore_over(
        ground: Surface,
        room: Room,
        state: &WorldState,
    ) -> Result<Self, RestoreError> {
        let WorldState(snapshot) = state;
        let mut world = Self::empty(ground, room, snapshot.seed);
        world.take_areas(&snapshot.areas)?;
        check::snapshot(snapshot, &world)?;
        let area = |name: &Cow<'_, str>| world.ground.area_named(name);
        let ids = |names: &Vec<Cow<'_, str>>| {
            let mut ids: Vec<AreaId> = names.iter().filter_map(area).collect();
            ids.sort_unstable();
            ids
        };
        world.occupancy.inside = snapshot.inside.iter().map(|(&who, names)| (who, ids(names))).collect();
        world.characters = Characters::restore(snapshot.characters.to_vec(), snapshot.next_character);
        world.followers =
            world.characters().iter().filter(|c| c.has_target_character()).map(|c| c.id).collect();
        let links = snapshot.links.iter().map(|state| (state.id, state.link.clone(), state.available));
        if snapshot.next_link > 0 {
            world.links = LinkNet::restore(&world.ground, links.collect(), snapshot.next_link);
        }
        world.crossings.lines =
            Lines::restore(snapshot.links.iter().map(|state| (state.id, state.line.clone())));
        if snapshot.next_waypath > 0 {
            let of =
                |state: &WaypathState| (state.id, state.waypath.clone(), state.available, state.first_jump);
            let waypaths = snapshot.waypaths.iter().map(of);
            world.links.restore_waypaths(&world.ground, waypaths, snapshot.next_waypath);
        }
        let crossers = world.characters().iter().filter(|c| c.crossing.is_some()).map(|c| c.id);
        world.crossings.crossers = crossers.collect();
        let mut ground = world.ground.clone();
        let classes = world.classes_over(&mut ground, &world.room);
        let classes = classes.map_err(|why| RestoreError::new(why.to_string()))?;
        world.ground = ground;
        world.characters.all_mut().iter_mut().zip(classes).for_each(|(one, class)| one.class = class);
        if let Some(lost) = world.characters().iter().find(|c| {
            let has_ground = world.ground_of(c).has_ground(); // a reload may have left it none
            has_ground && !c.is_well_placed(&world.ground)
        }) {
            return Err(RestoreError::new(format!("character '{}' stands where it does not fit", lost.name)));
        }
        let queue =
            PathQueue::restore(|who| world.searched_by(who), snapshot.queue.clone(), snapshot.path_stats);
        world.planning.queue = queue;
        world.turns.current.clone_from(&snapshot.turn);
        world.turns.sides.clone_from(&snapshot.sides);
        world.hotspots = Hotspots::new(&world.room, snapshot.hotspots.clone().into_owned());
        world.planning.focus = snapshot.focus;
        world.tick = snapshot.tick;
        world.random.room = snapshot.room_random;
        world.next_walk = snapshot.next_walk;
        world.planning.replans = snapshot.replans.clone().into_owned();
        world.register.departed = snapshot.departed.clone().into_owned();
        world.yields.rights_of_way = snapshot.rights_of_way.to_vec();
        world.yields.rearrangements = snapshot.rearrangements.to_vec();
        world.outbox.events = snapshot.events.to_vec();
        Ok(world)
    }

    /// The simulated state, borrowed from the world. Without `..`: a new field of the world must state here whether it
    /// is simulated.
    pub(super) fn snapshot(&self) -> Snapshot<'_> {
        let Self {
            room: _,
            ground,
            characters,
            tick,
            random: RandomStreams { seed, room: room_random },
            next_walk,
            planning: Planning { queue, replans, focus },
            // How far `inside` holds is derived from the rest.
            occupancy: Occupancy { inside, whereabouts: _, closing },
            hotspots,
            // Numbers of the game's own are in no save.
            register: Register { departed, user_data: _ },
            // The command log is for recorders only.
            outbox: Outbox { events, command_log: _ },
            // Those sought are counted anew in every tick.
            yields: Yields { rights_of_way, rearrangements, waiting_places_sought: _, has_rearranged: _ },
            links,
            // Crossers are derived from the characters.
            crossings: Crossings { lines, crossers: _ },
            turns: Turns { sides, current: turn },
            // Rebuilt in every tick before use.
            near: _,
            scratch: _,
            idle: _,
            // Derived from the rest.
            followers: _,
            tactics: _,
        } = self;
        let name = |area: &AreaId| Cow::Borrowed(ground.area_name(*area));
        let areas = ground.areas().map(|area| {
            let state =
                AreaState { available: ground.area_available(area), closing: closing.contains(&area) };
            (name(&area), state)
        });
        Snapshot {
            tick: *tick,
            seed: *seed,
            room_random: *room_random,
            next_walk: *next_walk,
            next_character: characters.next_id().0,
            areas: areas.collect(),
            links: links
                .links()
                .iter()
                .map(|placed| LinkState {
                    id: placed.id,
                    link: placed.link.clone(),
                    available: placed.available,
                    line: lines.at(placed.id).to_vec(),
                })
                .collect(),
            next_link: links.next_id(),
            waypaths: links
                .waypaths()
                .iter()
                .map(|placed| WaypathState {
                    id: placed.id,
                    waypath: placed.waypath.clone(),
                    available: placed.available,
                    first_jump: placed.first_jump,
                })
                .collect(),
            next_waypath: links.next_waypath_id(),
            characters: Cow::Borrowed(characters.all()),
            inside: inside.iter().map(|(&who, areas)| (who, areas.iter().map(name).collect())).collect(),
            queue: queue.state(|who| self.searched_by(who)),
            path_stats: queue.stats(),
            turn: turn.clone(),
            sides: sides.clone(),
            focus: *focus,
            hotspots: Cow::Borrowed(&hotspots.changes),
            replans: Cow::Borrowed(replans),
            departed: Cow::Borrowed(departed),
            rights_of_way: Cow::Borrowed(rights_of_way),
            rearrangements: Cow::Borrowed(rearrangements),
            events: Cow::Borrowed(events),
        }
    }

    fn take_areas(&mut self, areas: &BTreeMap<Cow<'_, str>, AreaState>) -> Result<(), RestoreError> {
        let mut closing = BTreeSet::new();
        for (name, state) in areas {
            let Some(id) = self.ground.area_named(name) else {
                return Err(RestoreError::new(self.no_such_area(name.to_string()).to_string()));
            };
            self.ground.set_area_available(id, state.available);
            if let Some(field) = &mut self.tactics {
                Arc::make_mut(field).set_area_available(name, state.available);
            }
            if state.closing {
                closing.insert(id);
            }
        }
        self.occupancy.closing = closing;
        Ok(())
    }
}
