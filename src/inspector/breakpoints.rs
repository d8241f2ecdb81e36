//! Breakpoints stay with their lines when a script is saved.

use super::wire::Breakpoints;
use crate::project::MAX_SCRIPT_BYTES;
use crate::runtime::Runtime;
use std::collections::BTreeMap;

/// The texts of the scripts with breakpoints, as their lines are counted.
#[derive(Default)]
pub(super) struct BrokenTexts(BTreeMap<String, String>);

impl BrokenTexts {
    /// Keeps the texts of the files with breakpoints.
    pub(super) fn keep(&mut self, runtime: &Runtime, breakpoints: &Breakpoints) {
        self.0.retain(|file, _| breakpoints.iter().any(|(other, _)| other == file));
        for (file, _) in breakpoints {
            if !self.0.contains_key(file)
                && let Some(text) = read(runtime, file)
            {
                self.0.insert(file.clone(), text);
            }
        }
    }

    /// The breakpoints where their lines are now, after files were reloaded.
    pub(super) fn follow(&mut self, runtime: &Runtime, breakpoints: &Breakpoints) -> Breakpoints {
        let mut texts = BTreeMap::new();
        let followed = breakpoints.iter().map(|(file, line)| {
            let Some(before) = self.0.get(file) else { return (file.clone(), *line) };
            let now = texts.entry(file).or_insert_with(|| read(runtime, file));
            (file.clone(), now.as_ref().map_or(*line, |now| line_after(before, now, *line)))
        });
        let followed = followed.collect();
        let read = texts.into_iter().filter_map(|(file, text)| Some((file.clone(), text?)));
        self.0.extend(read);
        followed
    }
}

fn read(runtime: &Runtime, file: &str) -> Option<String> {
    let place = runtime.project().resolve(file).ok()?;
    let bytes = runtime.project().read(&place, MAX_SCRIPT_BYTES).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where a line is after an edit: the lines before and after what was edited are known; of those within, the nearest that
/// says the same.
fn line_after(before: &str, now: &str, line: u32) -> u32 {
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let index = (line as usize).saturating_sub(1);
    let Some(text) = before.get(index) else { return line };
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let head = same(&mut before.iter().zip(&now));
    if index < head {
        return line;
    }
    let most = before.len().min(now.len()) - head;
    let tail = same(&mut before.iter().rev().zip(now.iter().rev())).min(most);
    let to_number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
    if index >= before.len() - tail {
        return to_number(index + now.len() - before.len());
    }
    let edited = head..now.len() - tail;
    let alike = edited.clone().filter(|&other| now[other].trim() == text.trim());
    let nearest = alike.min_by_key(|other| other.abs_diff(index));
    to_number(nearest.unwrap_or_else(|| index.min(edited.end.saturating_sub(1).max(edited.start))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "one\ntwo\nthree\nfour\nfive\n";

    #[test]
    fn lines_are_followed() {
        for (now, wanted) in [
            (BEFORE, [1, 2, 3, 4, 5]),
            ("new\none\ntwo\nthree\nfour\nfive\n", [2, 3, 4, 5, 6]),
            ("one\ntwo\nnew\nnew\nthree\nfour\nfive\n", [1, 2, 5, 6, 7]),
            ("one\nfour\nfive\n", [1, 2, 2, 2, 3]),
            // A line that was edited stays where it was.
            ("one\ntwo\nthird\nfour\nfive\n", [1, 2, 3, 4, 5]),
            ("one\n  three\n  two\nfour\nfive\n", [1, 3, 2, 4, 5]),
            ("", [1, 1, 1, 1, 1]),
        ] {
            let lines = [1, 2, 3, 4, 5].map(|line| line_after(BEFORE, now, line));
            assert_eq!(lines, wanted, "{now}");
        }
        assert_eq!(line_after(BEFORE, "one\n", 99), 99, "there is no such line");
        assert_eq!(line_after("", "one\n", 1), 1);
    }
}
