//! Plans of a tactical level in letters: cells with what is on their borders, and the TU of those in reach.
//!
//! ```text
//! +----+----+----+        | - wall      ~ closed door   = open door   : only crouched
//! |@  0   2 /   4|        / stairs      > < v ^ drop    , edge        H ladder
//! +    +~~~~+    +        * the way, with the TU spent
//! ```

use super::key::{DOOR, Key};
use super::{CellKind, LevelPlan, Picture, PlanBorder, PlanCell, TextLook, clean};
use crate::tactics::Border;
use glam::DVec2;
use std::collections::BTreeMap;

/// The sign of a ladder. No character has this letter.
pub(super) const LADDER: char = 'H';

/// The signs of borders, with their meaning.
pub(super) const SIGNS: [(char, &str); 6] = [
    ('|', "wall"),
    (':', "only crouched"),
    ('/', "stairs"),
    ('>', "drop (also < v ^)"),
    (',', "edge"),
    (LADDER, "ladder"),
];

/// How a plan is laid out, the first that fits.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    /// Cells of some columns, with numbers.
    Numbers(usize),
    /// Cells of one column, with borders.
    Borders,
    /// A character for each square of so many cells.
    Blocks(usize),
}

impl Picture {
    /// A plan as text. Adds its marks, and the meaning of the letters.
    pub(super) fn plan_to_text(
        &self,
        plan: &LevelPlan,
        look: &TextLook,
        width_limit: usize,
        (key, marks): (&mut Key, &mut Vec<char>),
    ) -> String {
        key.used.insert(LADDER);
        key.of_levels = true;
        let letters = self.letters(plan, look, key);
        let part = part_of(plan, look.part);
        let columns = part[1][0] - part[0][0];
        let digits = plan.largest_number().map(|most| most.to_string().len());
        let numbers = digits.map(|digits| digits + 1);
        let layout = match numbers {
            Some(width) if columns * (width + 1) < width_limit => Layout::Numbers(width),
            _ if columns * 2 < width_limit => Layout::Borders,
            _ => Layout::Blocks(columns.div_ceil(width_limit)),
        };
        let text = match layout {
            Layout::Numbers(width) => with_borders(plan, part, width, &letters),
            Layout::Borders => with_borders(plan, part, 1, &letters),
            Layout::Blocks(block) => in_blocks(plan, part, block, &letters),
        };
        // A sign for each kind, whichever way it lies.
        let told = |c| match c {
            '<' | 'v' | '^' => Some('>'),
            '-' => Some('|'),
            '+' => None,
            c => Some(c),
        };
        marks.extend(text.chars().filter_map(told));
        for door in &plan.doors {
            let told = if door.open { &mut key.open } else { &mut key.closed };
            if !told.contains(&door.name) {
                told.push(clean(&door.name));
            }
        }
        text
    }

    /// The letters of characters and places, by cell.
    fn letters(&self, plan: &LevelPlan, look: &TextLook, key: &mut Key) -> BTreeMap<[usize; 2], char> {
        let mut letters = BTreeMap::new();
        let mut put = |at: DVec2, radius_m: f64, mark: char| {
            // One of 2 × 2 cells covers four.
            let reach = if radius_m > plan.cell_m / 2.0 { plan.cell_m / 2.0 } else { 0.0 };
            for corner in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
                if let Some((x, z)) = plan.cell_at(at + DVec2::from(corner) * reach) {
                    letters.insert([x, z], mark);
                }
            }
        };
        for (name, at) in self.points() {
            let letter = key.letter(name, char::to_ascii_lowercase, 'a'..='z');
            put(at, 0.0, letter);
            key.entries.push((letter, false, clean(name)));
        }
        for figure in self.figures() {
            let letter = match figure.player {
                true => '@',
                false => key.letter(&figure.name, char::to_ascii_uppercase, 'A'..='Z'),
            };
            put(figure.at, figure.radius_m, letter);
            let note = figure.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            let player = if figure.player { " (player)" } else { "" };
            let is_marked = look.marked.contains(&figure.name);
            key.entries.push((letter, is_marked, format!("{}{player}{note}", clean(&figure.name))));
        }
        letters
    }
}

/// The cells to show: the first column and row, and those behind the last.
fn part_of(plan: &LevelPlan, part: Option<(DVec2, DVec2)>) -> [[usize; 2]; 2] {
    let all = [[0, 0], [plan.width, plan.depth]];
    let Some((min, max)) = part else { return all };
    let (min, max) = (min - plan.origin_m, max - plan.origin_m);
    let index = |value: f64, most: usize| (value / plan.cell_m).clamp(0.0, most as f64) as usize;
    let [low, high] = [
        [index(min.x, plan.width), index(min.y, plan.depth)],
        [index(max.x + plan.cell_m * 0.999, plan.width), index(max.y + plan.cell_m * 0.999, plan.depth)],
    ];
    if low[0] < high[0] && low[1] < high[1] { [low, high] } else { all }
}

