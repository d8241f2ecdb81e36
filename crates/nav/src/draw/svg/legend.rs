//! The foot of the plan: a scale bar, and a legend of the signs that occur.

use super::place::text_size;
use super::xml::num;
use super::{LEAST_WIDTH_PX, MARGIN_PX, Sheet, theme};
use crate::draw::{Graph, RimKind, Sample, Shape, Tint};
use crate::room::LinkKind;
use glam::DVec2;

/// Entries and their layout.
#[derive(Debug, Default)]
pub(super) struct Legend {
    /// The height it adds to the sheet, pixels.
    pub(super) height_px: f64,
    /// Upper left corner (from the lower edge of the plan), sign, text.
    entries: Vec<(DVec2, String, &'static str)>,
}

/// Room for a sign, pixels.
const SIGN_PX: DVec2 = DVec2::new(22.0, 14.0);
/// Height of a row, pixels.
const ROW_PX: f64 = 22.0;
/// Size of the letters, as in the theme's class `small`.
const FONT_PX: f64 = 12.0;
/// The scale bar and its text, pixels.
const SCALE_ROW_PX: f64 = 30.0;
/// The scale bar is at most this long, pixels.
const LONGEST_BAR_PX: f64 = 170.0;

impl Sheet<'_> {
    /// Lays the legend out.
    pub(super) fn legend(&self) -> Legend {
        let mut legend = Legend::default();
        let right = self.width_px.max(LEAST_WIDTH_PX) - MARGIN_PX;
        let mut at = DVec2::new(self.left(), SCALE_ROW_PX + 10.0);
        for (sign, words) in self.signs() {
            let width = SIGN_PX.x + 6.0 + text_size(words, FONT_PX).x;
            if at.x + width > right {
                at = DVec2::new(self.left(), at.y + ROW_PX);
            }
            legend.entries.push((at, sign, words));
            at.x += width + 14.0;
        }
        legend.height_px = at.y + ROW_PX - 8.0;
        legend
    }

