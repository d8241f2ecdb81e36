//! The kitchen's walls and floor, its openings and its light.

use crate::canvas::{Canvas, Colour, Paint, rgb};
use crate::kitchen::{ALCOVE, COLD_ROOM, DOORWAY, EXIT, FLOOR, FRIDGE, MILK, WALL_FOOT, WINDOW};
use crate::shapes::{Area, Point, area, ellipse, line, polygon};
use crate::texture::Pattern;

const PLASTER: Colour = rgb(0xEADBBB);
const BEAM: Colour = rgb(0x7A573F);
const FRAME: Colour = rgb(0xF4EBD6);
const ENAMEL: Colour = rgb(0xA8C2B3);
const STEEL: Colour = rgb(0xC9CDC8);
const FROST: Colour = rgb(0xA9C6D5);

/// Plaster above, tiles behind the stove and the counter, a beam below the ceiling.
pub(crate) fn wall(canvas: &mut Canvas) {
    let wall = area(0.0, 0.0, 640.0, WALL_FOOT);
    canvas.block(wall, Paint::Down(PLASTER.darker(0.10), 0.0, PLASTER, 110.0));
    canvas.light(&ellipse(361.0, 70.0, 150.0, 90.0), 90.0, rgb(0x5A4420), 0.5);

    let tiles = Pattern { piece: (13.0, 13.0), shift: 0.0, seam: 1.0, variety: 0.05 };
    tiles.lay(canvas, area(190.0, 66.0, 536.0, 118.0), rgb(0xD9DCC8), rgb(0xC6C8B2));
    canvas.block(area(190.0, 63.0, 536.0, 66.0), rgb(0xA9B79E));

    let panels = area(524.0, 118.0, 640.0, WALL_FOOT);
    canvas.block(panels, rgb(0xC3C7AC));
    for x in 0..10 {
        let left = 530.0 + f64::from(x) * 12.0;
        canvas.block(area(left, 122.0, left + 1.0, 174.0), rgb(0xAEB398));
    }
    canvas.block(area(524.0, 116.0, 640.0, 120.0), rgb(0xDCDEC6));
    canvas.block(area(186.0, 174.0, 640.0, WALL_FOOT), rgb(0x9FA68B));

    canvas.block(area(0.0, 0.0, 640.0, 7.0), Paint::Down(BEAM.lighter(0.08), 0.0, BEAM.darker(0.15), 7.0));
    canvas.soft(&area(-20.0, 0.0, 660.0, 11.0).shape(), 5.0, rgb(0x4A3228), 0.25);
    canvas.block(area(0.0, 0.0, 640.0, 7.0), BEAM);
    canvas.block(area(0.0, 6.0, 640.0, 7.0), BEAM.darker(0.3));
}

/// Broad boards; the seams are faint, so that dots and labels stay legible on them.
pub(crate) fn floor(canvas: &mut Canvas) {
    let boards = Pattern { piece: (134.0, 20.0), shift: 0.38, seam: 1.0, variety: 0.055 };
    boards.lay(canvas, FLOOR, rgb(0xCDA981), rgb(0xB68F69));
    canvas.within(FLOOR.shape(), |canvas| {
        canvas.soft(&area(-40.0, 150.0, 680.0, 184.0).shape(), 26.0, rgb(0x5A3A28), 0.34);
    });
}

