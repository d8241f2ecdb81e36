//! Movement on the surface that slides along walls, as Detour's `moveAlongSurface` does (Mononen, "Movement Along
//! Navigation Mesh", 2009).

use super::Polygons;
use crate::geometry::{closest_on_segment, distance_sq_to_segment};
use glam::DVec2;
use std::fmt;

/// Added to the radius of the search, in metres: a portal that only touches the circle is passed.
const SLACK_M: f64 = 1e-3;

/// A start may lie this far off its polygon, in metres: rounding of coordinates.
const OFF_POLYGON_M: f64 = 0.01;

/// Squared distances that differ by less are equal: of equally near walls the first one met counts.
const SAME_SQ: f64 = 1e-10;

/// The end of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moved<'a> {
    /// The end, in metres.
    pub at: DVec2,
    /// The polygons walked through, from the polygon of the start to the polygon of the end.
    pub visited: &'a [u32],
}

/// Why a move is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveError {
    /// A coordinate is not a finite number.
    NotFinite,
    /// The start does not lie on the polygon, or there is no such polygon.
    OffPolygon,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "a move needs finite coordinates",
            Self::OffPolygon => "the start of the move does not lie on its polygon",
        })
    }
}

impl std::error::Error for MoveError {}

/// Buffers of [`Polygons::move_along`].
#[derive(Debug, Clone, Default)]
pub struct MoveMemory {
    /// Polygons found so far with the index of the one they were entered from, in the order in which they are searched.
    found: Vec<(u32, u32)>,
    visited: Vec<u32>,
    /// Per polygon, the number of the move that found it last. Only for moves that find many polygons.
    marks: Vec<u32>,
    move_number: u32,
}

/// Up to this many polygons, a search of the list is faster than marks.
const SHORT_LIST: usize = 16;

impl Polygons {
    /// Moves from a point in `polygon` towards another point, as far as walls allow, and slides along them. The search
    /// goes breadth first through the portals that touch the circle over the segment. The move ends at `to` if a
    /// polygon found holds it, and otherwise at the point nearest to `to` on the walls met. Closed polygons (for which
    /// `is_open` is false) are walls.
    ///
    /// Polygons are searched in the order in which they are found, and their edges clockwise, as Detour does. Of equally
    /// near walls the first one counts.
    ///
    /// Distances are measured on the plane. A long move may slip round a corner within its circle; divide long moves
    /// into steps of a body radius or less if that matters.
    ///
    /// # Errors
    /// If a coordinate is not finite, or `from` is more than 1 cm off `polygon`.
    pub fn move_along<'a>(
        &self,
        polygon: u32,
        from: DVec2,
        to: DVec2,
        is_open: impl Fn(u32) -> bool,
        memory: &'a mut MoveMemory,
    ) -> Result<Moved<'a>, MoveError> {
        self.move_within(1.0, polygon, from, to, is_open, memory)
    }

    /// [`Polygons::move_along`], with `share` of the radius of its circle. For a test: less of it ends elsewhere.
    #[inline]
    fn move_within<'a>(
        &self,
        share: f64,
        polygon: u32,
        from: DVec2,
        to: DVec2,
        is_open: impl Fn(u32) -> bool,
        memory: &'a mut MoveMemory,
    ) -> Result<Moved<'a>, MoveError> {
        if !from.is_finite() || !to.is_finite() {
            return Err(MoveError::NotFinite);
        }
        if polygon as usize >= self.len()
            || !self.holds(polygon, from)
                && self.closest(polygon, from).distance_squared(from) > OFF_POLYGON_M * OFF_POLYGON_M
        {
            return Err(MoveError::OffPolygon);
        }
        memory.begin(polygon);
        if self.holds(polygon, to) {
            memory.visited.push(polygon);
            return Ok(Moved { at: to, visited: &memory.visited });
        }
        let middle = from.midpoint(to);
        let radius_m = from.distance(to) / 2.0 * share + SLACK_M;
        let radius_sq = radius_m * radius_m;
        let (mut best, mut best_sq, mut best_index) = (from, f64::INFINITY, 0);
        let mut index = 0;
        while let Some(&(here, _)) = memory.found.get(index) {
            if index > 0 && self.holds(here, to) {
                (best, best_index) = (to, index);
                break;
            }
            for (edge, a, b) in self.segments_clockwise(here) {
                match edge.neighbour().filter(|&neighbour| is_open(neighbour)) {
                    None => {
                        let at = closest_on_segment(to, a, b);
                        let distance_sq = at.distance_squared(to);
                        if distance_sq < best_sq - SAME_SQ {
                            (best, best_sq, best_index) = (at, distance_sq, index);
                        }
                    }
                    Some(neighbour) => {
                        if !memory.has_found(neighbour) && distance_sq_to_segment(middle, a, b) <= radius_sq {
                            memory.find(neighbour, index as u32, self.len());
                        }
                    }
                }
            }
            index += 1;
        }
        memory.trace(best_index);
        Ok(Moved { at: best, visited: &memory.visited })
    }
}

