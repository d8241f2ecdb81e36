//! The house fronts along the street, as far up as the picture shows them.

use crate::canvas::{Canvas, Colour, Paint, rgb};
use crate::shapes::{Area, area, ellipse, line, polygon};
use crate::street::{FRONTS_FOOT, LANE, STEPS};
use crate::street_shops as shops;
use crate::texture::{Pattern, grain};

pub(crate) const STONE: Colour = rgb(0xB9A992);
/// Brass and gilt letters.
pub(crate) const GOLD: Colour = rgb(0xEBD3A0);

/// All fronts from left to right, with the lane between them.
pub(crate) fn fronts(canvas: &mut Canvas) {
    plaster(canvas, area(0.0, 0.0, 150.0, FRONTS_FOOT), rgb(0xD3B283));
    for x in [22.0, 92.0] {
        shuttered(canvas, area(x, 34.0, x + 34.0, 96.0), rgb(0x7E927E));
    }
    plaster(canvas, area(150.0, 0.0, 420.0, FRONTS_FOOT), rgb(0xC99A80));
    brickwork(canvas, area(420.0, 0.0, 560.0, FRONTS_FOOT), rgb(0xA9705C));
    plaster(canvas, area(560.0, 0.0, 832.0, FRONTS_FOOT), rgb(0xB7AE96));
    lane(canvas);
    plaster(canvas, area(928.0, 0.0, 1240.0, FRONTS_FOOT), rgb(0xDCC8A2));
    brickwork(canvas, area(1240.0, 0.0, 1400.0, FRONTS_FOOT), rgb(0x9C7468));
    plaster(canvas, area(1400.0, 0.0, 1600.0, FRONTS_FOOT), rgb(0xA9B0A4));
    shops::bakery(canvas);
    town_house(canvas);
    shops::pretzel(canvas, (426.0, 25.0));
    shops::bookshop(canvas);
    shops::cafe(canvas);
    for x in [1262.0, 1346.0] {
        shuttered(canvas, area(x, 34.0, x + 32.0, 92.0), rgb(0x6E7F88));
        flower_box(canvas, area(x - 4.0, 92.0, x + 36.0, 101.0));
    }
    gateway(canvas);
    for x in [149.0, 419.0, 559.0, 1239.0, 1399.0] {
        canvas.block(area(x, 0.0, x + 2.0, FRONTS_FOOT), rgb(0x6E5A50));
    }
    // Daylight fades towards the eaves.
    canvas.soft(&area(-60.0, -60.0, 832.0, 6.0).shape(), 34.0, rgb(0x4A4468), 0.34);
    canvas.soft(&area(928.0, -60.0, 1660.0, 6.0).shape(), 34.0, rgb(0x4A4468), 0.34);
}

fn plaster(canvas: &mut Canvas, place: Area, colour: Colour) {
    canvas.block(place, Paint::Down(colour.darker(0.10), place.top, colour, place.bottom));
    plinth(canvas, place);
}

fn brickwork(canvas: &mut Canvas, place: Area, colour: Colour) {
    let bricks = Pattern { piece: (12.0, 6.0), shift: 0.5, seam: 1.0, variety: 0.09 };
    bricks.lay(canvas, place, colour, colour.lighter(0.18));
    plinth(canvas, place);
}

/// The stone foot of a house.
fn plinth(canvas: &mut Canvas, place: Area) {
    let foot = area(place.left, place.bottom - 16.0, place.right, place.bottom);
    canvas.block(foot, Paint::Down(STONE.darker(0.06), foot.top, STONE.darker(0.26), foot.bottom));
    canvas.block(area(foot.left, foot.top, foot.right, foot.top + 2.0), STONE.lighter(0.18));
}