/// A morning outside: hills, a tree and a village roof.
pub(crate) fn window(canvas: &mut Canvas) {
    canvas.shadow(&WINDOW.inset(-2.0).shape().moved(3.0, 3.0), 5.0, 0.30);
    canvas.fill(&WINDOW.rounded(2.0), FRAME);
    let glass = WINDOW.inset(6.0);
    canvas.within(glass.shape(), |canvas| {
        canvas.block(glass, Paint::Down(rgb(0xB9D3DC), glass.top, rgb(0xF6E7C4), 84.0));
        canvas.soft(&ellipse(330.0, 40.0, 15.0, 11.0), 10.0, rgb(0xFFF5D8), 0.9);
        for (x, y, wide) in [(386.0, 38.0, 17.0), (398.0, 42.0, 13.0), (350.0, 50.0, 12.0)] {
            canvas.soft(&ellipse(x, y, wide, 4.0), 2.5, rgb(0xFFF9EA), 0.8);
        }
        canvas.fill(&ellipse(330.0, 104.0, 62.0, 34.0), rgb(0xB3C3A4));
        canvas.fill(&ellipse(404.0, 108.0, 66.0, 32.0), rgb(0xA0B592));
        canvas.fill(&ellipse(352.0, 116.0, 84.0, 26.0), rgb(0x8FA67E));
        cottage(canvas, (326.0, 88.0));
        canvas.block(area(391.0, 74.0, 394.0, 92.0), rgb(0x7A6048));
        canvas.fill(&ellipse(392.0, 68.0, 13.0, 12.0), rgb(0x7D9A6E));
        canvas.fill(&ellipse(388.0, 64.0, 7.0, 6.0), rgb(0x95AE82));
    });
    canvas.block(area(359.0, 24.0, 363.0, 102.0), FRAME);
    canvas.block(area(306.0, 58.0, 416.0, 61.0), FRAME);
    canvas.block(area(363.0, 26.0, 364.0, 100.0), FRAME.darker(0.16));
    canvas.block(area(306.0, 61.0, 416.0, 62.0), FRAME.darker(0.16));
    curtain(canvas, false);
    curtain(canvas, true);
    canvas.fill(&line(&[(292.0, 19.0), (430.0, 19.0)], 3.0), rgb(0x8A6243));
    canvas.shadow(&area(296.0, 108.0, 430.0, 116.0).shape(), 4.0, 0.25);
    canvas.fill(
        &area(292.0, 102.0, 430.0, 109.0).rounded(1.5),
        Paint::Down(FRAME, 102.0, FRAME.darker(0.15), 109.0),
    );
    for (x, leaf) in [(322.0, 0x7E9C68), (402.0, 0x8BA56E)] {
        flower_pot(canvas, x, rgb(leaf));
    }
}

fn cottage(canvas: &mut Canvas, (x, y): Point) {
    canvas.block(area(x, y, x + 16.0, y + 9.0), rgb(0xEBDDC0));
    canvas.fill(
        &polygon(&[(x - 2.0, y), (x + 3.0, y - 7.0), (x + 14.0, y - 7.0), (x + 18.0, y)]),
        rgb(0xB97A5E),
    );
    canvas.block(area(x + 6.0, y + 3.0, x + 9.0, y + 6.0), rgb(0x8C9C9C));
}

/// One half of the curtains; the other is its mirror image.
fn curtain(canvas: &mut Canvas, right: bool) {
    let place = |(x, y): Point| if right { (WINDOW.left + WINDOW.right - x, y) } else { (x, y) };
    let cloth = rgb(0xD9A18A);
    let outline = [(294.0, 20.0), (328.0, 20.0), (323.0, 48.0), (309.0, 70.0), (311.0, 98.0), (294.0, 99.0)];
    canvas.fill(&polygon(&outline.map(place)), cloth);
    for (top, bottom) in [(301.0, 299.0), (309.0, 303.0), (317.0, 306.0)] {
        let fold = [(top, 22.0), (bottom + (top - bottom) * 0.5, 56.0), (bottom, 70.0)].map(place);
        canvas.glaze(&line(&fold, 2.0), cloth.darker(0.4), 0.35);
    }
    canvas.fill(&line(&[(294.0, 71.0), (310.0, 70.0)].map(place), 4.0), rgb(0xF1E2C6));
}

fn flower_pot(canvas: &mut Canvas, x: f64, leaf: Colour) {
    for (dx, dy, size) in [(-5.0, 87.0, 5.0), (4.0, 86.0, 5.5), (0.0, 82.0, 5.5)] {
        canvas.fill(&ellipse(x + dx, dy, size, size), leaf.darker(0.08 * size - 0.36));
    }
    for (dx, dy) in [(-6.0, 85.0), (0.0, 80.0), (5.0, 84.0)] {
        canvas.fill(&ellipse(x + dx, dy, 2.0, 2.0), rgb(0xE3B7A0));
    }
    canvas.fill(
        &polygon(&[(x - 7.0, 91.0), (x + 7.0, 91.0), (x + 5.0, 103.0), (x - 5.0, 103.0)]),
        rgb(0xBF7A58),
    );
    canvas.block(area(x - 8.0, 90.0, x + 8.0, 93.0), rgb(0xCE8D69));
}

