//! The street's ground and the evening light that lies on it.

use crate::canvas::{Canvas, Colour, Paint, rgb};
use crate::shapes::{Area, area, ellipse, line, polygon};
use crate::street::{CROSSING, FAR_PAVEMENT, FRONTS_FOOT, LANE, NEAR_PAVEMENT, ROAD};
use crate::texture::{Pattern, grain};

const SLABS: Colour = rgb(0xCDBDA6);
const COBBLES: Colour = rgb(0x9A8E86);
const KERB: Colour = rgb(0xDDD1BE);

/// Slabs, with a kerb towards the road.
pub(crate) fn pavements(canvas: &mut Canvas) {
    let slabs = Pattern { piece: (36.0, 18.0), shift: 0.5, seam: 1.0, variety: 0.05 };
    slabs.lay(canvas, FAR_PAVEMENT, SLABS.darker(0.04), SLABS.darker(0.20));
    slabs.lay(canvas, area(0.0, NEAR_PAVEMENT.top, 1600.0, 400.0), SLABS, SLABS.darker(0.17));
    kerb(canvas, FAR_PAVEMENT.bottom - 6.0);
    kerb(canvas, NEAR_PAVEMENT.top);
}

fn kerb(canvas: &mut Canvas, top: f64) {
    let stones = Pattern { piece: (50.0, 6.0), shift: 0.0, seam: 1.0, variety: 0.05 };
    stones.lay(canvas, area(0.0, top, 1600.0, top + 6.0), KERB, KERB.darker(0.25));
}

/// Cobbles with a tram's rails, lower than the pavements.
pub(crate) fn road(canvas: &mut Canvas) {
    let cobbles = Pattern { piece: (18.0, 10.0), shift: 0.5, seam: 1.0, variety: 0.07 };
    cobbles.lay(canvas, ROAD, COBBLES, COBBLES.darker(0.16));
    // The far kerb's face, and the shade that the near kerb hides.
    canvas.block(area(0.0, ROAD.top, 1600.0, ROAD.top + 4.0), KERB.darker(0.36));
    canvas.soft(&area(-20.0, ROAD.top, 1620.0, ROAD.top + 6.0).shape(), 5.0, rgb(0x3A2C30), 0.35);
    canvas.block(area(0.0, ROAD.bottom - 3.0, 1600.0, ROAD.bottom), COBBLES.darker(0.30));
    for y in [226.0, 268.0] {
        canvas.block(area(0.0, y - 4.0, 1600.0, y + 6.0), COBBLES.darker(0.10));
        canvas.block(area(0.0, y, 1600.0, y + 1.0), rgb(0xC9C3B8));
        canvas.block(area(0.0, y + 1.0, 1600.0, y + 3.0), rgb(0x7A716C));
        canvas.block(area(0.0, y + 3.0, 1600.0, y + 4.0), rgb(0x5C5452));
    }
}

/// The zebra crossing: bars along the road, with the kerbs lowered at both ends.
pub(crate) fn crossing(canvas: &mut Canvas) {
    let Area { left, top, right, bottom } = CROSSING;
    canvas.glaze(&area(left - 4.0, top, right + 4.0, bottom).shape(), COBBLES.darker(0.25), 0.45);
    for bar in 0..6 {
        let y = top + 5.0 + f64::from(bar) * 18.0;
        let worn = 0.78 + 0.05 * grain(bar, 7);
        canvas.glaze(&area(left + 2.0, y, right - 2.0, y + 10.0).shape(), rgb(0xF0E8D8), worn);
    }
    for y in [FAR_PAVEMENT.bottom - 12.0, NEAR_PAVEMENT.top] {
        let studs = Pattern { piece: (6.0, 6.0), shift: 0.0, seam: 2.0, variety: 0.04 };
        studs.lay(canvas, area(left, y, right, y + 12.0), rgb(0xE6D9BE), rgb(0xC4B394));
    }
}

/// The sun is low behind the houses: they shade the far side, and light comes through the lane.
pub(crate) fn evening(canvas: &mut Canvas) {
    let shade = rgb(0x4A4468);
    // The houses' shadow falls to the right; its edge repeats the roofs and the gap of the lane.
    let edge = [
        (-40.0, FRONTS_FOOT),
        (LANE.left, FRONTS_FOOT),
        (965.0, 244.0),
        (860.0, 244.0),
        (836.0, 228.0),
        (560.0, 228.0),
        (540.0, 246.0),
        (300.0, 246.0),
        (262.0, 222.0),
        (60.0, 222.0),
        (40.0, 238.0),
        (-40.0, 238.0),
    ];
    canvas.within(area(0.0, FRONTS_FOOT, 1600.0, 400.0).shape(), |canvas| {
        canvas.soft(&polygon(&edge), 5.0, shade, 0.36);
        let right = [
            (LANE.right - 2.0, FRONTS_FOOT),
            (1660.0, FRONTS_FOOT),
            (1660.0, 240.0),
            (1560.0, 240.0),
            (1540.0, 224.0),
            (1330.0, 224.0),
            (1310.0, 248.0),
            (1066.0, 248.0),
        ];
        canvas.soft(&polygon(&right), 5.0, shade, 0.36);
        let beam =
            [(LANE.left, FRONTS_FOOT), (LANE.right - 2.0, FRONTS_FOOT), (1066.0, 248.0), (965.0, 248.0)];
        canvas.light(&polygon(&beam), 10.0, rgb(0xB07830), 0.34);
        canvas.light(&area(-60.0, 262.0, 1660.0, 460.0).shape(), 40.0, rgb(0x8A5A28), 0.30);
        canvas.soft(&area(-60.0, 120.0, 1660.0, FRONTS_FOOT + 4.0).shape(), 8.0, rgb(0x3A2A38), 0.30);
        // What the lit windows throw on the far pavement.
        for (left, right) in [(172.0, 272.0), (586.0, 690.0), (970.0, 1096.0), (1150.0, 1216.0)] {
            let glow =
                [(left, FRONTS_FOOT), (right, FRONTS_FOOT), (right + 16.0, 168.0), (left + 4.0, 168.0)];
            canvas.light(&polygon(&glow), 14.0, rgb(0xB88848), 0.36);
        }
    });
}

/// A low border along the lower edge.
pub(crate) fn flower_border(canvas: &mut Canvas) {
    canvas.shadow(&area(-20.0, 386.0, 1620.0, 400.0).shape(), 4.0, 0.30);
    canvas.block(area(0.0, 390.0, 1600.0, 393.0), rgb(0xB9A68C));
    canvas.block(area(0.0, 393.0, 1600.0, 400.0), Paint::Down(rgb(0x7F8C62), 393.0, rgb(0x64704E), 400.0));
    for tuft in 0..134 {
        let x = f64::from(tuft) * 12.0 + 4.0 * grain(tuft, 1);
        let green = rgb(0x8A9868).varied(0.12 * grain(tuft, 2));
        canvas.fill(&ellipse(x, 397.0 + grain(tuft, 3), 9.0, 5.0), green);
        if grain(tuft, 4) > 0.35 {
            let blossom = if grain(tuft, 5) > 0.0 { rgb(0xE3BFA8) } else { rgb(0xE8D9B0) };
            canvas.fill(&ellipse(x + 2.0, 395.5, 1.8, 1.6), blossom);
            canvas.fill(&line(&[(x - 4.0, 397.0), (x - 4.0, 397.5)], 2.4), blossom.darker(0.1));
        }
    }
}
