//! What stands and hangs in the kitchen.

use crate::canvas::{Canvas, Colour, Paint, rgb};
use crate::kitchen::{
    BOWL, COUNTER, COUNTER_FOOT, RUG, SHELF, SINK, STOVE, TABLE_FOOT, TABLE_TOP, mirrored_at_table,
};
use crate::shapes::{Area, Point, area, ellipse, line, polygon};

const WORKTOP: Colour = rgb(0xC79A6B);
const CUPBOARD: Colour = rgb(0xB4BCA0);
const IRON: Colour = rgb(0x5E5752);
const OAK: Colour = rgb(0xB98758);
const COPPER: Colour = rgb(0xC98C63);

/// The worktop with cupboards below it.
pub(crate) fn counter(canvas: &mut Canvas) {
    let Area { left, top, right, bottom } = COUNTER;
    let edge = top + 22.0;
    canvas.shadow(&area(left - 80.0, bottom - 8.0, right + 6.0, bottom + 5.0).shape(), 8.0, 0.42);
    canvas.block(area(left, edge, right, bottom), Paint::Down(CUPBOARD.darker(0.16), edge, CUPBOARD, 170.0));
    canvas.block(area(left, bottom - 7.0, right, bottom), CUPBOARD.darker(0.5));
    for column in 0..5 {
        let door_left = left + 6.0 + f64::from(column) * 49.5;
        let door = area(door_left, 150.0, door_left + 43.0, bottom - 11.0);
        canvas.fill(&door.rounded(1.5), CUPBOARD.darker(0.20));
        canvas.fill(&door.inset(1.0).rounded(1.0), CUPBOARD.lighter(0.14));
        canvas.fill(&door.inset(6.0).rounded(1.0), CUPBOARD.darker(0.10));
        canvas.fill(&door.inset(7.0).rounded(1.0), CUPBOARD.lighter(0.05));
        let knob = if column % 2 == 0 { door.right - 3.5 } else { door.left + 3.5 };
        canvas.fill(&ellipse(knob, 168.0, 1.9, 1.9), rgb(0xD8B26E));
    }
    canvas.block(
        area(left, top, right + 3.0, edge),
        Paint::Down(WORKTOP.lighter(0.22), top, WORKTOP.lighter(0.05), edge),
    );
    canvas.block(area(left, edge - 1.0, right + 3.0, edge + 4.0), WORKTOP.darker(0.22));
    canvas.soft(&area(left, top - 4.0, right, top + 2.0).shape(), 4.0, rgb(0x5A3A28), 0.28);
    bread(canvas, (430.0, 134.0));
    canister(canvas, (478.0, 131.0), rgb(0xC98A70));
    canister(canvas, (494.0, 132.0), rgb(0xD9C08E));
    canister(canvas, (509.0, 133.0), rgb(0x8FA5A8));
    bottle(canvas, (290.0, 131.0));
}

fn bread(canvas: &mut Canvas, (x, y): Point) {
    canvas.shadow(&ellipse(x + 2.0, y + 1.0, 25.0, 4.0), 3.0, 0.3);
    canvas.fill(&area(x - 24.0, y - 2.0, x + 26.0, y + 3.0).rounded(2.0), rgb(0x9A6B45));
    canvas.fill(&area(x - 24.0, y - 3.0, x + 26.0, y + 0.5).rounded(1.5), rgb(0xB98A60));
    canvas.fill(
        &area(x - 15.0, y - 15.0, x + 14.0, y - 1.0).rounded(7.0),
        Paint::Down(rgb(0xD9A768), y - 15.0, rgb(0xB37A45), y),
    );
    for dx in [-7.0, 0.0, 7.0] {
        canvas.fill(&line(&[(x + dx - 2.0, y - 8.0), (x + dx + 2.0, y - 13.0)], 1.6), rgb(0xEED4A0));
    }
}

fn canister(canvas: &mut Canvas, (x, y): Point, colour: Colour) {
    canvas.shadow(&ellipse(x + 3.0, y, 9.0, 3.0), 3.0, 0.3);
    let body = area(x - 6.0, y - 20.0, x + 6.0, y + 1.0);
    canvas.fill(
        &body.rounded(2.0),
        Paint::Across(colour.lighter(0.25), body.left, colour.darker(0.15), body.right),
    );
    canvas.fill(&area(x - 7.0, y - 23.0, x + 7.0, y - 19.0).rounded(1.5), colour.darker(0.25));
    canvas.block(area(x - 4.0, y - 13.0, x + 4.0, y - 7.0), rgb(0xF1E6CC));
}

