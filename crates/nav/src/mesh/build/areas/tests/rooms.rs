//! Random rooms of areas and obstacles, as JSON.

use crate::room::Room;
use glam::{DVec2, dvec2};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// A source of random numbers (SplitMix64), apart from the product's.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below another one.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A number between two others.
    pub(crate) fn within(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A room of the text of its file.
pub(super) fn parsed(text: &str) -> Room {
    crate::room::parse("r.json", text.as_bytes()).map_err(|report| report.to_string()).unwrap().room
}

/// The room of polygons. `closed` are the indices of closed areas.
pub(super) fn of_polygons(
    [radius, padding, boundary]: [f64; 3],
    areas: &[Vec<DVec2>],
    obstacles: &[Vec<DVec2>],
    closed: &[usize],
) -> Room {
    let corners = |polygon: &Vec<DVec2>| -> Value { polygon.iter().map(|p| json!([p.x, p.y])).collect() };
    let area = |(i, polygon)| {
        let available = !closed.contains(&i);
        json!({ "name": format!("a{i}"), "polygon": corners(polygon), "available": available })
    };
    let obstacle = |(i, polygon)| json!({ "name": format!("o{i}"), "polygon": corners(polygon) });
    let file = json!({
        "cellSize": 0.1, "agentRadius": radius, "objectPadding": padding, "boundaryPadding": boundary,
        "areas": areas.iter().enumerate().map(area).collect::<Value>(),
        "obstacles": obstacles.iter().enumerate().map(obstacle).collect::<Value>(),
    });
    parsed(&file.to_string())
}

pub(super) fn rect(x0: f64, z0: f64, x1: f64, z1: f64) -> Vec<DVec2> {
    vec![dvec2(x0, z0), dvec2(x1, z0), dvec2(x1, z1), dvec2(x0, z1)]
}

/// One of the shapes that rooms are made of, within about `size` of a point.
fn shape(random: &mut Random, at: DVec2, size: f64, whole: bool) -> Vec<DVec2> {
    let unit: Vec<DVec2> = match random.below(6) {
        0 | 1 => rect(-1.0, -0.6, 1.0, 0.6),
        2 => [(-1., -1.), (1., -1.), (1., 0.), (0., 0.), (0., 1.), (-1., 1.)].map(DVec2::from).to_vec(),
        3 => [(-1., -1.), (1., -1.), (1., 1.), (0.5, 1.), (0.5, 0.), (-0.5, 0.), (-0.5, 1.), (-1., 1.)]
            .map(DVec2::from)
            .to_vec(),
        4 => {
            let points = 5 + random.below(8);
            let turn = TAU / points as f64;
            (0..points)
                .map(|k| {
                    let angle = k as f64 * turn;
                    dvec2(libm::cos(angle), libm::sin(angle)) * random.within(0.3, 1.0)
                })
                .collect()
        }
        // Corners on straight edges.
        _ => [(-1., -1.), (0., -1.), (1., -1.), (1., -0.25), (1., 1.), (-1., 1.), (-1., 0.5)]
            .map(DVec2::from)
            .to_vec(),
    };
    if whole {
        let quarter = (size * 2.0).round().max(2.0) / 2.0;
        let mut out: Vec<DVec2> = unit.iter().map(|p| (*p * quarter + at.round()).round()).collect();
        out.dedup();
        // Rounded stars may cross themselves.
        return if out.len() < unit.len() || unit.len() > 8 || !is_simple(&out) {
            let (min, max) = (at.round() - quarter.ceil(), at.round() + quarter.ceil());
            rect(min.x, min.y, max.x, max.y)
        } else {
            out
        };
    }
    let angle = random.within(0.0, TAU);
    let turned = dvec2(libm::cos(angle), libm::sin(angle));
    let mut out: Vec<DVec2> = unit.iter().map(|p| turned.rotate(*p) * size + at).collect();
    if random.below(2) == 0 {
        out.reverse();
    }
    out
}

fn is_simple(polygon: &[DVec2]) -> bool {
    let file = json!({ "areas": [{ "name": "a", "polygon":
        polygon.iter().map(|p| json!([p.x, p.y])).collect::<Value>() }] });
    crate::room::parse("r.json", file.to_string().as_bytes()).is_ok()
}

/// A strip of areas side by side, at an angle. They share edges, wholly or in part.
fn strip(random: &mut Random, at: DVec2) -> Vec<Vec<DVec2>> {
    let angle = random.one_of(&[0.0, 0.3, 1.1]);
    let turned = dvec2(libm::cos(angle), libm::sin(angle));
    let mut x = 0.0;
    let mut parts = Vec::new();
    for _ in 0..2 + random.below(3) {
        let (length, low, high) =
            (random.within(0.5, 3.0), random.one_of(&[-1.0, -0.4, 0.3]), random.one_of(&[1.0, 1.5, 2.2]));
        let part = rect(x, low, x + length, high);
        parts.push(part.iter().map(|p| turned.rotate(*p) + at).collect());
        x += length;
    }
    parts
}

/// A room that has something of everything. The same seed gives the same room.
pub(crate) fn random_room(seed: u64) -> Room {
    let random = &mut Random(seed);
    let whole = seed.is_multiple_of(3);
    let place = |random: &mut Random| dvec2(random.within(-4.0, 4.0), random.within(-4.0, 4.0));
    let mut areas: Vec<Vec<DVec2>> = Vec::new();
    for _ in 0..1 + random.below(4) {
        let at = place(random);
        match random.below(6) {
            0 if !whole => areas.extend(strip(random, at)),
            1 if !areas.is_empty() => areas.push(areas[0].clone()),
            2 if !areas.is_empty() => {
                // Inside another one.
                let middle = areas[0].iter().sum::<DVec2>() / areas[0].len() as f64;
                let smaller = areas[0].iter().map(|p| middle.lerp(*p, 0.5));
                areas.push(if whole { smaller.map(|p| p.round()).collect() } else { smaller.collect() });
            }
            _ => {
                let size = random.within(2.0, 4.0);
                areas.push(shape(random, at, size, whole));
            }
        }
    }
    areas.retain(|area| is_simple(area));
    if areas.is_empty() {
        areas.push(rect(-3.0, -3.0, 3.0, 3.0));
    }
    let mut obstacles: Vec<Vec<DVec2>> = Vec::new();
    for _ in 0..random.below(7) {
        let (at, size) = (place(random), random.within(0.2, 1.2));
        match random.below(4) {
            0 => obstacles.extend(strip(random, at)),
            1 if !obstacles.is_empty() => obstacles.push(obstacles[0].clone()),
            _ => obstacles.push(shape(random, at, size, whole)),
        }
    }
    obstacles.retain(|obstacle| is_simple(obstacle));
    let boundary = if random.below(2) == 0 { 0.0 } else { random.one_of(&[0.2, 0.25, 0.5, 0.9]) };
    let clearances = [random.one_of(&[0.01, 0.25, 0.45, 0.75]), random.one_of(&[0.0, 0.05, 0.25]), boundary];
    let closed: Vec<usize> = (0..areas.len()).filter(|_| random.below(4) == 0).collect();
    of_polygons(clearances, &areas, &obstacles, &closed)
}

/// The room with x and z exchanged.
pub(super) fn mirrored(room: &Room) -> Room {
    let mut room = room.clone();
    let polygons = (room.areas.iter_mut().map(|area| &mut area.polygon))
        .chain(room.obstacles.iter_mut().map(|obstacle| &mut obstacle.polygon));
    polygons.flatten().for_each(|corner| *corner = dvec2(corner.y, corner.x));
    room
}
