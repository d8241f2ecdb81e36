#![doc = include_str!("ARCHITECTURE.md")]

pub mod geometry;
pub mod problem;
pub mod room;
pub mod space;
pub mod path;
pub mod crowd;
pub mod world;

#[cfg(feature = "script")]
pub mod project;
#[cfg(feature = "script")]
pub mod script;
#[cfg(feature = "watch")]
pub mod watch;
#[cfg(feature = "script")]
pub mod runtime;
//pub mod draw;
