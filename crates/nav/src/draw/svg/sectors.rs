//! Sectors as dashed rectangles, and the portals between them as strokes, with an arrow down a drop.

use super::Sheet;
use super::mesh::ARROW_PX;
use super::xml::{num, pair};
use crate::draw::{Picture, SectorPortalView, SectorView};

/// Rectangles are drawn this much smaller on each side, so that two neighbours and the portal between them can be told
/// apart, pixels.
const INSET_PX: f64 = 2.5;
/// The same as a part of the shorter side, for small sectors.
const MOST_INSET: f64 = 0.12;
/// Portals are drawn this much shorter at each end, pixels, and at most by this part.
const PORTAL_INSET_PX: f64 = 3.0;
const MOST_PORTAL_INSET: f64 = 0.15;
/// The arrow down a drop is as long as this part of its portal, but for very short and long ones.
const ARROW_PER_PORTAL: f64 = 0.55;
/// Half the length of the shortest arrow, pixels.
const LEAST_ARROW_PX: f64 = 4.0;

impl Sheet<'_> {
    /// The floor in the sectors: the ground lies on it, and keeps the radius of the characters from its borders.
    pub(super) fn sector_floors(&mut self) {
        if self.picture.backdrop().is_some() {
            return;
        }
        let d: String = self.picture.sectors().map(|sector| self.rectangle(sector, 0.0)).collect();
        self.line_of("sectorfloor", &d);
    }

    /// The outlines of the sectors.
    pub(super) fn sectors(&mut self) {
        for sector in self.picture.sectors() {
            let inset_px = INSET_PX.min((sector.max - sector.min).min_element() * self.px_per_m * MOST_INSET);
            let (class, words) = if sector.low { ("sector crouch", ", low") } else { ("sector", "") };
            let (d, number) = (self.rectangle(sector, inset_px), sector.number);
            let title = format!("<title>sector {number}{words}</title>");
            self.xml.line(&format!(r#"<path class="{class}" d="{d}">{title}</path>"#));
        }
    }

    /// The portals between the sectors.
    pub(super) fn sector_portals(&mut self) {
        for portal in self.picture.sector_portals().filter(|portal| !portal.one_way) {
            // Between storeys, the ground has a sign of its own.
            self.sector_portal(portal, if portal.between_storeys { "passage faint" } else { "passage" });
        }
        for portal in self.picture.sector_portals().filter(|portal| portal.one_way) {
            self.sector_portal(portal, "drop");
            let [from, to] = portal.ends.map(|end| self.px(end));
            let half_px = (from.distance(to) * ARROW_PER_PORTAL / 2.0).clamp(LEAST_ARROW_PX, ARROW_PX);
            self.arrow(from.midpoint(to), portal.out, half_px);
        }
    }

    fn sector_portal(&mut self, portal: &SectorPortalView, class: &str) {
        let [from, to] = portal.ends.map(|end| self.px(end));
        let length_px = from.distance(to);
        let share = (PORTAL_INSET_PX / length_px.max(PORTAL_INSET_PX)).min(MOST_PORTAL_INSET);
        let d = format!("M{}L{}", pair(from.lerp(to, share)), pair(to.lerp(from, share)));
        let [one, other] = portal.sectors;
        let words = if portal.one_way { "drop from sector" } else { "portal between sectors" };
        let join = if portal.one_way { "to" } else { "and" };
        let title = format!("<title>{words} {one} {join} {other}</title>");
        self.xml.line(&format!(r#"<path class="{class}" d="{d}">{title}</path>"#));
    }

    fn rectangle(&self, sector: &SectorView, inset_px: f64) -> String {
        let (min, max) = (self.px(sector.min) + inset_px, self.px(sector.max) - inset_px);
        format!("M{}H{}V{}H{}Z", pair(min), num(max.x), num(max.y), num(min.x))
    }

    /// The signs of sectors.
    pub(super) fn sector_signs(&self, add: &mut impl FnMut(bool, String, &'static str)) {
        let swatch = |class: &str| format!(r#"<rect class="{class}" x="1" y="1" width="20" height="12"/>"#);
        let sector = |low: bool| self.picture.sectors().any(|sector| sector.low == low);
        add(sector(false), swatch("sectorfloor") + &swatch("sector"), "sector");
        add(sector(true), swatch("sectorfloor") + &swatch("sector crouch"), "low sector");
        let portal = |one_way: bool| self.picture.sector_portals().any(|portal| portal.one_way == one_way);
        add(portal(false), r#"<path class="passage" d="M1,7H21"/>"#.into(), "portal between sectors");
        let drop = r#"<path class="drop" d="M1,5H21"/><path class="arrow" d="M11,0V9"/><path class="arrowhead" d="M11,14L7.5,8H14.5Z"/>"#;
        add(portal(true), drop.into(), "drop, one way only");
    }
}

/// How far the sectors of some plans reach over the shown rectangle, metres.
pub(super) fn reach_over_m(plans: &[&Picture]) -> f64 {
    let of_plan = |plan: &&Picture| {
        let (min, max) = plan.bounds();
        let over = |sector: &SectorView| (min - sector.min).max(sector.max - max).max_element();
        plan.sectors().map(over).fold(0.0, f64::max)
    };
    plans.iter().map(of_plan).fold(0.0, f64::max)
}
