//! Orders to rooms and their characters: entity events that take effect at once.
//!
//! ```
//! # use bevy_ecs::prelude::*;
//! # use bevy_math::Vec3;
//! # use cicerone_bevy::{Character, Say, WalkTo};
//! fn call_everybody(characters: Query<Entity, With<Character>>, mut commands: Commands) {
//!     for entity in &characters {
//!         commands.trigger(Say { entity, text: "I come!".into(), seconds: 2.0 });
//!         commands.trigger(WalkTo { entity, to: Vec3::new(6.0, 0.0, 3.0) });
//!     }
//! }
//! ```

use crate::character::Character;
use crate::place::place_of;
use crate::room::RunningRoom;
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use cicerone::glam::DVec2;
use cicerone::room::CharacterSpec;
use cicerone::runtime::Input;
use cicerone::world::{CharacterId, CommandError, WalkEnd};
use std::fmt;

/// An order that was not carried out.
#[derive(Message, Debug, Clone, PartialEq)]
pub struct OrderRefused {
    /// The entity that the order was for.
    pub entity: Entity,
    /// Why.
    pub error: OrderError,
}

/// Why an order was not carried out. Its `Display` is a sentence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum OrderError {
    /// No room runs on the entity, or in that of the character: not yet, or not any more.
    NoRoom,
    /// This entity is no character of the room.
    NoCharacter(Entity),
    /// The room's reason.
    Refused(CommandError),
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom => f.write_str("no room runs there"),
            Self::NoCharacter(entity) => write!(f, "{entity} is no character of the room"),
            Self::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OrderError {}

/// An order to a character: walk to a point of the room. A point of the world becomes one of the room with the room's
/// `GlobalTransform`.
#[derive(EntityEvent, Debug, Clone)]
pub struct WalkTo {
    /// The entity of the character.
    pub entity: Entity,
    /// Where to. It need not be walkable: the walk then ends as near as it can.
    pub to: Vec3,
}

/// An order to a character: walk up to another one, to talking distance.
#[derive(EntityEvent, Debug, Clone)]
pub struct TalkTo {
    /// The entity of the character.
    pub entity: Entity,
    /// That of the other one.
    pub other: Entity,
}

/// An order to a character: stay near another one.
#[derive(EntityEvent, Debug, Clone)]
pub struct Follow {
    /// The entity of the character.
    pub entity: Entity,
    /// That of the other one.
    pub other: Entity,
    /// How near, in metres.
    pub distance: f32,
}

/// An order to a character: turn on the spot to a point of the room.
#[derive(EntityEvent, Debug, Clone)]
pub struct LookAt {
    /// The entity of the character.
    pub entity: Entity,
    /// The point.
    pub at: Vec3,
}

/// An order to a character: end any walk and stand.
#[derive(EntityEvent, Debug, Clone)]
pub struct Stop {
    /// The entity of the character.
    pub entity: Entity,
}

/// An order to a character: say something.
#[derive(EntityEvent, Debug, Clone)]
pub struct Say {
    /// The entity of the character.
    pub entity: Entity,
    /// The text.
    pub text: String,
    /// How long it is shown.
    pub seconds: f32,
}

/// An order to a character: be pushed over the ground. It slides along walls and keeps its walk.
#[derive(EntityEvent, Debug, Clone)]
pub struct Push {
    /// The entity of the character.
    pub entity: Entity,
    /// How far, in metres. Only x and z count.
    pub by: Vec3,
}

/// An order to a character: be at a walkable point of the room now.
#[derive(EntityEvent, Debug, Clone)]
pub struct Teleport {
    /// The entity of the character.
    pub entity: Entity,
    /// The point.
    pub to: Vec3,
}

/// An order to a room: open or close an area, such as a door.
#[derive(EntityEvent, Debug, Clone)]
pub struct SetAreaAvailable {
    /// The entity of the room.
    pub entity: Entity,
    /// The area's name.
    pub area: String,
    /// Whether to open it.
    pub available: bool,
}

/// An order to a room: a click on a point. Unless a script takes the click, the player walks there.
#[derive(EntityEvent, Debug, Clone)]
pub struct ClickRoom {
    /// The entity of the room.
    pub entity: Entity,
    /// The point.
    pub at: Vec3,
}

/// An order to a room: steer its player, as keys or a stick do, from the next step on until another direction.
#[derive(EntityEvent, Debug, Clone)]
pub struct SteerPlayer {
    /// The entity of the room.
    pub entity: Entity,
    /// Along x and z; the length, up to 1, is the share of the walking speed. Zero ends the steering.
    pub direction: Vec2,
}

/// An order to a room: let a character come in. Its entity appears after the next step. To send it out again, despawn
/// the entity.
#[derive(EntityEvent, Debug, Clone)]
pub struct SpawnCharacter {
    /// The entity of the room.
    pub entity: Entity,
    /// The character: `CharacterSpec::at(place).with_name("guest")`.
    pub spec: CharacterSpec,
}

