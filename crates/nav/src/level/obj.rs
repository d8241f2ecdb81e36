//! Wavefront `.obj` files.

use super::assemble::Parts;
use super::polygon::triangulate;
use super::{LevelProblem, MAX_TRIANGLES};
use glam::DVec3;

/// Reads the vertices, faces and names of objects and groups. All other lines do not matter.
pub(super) fn read(bytes: &[u8], parts: &mut Parts) -> Result<(), LevelProblem> {
    if bytes.contains(&0) {
        return Err(LevelProblem::new(
            "the file is not text",
            "an .obj file is text: export the level again",
        ));
    }
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let mut reader = Reader { parts, points: 0, lines: 0, corners: Vec::new() };
    // A backslash at the end joins a line with the next one.
    let mut joined = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        if let Some(begin) = line.strip_suffix('\\') {
            joined.push_str(begin);
            joined.push(' ');
            continue;
        }
        reader.parts.line = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let result = if joined.is_empty() {
            reader.line(line)
        } else {
            joined.push_str(line);
            reader.line(&std::mem::take(&mut joined))
        };
        result.map_err(|problem| reader.place(number + 1, problem))?;
    }
    let Reader { points, lines, .. } = reader;
    if points + lines > 0 {
        let message = format!("{} points and lines are left out", points + lines);
        parts.warn(message, "only faces are ground");
    }
    Ok(())
}

struct Reader<'a> {
    parts: &'a mut Parts,
    points: usize,
    lines: usize,
    /// The vertices of the face that is read.
    corners: Vec<u32>,
}

impl Reader<'_> {
    /// Adds the place of a problem.
    fn place(&self, number: usize, problem: LevelProblem) -> LevelProblem {
        let LevelProblem { message, hint } = problem;
        let object = self.parts.level.objects.last();
        let object = object.map_or(String::new(), |(name, _)| format!(" (object \"{name}\")"));
        LevelProblem::new(format!("line {number}{object}: {message}"), hint)
    }

    fn line(&mut self, line: &str) -> Result<(), LevelProblem> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "v" => self.vertex(rest),
            "f" => self.face(rest),
            "o" | "g" => {
                let name = rest.trim();
                self.parts.begin(if name.is_empty() { "unnamed" } else { name });
                Ok(())
            }
            "p" => {
                self.points += 1;
                Ok(())
            }
            "l" => {
                self.lines += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn vertex(&mut self, rest: &str) -> Result<(), LevelProblem> {
        let mut point = [0.0; 3];
        let mut words = rest.split_whitespace();
        for coordinate in &mut point {
            let word = words.next().unwrap_or("");
            *coordinate = word.parse().map_err(|_| {
                let message = format!("a vertex needs three numbers, but has \"{}\"", shown(rest));
                LevelProblem::new(message, "the line is \"v X Y Z\"")
            })?;
        }
        self.parts.vertex(DVec3::from_array(point)).map(|_| ())
    }

    fn face(&mut self, rest: &str) -> Result<(), LevelProblem> {
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        for word in rest.split_whitespace() {
            corners.push(self.index(word)?);
        }
        if corners.len() < 3 {
            let message = format!("a face needs three vertices or more, but has {}", corners.len());
            return Err(LevelProblem::new(message, "the line is \"f A B C\""));
        }
        if corners.len() > MAX_TRIANGLES {
            let message = format!("a face has {} vertices", corners.len());
            return Err(LevelProblem::new(message, "triangulate the faces when exporting"));
        }
        let points: Vec<DVec3> =
            corners.iter().map(|&corner| self.parts.level.vertices[corner as usize]).collect();
        for triangle in triangulate(&points) {
            self.parts.add(triangle.map(|i| corners[i]))?;
        }
        self.corners = corners;
        Ok(())
    }

    /// The vertex of a corner such as `3/1/2`. Numbers begin at 1; negative ones count from the last vertex back.
    fn index(&self, word: &str) -> Result<u32, LevelProblem> {
        let count = self.parts.level.vertices.len();
        let number = word.split('/').next().and_then(|number| number.parse::<i64>().ok());
        let index = match number {
            Some(0) | None => None,
            Some(number @ ..0) => Some(number.saturating_add(count as i64)),
            Some(number) => Some(number - 1),
        };
        let triangle = self.parts.level.objects.last().map_or(0, |(_, range)| range.len()) + 1;
        match index {
            Some(index) if (0..count as i64).contains(&index) => Ok(index as u32),
            Some(_) => Err(LevelProblem::new(
                format!("triangle {triangle} names vertex {}, but there are {count} so far", shown(word)),
                "the file may be cut off or edited: export the level again",
            )),
            None => Err(LevelProblem::new(
                format!("triangle {triangle} has \"{}\" for a vertex", shown(word)),
                "a vertex is a number from 1 on, or a negative one",
            )),
        }
    }
}

/// A line up to its comment, which begins anywhere; but in a name only after a blank.
fn without_comment(line: &str) -> &str {
    let is_name = matches!(line.split_whitespace().next(), Some("o" | "g"));
    let begins = |&(at, _): &(usize, &str)| !is_name || line[..at].ends_with(char::is_whitespace);
    line.match_indices('#').find(begins).map_or(line, |(at, _)| &line[..at])
}

/// The beginning of a text from the file.
fn shown(text: &str) -> String {
    let text = text.trim();
    let begin: String = text.chars().take(40).filter(|c| !c.is_control()).collect();
    if begin.len() < text.len() { begin + "..." } else { begin }
}
