//! Small levels as pictures, and pictures of their sectors and their ground.
//!
//! Each letter of a picture is the floor of a box of half a metre. The flood begins in the first box.

use super::{Built, built, mesh_of};
use crate::geometry::contains;
use crate::mesh::Polygons;
use crate::room::{FloodSettings, LevelGeometry, MeshPolygons};
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;

pub(super) const BOX_M: f64 = 0.5;

/// Adds a quad, in order around. Counter-clockwise as seen from above is down.
pub(super) fn add(level: &mut LevelGeometry, corners: [[f64; 3]; 4]) {
    let first = level.vertices.len() as u32;
    level.vertices.extend(corners.map(DVec3::from));
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// Adds a floor over some boxes that rises along x from one height to another.
pub(super) fn add_ramp(level: &mut LevelGeometry, x: [usize; 2], z: [usize; 2], [low, high]: [f64; 2]) {
    let [[left, right], [back, front]] = [x, z].map(|ends| ends.map(|end| end as f64 * BOX_M));
    let corners = [[left, low, back], [left, low, front], [right, high, front], [right, high, back]];
    add(level, corners);
}

pub(super) fn add_floor(level: &mut LevelGeometry, x: [usize; 2], z: [usize; 2], height_m: f64) {
    add_ramp(level, x, z, [height_m; 2]);
}

/// Adds an upright quad from one place of the plane to another, in boxes.
pub(super) fn add_wall(level: &mut LevelGeometry, [from, to]: [[f64; 2]; 2], [bottom, top]: [f64; 2]) {
    let at = |[x, z]: [f64; 2], y: f64| [x * BOX_M, y, z * BOX_M];
    add(level, [at(from, bottom), at(to, bottom), at(to, top), at(from, top)]);
}

/// A level of a picture. Letters:
///
/// ```text
/// . floor at 0      1 to 9 floor so many eighths of a metre high      # 3 m high
/// l floor under a ceiling of 1.5 m      _ no floor
/// ```
pub(super) fn level(picture: &str) -> LevelGeometry {
    let mut level = LevelGeometry { file: "drawn.obj".into(), ..LevelGeometry::default() };
    for (z, row) in picture.lines().map(str::trim).filter(|row| !row.is_empty()).enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let height_m = match letter {
                '_' => continue,
                '#' => 3.0,
                '1'..='9' => f64::from(letter.to_digit(10).unwrap()) / 8.0,
                _ => 0.0,
            };
            add_floor(&mut level, [x, x + 1], [z, z + 1], height_m);
            if letter == 'l' {
                add_floor(&mut level, [x, x + 1], [z, z + 1], 1.5);
            }
        }
    }
    level.settings.agent_radius_m = 0.2;
    level.settings.agent_climb_m = 0.25;
    let starts = vec![DVec3::new(BOX_M / 2.0, 0.0, BOX_M / 2.0)];
    level.flood = Some(FloodSettings { starts, min_portal_width_m: 0.0, ..FloodSettings::default() });
    level
}

pub(super) fn flood(level: &mut LevelGeometry) -> &mut FloodSettings {
    level.flood.as_mut().unwrap()
}

/// The boxes that were flooded, by the letters of their sectors, small letters for low ones. `+`: in no sector. Of two
/// floors in one box the higher one.
pub(super) fn sectors(level: &LevelGeometry) -> String {
    let Built { lattice, flood, regions, .. } = built(level).unwrap();
    let first = lattice.place(lattice.column_at(DVec3::new(0.1, 0.0, 0.1)).unwrap());
    let [width, depth] = size_in_boxes(level);
    let mut drawn = String::new();
    for z in 0..depth {
        for x in 0..width {
            let column = lattice.column(first[0] + x, first[1] + z);
            let node = flood.columns.iter().rposition(|&other| other == column);
            let letter = node.map_or('_', |node| match regions.sector_of[node] {
                u32::MAX => '+',
                sector if flood.is_low[node] => (b'a' + sector as u8).into(),
                sector => (b'A' + sector as u8).into(),
            });
            drawn.push(letter);
        }
        drawn.push('\n');
    }
    drawn
}

/// Where there is ground between two heights, three places along each side of a box: in the middle, and nearer to its
/// sides than the radius of characters.
pub(super) fn ground(level: &LevelGeometry, heights_m: [f64; 2]) -> String {
    let mesh = Ground::of(level);
    let most = size_in_boxes(level);
    let along =
        |count: usize| (0..count).flat_map(|part| [0.1, 0.25, 0.4].map(|at| part as f64 * BOX_M + at));
    let mut drawn = String::new();
    for z in along(most[1]) {
        let letters = along(most[0]).map(|x| mesh.polygon(DVec2::new(x, z), heights_m).map_or('_', |_| 'o'));
        drawn.extend(letters.chain(['\n']));
    }
    drawn
}

pub(super) fn size_in_boxes(level: &LevelGeometry) -> [usize; 2] {
    let most = level.vertices.iter().fold(DVec3::ZERO, |most, &at| most.max(at)) / BOX_M;
    [most.x as usize, most.z as usize]
}

/// The polygons of a level.
pub(super) struct Ground {
    mesh: MeshPolygons,
    pub polygons: Polygons,
}

impl Ground {
    pub(super) fn of(level: &LevelGeometry) -> Self {
        let mesh = mesh_of(level).unwrap();
        let polygons = Polygons::new(&mesh.vertices, &mesh.polygons).unwrap();
        Self { mesh, polygons }
    }

    /// The polygon at a place, between two heights.
    pub(super) fn polygon(&self, at: DVec2, [low_m, high_m]: [f64; 2]) -> Option<u32> {
        let is_here = |&polygon: &u32| {
            let corners: Vec<DVec2> = self.polygons.corners(polygon).collect();
            contains(&corners, at) && (low_m..high_m).contains(&self.polygons.height_m(polygon, at))
        };
        (0..self.polygons.len() as u32).find(is_here)
    }

    /// All polygons to which one gets from one of them.
    pub(super) fn reached(&self, from: u32) -> BTreeSet<u32> {
        let (mut reached, mut waiting) = (BTreeSet::from([from]), vec![from]);
        while let Some(polygon) = waiting.pop() {
            let next = self.mesh.polygons[polygon as usize].neighbours.iter().flatten();
            waiting.extend(next.filter(|&&next| reached.insert(next)));
        }
        reached
    }
}

#[track_caller]
pub(super) fn check_text(drawn: &str, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(lines(drawn), lines(expected), "found\n{drawn}");
}

#[track_caller]
pub(super) fn check(level: &LevelGeometry, expected: &str) {
    check_text(&sectors(level), expected);
}
