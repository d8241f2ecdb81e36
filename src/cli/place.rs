//! Places and times on the command line.

use cicerone::nav::{Disc, Place};
use cicerone::world::World;
use glam::DVec2;

/// `X,Z` or `X,Y,Z` in metres, or the name of a point, a character, a hotspot or an area.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PlaceArg {
    At(Place),
    Named(String),
}

impl std::str::FromStr for PlaceArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split(',').collect::<Vec<_>>()[..] {
            [x, z] => return Ok(Self::At(DVec2::new(coordinate(x)?, coordinate(z)?).into())),
            [x, y, z] => {
                let at = DVec2::new(coordinate(x)?, coordinate(z)?);
                return Ok(Self::At(Place { at, y_m: Some(coordinate(y)?) }));
            }
            _ => {}
        }
        if text.trim().is_empty() || text.contains(',') || text.trim().parse::<f64>().is_ok() {
            return Err(
                "expected X,Z in metres (like 2.5,-1), X,Y,Z with a height, or the name of a point, character, hotspot or area"
                    .into(),
            );
        }
        Ok(Self::Named(text.trim().to_owned()))
    }
}

impl PlaceArg {
    /// The place in a room. For an area: where a path from `from` enters it, or near its middle.
    pub(super) fn find(&self, world: &World, from: Option<Place>) -> Result<Place, String> {
        let from = from.map(|from| world.ground().locate(from));
        self.find_by(world, |world, name| world.place_from(name, from))
    }

    /// The place to click on.
    pub(super) fn find_to_click(&self, world: &World) -> Result<Place, String> {
        self.find_by(world, World::place_to_click)
    }

    fn find_by(&self, world: &World, named: impl Fn(&World, &str) -> Option<Place>) -> Result<Place, String> {
        match self {
            Self::At(point) => Ok(*point),
            Self::Named(name) => named(world, name).ok_or_else(|| {
                if world.room().hotspot_named(name).is_some() {
                    return format!(
                        "the hotspot '{name}' has no walkTo in the room file: a character cannot walk to it"
                    );
                }
                let hint = world.similar_place(name).map(|meant| format!("; did you mean '{meant}'?"));
                format!(
                    "no {} '{name}' in room '{}'{}",
                    world.kinds_of_places(),
                    world.room().name,
                    hint.unwrap_or_default()
                )
            }),
        }
    }
}

/// A click at a time of the game: `T:PLACE`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimedClick {
    pub(super) at_s: f64,
    pub(super) place: PlaceArg,
}

impl std::str::FromStr for TimedClick {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (time, place) = text.split_once(':').ok_or("expected T:PLACE, like 2.5:4,1 or 2.5:fridge")?;
        let at_s: f64 = time.trim().parse().map_err(|_| format!("'{time}' is no time in seconds"))?;
        if !(at_s >= 0.0 && at_s.is_finite()) {
            return Err(format!("'{time}' is no time in seconds"));
        }
        Ok(Self { at_s, place: place.parse()? })
    }
}

/// A disc to avoid, `X,Z,R` or `X,Y,Z,R` in metres: its centre and its radius.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Avoid(Place, f64);

impl Avoid {
    pub(super) fn disc_in(&self, world: &World) -> Disc {
        Disc { centre: world.ground().locate(self.0), radius_m: self.1 }
    }
}

impl std::str::FromStr for Avoid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(',').collect();
        let (x, y_m, z, radius) = match parts[..] {
            [x, z, radius] => (x, None, z, radius),
            [x, y, z, radius] => (x, Some(coordinate(y)?), z, radius),
            _ => return Err("expected X,Z,R in metres, like 2.5,-1,0.4, or X,Y,Z,R".into()),
        };
        let centre = Place { at: DVec2::new(coordinate(x)?, coordinate(z)?), y_m };
        let radius_m = coordinate(radius)?;
        if !(radius_m > 0.0 && radius_m <= MOST_RADIUS_M) {
            return Err(format!("the radius must be greater than 0 and at most {MOST_RADIUS_M} m"));
        }
        Ok(Self(centre, radius_m))
    }
}

/// The limit of lengths in room files.
const MOST_RADIUS_M: f64 = 1000.0;

fn coordinate(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    let good = number.filter(|number| number.is_finite() && number.abs() <= cicerone::room::MAX_COORDINATE_M);
    good.ok_or_else(|| format!("'{}' is no coordinate in metres", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_clicks_are_read() {
        assert_eq!("-1.5, 2".parse(), Ok(PlaceArg::At(DVec2::new(-1.5, 2.0).into())));
        let above = Place { at: DVec2::new(1.0, 3.0), y_m: Some(2.5) };
        assert_eq!("1,2.5,3".parse(), Ok(PlaceArg::At(above)));
        assert_eq!("bar".parse(), Ok(PlaceArg::Named("bar".into())));
        assert_eq!(
            "2:-3,4".parse(),
            Ok(TimedClick { at_s: 2.0, place: PlaceArg::At(DVec2::new(-3.0, 4.0).into()) })
        );
        for bad in ["", "5", "1,nan", "1,inf", "1,2,3,4", "1,nan,3", "1e300,0"] {
            assert!(bad.parse::<PlaceArg>().is_err(), "{bad}");
        }
        assert_eq!("1,-2, 0.5".parse(), Ok(Avoid(Place::new(1.0, -2.0), 0.5)));
        assert_eq!("1,3,-2,0.5".parse(), Ok(Avoid(Place::new(1.0, -2.0).with_height(3.0), 0.5)));
        for bad in ["1,2", "1,2,0", "1,2,-1", "1,2,nan", "1,2,1e4", "1,2,3,4,5", "1,nan,3,4", "bar"] {
            assert!(bad.parse::<Avoid>().is_err(), "{bad}");
        }
        for bad in ["1,2", "-1:1,2", "x:1,2", "inf:1,2"] {
            assert!(bad.parse::<TimedClick>().is_err(), "{bad}");
        }
    }
}