fn bottle(canvas: &mut Canvas, (x, y): Point) {
    canvas.fill(&area(x - 4.0, y - 18.0, x + 4.0, y + 1.0).rounded(2.5), rgb(0x8C9A5E));
    canvas.fill(&area(x - 1.6, y - 27.0, x + 1.6, y - 16.0).rounded(1.0), rgb(0x8C9A5E));
    canvas.fill(&line(&[(x - 2.0, y - 14.0), (x - 2.0, y - 3.0)], 1.0), rgb(0xBAC48C));
    canvas.block(area(x - 2.0, y - 29.0, x + 2.0, y - 26.0), rgb(0xB08A5C));
}

/// A stone sink set into the worktop below the window.
pub(crate) fn sink(canvas: &mut Canvas) {
    canvas.fill(&SINK.inset(-2.0).rounded(5.0), rgb(0xF2ECDD));
    canvas.fill(
        &SINK.inset(1.0).rounded(4.0),
        Paint::Down(rgb(0xA7A69C), SINK.top, rgb(0xDAD6C8), SINK.bottom),
    );
    canvas.fill(&ellipse(363.0, 132.0, 3.0, 1.3), IRON);
    let front = area(SINK.left - 2.0, 138.0, SINK.right + 2.0, 165.0);
    canvas.shadow(&front.shape().moved(0.0, 3.0), 3.0, 0.25);
    canvas.fill(&front.rounded(3.0), Paint::Down(rgb(0xF6F0E2), 138.0, rgb(0xDCD4C2), 165.0));
    let brass = rgb(0xCFA763);
    canvas.fill(
        &line(&[(363.0, 122.0), (363.0, 106.0), (366.0, 103.0), (371.0, 104.0), (372.0, 110.0)], 2.6),
        brass,
    );
    canvas.fill(&line(&[(356.0, 120.0), (370.0, 120.0)], 2.4), brass.darker(0.15));
    // A cloth that dries over the edge.
    canvas.fill(&polygon(&[(380.0, 139.0), (394.0, 139.0), (393.0, 156.0), (381.0, 157.0)]), rgb(0xC98F7C));
    canvas.fill(&polygon(&[(380.5, 150.0), (393.5, 149.5), (393.5, 152.0), (380.5, 152.5)]), rgb(0xF1E2C6));
}

/// The stove with a hood above it and Sunday's soup on it.
pub(crate) fn stove(canvas: &mut Canvas) {
    let Area { left, top, right, .. } = STOVE;
    let hood = [(212.0, 7.0), (258.0, 7.0), (260.0, 36.0), (274.0, 54.0), (196.0, 54.0), (210.0, 36.0)];
    canvas.shadow(&polygon(&hood).moved(3.0, 5.0), 6.0, 0.28);
    canvas.fill(&polygon(&hood), Paint::Across(rgb(0xDCC9A8), 196.0, rgb(0xC4AD8A), 274.0));
    canvas.block(area(194.0, 53.0, 276.0, 59.0), rgb(0x8A6243));
    canvas.block(area(194.0, 53.0, 276.0, 54.5), rgb(0xA98461));
    canvas.light(&ellipse(235.0, 84.0, 34.0, 26.0), 22.0, rgb(0x70501C), 0.45);

    let edge = top + 24.0;
    let front = area(left, edge, right, COUNTER_FOOT);
    canvas.block(front, Paint::Down(rgb(0xE9DFC8), edge, rgb(0xCFC3A8), COUNTER_FOOT));
    canvas.block(area(left, COUNTER_FOOT - 6.0, right, COUNTER_FOOT), IRON.darker(0.2));
    canvas.block(area(left, top, right, edge), Paint::Down(rgb(0x6E6660), top, IRON, edge));
    canvas.block(area(left, edge - 1.5, right, edge + 1.5), rgb(0xCBBFA6));
    for x in [216.0, 254.0] {
        canvas.fill(&ellipse(x, 128.0, 14.0, 6.0), rgb(0x4C4642));
        canvas.fill(&ellipse(x, 128.0, 11.0, 4.5), rgb(0x59524D));
    }
    for x in 0..5 {
        canvas.fill(&ellipse(209.0 + f64::from(x) * 13.0, 148.0, 2.8, 2.8), IRON);
        canvas.fill(&ellipse(208.6 + f64::from(x) * 13.0, 147.4, 1.4, 1.4), rgb(0x97897C));
    }
    let oven = area(207.0, 158.0, 263.0, 192.0);
    canvas.fill(&oven.rounded(3.0), rgb(0xA89B82));
    canvas.fill(&oven.inset(1.0).rounded(2.5), rgb(0xDDD2B8));
    canvas.fill(&area(214.0, 167.0, 256.0, 187.0).rounded(3.0), IRON.darker(0.15));
    canvas.soft(&ellipse(235.0, 182.0, 15.0, 5.0), 6.0, rgb(0xE0924E), 0.75);
    canvas.fill(&line(&[(212.0, 162.0), (258.0, 162.0)], 2.4), COPPER);
    pot(canvas);
    kettle(canvas);
}

