//! The entity of a character.

use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use cicerone::world::CharacterId;

/// A character of a room, on an entity of its own: a child of the room's entity, with a [`Transform`] that follows it
/// and a [`Name`]. It is spawned and despawned with the character. A game adds its model when it appears:
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use cicerone_bevy::Character;
/// # #[derive(Component)] struct Model;
/// fn dress(added: On<Add, Character>, mut commands: Commands) {
///     commands.entity(added.entity).insert(Model);
/// }
/// ```
///
/// A game that despawns the entity sends the character out of the room.
#[derive(Component, Debug, Clone, PartialEq, Eq)]
#[component(immutable)]
#[require(Transform)]
pub struct Character {
    /// The entity of its room.
    pub room: Entity,
    /// Its id in that room: for commands.
    pub id: CharacterId,
    /// Its name, unique in the room.
    pub name: String,
}
