//! Equal-cost detours: paths of the same cost that meet no character. Between two of its turns, a path over a grid may
//! take its straight and diagonal steps in any order. If another order of the same steps avoids the characters, it is
//! optimal: it costs the same as the shortest path without characters (path symmetry). So no second search is needed.
//!
//! The cells reachable in some order are computed row by row, 64 cells a word.

use crate::grid::{Grid, Node};
use crate::nav::Disc;

/// Scratch space for detours.
#[derive(Debug, Clone, Default)]
pub(super) struct Detour {
    free: Vec<u64>,
    reached: Vec<u64>,
    /// The turns of the current part, from its end back, without its first node.
    turns: Vec<Node>,
    work: u64,
}

impl Detour {
    /// A path with the same steps in another order that meets none of the obstacles. `met` lists the obstacles that
    /// `way` meets, by their indices. Both paths are given by the nodes in which they turn. Between these nodes they
    /// are straight or diagonal.
    pub(super) fn around(
        &mut self,
        ground: &Grid,
        way: &[Node],
        obstacles: &[Disc],
        met: &[u32],
    ) -> Option<Vec<Node>> {
        self.work = 0;
        let met: Vec<Disc> = met.iter().map(|&place| obstacles[place as usize]).collect();
        let mut other: Vec<Node> = way.first().copied().into_iter().collect();
        let mut at = 0;
        while at + 1 < way.len() {
            let end = at + octant_ends(ground, &way[at..]);
            let part = &way[at..=end];
            let (one, two) = (ground.centre(way[at]), ground.centre(way[end]));
            let within = (one.min(two), one.max(two));
            if ground.is_covered(
                part,
                &ground.overlay(ground.discs_in(&met, within).map(|place| &met[place as usize])),
            ) {
                let near = ground.discs_in(obstacles, within).map(|place| &obstacles[place as usize]);
                self.find(ground, &Strip::between(ground, way[at], way[end])?, near)?;
                other.extend(self.turns.iter().rev());
            } else {
                other.extend(&part[1..]);
            }
            at = end;
        }
        Some(other)
    }

    /// The number of words computed for the last path.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    fn find<'a>(
        &mut self,
        ground: &Grid,
        strip: &Strip,
        others: impl Iterator<Item = &'a Disc>,
    ) -> Option<()> {
        let Self { free, reached, .. } = self;
        let (rows, words) = (strip.diagonals as usize + 1, strip.words);
        self.work += (rows * words) as u64;
        free.clear();
        free.extend((0..rows * words).map(|index| strip.walkable(ground, index)));
        for disc in others {
            ground.for_each_under(disc, |node| {
                if let Some((row, bit)) = strip.place_of(ground.column_and_row(node)) {
                    free[row as usize * words + bit as usize / 64] &= !(1 << (bit % 64));
                }
            });
        }
        // The start is free, whatever covers it.
        free[0] |= 1 << START;
        reached.clear();
        reached.resize(rows * words, 0);
        reached[0] = 1 << START;
        for row in 0..rows {
            let (before, here) = reached.split_at_mut(row * words);
            let here = &mut here[..words];
            let free_here = &free[row * words..][..words];
            if row > 0 {
                let (last, free_last) = (&before[(row - 1) * words..], &free[(row - 1) * words..][..words]);
                for word in 0..words {
                    // A diagonal step needs the cells on both sides of it.
                    let ahead = free_last[word] >> 1 | free_last.get(word + 1).map_or(0, |next| next << 63);
                    let across = free_here[word] << 1 | if word > 0 { free_here[word - 1] >> 63 } else { 0 };
                    here[word] = last[word] & ahead & across & free_here[word];
                }
            }
            let mut carry = false;
            for word in 0..words {
                // A carry chain: a reached bit, added to the free bits, flips all free bits after it up to the first
                // blocked one.
                let free = free_here[word] & strip.inside(word);
                let (sum, over) = free.overflowing_add(here[word]);
                let (sum, more) = sum.overflowing_add(u64::from(carry));
                here[word] |= free & !sum;
                carry = over | more;
            }
        }
        strip.has(reached, strip.diagonals, strip.end()).then(|| self.trace(ground, strip))
    }

    /// Traces the detour back from its end. Where both steps are possible, it keeps its direction.
    fn trace(&mut self, ground: &Grid, strip: &Strip) {
        let Self { free, reached, turns, .. } = self;
        turns.clear();
        let (mut row, mut bit) = (strip.diagonals, strip.end());
        let mut came = None;
        while (row, bit) != (0, START) {
            let straight = bit > START && strip.has(reached, row, bit - 1);
            let diagonal = row > 0
                && strip.has(reached, row - 1, bit)
                && strip.has(free, row - 1, bit + 1)
                && strip.has(free, row, bit - 1);
            let diagonally = if straight && diagonal { came.unwrap_or(true) } else { diagonal };
            if came != Some(diagonally) {
                turns.push(strip.node_at(ground, row, bit));
                came = Some(diagonally);
            }
            (row, bit) = if diagonally { (row - 1, bit) } else { (row, bit - 1) };
        }
    }
}

