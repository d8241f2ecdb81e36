//! The three shops of the street, with what lies in their windows.

use crate::canvas::{Canvas, Colour, Paint, rgb};
use crate::shapes::{Area, Point, area, ellipse, line, polygon};
use crate::street::{BAKERY, BOOKSHOP, CAFE, FRONTS_FOOT};
use crate::street_houses::{GOLD, STONE, lit_glass, sheen};
use crate::texture::{grain, lettering};

/// A shop's wooden front: frame, sign board and two rows of panels below the windows.
fn shop_front(canvas: &mut Canvas, shop: Area, colour: Colour, word: &str) {
    let front = area(shop.left + 10.0, 12.0, shop.right - 10.0, FRONTS_FOOT);
    canvas.shadow(&front.shape().moved(3.0, 0.0), 5.0, 0.3);
    canvas.block(front, Paint::Down(colour.lighter(0.06), front.top, colour.darker(0.12), front.bottom));
    canvas.block(area(front.left, FRONTS_FOOT - 5.0, front.right, FRONTS_FOOT), colour.darker(0.45));
    let board = area(front.left + 4.0, 14.0, front.right - 4.0, 37.0);
    canvas.fill(&board.rounded(2.0), colour.darker(0.34));
    canvas.fill(&board.inset(2.0).rounded(1.0), colour.darker(0.18));
    lettering(canvas, word, (board.middle().0, 25.5), 12.0, GOLD);
    canvas.block(area(front.left - 4.0, 8.0, front.right + 4.0, 13.0), colour.lighter(0.22));
    canvas.block(area(front.left - 2.0, 37.0, front.right + 2.0, 40.0), colour.lighter(0.16));
    canvas.soft(&area(front.left, 40.0, front.right, 43.0).shape(), 3.0, rgb(0x2E2026), 0.35);
}

fn shop_window(canvas: &mut Canvas, glass: Area, colour: Colour) {
    canvas.block(glass.inset(-3.0), colour.lighter(0.18));
    lit_glass(canvas, glass);
    let below = area(glass.left - 3.0, glass.bottom + 8.0, glass.right + 3.0, FRONTS_FOOT - 9.0);
    canvas.block(
        area(below.left - 2.0, glass.bottom + 2.0, below.right + 2.0, glass.bottom + 5.0),
        colour.lighter(0.26),
    );
    canvas.block(below, colour.darker(0.22));
    canvas.block(below.inset(1.5), colour.lighter(0.02));
}

/// A door with a glazed upper half.
fn shop_door(canvas: &mut Canvas, leaf: Area, colour: Colour) {
    canvas.block(leaf.inset(-3.0), colour.lighter(0.18));
    canvas.block(leaf, colour.darker(0.12));
    let glass = area(leaf.left + 6.0, leaf.top + 6.0, leaf.right - 6.0, leaf.top + 54.0);
    lit_glass(canvas, glass);
    sheen(canvas, glass);
    let panel = area(leaf.left + 6.0, leaf.top + 60.0, leaf.right - 6.0, leaf.bottom - 7.0);
    canvas.block(panel, colour.darker(0.34));
    canvas.block(panel.inset(1.5), colour.lighter(0.04));
    canvas.fill(&line(&[(leaf.left + 3.0, leaf.top + 48.0), (leaf.left + 3.0, leaf.top + 58.0)], 2.0), GOLD);
    canvas.block(area(leaf.left - 4.0, FRONTS_FOOT - 3.0, leaf.right + 4.0, FRONTS_FOOT), STONE.lighter(0.1));
}

