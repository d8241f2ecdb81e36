//! Masks that are not painted as they should be, and ways that the nodes between their pixels lose.

use crate::problem::Problem;
use crate::room::{FloorColour, JsonStep, Locator, Mask, Paint, Room};
use crate::surface::Surface;

/// A picture may be stretched by this share: sizes are whole pixels.
const MOST_STRETCHED: f64 = 0.02;

/// Upper limit on the lost ways that are listed.
const MAX_LOST: usize = 10;

/// What is odd about the mask of a painted room.
pub(super) fn odd(room: &Room, open: &Surface, locator: &Locator) -> Vec<Problem> {
    let Some(mask) = &room.mask else { return Vec::new() };
    let warn = |words: String, hint: String| locator.problem(&[JsonStep::Key("mask")], words, "", Some(hint));
    let mut found = strays(mask, &warn);
    if let Some(unseen) = open.pockets() {
        found.push(warn(unseen.to_string(), unseen.hint().to_owned()));
    }
    found.extend(lost_ways(open, &warn));
    found.extend(background_of_another_shape(room, locator));
    found
}

/// A background is stretched over the mask: in another shape everything is drawn beside its place.
fn background_of_another_shape(room: &Room, locator: &Locator) -> Option<Problem> {
    let (background, cells) = (room.background.as_ref()?, room.grid.as_ref()?);
    let (width, depth) = background.size()?;
    let [ratio, of_mask] =
        [(width, depth), (cells.width(), cells.depth())].map(|(w, d)| f64::from(w) / f64::from(d));
    if (ratio / of_mask - 1.0).abs() < MOST_STRETCHED {
        return None;
    }
    let message = format!(
        "{} is {width} × {depth} pixels, and the mask {} × {}: the picture is stretched over it",
        background.file,
        cells.width(),
        cells.depth()
    );
    let hint = "save both in the same shape; their sizes may differ".to_owned();
    Some(locator.problem(&[JsonStep::Key("background")], message, "", Some(hint)))
}

/// Pixels of colours that are not meant.
fn strays(mask: &Mask, warn: &dyn Fn(String, String) -> Problem) -> Vec<Problem> {
    let file = &mask.file;
    let smoothed = || mask.odd.smoothed.map(|smoothed| smoothed.to_string());
    let words = mask.odd.strays.map(|strays| strays.to_string()).or_else(smoothed);
    let odd =
        words.map(|words| warn(format!("{file}: {words}"), "paint and save it without anti-aliasing".into()));
    let transparent = (mask.odd.transparent > 0).then(|| {
        let words =
            format!("{file}: {} transparent pixels are walkable, as alpha is ignored", mask.odd.transparent);
        warn(words, "export it on a black background, or without alpha".into())
    });
    odd.into_iter().chain(transparent).chain(second_floor(mask, warn)).collect()
}

/// Colours that are walkable because a bit of theirs is on, as that of the floor is.
fn second_floor(mask: &Mask, warn: &dyn Fn(String, String) -> Problem) -> Option<Problem> {
    let (first, others) = mask.odd.floors.split_first().filter(|_| mask.odd.smoothed.is_none())?;
    let other = |floor: &FloorColour| {
        let ([column, row], colour) = (floor.at, Paint::Colour(floor.colour));
        format!("{colour} ({} pixels, the first at ({column}, {row}))", floor.pixels)
    };
    let others: Vec<String> = others.iter().map(other).collect();
    let floor = Paint::Colour(first.colour);
    let words = format!(
        "{}: beside {floor} ({} pixels), {} is walkable, too",
        mask.file,
        first.pixels,
        others.join(" and ")
    );
    Some(warn(
        words,
        format!("if only {floor} is meant, write \"walkable\": \"{floor}\"; else name all colours"),
    ))
}

/// Ways that are painted, and fall between the nodes.
fn lost_ways(open: &Surface, warn: &dyn Fn(String, String) -> Problem) -> Vec<Problem> {
    let lost = open.lost_ways();
    if lost.is_empty() {
        return Vec::new();
    }
    let rate = open.rate_that_loses_none().unwrap_or(1.0);
    let hint = format!("\"sampleRate\": {rate} loses none; or paint it wider, or shut");
    let told = lost.iter().take(MAX_LOST).map(|way| {
        let left = if way.parts { "no other way leads" } else { "a long way round is left" };
        let (x, z) = (way.at.x, way.at.y);
        let words = format!(
            "a painted way falls between the nodes at ({x:.2}, {z:.2}): {left} from one end to the other"
        );
        warn(words, hint.clone())
    });
    let mut found: Vec<Problem> = told.collect();
    if lost.len() > MAX_LOST {
        found.push(warn(
            format!("{} more painted ways fall between the nodes", lost.len() - MAX_LOST),
            hint.clone(),
        ));
    }
    found
}