/// An order to a room, or to the room of a character: any command. The ids are those of [`Character::id`].
#[derive(EntityEvent, Debug, Clone)]
pub struct RoomCommand {
    /// The entity of the room, or of a character in it.
    pub entity: Entity,
    /// The command.
    pub command: cicerone::world::Command,
}

/// What an order means for the runtime.
enum Act {
    Now(cicerone::world::Command),
    NextStep(Input),
}

/// Finds the characters that an order speaks of.
struct People<'a, 'w, 's> {
    characters: &'a Query<'w, 's, &'static Character>,
    room: Entity,
}

impl People<'_, '_, '_> {
    fn id(&self, entity: Entity) -> Result<CharacterId, OrderError> {
        let found = self.characters.get(entity).ok().filter(|character| character.room == self.room);
        found.map(|character| character.id).ok_or(OrderError::NoCharacter(entity))
    }
}

trait Order: EntityEvent {
    fn act(&self, people: &People) -> Result<Act, OrderError>;
}

/// Implements [`Order`] with a command whose fields may use `?`.
macro_rules! order {
    ($order:ident, |$it:ident, $people:ident| $act:expr) => {
        impl Order for $order {
            fn act(&self, $people: &People) -> Result<Act, OrderError> {
                let $it = self;
                Ok($act)
            }
        }
    };
}

use cicerone::world::Command as C;

order!(WalkTo, |it, people| Act::Now(C::SetTarget { who: people.id(it.entity)?, to: place_of(it.to) }));
order!(TalkTo, |it, people| Act::Now(C::TalkTo { who: people.id(it.entity)?, other: people.id(it.other)? }));
order!(Follow, |it, people| Act::Now(C::Follow {
    who: people.id(it.entity)?,
    other: people.id(it.other)?,
    distance_m: it.distance.into(),
}));
order!(LookAt, |it, people| Act::Now(C::Turn { who: people.id(it.entity)?, to: place_of(it.at) }));
order!(Stop, |it, people| Act::Now(C::Stop {
    who: people.id(it.entity)?,
    walk: None,
    end: WalkEnd::Cancelled,
}));
order!(Say, |it, people| Act::Now(C::Say {
    who: people.id(it.entity)?,
    text: it.text.clone(),
    seconds: it.seconds.into(),
}));
order!(Push, |it, people| Act::Now(C::Push {
    who: people.id(it.entity)?,
    by: DVec2::new(it.by.x.into(), it.by.z.into()),
}));
order!(Teleport, |it, people| Act::Now(C::Teleport { who: people.id(it.entity)?, to: place_of(it.to) }));
order!(SetAreaAvailable, |it, _people| Act::Now(C::SetAreaAvailable {
    area: it.area.clone(),
    available: it.available,
}));
order!(ClickRoom, |it, _people| Act::Now(C::Click(place_of(it.at))));
order!(SteerPlayer, |it, _people| {
    // Not a command: the room knows who the player is, and whether it may move now.
    Act::NextStep(Input::Steer(DVec2::new(it.direction.x.into(), it.direction.y.into())))
});
order!(SpawnCharacter, |it, _people| Act::Now(C::Spawn(Box::new(it.spec.clone()))));
order!(RoomCommand, |it, _people| Act::Now(it.command.clone()));

fn carry_out<O: Order>(
    order: On<O>,
    characters: Query<&'static Character>,
    mut rooms: Query<&mut RunningRoom>,
    mut refused: MessageWriter<OrderRefused>,
) {
    let entity = order.event_target();
    let room = characters.get(entity).map_or(entity, |character| character.room);
    let done = match rooms.get_mut(room) {
        Err(_) => Err(OrderError::NoRoom),
        Ok(mut running) => match order.act(&People { characters: &characters, room }) {
            Ok(Act::Now(command)) => {
                running.runtime_mut().apply(command).map(drop).map_err(OrderError::Refused)
            }
            Ok(Act::NextStep(input)) => {
                running.runtime_mut().send(input);
                Ok(())
            }
            Err(error) => Err(error),
        },
    };
    if let Err(error) = done {
        log::warn!("an order was not carried out: {error}");
        refused.write(OrderRefused { entity, error });
    }
}

/// Adds the observers that carry orders out.
pub(crate) fn add_orders(app: &mut App) {
    app.add_message::<OrderRefused>()
        .add_observer(carry_out::<WalkTo>)
        .add_observer(carry_out::<TalkTo>)
        .add_observer(carry_out::<Follow>)
        .add_observer(carry_out::<LookAt>)
        .add_observer(carry_out::<Stop>)
        .add_observer(carry_out::<Say>)
        .add_observer(carry_out::<Push>)
        .add_observer(carry_out::<Teleport>)
        .add_observer(carry_out::<SetAreaAvailable>)
        .add_observer(carry_out::<ClickRoom>)
        .add_observer(carry_out::<SteerPlayer>)
        .add_observer(carry_out::<SpawnCharacter>)
        .add_observer(carry_out::<RoomCommand>);
}