fn pot(canvas: &mut Canvas) {
    let body = area(203.0, 104.0, 230.0, 128.0);
    canvas.fill(&body.rounded(4.0), Paint::Across(COPPER.lighter(0.35), 203.0, COPPER.darker(0.28), 230.0));
    canvas.fill(&ellipse(216.5, 104.5, 14.5, 3.6), COPPER.darker(0.25));
    canvas.fill(&ellipse(216.5, 103.5, 13.0, 2.8), COPPER.lighter(0.25));
    canvas.fill(&ellipse(216.5, 100.5, 2.2, 1.8), IRON);
    for (x, y, size) in [(214.0, 92.0, 4.0), (219.0, 84.0, 5.0), (214.0, 74.0, 6.0)] {
        canvas.soft(&ellipse(x, y, size, size * 1.3), 4.5, rgb(0xFFFAF0), 0.32);
    }
}

fn kettle(canvas: &mut Canvas) {
    let red = rgb(0xB5604E);
    canvas.fill(&line(&[(246.0, 112.0), (249.0, 101.0), (259.0, 101.0), (262.0, 112.0)], 2.0), IRON);
    canvas
        .fill(&polygon(&[(262.0, 118.0), (270.0, 109.0), (272.0, 111.0), (265.0, 125.0)]), red.darker(0.15));
    canvas.fill(
        &ellipse(254.0, 119.0, 12.0, 9.5),
        Paint::Across(red.lighter(0.22), 242.0, red.darker(0.2), 266.0),
    );
    canvas.fill(&ellipse(254.0, 110.5, 5.0, 1.8), red.darker(0.3));
}

/// Two boards with jars, plates and herbs.
pub(crate) fn shelf(canvas: &mut Canvas) {
    for y in [62.0, 92.0] {
        canvas.shadow(&area(SHELF.left + 3.0, y + 4.0, SHELF.right + 3.0, y + 10.0).shape(), 4.0, 0.28);
        canvas.block(area(SHELF.left, y, SHELF.right, y + 4.0), rgb(0xA97A52));
        canvas.block(area(SHELF.left, y, SHELF.right, y + 1.0), rgb(0xC49A70));
        for x in [SHELF.left + 10.0, SHELF.right - 13.0] {
            canvas.fill(&polygon(&[(x, y + 4.0), (x + 3.0, y + 4.0), (x + 3.0, y + 10.0)]), rgb(0x7F5B40));
        }
    }
    for (x, rim) in [(455.0, 0xC7D0CE), (467.0, 0xD8B7A2), (479.0, 0xC7D0CE)] {
        canvas.fill(&ellipse(x, 52.0, 9.5, 10.0), rgb(rim).darker(0.12));
        canvas.fill(&ellipse(x, 52.0, 8.5, 9.0), rgb(0xF3EBDA));
        canvas.fill(&ellipse(x, 52.0, 5.5, 6.0), rgb(rim));
        canvas.fill(&ellipse(x, 52.0, 4.6, 5.1), rgb(0xF3EBDA));
    }
    canvas.fill(&area(494.0, 52.0, 505.0, 62.0).rounded(2.0), rgb(0xBF7A58));
    for (x, y) in [(495.0, 48.0), (500.0, 44.0), (505.0, 48.0), (499.0, 50.0)] {
        canvas.fill(&ellipse(x, y, 4.0, 4.6), rgb(0x86A070).varied((x - 500.0) * 0.03));
    }
    canvas.fill(&area(511.0, 44.0, 522.0, 62.0).rounded(3.0), rgb(0xD8CBB0));
    canvas.block(area(511.0, 50.0, 522.0, 56.0), rgb(0x8FA5A8));
    for (index, colour) in [0xB9674F, 0xD6A45C, 0x8C9A5E, 0xA9748A, 0xCDB98A].into_iter().enumerate() {
        let x = 448.0 + index as f64 * 13.0;
        canvas.fill(&area(x, 78.0, x + 10.0, 92.0).rounded(2.0), rgb(0xDCE0D4));
        canvas.fill(&area(x + 1.0, 82.0, x + 9.0, 91.0).rounded(1.5), rgb(colour));
        canvas.fill(&area(x + 0.5, 75.5, x + 9.5, 79.0).rounded(1.0), rgb(0xA58A66));
    }
    for (x, colour) in [(514.0, 0xC98A70), (520.0, 0x8FA5A8)] {
        canvas.block(area(x, 76.0, x + 5.0, 92.0), rgb(colour));
        canvas.block(area(x, 80.0, x + 5.0, 81.5), rgb(0xF1E2C6));
    }
}

