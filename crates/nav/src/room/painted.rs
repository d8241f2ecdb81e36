//! Reads and scans the images that a room file names: the last step of reading a painted room.

use std::sync::Arc;

use super::file::{PointFile, RoomFile};
use super::locate::{JsonStep, Locator};
use super::mask::{Colours, Image, Mask, Paint, Painted, Pixels, Scan, picture, scan};
use super::{GridCells, MAX_COORDINATE_M, ReadFile};
use crate::problem::{Problem, Source};

/// The content of a room's images.
#[derive(Default)]
pub(super) struct Images {
    pub(super) mask: Option<Arc<Mask>>,
    pub(super) floor: Option<Arc<GridCells>>,
    /// For each area of the file, its pixels if it is painted.
    pub(super) areas: Vec<Option<Painted>>,
    /// The same for each hotspot.
    pub(super) hotspots: Vec<Option<Painted>>,
    pub(super) background: Option<Arc<Image>>,
}

/// Reads all images of a room.
///
/// # Errors
/// All their problems. A problem within an image is placed in the image's file. A missing image, or one that
/// contradicts the room, is placed in the room's file.
pub(super) fn images(file: &RoomFile, locator: &Locator, read: ReadFile<'_>) -> Result<Images, Vec<Problem>> {
    let mut images = Images::default();
    let mut problems = Vec::new();
    let fetch = |key: &str, what: &str, name: &str| {
        read(name).map_err(|why| {
            let hint = "paths start at the project's folder: rooms/kitchen-mask.png".to_owned();
            locator.problem(&[JsonStep::Key(key)], format!("{what} '{name}': {why}"), "not there", Some(hint))
        })
    };
    if let Some(name) = &file.background {
        let found = fetch("background", "background", name);
        match found.and_then(|bytes| picture(name, bytes).map_err(|why| bad_image(name, &why))) {
            Ok(picture) => images.background = Some(Arc::new(picture)),
            Err(problem) => problems.push(problem),
        }
    }
    if let (Some(name), Some(pixels_per_metre)) = (&file.mask, file.pixels_per_metre) {
        match fetch("mask", "mask", name).and_then(|png| {
            let scanned = Painting::of(file).scan(&png).map_err(|why| bad_image(name, &why))?;
            Ok((png, scanned))
        }) {
            Ok((png, scan)) => {
                let walkable = Painting::of(file).walkable;
                let png = png.into();
                let odd = scan.odd.clone();
                let colours = Colours::default();
                let file_name = name.clone();
                let mask = Mask { file: file_name, png, pixels_per_metre, walkable, odd, colours };
                images.take(file, mask, scan, locator, &mut problems);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(images) } else { Err(problems) }
}

/// A problem within an image.
fn bad_image(name: &str, why: &str) -> Problem {
    let problem = Source::new(name, "").problem(0..0, format!("the image cannot be used: {why}"));
    Problem { line: 0, column: 0, ..problem } // an image has no lines
}

/// The paints of a room file.
struct Painting {
    walkable: Vec<Paint>,
    areas: Vec<Vec<Paint>>,
    hotspots: Vec<Vec<Paint>>,
}

impl Painting {
    fn of(file: &RoomFile) -> Self {
        let paints = |paint: &Option<super::mask::file::PaintsFile>| {
            paint.as_ref().map(|paint| paint.paints(&file.colours)).unwrap_or_default()
        };
        let walkable = match &file.walkable {
            Some(_) => paints(&file.walkable),
            None => vec![Paint::WALKABLE],
        };
        Self {
            walkable,
            areas: file.areas.iter().map(|area| paints(&area.paint)).collect(),
            hotspots: file.hotspots.iter().map(|hotspot| paints(&hotspot.paint)).collect(),
        }
    }

    fn scan(&self, png: &[u8]) -> Result<Scan, String> {
        let areas: Vec<&[Paint]> = self.areas.iter().map(Vec::as_slice).collect();
        let hotspots: Vec<&[Paint]> = self.hotspots.iter().map(Vec::as_slice).collect();
        scan(png, &self.walkable, &areas, &hotspots)
    }
}

impl Images {
    fn take(
        &mut self,
        file: &RoomFile,
        mask: Mask,
        scan: Scan,
        locator: &Locator,
        problems: &mut Vec<Problem>,
    ) {
        let longest_m = f64::from(scan.floor.width().max(scan.floor.depth())) / mask.pixels_per_metre;
        if longest_m > MAX_COORDINATE_M {
            let message =
                format!("the mask would be {longest_m:.0} m long, and a room {MAX_COORDINATE_M:.0}");
            problems.push(locator.problem(&[JsonStep::Key("pixelsPerMetre")], message, "too few", None));
        }
        problems.extend(no_floor(file, &mask, &scan, locator));
        problems.extend(beyond(file, &mask, &scan, locator));
        let mut painted = |key: &str, paints: Vec<Vec<Paint>>, pixels: Vec<Pixels>| {
            let things = paints.into_iter().zip(pixels).enumerate();
            let of_thing = |(index, (paints, pixels)): (usize, (Vec<Paint>, Pixels))| {
                if paints.is_empty() {
                    return None;
                }
                if pixels.is_empty() {
                    let steps = [JsonStep::Key(key), JsonStep::Index(index), JsonStep::Key("paint")];
                    let wanted: Vec<String> = paints.iter().map(Paint::to_string).collect();
                    let message = format!("no pixel of '{}' is {}", mask.file, wanted.join(" or "));
                    let hint = "is the colour exact? editors that smooth edges change it".to_owned();
                    problems.push(locator.problem(&steps, message, "painted nowhere", Some(hint)));
                }
                Some(Painted { paints, pixels: Arc::new(pixels) })
            };
            things.map(of_thing).collect::<Vec<_>>()
        };
        let Painting { areas, hotspots, .. } = Painting::of(file);
        self.areas = painted("areas", areas, scan.areas);
        self.hotspots = painted("hotspots", hotspots, scan.hotspots);
        self.floor = Some(Arc::new(scan.floor));
        self.mask = Some(Arc::new(mask));
    }
}

/// A painted room without a walkable node is probably a mistake.
fn no_floor(file: &RoomFile, mask: &Mask, scan: &Scan, locator: &Locator) -> Option<Problem> {
    let is_painted_somewhere =
        scan.floor.walkable_extent().is_some() || !scan.areas.iter().all(Pixels::is_empty);
    if is_painted_somewhere || file.areas.iter().any(|area| area.paint.is_none()) {
        return None;
    }
    let wanted: Vec<String> = mask.walkable.iter().map(Paint::to_string).collect();
    let message = format!("nothing walks in '{}': no pixel is {}", mask.file, wanted.join(" or "));
    let key = if file.walkable.is_some() { "walkable" } else { "mask" };
    let hint = "walkable says how the floor is painted: \"walkable\": \"#8888ff\"".to_owned();
    Some(locator.problem(&[JsonStep::Key(key)], message, "no floor", Some(hint)))
}

/// Reports areas with corners outside the mask, where there is no ground.
fn beyond(file: &RoomFile, mask: &Mask, scan: &Scan, locator: &Locator) -> Vec<Problem> {
    let [width_m, depth_m] =
        [scan.floor.width(), scan.floor.depth()].map(|pixels| f64::from(pixels) / mask.pixels_per_metre);
    let inside =
        |place: &PointFile| (0.0..=width_m).contains(&place.0[0]) && (0.0..=depth_m).contains(&place.0[1]);
    let areas = file.areas.iter().enumerate();
    let outside =
        areas.filter_map(|(index, area)| Some((index, area.polygon.iter().position(|at| !inside(at))?)));
    let problem = |(index, corner): (usize, usize)| {
        let steps = [
            JsonStep::Key("areas"),
            JsonStep::Index(index),
            JsonStep::Key("polygon"),
            JsonStep::Index(corner),
        ];
        let message = format!(
            "this corner lies outside of the mask, which reaches from [0, 0] to [{width_m}, {depth_m}]"
        );
        locator.problem(&steps, message, "outside", None)
    };
    outside.map(problem).collect()
}