/// The way out: a panelled door with a small window, and the mat before it.
pub(crate) fn exit(canvas: &mut Canvas) {
    canvas.shadow(&EXIT.shape().moved(3.0, 1.0), 5.0, 0.28);
    canvas.fill(&EXIT.rounded(2.0), rgb(0x8F6A4C));
    canvas.block(area(550.0, 36.0, 620.0, 38.0), rgb(0xA98461));
    let leaf = area(556.0, 43.0, 614.0, WALL_FOOT - 1.0);
    canvas.block(leaf, Paint::Across(rgb(0xB58A64), 556.0, rgb(0xA67C58), 614.0));
    let glass = area(565.0, 52.0, 605.0, 92.0);
    canvas.fill(&glass.inset(-3.0).rounded(2.0), rgb(0x94704F));
    canvas.block(glass, Paint::Down(rgb(0xCFE0DC), 52.0, rgb(0xF3E6C6), 92.0));
    canvas.within(glass.shape(), |canvas| canvas.fill(&ellipse(590.0, 96.0, 24.0, 14.0), rgb(0xA9BC96)));
    canvas.block(area(584.0, 52.0, 586.0, 92.0), rgb(0x94704F));
    canvas.block(area(565.0, 71.0, 605.0, 73.0), rgb(0x94704F));
    for panel in [area(564.0, 102.0, 582.0, 168.0), area(588.0, 102.0, 606.0, 168.0)] {
        canvas.fill(&panel.rounded(1.0), rgb(0x94704F));
        canvas.fill(&panel.inset(2.0).rounded(1.0), Paint::Down(rgb(0xAE835D), 104.0, rgb(0xB88E68), 166.0));
    }
    canvas.fill(&ellipse(561.0, 116.0, 2.6, 2.6), rgb(0xE0BE78));
    canvas.block(area(556.0, 176.0, 614.0, WALL_FOOT), rgb(0x7F5D43));

    let mat = polygon(&[(554.0, 186.0), (616.0, 186.0), (620.0, 208.0), (550.0, 208.0)]);
    canvas.shadow(&mat.moved(1.0, 2.0), 3.0, 0.3);
    canvas.fill(&mat, rgb(0xA98E68));
    canvas.fill(&line(&[(558.0, 190.0), (612.0, 190.0)], 1.5), rgb(0x8D7453));
    canvas.fill(&line(&[(555.0, 204.0), (615.0, 204.0)], 1.5), rgb(0x8D7453));
}

/// The cold store: first what is seen through its front, then the front.
pub(crate) fn cold_store(canvas: &mut Canvas) {
    canvas.soft(&FRIDGE.rounded(14.0).moved(5.0, 1.0), 7.0, rgb(0x3A2A28), 0.32);
    canvas.fill(&FRIDGE.rounded(14.0), Paint::Across(ENAMEL.lighter(0.22), 14.0, ENAMEL.darker(0.08), 186.0));
    canvas.fill(&area(22.0, 14.0, 178.0, 17.0).rounded(1.5), ENAMEL.lighter(0.5));
    cold_room(canvas);
    milk(canvas);
    plinth(canvas, area(COLD_ROOM.left, DOORWAY.top, DOORWAY.left, WALL_FOOT));
    plinth(canvas, area(DOORWAY.right, DOORWAY.top, COLD_ROOM.right, WALL_FOOT));
    for pane in [area(34.0, 28.0, 62.0, 145.0), area(132.0, 28.0, 166.0, 145.0)] {
        glazing(canvas, pane);
    }
    for x in [DOORWAY.left - 4.0, DOORWAY.right] {
        canvas.block(
            area(x, COLD_ROOM.top, x + 4.0, WALL_FOOT),
            Paint::Across(rgb(0xE6E8E2), x, STEEL.darker(0.3), x + 4.0),
        );
    }
    canvas.block(area(34.0, 25.0, 166.0, 29.0), Paint::Down(rgb(0xE6E8E2), 25.0, STEEL.darker(0.25), 29.0));
    // The chill that creeps over the threshold.
    canvas.soft(
        &polygon(&[(66.0, 172.0), (128.0, 172.0), (140.0, 196.0), (62.0, 196.0)]),
        12.0,
        rgb(0xDDEBF0),
        0.35,
    );
    door_leaf(canvas);
}

