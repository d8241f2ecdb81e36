//! Placement of text beside its things, without overlap. Greedy, in the order of the calls; good enough for a room,
//! and the same on every run.

use crate::draw::label::columns;
use crate::geometry::contains;
use glam::DVec2;

/// A rectangle of the sheet, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) min: DVec2,
    pub(super) max: DVec2,
}

impl Rect {
    pub(super) fn around(middle: DVec2, size: DVec2) -> Self {
        Self { min: middle - size / 2.0, max: middle + size / 2.0 }
    }

    /// The smallest rectangle that holds all points.
    pub(super) fn of(points: &[DVec2]) -> Self {
        let (min, max) = points
            .iter()
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)));
        Self { min, max }
    }

    pub(super) fn middle(&self) -> DVec2 {
        self.min.midpoint(self.max)
    }

    pub(super) fn size(&self) -> DVec2 {
        self.max - self.min
    }

    /// The area two rectangles share.
    fn shared(&self, other: &Self) -> f64 {
        let overlap = (self.max.min(other.max) - self.min.max(other.min)).max(DVec2::ZERO);
        overlap.x * overlap.y
    }
}

/// The size of a text in one line. The reader's font is unknown, so this errs on the wide side.
pub(super) fn text_size(text: &str, font_px: f64) -> DVec2 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | 'I' | '.' | ',' | ':' | ';' | '!' | '\'' | '|' | '(' | ')'
        | ' ' => 0.36,
        'm' | 'w' | 'M' | 'W' | '@' | '…' => 0.92,
        c if c.is_uppercase() => 0.72,
        c if columns(c) == 2 => 1.05,
        c if columns(c) == 0 => 0.0,
        _ => 0.59,
    };
    DVec2::new(text.chars().map(em).sum::<f64>() * font_px, font_px * 1.2)
}

/// The free distance between a thing and its name, pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    side_px: f64,
    corner_px: f64,
}

impl Gap {
    /// Beside a round thing: the text may move closer at its corners.
    pub(super) const ROUND: Self = Self { side_px: 3.0, corner_px: -3.0 };
    /// Beside a thing with walls.
    pub(super) const WALLED: Self = Self { side_px: 6.0, corner_px: 5.0 };
}

/// The rectangles that are taken.
#[derive(Debug)]
pub(super) struct Placer {
    bounds: Rect,
    taken: Vec<(Rect, f64)>,
}

/// The cost of leaving the sheet, relative to covering a rectangle of weight 1.
const OUTSIDE_WEIGHT: f64 = 30.0;
/// The additional cost of each less preferred side, as a part of the text's area: little, so that it only decides
/// between free sides.
const PREFERENCE: f64 = 0.02;
/// Text that costs more than this per pixel is left out: a third of it would lie over other text.
const MOST_COST: f64 = 3.3;
/// Number of places tried along each side for text that may stand anywhere inside a shape.
const TRIES: u32 = 24;

impl Placer {
    pub(super) fn new(bounds: Rect) -> Self {
        Self { bounds, taken: Vec::new() }
    }

    /// Keeps text off this rectangle; a larger weight costs more.
    pub(super) fn block(&mut self, rect: Rect, weight: f64) {
        self.taken.push((rect, weight));
    }

    /// Keeps text off this line of some thickness.
    pub(super) fn block_line(&mut self, from: DVec2, to: DVec2, thick_px: f64, weight: f64) {
        let steps = (from.distance(to) / (thick_px + 2.0)).ceil().clamp(1.0, 400.0);
        for step in 0..=steps as u32 {
            let at = from.lerp(to, f64::from(step) / steps);
            self.block(Rect::around(at, DVec2::splat(thick_px)), weight);
        }
    }

    /// The place beside `anchor` where text of this size covers least: right, left, below, above, then the corners.
    /// `None` if it would cover too much to be legible, unless it `must` be there.
    pub(super) fn beside(&mut self, anchor: Rect, size: DVec2, gap: Gap, must: bool) -> Option<Rect> {
        const SIDES: [(f64, f64); 8] = [
            (1.0, 0.0),
            (-1.0, 0.0),
            (0.0, 1.0),
            (0.0, -1.0),
            (1.0, 1.0),
            (1.0, -1.0),
            (-1.0, 1.0),
            (-1.0, -1.0),
        ];
        let apart = (anchor.size() + size) / 2.0;
        let mut best: Option<(f64, Rect)> = None;
        for (rank, (x, z)) in SIDES.into_iter().enumerate() {
            let corner = x != 0.0 && z != 0.0;
            let gap = match corner {
                true => DVec2::splat(gap.corner_px),
                // Text has some space above and below it anyway.
                false => DVec2::new(gap.side_px, gap.side_px - 2.0),
            };
            let rect = Rect::around(anchor.middle() + DVec2::new(x, z) * (apart + gap), size);
            let cost = self.cost(&rect) + rank as f64 * PREFERENCE * size.x * size.y;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, rect));
            }
        }
        let (_, rect) = best.filter(|(cost, _)| must || *cost <= MOST_COST * size.x * size.y)?;
        self.block(rect, 10.0);
        Some(rect)
    }

    /// The first place that covers nothing, or nearly nothing.
    pub(super) fn first_free(&mut self, places: impl Iterator<Item = Rect>) -> Option<Rect> {
        let rect = places.into_iter().find(|rect| self.cost(rect) <= rect.size().x * rect.size().y)?;
        self.block(rect, 10.0);
        Some(rect)
    }

    /// The free place inside a polygon nearest to its middle, if the text fits anywhere.
    pub(super) fn inside(&mut self, polygon: &[DVec2], size: DVec2) -> Option<Rect> {
        let extent = Rect::of(polygon);
        let room = extent.size() - size;
        if room.min_element() < 0.0 {
            return None;
        }
        let mut best: Option<(f64, Rect)> = None;
        for index in 0..(TRIES + 1) * (TRIES + 1) {
            let step =
                DVec2::new(f64::from(index % (TRIES + 1)), f64::from(index / (TRIES + 1))) / f64::from(TRIES);
            let rect = Rect { min: extent.min + room * step, max: extent.min + room * step + size };
            let far = rect.middle().distance_squared(extent.middle());
            if best.is_none_or(|(least, _)| far < least) && self.cost(&rect) == 0.0 && lies_in(&rect, polygon)
            {
                best = Some((far, rect));
            }
        }
        let (_, rect) = best?;
        self.block(rect, 10.0);
        Some(rect)
    }

    fn cost(&self, rect: &Rect) -> f64 {
        let covered: f64 = self.taken.iter().map(|(other, weight)| rect.shared(other) * weight).sum();
        let outside = rect.size().x * rect.size().y - rect.shared(&self.bounds);
        covered + if outside > 1e-6 { outside * OUTSIDE_WEIGHT } else { 0.0 }
    }
}

/// Whether the rectangle lies in the polygon, judged by fifteen of its points.
fn lies_in(rect: &Rect, polygon: &[DVec2]) -> bool {
    let along = [0.0, 0.25, 0.5, 0.75, 1.0];
    let at = |x: f64, z: f64| rect.min + rect.size() * DVec2::new(x, z);
    along.iter().all(|&x| [0.0, 0.5, 1.0].iter().all(|&z| contains(polygon, at(x, z))))
}
