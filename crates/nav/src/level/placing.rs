//! How the coordinates of a file become metres with y up, and whether a level looks as if they had not.

use super::{Level, LevelProblem};
use glam::DVec3;

/// Which axis is up in a file, and how long its unit is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placing {
    /// Whether z is up, as modelling programs have it, instead of y.
    pub z_is_up: bool,
    /// Metres in a unit.
    pub scale: f64,
}

impl Default for Placing {
    fn default() -> Self {
        Self { z_is_up: false, scale: 1.0 }
    }
}

impl Placing {
    /// Turns and scales a level. Right-handed axes stay so.
    pub(super) fn place(self, level: &mut Level) {
        if self == Self::default() {
            return;
        }
        for at in &mut level.vertices {
            let turned = if self.z_is_up { DVec3::new(at.x, at.z, -at.y) } else { *at };
            *at = turned * self.scale + 0.0;
        }
    }
}

/// A level counts as flat along an axis if it is so much narrower along it.
const FLAT: f64 = 0.5;

/// Levels with a smaller share of walls have none to measure: terrains.
const LEAST_WALLS: f64 = 0.03;

/// Walls of so many units, at least, and what a unit is then: a wall is two to five metres high.
const UNITS: [(f64, &str, f64); 3] =
    [(1500.0, "millimetres", 0.001), (140.0, "centimetres", 0.01), (60.0, "inches", 0.0254)];

/// Walls that are lower than this many units are of a model that was scaled down a hundred times.
const TINY_WALLS: f64 = 0.05;

/// What tells that z is up, or that units are no metres.
pub(super) fn odd(level: &Level, placing: Placing) -> Vec<LevelProblem> {
    let on_its_side = lies_on_its_side(level).filter(|_| !placing.z_is_up);
    [on_its_side, is_not_in_metres(level, placing.scale)].into_iter().flatten().collect()
}

/// The corners of all triangles, and what they span: twice the area along the normal.
fn faces(level: &Level) -> impl Iterator<Item = ([DVec3; 3], DVec3)> + '_ {
    level.triangles.iter().map(|triangle| {
        let corners = triangle.map(|vertex| level.vertices[vertex as usize]);
        (corners, (corners[1] - corners[0]).cross(corners[2] - corners[0]))
    })
}

fn lies_on_its_side(level: &Level) -> Option<LevelProblem> {
    let vertices = level.vertices.iter().copied();
    let max = vertices.clone().fold(DVec3::NEG_INFINITY, DVec3::max);
    let size = max - vertices.fold(DVec3::INFINITY, DVec3::min);
    let (mut along_y, mut along_z) = (0.0, 0.0);
    for (_, normal) in faces(level) {
        let length = normal.length();
        along_y += if normal.y.abs() > 0.7 * length { length } else { 0.0 };
        along_z += if normal.z.abs() > 0.7 * length { length } else { 0.0 };
    }
    let is_flat = size.z < FLAT * size.x.min(size.y) && along_z > 1.5 * along_y;
    is_flat.then(|| {
        let message = format!("the level lies on its side: it is {:.1} high and {:.1} deep", size.y, size.z);
        LevelProblem::new(message, r#"if z is up in the file, write "up": "z" beside "geometry""#)
    })
}

fn is_not_in_metres(level: &Level, so_far: f64) -> Option<LevelProblem> {
    let mut walls: Vec<(f64, f64)> = Vec::new();
    let mut all = 0.0;
    for (corners, normal) in faces(level) {
        let area = normal.length();
        all += area;
        if normal.y.abs() < 0.1 * area {
            let [a, b, c] = corners.map(|corner| corner.y);
            walls.push((a.max(b).max(c) - a.min(b).min(c), area));
        }
    }
    let of_walls: f64 = walls.iter().map(|(_, area)| area).sum();
    if of_walls < LEAST_WALLS * all {
        return None;
    }
    walls.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut left = of_walls / 2.0;
    let middle = walls.iter().find(|(_, area)| {
        left -= area;
        left <= 0.0
    });
    let high = middle?.0;
    let told = |unit: &str, scale: f64| {
        let message = format!(
            "most walls of the level are {high:.3} high: units are metres, and these look like {unit}"
        );
        LevelProblem::new(message, format!("if so, write \"scale\": {} beside \"geometry\"", scale * so_far))
    };
    if high < TINY_WALLS {
        return Some(told("metres divided by a hundred", 100.0));
    }
    UNITS.iter().find(|(least, ..)| high >= *least).map(|(_, unit, scale)| told(unit, *scale))
}