/// The cells reachable between two nodes by straight steps in one direction and diagonal steps in the adjacent
/// diagonal direction (45 degrees away). Row n holds the cells after n diagonal steps. Each row has one more cell
/// before the first reachable cell and one after the last.
struct Strip {
    from: (i64, i64),
    /// Whether straight steps go along a row of the grid; else they go along a column.
    along_row: bool,
    /// Sign of one step along the straight axis and along the other axis.
    step: (i64, i64),
    straights: u32,
    diagonals: u32,
    /// Words in a row.
    words: usize,
}

/// The bit of the first reachable cell of a row.
const START: u32 = 1;

impl Strip {
    /// `None` if the path is purely straight or purely diagonal.
    fn between(ground: &Grid, from: Node, to: Node) -> Option<Self> {
        let [from, to] = [from, to].map(|node| ground.column_and_row(node));
        let [from, to] = [from, to].map(|(x, z)| (i64::from(x), i64::from(z)));
        let (far_x, far_z) = (to.0 - from.0, to.1 - from.1);
        let along_row = far_x.abs() > far_z.abs();
        let (far, near) = if along_row { (far_x, far_z) } else { (far_z, far_x) };
        let (straights, diagonals) = ((far.abs() - near.abs()) as u32, near.unsigned_abs() as u32);
        let words = (straights as usize + 3).div_ceil(64);
        let step = (far.signum(), near.signum());
        (straights > 0 && diagonals > 0).then_some(Self {
            from,
            along_row,
            step,
            straights,
            diagonals,
            words,
        })
    }

    /// The bit of the last reachable cell of a row.
    fn end(&self) -> u32 {
        START + self.straights
    }

