//! What stands on the pavements.

use crate::canvas::{Canvas, Colour, Paint, rgb};
use crate::shapes::{Area, Point, area, ellipse, line, polygon};
use crate::street::{BENCH, KIOSK, KIOSK_HEIGHT, LAMP_HEIGHT, LETTERBOX, TRAFFIC_LIGHT_HEIGHT};
use crate::texture::{grain, lettering};

const IRON: Colour = rgb(0x4E4A50);

/// A shadow on the ground: long, and to the lower right, as the sun is low.
fn long_shadow(canvas: &mut Canvas, foot: Point, width: f64, length: f64) {
    let end = (foot.0 + length, foot.1 + length * 0.55);
    canvas.soft(&line(&[foot, end], width), width * 0.4 + 1.0, rgb(0x4A3A50), 0.26);
}

/// A street lamp that has just been lit.
pub(crate) fn lamp(canvas: &mut Canvas, (x, y): Point) {
    let top = y - LAMP_HEIGHT;
    canvas.light(&ellipse(x, top + 14.0, 34.0, 34.0), 30.0, rgb(0xC89850), 0.50);
    canvas.light(&ellipse(x, y - 8.0, 46.0, 18.0), 14.0, rgb(0xA87838), 0.22);
    canvas.shadow(&ellipse(x + 2.0, y, 11.0, 4.0), 3.0, 0.4);
    canvas.block(
        area(x - 1.5, top + 26.0, x + 1.5, y),
        Paint::Across(IRON.lighter(0.25), x - 1.5, IRON, x + 1.5),
    );
    canvas.fill(
        &polygon(&[(x - 3.0, y - 22.0), (x + 3.0, y - 22.0), (x + 5.0, y), (x - 5.0, y)]),
        Paint::Across(IRON.lighter(0.22), x - 5.0, IRON.darker(0.2), x + 5.0),
    );
    canvas.fill(&ellipse(x, y, 6.0, 2.6), IRON);
    canvas.fill(&line(&[(x - 7.0, top + 34.0), (x + 7.0, top + 34.0)], 1.8), IRON);
    canvas.fill(
        &polygon(&[(x - 7.0, top + 8.0), (x + 7.0, top + 8.0), (x + 4.0, top + 26.0), (x - 4.0, top + 26.0)]),
        rgb(0xFFEFC2),
    );
    canvas.fill(
        &line(
            &[(x - 7.0, top + 8.0), (x - 4.0, top + 26.0), (x + 4.0, top + 26.0), (x + 7.0, top + 8.0)],
            1.2,
        ),
        IRON,
    );
    canvas.fill(
        &polygon(&[(x - 8.5, top + 8.0), (x + 8.5, top + 8.0), (x + 2.0, top + 1.0), (x - 2.0, top + 1.0)]),
        IRON,
    );
    canvas.fill(&ellipse(x, top, 1.6, 2.0), IRON);
}

/// A traffic light; the lenses are dull, as the runtime tells which one shines.
pub(crate) fn traffic_light(canvas: &mut Canvas, (x, y): Point) {
    let top = y - TRAFFIC_LIGHT_HEIGHT;
    if y > 250.0 {
        long_shadow(canvas, (x, y), 4.0, 70.0);
    }
    canvas.shadow(&ellipse(x + 2.0, y, 9.0, 3.5), 3.0, 0.4);
    canvas.block(
        area(x - 2.0, top + 30.0, x + 2.0, y),
        Paint::Across(rgb(0x8E8A88), x - 2.0, rgb(0x5C5858), x + 2.0),
    );
    canvas.fill(&ellipse(x, y, 5.5, 2.4), rgb(0x5C5858));
    canvas.fill(&area(x - 8.0, top, x + 8.0, top + 40.0).rounded(4.0), IRON);
    canvas.fill(&area(x - 6.5, top + 1.5, x + 6.5, top + 38.5).rounded(3.0), IRON.darker(0.3));
    for (row, colour) in [0xB8604E, 0xC79A52, 0x7A9C72].into_iter().enumerate() {
        let lens = top + 8.5 + row as f64 * 11.5;
        canvas.fill(&ellipse(x, lens, 4.4, 4.4), rgb(colour).darker(0.12));
        canvas.fill(&ellipse(x - 1.0, lens - 1.2, 1.6, 1.4), rgb(colour).lighter(0.4));
    }
}

