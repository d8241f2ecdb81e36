//! A navigation runtime for games made of rooms. A room is a JSON file, and its characters behave as Lua scripts say.
//! cicerone finds and follows paths, keeps characters apart, opens doors, and sends events to scripts and to the game.
//!
//! Begin with [`runtime::Runtime`] (a room with its scripts) or [`world::World`] (the same without Lua). The module
//! [`architecture`] is the map of the source code.
//!
#![doc = include_str!("../docs/src/programmers/tasks.md")]
#![cfg_attr(docsrs, feature(doc_cfg))] // set on docs.rs, which has a nightly compiler

#[doc = include_str!("ARCHITECTURE.md")]
pub mod architecture {}

/// The vectors of the public API, in the version that fits: positions are [`glam::DVec2`], in metres.
pub use glam;

use cicerone_nav::{crowd, parallel};
#[doc(inline)]
pub use cicerone_nav::{draw, geometry, nav, plan, problem, record, room, surface, tactics, world};

pub mod project;
pub mod script;

pub mod lint;

pub mod watch;

pub mod runtime;

pub mod serve;

pub mod scenario;

#[cfg(feature = "page")]
pub mod inspector;

#[cfg(test)]
#[path = "../tests/common/sweeps.rs"]
mod sweeps;

#[doc(hidden)]
pub use cicerone_nav::internals;

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// So are those of the book.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/programmers/embedding.md")]
struct Embedding;

/// And those about functions of a game.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/programmers/game-functions.md")]
struct GameFunctions;
