//! A world as data: saved in the middle of everything, and brought back.

use super::{Event, World, check};
use crate::crowd::{Character, CharacterId, Replan, RightOfWay, Roster};
use crate::path::{PathQueue, QueueState};
use crate::room::Room;
use crate::space::AreaId;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// All of a world but its room: together they go on bit for bit as the world would have. Areas and characters stand in it by
/// name. Plain data for serde; what it holds is checked by [`World::restore`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorldState(Parts<'static>);

/// What [`WorldState`] is made of: borrowed from a world to be hashed, owned to be kept. The one list of all that is simulated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Parts<'a> {
    pub(super) tick: u64,
    pub(super) seed: u64,
    pub(super) room_random: u64,
    pub(super) next_walk: u64,
    pub(super) next_character: u32,
    pub(super) areas: BTreeMap<Cow<'a, str>, AreaState>,
    pub(super) characters: Cow<'a, [Character]>,
    /// In which areas each character was at the end of the last tick.
    pub(super) inside: BTreeMap<CharacterId, Vec<Cow<'a, str>>>,
    pub(super) queue: QueueState<CharacterId>,
    pub(super) replans: Cow<'a, BTreeMap<CharacterId, Replan>>,
    pub(super) departed: Cow<'a, BTreeMap<CharacterId, (String, u64)>>,
    pub(super) rights_of_way: Cow<'a, [RightOfWay]>,
    pub(super) events: Cow<'a, [Event]>,
}

/// What a run has made of an area.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AreaState {
    pub(super) available: bool,
    /// Whether it waits for people to leave before it closes.
    pub(super) closing: bool,
}

/// Why a state cannot be brought back, in words.
#[derive(Debug, Clone, PartialEq)]
pub struct RestoreError(pub(super) String);

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RestoreError {}

impl Parts<'_> {
    fn into_owned(self) -> Parts<'static> {
        let owned = |name: Cow<'_, str>| Cow::Owned(name.into_owned());
        let all_owned = |names: Vec<Cow<'_, str>>| names.into_iter().map(owned).collect();
        Parts {
            tick: self.tick,
            seed: self.seed,
            room_random: self.room_random,
            next_walk: self.next_walk,
            next_character: self.next_character,
            areas: self.areas.into_iter().map(|(name, area)| (owned(name), area)).collect(),
            characters: Cow::Owned(self.characters.into_owned()),
            inside: self.inside.into_iter().map(|(who, names)| (who, all_owned(names))).collect(),
            queue: self.queue,
            replans: Cow::Owned(self.replans.into_owned()),
            departed: Cow::Owned(self.departed.into_owned()),
            rights_of_way: Cow::Owned(self.rights_of_way.into_owned()),
            events: Cow::Owned(self.events.into_owned()),
        }
    }
}

impl WorldState {
    /// Fixed steps that had been done.
    pub fn tick_number(&self) -> u64 {
        self.0.tick
    }
}

impl World {
    /// The world as it is now, in the middle of walks, searches and turns.
    pub fn state(&self) -> WorldState {
        WorldState(self.parts().into_owned())
    }

    /// Brings a state back in the room it was taken in; an edited room is put under it afterwards by
    /// [`Command::ReplaceRoom`](super::Command::ReplaceRoom), as under a living world.
    ///
    /// # Errors
    /// [`RestoreError`] if the ground cannot be built, or if the state is none that this room can be in.
    pub fn restore(room: Room, state: &WorldState) -> Result<Self, RestoreError> {
        let WorldState(parts) = state;
        let mut world = Self::empty(room, parts.seed).map_err(|error| RestoreError(error.to_string()))?;
        world.take_areas(&parts.areas)?;
        check::parts(parts, &world)?;
        let area = |name: &Cow<'_, str>| world.ground.area_named(name);
        let ids = |names: &Vec<Cow<'_, str>>| {
            let mut ids: Vec<AreaId> = names.iter().filter_map(area).collect();
            ids.sort_unstable();
            ids
        };
        world.inside = parts.inside.iter().map(|(&who, names)| (who, ids(names))).collect();
        world.roster = Roster::restore(parts.characters.to_vec(), parts.next_character);
        world.queue = PathQueue::restore(&world.ground, parts.queue.clone());
        world.tick = parts.tick;
        world.room_random = parts.room_random;
        world.next_walk = parts.next_walk;
        world.replans = parts.replans.clone().into_owned();
        world.departed = parts.departed.clone().into_owned();
        world.rights_of_way = parts.rights_of_way.to_vec();
        world.events = parts.events.to_vec();
        Ok(world)
    }

    /// Everything, as it lies in the world. Without `..`: who adds a field to the world says here whether it is simulated.
    pub(super) fn parts(&self) -> Parts<'_> {
        let Self {
            room: _,
            ground,
            roster,
            tick,
            seed,
            room_random,
            next_walk,
            queue,
            replans,
            inside,
            closing,
            departed,
            events,
            rights_of_way,
            // Made anew in every tick before they are used.
            neighbours: _,
            bystanders: _,
            movers: _,
            refuges_sought: _,
            idle: _,
            // What a recorder hears of.
            journal: _,
        } = self;
        let name = |area: &AreaId| Cow::Borrowed(ground.area_name(*area));
        let areas = ground.areas().map(|area| {
            let state =
                AreaState { available: ground.area_available(area), closing: closing.contains(&area) };
            (name(&area), state)
        });
        Parts {
            tick: *tick,
            seed: *seed,
            room_random: *room_random,
            next_walk: *next_walk,
            next_character: roster.next_id().0,
            areas: areas.collect(),
            characters: Cow::Borrowed(roster.all()),
            inside: inside.iter().map(|(&who, areas)| (who, areas.iter().map(name).collect())).collect(),
            queue: queue.state(ground),
            replans: Cow::Borrowed(replans),
            departed: Cow::Borrowed(departed),
            rights_of_way: Cow::Borrowed(rights_of_way),
            events: Cow::Borrowed(events),
        }
    }

    fn take_areas(&mut self, areas: &BTreeMap<Cow<'_, str>, AreaState>) -> Result<(), RestoreError> {
        let mut closing = BTreeSet::new();
        for (name, state) in areas {
            let Some(id) = self.ground.area_named(name) else {
                return Err(RestoreError(self.no_such_area(name.to_string()).to_string()));
            };
            self.ground.set_area_available(id, state.available);
            if state.closing {
                closing.insert(id);
            }
        }
        self.closing = closing;
        Ok(())
    }
}