/// A young tree in its planting hole.
pub(crate) fn tree(canvas: &mut Canvas, hole: Area) {
    let (x, y) = hole.middle();
    canvas.fill(&hole.rounded(2.0), rgb(0xB4A48E));
    canvas.fill(
        &hole.inset(2.5).rounded(1.5),
        Paint::Down(rgb(0x75604E), hole.top, rgb(0x8A735C), hole.bottom),
    );
    for tuft in 0..9_u32 {
        let place = (hole.left + 6.0 + f64::from(tuft) * 4.0, hole.bottom - 6.0 + 2.0 * grain(tuft, 11));
        canvas.fill(&ellipse(place.0, place.1, 3.0, 2.0), rgb(0x7F8C62).varied(0.15 * grain(tuft, 12)));
    }
    long_shadow(canvas, (x, y), 6.0, 58.0);
    canvas.soft(&ellipse(x + 74.0, y + 41.0, 38.0, 16.0), 6.0, rgb(0x4A3A50), 0.26);
    let bark = Paint::Across(rgb(0x8F7058), x - 4.0, rgb(0x604838), x + 4.0);
    canvas
        .fill(&polygon(&[(x - 2.5, 250.0), (x + 2.5, 250.0), (x + 4.5, y + 1.0), (x - 4.5, y + 1.0)]), bark);
    let seed = x as u32;
    let crown = (x, 236.0);
    canvas.fill(&ellipse(crown.0, crown.1, 33.0, 29.0), rgb(0x6C7C52));
    for leaf in 0..90_u32 {
        // Points of a disc: those that fall outside are left out.
        let (dx, dy) = (grain(leaf, seed), grain(leaf, seed + 1));
        if dx * dx + dy * dy > 1.0 {
            continue;
        }
        // The sun stands behind, at the upper left.
        let lit = -0.16 * dx - 0.24 * dy + 0.06 * grain(leaf, seed + 2);
        let colour = rgb(0x82905E).varied(lit).mix(rgb(0xD8A860), (lit * 0.9).max(0.0));
        canvas.fill(&ellipse(crown.0 + dx * 31.0, crown.1 + dy * 27.0, 6.6, 5.4), colour);
    }
}

/// A park bench that faces the reader.
pub(crate) fn bench(canvas: &mut Canvas) {
    let Area { left, top, right, bottom } = BENCH;
    canvas.soft(
        &polygon(&[
            (left, top + 6.0),
            (right, top + 6.0),
            (right + 34.0, bottom + 14.0),
            (left + 34.0, bottom + 14.0),
        ]),
        5.0,
        rgb(0x4A3A50),
        0.30,
    );
    let wood = rgb(0xA9744C);
    for x in [left + 6.0, right - 6.0] {
        canvas.fill(&line(&[(x, top - 33.0), (x, top - 6.0)], 3.0), IRON);
        canvas.fill(&line(&[(x, top - 8.0), (x + 1.0, bottom)], 3.0), IRON);
        canvas.fill(&line(&[(x, top - 8.0), (x, top + 6.0)], 3.0), IRON.darker(0.3));
    }
    for y in [top - 33.0, top - 25.0, top - 17.0] {
        canvas.fill(
            &area(left, y, right, y + 6.0).rounded(1.5),
            Paint::Down(wood.lighter(0.16), y, wood.darker(0.06), y + 6.0),
        );
    }
    canvas.fill(&area(left, top - 9.0, right, top + 4.0).rounded(1.5), wood.darker(0.35));
    for y in [top - 10.0, top - 5.5, top - 1.0] {
        canvas.fill(&area(left, y, right, y + 4.0).rounded(1.0), wood.lighter(0.24));
    }
    for x in [left + 3.0, right - 3.0] {
        canvas.fill(&line(&[(x, top - 20.0), (x, top - 17.0), (x + 1.0, top + 1.0)], 2.6), IRON);
    }
}

/// A letterbox on a foot.
pub(crate) fn letterbox(canvas: &mut Canvas) {
    let Area { left, right, bottom, .. } = LETTERBOX;
    let (x, y) = LETTERBOX.middle();
    let top = LETTERBOX.top - 56.0;
    long_shadow(canvas, (x, y), 18.0, 36.0);
    let yellow = rgb(0xD3A94E);
    canvas.fill(&ellipse(x, y + 2.0, 11.0, 4.0), IRON);
    canvas.block(
        area(x - 4.0, bottom - 24.0, x + 4.0, y + 2.0),
        Paint::Across(IRON.lighter(0.25), x - 4.0, IRON, x + 4.0),
    );
    let body = area(left, top, right, bottom - 20.0);
    canvas.fill(&body.rounded(5.0), Paint::Across(yellow.lighter(0.22), left, yellow.darker(0.16), right));
    canvas.fill(&area(left - 1.0, top, right + 1.0, top + 7.0).rounded(3.5), yellow.darker(0.10));
    canvas.fill(&area(left + 4.0, top + 12.0, right - 4.0, top + 15.0).rounded(1.0), rgb(0x5A4630));
    canvas.fill(&area(left + 5.0, top + 20.0, right - 5.0, top + 34.0).rounded(1.0), rgb(0xF3E6C8));
    canvas.fill(
        &line(&[(left + 5.5, top + 21.0), (x, top + 28.0), (right - 5.5, top + 21.0)], 1.2),
        rgb(0x9A7A48),
    );
}