/// A round rug of braided rings.
pub(crate) fn rug(canvas: &mut Canvas) {
    let (x, y) = RUG;
    canvas.shadow(&ellipse(x + 1.0, y + 3.0, 89.0, 47.0), 4.0, 0.30);
    let rings = [0xA9685A, 0xD3B08C, 0xBF8A78, 0xDCC09C, 0x9DA48C, 0xD8BB98, 0xBF8A78, 0xDCC09C, 0xA9685A];
    for (ring, colour) in rings.into_iter().enumerate() {
        let share = 1.0 - ring as f64 * 0.11;
        canvas.fill(&ellipse(x, y, 88.0 * share, 46.0 * share), rgb(colour).mix(rgb(0xCDA981), 0.25));
    }
}

/// The table in the middle of the room, with a chair on either side.
pub(crate) fn table(canvas: &mut Canvas) {
    canvas.shadow(&area(250.0, 302.0, 446.0, 346.0).rounded(20.0).moved(6.0, 2.0), 14.0, 0.42);
    chair(canvas, false);
    chair(canvas, true);
    let Area { left, top, right, bottom } = TABLE_TOP;
    let leg =
        |x: f64, foot: f64| polygon(&[(x, bottom), (x + 10.0, bottom), (x + 8.0, foot), (x + 2.0, foot)]);
    for x in [left + 18.0, right - 28.0] {
        canvas.fill(&leg(x, 322.0), OAK.darker(0.45));
    }
    canvas.block(
        area(left + 8.0, bottom, right - 8.0, bottom + 14.0),
        Paint::Down(OAK.darker(0.38), bottom, OAK.darker(0.22), bottom + 14.0),
    );
    for x in [left + 4.0, right - 14.0] {
        canvas.fill(&leg(x, TABLE_FOOT), Paint::Across(OAK.lighter(0.05), x, OAK.darker(0.32), x + 10.0));
    }
    canvas.fill(&area(left, top + 6.0, right, bottom + 5.0).rounded(5.0), OAK.darker(0.30));
    canvas.fill(
        &area(left, top, right, bottom).rounded(5.0),
        Paint::Across(OAK.lighter(0.16), left, OAK.lighter(0.34), right),
    );
    canvas.within(TABLE_TOP.rounded(5.0), |canvas| {
        for y in [269.0, 285.0] {
            canvas.block(area(left, y, right, y + 1.0), OAK.darker(0.02));
        }
        // A runner across the middle.
        let runner = area(319.0, top, 371.0, bottom);
        canvas.block(runner, rgb(0xE9DFC8));
        for x in [323.0, 364.0] {
            canvas.block(area(x, top, x + 3.0, bottom), rgb(0xB9786A));
        }
    });
    canvas.fill(
        &polygon(&[(319.0, bottom), (371.0, bottom), (370.0, bottom + 12.0), (320.0, bottom + 12.0)]),
        rgb(0xD8CCB2),
    );
    for x in [323.0, 364.0] {
        canvas.block(area(x, bottom, x + 3.0, bottom + 12.0), rgb(0xA66A5E));
    }
    fruit(canvas, (345.0, 276.0));
    cup(canvas, (298.0, 284.0));
    cup(canvas, (392.0, 275.0));
}

