//! The seam between the kinds of ground and everything that walks on them. [`Surface`] is a closed enum: each question is dispatched
//! once, and the ground answers it with its own data structures. The modules after this one ask these questions, and never see
//! cells, nodes or polygons. Where a question takes a position, a [`Place`](crate::nav::Place) or a point of the plane will do.

/// Asks the ground of whichever kind it is.
macro_rules! ask {
    ($surface:expr, $ground:ident => $answer:expr) => {
        match $surface {
            Surface::Grid($ground) => $answer,
            #[cfg(test)]
            Surface::Mesh($ground) => $answer,
        }
    };
}

/// Asks a ground about what is on the storey of a position.
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

pub use flood::Flood;
pub use located::Located;
pub use memory::{IdleMemory, SearchMemory};
pub use search::Search;

use crate::grid::{Grid, Pockets};
#[cfg(test)]
use crate::mesh::Mesh;
use crate::nav::{AreaId, Change, GroundError};
use crate::room::Room;

/// The ground of a room, of any kind.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, allow(clippy::large_enum_variant))] // there is one at a time, and no pointer to follow
pub enum Surface {
    /// Cells: painted from areas and obstacles, given by a text file, or sampled from an image.
    Grid(Grid),
    /// Convex polygons, for the tests of the seam.
    #[cfg(test)]
    Mesh(Mesh),
}

impl Surface {
    /// Builds the ground that a room describes, with every area as available as its file says.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`] when the ground would have more cells than fit.
    pub fn new(room: &Room) -> Result<Self, GroundError> {
        Grid::new(room).map(Self::Grid)
    }

    /// The ground of a changed room, with the given availability of its areas (in file order). It equals a fresh build bit for
    /// bit. The second value says what changed, `None` if nothing did.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`], and the old ground is still as it was.
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

    /// [`Surface::set_area_available`] if `accept` likes the ground as it would be then; else everything, the revision
    /// included, is as before. Returns whether it was accepted, and what changed.
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

    /// How much opening or closing an area goes over, in words of 64 cells and rows of polygons.
    pub fn toggle_work(&self, area: AreaId) -> u64 {
        ask!(self, ground => ground.toggle_work(area))
    }

    /// Counts changes of the ground. Equal revisions of one ground mean equal ground.
    pub fn revision(&self) -> u64 {
        ask!(self, ground => ground.revision())
    }

    /// Calls `word` with the whole state of the ground in a fixed order: for checksums.
    pub fn for_each_state_word(&self, word: impl FnMut(u64)) {
        ask!(self, ground => ground.for_each_state_word(word));
    }

    // ---- the ground itself, for pictures and measurements of cells ----

    /// The grid, if the ground is one.
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