fn cold_room(canvas: &mut Canvas) {
    let back = area(COLD_ROOM.left, COLD_ROOM.top, COLD_ROOM.right, ALCOVE.top);
    let panels = Pattern { piece: (22.0, 60.0), shift: 0.0, seam: 1.0, variety: 0.03 };
    panels.lay(canvas, back, rgb(0xC9DAE0), rgb(0xB4C8D0));
    canvas.within(back.shape(), |canvas| {
        canvas.light(&ellipse(100.0, 32.0, 44.0, 18.0), 22.0, rgb(0x9AB8C0), 0.8);
    });
    canvas.fill(&area(84.0, 31.0, 116.0, 35.0).rounded(2.0), rgb(0xF4FAFA));
    let tiles = Pattern { piece: (16.5, 12.0), shift: 0.0, seam: 1.0, variety: 0.04 };
    // The plinth will hide what is left and right of the doorway.
    tiles.lay(canvas, area(ALCOVE.left, ALCOVE.top, ALCOVE.right, WALL_FOOT), FROST, rgb(0x94B3C4));
    canvas.within(area(ALCOVE.left, ALCOVE.top, ALCOVE.right, WALL_FOOT).shape(), |canvas| {
        canvas.block(area(20.0, 84.0, 180.0, 87.0), rgb(0x86A2B2));
        canvas.soft(&area(20.0, 60.0, 180.0, 88.0).shape(), 10.0, rgb(0x4E6C80), 0.42);
        canvas.soft(&area(10.0, 60.0, 37.0, 200.0).shape(), 10.0, rgb(0x4E6C80), 0.35);
        canvas.soft(&area(164.0, 60.0, 190.0, 200.0).shape(), 10.0, rgb(0x4E6C80), 0.30);
    });
    // The board on the back wall, with what keeps best in the cold.
    canvas.shadow(&area(42.0, 67.0, 130.0, 72.0).shape(), 3.0, 0.25);
    canvas.block(area(40.0, 62.0, 132.0, 65.0), rgb(0xDDE5E4));
    canvas.block(area(40.0, 65.0, 132.0, 66.0), rgb(0x88A0AC));
    cheese(canvas, (56.0, 62.0));
    for (x, colour) in [(74.0, 0xD9C7A8), (83.0, 0xC9A08C), (92.0, 0xB9C4A0)] {
        canvas.fill(&area(x, 50.0, x + 7.0, 62.0).rounded(2.0), rgb(colour));
        canvas.block(area(x, 50.0, x + 7.0, 52.5), rgb(0x8A8A86));
    }
    for (x, y) in [(106.0, 59.0), (112.0, 59.0), (118.0, 59.0), (109.0, 54.5), (115.0, 54.5)] {
        canvas.fill(&ellipse(x, y, 3.2, 2.9), rgb(0xE6D6BE));
    }
}

fn cheese(canvas: &mut Canvas, (x, y): Point) {
    canvas.fill(
        &polygon(&[(x - 9.0, y), (x - 9.0, y - 7.0), (x + 8.0, y - 11.0), (x + 9.0, y)]),
        rgb(0xE2C67E),
    );
    canvas.fill(
        &polygon(&[(x - 9.0, y - 7.0), (x + 8.0, y - 11.0), (x + 8.5, y - 8.0), (x - 9.0, y - 4.5)]),
        rgb(0xEED99C),
    );
    canvas.fill(&ellipse(x - 2.0, y - 3.0, 1.6, 1.3), rgb(0xC7A75E));
    canvas.fill(&ellipse(x + 4.0, y - 4.5, 1.3, 1.1), rgb(0xC7A75E));
}

/// The milk churn in the corner.
fn milk(canvas: &mut Canvas) {
    let Area { left, top, right, bottom } = MILK;
    let (x, _) = MILK.middle();
    canvas.within(COLD_ROOM.shape(), |canvas| {
        canvas.shadow(&ellipse(x + 3.0, bottom - 2.0, 15.0, 5.0), 4.0, 0.45);
    });
    let tin = Paint::Across(rgb(0xEEF0EA), left, rgb(0x8E9C9F), right);
    canvas.fill(&area(left + 1.0, top + 17.0, right - 1.0, bottom).rounded(4.0), tin);
    canvas.fill(
        &polygon(&[
            (left + 2.0, top + 20.0),
            (x - 7.0, top + 9.0),
            (x + 7.0, top + 9.0),
            (right - 2.0, top + 20.0),
        ]),
        tin,
    );
    canvas.block(area(x - 7.0, top + 5.0, x + 7.0, top + 10.0), tin);
    canvas.fill(&ellipse(x, top + 4.0, 9.5, 3.6), rgb(0xBAC5C6));
    canvas.fill(&ellipse(x, top + 3.0, 8.5, 2.6), rgb(0xE8ECE8));
    for y in [22.0, 38.0] {
        canvas.glaze(&area(left + 1.0, top + y, right - 1.0, top + y + 2.0).shape(), rgb(0x6E7C80), 0.5);
    }
    canvas.fill(
        &line(&[(left + 1.0, top + 24.0), (left - 1.5, top + 28.0), (left + 1.0, top + 32.0)], 1.6),
        rgb(0x8E9C9F),
    );
    canvas.fill(
        &line(&[(right - 1.0, top + 24.0), (right + 1.5, top + 28.0), (right - 1.0, top + 32.0)], 1.6),
        rgb(0x77868A),
    );
}

