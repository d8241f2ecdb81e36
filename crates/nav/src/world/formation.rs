//! The places of a formation on the ground of a room.

use super::{CommandError, World, check_place};
use crate::crowd::{
    Character, CharacterId, FormationKind, Taken, assign, circle_radius_m, free_spot, places,
};
use crate::nav::{Place, Position};
use crate::surface::Surface;
use glam::DVec2;

/// A formation to be taken up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Formation {
    /// Its shape.
    pub kind: FormationKind,
    /// The middle of a circle or a line, the tip of a wedge.
    pub at: Place,
    /// Distance between neighbours, in metres. `None`: enough for two of the widest bodies.
    pub spacing_m: Option<f64>,
    /// The radius of a circle, in metres. `None`: as the spacing says.
    pub radius_m: Option<f64>,
    /// Where line and wedge look, as a direction. `None`: on, as seen from where the characters come.
    pub facing: Option<DVec2>,
}

/// The place of a character in a formation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FormationPlace {
    /// The character.
    pub who: CharacterId,
    /// Where it is to stand.
    pub at: Place,
    /// A point in the direction that it is to look in.
    pub look_at: Place,
    /// Whether there is room for it. If not, `at` is the middle of the formation.
    pub has_room: bool,
}

/// Upper limit on the characters of a formation.
pub const MAX_FORMATION: usize = 200;

/// Room between the bodies of neighbours, in metres, where no spacing is given.
const FORMATION_GAP_M: f64 = 0.4;

/// Distance between bodies that stand where the ground left them no other place, in metres.
const LEAST_GAP_M: f64 = 0.05;

/// How far a place may be moved to free ground, in metres.
const REACH_M: f64 = 8.0;

/// How far ahead the points are that characters look at, in metres.
const LOOK_M: f64 = 10.0;

/// Widest spacing and radius, in metres.
const WIDEST_M: f64 = 1000.0;

impl World {
    /// Gives each of the characters a place in a formation, so that they walk little and their ways do not cross. Places
    /// that are not walkable, cannot be reached from the middle, or are taken by others that stand there move to the
    /// nearest free ground. The first character of a wedge has its tip.
    ///
    /// # Errors
    /// A character that is gone; a place or a number out of range; none or more than [`MAX_FORMATION`] characters.
    pub fn formation_places(
        &self,
        who: &[CharacterId],
        formation: &Formation,
    ) -> Result<Vec<FormationPlace>, CommandError> {
        check_place(formation.at)?;
        if who.is_empty() || who.len() > MAX_FORMATION {
            let message = format!("a formation has 1 to {MAX_FORMATION} characters, not {}", who.len());
            return Err(CommandError::BadNumber(message));
        }
        let members = who.iter().map(|&id| self.characters.get(id).ok_or(CommandError::Gone(id)));
        let members = members.collect::<Result<Vec<_>, _>>()?;
        let widest_m = members.iter().map(|member| member.collision_radius_m).fold(0.0, f64::max);
        let spacing_m = formation.spacing_m.unwrap_or(2.0 * widest_m + FORMATION_GAP_M);
        let least_m = match formation.kind {
            FormationKind::Circle => circle_radius_m(who.len(), 2.0 * widest_m),
            _ => 0.0,
        };
        within("spacing", spacing_m, 2.0 * widest_m)?;
        formation.radius_m.map_or(Ok(()), |radius_m| within("radius", radius_m, least_m))?;

        // Among several classes, the places are those of the room's own walker, and each has the nearest to its own that fits.
        let class = members[0].class;
        let is_one_class = members.iter().all(|member| member.class == class);
        let ground = if is_one_class { self.ground_in(class) } else { &*self.ground };
        let middle = self.nearest_on(ground, formation.at);
        let middle = middle.or_else(|| ground.nearest_on_storey(ground.locate(formation.at)));
        let middle = middle.filter(|middle| middle.at.distance(formation.at.at) <= REACH_M);
        let middle = middle.ok_or(CommandError::NoGround(formation.at))?;
        let from: Vec<DVec2> = members.iter().map(|member| member.position.at).collect();
        let ahead = self.facing_of(formation, middle.at, &from);
        // The circle's first place is on the side they come from.
        let first = if formation.kind == FormationKind::Circle { -ahead } else { ahead };
        let wanted = places(formation.kind, who.len(), spacing_m, formation.radius_m, first);
        let wanted: Vec<DVec2> = wanted.into_iter().map(|place| middle.at + place).collect();
        let spots = self.spots_for(who, &wanted, (ground, middle), widest_m);

        let at: Vec<DVec2> = spots.iter().map(|spot| spot.map_or(middle.at, |spot| spot.at)).collect();
        let led = usize::from(formation.kind == FormationKind::Wedge);
        let mut given: Vec<usize> = (0..led).collect();
        given.extend(assign(&from[led..], &at[led..]).into_iter().map(|place| place + led));
        let place = |(member, place): (&&Character, usize)| {
            let (who, spot) = (member.id, spots[place].unwrap_or(middle));
            let own = self.ground_of(member);
            let spot = if own.is_walkable(spot) { spot } else { self.fitting(own, spot, &spots, member) };
            let ahead = match formation.kind {
                FormationKind::Circle => (middle.at - spot.at).try_normalize().unwrap_or(ahead),
                _ => ahead,
            };
            let look_at = Place { at: spot.at + ahead * LOOK_M, y_m: None };
            FormationPlace { who, at: self.ground.place_of(spot), look_at, has_room: spots[place].is_some() }
        };
        Ok(members.iter().zip(given).map(place).collect())
    }

