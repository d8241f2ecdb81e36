#![doc = include_str!("ARCHITECTURE.md")]

pub mod crowd;
pub mod geometry;
pub mod path;
pub mod problem;
pub mod room;
pub mod space;
pub mod world;

#[cfg(feature = "script")]
pub mod project;
#[cfg(feature = "script")]
pub mod runtime;
#[cfg(feature = "script")]
pub mod script;
#[cfg(feature = "watch")]
pub mod watch;
//pub mod draw;
