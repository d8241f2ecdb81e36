#![doc = include_str!("../README.md")]

mod character;
mod discover;
mod event;
mod files;
#[cfg(feature = "gizmos")]
mod gizmos;
mod load;
mod order;
mod place;
mod plugin;
mod room;
mod sync;

pub use character::Character;
pub use event::{
    AreaChanged, Arrived, EnteredArea, LeftArea, RoomEvent, RoomNews, RoomReport, Said, WalkEnded,
};
pub use files::{LoadError, RoomFiles, RoomLoader, RoomSettings};
#[cfg(feature = "gizmos")]
pub use gizmos::CiceroneGizmos;
pub use order::{
    ClickRoom, Follow, LookAt, OrderError, OrderRefused, Push, RoomCommand, Say, SetAreaAvailable,
    SpawnCharacter, SteerPlayer, Stop, TalkTo, Teleport, WalkTo,
};
pub use place::{place_of, point_of, rotation_of, transform_of};
pub use plugin::{CiceronePlugin, CiceroneSystems};
pub use room::{Room, RoomPaused, RunningRoom};

/// The navigation runtime that this crate brings to Bevy.
pub use cicerone;

/// What most games use.
pub mod prelude {
    pub use crate::{
        AreaChanged, Arrived, Character, CiceronePlugin, CiceroneSystems, ClickRoom, EnteredArea, Follow,
        LeftArea, LookAt, OrderRefused, Push, Room, RoomEvent, RoomFiles, RoomNews, RoomPaused, RoomReport,
        RunningRoom, Said, Say, SetAreaAvailable, SpawnCharacter, SteerPlayer, Stop, TalkTo, Teleport,
        WalkEnded, WalkTo,
    };
    pub use cicerone::runtime::{Options, Runtime, RuntimeEvent};
    pub use cicerone::script::{CallId, Note};
}
