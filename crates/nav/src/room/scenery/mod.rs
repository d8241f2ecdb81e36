//! The scenery of a room: hotspots, and depth bands, which scale characters by distance.

mod check;
mod file;

pub(super) use self::check::check;
pub(super) use self::file::{DepthBandFile, HotspotFile};

use crate::geometry::Place;
use glam::DVec2;

use super::Room;
use super::mask::{Painted, Rgba, in_pixels};
use crate::geometry::{contains, row_crossings};

/// A place to point at: a window, a lever, a way out. It need not be walkable, and does not block characters.
#[derive(Debug, Clone, PartialEq)]
pub struct Hotspot {
    /// Its name, unique among the hotspots.
    pub name: String,
    /// As for [`Area::polygon`](super::Area::polygon).
    pub polygon: Vec<DVec2>,
    /// Its pixels, if it is painted.
    pub painted: Option<Painted>,
    /// A place on it, near its middle, where a click would go, metres.
    pub spot: DVec2,
    /// Where a character stands to use it, metres.
    pub walk_to: Option<Place>,
    /// The name of the point at `walk_to`, if the file gives one.
    pub walk_to_point: Option<String>,
    /// The look of the game's pointer over it: a word of the game's own.
    pub cursor: Option<String>,
    /// Whether it can be pointed at and used.
    pub enabled: bool,
    /// How far it was moved from its pixels, in metres: 0 in a room file.
    pub moved_m: DVec2,
}

/// A strip of the ground, along x, in which characters are drawn scaled.
#[derive(Debug, Clone, PartialEq)]
pub struct DepthBand {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The range of z, metres; the smaller one first.
    pub z_m: [f64; 2],
    /// The scale of characters at either end; 1 is their full size.
    pub scale: [f64; 2],
}

/// A place on a hotspot, near its middle.
pub(super) fn spot(polygon: &[DVec2], painted: Option<&Painted>, pixel_m: f64) -> DVec2 {
    let extent = |(min, max): (DVec2, DVec2), &corner: &DVec2| (min.min(corner), max.max(corner));
    let (min, max) = polygon.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), extent);
    let middle = min.midpoint(max);
    // Of all runs along x, the middle of the one that is long and near the middle.
    let worth = |(a, b): (DVec2, DVec2)| b.x - a.x - 2.0 * a.midpoint(b).distance(middle);
    let mut best: Option<(DVec2, DVec2)> = None;
    let mut look = |stretch: (DVec2, DVec2)| {
        if best.is_none_or(|best| worth(stretch) > worth(best)) {
            best = Some(stretch);
        }
    };
    match painted {
        Some(painted) => {
            for row in painted.pixels.rows() {
                let place = |column: u32| DVec2::new(f64::from(column), f64::from(row) + 0.5) * pixel_m;
                painted.pixels.row(row).iter().for_each(|run| look((place(run.start), place(run.end))));
            }
        }
        None => {
            let mut crossings = Vec::new();
            row_crossings(polygon, middle.y, &mut crossings);
            let at = |x: f64| DVec2::new(x, middle.y);
            crossings.chunks_exact(2).for_each(|pair| look((at(pair[0]), at(pair[1]))));
        }
    }
    best.map_or(middle, |(a, b)| a.midpoint(b))
}

impl Hotspot {
    /// Moves it, so that its spot is at a place.
    pub fn move_to(&mut self, at: DVec2) {
        let by = at - self.spot;
        self.polygon.iter_mut().for_each(|corner| *corner += by);
        self.moved_m += by;
        self.spot = at;
    }

    /// A place to click on: a place on the hotspot, on the storey where it is used from.
    pub fn place_to_click(&self) -> Place {
        Place { at: self.spot, y_m: self.walk_to.and_then(|walk_to| walk_to.y_m) }
    }
}

impl Room {
    /// The hotspot at a place; where hotspots overlap, the first one in the file.
    pub fn hotspot_at(&self, place: DVec2) -> Option<&Hotspot> {
        self.hotspots_at(place).next()
    }

    /// The hotspots at a place, in the order of the file, those that are switched off included.
    pub fn hotspots_at(&self, place: DVec2) -> impl Iterator<Item = &Hotspot> {
        self.hotspots.iter().filter(move |hotspot| self.is_on(hotspot, place))
    }

    /// Whether a place is on a hotspot of this room.
    pub fn is_on(&self, hotspot: &Hotspot, place: DVec2) -> bool {
        match &hotspot.painted {
            Some(painted) => {
                let pixel = self.pixel_at(place - hotspot.moved_m);
                pixel.is_some_and(|(column, row)| painted.pixels.contains(column, row))
            }
            None => contains(&hotspot.polygon, place),
        }
    }

    /// The hotspot with this name.
    pub fn hotspot_named(&self, name: &str) -> Option<&Hotspot> {
        self.hotspots.iter().find(|hotspot| hotspot.name == name)
    }

    /// The depth band at this z, and the scale of characters there; 1 is their full size. Between bands and beyond
    /// them, the nearest one counts. `None` where the room has no bands.
    pub fn depth_at(&self, z_m: f64) -> Option<(&DepthBand, f64)> {
        let distance = |band: &DepthBand| (band.z_m[0] - z_m).max(z_m - band.z_m[1]).max(0.0);
        let band = self.depth_bands.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let [from, to] = band.z_m;
        let share = ((z_m - from) / (to - from)).clamp(0.0, 1.0);
        Some((band, band.scale[0] + (band.scale[1] - band.scale[0]) * share))
    }

    /// The colour of the mask at a place; `None` outside the mask or in a room without one.
    pub fn mask_at(&self, place: DVec2) -> Option<Rgba> {
        let (column, row) = self.pixel_at(place)?;
        self.mask.as_ref()?.colour_at(column, row)
    }

    /// Column and row of the mask's pixel at a place.
    fn pixel_at(&self, place: DVec2) -> Option<(u32, u32)> {
        let (grid, mask) = (self.grid.as_ref()?, self.mask.as_ref()?);
        let pixel = in_pixels(place, mask.pixels_per_metre).floor();
        let inside = |at: f64, end: u32| (0.0..f64::from(end)).contains(&at);
        (inside(pixel.x, grid.width()) && inside(pixel.y, grid.depth()))
            .then_some((pixel.x as u32, pixel.y as u32))
    }
}
