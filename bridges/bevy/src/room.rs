//! The components of a room's entity.

use crate::files::RoomFiles;
use bevy_asset::{AssetId, Handle};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use cicerone::runtime::{Options, Runtime};
use cicerone::world::CharacterId;
use std::collections::BTreeMap;
use std::fmt;

/// Runs a room on this entity as soon as its files are loaded: see [`RunningRoom`]. Insert it again to begin another
/// room. Remove it, or despawn the entity, to end it; the entities of its characters go with it.
#[derive(Component, Debug, Clone)]
#[require(Transform)]
pub struct Room {
    /// The files.
    pub files: Handle<RoomFiles>,
    /// The seed, the functions that the game gives to scripts, and more. They count when the room opens.
    pub options: Options,
}

impl Room {
    /// A room with the seed 0 and no functions of the game.
    pub fn new(files: Handle<RoomFiles>) -> Self {
        Self { files, options: Options::default() }
    }

    /// The same room with these options.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Self { options, ..self }
    }
}

/// On the entity of a room: its time stands still. Orders are taken, and carried out later.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RoomPaused;

/// The room that runs on an entity: inserted when a [`Room`] opens. Gives everything that a [`Runtime`] can do. Remove
/// it to start the room afresh.
#[derive(Component)]
pub struct RunningRoom {
    runtime: Runtime,
    pub(crate) asset: AssetId<RoomFiles>,
    /// The files that the room runs with.
    pub(crate) files: RoomFiles,
    pub(crate) people: BTreeMap<CharacterId, Entity>,
}

impl RunningRoom {
    pub(crate) fn new(runtime: Runtime, asset: AssetId<RoomFiles>, files: RoomFiles) -> Self {
        Self { runtime, asset, files, people: BTreeMap::new() }
    }

    /// The runtime, to be looked at: by several systems at once, if they like.
    pub fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// The runtime, for systems that change the room.
    pub fn runtime_mut(&mut self) -> &mut Runtime {
        &mut self.runtime
    }

    /// The entity of a character. A character that has just come gets its entity after the next step.
    pub fn entity_of(&self, who: CharacterId) -> Option<Entity> {
        self.people.get(&who).copied()
    }

    /// The entity of the character of this name.
    pub fn entity_named(&self, name: &str) -> Option<Entity> {
        let who = self.runtime.world().character_named(name)?.id;
        self.entity_of(who)
    }

    /// The characters that have entities, in the order of their ids.
    pub fn characters(&self) -> impl Iterator<Item = (CharacterId, Entity)> {
        self.people.iter().map(|(who, entity)| (*who, *entity))
    }
}

impl fmt::Debug for RunningRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningRoom").field("room", &self.files.room()).field("people", &self.people).finish()
    }
}