fn chair(canvas: &mut Canvas, right: bool) {
    let place = |(x, y): Point| if right { (mirrored_at_table(x), y) } else { (x, y) };
    let wood = if right { OAK.darker(0.10) } else { OAK.darker(0.18) };
    let bar = |canvas: &mut Canvas, from: Point, to: Point, width: f64, colour: Colour| {
        canvas.fill(&line(&[place(from), place(to)], width), colour);
    };
    bar(canvas, (252.0, 296.0), (253.0, 318.0), 3.4, wood.darker(0.35));
    bar(canvas, (283.0, 300.0), (283.0, 322.0), 3.4, wood.darker(0.35));
    bar(canvas, (251.0, 296.0), (249.0, 256.0), 3.8, wood.darker(0.1));
    for (up, width) in [(262.0, 5.0), (274.0, 3.5), (285.0, 3.0)] {
        bar(canvas, (239.5, up + 11.0), (249.5, up), width, wood.lighter(0.08));
    }
    let seat = [(239.0, 308.0), (252.0, 293.0), (286.0, 297.0), (276.0, 313.0)];
    canvas.fill(&polygon(&seat.map(place)).moved(0.0, 4.0), wood.darker(0.35));
    canvas.fill(&polygon(&seat.map(place)), wood.lighter(0.14));
    let cushion = [(245.0, 306.5), (254.0, 296.0), (280.0, 299.0), (273.0, 310.0)];
    canvas.fill(&polygon(&cushion.map(place)), rgb(0xBC8576));
    bar(canvas, (240.0, 310.0), (238.0, 268.0), 4.2, wood);
    bar(canvas, (240.5, 310.0), (241.0, 335.0), 4.0, wood);
    bar(canvas, (275.5, 315.0), (275.5, 340.0), 4.0, wood);
    bar(canvas, (241.0, 326.0), (275.0, 331.0), 2.4, wood.darker(0.15));
}

fn fruit(canvas: &mut Canvas, (x, y): Point) {
    canvas.shadow(&ellipse(x + 4.0, y + 8.0, 20.0, 5.0), 4.0, 0.35);
    for (dx, dy, colour) in
        [(-8.0, -4.0, 0xC0604C), (7.0, -4.0, 0xD6A24E), (0.0, -8.0, 0xB7574A), (-1.0, -2.0, 0xA4AC62)]
    {
        canvas.fill(&ellipse(x + dx, y + dy, 7.0, 6.6), rgb(colour));
        canvas.fill(&ellipse(x + dx - 2.0, y + dy - 2.5, 1.8, 1.4), rgb(colour).lighter(0.45));
    }
    let bowl = [(x - 19.0, y), (x + 19.0, y), (x + 11.0, y + 9.0), (x - 11.0, y + 9.0)];
    canvas.fill(&polygon(&bowl), Paint::Across(rgb(0xA9BDBE), x - 19.0, rgb(0x7C9598), x + 19.0));
    canvas.fill(&line(&[(x - 18.5, y), (x + 18.5, y)], 2.0), rgb(0xCBD6D2));
}

fn cup(canvas: &mut Canvas, (x, y): Point) {
    canvas.shadow(&ellipse(x + 3.0, y + 5.0, 10.0, 3.5), 3.0, 0.3);
    canvas.fill(&ellipse(x, y + 4.0, 9.5, 3.6), rgb(0xEFE6D2));
    canvas.fill(&ellipse(x, y + 4.0, 6.0, 2.0), rgb(0xD6CBB4));
    canvas.fill(&line(&[(x + 5.0, y - 2.0), (x + 8.5, y - 1.0), (x + 5.0, y + 2.0)], 1.5), rgb(0xEFE6D2));
    canvas.fill(
        &area(x - 5.5, y - 5.0, x + 5.5, y + 4.0).rounded(3.0),
        Paint::Across(rgb(0xF7F0DF), x - 5.0, rgb(0xD6CBB4), x + 6.0),
    );
    canvas.fill(&ellipse(x, y - 4.5, 5.5, 1.8), rgb(0x8A5E44));
}

/// The cat's bowl.
pub(crate) fn bowl(canvas: &mut Canvas) {
    let (x, y) = BOWL;
    canvas.shadow(&ellipse(x + 2.0, y + 3.0, 15.0, 6.5), 4.0, 0.40);
    let blue = rgb(0x7D98A6);
    canvas.fill(
        &polygon(&[(x - 10.0, y - 3.0), (x + 10.0, y - 3.0), (x + 12.0, y + 5.0), (x - 12.0, y + 5.0)]),
        Paint::Across(blue.lighter(0.2), x - 12.0, blue.darker(0.2), x + 12.0),
    );
    canvas.fill(&ellipse(x, y + 5.0, 12.0, 2.2), blue.darker(0.1));
    canvas.fill(&ellipse(x, y - 3.0, 10.5, 3.4), blue.lighter(0.4));
    canvas.fill(&ellipse(x, y - 2.8, 8.6, 2.5), rgb(0xF3EBDA));
}
