//! Who sees what.

use super::World;
use crate::crowd::CharacterId;
use crate::nav::HiddenBy;
use glam::DVec2;

/// Somebody's view of a place.
// Exhaustive: games write it as a literal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// From where, in metres.
    pub from: Seen,
    /// Of what.
    pub to: Seen,
    /// The middle of the view, in radians, and how far it extends to both sides together. None sees all round.
    pub cone: Option<(f64, f64)>,
    /// How far one sees, in metres.
    pub range_m: f64,
}

/// A place, or somebody's body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Its middle, in metres.
    pub at: DVec2,
    /// Half its width; 0 of a place.
    pub radius_m: f64,
}

/// Why something is not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unseen {
    /// It is too far away.
    TooFar,
    /// It is beside the view.
    Beside,
    /// Something is in between.
    Hidden(HiddenBy),
}

impl World {
    /// Whether something is seen, and if not, why not.
    ///
    /// It is seen if a straight line gets through: to its middle or to one of its sides, from the middle of who looks, or from
    /// one side of theirs to the same side of it. So what is narrower than both bodies hides nobody, wherever between them it stands. Who
    /// else stands in between hides nothing.
    ///
    /// # Errors
    /// What is in the way of the line between the two middles.
    pub fn look(&self, view: &View) -> Result<(), Unseen> {
        let View { from, to, cone, range_m } = *view;
        let apart = to.at - from.at;
        if apart.length() > range_m {
            return Err(Unseen::TooFar);
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
        let between = in_view(from.at, to.at).then(|| self.ground.hidden_by(from.at, to.at));
        if between == Some(None) {
            return Ok(());
        }
        // A shoulder in a wall sees nothing, and nobody sees it.
        let shoulder = |of: Seen, side: f64| {
            let at = of.at + direction.perp() * (side * of.radius_m);
            (of.radius_m > 0.0 && self.ground.is_lit(at)).then_some(at)
        };
        let mut beside = between.is_none();
        for side in [-1.0, 1.0] {
            let Some(there) = shoulder(to, side) else { continue };
            for eye in [Some(from.at), shoulder(from, side)].into_iter().flatten() {
                if in_view(eye, there) {
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

    /// The body of somebody in the room.
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
