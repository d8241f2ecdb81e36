//! What the tests share: rooms from pictures, random rooms, and oracles that know nothing of the code they judge.
#![allow(dead_code, unreachable_pub)] // every test binary uses its own part

/// A value with some fields set. Types that may get more fields cannot be written as literals outside their crate.
macro_rules! with {
    ($base:expr, $($field:ident = $value:expr),+ $(,)?) => {{
        let mut value = $base;
        $(value.$field = $value;)+
        value
    }};
}

pub mod book;
#[cfg(feature = "cli")]
pub mod command;
pub mod crowd;
pub mod level_files;
pub mod painted;
pub mod project;
pub mod specs;

use cicerone::room::{Area, CharacterSpec, Obstacle, Room, WhenOccupied};
use cicerone::surface::Surface;
use glam::{DVec2, dvec2};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A room from a picture, one square metre a character, row 0 at z 0. Blanks and `#` are walls; `.` is ground; a
/// letter is ground with a point of that name; `|` is a closed area and `/` an open one, both called "door".
pub fn picture(text: &str) -> Room {
    let rows: Vec<Vec<char>> = text
        .lines()
        .map(|line| line.split_whitespace().flat_map(str::chars).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let mut room = empty_room();
    room.ground = with!(room.ground, cell_size_m = 1.0, agent_radius_m = 0.5, object_padding_m = 0.5);
    let mut door: Vec<(DVec2, bool)> = Vec::new();
    for (z, row) in rows.iter().enumerate() {
        for (x, &c) in row.iter().enumerate() {
            let corner = dvec2(x as f64, z as f64);
            match c {
                '#' => {}
                '|' => door.push((corner, false)),
                '/' => door.push((corner, true)),
                _ => room.areas.push(area(&format!("{x},{z}"), square(corner), true)),
            }
            if c.is_alphabetic() {
                room.points.insert(c.to_string(), (corner + 0.5).into());
            }
        }
    }
    for (index, (corner, open)) in door.into_iter().enumerate() {
        let name = if index == 0 { "door".to_owned() } else { format!("door{}", index + 1) };
        room.areas.push(area(&name, square(corner), open));
    }
    room
}

/// The picture of a room made by [`picture`], with `*` on every cell that the walk from `from` over `waypoints`
/// touches.
pub fn draw_walk(room: &Room, from: DVec2, waypoints: &[DVec2]) -> String {
    let ground = Surface::new(room).unwrap();
    let size = room.areas.iter().flat_map(|a| &a.polygon).fold(DVec2::ZERO, |size, p| size.max(*p));
    let mut at = from;
    let mut touched: Vec<(i64, i64)> = Vec::new();
    for &to in waypoints {
        for i in 0..=1000 {
            let p = at.lerp(to, f64::from(i) / 1000.0);
            touched.push((p.x.floor() as i64, p.y.floor() as i64));
        }
        at = to;
    }
    let mut text = String::new();
    for z in 0..size.y as i64 {
        let row: Vec<String> = (0..size.x as i64)
            .map(|x| {
                let middle = dvec2(x as f64 + 0.5, z as f64 + 0.5);
                let name =
                    room.points.iter().find(|(_, p)| **p == middle.into()).map(|(name, _)| name.clone());
                let walkable = ground.is_walkable(middle);
                name.unwrap_or(match (touched.contains(&(x, z)), walkable) {
                    (true, _) => "*".into(),
                    (false, true) => ".".into(),
                    (false, false) => "#".into(),
                })
            })
            .collect();
        text.push_str(&row.join(" "));
        text.push('\n');
    }
    text
}

/// A picture with its indentation and blank lines taken off, for comparing.
pub fn trimmed(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

pub fn empty_room() -> Room {
    with!(Room::default(), name = "test".into())
}

pub fn area(name: &str, polygon: Vec<DVec2>, available: bool) -> Area {
    with!(Area::new(name, polygon), available = available)
}

pub fn character(name: &str, at: DVec2) -> CharacterSpec {
    with!(CharacterSpec::at(at), name = name.into(), collision_radius_m = 0.3)
}

fn square(corner: DVec2) -> Vec<DVec2> {
    [(0., 0.), (1., 0.), (1., 1.), (0., 1.)].map(|(x, z)| corner + dvec2(x, z)).to_vec()
}

// ---- random rooms ----

/// A room of a few overlapping areas (some closed) and obstacles of all shapes, about ten metres across.
pub fn any_room() -> impl Strategy<Value = Room> {
    let cell = prop::sample::select(vec![0.1, 0.25, 0.4, 0.5, 1.0]);
    let padding = prop::sample::select(vec![0.0, 0.0, 0.3]);
    let areas = prop::collection::vec((any_polygon(1.0..5.0), any::<bool>()), 1..6);
    let obstacles = prop::collection::vec(any_polygon(0.2..1.5), 0..7);
    let budget = prop::sample::select(vec![20_000, 20_000, 100]);
    (cell, padding, areas, obstacles, budget).prop_map(
        |(cell_size_m, boundary_padding_m, areas, obstacles, budget)| {
            let mut room = empty_room();
            room.crowd.search_budget_expansions = budget;
            let settings = with!(room.ground, agent_radius_m = 0.2, object_padding_m = 0.1);
            room.ground = with!(settings, cell_size_m = cell_size_m, boundary_padding_m = boundary_padding_m);
            for (index, (polygon, available)) in areas.into_iter().enumerate() {
                room.areas.push(area(&format!("area{index}"), polygon, available || index == 0));
                if index % 3 == 2 {
                    room.areas[index].when_occupied = WhenOccupied::Hold;
                }
            }
            for (index, polygon) in obstacles.into_iter().enumerate() {
                room.obstacles.push(Obstacle {
                    name: format!("obstacle{index}"),
                    polygon,
                    see_through: false,
                });
            }
            room
        },
    )
}

/// A star-shaped polygon (convex or not), or a rectangle on round coordinates, which shares edges with others.
fn any_polygon(radius: std::ops::Range<f64>) -> impl Strategy<Value = Vec<DVec2>> {
    let centre = (0.0..10.0, 0.0..10.0);
    let star = (centre, prop::collection::vec(radius.clone(), 3..8)).prop_map(|((x, z), radii)| {
        let step = std::f64::consts::TAU / radii.len() as f64;
        let corner = |(i, r): (usize, &f64)| {
            let (sin, cos) = libm::sincos(step * i as f64);
            dvec2(x + r * cos, z + r * sin)
        };
        radii.iter().enumerate().map(corner).collect()
    });
    let size = radius.end.ceil() as i32;
    let rect = (0..8i32, 0..8i32, 1..=size, 1..=size).prop_map(|(x, z, w, d)| {
        let (low, high) = (dvec2(x.into(), z.into()), dvec2((x + w).into(), (z + d).into()));
        vec![low, dvec2(high.x, low.y), high, dvec2(low.x, high.y)]
    });
    prop_oneof![star, rect]
}

pub fn any_point() -> impl Strategy<Value = DVec2> {
    (-1.0..13.0, -1.0..13.0).prop_map(|(x, z)| dvec2(x, z))
}

// ---- oracles ----

/// The cells of a ground as plain data: whether each is walkable, row by row.
pub struct Cells {
    pub width: usize,
    pub depth: usize,
    pub min: DVec2,
    pub size_m: f64,
    pub walkable: Vec<bool>,
}

impl Cells {
    pub fn of(ground: &Surface) -> Self {
        let frame = ground.as_grid().unwrap().frame();
        let (width, depth) = (frame.width as usize, frame.depth as usize);
        let mut cells = Self {
            width,
            depth,
            min: frame.min,
            size_m: frame.cell_size_m,
            walkable: vec![false; width * depth],
        };
        for index in 0..cells.walkable.len() {
            cells.walkable[index] = ground.is_walkable(cells.centre(index));
        }
        cells
    }

    pub fn centre(&self, index: usize) -> DVec2 {
        let cell = dvec2((index % self.width) as f64, (index / self.width) as f64);
        self.min + (cell + 0.5) * self.size_m
    }

    pub fn cell_of(&self, point: DVec2) -> (i64, i64) {
        let cell = ((point - self.min) / self.size_m).floor();
        (cell.x as i64, cell.y as i64)
    }

    pub fn index_of(&self, point: DVec2) -> Option<usize> {
        let (x, z) = self.cell_of(point);
        let inside = (0..self.width as i64).contains(&x) && (0..self.depth as i64).contains(&z);
        inside.then(|| z as usize * self.width + x as usize)
    }

    /// Cost from `start` to every cell by Bellman-Ford-like relaxation until nothing changes: slow and obviously right.
    pub fn all_costs(&self, start: usize) -> Vec<f64> {
        let mut cost = vec![f64::INFINITY; self.walkable.len()];
        cost[start] = 0.0;
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(index) = queue.pop_front() {
            let (x, z) = ((index % self.width) as i64, (index / self.width) as i64);
            let free = |x: i64, z: i64| {
                let inside = (0..self.width as i64).contains(&x) && (0..self.depth as i64).contains(&z);
                inside && self.walkable[z as usize * self.width + x as usize]
            };
            for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                if !free(x + dx, z + dz) || !free(x + dx, z) || !free(x, z + dz) {
                    continue;
                }
                let to = (z + dz) as usize * self.width + (x + dx) as usize;
                let step = if dx != 0 && dz != 0 { std::f64::consts::SQRT_2 } else { 1.0 };
                if cost[index] + step < cost[to] - 1e-12 {
                    cost[to] = cost[index] + step;
                    queue.push_back(to);
                }
            }
        }
        cost
    }

    /// The walkable cell whose centre is nearest to a point, at most `reach_m` away.
    pub fn nearest(&self, point: DVec2, reach_m: f64) -> Option<usize> {
        let near = |index: &usize| self.centre(*index).distance_squared(point) <= reach_m * reach_m;
        let walkable = (0..self.walkable.len()).filter(|&index| self.walkable[index]).filter(near);
        walkable.min_by(|&a, &b| {
            self.centre(a).distance_squared(point).total_cmp(&self.centre(b).distance_squared(point))
        })
    }

    /// How many metres of a segment lie in blocked cells (or outside the grid), by clipping it against every cell.
    pub fn blocked_length(&self, from: DVec2, to: DVec2) -> f64 {
        let clear: f64 = (0..self.walkable.len())
            .filter(|&index| self.walkable[index])
            .map(|index| {
                let centre = self.centre(index);
                clipped_length(from, to, centre - self.size_m / 2.0, centre + self.size_m / 2.0)
            })
            .sum();
        // On a border between two cells the length counts for both; then nothing is missing.
        (from.distance(to) - clear).max(0.0)
    }
}

/// Length of a segment inside a rectangle (Liang and Barsky).
fn clipped_length(from: DVec2, to: DVec2, min: DVec2, max: DVec2) -> f64 {
    let run = to - from;
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for axis in 0..2 {
        if run[axis] == 0.0 {
            if from[axis] < min[axis] || from[axis] > max[axis] {
                return 0.0;
            }
        } else {
            let (a, b) = ((min[axis] - from[axis]) / run[axis], (max[axis] - from[axis]) / run[axis]);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
    }
    (leave - enter).max(0.0) * run.length()
}

mod sweeps;
pub use sweeps::sweeps;

/// The first value in a sweep, the second one otherwise.
pub fn in_sweeps<T>(whole: T, part: T) -> T {
    if sweeps() { whole } else { part }
}

/// A thousand cases, the same ones in every run; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` go further afield.
pub fn thousand() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(2026);
    }
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 1000;
    }
    config
}
