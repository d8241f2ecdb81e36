//! MovingAI scenario files: a line per query, with the length of its shortest path.
//!
//! `bucket map width height from_x from_z to_x to_z length`, separated by tabs or spaces, after a line `version 1`.

use cicerone::room::GridCells;

/// One query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Task {
    /// Its line in the file.
    pub(super) line: usize,
    pub(super) from: (u32, u32),
    pub(super) to: (u32, u32),
    /// Length of the shortest path, in cells. Some public files have 0 between different cells that no path joins.
    pub(super) optimum: f64,
}

impl Task {
    /// Whether no path is expected.
    pub(super) fn expects_no_way(&self) -> bool {
        self.optimum == 0.0 && self.from != self.to
    }

    /// Whether a length is the optimum within the file's precision: some files round to three digits, some to float
    /// precision.
    pub(super) fn agrees(&self, length: f64) -> bool {
        (length - self.optimum).abs() <= (self.optimum * 1e-3).max(0.006)
    }
}

/// A scenario file.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) tasks: Vec<Task>,
    /// The map that the first query names, without the folder.
    pub(super) map: String,
}

/// Reads a scenario file for a map. Errors are `file:line:column: words`.
pub(super) fn read(file: &str, text: &str, map: &GridCells) -> Result<Scenario, String> {
    let (mut tasks, mut map_name) = (Vec::new(), String::new());
    let text = text.trim_start_matches('\u{feff}'); // some editors add a byte order mark
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    for (index, (line, number)) in lines.enumerate() {
        let problem = |(column, words): (usize, String)| format!("{file}:{number}:{column}: {words}");
        if let Some(version) = line.trim_start().strip_prefix("version").filter(|_| index == 0) {
            if version.trim().parse() != Ok(1.0) {
                let words = format!("expected 'version 1', found 'version {}'", version.trim());
                return Err(problem((1, words)));
            }
            continue;
        }
        let (name, task) = task(line, number, map).map_err(problem)?;
        if tasks.is_empty() {
            map_name = name;
        }
        tasks.push(task);
    }
    if tasks.is_empty() {
        return Err(format!(
            "{file}: there is no query in it; expected lines like '0 arena.map 49 49 1 11 1 12 1'"
        ));
    }
    Ok(Scenario { tasks, map: map_name })
}

/// The name of the map, and the query.
fn task(line: &str, number: usize, map: &GridCells) -> Result<(String, Task), (usize, String)> {
    let column = |field: &str| 1 + line[..field.as_ptr() as usize - line.as_ptr() as usize].chars().count();
    // A map's name may contain spaces. If there are tabs, fields are split at tabs; else the numbers are counted from
    // the end.
    let tabs = line.trim().contains('\t');
    let fields: Vec<&str> = match tabs {
        true => line.trim().split('\t').map(str::trim).collect(),
        false => line.split_whitespace().collect(),
    };
    let Some(numbers) =
        fields.len().checked_sub(7).filter(|&at| at == 2 || at > 2 && !tabs).map(|at| &fields[at..])
    else {
        let words = format!(
            "expected 9 fields (bucket, map, width, height, from x, from y, to x, to y, length), found {}",
            fields.len()
        );
        return Err((1, words));
    };
    let whole = |at: usize| -> Result<u32, (usize, String)> {
        let field = numbers[at];
        field.parse().map_err(|_| (column(field), format!("expected a whole number, found '{field}'")))
    };
    let size = (whole(0)?, whole(1)?);
    if size != (map.width(), map.depth()) {
        let words = format!(
            "the query is for a map of {} × {} cells, and this one has {} × {}; --map FILE names another",
            size.0,
            size.1,
            map.width(),
            map.depth()
        );
        return Err((column(numbers[0]), words));
    }
    let cell = |at: usize| -> Result<(u32, u32), (usize, String)> {
        let (x, z) = (whole(at)?, whole(at + 1)?);
        if x < size.0 && z < size.1 {
            return Ok((x, z));
        }
        Err((column(numbers[at]), format!("{x}, {z} lies outside the map of {} × {} cells", size.0, size.1)))
    };
    let (from, to) = (cell(2)?, cell(4)?);
    let field = numbers[6];
    let optimum = field.parse().ok().filter(|length: &f64| length.is_finite() && *length >= 0.0);
    let optimum = optimum.ok_or_else(|| (column(field), format!("expected a length, found '{field}'")))?;
    let name = fields[1..fields.len() - 7].join(" ");
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    Ok((name, Task { line: number, from, to, optimum }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    fn lines(text: &str) -> Result<Vec<Task>, String> {
        scenario(text).map(|scenario| scenario.tasks)
    }

    fn scenario(text: &str) -> Result<Scenario, String> {
        read("m.scen", text, &GridCells::new(DVec2::ZERO, 8, 4, |_, _| true))
    }

    #[test]
    fn what_stands_before_the_queries_may_look_so_and_so() {
        for (text, map) in [
            ("\u{feff}version 1\n0 m 8 4 1 2 7 3 6.4", "m"),
            ("\n\nversion 1.0\n0 maps/dao/two words.map 8 4 1 2 7 3 6.4", "two words.map"),
            ("0 m 8 4 1 2 7 3 6.4", "m"),
        ] {
            assert_eq!(scenario(text).unwrap().map, map, "{text}");
        }
        let error = scenario("version 2\n0 m 8 4 1 2 7 3 6.4").unwrap_err();
        assert_eq!(error, "m.scen:1:1: expected 'version 1', found 'version 2'");
    }

    #[test]
    fn a_line_is_a_query() {
        let tasks = lines("version 1\n0\tmy map.map\t8\t4\t1\t2\t7\t3\t6.41421356\n\n").unwrap();
        assert_eq!(tasks, [Task { line: 2, from: (1, 2), to: (7, 3), optimum: 6.414_213_56 }]);
        assert!(tasks[0].agrees(6.42) && !tasks[0].agrees(6.43));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (line, told) in [
            ("0 m 8 4 1 2 7 3", "m.scen:2:1: expected 9 fields"),
            ("0\tm\t8\t4\t1\t2\t7\t3\t1\t1", "m.scen:2:1: expected 9 fields"),
            ("0 m 8 4 1 x 7 3 1", "m.scen:2:11: expected a whole number, found 'x'"),
            ("0 m 9 4 1 2 7 3 1", "m.scen:2:5: the query is for a map of 9 × 4 cells"),
            ("0 m 8 4 1 2 8 3 1", "m.scen:2:13: 8, 3 lies outside"),
            ("0 m 8 4 1 2 7 3 -1", "m.scen:2:17: expected a length, found '-1'"),
            ("0 m 8 4 1 2 7 3 nan", "m.scen:2:17: expected a length, found 'nan'"),
            ("", "m.scen: there is no query in it"),
        ] {
            let error = lines(&format!("version 1\n{line}")).unwrap_err();
            assert!(error.starts_with(told), "{error}");
        }
    }
}