impl MoveMemory {
    fn begin(&mut self, polygon: u32) {
        self.found.clear();
        self.visited.clear();
        self.found.push((polygon, 0));
    }

    fn has_found(&self, polygon: u32) -> bool {
        if self.found.len() <= SHORT_LIST {
            self.found.iter().any(|(found, _)| *found == polygon)
        } else {
            self.marks[polygon as usize] == self.move_number
        }
    }

    fn find(&mut self, polygon: u32, from: u32, polygons: usize) {
        self.found.push((polygon, from));
        if self.found.len() == SHORT_LIST + 1 {
            self.move_number = self.move_number.wrapping_add(1);
            if self.marks.len() != polygons || self.move_number == 0 {
                self.marks.clear();
                self.marks.resize(polygons, 0);
                self.move_number = 1;
            }
            for &(found, _) in &self.found {
                self.marks[found as usize] = self.move_number;
            }
        } else if self.found.len() > SHORT_LIST {
            self.marks[polygon as usize] = self.move_number;
        }
    }

    /// The polygons from the start to the one with this index.
    fn trace(&mut self, mut index: usize) {
        loop {
            let (polygon, from) = self.found[index];
            self.visited.push(polygon);
            if index == 0 {
                break;
            }
            index = from as usize;
        }
        self.visited.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::RawPolygon;
    use crate::mesh::any_angle::tests::{Random, field, place};
    use glam::DVec3;

    /// Moves of any length end on the mesh, in the last polygon visited, and go through joined polygons.
    #[test]
    fn moves_stay_on_the_mesh() {
        let mut memory = MoveMemory::default();
        for seed in 0..200 {
            let mut random = Random(seed);
            let mesh = field(&mut random, 8, 0.18, 0.3).mesh;
            let (mut polygon, mut at) = place(&mut random, &mesh, false);
            for _ in 0..30 {
                let length_m = if random.next() < 0.3 { 12.0 } else { 0.5 };
                let to = at + DVec2::new(random.next() - 0.5, random.next() - 0.5) * length_m;
                let moved = mesh.move_along(polygon, at, to, |_| true, &mut memory).unwrap();
                let last = *moved.visited.last().unwrap();
                assert_eq!(moved.visited[0], polygon);
                assert!(mesh.closest(last, moved.at).distance(moved.at) < 1e-9, "seed {seed}: {moved:?}");
                for pair in moved.visited.windows(2) {
                    let joined = mesh.edges(pair[0]).iter().any(|edge| edge.neighbour() == Some(pair[1]));
                    assert!(joined, "seed {seed}: {moved:?}");
                }
                if mesh.holds(polygon, to) {
                    assert_eq!((moved.at, moved.visited), (to, &[polygon][..]));
                }
                // All others are closed: the same move ends at the nearest point of the polygon.
                (polygon, at) = (last, moved.at);
                let alone = mesh.move_along(polygon, at, to, |_| false, &mut memory).unwrap();
                assert_eq!(alone.visited, [polygon]);
                let nearest_m = mesh.closest(polygon, to).distance(to);
                assert!((alone.at.distance(to) - nearest_m).abs() < 1e-9, "seed {seed}");
            }
        }
    }

    /// The moves of a file that end elsewhere than it says, or visit other polygons, with a share of the radius.
    fn differing(file: &serde_json::Value, share: f64) -> (usize, usize) {
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let numbers = |value: &serde_json::Value| -> Vec<f64> {
            list(value).iter().map(|number| number.as_f64().unwrap()).collect()
        };
        let index = |value: &serde_json::Value| value.as_u64().unwrap() as u32;
        let vertices: Vec<DVec3> =
            list(&file["verts"]).iter().map(|at| DVec3::from_slice(&numbers(at))).collect();
        let polygon = |polygon: &serde_json::Value| RawPolygon {
            corners: list(&polygon["v"]).iter().map(index).collect(),
            neighbours: numbers(&polygon["n"]).iter().map(|&n| (n >= 0.0).then_some(n as u32)).collect(),
        };
        let polygons: Vec<RawPolygon> = list(&file["polys"]).iter().map(polygon).collect();
        let mesh = Polygons::new(&vertices, &polygons).unwrap();
        let moves = list(&file["moves"]);
        let mut memory = MoveMemory::default();
        let differs = |task: &&serde_json::Value| {
            let point = |key: &str| {
                let at = numbers(&task[key]);
                DVec2::new(at[0], at[2])
            };
            let visited: Vec<u32> = list(&task["visited"]).iter().map(index).collect();
            let (from, to) = (point("s"), point("e"));
            let moved = mesh.move_within(share, index(&task["ref"]), from, to, |_| true, &mut memory);
            moved.is_ok_and(|moved| moved.at.distance(point("r")) > 1e-3 || moved.visited != visited)
        };
        (moves.iter().filter(differs).count(), moves.len())
    }

    /// Detour's circle is the right one: the negative control of the comparison with its answers.
    #[test]
    fn moves_within_a_smaller_circle_end_elsewhere() {
        let own = include_str!("../../../../tests/data/navmesh/corner.json").as_bytes().to_vec();
        let data = std::env::var("CICERONE_DATA").unwrap_or_else(|_| "../../../shared/data".into());
        let theirs =
            ["nav_test", "dungeon"].map(|name| std::fs::read(format!("{data}/navmesh/{name}.json")).ok());
        if theirs.contains(&None) {
            eprintln!("skipped: no navmeshes in {data}/navmesh (CICERONE_DATA names another folder)");
        }
        for text in theirs.into_iter().flatten().chain([own]) {
            let file: serde_json::Value = serde_json::from_slice(&text).unwrap();
            let (wrong, moves) = differing(&file, 1.0);
            let (fewer, _) = differing(&file, 0.3);
            eprintln!("{moves} moves: {wrong} differ, {fewer} with a radius x 0.3");
            assert_eq!(wrong, 0, "of {moves}");
            assert!(fewer * 20 > moves, "{fewer} of {moves}");
        }
    }

    #[test]
    fn a_move_from_elsewhere_is_refused() {
        let mesh = field(&mut Random(1), 3, 0.0, 0.0).mesh;
        let mut memory = MoveMemory::default();
        let mut refused = |polygon, from: (f64, f64), to: (f64, f64)| {
            mesh.move_along(polygon, from.into(), to.into(), |_| true, &mut memory).err()
        };
        assert_eq!(refused(0, (0.5, 0.5), (1.5, 0.5)), None);
        assert_eq!(refused(0, (1.005, 0.5), (1.5, 0.5)), None, "rounding");
        assert_eq!(refused(0, (1.5, 0.5), (1.5, 0.5)), Some(MoveError::OffPolygon));
        assert_eq!(refused(9, (0.5, 0.5), (0.5, 0.5)), Some(MoveError::OffPolygon));
        assert_eq!(refused(0, (f64::NAN, 0.5), (1.5, 0.5)), Some(MoveError::NotFinite));
        assert_eq!(refused(0, (0.5, 0.5), (f64::INFINITY, 0.5)), Some(MoveError::NotFinite));
    }
}
