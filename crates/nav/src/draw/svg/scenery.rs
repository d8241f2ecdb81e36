//! The scenery: the picture behind the room, hotspots, and the graph of a painted room.

use super::place::{Gap, Rect, text_size};
use super::xml::{escape, haloed, num, outline};
use super::{Sheet, theme};
use crate::draw::HotspotView;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::DVec2;

/// A hotspot with more corners is outlined only at its largest piece.
const MOST_CORNERS: usize = 20_000;

impl Sheet<'_> {
    /// The picture behind the room, embedded, so that the drawing needs no other file.
    pub(super) fn backdrop(&mut self) {
        let Some((picture, min, max)) = self.picture.backdrop() else { return };
        let Rect { min, max } = Rect { min: self.px(min), max: self.px(max) };
        let [x, y, width, height] = [min.x, min.y, max.x - min.x, max.y - min.y].map(num);
        let (kind, data) = (picture.kind.media_type(), STANDARD.encode(&picture.bytes));
        self.xml.line(&format!(
            r#"<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" href="data:{kind};base64,{data}"/>"#
        ));
    }

    pub(super) fn hotspots(&mut self) {
        for HotspotView { name, polygon, pixels, pixel_m, .. } in self.picture.hotspots() {
            let pieces = pixels.as_ref().map(|pixels| pixels.outlines());
            let d = match pieces {
                Some(pieces) if pieces.iter().map(Vec::len).sum::<usize>() <= MOST_CORNERS => {
                    let place =
                        |&[x, z]: &[u32; 2]| self.px(DVec2::new(f64::from(x), f64::from(z)) * *pixel_m);
                    let piece =
                        |corners: &Vec<[u32; 2]>| outline(&corners.iter().map(place).collect::<Vec<_>>());
                    pieces.iter().map(piece).collect()
                }
                _ => outline(&self.polygon_px(polygon)),
            };
            self.xml.line(&format!(r#"<path class="hot" d="{d}"><title>{}</title></path>"#, escape(name)));
        }
    }

    /// Names hotspots: inside their largest piece, else beside it.
    pub(super) fn name_hotspots(&mut self) {
        let font = theme::name_px(self.px_per_m) - 1.5;
        for HotspotView { name, polygon, .. } in self.picture.hotspots() {
            let polygon = self.polygon_px(polygon);
            let size = text_size(name, font);
            let inside = self.placer.inside(&polygon, size);
            let rect = inside.or_else(|| self.placer.beside(Rect::of(&polygon), size, Gap::WALLED, false));
            let Some(rect) = rect else { continue };
            let (x, y) = (num(rect.middle().x), num(rect.middle().y + font * 0.36));
            let place = format!(r#"text-anchor="middle" x="{x}" y="{y}""#);
            self.words.push(haloed("hotname", &place, &escape(name)));
        }
    }
}
