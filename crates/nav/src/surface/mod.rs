//! The interface of all kinds of ground. [`Surface`] is a closed enum: every call is dispatched statically, once, to
//! the data structures of the ground. The modules below this one in `ARCHITECTURE.md` use this interface only.
//! Exceptions are drawing, `cli/bake`, `cli/path`, benchmarks and tests, which get the cells through `Surface::as_grid`
//! and the polygons through `Surface::as_mesh`.
//!
//! Where a method takes a position, a [`Place`](crate::nav::Place) or a point of the plane is also accepted.

/// Dispatches a call to the variant of the enum.
macro_rules! ask {
    ($surface:expr, $ground:ident => $answer:expr) => {
        match $surface {
            Surface::Grid($ground) => $answer,
            Surface::Mesh($ground) => $answer,
        }
    };
}

/// Dispatches a call with positions to the variant of the enum. A grid takes them as points of the plane.
macro_rules! ask_at {
    ($surface:expr, [$($position:ident),+], $ground:ident => $answer:expr) => {
        match $surface {
            Surface::Grid($ground) => {
                $(let $position = $position.at;)+
                $answer
            }
            Surface::Mesh($ground) => $answer,
        }
    };
}

mod areas;
mod boundary;
mod cost;
mod curve;
mod flood;
mod lines;
mod located;
mod memory;
mod next_ground;
mod places;
mod reach;
mod search;
mod what_if;

#[doc(hidden)]
pub use flood::Flood;
pub use located::Located;
pub(crate) use memory::Idle;
pub use memory::SearchMemory;
pub use next_ground::NextGround;
pub(crate) use search::Search;

use crate::grid::{Grid, LostWay, Pockets};
pub(crate) use crate::grid::{LinkEnds, LinkSteps};
pub use crate::mesh::LevelMemory;
use crate::mesh::{Mesh, polygons_of_level};
use crate::nav::{AreaId, Change, GroundError, Position};
use crate::room::{GroundKind, LevelGeometry, MeshPolygons, Room};
use glam::DVec2;
use std::ops::ControlFlow;

/// The ground of a room, of any kind.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)] // few instances at a time; a box would cost an indirection
#[non_exhaustive]
pub enum Surface {
    /// Cells: painted from areas and obstacles, given by a text file, or sampled from an image.
    Grid(Grid),
    /// Convex polygons with portals: a navmesh.
    Mesh(Mesh),
}

impl Surface {
    /// Builds the ground that a room describes, with each area open or closed as its file says.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`] when the ground would have more than [`MAX_CELLS`](crate::room::MAX_CELLS) cells;
    /// [`GroundError::Mesh`] when the polygons of a mesh have faults, [`GroundError::Level`] when none can be built from a
    /// level.
    pub fn new(room: &Room) -> Result<Self, GroundError> {
        let available: Vec<bool> = room.areas.iter().map(|area| area.available).collect();
        Self::with_areas(room, &available)
    }

    /// Builds the polygons of a level, for [`Room::give_polygons`]. [`Surface::new`] does the same each time for a room
    /// that has none, so build them once for a room that is kept. `progress` is called with the share that is done, 0 to
    /// 1, and may stop the work.
    ///
    /// # Errors
    /// [`GroundError::Level`] if the level has no ground, is too large, or the work was stopped.
    pub fn polygons_of_level(
        level: &LevelGeometry,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<MeshPolygons, GroundError> {
        polygons_of_level(level, &mut LevelMemory::default(), progress)
    }

    /// [`Self::polygons_of_level`] for a level that was built before. `memory` makes it faster where little has changed,
    /// and the result is the same.
    ///
    /// # Errors
    /// The same.
    pub fn polygons_of_changed_level(
        level: &LevelGeometry,
        memory: &mut LevelMemory,
        progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<MeshPolygons, GroundError> {
        polygons_of_level(level, memory, progress)
    }

    fn with_areas(room: &Room, available: &[bool]) -> Result<Self, GroundError> {
        match has_polygons(room) {
            false => Grid::with_areas(room, available).map(Self::Grid),
            true => Mesh::of_room(room, available).map(Self::Mesh),
        }
    }

    /// Opens or closes an area. `None` when no ground changed.
    pub fn set_area_available(&mut self, area: AreaId, available: bool) -> Option<Change> {
        ask!(self, ground => ground.set_area_available(area, available))
    }

    /// Undoes the count of changes that were undone.
    pub(crate) fn set_revision(&mut self, revision: u64) {
        ask!(self, ground => ground.set_revision(revision));
    }

    /// The cost of opening or closing an area: words of 64 cells scanned, plus rows of polygons.
    pub fn toggle_work(&self, area: AreaId) -> u64 {
        ask!(self, ground => ground.toggle_work(area))
    }

    /// The number of changes of the ground so far. If the revision of a ground is the same at two times, the ground
    /// has not changed in between.
    pub fn revision(&self) -> u64 {
        ask!(self, ground => ground.revision())
    }

    /// Calls `word` for each word of the ground's state, in a fixed order. Checksums use it.
    pub fn for_each_state_word(&self, word: impl FnMut(u64)) {
        ask!(self, ground => ground.for_each_state_word(word));
    }

    // ---- the grid itself, for drawing and benchmarks ----

    /// The grid, if the ground is one.
    #[doc(hidden)]
    pub fn as_grid(&self) -> Option<&Grid> {
        match self {
            Self::Grid(grid) => Some(grid),
            Self::Mesh(_) => None,
        }
    }

    /// The mesh, if the ground is one.
    #[doc(hidden)]
    pub fn as_mesh(&self) -> Option<&Mesh> {
        match self {
            Self::Grid(_) => None,
            Self::Mesh(mesh) => Some(mesh),
        }
    }

    /// The cells, if the ground is made of cells: those of a grid, or those that the polygons of a mesh are made of.
    #[doc(hidden)]
    pub fn cells(&self) -> Option<&Grid> {
        match self {
            Self::Grid(grid) => Some(grid),
            Self::Mesh(mesh) => mesh.cells(),
        }
    }

    /// The walkable pixels of a painted room that see no node.
    pub fn pockets(&self) -> Option<Pockets> {
        self.as_grid()?.pockets()
    }

    /// The ways that the sampling of a painted room loses, the shortest first.
    pub fn lost_ways(&self) -> Vec<LostWay> {
        self.as_grid().map_or_else(Vec::new, Grid::lost_ways)
    }

    /// The highest whole sample rate below the present one of a painted room that loses no way.
    pub fn rate_that_loses_none(&self) -> Option<f64> {
        self.as_grid().map(Grid::rate_that_loses_none)
    }

    /// If the pixels of a painted room join two places and its nodes do not: a place where the way is lost, and the
    /// highest whole sample rate that keeps it.
    pub fn lost_between(&self, from: Position, to: Position) -> Option<(DVec2, f64)> {
        self.as_grid()?.lost_between(from.at, to.at)
    }

    /// The work of [`Surface::lost_between`].
    pub fn lost_ways_work(&self) -> u64 {
        self.as_grid().map_or(0, Grid::lost_ways_work)
    }

    /// The ground as the text of a `.txt` room, if it is made of cells.
    pub fn to_text_grid(&self) -> Option<String> {
        self.cells().map(Grid::to_text_grid)
    }
}

/// Whether the ground of a room is made of polygons.
fn has_polygons(room: &Room) -> bool {
    room.ground.kind == GroundKind::Mesh || room.ground.has_polygons_of_cells()
}
