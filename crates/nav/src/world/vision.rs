//! Vision: lines of vision between places and bodies.

use super::World;
use crate::crowd::CharacterId;
use crate::nav::{HiddenBy, Position};
use glam::DVec2;

/// A view from one place or body to another.
// Exhaustive: games write it as a literal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The viewing place or body.
    pub from: Seen,
    /// The place or body to see.
    pub to: Seen,
    /// The middle of the view and its full width, in radians. `None` sees all round.
    pub cone: Option<(f64, f64)>,
    /// How far the view reaches, in metres.
    pub range_m: f64,
}

/// A place, or the body of a character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Its middle.
    pub at: Position,
    /// Half its width; 0 for a place.
    pub radius_m: f64,
}

/// Why something is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// It is too far away.
    TooFar,
    /// It is outside the cone of the view.
    Beside,
    /// It is on another storey.
    OtherStorey,
    /// Something is in between.
    Hidden(HiddenBy),
}

impl World {
    /// Whether something is seen, and if not, why not.
    ///
    /// It is seen if a line of vision gets through: from the viewer's middle to its middle or one of its sides, or from
    /// one side of the viewer to the same side of it. So an obstacle narrower than both bodies hides neither, wherever
    /// between them it stands. Other characters in between hide nothing.
    ///
    /// # Errors
    /// What is in the way of the line between the two middles.
    pub fn look(&self, view: &View) -> Result<(), Unseen> {
        let View { from, to, cone, range_m } = *view;
        let apart = to.at.at - from.at.at;
        if apart.length() > range_m {
            return Err(Unseen::TooFar);
        }
        if !self.ground.floors_touch(from.at, to.at) {
            return Err(Unseen::OtherStorey);
        }
        let Some(direction) = apart.try_normalize() else { return Ok(()) };
        let in_view = |from: DVec2, to: DVec2| {
            cone.is_none_or(|(middle_rad, whole_rad)| {
                let towards = to - from;
                let off_rad =
                    libm::remainder(libm::atan2(towards.y, towards.x) - middle_rad, std::f64::consts::TAU);
                off_rad.abs() <= whole_rad / 2.0
            })
        };
        let between = in_view(from.at.at, to.at.at).then(|| self.ground.hidden_by(from.at, to.at));
        if between == Some(None) {
            return Ok(());
        }
        // A shoulder in a wall neither sees nor is seen.
        let shoulder = |of: Seen, side: f64| {
            let at = Position { at: of.at.at + direction.perp() * (side * of.radius_m), ..of.at };
            (of.radius_m > 0.0 && self.ground.is_lit(at)).then_some(at)
        };
        let mut beside = between.is_none();
        for side in [-1.0, 1.0] {
            let Some(there) = shoulder(to, side) else { continue };
            for eye in [Some(from.at), shoulder(from, side)].into_iter().flatten() {
                if in_view(eye.at, there.at) {
                    beside = false;
                    if self.ground.hidden_by(eye, there).is_none() {
                        return Ok(());
                    }
                }
            }
        }
        match between.flatten() {
            _ if beside => Err(Unseen::Beside),
            Some(by) => Err(Unseen::Hidden(by)),
            None => Err(self.ground.hidden_by(from.at, to.at).map_or(Unseen::Beside, Unseen::Hidden)),
        }
    }

    /// What [`World::look`] costs at most, in corners and cells looked at.
    pub fn look_work(&self, view: &View) -> u64 {
        5 * self.ground.sight_work(view.from.at, view.to.at)
    }

    /// The body of a character in the room.
    pub fn body_of(&self, who: CharacterId) -> Option<Seen> {
        self.character(who).map(|c| Seen { at: c.position, radius_m: c.collision_radius_m })
    }

    /// What hides something, by name; a wall has none.
    pub fn name_of_cover(&self, by: HiddenBy) -> Option<&str> {
        match by {
            HiddenBy::Wall => None,
            HiddenBy::Area(area) => Some(self.ground.area_name(area)),
            HiddenBy::Obstacle(obstacle) => Some(self.ground.obstacle_name(obstacle)),
        }
    }
}
