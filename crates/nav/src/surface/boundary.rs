//! The walls near a character.

use super::{Located, Surface};
use crate::nav::LocalBoundary;

impl Surface {
    /// Finds the walls within `range_m` of a position, unless `boundary` still holds them: see [`LocalBoundary`]. Only
    /// ground that is connected to the position within the range counts, on its storey. A position off the ground has no
    /// walls.
    ///
    /// Returns the work of the search, in edges tested; 0 if there was none.
    pub fn boundary_near(&self, position: impl Located, range_m: f64, boundary: &mut LocalBoundary) -> u64 {
        let position = self.locate(position);
        let is_fresh = boundary.is_fresh(position, range_m, self.revision());
        if is_fresh && boundary.centre().is_some_and(|centre| self.floors_touch(centre, position)) {
            return 0;
        }
        let (found, work) = ask_at!(self, [position], ground => ground.walls_near(position, range_m));
        boundary.keep(found, position, range_m, self.revision());
        work
    }
}
