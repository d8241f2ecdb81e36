//! Waypaths as dotted lines, with an arrow head in the middle of each piece that leads one way. Jumps are arcs. Waypoints
//! are dots, larger where characters act.

use super::Sheet;
use super::place::Rect;
use super::xml::{escape, num, outline, pair};
use crate::draw::WaypathView;
use glam::DVec2;

/// Length of an arrow head, pixels.
const HEAD_PX: f64 = 8.0;

/// Radii of waypoints, pixels: without and with an action.
const POINT_PX: [f64; 2] = [2.4, 4.0];

/// The height of the arc of a jump, as a share of its length.
const RISE: f64 = 0.28;

impl Sheet<'_> {
    pub(super) fn waypaths(&mut self) {
        for waypath in self.picture.waypaths() {
            let class = if waypath.open { "lane" } else { "lane off" };
            self.xml.open("g", &format!(r#"class="{class}""#));
            self.xml.line(&format!("<title>{}</title>", escape(&waypath.label())));
            self.waypath(waypath);
            self.xml.close();
        }
    }

    fn waypath(&mut self, waypath: &WaypathView) {
        for (piece, &jumps) in waypath.pieces.iter().zip(&waypath.jumps) {
            let (Some(&from), Some(&to)) = (piece.first(), piece.last()) else { continue };
            let [from, to] = [self.px(from), self.px(to)];
            let bow = from.midpoint(to) + if jumps { (to - from).perp() * RISE } else { DVec2::ZERO };
            let d = match jumps {
                true => format!("M{}Q{} {}", pair(from), pair(bow), pair(to)),
                false => format!("M{}L{}", pair(from), pair(to)),
            };
            self.xml.line(&format!(r#"<path class="row" d="{d}"/>"#));
            if !waypath.two_way {
                let along = (to - from).normalize_or_zero();
                let tip = from.midpoint(to).midpoint(bow) + along * (HEAD_PX / 2.0);
                let side = along.perp() * HEAD_PX * 0.45;
                let head = outline(&[tip, tip - along * HEAD_PX + side, tip - along * HEAD_PX - side]);
                self.xml.line(&format!(r#"<path class="head" d="{head}"/>"#));
            }
        }
        for (at, action) in &waypath.points {
            let at = self.px(*at);
            let radius = num(POINT_PX[usize::from(!action.is_empty())]);
            let circle =
                format!(r#"<circle class="foot" cx="{}" cy="{}" r="{radius}""#, num(at.x), num(at.y));
            match action.is_empty() {
                true => self.xml.line(&format!("{circle}/>")),
                false => self.xml.line(&format!("{circle}><title>{}</title></circle>", escape(action))),
            }
        }
    }

    /// Keeps other names off the waypaths, and writes their own.
    pub(super) fn name_waypaths(&mut self) {
        let picture = self.picture;
        for waypath in picture.waypaths() {
            let class = if waypath.open { "lanename" } else { "shut" };
            let middle = self.px(waypath.middle());
            self.name(&waypath.label(), class, -1.0, Rect::around(middle, DVec2::splat(6.0)), false);
        }
    }
}