    /// Scale bar and legend.
    pub(super) fn foot(&mut self, legend: &Legend) {
        if !self.options.legend {
            return;
        }
        self.scale_bar();
        for (at, sign, words) in &legend.entries {
            let corner = *at + DVec2::new(0.0, self.plan.max.y);
            let (x, y) = (num(corner.x), num(corner.y));
            let (tx, ty) = (num(SIGN_PX.x + 6.0), num(SIGN_PX.y / 2.0 + FONT_PX * 0.36));
            self.xml.open("g", &format!(r#"transform="translate({x} {y})""#));
            self.xml.line(sign);
            self.xml.line(&format!(r#"<text class="small" x="{tx}" y="{ty}">{words}</text>"#));
            self.xml.close();
        }
    }

    /// A bar of a round number of metres: 1, 2 or 5 times a power of ten.
    fn scale_bar(&mut self) {
        let most_m = LONGEST_BAR_PX / self.px_per_m;
        let mut metres = 0.001;
        for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(40) {
            if metres * factor > most_m {
                break;
            }
            metres *= factor;
        }
        let length = metres * self.px_per_m;
        let (x, y) = (self.left(), self.plan.max.y + 14.0);
        let at = |part: f64| num(x + length * part);
        let (low, high) = (num(y + 6.0), num(y));
        self.xml.line(&format!(
            r##"<rect x="{}" y="{high}" width="{}" height="6" fill="#6b604f"/>"##,
            at(0.0),
            num(length / 2.0)
        ));
        self.xml.line(&format!(r#"<path class="scale" d="M{0},{high}H{1}V{low}H{0}Z"/>"#, at(0.0), at(1.0)));
        let words =
            if metres < 1.0 { format!("{} cm", num(metres * 100.0)) } else { format!("{} m", num(metres)) };
        let (tx, ty) = (num(x + length + 8.0), num(y + 7.5));
        self.xml.line(&format!(r#"<text class="small" x="{tx}" y="{ty}">{words}</text>"#));
    }

    /// Signs drawn in a box of [`SIGN_PX`], with their text; only kinds that occur.
    fn signs(&self) -> Vec<(String, &'static str)> {
        let mut signs = Vec::new();
        let mut add = |occurs: bool, sign: String, words| {
            if occurs {
                signs.push((sign, words));
            }
        };
        let swatch = |look: &str| format!(r#"<rect {look} x="1" y="1" width="20" height="12" rx="2"/>"#);
        let open = match self.picture.backdrop() {
            None => swatch(&format!(r#"fill="{}""#, theme::floor(0))),
            Some(_) => swatch(r#"class="seam""#),
        };
        add(self.has_area(true) && self.picture.given_faces().is_none(), open, "open area");
        self.mesh_signs(&mut add);
        self.level_signs(&mut add);
        let floor = self.has(|s| matches!(s, Shape::Floor(_)));
        let ground = match self.picture.backdrop() {
            None => swatch(&format!(r##"fill="{}" stroke="#6e5b47""##, theme::floor(0))),
            Some(_) => swatch(r#"class="mask""#),
        };
        add(floor, ground, "walkable ground");
        add(self.has(|s| matches!(s, Shape::Hotspot { .. })), swatch(r#"class="hot""#), "hotspot");
        add(self.has_area(false), swatch(r#"class="closed""#), "closed area");
        let obstacle =
            |low: bool| self.has(|s| matches!(s, Shape::Obstacle { see_through, .. } if *see_through == low));
        add(obstacle(false), swatch(r#"class="solid""#), "obstacle");
        add(obstacle(true), swatch(r#"class="solid low""#), "obstacle one sees past");
        let cells = self.options.cells && self.picture.cells().is_some();
        add(
            cells,
            r#"<path class="free" d="M4,1h6v6h-6zM10,1h6v6h-6zM4,7h6v6h-6zM10,7h6v6h-6z"/>"#.into(),
            "walkable cells",
        );
        add(cells && !floor, swatch(r#"class="taken""#), "blocked cells");
        let lost = self.picture.cells().filter(|_| cells).filter(|cells| cells.cut_off.contains(&true));
        if let Some(lost) = lost {
            add(true, swatch(r#"class="cut""#), cut_off_from(lost.from_player));
        }
        if let Some(graph) = self.picture.graph().filter(|_| self.options.cells) {
            self.graph_signs(graph, &mut add);
        }
        let avoided = r#"<circle class="avoided" cx="11" cy="7" r="6"/>"#;
        add(self.has(|s| matches!(s, Shape::Disc(_))), avoided.into(), "in the way");
        let spot = r#"<path class="spot" d="M11,2L16,7L11,12L6,7Z"/>"#;
        add(self.has(|s| matches!(s, Shape::Point { .. })), spot.into(), "place");
        let disc = |tint: Tint| {
            let colour = tint.colour().css();
            format!(
                r#"<path d="M18.5,7L13,2.5L13,11.5Z" fill="{colour}"/><circle cx="11" cy="7" r="5" fill="{colour}"/>"#
            )
        };
        let who = |wanted: bool| self.picture.figures().find(|figure| figure.player == wanted);
        if let Some(player) = who(true) {
            add(true, disc(player.tint), "player");
        }
        if let Some(other) = who(false) {
            add(true, disc(other.tint), "character");
        }
        let link = r#"<g class="link"><path class="way" d="M2,11Q11,-3 19,8"/><path class="head" d="M20.5,11.5L13.5,8.5L19.5,4Z"/></g>"#;
        add(
            self.has(|s| matches!(s, Shape::Link(link) if link.kind != LinkKind::Ladder)),
            link.into(),
            "link",
        );
        let ladder =
            r#"<g class="link"><path class="rungs" d="M1,3H21M1,11H21M4,3V11M11,3V11M18,3V11"/></g>"#;
        add(
            self.has(|s| matches!(s, Shape::Link(link) if link.kind == LinkKind::Ladder)),
            ladder.into(),
            "ladder",
        );
        let lane = r#"<g class="lane"><path class="row" d="M1,7H21"/><path class="head" d="M15,7L8,3.5L8,10.5Z"/></g>"#;
        add(self.has(|s| matches!(s, Shape::Waypath(_))), lane.into(), "waypath");
        let line = |colour: String, dashes: &str| {
            format!(
                r#"<path d="M1,7H21" fill="none" stroke="{colour}" stroke-width="2.6" stroke-linecap="round" {dashes}/>"#
            )
        };
        if let Some(raw) = self.picture.raw() {
            let way = r#"<path class="raw" d="M1,11L8,4H14L21,10"/>"#;
            add(!raw.points.is_empty(), way.into(), "raw path");
            let tried = r#"<path class="tried" d="M1,7H21"/><path class="stopped" d="M8,4l6,6M8,10l6,-6"/>"#;
            add(raw.tries.iter().any(|attempt| !attempt.clear), tried.into(), "tried, not clear");
        }
        for (tint, words) in [(None, "path"), (Some(()), "way ahead")] {
            let route = self.picture.routes().find(|route| route.tint.is_some() == tint.is_some());
            if let Some(route) = route {
                add(true, line(theme::route_colour(route.tint).css(), ""), words);
            }
        }
        let missed = self.picture.routes().find(|route| route.partial);
        if let Some(route) = missed {
            let colour = theme::route_colour(route.tint).css();
            let cross = format!(
                r#"<circle cx="11" cy="7" r="6" fill="none" stroke="{colour}" stroke-width="1.6"/><path d="M8,4l6,6M8,10l6,-6" stroke="{colour}" stroke-width="1.6"/>"#
            );
            add(true, cross, "out of reach");
        }
        let trails: Vec<Tint> = self.picture.trails().map(|(_, tint)| tint).collect();
        if let Some(tint) = trails.iter().find(|&&tint| tint != Tint::Past) {
            add(true, line(tint.colour().css(), theme::trail_dashes(*tint)), "way behind");
        }
        if trails.contains(&Tint::Past) {
            add(true, line(Tint::Past.colour().css(), theme::trail_dashes(Tint::Past)), "as recorded");
        }
        signs
    }

    /// The signs of a mesh: those of all storeys.
    fn mesh_signs(&self, add: &mut impl FnMut(bool, String, &'static str)) {
        let all = || {
            self.picture.shapes().iter().filter_map(|shape| match shape {
                Shape::Mesh(faces) => Some(faces),
                _ => None,
            })
        };
        let given = || all().filter(|faces| !faces.outlined);
        let has_rim =
            |wanted: fn(RimKind) -> bool| given().flat_map(|faces| &faces.rims).any(|rim| wanted(rim.kind));
        let swatch = |look: &str| format!(r#"<rect {look} x="1" y="1" width="20" height="12" rx="2"/>"#);
        let line = |class: &str| format!(r#"<path class="{class}" d="M1,7H21"/>"#);
        let floor = match self.picture.backdrop() {
            None => swatch(&format!(r##"fill="{}" stroke="#6e5b47""##, theme::floor(0))),
            Some(_) => swatch(r#"class="mask""#),
        };
        let is_open = given().flat_map(|faces| &faces.faces).any(|face| face.open);
        add(is_open, floor, "walkable ground");
        self.sector_signs(add);
        let has_sectors = self.picture.sectors().next().is_some();
        let shows_edges = given().any(|faces| faces.shows_edges(has_sectors));
        let has_edge = shows_edges && has_rim(|kind| kind == RimKind::Portal);
        let has_seam = has_rim(|kind| kind == RimKind::Seam);
        add(has_edge || has_seam && !has_sectors, line("portal"), "edge between polygons");
        add(has_seam && has_sectors, line("seam"), "border of an area");
        let is_steep = given().flat_map(|faces| &faces.faces).any(|face| !face.treads.is_empty());
        add(is_steep, r#"<path class="tread" d="M4,1V13M9,1V13M14,1V13M19,1V13"/>"#.into(), "slope");
        let arrow = r#"<path class="ledge" d="M1,7H21"/><path class="arrow" d="M11,1V9"/><path class="arrowhead" d="M11,14L7.5,8H14.5Z"/>"#;
        let has_ledge = has_rim(|kind| kind == RimKind::OneWay);
        add(has_ledge && !has_sectors, arrow.into(), "one way only");
        add(has_ledge && has_sectors, line("dropfoot"), "foot of a drop");
        add(has_rim(|kind| matches!(kind, RimKind::Climb(_))), line("climb"), "to another storey");
        let searched = || all().filter(|faces| faces.outlined && self.options.cells);
        add(searched().next().is_some(), swatch(r#"class="polygon""#), "walkable polygons");
        let is_blocked = searched().flat_map(|faces| &faces.faces).any(|face| !face.open);
        add(is_blocked, swatch(r#"class="taken""#), "blocked polygons");
        let lost = all().find(|faces| self.options.cells && faces.faces.iter().any(|face| face.cut_off));
        if let Some(lost) = lost {
            add(true, swatch(r#"class="cut""#), cut_off_from(lost.from_player));
        }
    }

    fn graph_signs(&self, graph: &Graph, add: &mut impl FnMut(bool, String, &'static str)) {
        let light = if self.picture.backdrop().is_some() { " light" } else { "" };
        let square = |class: &str, side: f64| {
            format!(r#"<path class="{class}" stroke-width="{side}" d="M11,7h.01"/>"#)
        };
        let bed = match light {
            "" => String::new(),
            _ => r##"<rect fill="#8d98a8" x="1" y="0" width="20" height="14" rx="2"/>"##.to_owned(),
        };
        let edge = format!(r#"{bed}<path class="graph{light}" stroke-width="1.2" d="M1,7H21"/>"#);
        let node = square("node rim", 7.0) + &square("node", 5.4);
        add(graph.has(Sample::Node), edge + &node, "node and edges");
        add(graph.has(Sample::Rejected), square("rejected", 4.5), "rejected sample");
        let lost = r#"<path class="graph lost" stroke-width="1.2" d="M1,7H21"/>"#.to_owned();
        let lost = lost + &square("node rim", 7.0) + &square("node lost", 5.4);
        add(graph.has(Sample::CutOff), lost, cut_off_from(graph.from_player));
        let unseen = r#"<rect class="unseen" x="5" y="2" width="12" height="10"/>"#;
        add(!graph.unseen.is_empty(), unseen.into(), "walkable, sees no node");
    }
}

fn cut_off_from(player: bool) -> &'static str {
    if player { "cut off from the player" } else { "cut off from the largest part" }
}
