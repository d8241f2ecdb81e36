//! What lies between cells, for plans of a level: walls, doors, stairs and edges.

use super::region::Region;
use super::trace::{DIRECTIONS, Trace, back};
use super::{Actor, Cell, MoveKind, TacticalField};
use crate::room::{MAX_TACTICAL_LEVELS, Stance};
use std::sync::{Arc, OnceLock};

/// What an actor of one cell on foot finds between a cell and the next one on the same level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Border {
    /// Both ways are free.
    Free,
    /// Only actors that crouch get through.
    Low,
    /// A drop into the next cell, and no way back.
    Drop,
    /// The same the other way: out of the next cell into this one.
    DropBack,
    /// Stairs or a ramp to the level above, or below.
    Stairs {
        /// Whether the level is that above.
        up: bool,
    },
    /// There is room on both sides, but the step or the drop is too high.
    Edge,
    /// A wall.
    Wall,
}

/// What a cell is for an actor of one cell on foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Space {
    /// Without room.
    Solid,
    /// One falls through it.
    Air,
    /// One can stand there, or hold on to a ladder.
    Place,
}

/// A level as a plan shows it, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LevelView {
    /// Its cells.
    pub cells: Vec<Space>,
    /// What lies on their borders to the east and to the south. `None` where there is no place on either side, and at the
    /// edge of the level.
    pub borders: Vec<[Option<Border>; 2]>,
}

/// What was found out for plans. It is forgotten when the level changes.
#[derive(Debug, Clone, Default)]
pub(super) struct PlanMemory {
    levels: [OnceLock<Arc<LevelView>>; MAX_TACTICAL_LEVELS as usize],
    doors: OnceLock<Arc<[Door]>>,
}

/// A passage, or a cell, that an area opens and closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Door {
    /// The area, by its place in [`TacticalField::areas`].
    pub area: usize,
    /// The cell.
    pub cell: Cell,
    /// The direction of the passage, by its place in [`DIRECTIONS`]: 0 or 2. `None`: the brush fills the middle of the
    /// cell.
    pub direction: Option<usize>,
    /// Whether the area is open.
    pub is_open: bool,
}

/// The directions on foot from one cell, as bits.
#[derive(Debug, Clone, Copy, Default)]
struct Ways {
    is_place: bool,
    standing: u8,
    crouching: u8,
    up: u8,
    down: u8,
}

impl TacticalField {
    /// A level as a plan shows it. It is found out once, and again when the level changes. `None` above the highest level.
    pub fn view(&self, level: u32) -> Option<Arc<LevelView>> {
        let memory = self.plans.levels.get(level as usize)?;
        Some(memory.get_or_init(|| Arc::new(self.find_view(level))).clone())
    }

    fn find_view(&self, level: u32) -> LevelView {
        let [width, depth, _] = self.size();
        let cells = || (0..depth).flat_map(|y| (0..width).map(move |x| [x, y, level]));
        let ways: Vec<Ways> = cells().map(|cell| self.ways(cell)).collect();
        let at = |[x, y, _]: Cell| ways[(y * width + x) as usize];
        let border = |cell: Cell, direction: usize| {
            let [dx, dy] = DIRECTIONS[direction];
            let to = [cell[0] + dx as u32, cell[1] + dy as u32, level];
            (to[0] < width && to[1] < depth)
                .then(|| self.border((cell, at(cell)), (to, at(to)), direction))?
        };
        let borders = cells().map(|cell| [0, 2].map(|direction| border(cell, direction))).collect();
        let space = |cell: Cell| match at(cell).is_place {
            true => Space::Place,
            false if self.traces[0].at(cell).ceiling > 0 => Space::Air,
            false => Space::Solid,
        };
        LevelView { cells: cells().map(space).collect(), borders }
    }

    fn ways(&self, cell: Cell) -> Ways {
        let mut ways = Ways { is_place: self.is_place(cell, 1, false), ..Ways::default() };
        for stance in [Stance::Stand, Stance::Crouch].into_iter().filter(|_| ways.is_place) {
            for step in self.moves(cell, 1, &Actor::new(stance, 0)) {
                let MoveKind::Walk(direction) = step.kind else { continue };
                let bit = 1 << direction;
                match stance {
                    Stance::Stand => ways.standing |= bit,
                    Stance::Crouch => ways.crouching |= bit,
                }
                match step.to[2].cmp(&cell[2]) {
                    std::cmp::Ordering::Greater => ways.up |= bit,
                    std::cmp::Ordering::Less => ways.down |= bit,
                    std::cmp::Ordering::Equal => {}
                }
            }
        }
        ways
    }

