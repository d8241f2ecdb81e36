//! Objects to a level: what all formats have in common.

use super::placing::{Placing, odd};
use super::{Level, LevelProblem, MAX_TRIANGLES};
use crate::geometry::Renumbering;
use glam::DVec3;

/// The largest coordinate, in metres.
const MAX_COORDINATE_M: f64 = 1e6;

/// A level while it is read.
#[derive(Default)]
pub(super) struct Parts {
    pub level: Level,
    pub warnings: Vec<LevelProblem>,
    /// The line that is read, from 1. 0 in formats without lines.
    pub line: u32,
}

impl Parts {
    /// Begins an object. Triangles that follow belong to it.
    pub(super) fn begin(&mut self, name: &str) {
        let end = self.level.triangles.len();
        if let Some((last, triangles)) = self.level.objects.last_mut() {
            if triangles.start == triangles.end {
                *last = name.to_string();
                return;
            }
            if last == name {
                return;
            }
        }
        self.level.objects.push((name.to_string(), end..end));
    }

    /// Adds a vertex.
    pub(super) fn vertex(&mut self, point: DVec3) -> Result<u32, LevelProblem> {
        let count = self.level.vertices.len();
        if count >= 3 * MAX_TRIANGLES {
            let message = format!("the level has more than {} vertices", 3 * MAX_TRIANGLES);
            return Err(LevelProblem::new(message, "export a simpler model, such as the collision model"));
        }
        self.level.vertices.push(point);
        Ok(count as u32)
    }

    /// Adds a triangle to the last object.
    pub(super) fn add(&mut self, triangle: [u32; 3]) -> Result<(), LevelProblem> {
        if self.level.triangles.len() >= MAX_TRIANGLES {
            let message = format!("the level has more than {MAX_TRIANGLES} triangles");
            return Err(LevelProblem::new(message, "export a simpler model, such as the collision model"));
        }
        if self.level.objects.is_empty() {
            self.begin("unnamed");
        }
        self.level.triangles.push(triangle);
        if self.line > 0 {
            self.level.lines.push(self.line);
        }
        if let Some((_, triangles)) = self.level.objects.last_mut() {
            triangles.end = self.level.triangles.len();
        }
        Ok(())
    }

    /// Adds a warning.
    pub(super) fn warn(&mut self, message: impl Into<String>, hint: impl Into<String>) {
        self.warnings.push(LevelProblem::new(message, hint));
    }

    /// Checks the level, and removes what has no area or no use.
    pub(super) fn finish(mut self, placing: Placing) -> Result<(Level, Vec<LevelProblem>), LevelProblem> {
        placing.place(&mut self.level);
        self.check_triangles()?;
        self.level.lines = Vec::new(); // they would not fit the triangles that are left
        self.drop_degenerate()?;
        self.drop_unused_vertices();
        self.check_directions();
        self.check_size();
        self.warnings.extend(odd(&self.level, placing));
        Ok((self.level, self.warnings))
    }

    /// Checks a level of solids.
    pub(super) fn finish_solids(
        mut self,
        placing: Placing,
    ) -> Result<(Level, Vec<LevelProblem>), LevelProblem> {
        placing.place(&mut self.level);
        self.check_triangles()?;
        self.warnings.extend(odd(&self.level, placing));
        Ok((self.level, self.warnings))
    }

    fn check_triangles(&self) -> Result<(), LevelProblem> {
        if self.level.triangles.is_empty() {
            let hint = "export meshes with faces; points, lines and curves are no ground";
            let left_out =
                self.warnings.iter().map(|warning| format!(": {}", warning.message)).collect::<String>();
            return Err(LevelProblem::new(format!("the level has no triangles{left_out}"), hint));
        }
        self.check_coordinates()
    }