/// Glass with a lit room behind it.
pub(crate) fn lit_glass(canvas: &mut Canvas, glass: Area) {
    canvas.block(glass, Paint::Down(rgb(0xF6DFA6), glass.top, rgb(0xDDAA6C), glass.bottom));
    canvas.within(glass.shape(), |canvas| {
        let (x, _) = glass.middle();
        canvas.light(&ellipse(x, glass.top + 8.0, glass.width() * 0.36, 12.0), 12.0, rgb(0x806030), 0.6);
    });
}

/// The sheen of the evening sky on a pane.
pub(crate) fn sheen(canvas: &mut Canvas, glass: Area) {
    canvas.within(glass.shape(), |canvas| {
        let (left, rise) = (glass.left + glass.width() * 0.12, glass.height());
        for (x, width) in [(left, 9.0), (left + 14.0, 4.0)] {
            let streak = [
                (x, glass.bottom),
                (x + width, glass.bottom),
                (x + width + rise * 0.5, glass.top),
                (x + rise * 0.5, glass.top),
            ];
            canvas.glaze(&polygon(&streak), rgb(0xFFF6E4), 0.16);
        }
        canvas.soft(
            &area(glass.left - 9.0, glass.top - 9.0, glass.right + 9.0, glass.top + 2.0).shape(),
            4.0,
            rgb(0x3A2A38),
            0.3,
        );
    });
}

fn shuttered(canvas: &mut Canvas, opening: Area, colour: Colour) {
    canvas.fill(&opening.inset(-4.0).rounded(1.0), rgb(0xE5D8C0));
    canvas.block(opening, Paint::Down(rgb(0x6F7F92), opening.top, rgb(0xB9A79A), opening.bottom));
    sheen(canvas, opening);
    let (x, y) = opening.middle();
    canvas.block(area(x - 1.0, opening.top, x + 1.0, opening.bottom), rgb(0xEFE5D0));
    canvas.block(area(opening.left, y - 12.0, opening.right, y - 10.0), rgb(0xEFE5D0));
    canvas.block(
        area(opening.left - 7.0, opening.bottom, opening.right + 7.0, opening.bottom + 4.0),
        rgb(0xCDBFA6),
    );
    for left in [opening.left - 18.0, opening.right + 3.0] {
        let leaf = area(left, opening.top - 2.0, left + 15.0, opening.bottom);
        canvas.shadow(&leaf.shape().moved(2.0, 2.0), 2.0, 0.35);
        canvas.block(leaf, colour);
        canvas.block(leaf.inset(2.0), colour.darker(0.16));
        for slat in 0..((leaf.height() / 5.0) as u32) {
            let top = leaf.top + 3.0 + f64::from(slat) * 5.0;
            canvas.block(
                area(leaf.left + 2.0, top, leaf.right - 2.0, (top + 3.0).min(leaf.bottom - 2.0)),
                colour.lighter(0.10),
            );
        }
    }
}

fn flower_box(canvas: &mut Canvas, place: Area) {
    for step in 0..9 {
        let x = place.left + 2.0 + f64::from(step) * (place.width() - 4.0) / 8.0;
        let top = place.top - 1.0 + 1.5 * grain(step, 31);
        canvas.fill(&ellipse(x, top, 4.0, 4.5), rgb(0x7C8F62).varied(0.14 * grain(step, 32)));
    }
    for step in 0..6 {
        let x = place.left + 4.0 + f64::from(step) * (place.width() - 8.0) / 5.0;
        canvas.fill(&ellipse(x, place.top - 3.0 + 2.0 * grain(step, 33), 2.2, 2.0), rgb(0xD48C80));
    }
    canvas.fill(&place.rounded(1.0), Paint::Down(rgb(0x9A7050), place.top, rgb(0x7C5840), place.bottom));
}

