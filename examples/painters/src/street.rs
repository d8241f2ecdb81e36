//! The street: where everything stands, the mask that says so, and the picture put together.

use crate::canvas::{Canvas, Mask, rgb};
use crate::shapes::{Area, Point, Shape, area};
use crate::street_ground as ground;
use crate::street_houses as houses;
use crate::street_things as things;

pub(crate) const WIDTH: usize = 1600;
pub(crate) const HEIGHT: usize = 400;

/// Where the house fronts meet the far pavement.
pub(crate) const FRONTS_FOOT: f64 = 135.0;
pub(crate) const FAR_PAVEMENT: Area = area(0.0, FRONTS_FOOT, 1600.0, 190.0);
pub(crate) const ROAD: Area = area(0.0, 190.0, 1600.0, 300.0);
pub(crate) const NEAR_PAVEMENT: Area = area(0.0, 300.0, 1600.0, 390.0);
pub(crate) const CROSSING: Area = area(880.0, 190.0, 970.0, 300.0);

pub(crate) const BAKERY: Area = area(150.0, 14.0, 420.0, FRONTS_FOOT);
pub(crate) const BOOKSHOP: Area = area(560.0, 14.0, 820.0, FRONTS_FOOT);
pub(crate) const CAFE: Area = area(940.0, 14.0, 1240.0, FRONTS_FOOT);
/// The lane between the houses through which the evening sun comes.
pub(crate) const LANE: Area = area(832.0, 0.0, 928.0, FRONTS_FOOT);
/// The steps before the house door, on the far pavement.
pub(crate) const STEPS: Area = area(466.0, FRONTS_FOOT, 514.0, 145.0);

/// Where lamp posts stand, at the far kerb.
pub(crate) const LAMPS: [Point; 4] = [(151.0, 185.0), (560.0, 185.0), (824.0, 185.0), (1402.0, 185.0)];
pub(crate) const LAMP_HEIGHT: f64 = 142.0;
/// Where the poles of the two traffic lights stand, one at either end of the crossing.
pub(crate) const TRAFFIC_LIGHTS: [Point; 2] = [(866.0, 185.0), (984.0, 307.0)];
pub(crate) const TRAFFIC_LIGHT_HEIGHT: f64 = 92.0;
/// Footprints on the near pavement, along the kerb; what stands on them rises over the road.
pub(crate) const BENCH: Area = area(300.0, 307.0, 384.0, 322.0);
pub(crate) const LETTERBOX: Area = area(640.0, 306.0, 666.0, 318.0);
pub(crate) const KIOSK: Area = area(1160.0, 304.0, 1270.0, 334.0);
pub(crate) const KIOSK_HEIGHT: f64 = 104.0;
const TREES: [f64; 5] = [200.0, 500.0, 790.0, 1070.0, 1420.0];

/// The planting holes of the trees.
pub(crate) fn planting_holes() -> impl Iterator<Item = Area> {
    TREES.into_iter().map(|x| area(x - 22.0, 306.0, x + 22.0, 326.0))
}

/// What a pixel of the mask can be; its number is the place of its colour in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Place {
    Nothing,
    Road,
    Pavement,
    Crossing,
    Bakery,
    Bookshop,
    Cafe,
    Lamp,
    Letterbox,
    Kiosk,
    Bench,
    TrafficLight,
}

/// The colours of the mask, in the order of `Place`.
pub(crate) const PALETTE: [[u8; 3]; 12] = [
    [0x00, 0x00, 0x00],
    [0x40, 0x40, 0x40],
    [0x88, 0x88, 0xFF],
    [0xFF, 0x88, 0x00],
    [0xCC, 0x33, 0x33],
    [0x33, 0xCC, 0x33],
    [0xCC, 0xCC, 0x33],
    [0xCC, 0x33, 0xCC],
    [0x33, 0x33, 0xAA],
    [0x33, 0xCC, 0xCC],
    [0xAA, 0x55, 0x22],
    [0xFF, 0xFF, 0xFF],
];

/// The mask: one palette colour to every place.
pub(crate) fn mask() -> Mask<Place> {
    let mut mask = Mask::new(WIDTH, HEIGHT, Place::Nothing);
    mask.stamp(&ROAD.shape(), Place::Road);
    mask.stamp(&FAR_PAVEMENT.shape(), Place::Pavement);
    mask.stamp(&NEAR_PAVEMENT.shape(), Place::Pavement);
    mask.stamp(&CROSSING.shape(), Place::Crossing);
    mask.stamp(&BAKERY.shape(), Place::Bakery);
    mask.stamp(&BOOKSHOP.shape(), Place::Bookshop);
    mask.stamp(&CAFE.shape(), Place::Cafe);
    mask.stamp(&STEPS.shape(), Place::Nothing);
    for hole in planting_holes() {
        mask.stamp(&up_to_the_kerb(hole), Place::Nothing);
    }
    for (x, y) in LAMPS {
        stand(&mut mask, &area(x - 7.0, y - LAMP_HEIGHT, x + 7.0, y).shape(), pole_foot((x, y)), Place::Lamp);
    }
    for (x, y) in TRAFFIC_LIGHTS {
        let seen = area(x - 8.0, y - TRAFFIC_LIGHT_HEIGHT, x + 8.0, y);
        stand(&mut mask, &seen.shape(), pole_foot((x, y)), Place::TrafficLight);
    }
    let standing = [
        (BENCH, 34.0, Place::Bench),
        (LETTERBOX, 56.0, Place::Letterbox),
        (KIOSK, KIOSK_HEIGHT, Place::Kiosk),
    ];
    for (foot, height, place) in standing {
        let seen = area(foot.left, foot.top - height, foot.right, foot.bottom);
        stand(&mut mask, &seen.shape(), up_to_the_kerb(foot), place);
    }
    mask
}

/// A thing can be clicked on wherever it is seen, but takes away only the ground it stands on.
fn stand(mask: &mut Mask<Place>, seen: &Shape, foot: Shape, place: Place) {
    let walkable = |below| matches!(below, Place::Pavement | Place::Crossing);
    mask.change(seen, |below| if walkable(below) { below } else { place });
    mask.stamp(&foot, place);
}

/// Nobody squeezes between a thing and the near kerb: the ground between them counts as taken.
fn up_to_the_kerb(foot: Area) -> Shape {
    area(foot.left, NEAR_PAVEMENT.top, foot.right, foot.bottom).shape()
}

/// The ground below a pole, which stands at one of the kerbs.
fn pole_foot((x, y): Point) -> Shape {
    if y > NEAR_PAVEMENT.top {
        up_to_the_kerb(area(x - 6.0, y - 3.0, x + 6.0, y + 3.0))
    } else {
        area(x - 6.0, y - 3.0, x + 6.0, FAR_PAVEMENT.bottom).shape()
    }
}

/// The picture, from the back to the front.
pub(crate) fn picture() -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, rgb(0xC9B79C));
    houses::fronts(&mut canvas);
    ground::pavements(&mut canvas);
    ground::road(&mut canvas);
    ground::crossing(&mut canvas);
    houses::steps(&mut canvas);
    ground::evening(&mut canvas);
    for lamp in LAMPS {
        things::lamp(&mut canvas, lamp);
    }
    things::traffic_light(&mut canvas, TRAFFIC_LIGHTS[0]);
    for hole in planting_holes() {
        things::tree(&mut canvas, hole);
    }
    things::traffic_light(&mut canvas, TRAFFIC_LIGHTS[1]);
    things::bench(&mut canvas);
    things::letterbox(&mut canvas);
    things::kiosk(&mut canvas);
    ground::flower_border(&mut canvas);
    canvas
}
