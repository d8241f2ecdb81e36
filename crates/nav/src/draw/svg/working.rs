//! The trace of a query: the path as searched, and the lines that shortening tried.

use super::Sheet;
use super::place::Rect;
use super::xml::{haloed, num, pair};
use crate::nav::Try;
use glam::DVec2;
use std::fmt::Write;

/// Beyond this number of lines they are not numbered: the numbers would hide them.
const MOST_NUMBERED: usize = 30;
/// Points of the raw path nearer to each other than this are not marked, pixels.
const LEAST_STEP_PX: f64 = 5.0;
/// Half the cross where a line is blocked, pixels.
const CROSS_PX: f64 = 3.2;

impl Sheet<'_> {
    /// The raw path beneath the short one.
    pub(super) fn working(&mut self) {
        let Some(raw) = self.picture.raw() else { return };
        let mut points: Vec<DVec2> = raw.points.iter().map(|&point| self.px(point)).collect();
        points.dedup();
        let (mut line, mut marks) = (String::new(), String::new());
        for (index, point) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(line, "{command}{}", pair(*point)); // writing to a String cannot fail
            let _ = write!(marks, "M{}h.01", pair(*point));
        }
        let step_px = points.windows(2).map(|leg| leg[0].distance(leg[1])).fold(f64::INFINITY, f64::min);
        if points.len() > 1 {
            self.xml.line(&format!(r#"<path class="raw rim" d="{line}"/>"#));
            self.xml.line(&format!(r#"<path class="raw" d="{line}"/>"#));
            if step_px >= LEAST_STEP_PX {
                self.xml.line(&format!(r#"<path class="rawnode" d="{marks}"/>"#));
            }
        }
        let mut crosses = String::new();
        for (_, Try { from, to, blocked_at, .. }) in
            different(&raw.tries).filter(|(_, attempt)| !attempt.clear)
        {
            let d = format!("M{}L{}", pair(self.px(*from)), pair(self.px(*to)));
            self.xml.line(&format!(r#"<path class="tried" d="{d}"/>"#));
            if let Some(at) = blocked_at {
                let at = self.px(*at);
                let (a, b) = (at - CROSS_PX, at + DVec2::new(-CROSS_PX, CROSS_PX));
                let side = num(CROSS_PX * 2.0);
                let _ = write!(crosses, "M{}l{side},{side}M{}l{side},-{side}", pair(a), pair(b));
            }
        }
        if !crosses.is_empty() {
            self.xml.line(&format!(r#"<path class="stopped" d="{crosses}"/>"#));
        }
    }

    /// Numbers the lines that were tried, in their order.
    pub(super) fn number_tries(&mut self) {
        let few = |tries: &[Try]| different(tries).count() <= MOST_NUMBERED;
        let Some(raw) = self.picture.raw().filter(|raw| few(&raw.tries)) else { return };
        for (number, attempt) in different(&raw.tries) {
            let (from, to) = (self.px(attempt.from), self.px(attempt.to));
            // Beside the line, a third along it: the halves of a line may share its middle.
            let along = (to - from).normalize_or_zero();
            let size = DVec2::new(if number < 10 { 7.0 } else { 13.0 }, 11.0);
            let places = [0.36, 0.64, 0.5, 0.22, 0.78]
                .into_iter()
                .flat_map(|part| [8.0, -8.0].map(|side| from.lerp(to, part) + along.perp() * side));
            let rects = places.map(|middle| Rect::around(middle, size));
            let Some(rect) = self.placer.first_free(rects) else { continue };
            let class = if attempt.clear { "step good" } else { "step" };
            let (x, y) = (num(rect.middle().x), num(rect.middle().y + 3.6));
            let place = format!(r#"text-anchor="middle" x="{x}" y="{y}""#);
            self.words.push(haloed(class, &place, &number.to_string()));
        }
    }
}

/// The lines that were tried with their numbers; a line tried again in a later round only once.
fn different(tries: &[Try]) -> impl Iterator<Item = (usize, &Try)> {
    let is_first = |&(index, attempt): &(usize, &Try)| {
        !tries[..index].iter().any(|before| (before.from, before.to) == (attempt.from, attempt.to))
    };
    tries.iter().enumerate().filter(is_first).map(|(index, attempt)| (index + 1, attempt))
}