/// The brick house with steps before its door.
fn town_house(canvas: &mut Canvas) {
    let blue = rgb(0x55707A);
    let frame = area(464.0, 22.0, 516.0, FRONTS_FOOT);
    canvas.fill(&frame.rounded(2.0), rgb(0xE0D2B8));
    let light = area(471.0, 28.0, 509.0, 42.0);
    lit_glass(canvas, light);
    for x in [483.0, 496.0] {
        canvas.block(area(x, 28.0, x + 1.5, 42.0), rgb(0xE0D2B8));
    }
    let leaf = area(471.0, 46.0, 509.0, FRONTS_FOOT);
    canvas.block(leaf, Paint::Across(blue.lighter(0.14), leaf.left, blue.darker(0.10), leaf.right));
    for panel in [
        area(476.0, 52.0, 488.0, 84.0),
        area(492.0, 52.0, 504.0, 84.0),
        area(476.0, 92.0, 488.0, 124.0),
        area(492.0, 92.0, 504.0, 124.0),
    ] {
        canvas.block(panel, blue.darker(0.30));
        canvas.block(panel.inset(1.5), blue.lighter(0.06));
    }
    canvas.fill(&ellipse(490.0, 70.0, 2.4, 3.4), GOLD);
    canvas.fill(&ellipse(505.5, 90.0, 1.8, 1.8), GOLD);
    canvas.shadow(&area(460.0, 18.0, 520.0, 26.0).shape().moved(2.0, 3.0), 3.0, 0.35);
    canvas.block(area(458.0, 16.0, 522.0, 22.0), rgb(0xEADDC4));
    for x in [430.0, 526.0] {
        let opening = area(x, 40.0, x + 24.0, 94.0);
        canvas.fill(&opening.inset(-3.0).rounded(1.0), rgb(0xE0D2B8));
        lit_glass(canvas, opening);
        for curtain in [area(x, 40.0, x + 7.0, 94.0), area(x + 17.0, 40.0, x + 24.0, 94.0)] {
            canvas.glaze(&curtain.shape(), rgb(0xF4E4C8), 0.7);
        }
        canvas.block(area(x + 11.0, 40.0, x + 13.0, 94.0), rgb(0xE0D2B8));
        canvas.block(area(x, 62.0, x + 24.0, 64.0), rgb(0xE0D2B8));
        flower_box(canvas, area(x - 4.0, 97.0, x + 28.0, 105.0));
    }
}

/// Two steps, painted after the pavement that they stand on.
pub(crate) fn steps(canvas: &mut Canvas) {
    let Area { left, right, bottom, .. } = STEPS;
    canvas.shadow(&STEPS.shape().moved(3.0, 3.0), 4.0, 0.35);
    for (inset, top, foot) in [(0.0, 131.0, bottom), (6.0, 123.0, 135.0)] {
        let step = area(left + inset, top, right - inset, foot);
        canvas.block(step, STONE.darker(0.12));
        canvas.block(area(step.left, top, step.right, top + 6.0), STONE.lighter(0.24));
    }
}

/// The last house: a carriage gateway, a window and ivy.
fn gateway(canvas: &mut Canvas) {
    let wood = rgb(0x86664C);
    canvas.fill(&area(1470.0, 18.0, 1556.0, 180.0).rounded(43.0), rgb(0xCFC2AA));
    canvas.within(area(1460.0, 0.0, 1560.0, FRONTS_FOOT).shape(), |canvas| {
        canvas.fill(&area(1477.0, 25.0, 1549.0, 180.0).rounded(36.0), wood);
        for plank in 0..9 {
            let x = 1477.0 + f64::from(plank) * 8.0;
            canvas.within(area(1477.0, 25.0, 1549.0, 180.0).rounded(36.0), |canvas| {
                canvas.block(area(x, 25.0, x + 1.0, FRONTS_FOOT), wood.darker(0.3));
            });
        }
        canvas.block(area(1512.0, 25.0, 1514.0, FRONTS_FOOT), wood.darker(0.5));
        for y in [66.0, 112.0] {
            canvas.block(area(1478.0, y, 1548.0, y + 3.0), rgb(0x544844));
        }
    });
    canvas.block(area(1470.0, FRONTS_FOOT - 16.0, 1477.0, FRONTS_FOOT), rgb(0xBFB29A));
    canvas.block(area(1549.0, FRONTS_FOOT - 16.0, 1556.0, FRONTS_FOOT), rgb(0xBFB29A));
    shuttered(canvas, area(1426.0, 38.0, 1450.0, 94.0), rgb(0x8C6A58));
    for leaf in 0..120_u32 {
        let down = (grain(leaf, 91) + 1.0) / 2.0;
        let x = 1582.0 + 20.0 * grain(leaf, 92) * (1.0 - 0.45 * down);
        let green = rgb(0x72865C).varied(0.22 * grain(leaf, 93));
        canvas.fill(&ellipse(x, down * 118.0 - 2.0, 5.0, 4.2), green);
    }
}