/// Bread, rolls and a cake.
pub(crate) fn bakery(canvas: &mut Canvas) {
    let red = rgb(0x8E4F46);
    shop_front(canvas, BAKERY, red, "BAKERY");
    let (left, right) = (area(174.0, 46.0, 292.0, 110.0), area(368.0, 46.0, 402.0, 110.0));
    for glass in [left, right] {
        shop_window(canvas, glass, red);
    }
    canvas.within(left.shape(), |canvas| {
        for (y, pieces) in [(76.0, 7), (108.0, 6)] {
            canvas.block(area(left.left, y, left.right, y + 2.5), rgb(0xA9784E));
            for piece in 0..pieces {
                let x = left.left + 12.0 + f64::from(piece) * (98.0 / f64::from(pieces - 1));
                loaf(canvas, (x, y), piece + if y > 90.0 { 1 } else { 0 });
            }
        }
    });
    canvas.within(right.shape(), |canvas| {
        // A cake on a stand, and loaves upright in a basket above it.
        canvas.block(area(right.left, 76.0, right.right, 78.5), rgb(0xA9784E));
        for x in [374.0, 382.0, 390.0, 397.0] {
            canvas.fill(&line(&[(x, 76.0), (x + 2.0, 58.0)], 5.0), rgb(0xC98E54).varied((x - 386.0) * 0.006));
        }
        canvas.fill(&polygon(&[(372.0, 68.0), (400.0, 68.0), (397.0, 77.0), (375.0, 77.0)]), rgb(0x9A6B45));
        canvas.fill(&area(374.0, 93.0, 396.0, 105.0).rounded(2.0), rgb(0xF3E6CE));
        canvas.fill(&area(374.0, 91.0, 396.0, 96.0).rounded(2.0), rgb(0xC98A80));
        canvas.block(area(371.0, 105.0, 399.0, 107.0), rgb(0xE6D9C0));
    });
    sheen(canvas, left);
    sheen(canvas, right);
    canvas.block(area(232.0, 46.0, 234.0, 110.0), red.lighter(0.18));
    shop_door(canvas, area(308.0, 46.0, 352.0, FRONTS_FOOT), red);
}

fn loaf(canvas: &mut Canvas, (x, y): Point, kind: u32) {
    let crust = rgb(0xB9783F).varied(0.10 * grain(kind, 41));
    if kind.is_multiple_of(2) {
        canvas.fill(&ellipse(x, y - 5.5, 8.0, 6.0), crust);
        canvas.fill(&line(&[(x - 3.0, y - 8.0), (x + 3.0, y - 8.0)], 1.4), rgb(0xEBCB94));
    } else {
        canvas.fill(&area(x - 7.5, y - 14.0, x + 7.5, y).rounded(4.0), crust.lighter(0.10));
        canvas.fill(&area(x - 7.5, y - 14.0, x + 7.5, y - 8.0).rounded(3.0), crust.darker(0.08));
    }
}

/// The baker's sign, which hangs from a bracket at the corner of the house.
pub(crate) fn pretzel(canvas: &mut Canvas, (x, y): Point) {
    canvas.fill(&line(&[(x - 8.0, y - 16.0), (x + 17.0, y - 16.0)], 2.0), rgb(0x4C4246));
    canvas.fill(&line(&[(x + 8.0, y - 16.0), (x + 8.0, y - 9.0)], 1.2), rgb(0x4C4246));
    let dough = [
        (8.0, 0.0),
        (3.0, -7.0),
        (-3.0, -7.0),
        (-6.0, -2.0),
        (-4.0, 5.0),
        (3.0, 8.0),
        (8.0, 3.0),
        (13.0, -2.0),
        (8.0, 0.0),
        (3.0, -2.0),
        (8.0, 3.0),
        (13.0, 8.0),
        (20.0, 5.0),
        (22.0, -2.0),
        (19.0, -7.0),
        (13.0, -7.0),
        (8.0, 0.0),
    ];
    let curve = dough.map(|(dx, dy)| (x + dx, y + dy));
    canvas.fill(&line(&curve, 4.4), rgb(0x7A4E30));
    canvas.fill(&line(&curve, 3.0), rgb(0xC68A4E));
}

/// Three shelves of books in each window.
pub(crate) fn bookshop(canvas: &mut Canvas) {
    let green = rgb(0x56705E);
    shop_front(canvas, BOOKSHOP, green, "BOOKS");
    let (left, right) = (area(586.0, 46.0, 690.0, 110.0), area(766.0, 46.0, 802.0, 110.0));
    for (index, glass) in [left, right].into_iter().enumerate() {
        shop_window(canvas, glass, green);
        canvas.within(glass.shape(), |canvas| {
            for (row, board) in [66.0, 88.0, 110.0].into_iter().enumerate() {
                book_row(
                    canvas,
                    area(glass.left + 4.0, board - 15.0, glass.right - 4.0, board),
                    (index * 3 + row) as u32,
                );
                canvas.block(area(glass.left, board, glass.right, board + 2.5), rgb(0x8A6546));
            }
        });
        sheen(canvas, glass);
    }
    canvas.block(area(637.0, 46.0, 639.0, 110.0), green.lighter(0.18));
    shop_door(canvas, area(706.0, 46.0, 750.0, FRONTS_FOOT), green);
}