fn with_borders(
    plan: &LevelPlan,
    [[left, top], [right, bottom]]: [[usize; 2]; 2],
    width: usize,
    letters: &BTreeMap<[usize; 2], char>,
) -> String {
    // The border towards smaller coordinates is that of the cell before.
    let beside = |x: usize, z: usize| x.checked_sub(1).and_then(|before| plan.border(before, z, 0));
    let above = |x: usize, z: usize| z.checked_sub(1).and_then(|before| plan.border(x, before, 1));
    let mut lines: Vec<String> = Vec::new();
    for z in top..=bottom {
        let mut line = String::new();
        for x in left..=right {
            let sides = [
                z.checked_sub(1).and_then(|before| beside(x, before)),
                (z < plan.depth).then(|| beside(x, z)).flatten(),
                x.checked_sub(1).and_then(|before| above(before, z)),
                (x < plan.width).then(|| above(x, z)).flatten(),
            ];
            let is_wall = |side: &Option<PlanBorder>| *side == Some(PlanBorder::Plain(Border::Wall));
            line.push(if sides.iter().any(is_wall) { '+' } else { ' ' });
            if x < right {
                let sign = above(x, z).map_or(' ', |border| sign_of(border, true));
                line.extend(std::iter::repeat_n(sign, width));
            }
        }
        lines.push(line);
        if z == bottom {
            break;
        }
        let mut line = String::new();
        for x in left..=right {
            line.push(beside(x, z).map_or(' ', |border| sign_of(border, false)));
            if let Some(cell) = plan.cell(x, z).filter(|_| x < right) {
                line.push_str(&in_columns(cell, letters.get(&[x, z]).copied(), width));
            }
        }
        lines.push(line);
    }
    let text: String = lines.iter().map(|line| format!("{}\n", line.trim_end())).collect();
    format!("{}\n", text.trim_end_matches('\n'))
}

fn in_blocks(
    plan: &LevelPlan,
    [[left, top], [right, bottom]]: [[usize; 2]; 2],
    block: usize,
    letters: &BTreeMap<[usize; 2], char>,
) -> String {
    let mut text = String::new();
    for z in (top..bottom).step_by(block) {
        let mut line = String::new();
        for x in (left..right).step_by(block) {
            let all = || {
                (z..(z + block).min(bottom)).flat_map(|z| (x..(x + block).min(right)).map(move |x| [x, z]))
            };
            let letter = all().find_map(|at| letters.get(&at).copied());
            let on_way = all().any(|[x, z]| plan.cell(x, z).is_some_and(|cell| cell.spent.is_some()));
            let first = plan.cell(x, z).map_or(' ', mark_of);
            line.push(letter.unwrap_or(if on_way { '*' } else { first }));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The text of a cell: its mark, and its TU where there is room.
fn in_columns(cell: &PlanCell, letter: Option<char>, width: usize) -> String {
    let mark = letter.unwrap_or_else(|| mark_of(cell));
    let number = cell.spent.or(cell.tu.map(|(tu, _)| tu)).filter(|_| width > 1);
    match number {
        Some(number) => {
            let mark = if mark == '.' { ' ' } else { mark };
            format!("{mark}{number:>rest$}", rest = width - 1)
        }
        None => {
            let fill = if mark == '#' { '#' } else { ' ' };
            let before = width / 2;
            let fill = |count: usize| std::iter::repeat_n(fill, count);
            fill(before).chain([mark]).chain(fill(width - before - 1)).collect()
        }
    }
}

fn mark_of(cell: &PlanCell) -> char {
    match cell.kind {
        _ if cell.spent.is_some() => '*',
        _ if cell.ladder => LADDER,
        CellKind::Floor => '.',
        CellKind::Air => ' ',
        CellKind::Shut => '~',
        CellKind::Solid => '#',
    }
}

/// The sign of a border: of one that lies, or of one that stands.
fn sign_of(border: PlanBorder, lies: bool) -> char {
    match border {
        PlanBorder::Door { open: true } => DOOR,
        PlanBorder::Door { open: false } => '~',
        PlanBorder::Plain(border) => match border {
            Border::Free => ' ',
            Border::Low => ':',
            Border::Stairs { .. } => '/',
            Border::Edge => ',',
            Border::Wall if lies => '-',
            Border::Wall => '|',
            Border::Drop => {
                if lies {
                    'v'
                } else {
                    '>'
                }
            }
            Border::DropBack => {
                if lies {
                    '^'
                } else {
                    '<'
                }
            }
        },
    }
}
