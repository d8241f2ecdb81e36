//! Characters, their paths, their speech, and the named points.

use super::place::{Gap, Rect, text_size};
use super::xml::{escape, haloed, num, outline, pair};
use super::{Sheet, theme};
use crate::draw::{Figure, Rgb, Route, Tint, shorten};
use glam::DVec2;
use std::fmt::Write;

/// The smallest radius of a character, pixels.
const LEAST_RADIUS_PX: f64 = 4.5;
/// The distance of the ring around the player from its body, pixels.
const RING_PX: f64 = 3.5;
/// Half the diagonal of a place's diamond, pixels.
const DIAMOND_PX: f64 = 5.0;
/// Bends of a path are rounded with about this radius, metres.
const BEND_M: f64 = 0.3;
/// Speech longer than this many columns is cut.
const MOST_SPEECH_COLUMNS: usize = 42;

impl Sheet<'_> {
    pub(super) fn trails(&mut self) {
        // Beside tracks of a former run, tracks are the subject of the picture.
        let compared = self.picture.trails().any(|(_, tint)| tint == Tint::Past);
        let opacity = if compared { ".95" } else { ".45" };
        for (points, tint) in self.picture.trails() {
            let (d, colour) = (self.line(points, 0.0), tint.colour().css());
            let dashes = theme::trail_dashes(tint);
            self.xml.line(&format!(
                r#"<path d="{d}" fill="none" stroke="{colour}" stroke-width="2" stroke-opacity="{opacity}" {dashes} stroke-linecap="round"/>"#
            ));
        }
    }

    pub(super) fn routes(&mut self) {
        for route in self.picture.routes() {
            self.route(route);
        }
    }

    fn route(&mut self, route: &Route) {
        let colour = theme::route_colour(route.tint).css();
        let query = route.tint.is_none();
        let width = if query { 3.2 } else { 2.2 };
        let (goal, end) = (self.px(route.goal), self.px(route.end()));
        if route.ends && goal != end && route.points.len() > 1 {
            // The goal is out of reach, or was moved onto the ground: the rest of the line is not walked.
            let d = format!("M{}L{}", pair(end), pair(goal));
            self.xml.line(&format!(
                r#"<path d="{d}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="2 5" stroke-opacity=".7"/>"#
            ));
        }
        if let [.., before, _] = route.points.as_slice() {
            let head_px = width * 3.4;
            let along = (end - self.px(*before)).normalize_or_zero();
            // The line ends inside the arrow head, so that its width does not blunt the tip.
            let d = self.line(&route.points, head_px * 0.7);
            for (stroke, width, opacity) in [("#fbf7ee", width + 2.6, ".75"), (colour.as_str(), width, "1")] {
                self.xml.line(&format!(
                    r#"<path d="{d}" fill="none" stroke="{stroke}" stroke-width="{}" stroke-opacity="{opacity}" stroke-linecap="round" stroke-linejoin="round"/>"#,
                    num(width)
                ));
            }
            let bends = if route.is_curved { &[] } else { &route.points[1..route.points.len() - 1] };
            for &bend in bends {
                let (x, y, r) = (num(self.px(bend).x), num(self.px(bend).y), num(width * 0.95));
                self.xml.line(&format!(
                    r##"<circle cx="{x}" cy="{y}" r="{r}" fill="#fbf7ee" stroke="{colour}" stroke-width="1.4"/>"##
                ));
            }
            let side = along.perp() * head_px * 0.45;
            let head = outline(&[end, end - along * head_px + side, end - along * head_px - side]);
            self.xml.line(&format!(r#"<path d="{head}" fill="{colour}"/>"#));
        }
        if query && route.begins {
            let (x, y) = (num(self.px(route.start()).x), num(self.px(route.start()).y));
            self.xml.line(&format!(
                r##"<circle cx="{x}" cy="{y}" r="5.5" fill="#fbf7ee" stroke="{colour}" stroke-width="2.6"/>"##
            ));
        }
        if route.ends && (query || route.partial) {
            self.goal(goal, &colour, route.partial);
        }
    }

    /// A ring around a goal; crossed out if the path does not reach it.
    fn goal(&mut self, at: DVec2, colour: &str, missed: bool) {
        let (x, y) = (num(at.x), num(at.y));
        self.xml.line(&format!(
            r#"<circle cx="{x}" cy="{y}" r="8" fill="{colour}" fill-opacity=".15" stroke="{colour}" stroke-width="2"/>"#
        ));
        if missed {
            let (a, b) = (pair(at - 3.5), pair(at + DVec2::new(-3.5, 3.5)));
            self.xml.line(&format!(
                r#"<path d="M{a}l7,7M{b}l7,-7" stroke="{colour}" stroke-width="2" stroke-linecap="round"/>"#
            ));
        }
    }

    /// The commands of a line with rounded bends, cut short by `cut_px` at its end.
    fn line(&self, points: &[DVec2], cut_px: f64) -> String {
        let mut points: Vec<DVec2> = points.iter().map(|&point| self.px(point)).collect();
        points.dedup();
        if let [.., before, last] = points.as_mut_slice() {
            let length = last.distance(*before);
            *last = last.lerp(*before, (cut_px / length).min(0.9));
        }
        let mut d = String::new();
        let Some((first, rest)) = points.split_first() else { return d };
        let _ = write!(d, "M{}", pair(*first));
        for (index, &bend) in rest.iter().enumerate() {
            match rest.get(index + 1) {
                Some(&next) => {
                    let before = points[index];
                    let radius = |other: DVec2| (BEND_M * self.px_per_m).min(bend.distance(other) / 2.0);
                    let toward = |other: DVec2| bend + (other - bend).normalize_or_zero() * radius(other);
                    let _ = write!(d, "L{}Q{} {}", pair(toward(before)), pair(bend), pair(toward(next)));
                }
                None => {
                    let _ = write!(d, "L{}", pair(bend));
                }
            }
        }
        d
    }

    /// Diamonds, except under the mark of a goal.
    pub(super) fn points(&mut self) {
        let marked = |at: DVec2| {
            let goals = self.picture.routes().filter(|route| route.tint.is_none() || route.partial);
            goals
                .filter(|route| route.ends)
                .any(|route| self.px(route.goal).distance(self.px(at)) < DIAMOND_PX)
        };
        let bare: Vec<(&str, DVec2)> = self.picture.points().filter(|(_, at)| !marked(*at)).collect();
        for (name, at) in bare {
            let (at, title) = (self.px(at), escape(name));
            let (x, z) = (DVec2::new(DIAMOND_PX, 0.0), DVec2::new(0.0, DIAMOND_PX));
            let d = outline(&[at - z, at + x, at + z, at - x]);
            self.xml.line(&format!(r#"<path class="spot" d="{d}"><title>{title}</title></path>"#));
        }
    }

    pub(super) fn figures(&mut self) {
        for figure in self.picture.figures() {
            let colour = figure.tint.colour();
            let opacity = if figure.active { "" } else { r#" opacity=".4""# };
            self.xml.open("g", &format!(r#"class="figure"{opacity}"#));
            let note = figure.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
            self.xml.line(&format!("<title>{}</title>", escape(&format!("{}{note}", figure.name))));
            self.figure(figure, colour);
            self.xml.close();
        }
    }

    fn figure(&mut self, figure: &Figure, colour: Rgb) {
        let (at, radius) = (self.px(figure.at), self.radius_px(figure));
        let rim = colour.mix(Rgb::hex(0x2b2117), 0.45).css();
        let colour = colour.css();
        let ahead = |turn_rad: f64, reach: f64| {
            let (sin, cos) = libm::sincos(figure.heading_rad + turn_rad);
            at + DVec2::new(cos, sin) * radius * reach
        };
        let (x, y, r) = (num(at.x), num(at.y), num(radius));
        let (sx, sy) = (num(at.x + 1.0), num(at.y + 1.8));
        self.xml.line(&format!(r#"<circle class="shade" cx="{sx}" cy="{sy}" r="{r}"/>"#));
        if figure.player {
            let ring = num(radius + RING_PX);
            self.xml.line(&format!(
                r#"<circle cx="{x}" cy="{y}" r="{ring}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-dasharray="4 2.6"/>"#
            ));
        }
        // A disc extended to a tip: its tangents touch it an eighth of a turn to either side when the tip is √2 radii
        // away.
        let eighth = std::f64::consts::FRAC_PI_4;
        let (from, tip, to) = (ahead(eighth, 1.0), ahead(0.0, std::f64::consts::SQRT_2), ahead(-eighth, 1.0));
        let d = format!("M{}L{}L{}A{r},{r} 0 1 0 {}Z", pair(from), pair(tip), pair(to), pair(from));
        self.xml.line(&format!(
            r#"<path d="{d}" fill="{colour}" stroke="{rim}" stroke-width="1.4" stroke-linejoin="round"/>"#
        ));
        let (eye, size) = (ahead(0.0, 0.34), num(radius * 0.36));
        let (ex, ey) = (num(eye.x), num(eye.y));
        self.xml
            .line(&format!(r##"<circle cx="{ex}" cy="{ey}" r="{size}" fill="#fffaf0" fill-opacity=".9"/>"##));
    }

    fn radius_px(&self, figure: &Figure) -> f64 {
        (figure.radius_m * self.px_per_m).max(LEAST_RADIUS_PX)
    }

    fn figure_rect(&self, figure: &Figure) -> Rect {
        let ring = if figure.player { RING_PX + 1.0 } else { 1.0 };
        Rect::around(self.px(figure.at), DVec2::splat((self.radius_px(figure) + ring) * 2.0))
    }

    /// Tells the placer the places of characters and marks.
    pub(super) fn keep_clear(&mut self) {
        for figure in self.picture.figures() {
            self.placer.block(self.figure_rect(figure), 8.0);
        }
        for (_, at) in self.picture.points() {
            self.placer.block(Rect::around(self.px(at), DVec2::splat(DIAMOND_PX * 2.0)), 8.0);
        }
        for route in self.picture.routes() {
            for (place, is_here) in [(route.goal, route.ends), (route.start(), route.begins)] {
                if is_here {
                    self.placer.block(Rect::around(self.px(place), DVec2::splat(16.0)), 5.0);
                }
            }
            for leg in route.points.windows(2) {
                let (a, b) = (self.px(leg[0]), self.px(leg[1]));
                self.placer.block_line(a, b, 8.0, 1.5);
            }
        }
    }

    pub(super) fn speeches(&mut self) {
        let font = theme::name_px(self.px_per_m);
        for figure in self.picture.figures() {
            let Some(speech) = &figure.speech else { continue };
            let text = shorten(speech, MOST_SPEECH_COLUMNS);
            let disc = self.figure_rect(figure);
            let size = text_size(&text, font) + DVec2::new(12.0, 6.0);
            let lowest = disc.min.y - 7.0;
            let rect = Rect {
                min: DVec2::new(disc.middle().x - size.x * 0.3, lowest - size.y),
                max: DVec2::new(disc.middle().x + size.x * 0.7, lowest),
            };
            let rect = self.within_plan(rect);
            self.placer.block(rect, 12.0);
            let (x, y, w, h) = (num(rect.min.x), num(rect.min.y), num(size.x), num(size.y));
            let tail = outline(&[
                DVec2::new(disc.middle().x - 4.0, rect.max.y - 0.6),
                DVec2::new(disc.middle().x + 4.0, rect.max.y - 0.6),
                DVec2::new(disc.middle().x, rect.max.y + 6.0),
            ]);
            self.words.push(format!(r#"<path class="speech" d="{tail}"/>"#));
            self.words
                .push(format!(r#"<rect class="speech" x="{x}" y="{y}" width="{w}" height="{h}" rx="6"/>"#));
            let (tx, ty) = (num(rect.min.x + 6.0), num(rect.middle().y + font * 0.36));
            self.words.push(format!(r#"<text class="said" x="{tx}" y="{ty}">{}</text>"#, escape(&text)));
        }
    }

    fn within_plan(&self, rect: Rect) -> Rect {
        let shift = (self.plan.min - rect.min).max(DVec2::ZERO) - (rect.max - self.plan.max).max(DVec2::ZERO);
        Rect { min: rect.min + shift, max: rect.max + shift }
    }

    pub(super) fn name_figures(&mut self) {
        for figure in self.picture.figures() {
            self.name(&figure.name, "name", 0.0, self.figure_rect(figure), figure.player);
        }
    }

    /// Names the points.
    pub(super) fn name_points(&mut self) {
        let picture = self.picture;
        for (name, at) in picture.named_points() {
            let mark = Rect::around(self.px(at), DVec2::splat(DIAMOND_PX * 2.0));
            self.name(name, "place", -1.0, mark, false);
        }
    }

    pub(super) fn remarks(&mut self) {
        for (text, at) in self.picture.labels() {
            self.name(text, "shut", -1.0, Rect::around(self.px(at), DVec2::splat(4.0)), true);
        }
    }

    /// Writes a name beside a thing, if it is legible there or `must` be there.
    pub(super) fn name(&mut self, name: &str, class: &str, larger_px: f64, beside: Rect, must: bool) {
        let font = theme::name_px(self.px_per_m) + larger_px;
        let Some(rect) = self.placer.beside(beside, text_size(name, font), Gap::ROUND, must) else { return };
        let left_of = rect.max.x <= beside.min.x;
        let (anchor, x) = match left_of {
            true => ("end", rect.max.x),
            false if rect.min.x >= beside.middle().x => ("start", rect.min.x),
            false => ("middle", rect.middle().x),
        };
        let (x, y) = (num(x), num(rect.middle().y + font * 0.36));
        let name = escape(name);
        self.words.push(haloed(class, &format!(r#"text-anchor="{anchor}" x="{x}" y="{y}""#), &name));
    }
}