/// Books side by side, with a gap here and there.
fn book_row(canvas: &mut Canvas, place: Area, row: u32) {
    let spines = [0xA85F50, 0x6F8494, 0xC9A15E, 0x7F8F68, 0x8E6A7E, 0xD8C49C, 0x5F7672];
    let mut left = place.left;
    for book in 0..60_u32 {
        let width = 4.0 + (2.0 * grain(book, row + 50)).round();
        if left + width > place.right {
            break;
        }
        let choice = ((grain(book, row + 60) + 1.0) * 3.49) as usize;
        if let Some(colour) = spines.get(choice).filter(|_| grain(book, row + 70) > -0.8) {
            let top = place.top + 2.0 + (2.0 * grain(book, row + 80)).round();
            canvas.block(area(left, top, left + width - 0.5, place.bottom), rgb(*colour));
            canvas.block(area(left, top + 3.0, left + width - 0.5, top + 4.0), rgb(*colour).lighter(0.4));
        }
        left += width;
    }
}

/// Two guests behind the glass, and an awning above it.
pub(crate) fn cafe(canvas: &mut Canvas) {
    let brown = rgb(0x7B5A48);
    shop_front(canvas, CAFE, brown, "CAFÉ");
    let (left, right) = (area(970.0, 46.0, 1096.0, 110.0), area(1164.0, 46.0, 1214.0, 110.0));
    for glass in [left, right] {
        shop_window(canvas, glass, brown);
    }
    canvas.within(left.shape(), |canvas| {
        for x in [990.0, 1076.0] {
            table_with_cup(canvas, (x, 96.0));
        }
        for (x, head, coat) in [(1018.0, 0xC99A78, 0x6F7F8C), (1048.0, 0xB98A6A, 0xA9685A)] {
            canvas.fill(
                &area(x - 10.0, 88.0, x + 10.0, 116.0).rounded(7.0),
                rgb(coat).mix(rgb(0xDDAA6C), 0.25),
            );
            canvas.fill(&ellipse(x, 82.0, 6.0, 7.0), rgb(head));
            canvas.fill(&ellipse(x, 78.0, 6.4, 4.4), rgb(0x6A4A3A));
        }
        table_with_cup(canvas, (1033.0, 100.0));
    });
    canvas.within(right.shape(), |canvas| table_with_cup(canvas, (1189.0, 98.0)));
    for x in [1011.0, 1054.0] {
        canvas.block(area(x, 46.0, x + 2.0, 110.0), brown.lighter(0.18));
    }
    sheen(canvas, left);
    sheen(canvas, right);
    shop_door(canvas, area(1108.0, 46.0, 1150.0, FRONTS_FOOT), brown);
    awning(canvas, area(962.0, 36.0, 1220.0, 62.0));
}

fn table_with_cup(canvas: &mut Canvas, (x, y): Point) {
    canvas.block(area(x - 1.5, y, x + 1.5, 112.0), rgb(0x6A4A3A));
    canvas.fill(&ellipse(x, y, 14.0, 2.6), rgb(0x9A6B48));
    canvas.fill(&area(x - 4.0, y - 7.0, x + 3.0, y - 1.0).rounded(2.0), rgb(0xF6EBD4));
}

/// A striped awning whose lower edge is scalloped.
fn awning(canvas: &mut Canvas, cloth: Area) {
    canvas.shadow(
        &area(cloth.left - 4.0, cloth.bottom, cloth.right + 10.0, cloth.bottom + 12.0).shape(),
        7.0,
        0.40,
    );
    let count = 18.0;
    let at = |stripe: f64, down: f64| {
        let (top, bottom) = (
            cloth.left + cloth.width() * stripe / count,
            cloth.left - 7.0 + (cloth.width() + 14.0) * stripe / count,
        );
        (top + (bottom - top) * down, cloth.top + cloth.height() * down)
    };
    for stripe in 0..18_u32 {
        let number = f64::from(stripe);
        let colour = if stripe.is_multiple_of(2) { rgb(0xB4685A) } else { rgb(0xF0E3CA) };
        let (left, right) = (at(number, 1.0), at(number + 1.0, 1.0));
        let flap = ellipse((left.0 + right.0) / 2.0, left.1, (right.0 - left.0) / 2.0, 8.0);
        canvas.fill(&flap, colour.darker(0.12));
        let panel = polygon(&[at(number, 0.0), at(number + 1.0, 0.0), right, left]);
        canvas.fill(&panel, Paint::Down(colour.darker(0.14), cloth.top, colour, cloth.bottom));
    }
    canvas.block(area(cloth.left, cloth.top - 2.0, cloth.right, cloth.top + 1.0), rgb(0x6A4A3A));
}