    /// The nearest place to a spot that fits one of a formation, beside the spots of the others.
    fn fitting(
        &self,
        own: &Surface,
        spot: Position,
        spots: &[Option<Position>],
        member: &Character,
    ) -> Position {
        let Some(nearest) = own.nearest_on_storey(spot) else { return spot };
        let others = spots.iter().flatten().filter(|other| **other != spot);
        let taken: Vec<Taken> = others.map(|&other| (other, 2.0 * member.collision_radius_m)).collect();
        let steps = (0.5 * member.collision_radius_m.max(0.1), REACH_M);
        free_spot(own, nearest, nearest.at, steps, &taken).unwrap_or(nearest)
    }

    /// Where a formation looks: a unit vector.
    fn facing_of(&self, formation: &Formation, middle: DVec2, from: &[DVec2]) -> DVec2 {
        let mean = from.iter().sum::<DVec2>() / from.len().max(1) as f64;
        let said = formation.facing.and_then(DVec2::try_normalize);
        said.or_else(|| (middle - mean).try_normalize()).unwrap_or(DVec2::X)
    }

    /// Free ground for each of the wanted places, first for those that are free as they are.
    fn spots_for(
        &self,
        who: &[CharacterId],
        wanted: &[DVec2],
        (ground, middle): (&Surface, Position),
        widest_m: f64,
    ) -> Vec<Option<Position>> {
        let extent_m = wanted.iter().map(|at| at.distance(middle.at)).fold(0.0, f64::max) + REACH_M;
        let outsiders = self.characters().iter().filter(|other| {
            let is_near = other.position.distance(middle) <= extent_m + widest_m + other.collision_radius_m;
            is_near && other.is_in_crowd() && other.is_standing() && !who.contains(&other.id)
        });
        let mut taken: Vec<Taken> = outsiders
            .map(|other| (other.position, widest_m + other.collision_radius_m + LEAST_GAP_M))
            .collect();
        let least_m = 2.0 * widest_m + LEAST_GAP_M;
        let step_m = widest_m.max(0.1) * 0.5;
        let mut spots = vec![None; wanted.len()];
        for reach_m in [0.0, REACH_M] {
            for (spot, &at) in spots.iter_mut().zip(wanted) {
                if spot.is_none() {
                    *spot = free_spot(ground, middle, at, (step_m, reach_m), &taken);
                    // Those that have the place that was meant may stand closer.
                    taken.extend(
                        spot.map(|spot| (spot, if reach_m > 0.0 { least_m } else { 2.0 * widest_m - 1e-6 })),
                    );
                }
            }
        }
        spots
    }
}

fn within(name: &str, metres: f64, least_m: f64) -> Result<(), CommandError> {
    if metres.is_finite() && metres >= least_m - 1e-9 && metres <= WIDEST_M {
        return Ok(());
    }
    let why = if metres < least_m { ", so that the bodies have room" } else { "" };
    let message = format!("{name} must be from {least_m:.2} to {WIDEST_M} m{why}, not {metres}");
    Err(CommandError::BadNumber(message))
}
