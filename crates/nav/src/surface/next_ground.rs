//! The ground of a changed room, made while the room still runs.

use super::{Surface, has_polygons};
use crate::nav::{AreaId, Change, GroundError};
use crate::room::Room;

/// The ground of another version of a room, with the areas as its file has them: made to check it, and then swapped in.
#[derive(Debug, Clone)]
pub struct NextGround {
    /// The ground.
    pub ground: Surface,
    /// The revision of the running ground from which it was repainted, and what that changed.
    since: Option<(u64, Option<Change>)>,
}

impl NextGround {
    /// The ground of a room. Of the cells of a running ground only what differs is painted: the result equals a fresh
    /// build bit for bit.
    ///
    /// # Errors
    /// [`GroundError`], if there is no ground of this room.
    pub fn new(room: &Room, running: Option<&Surface>) -> Result<Self, GroundError> {
        match running {
            Some(Surface::Grid(running)) if !has_polygons(room) => {
                let (grid, change) = running.rebuilt(room, &as_in_file(room))?;
                Ok(Self { ground: Surface::Grid(grid), since: Some((running.revision(), change)) })
            }
            _ => Ok(Self { ground: Surface::new(room)?, since: None }),
        }
    }
}

fn as_in_file(room: &Room) -> Vec<bool> {
    room.areas.iter().map(|area| area.available).collect()
}

impl Surface {
    /// The ground of a changed room, with the given availability of its areas (in file order). The result equals a
    /// fresh build bit for bit. The second value says what changed. It is `None` if nothing changed.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`] when the ground would have more than [`MAX_CELLS`](crate::room::MAX_CELLS) cells.
    /// `self` stays as it was.
    pub fn rebuilt(&self, room: &Room, available: &[bool]) -> Result<(Self, Option<Change>), GroundError> {
        self.rebuilt_over(None, room, available)
    }

    /// [`Surface::rebuilt`], with the ground of the changed room if it was made already.
    pub(crate) fn rebuilt_over(
        &self,
        next: Option<NextGround>,
        room: &Room,
        available: &[bool],
    ) -> Result<(Self, Option<Change>), GroundError> {
        if let (Self::Grid(grid), false) = (self, has_polygons(room)) {
            return match next {
                Some(NextGround { ground, since: Some((revision, change)) })
                    if revision == grid.revision() && as_in_file(room) == available =>
                {
                    Ok((ground, change))
                }
                // Repainted in place, which tells what changed.
                _ => grid.rebuilt(room, available).map(|(grid, change)| (Self::Grid(grid), change)),
            };
        }
        let mut new = match next {
            Some(NextGround { mut ground, .. }) => {
                for (area, &available) in available.iter().enumerate() {
                    ground.set_area_available(AreaId(area), available);
                }
                ground
            }
            None => Self::with_areas(room, available)?,
        };
        let is_same = matches!((self, &new), (Self::Mesh(old), Self::Mesh(new)) if old.has_ground_of(new));
        let revision = self.revision() + u64::from(!is_same);
        ask!(&mut new, ground => ground.set_revision(revision));
        let ((min, max), (old_min, old_max)) = (new.bounds(), self.bounds());
        let change = Change { min: min.min(old_min), max: max.max(old_max), opened: true, closed: true };
        Ok((new, (!is_same).then_some(change)))
    }
}
