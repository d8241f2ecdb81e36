//! The kitchen: where everything stands, the mask that says so, and the picture put together.

use crate::canvas::{Canvas, Mask, rgb};
use crate::kitchen_furniture as furniture;
use crate::kitchen_room as room;
use crate::shapes::{Area, Shape, area, ellipse, polygon};

pub(crate) const WIDTH: usize = 640;
pub(crate) const HEIGHT: usize = 400;

/// Where the back wall meets the floor.
pub(crate) const WALL_FOOT: f64 = 180.0;
/// The front of the stove and the counter, on the floor.
pub(crate) const COUNTER_FOOT: f64 = 202.0;
pub(crate) const FLOOR: Area = area(0.0, WALL_FOOT, 640.0, 400.0);

/// The cold store: a big enamelled front in the wall, glazed above a low plinth.
pub(crate) const FRIDGE: Area = area(14.0, 8.0, 186.0, WALL_FOOT);
/// What is seen through the front, down to the plinth.
pub(crate) const COLD_ROOM: Area = area(34.0, 28.0, 166.0, 145.0);
pub(crate) const ALCOVE: Area = area(34.0, 84.0, 166.0, 145.0);
/// The floor between the plinth's two halves, as deep as the plinth is high.
pub(crate) const DOORWAY: Area = area(62.0, 145.0, 132.0, WALL_FOOT);
pub(crate) const MILK: Area = area(137.0, 68.0, 163.0, 112.0);

pub(crate) const STOVE: Area = area(198.0, 116.0, 272.0, COUNTER_FOOT);
pub(crate) const COUNTER: Area = area(272.0, 118.0, 524.0, COUNTER_FOOT);
pub(crate) const SINK: Area = area(328.0, 121.0, 398.0, 137.0);
pub(crate) const WINDOW: Area = area(300.0, 20.0, 422.0, 106.0);
pub(crate) const SHELF: Area = area(442.0, 30.0, 526.0, 98.0);
pub(crate) const EXIT: Area = area(550.0, 36.0, 620.0, WALL_FOOT);

pub(crate) const TABLE_TOP: Area = area(276.0, 255.0, 414.0, 301.0);
/// Where the table's front legs stand.
pub(crate) const TABLE_FOOT: f64 = 346.0;
pub(crate) const BOWL: (f64, f64) = (566.0, 322.0);
pub(crate) const RUG: (f64, f64) = (122.0, 318.0);

const NOTHING: [u8; 3] = [0, 0, 0];
const WALKABLE: [u8; 3] = [0, 0, 255];
const THRESHOLD: [u8; 3] = [0, 128, 255];

/// The open fridge door as it stands out into the kitchen, with the dead corner behind it.
fn door_leaf_ground() -> Shape {
    polygon(&[(0.0, WALL_FOOT), (62.0, WALL_FOOT), (62.0, 184.0), (29.0, 218.0), (0.0, 218.0)])
}

/// The outline of the table and its two chairs as they are seen.
fn table_outlines() -> [Shape; 3] {
    let table = area(TABLE_TOP.left, TABLE_TOP.top, TABLE_TOP.right, TABLE_FOOT + 1.0).rounded(3.0);
    let chair =
        [(236.0, 264.0), (252.0, 253.0), (280.0, 256.0), (288.0, 345.0), (274.0, 343.0), (238.0, 338.0)];
    let mirrored = chair.map(|(x, y)| (mirrored_at_table(x), y));
    [table, polygon(&chair), polygon(&mirrored)]
}

/// The place of the right chair that belongs to a place of the left one.
pub(crate) fn mirrored_at_table(x: f64) -> f64 {
    TABLE_TOP.left + TABLE_TOP.right - x
}

/// The mask: blue is floor, green tells the doorway from it, red is the number of a thing to click on.
pub(crate) fn mask() -> Mask<[u8; 3]> {
    let mut mask = Mask::new(WIDTH, HEIGHT, NOTHING);
    mask.stamp(&FLOOR.shape(), WALKABLE);
    mask.stamp(&ALCOVE.shape(), WALKABLE);
    mask.stamp(&DOORWAY.shape(), THRESHOLD);

    let bowl = ellipse(BOWL.0, BOWL.1, 12.0, 6.0);
    let blocking = [
        area(STOVE.left, WALL_FOOT, COUNTER.right, COUNTER_FOOT).shape(),
        door_leaf_ground(),
        MILK.shape(),
        bowl.clone(),
    ];
    for shape in blocking.iter().chain(&table_outlines()) {
        mask.stamp(shape, NOTHING);
    }

    // The front of the cold store is all that is seen of it, except its floor behind the doorway.
    mask.change(&FRIDGE.rounded(14.0), |below| if below == WALKABLE { below } else { number(50, below) });
    mask.change(&MILK.shape(), |below| number(60, below));
    mask.change(&WINDOW.shape(), |below| number(10, below));
    mask.change(&STOVE.shape(), |below| number(20, below));
    mask.change(&area(SINK.left - 6.0, 106.0, SINK.right + 6.0, COUNTER_FOOT).shape(), |below| {
        number(30, below)
    });
    for outline in &table_outlines() {
        mask.change(outline, |below| number(40, below));
    }
    mask.change(&ellipse(BOWL.0, BOWL.1, 40.0, 28.0), |below| number(70, below));
    mask.change(&SHELF.shape(), |below| number(80, below));
    mask.change(&EXIT.shape(), |below| number(90, below));
    mask
}

/// Puts the number of a thing on top of what the mask says already.
fn number(thing: u8, [_, green, blue]: [u8; 3]) -> [u8; 3] {
    [thing, green, blue]
}

/// The picture, from the back to the front.
pub(crate) fn picture() -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, rgb(0xE6D5B4));
    room::wall(&mut canvas);
    room::floor(&mut canvas);
    room::window(&mut canvas);
    room::exit(&mut canvas);
    room::cold_store(&mut canvas);
    furniture::counter(&mut canvas);
    furniture::sink(&mut canvas);
    furniture::stove(&mut canvas);
    furniture::shelf(&mut canvas);
    furniture::rug(&mut canvas);
    room::daylight(&mut canvas);
    furniture::table(&mut canvas);
    furniture::bowl(&mut canvas);
    room::dusk_in_the_corners(&mut canvas);
    canvas
}
