//! A navigation runtime for games made of rooms. A room is a JSON file, and its characters behave as Lua scripts say.
//! cicerone finds and follows paths, keeps characters apart, opens doors, and sends events to scripts and to the game.
//!
//! Begin with [`runtime::Runtime`] (a room with its scripts) or [`world::World`] (the same without Lua). The module
//! [`architecture`] is the map of the source code.
//!
#![cfg_attr(any(not(doctest), feature = "script"), doc = include_str!("../docs/src/programmers/tasks.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))] // set on docs.rs, which has a nightly compiler

#[doc = include_str!("ARCHITECTURE.md")]
pub mod architecture {}

/// The vectors of the public API, in the version that fits: positions are [`glam::DVec2`], in metres.
pub use glam;

pub mod problem;

pub mod geometry;
mod level;
pub mod nav;
mod parallel;
pub mod room;

mod grid;
mod mesh;
pub mod surface;

pub mod plan;

mod crowd;

pub mod world;

pub mod tactics;

#[cfg(feature = "record")]
pub mod record;

pub mod draw;

#[cfg(feature = "script")]
pub mod project;
#[cfg(feature = "script")]
pub mod script;

#[cfg(feature = "script")]
pub mod lint;

#[cfg(feature = "watch")]
pub mod watch;

#[cfg(feature = "script")]
pub mod runtime;

#[cfg(feature = "script")]
pub mod serve;

#[cfg(feature = "script")]
pub mod scenario;

#[cfg(feature = "page")]
pub mod inspector;

#[cfg(test)]
mod conformance;

/// What tests and benchmarks look at. It may change with every version.
#[doc(hidden)]
pub mod internals {
    pub use crate::crowd::{Neighbours, nudge_target};
    /// Ground made of convex polygons.
    pub mod mesh {
        pub use crate::mesh::{
            AnyAngle, AnyAngleMemory, Behind, Edge, Mesh, MeshPath, MoveError, MoveMemory, Moved, Openness,
            PolygonProblem, PolygonView, Polygons, PortalPath, PortalPathMemory, RawPolygon, View,
        };
    }
    pub use crate::plan::{Planner, PlannerState};
    /// The part of the buffers that a search over cells uses.
    pub fn grid_memory(memory: &mut crate::surface::SearchMemory) -> &mut grid::SearchMemory {
        &mut memory.grid
    }
    /// Ground made of cells.
    pub mod grid {
        pub use crate::grid::{
            CutOff, Frame, Grid, LostWay, Node, NodePlan, NodeSearch, Overlay, Pockets, Reach, SearchMemory,
        };
    }
}

/// The README's examples are tests.
#[cfg(all(doctest, feature = "script"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// So are those of the book.
#[cfg(all(doctest, feature = "watch"))]
#[doc = include_str!("../docs/src/programmers/embedding.md")]
struct Embedding;

/// And those about functions of a game.
#[cfg(all(doctest, feature = "script"))]
#[doc = include_str!("../docs/src/programmers/game-functions.md")]
struct GameFunctions;
