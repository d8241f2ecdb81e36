//! Navigation for games made of rooms: the core of cicerone, without Lua and files. A room is a JSON file; a world of it finds
//! and follows paths, keeps characters apart, opens doors, and tells what happened.
//!
//! Begin with [`world::World`]: commands in, events out.
//!
//! ```
//! use cicerone_nav::world::{Command, EventKind, World};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let hall = br#"{
//!     "areas": [{ "name": "hall", "polygon": [[0, 0], [8, 0], [8, 6], [0, 6]] }],
//!     "characters": [{ "name": "ann", "at": [1, 1] }]
//! }"#;
//! let seed = 7;
//! let mut world = World::new(cicerone_nav::room::parse("hall.json", hall)?.room, seed)?;
//! let ann = world.character_named("ann").ok_or("nobody")?.id;
//! world.apply(Command::SetTarget { who: ann, to: [6.0, 4.0].into() })?;
//! (0..600).for_each(|_| world.tick()); // ten seconds
//! let arrived = |kind: &EventKind| matches!(kind, EventKind::WalkEnded { end, .. } if end.to_string() == "arrived");
//! assert!(world.take_events().iter().any(|event| arrived(&event.kind)));
//! # Ok(())
//! # }
//! ```
//!
//! The map of the source code, with that of the product around it, is `src/ARCHITECTURE.md` of cicerone.

/// The vectors of the public API, in the version that fits: positions are [`glam::DVec2`], in metres.
pub use glam;

pub mod problem;

pub mod geometry;
mod level;
pub mod nav;
#[doc(hidden)]
pub mod parallel;
pub mod room;

mod grid;
mod mesh;
pub mod surface;

pub mod plan;

#[doc(hidden)]
pub mod crowd;

pub mod world;

pub mod tactics;

pub mod record;

pub mod draw;

#[cfg(test)]
mod conformance;

#[cfg(test)]
#[path = "../../../tests/common/sweeps.rs"]
mod sweeps;

/// What tests and benchmarks look at. It may change with every version.
#[doc(hidden)]
pub mod internals {
    pub use crate::crowd::{Neighbours, nudge_target};
    /// Ground made of convex polygons.
    pub mod mesh {
        pub use crate::mesh::{
            AnyAngle, AnyAngleMemory, Behind, Edge, Mesh, MeshFlood, MeshPath, MoveError, MoveMemory, Moved,
            Openness, PolygonProblem, PolygonView, Polygons, PortalPath, PortalPathMemory, RawPolygon, View,
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