    fn has(&self, rows: &[u64], row: u32, bit: u32) -> bool {
        rows[row as usize * self.words + bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// The bits of a word of any row that stand for reachable cells.
    fn inside(&self, word: usize) -> u64 {
        let first = (word * 64) as u32;
        let before = if word == 0 { u64::MAX << START } else { u64::MAX };
        let behind = (self.end() + 1).saturating_sub(first);
        before & if behind < 64 { (1 << behind) - 1 } else { u64::MAX }
    }

    /// The walkable cells of a word, counted through all rows.
    fn walkable(&self, ground: &Grid, index: usize) -> u64 {
        let (row, first) = ((index / self.words) as i64, (index % self.words * 64) as i64);
        let (from, line) = if self.along_row { self.from } else { (self.from.1, self.from.0) };
        let line = line + self.step.1 * row;
        let nearest = first - i64::from(START) + row;
        match self.step.0 > 0 {
            true => ground.cells_along(self.along_row, line, from + nearest),
            false => ground.cells_along(self.along_row, line, from - nearest - 63).reverse_bits(),
        }
    }

    /// Row and bit of a cell of the grid.
    fn place_of(&self, (x, z): (u32, u32)) -> Option<(u32, u32)> {
        let (far_x, far_z) = (i64::from(x) - self.from.0, i64::from(z) - self.from.1);
        let (far, near) = if self.along_row { (far_x, far_z) } else { (far_z, far_x) };
        let row = near * self.step.1;
        let bit = far * self.step.0 - row + i64::from(START);
        let is_inside =
            (0..=i64::from(self.diagonals)).contains(&row) && (0..=i64::from(self.end() + 1)).contains(&bit);
        is_inside.then_some((row as u32, bit as u32))
    }

    fn node_at(&self, ground: &Grid, row: u32, bit: u32) -> Node {
        let along = self.step.0 * (i64::from(bit) - i64::from(START) + i64::from(row));
        let across = self.step.1 * i64::from(row);
        let (x, z) = if self.along_row { (along, across) } else { (across, along) };
        ground.node_in((self.from.0 + x) as u32, (self.from.1 + z) as u32)
    }
}

/// Index of the last turn up to which the path uses at most one straight and one diagonal direction, 45 degrees apart.
fn octant_ends(ground: &Grid, way: &[Node]) -> usize {
    let (mut straight, mut diagonal) = (None, None);
    let differs = way.windows(2).position(|pair| {
        let ((x, z), (to_x, to_z)) = (ground.column_and_row(pair[0]), ground.column_and_row(pair[1]));
        let step = (to_x.cmp(&x) as i32, to_z.cmp(&z) as i32);
        let is_diagonal = step.0 != 0 && step.1 != 0;
        let (own, other) = if is_diagonal { (&mut diagonal, straight) } else { (&mut straight, diagonal) };
        let fits = own.is_none_or(|own| own == step)
            && other.is_none_or(|other: (i32, i32)| other.0 * step.0 + other.1 * step.1 == 1);
        *own = Some(step);
        !fits
    });
    differs.unwrap_or(way.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nav::Position;
    use crate::room::{GridCells, GroundSettings, Room};
    use glam::{DVec2, dvec2};
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    type Cell = (i64, i64);

    fn ground(width: u32, depth: u32, is_walkable: impl Fn(u32, u32) -> bool) -> Grid {
        let grid = Some(Arc::new(GridCells::new(DVec2::ZERO, width, depth, is_walkable)));
        let ground = GroundSettings { cell_size_m: 1.0, ..GroundSettings::default() };
        Grid::new(&Room { grid, ground, ..Room::default() }).unwrap()
    }

    /// A character in the middle of a cell, covering only that cell.
    fn somebody((x, z): Cell) -> Disc {
        Disc { centre: Position::on_ground(dvec2(x as f64 + 0.5, z as f64 + 0.5)), radius_m: 0.3 }
    }

    /// The picture with the detour drawn in. The path turns in each `o`, row by row. `X` is a character, `#` a wall.
    fn drawn(picture: &str) -> Option<String> {
        let mut rows: Vec<Vec<char>> = picture.split_whitespace().map(|row| row.chars().collect()).collect();
        let ground =
            ground(rows[0].len() as u32, rows.len() as u32, |x, z| rows[z as usize][x as usize] != '#');
        let marked = |mark: char| -> Vec<Cell> {
            let cells =
                rows.iter().zip(0..).flat_map(|(row, z)| row.iter().zip(0..).map(move |(c, x)| (*c, (x, z))));
            cells.filter(|(c, _)| *c == mark).map(|(_, cell)| cell).collect()
        };
        let node = |&(x, z): &Cell| ground.node_in(x as u32, z as u32);
        let way: Vec<Node> = marked('o').iter().map(node).collect();
        let others: Vec<Disc> = marked('X').into_iter().map(somebody).collect();
        let met: Vec<u32> = (0..others.len() as u32).collect();
        let other = Detour::default().around(&ground, &way, &others, &met)?;
        rows.iter_mut().flatten().filter(|mark| **mark == 'o').for_each(|mark| *mark = '.');
        for node in ground.nodes_between(&other) {
            let (x, z) = ground.column_and_row(node);
            rows[z as usize][x as usize] = '*';
        }
        Some(rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect())
    }

    fn pictures(before: &str, after: &str) {
        let after: String = after.split_whitespace().map(|row| format!("{row}\n")).collect();
        assert_eq!(drawn(before).unwrap_or_default(), after);
    }

    #[test]
    fn steps_are_taken_in_another_order() {
        pictures(
            "o.......
             ........
             ..X.....
             ...o...o",
            "*****...
             .....*..
             ..X...*.
             .......*",
        );
        // Round a wall, with the fewest turns that pass both.
        pictures(
            "o...#...
             ........
             ..X.....
             ........
             ....o..o",
            "*...#...
             .****...
             ..X..*..
             ......*.
             .......*",
        );
        pictures(
            "...o
             ....
             .X..
             o...
             ....
             ....
             o...",
            "...*
             ...*
             .X.*
             ...*
             ..*.
             .*..
             *...",
        );
    }

    #[test]
    fn who_stands_at_a_turn_that_is_needed_is_not_passed_so() {
        let turn = "o..#...
                    ...#...
                    ..X#..o
                    ...o...";
        assert_eq!(drawn(turn), None);
        assert_eq!(drawn("o..X..o"), None, "there is but one order");
    }

    /// The reference: whether the end is reachable in some order of steps, computed cell by cell.
    fn can_come(
        from: Cell,
        (straight, straights): (Cell, i64),
        (diagonal, diagonals): (Cell, i64),
        is_free: impl Fn(Cell) -> bool,
    ) -> bool {
        let at = |along: i64, across: i64| {
            (
                from.0 + straight.0 * along + diagonal.0 * across,
                from.1 + straight.1 * along + diagonal.1 * across,
            )
        };
        let mut reached = BTreeSet::from([(0, 0)]);
        for across in 0..=diagonals {
            for along in 0..=straights {
                let cell = at(along, across);
                let ahead = reached.contains(&(along - 1, across));
                let before = at(along, across - 1);
                let sides =
                    is_free((before.0 + diagonal.0, before.1)) && is_free((before.0, before.1 + diagonal.1));
                if is_free(cell) && (ahead || reached.contains(&(along, across - 1)) && sides) {
                    reached.insert((along, across));
                }
            }
        }
        reached.contains(&(straights, diagonals))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn another_order_is_found_where_there_is_one(
            octant in 0..8_usize, straights in 1..150_i64, diagonals in 1..40_i64, walls in 0..12_usize,
            places in prop::collection::vec((-1..200_i64, -1..41_i64), 24), people in 1..12_usize,
        ) {
            const STRAIGHT: [Cell; 8] = [(1, 0), (1, 0), (-1, 0), (-1, 0), (0, 1), (0, 1), (0, -1), (0, -1)];
            const DIAGONAL: [Cell; 8] = [(1, 1), (1, -1), (-1, 1), (-1, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
            let (straight, diagonal) = (STRAIGHT[octant], DIAGONAL[octant]);
            let begin = (200, 200);
            let at = |along: i64, across: i64| {
                (begin.0 + straight.0 * along + diagonal.0 * across, begin.1 + straight.1 * along + diagonal.1 * across)
            };
            let end = at(straights, diagonals);
            // Most of them are near the strip.
            let mut cells = places.into_iter().map(|(along, across)| at(along % (straights + 2), across % (diagonals + 2)));
            let walls: BTreeSet<Cell> = cells.by_ref().take(walls).filter(|cell| ![begin, end].contains(cell)).collect();
            let people: BTreeSet<Cell> = cells.take(people).filter(|cell| *cell != begin).collect();
            let ground = ground(401, 401, |x, z| !walls.contains(&(i64::from(x), i64::from(z))));
            let is_free = |cell: Cell| cell == begin || !walls.contains(&cell) && !people.contains(&cell);
            let node = |(x, z): Cell| ground.node_in(x as u32, z as u32);
            let others: Vec<Disc> = people.iter().copied().map(somebody).collect();
            let strip = Strip::between(&ground, node(begin), node(end)).unwrap();
            let mut detour = Detour::default();
            let found = detour.find(&ground, &strip, others.iter()).is_some();
            prop_assert_eq!(found, can_come(begin, (straight, straights), (diagonal, diagonals), is_free));
            if found {
                let turns: Vec<Node> = [node(begin)].into_iter().chain(detour.turns.iter().rev().copied()).collect();
                let way: Vec<Cell> = ground.nodes_between(&turns).into_iter().map(|node| {
                    let (x, z) = ground.column_and_row(node);
                    (i64::from(x), i64::from(z))
                }).collect();
                prop_assert_eq!((way[0], way[way.len() - 1]), (begin, end));
                prop_assert_eq!(way.len() as i64, straights + diagonals + 1, "the same steps");
                for step in way.windows(2) {
                    let taken = (step[1].0 - step[0].0, step[1].1 - step[0].1);
                    prop_assert!(taken == straight || taken == diagonal);
                    prop_assert!(is_free(step[1]) && is_free((step[1].0, step[0].1)) && is_free((step[0].0, step[1].1)));
                }
            }
        }
    }
}