/// The kiosk, with papers and its shutter up.
pub(crate) fn kiosk(canvas: &mut Canvas) {
    let Area { left, top, right, bottom } = KIOSK;
    let roof = top - KIOSK_HEIGHT;
    canvas.soft(
        &polygon(&[
            (left + 10.0, bottom - 6.0),
            (right, top),
            (right + 62.0, bottom + 18.0),
            (left + 60.0, bottom + 24.0),
        ]),
        7.0,
        rgb(0x4A3A50),
        0.30,
    );
    let teal = rgb(0x6F9490);
    let eaves = roof + 30.0;
    canvas.block(
        area(left, eaves, right, bottom),
        Paint::Across(teal.lighter(0.18), left, teal.darker(0.10), right),
    );
    canvas.block(area(left, bottom - 6.0, right, bottom), teal.darker(0.45));
    let hatch = area(left + 10.0, eaves + 14.0, right - 10.0, eaves + 62.0);
    canvas.block(hatch.inset(-2.0), teal.darker(0.35));
    canvas.block(hatch, Paint::Down(rgb(0xF6DFA6), hatch.top, rgb(0xC99860), hatch.bottom));
    canvas.within(hatch.shape(), |canvas| {
        canvas.light(&ellipse(hatch.middle().0, hatch.top + 6.0, 30.0, 12.0), 12.0, rgb(0x806030), 0.6);
        magazines(canvas, hatch);
    });
    canvas.block(area(left + 4.0, hatch.bottom, right - 4.0, hatch.bottom + 5.0), rgb(0xC9A678));
    canvas.block(area(left + 4.0, hatch.bottom + 4.0, right - 4.0, hatch.bottom + 6.0), rgb(0x7A5A44));
    newspapers(canvas, area(left + 8.0, hatch.bottom + 9.0, right - 8.0, bottom - 9.0));
    canvas.soft(&area(left, eaves, right, eaves + 12.0).shape(), 5.0, rgb(0x2E2026), 0.30);
    let outline = [
        (left - 8.0, eaves + 8.0),
        (left + 8.0, roof + 8.0),
        (right - 8.0, roof + 8.0),
        (right + 8.0, eaves + 8.0),
    ];
    canvas.fill(&polygon(&outline), Paint::Down(rgb(0x9C6A5A), roof, rgb(0x84564A), eaves));
    for seam in 1..8 {
        let share = f64::from(seam) / 8.0;
        let (high, low) =
            (left + 8.0 + (right - left - 16.0) * share, left - 8.0 + (right - left + 16.0) * share);
        canvas.glaze(&line(&[(high, roof + 9.0), (low, eaves + 6.0)], 1.0), rgb(0x5A3A34), 0.5);
    }
    canvas.fill(&area(left - 9.0, eaves + 6.0, right + 9.0, eaves + 10.0).rounded(2.0), rgb(0xB98A76));
    let (middle, _) = KIOSK.middle();
    canvas.fill(&area(middle - 36.0, roof - 2.0, middle + 36.0, roof + 18.0).rounded(3.0), rgb(0x4F6E6C));
    canvas.fill(&area(middle - 34.0, roof, middle + 34.0, roof + 16.0).rounded(2.0), rgb(0x5F827E));
    lettering(canvas, "KIOSK", (middle, roof + 8.0), 8.5, rgb(0xF2E3BE));
}

fn magazines(canvas: &mut Canvas, hatch: Area) {
    let covers = [0xB9705E, 0x7F96A0, 0xD6B26E, 0x8C9C76, 0xA98098, 0xE0D2B4];
    for row in 0..2_u32 {
        for column in 0..6_u32 {
            let (x, y) =
                (hatch.left + 5.0 + f64::from(column) * 14.0, hatch.top + 6.0 + f64::from(row) * 21.0);
            if let Some(cover) = covers.get(((column * 5 + row * 3 + column / 2) % 6) as usize) {
                canvas.block(area(x, y, x + 11.0, y + 16.0), rgb(*cover));
                canvas.block(area(x + 1.0, y + 1.0, x + 10.0, y + 4.0), rgb(*cover).lighter(0.5));
            }
        }
        let board = hatch.top + 22.0 + f64::from(row) * 21.0;
        canvas.block(area(hatch.left, board, hatch.right, board + 2.0), rgb(0x8A6546));
    }
    // The seller.
    let (x, y) = (hatch.right - 17.0, hatch.bottom);
    canvas.fill(&area(x - 12.0, y - 18.0, x + 12.0, y + 8.0).rounded(8.0), rgb(0x6F7F8C));
    canvas.fill(&ellipse(x, y - 25.0, 7.0, 8.0), rgb(0xC99A78));
    canvas.fill(&ellipse(x, y - 30.0, 7.6, 4.6), rgb(0x7A6A60));
}

fn newspapers(canvas: &mut Canvas, rack: Area) {
    for paper in 0..4 {
        let left = rack.left + 2.0 + f64::from(paper) * 24.0;
        let sheet = area(left, rack.top, left + 18.0, rack.bottom);
        canvas.block(sheet, rgb(0xEDE3CC));
        canvas.block(area(left + 2.0, rack.top + 2.0, left + 16.0, rack.top + 4.0), rgb(0x6A5E58));
        canvas.block(area(left + 2.0, rack.top + 6.0, left + 8.0, rack.bottom - 2.0), rgb(0xB7A898));
    }
}