    fn check_coordinates(&self) -> Result<(), LevelProblem> {
        let Level { vertices, triangles, objects, .. } = &self.level;
        for (name, range) in objects {
            for (number, triangle) in triangles[range.clone()].iter().enumerate() {
                for point in triangle.map(|vertex| vertices[vertex as usize]) {
                    let place = format!("object \"{name}\", triangle {}", number + 1);
                    if !point.is_finite() {
                        let message = format!("{place}: a coordinate is not a finite number");
                        return Err(LevelProblem::new(
                            message,
                            "repair the mesh and its transforms, then export again",
                        ));
                    }
                    if point.abs().max_element() > MAX_COORDINATE_M {
                        let DVec3 { x, y, z } = point;
                        let message = format!(
                            "{place}: ({x}, {y}, {z}) is farther than {MAX_COORDINATE_M} m from the origin"
                        );
                        return Err(LevelProblem::new(
                            message,
                            "levels are in metres: scale the model when exporting",
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    fn drop_degenerate(&mut self) -> Result<(), LevelProblem> {
        let Level { vertices, triangles, objects, .. } = &mut self.level;
        let is_degenerate = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| vertices[vertex as usize]);
            let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
            (b - a).cross(c - a).length() <= 1e-12 * longest
        };
        let (mut kept, mut first) = (Vec::with_capacity(triangles.len()), None);
        for (name, range) in objects.iter_mut() {
            let start = kept.len();
            for (number, triangle) in triangles[range.clone()].iter().enumerate() {
                if is_degenerate(triangle) {
                    first.get_or_insert_with(|| format!("object \"{name}\", triangle {}", number + 1));
                } else {
                    kept.push(*triangle);
                }
            }
            *range = start..kept.len();
        }
        objects.retain(|(_, range)| !range.is_empty());
        let dropped = triangles.len() - kept.len();
        *triangles = kept;
        let Some(first) = first else { return Ok(()) };
        let message = format!("{dropped} triangles have no area and are left out; the first is {first}");
        let hint = "harmless, unless the mesh should be larger: check its scale";
        if self.level.triangles.is_empty() {
            return Err(LevelProblem::new(
                "all triangles of the level have no area",
                "check the scale of the model",
            ));
        }
        self.warn(message, hint);
        Ok(())
    }

    fn drop_unused_vertices(&mut self) {
        let Level { vertices, triangles, .. } = &mut self.level;
        let mut numbers = Renumbering::new(vertices.len());
        let mut used = Vec::with_capacity(vertices.len());
        for vertex in triangles.iter_mut().flatten() {
            *vertex = numbers.number(*vertex, || used.push(vertices[*vertex as usize]));
        }
        *vertices = used;
    }

    /// A level whose floors face down is inside out: nothing of it is walkable.
    fn check_directions(&mut self) {
        let (mut up_m2, mut down_m2) = (0.0, 0.0);
        for triangle in &self.level.triangles {
            let [a, b, c] = triangle.map(|vertex| self.level.vertices[vertex as usize]);
            let doubled = (b - a).cross(c - a);
            if doubled.y.abs() > 0.7 * doubled.length() {
                *(if doubled.y > 0.0 { &mut up_m2 } else { &mut down_m2 }) += doubled.y.abs() / 2.0;
            }
        }
        if down_m2 > 20.0 * up_m2 {
            let message =
                format!("nearly all level faces point down: {down_m2:.1} m², and {up_m2:.1} m² point up");
            self.warn(
                message,
                "the level may be inside out: recalculate or flip its normals, and do not mirror it",
            );
        } else if up_m2 + down_m2 == 0.0 {
            self.warn(
                "no face of the level is level enough to stand on",
                "y must be up: check the axes of the export",
            );
        }
    }

    fn check_size(&mut self) {
        let vertices = &self.level.vertices;
        let max = vertices.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let size = max - vertices.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let extent_m = size.x.max(size.z);
        if !(0.5..=10_000.0).contains(&extent_m) {
            let message = format!("the level is {extent_m:.3} m wide");
            self.warn(
                message,
                "units are metres: if the model is in centimetres or kilometres, write \"scale\" in the room",
            );
        }
    }
}
