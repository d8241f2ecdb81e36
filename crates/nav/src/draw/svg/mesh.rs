//! The ground of a mesh: polygons, walls, portals, and ways to other storeys.

use super::place::{Gap, Rect, text_size};
use super::xml::{escape, haloed, num, outline, pair};
use super::{Sheet, theme};
use crate::draw::{Faces, Rim, RimKind};
use glam::DVec2;
use std::fmt::Write;

/// Half the length of the arrow at a portal that leads one way, pixels.
pub(super) const ARROW_PX: f64 = 10.0;

/// Portals that lead to another storey, connected to each other.
struct Climb {
    /// The other storey, from 0.
    storey: usize,
    ends: Vec<DVec2>,
}

impl Sheet<'_> {
    /// The polygons of the ground: each area in its colour, stairs with their treads.
    pub(super) fn faces(&mut self, faces: &Faces) {
        let names: Vec<&str> = self.picture.room_areas.iter().map(String::as_str).collect();
        let over_picture = self.picture.backdrop().is_some();
        for (area, open, rings) in faces.groups() {
            let look = match (open, over_picture) {
                // The ground of no area has the first colour, areas those after it.
                (true, false) => format!(r#"fill="{}""#, theme::floor(area.map_or(0, |area| area + 1))),
                (true, true) => r#"class="mask" stroke="none""#.to_owned(),
                (false, false) => r#"class="closed" stroke="none""#.to_owned(),
                (false, true) => r#"class="closed" stroke="none" fill-opacity=".7""#.to_owned(),
            };
            let d: String = rings.iter().map(|ring| outline(&self.polygon_px(ring))).collect();
            let state = if open { "" } else { " (closed)" };
            let title = area.and_then(|area| names.get(area)).map(|name| format!("{}{state}", escape(name)));
            let title = title.map(|title| format!("<title>{title}</title>")).unwrap_or_default();
            self.xml.line(&format!(r#"<path {look} d="{d}">{title}</path>"#));
        }
        let treads = faces.faces.iter().flat_map(|face| &face.treads).copied();
        let d = self.lines(treads);
        self.line_of("tread", &d);
        self.cut_off_faces(faces);
    }

    /// The edges of the ground. Where sectors are drawn, their portals show the ways over them.
    pub(super) fn rims(&mut self, faces: &Faces) {
        let of = |wanted: fn(RimKind) -> bool| {
            faces.rims.iter().filter(move |rim| wanted(rim.kind)).map(|rim| (rim.from, rim.to))
        };
        let has_sectors = self.picture.sectors().next().is_some();
        let ledge = if has_sectors { "dropfoot" } else { "ledge" };
        let edges = of(|kind| kind == RimKind::Portal).filter(|_| faces.shows_edges(has_sectors));
        for (class, d) in [
            ("portal", self.lines(edges)),
            ("seam", self.lines(of(|kind| kind == RimKind::Seam))),
            ("shutline", self.lines(of(|kind| kind == RimKind::Shut))),
            ("wall", self.lines(of(|kind| kind == RimKind::Wall))),
            ("climb", self.lines(of(|kind| matches!(kind, RimKind::Climb(_))))),
            (ledge, self.lines(of(|kind| kind == RimKind::OneWay))),
        ] {
            self.line_of(class, &d);
        }
        for (from, to) in of(|kind| kind == RimKind::Wall) {
            let thick_px = theme::wall_px(self.px_per_m) + 1.0;
            self.placer.block_line(self.px(from), self.px(to), thick_px, 3.0);
        }
        for (from, to) in of(|kind| kind == RimKind::OneWay).filter(|_| !has_sectors) {
            let (from, to) = (self.px(from), self.px(to));
            self.arrow(from.midpoint(to), -(to - from).normalize_or_zero().perp(), ARROW_PX);
        }
    }

    /// The polygons as what paths are searched over, where areas and obstacles show the ground.
    pub(super) fn searched_faces(&mut self, faces: &Faces) {
        let blocked = faces.faces.iter().filter(|face| !face.open);
        let d: String = blocked.map(|face| outline(&self.polygon_px(&face.corners))).collect();
        self.line_of("taken", &d);
        self.cut_off_faces(faces);
        let open = faces.faces.iter().filter(|face| face.open);
        let d: String = open.map(|face| outline(&self.polygon_px(&face.corners))).collect();
        self.line_of("polygon", &d);
    }

    fn cut_off_faces(&mut self, faces: &Faces) {
        let cut_off = faces.faces.iter().filter(|face| face.cut_off && self.options.cells);
        let d: String = cut_off.map(|face| outline(&self.polygon_px(&face.corners))).collect();
        self.line_of("cut", &d);
    }

    pub(super) fn line_of(&mut self, class: &str, d: &str) {
        if !d.is_empty() {
            self.xml.line(&format!(r#"<path class="{class}" d="{d}"/>"#));
        }
    }

    /// The commands of lines; a line that begins where the last one ended goes on.
    fn lines(&self, lines: impl Iterator<Item = (DVec2, DVec2)>) -> String {
        let (mut d, mut pen) = (String::new(), None);
        for (from, to) in lines {
            if pen != Some(from) {
                let _ = write!(d, "M{}", pair(self.px(from))); // writing to a String cannot fail
            }
            let _ = write!(d, "L{}", pair(self.px(to)));
            pen = Some(to);
        }
        d
    }

    /// An arrow over the middle of an edge that can be passed one way only, with its direction and half its length.
    pub(super) fn arrow(&mut self, middle: DVec2, out: DVec2, half_px: f64) {
        let side = out.perp() * half_px * 0.55;
        let (tail, tip) = (middle - out * half_px, middle + out * half_px);
        let barb = tip - out * half_px * 0.9;
        let head = outline(&[tip, barb + side, barb - side]);
        let line = format!("M{}L{}", pair(tail), pair(barb));
        self.xml.line(&format!(r#"<path class="arrow" d="{line}"/><path class="arrowhead" d="{head}"/>"#));
        self.placer.block(Rect::around(middle, DVec2::splat(half_px * 2.0)), 6.0);
    }

    /// Says where the ways to other storeys lead.
    pub(super) fn name_climbs(&mut self) {
        let Some(faces) = self.picture.given_faces() else { return };
        let font = theme::name_px(self.px_per_m) - 1.5;
        for climb in climbs(&faces.rims) {
            let text = format!("to storey {}", climb.storey + 1);
            let ends: Vec<DVec2> = climb.ends.iter().map(|&end| self.px(end)).collect();
            let size = text_size(&text, font);
            let Some(rect) = self.placer.beside(Rect::of(&ends), size, Gap::WALLED, false) else { continue };
            let (x, y) = (num(rect.middle().x), num(rect.middle().y + font * 0.36));
            let place = format!(r#"text-anchor="middle" x="{x}" y="{y}""#);
            self.words.push(haloed("climbname", &place, &text));
        }
    }
}

/// The ways to other storeys; portals that share a corner are one.
fn climbs(rims: &[Rim]) -> Vec<Climb> {
    let mut climbs: Vec<Climb> = Vec::new();
    for rim in rims {
        let RimKind::Climb(storey) = rim.kind else { continue };
        let joins = |climb: &Climb| {
            climb.storey == storey && climb.ends.iter().any(|end| *end == rim.from || *end == rim.to)
        };
        let (joined, mut others): (Vec<Climb>, Vec<Climb>) = climbs.into_iter().partition(joins);
        let mut ends: Vec<DVec2> = joined.into_iter().flat_map(|climb| climb.ends).collect();
        ends.extend([rim.from, rim.to]);
        others.push(Climb { storey, ends });
        climbs = others;
    }
    climbs
}
