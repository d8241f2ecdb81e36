//! The interface of all kinds of ground. [`Surface`] is a closed enum: every call is dispatched statically, once, to
//! the data structures of the ground. The modules below this one in `ARCHITECTURE.md` use this interface only.
//! Exceptions are drawing, benchmarks and tests, which get the cells through `Surface::as_grid`.
//!
//! Where a method takes a position, a [`Place`](crate::nav::Place) or a point of the plane is also accepted.

/// Dispatches a call to the variant of the enum.
macro_rules! ask {
    ($surface:expr, $ground:ident => $answer:expr) => {
        match $surface {
            Surface::Grid($ground) => $answer,
            #[cfg(test)]
            Surface::Mesh($ground) => $answer,
        }
    };
}

/// Dispatches a call to the variant of the enum. On a mesh, the call goes to the storey that contains the position.
macro_rules! ask_at {
    ($surface:expr, $position:expr, $ground:ident => $answer:expr) => {
        match $surface {
            Surface::Grid($ground) => $answer,
            #[cfg(test)]
            Surface::Mesh(mesh) => {
                let $ground = &mesh.on_storey_of($position);
                $answer
            }
        }
    };
}

mod areas;
mod flood;
mod lines;
mod located;
mod memory;
mod places;
mod reach;
mod search;
mod what_if;

pub(crate) use flood::Flood;
pub use located::Located;
pub(crate) use memory::IdleMemory;
pub use memory::SearchMemory;
pub(crate) use search::Search;

use crate::grid::{Grid, Pockets};
#[cfg(test)]
use crate::mesh::Mesh;
use crate::nav::{AreaId, Change, GroundError};
use crate::room::Room;

/// The ground of a room, of any kind.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, allow(clippy::large_enum_variant))] // few instances at a time; a box would cost an indirection
#[non_exhaustive]
pub enum Surface {
    /// Cells: painted from areas and obstacles, given by a text file, or sampled from an image.
    Grid(Grid),
    /// Convex polygons, for the tests of this interface.
    #[cfg(test)]
    Mesh(Mesh),
}

impl Surface {
    /// Builds the ground that a room describes, with each area open or closed as its file says.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`] when the ground would have more than [`MAX_CELLS`](crate::room::MAX_CELLS) cells.
    pub fn new(room: &Room) -> Result<Self, GroundError> {
        Grid::new(room).map(Self::Grid)
    }

    /// The ground of a changed room, with the given availability of its areas (in file order). The result equals a
    /// fresh build bit for bit. The second value says what changed. It is `None` if nothing changed.
    /// # Errors
    ///
    /// [`GroundError::TooLarge`] when the ground would have more than [`MAX_CELLS`](crate::room::MAX_CELLS) cells.
    /// `self` stays as it was.
    pub fn rebuilt(&self, room: &Room, available: &[bool]) -> Result<(Self, Option<Change>), GroundError> {
        match self {
            Self::Grid(grid) => {
                grid.rebuilt(room, available).map(|(grid, change)| (Self::Grid(grid), change))
            }
            #[cfg(test)]
            Self::Mesh(mesh) => {
                let (mesh, change) = mesh.rebuilt(room, available);
                Ok((Self::Mesh(mesh), change))
            }
        }
    }

    /// Opens or closes an area. `None` when no ground changed.
    pub fn set_area_available(&mut self, area: AreaId, available: bool) -> Option<Change> {
        ask!(self, ground => ground.set_area_available(area, available))
    }

    /// Like [`Surface::set_area_available`], but keeps the change only if `accept` returns true for the changed
    /// ground. Otherwise the ground is restored, its revision included. Returns the result of `accept`, and what
    /// changed.
    pub fn try_area_available(
        &mut self,
        area: AreaId,
        available: bool,
        accept: impl FnOnce(&Self) -> bool,
    ) -> (bool, Option<Change>) {
        if self.area_available(area) == available {
            return (accept(self), None);
        }
        let revision = self.revision();
        let change = self.set_area_available(area, available);
        if accept(self) {
            return (true, change);
        }
        self.set_area_available(area, !available);
        ask!(self, ground => ground.set_revision(revision));
        (false, None)
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
            #[cfg(test)]
            Self::Mesh(_) => None,
        }
    }

    /// The walkable pixels of a painted room that see no node.
    pub fn pockets(&self) -> Option<Pockets> {
        self.as_grid()?.pockets()
    }

    /// The ground as the text of a `.txt` room, if it is made of cells.
    pub fn to_text_grid(&self) -> Option<String> {
        self.as_grid().map(Grid::to_text_grid)
    }
}