fn plinth(canvas: &mut Canvas, place: Area) {
    canvas.block(place, Paint::Down(ENAMEL.lighter(0.15), place.top, ENAMEL.darker(0.14), place.bottom));
    canvas.block(area(place.left, place.top, place.right, place.top + 3.0), ENAMEL.lighter(0.5));
    canvas.block(area(place.left, place.bottom - 5.0, place.right, place.bottom), ENAMEL.darker(0.42));
}

fn glazing(canvas: &mut Canvas, pane: Area) {
    canvas.glaze(&pane.shape(), rgb(0xDCEBF0), 0.16);
    canvas.within(pane.shape(), |canvas| {
        for (x, width) in [(pane.left - 4.0, 7.0), (pane.left + 8.0, 3.0)] {
            let streak = [(x, 118.0), (x + width, 118.0), (x + width + 40.0, 40.0), (x + 40.0, 40.0)];
            canvas.glaze(&polygon(&streak), rgb(0xFFFFFF), 0.20);
        }
    });
}

/// The open leaf, turned out into the kitchen.
fn door_leaf(canvas: &mut Canvas) {
    let (hinge, end, rise) = ((61.0, 182.0), (27.0, 214.0), 154.0);
    canvas.shadow(&polygon(&[hinge, end, (end.0 - 16.0, end.1 - 6.0), (40.0, 180.0)]), 8.0, 0.30);
    let leaf = |margin: f64, from: f64, to: f64| {
        let at = |share: f64, up: f64| {
            (hinge.0 + (end.0 - hinge.0) * share, hinge.1 + (end.1 - hinge.1) * share - up)
        };
        polygon(&[at(margin, from), at(1.0 - margin, from), at(1.0 - margin, to), at(margin, to)])
    };
    canvas.fill(&leaf(0.0, 0.0, rise).moved(-3.0, -1.0), ENAMEL.darker(0.35));
    canvas.fill(
        &leaf(0.0, 0.0, rise),
        Paint::Across(ENAMEL.lighter(0.30), end.0, ENAMEL.lighter(0.05), hinge.0),
    );
    canvas.fill(&leaf(0.14, 50.0, rise - 9.0), rgb(0xB7CCD2));
    canvas.glaze(&leaf(0.24, 50.0, rise - 9.0), rgb(0xE4F0F2), 0.5);
    canvas.fill(&leaf(0.14, 9.0, 42.0), ENAMEL.darker(0.10));
    canvas.fill(&leaf(0.18, 12.0, 39.0), ENAMEL.lighter(0.10));
    canvas.fill(&line(&[(30.0, 116.0), (30.0, 150.0)], 3.0), rgb(0xF2F2EC));
    canvas.fill(&line(&[(31.0, 117.0), (31.0, 150.0)], 1.2), STEEL.darker(0.3));
}

/// The window's four panes of light on the floor.
pub(crate) fn daylight(canvas: &mut Canvas) {
    let on_floor = |across: f64, down: f64| (408.0 + 122.0 * across + 72.0 * down, 222.0 + 126.0 * down);
    for (left, right) in [(0.0, 0.47), (0.53, 1.0)] {
        for (top, bottom) in [(0.0, 0.46), (0.52, 1.0)] {
            let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
            let pane = polygon(&corners.map(|(x, y)| on_floor(x, y)));
            canvas.light(&pane, 4.0, rgb(0xB89050), 0.42);
        }
    }
    canvas.light(&ellipse(500.0, 286.0, 110.0, 74.0), 60.0, rgb(0x604018), 0.35);
}

/// Keeps the eye in the middle of the picture.
pub(crate) fn dusk_in_the_corners(canvas: &mut Canvas) {
    for x in [0.0, 640.0] {
        canvas.soft(&ellipse(x, 400.0, 120.0, 70.0), 70.0, rgb(0x4A2A22), 0.20);
        canvas.soft(&ellipse(x, 0.0, 60.0, 60.0), 60.0, rgb(0x4A2A22), 0.16);
    }
    canvas.soft(&area(-60.0, 396.0, 700.0, 440.0).shape(), 22.0, rgb(0x4A2A22), 0.25);
}