    fn border(
        &self,
        (cell, here): (Cell, Ways),
        (to, there): (Cell, Ways),
        direction: usize,
    ) -> Option<Border> {
        let trace = &self.traces[0];
        let rooms = [cell, to].map(|cell| trace.at(cell).ceiling > 0);
        if !here.is_place && !there.is_place {
            // Mid-air on both sides, or solid: a plan of the level shows neither.
            return None;
        }
        let (out, back) = (1_u8 << direction, 1_u8 << back(direction));
        let gap = i32::from(trace.at(cell).gaps[direction]);
        let leads = |ways: u8, bit: u8| ways & bit != 0;
        for (up, mask) in [(true, [here.up, there.up]), (false, [here.down, there.down])] {
            if leads(mask[0], out) || leads(mask[1], back) {
                return Some(Border::Stairs { up });
            }
        }
        let any = |ways: Ways, bit: u8| leads(ways.standing | ways.crouching, bit);
        Some(match [any(here, out), any(there, back)] {
            [true, true] if leads(here.standing, out) || leads(there.standing, back) => Border::Free,
            [true, true] => Border::Low,
            [true, false] => Border::Drop,
            [false, true] => Border::DropBack,
            // A lintel that nobody gets under is a wall.
            [false, false] if rooms == [true, true] && gap >= self.settings.body_quants(true) => Border::Edge,
            [false, false] => Border::Wall,
        })
    }

    /// The passages and cells that each area opens and closes for actors of one cell, all other areas as they are.
    /// They are found out once, and again when the level changes.
    pub fn doors(&self) -> Arc<[Door]> {
        self.plans.doors.get_or_init(|| self.find_doors().into()).clone()
    }

    fn find_doors(&self) -> Vec<Door> {
        let mut doors = Vec::new();
        let mut switched = self.traces[0].clone();
        let mut is_open = self.is_open.clone();
        for area in 0..self.areas.len() {
            let rectangles = self.level.cells_of_area(area as u32, 1);
            is_open[area] = !self.is_open[area];
            switched.renew(&self.level, &self.settings, &is_open, &rectangles);
            let traces = [&self.traces[0], &switched];
            let [open, shut] = if self.is_open[area] { traces } else { [traces[1], traces[0]] };
            let mut of_area: Vec<(Cell, Option<usize>)> = Vec::new();
            // Passages from the cells before lead into them.
            let around = Region::of(&rectangles, [self.level.size[0], self.level.size[1]]).grown();
            for at in around.columns() {
                of_area.extend(passages_between(open, shut, at));
            }
            of_area.sort_unstable();
            let door = |(cell, direction)| Door { area, cell, direction, is_open: self.is_open[area] };
            doors.extend(of_area.into_iter().map(door));
            is_open[area] = self.is_open[area];
            switched.renew(&self.level, &self.settings, &is_open, &rectangles);
        }
        doors
    }

    /// Whether a ladder is in a cell.
    pub fn is_ladder(&self, cell: Cell) -> bool {
        self.ladder_facing(cell, 1).is_some()
    }
}

/// The cells of a column that are solid in one trace and have room in another one; and the passages to the east and to
/// the south that are blocked in the one and clear in the other, between cells that have room in both.
fn passages_between(open: &Trace, shut: &Trace, [x, y]: [u32; 2]) -> Vec<(Cell, Option<usize>)> {
    let has_room = |trace: &Trace, cell| trace.at(cell).ceiling > 0;
    let mut found = Vec::new();
    for cell in (0..open.size[2]).map(|z| [x, y, z]).filter(|&cell| has_room(open, cell)) {
        if !has_room(shut, cell) {
            found.push((cell, None));
            continue;
        }
        for direction in [0, 2] {
            let Some([x, y]) = open.beside([x, y], direction) else { continue };
            let is_blocked = shut.at(cell).gaps[direction] == 0 && open.at(cell).gaps[direction] > 0;
            if is_blocked && has_room(shut, [x, y, cell[2]]) {
                found.push((cell, Some(direction)));
            }
        }
    }
    found
}
