//! Links as dashed arcs, with an arrow head at each end that they lead to. A ladder has rungs.

use super::Sheet;
use super::place::Rect;
use super::xml::{escape, num, outline, pair};
use crate::draw::LinkView;
use crate::room::LinkKind;
use glam::DVec2;

/// Length of an arrow head, pixels.
const HEAD_PX: f64 = 9.0;
/// Half the width of a ladder, and the distance of its rungs, pixels.
const LADDER_PX: f64 = 5.0;
const RUNG_PX: f64 = 7.0;
/// Half the side of the cage of a lift, pixels.
const CAGE_PX: f64 = 7.0;

impl Sheet<'_> {
    pub(super) fn links(&mut self) {
        for link in self.picture.links() {
            let class = if link.open { "link" } else { "link off" };
            self.xml.open("g", &format!(r#"class="{class}""#));
            self.xml.line(&format!("<title>{}</title>", escape(&link.label())));
            self.link(link);
            self.xml.close();
        }
    }

    fn link(&mut self, link: &LinkView) {
        let [from, to] = link.ends.map(|end| self.px(end));
        let bow = self.px(link.ends[0].midpoint(link.ends[1]) + link.rise() * 2.0);
        match link.kind {
            LinkKind::Ladder => self.ladder(from, to),
            _ => {
                let d = format!("M{}Q{} {}", pair(from), pair(bow), pair(to));
                self.xml.line(&format!(r#"<path class="way" d="{d}"/>"#));
            }
        }
        for (end, (tip, is_here)) in [from, to].into_iter().zip(link.here).enumerate() {
            if link.kind == LinkKind::Lift {
                let [low, high] = [tip - CAGE_PX, tip + CAGE_PX];
                let d = outline(&[low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]);
                self.xml.line(&format!(r#"<path class="cage" d="{d}"/>"#));
            }
            let leads_here = end == 1 || !link.one_way;
            let along = (tip - if from == to { tip - DVec2::Y } else { bow }).normalize_or_zero();
            if leads_here && is_here {
                let side = along.perp() * HEAD_PX * 0.45;
                let head = outline(&[tip, tip - along * HEAD_PX + side, tip - along * HEAD_PX - side]);
                self.xml.line(&format!(r#"<path class="head" d="{head}"/>"#));
            } else {
                let (x, y) = (num(tip.x), num(tip.y));
                let class = if is_here { "foot" } else { "foot away" };
                self.xml.line(&format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="3"/>"#));
            }
        }
    }

    /// Two rails, and rungs between them.
    fn ladder(&mut self, from: DVec2, to: DVec2) {
        let along = if from == to { DVec2::Y } else { (to - from).normalize_or_zero() };
        let side = along.perp() * LADDER_PX;
        let mut d = String::new();
        for rail in [side, -side] {
            d.push_str(&format!("M{}L{}", pair(from + rail), pair(to + rail)));
        }
        let rungs = (from.distance(to) / RUNG_PX).floor().clamp(1.0, 400.0);
        for rung in 0..rungs as u32 {
            let at = from.lerp(to, (f64::from(rung) + 0.5) / rungs);
            d.push_str(&format!("M{}L{}", pair(at - side), pair(at + side)));
        }
        self.xml.line(&format!(r#"<path class="rungs" d="{d}"/>"#));
    }

    /// Keeps other names off the links, and writes their own.
    pub(super) fn name_links(&mut self) {
        let picture = self.picture;
        for link in picture.links() {
            let class = if link.open { "linkname" } else { "shut" };
            let middle = self.px(link.arc(0.5));
            self.name(&link.label(), class, -1.0, Rect::around(middle, DVec2::splat(8.0)), false);
        }
    }
}