/// The lane in which the sun sets: sky, far roofs, and light on the paving.
fn lane(canvas: &mut Canvas) {
    canvas.within(LANE.shape(), |canvas| {
        canvas.block(LANE, Paint::Down(rgb(0xC9B9C0), 0.0, rgb(0xF9DCA2), 92.0));
        canvas.soft(&ellipse(884.0, 74.0, 15.0, 15.0), 22.0, rgb(0xFFF0C4), 0.95);
        canvas.fill(&ellipse(884.0, 74.0, 9.0, 9.0), rgb(0xFFF6DC));
        let far = rgb(0xC7A798);
        canvas.fill(&polygon(&[(896.0, 30.0), (902.0, 8.0), (908.0, 30.0)]), far.lighter(0.15));
        canvas.block(area(896.0, 30.0, 908.0, 100.0), far.lighter(0.15));
        canvas.fill(
            &polygon(&[(832.0, 74.0), (848.0, 62.0), (864.0, 78.0), (864.0, 110.0), (832.0, 110.0)]),
            far,
        );
        canvas.fill(
            &polygon(&[(900.0, 84.0), (914.0, 72.0), (930.0, 80.0), (930.0, 110.0), (900.0, 110.0)]),
            far.darker(0.06),
        );
        canvas.fill(
            &polygon(&[(862.0, 92.0), (876.0, 86.0), (902.0, 92.0), (902.0, 110.0), (862.0, 110.0)]),
            far.lighter(0.10),
        );
        // The side walls of the lane, which lean towards the sun.
        canvas.fill(
            &polygon(&[(832.0, 0.0), (850.0, 0.0), (858.0, 104.0), (832.0, FRONTS_FOOT)]),
            Paint::Across(rgb(0x93857C), 832.0, rgb(0xC4A486), 858.0),
        );
        canvas.fill(
            &polygon(&[(928.0, 0.0), (912.0, 0.0), (906.0, 104.0), (928.0, FRONTS_FOOT)]),
            Paint::Across(rgb(0xCFAE88), 906.0, rgb(0x9A8876), 928.0),
        );
        let paving = polygon(&[(858.0, 104.0), (906.0, 104.0), (928.0, FRONTS_FOOT), (832.0, FRONTS_FOOT)]);
        canvas.fill(&paving, Paint::Down(rgb(0xF0CF98), 104.0, rgb(0xD2B694), FRONTS_FOOT));
        for y in [108.0, 114.0, 122.0, 130.0] {
            canvas.glaze(&area(832.0, y, 928.0, y + 1.0).shape(), rgb(0xA98B6C), 0.35);
        }
        // Washing across the lane.
        canvas.fill(&line(&[(850.0, 34.0), (868.0, 40.0), (894.0, 40.0), (912.0, 34.0)], 1.0), rgb(0x6E5A50));
        for (x, colour) in [(860.0, 0xE9DFCC), (872.0, 0xB98A84), (886.0, 0x94A5A8)] {
            canvas.block(area(x, 39.0, x + 9.0, 52.0), rgb(colour));
        }
    });
    canvas.light(&ellipse(884.0, 74.0, 60.0, 60.0), 50.0, rgb(0x906030), 0.30);
}
