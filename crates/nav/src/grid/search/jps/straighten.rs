//! Straightens paths over nodes with four neighbours. Of many equally cheap paths, a search finds the one that goes
//! up or down first. Straightening replaces it with small steps near the straight line.

use crate::grid::{Grid, Node, QueryMask};

/// Nodes known as dead ends: a bit for each node, and the words that have any set. The memory is reused from path to
/// path; in between, no bit is set.
#[derive(Debug, Clone, Default)]
pub(super) struct DeadEnds {
    bits: Vec<u64>,
    touched: Vec<usize>,
}

/// The budget of straightening: steps tried for each node of the path. When it is used up, the rest of the path stays
/// as it is.
const PATIENCE: usize = 16;

/// Replaces the turns of a path by all its nodes. A stretch that is monotone along both axes is replaced by steps
/// close to the straight line. The path gets no longer.
pub(super) fn straighten(ground: &Grid, mask: &QueryMask, way: &mut Vec<Node>, dead: &mut DeadEnds) {
    let steps: u32 = way.windows(2).map(|pair| steps_between(ground, pair[0], pair[1])).sum();
    straighten_within(ground, mask, way, dead, PATIENCE * steps as usize);
}

fn straighten_within(
    ground: &Grid,
    mask: &QueryMask,
    way: &mut Vec<Node>,
    dead: &mut DeadEnds,
    mut patience: usize,
) {
    // The nodes are appended after the turns, so that no other list is needed.
    let turns = way.len();
    way.extend(way.first().copied());
    let mut at = 0;
    while at + 1 < turns {
        let ahead = at + furthest_ahead(ground, &way[at..turns]).max(1);
        let ends = (way[at], way[ahead]);
        if ahead == at + 1 || !climb(ground, mask, ends, way, dead, &mut patience) {
            (at..ahead).for_each(|turn| go_straight(ground, way[turn], way[turn + 1], way));
        }
        at = ahead;
    }
    way.drain(..turns);
}

fn steps_between(ground: &Grid, one: Node, other: Node) -> u32 {
    let ((x, z), (to_x, to_z)) = (ground.column_and_row(one), ground.column_and_row(other));
    x.abs_diff(to_x) + z.abs_diff(to_z)
}

fn go_straight(ground: &Grid, from: Node, to: Node, way: &mut Vec<Node>) {
    let ((mut x, mut z), to) = (ground.column_and_row(from), ground.column_and_row(to));
    let towards = |at: u32, to: u32| at.wrapping_add_signed(to.cmp(&at) as i32);
    while (x, z) != to {
        (x, z) = (towards(x, to.0), towards(z, to.1));
        way.push(ground.node_in(x, z));
    }
}

/// The number of turns passed before the path goes back along an axis.
fn furthest_ahead(ground: &Grid, turns: &[Node]) -> usize {
    let mut signs = (0, 0);
    let leads_on = |sign: &mut i32, from: u32, to: u32| {
        let step = to.cmp(&from) as i32;
        *sign = if *sign == 0 { step } else { *sign };
        step == 0 || step == *sign
    };
    let mut steps =
        turns.windows(2).map(|pair| (ground.column_and_row(pair[0]), ground.column_and_row(pair[1])));
    let back = steps.position(|(from, to)| {
        !(leads_on(&mut signs.0, from.0, to.0) & leads_on(&mut signs.1, from.1, to.1))
    });
    back.unwrap_or(turns.len() - 1)
}

/// Goes from one node to another in monotone steps that stay as near to the straight line between them as possible. It
/// backtracks from dead ends. If the budget runs out, nothing is added.
fn climb(
    ground: &Grid,
    mask: &QueryMask,
    (from, to): (Node, Node),
    way: &mut Vec<Node>,
    dead: &mut DeadEnds,
    patience: &mut usize,
) -> bool {
    let begin = way.len();
    let (start, goal) = (ground.column_and_row(from), ground.column_and_row(to));
    let far = (u64::from(start.0.abs_diff(goal.0)), u64::from(start.1.abs_diff(goal.1)));
    let towards = |at: u32, to: u32| at.wrapping_add_signed(to.cmp(&at) as i32);
    let gone_to =
        |node: (u32, u32)| (u64::from(node.0.abs_diff(start.0)), u64::from(node.1.abs_diff(start.1)));
    let mut at = start;
    while at != goal && *patience > 0 {
        *patience -= 1;
        let (gone_x, gone_z) = gone_to(at);
        let (x_next, z_next) = ((towards(at.0, goal.0), at.1), (at.0, towards(at.1, goal.1)));
        // The next step changes the column if the line leaves this column before this row.
        let steps = match (2 * gone_x + 1) * far.1 < (2 * gone_z + 1) * far.0 {
            true => [x_next, z_next],
            false => [z_next, x_next],
        };
        let leads_on = |&step: &(u32, u32)| {
            step != at && !dead.holds(ground.node_in(step.0, step.1)) && ground.is_joined(mask, at, step)
        };
        if let Some(step) = steps.into_iter().find(leads_on) {
            at = step;
            way.push(ground.node_in(at.0, at.1));
        } else if way.len() > begin {
            dead.add(ground.node_in(at.0, at.1));
            way.pop();
            at = if way.len() > begin { ground.column_and_row(way[way.len() - 1]) } else { start };
        } else {
            break;
        }
    }
    dead.clear();
    if at != goal {
        way.truncate(begin);
    }
    at == goal
}

impl DeadEnds {
    fn holds(&self, Node(node): Node) -> bool {
        self.bits.get(node as usize / 64).is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    fn add(&mut self, Node(node): Node) {
        let word = node as usize / 64;
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (node % 64);
        self.touched.push(word);
    }

    fn clear(&mut self) {
        while let Some(word) = self.touched.pop() {
            self.bits[word] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{GridCells, GroundSettings, Room, Sampling};
    use glam::DVec2;
    use std::sync::Arc;

    /// A ground with a node in each cell and four neighbours; `#` is a wall.
    fn ground(picture: &str) -> Grid {
        let rows: Vec<&[u8]> = picture.split_whitespace().map(str::as_bytes).collect();
        let (width, depth) = (rows[0].len() as u32, rows.len() as u32);
        let grid = GridCells::new(DVec2::ZERO, width, depth, |x, z| rows[z as usize][x as usize] != b'#');
        let sampling = Some(Sampling { rate_px: 1.0, eight: false, cover: false });
        let ground = GroundSettings { cell_size_m: 1.0, sampling, ..GroundSettings::default() };
        Grid::new(&Room { grid: Some(Arc::new(grid)), ground, ..Room::default() }).unwrap()
    }

    /// The picture with the path drawn in. The path goes through the `o`s in the order of their rows.
    fn drawn(picture: &str, patience: usize) -> String {
        let ground = ground(picture);
        let rows: Vec<Vec<char>> = picture.split_whitespace().map(|row| row.chars().collect()).collect();
        let mut way = Vec::new();
        for (z, row) in (0..).zip(&rows) {
            way.extend((0..).zip(row).filter(|(_, mark)| **mark == 'o').map(|(x, _)| ground.node_in(x, z)));
        }
        straighten_within(&ground, &QueryMask::default(), &mut way, &mut DeadEnds::default(), patience);
        let mut rows = rows;
        rows.iter_mut().flatten().filter(|mark| **mark == 'o').for_each(|mark| *mark = '.');
        for node in way {
            let (x, z) = ground.column_and_row(node);
            rows[z as usize][x as usize] = '*';
        }
        rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
    }

    fn pictures(before: &str, after: &str, patience: usize) {
        let after: String = after.split_whitespace().map(|row| format!("{row}\n")).collect();
        assert_eq!(drawn(before, patience), after);
    }

    #[test]
    fn a_way_goes_along_the_straight_line() {
        pictures(
            "o......
             .......
             .......
             o.....o",
            "**.....
             .***...
             ...***.
             .....**",
            1000,
        );
    }

    #[test]
    fn a_dead_end_on_the_line_is_left_again() {
        let before = "o........
                      ......#..
                      ......#..
                      ......#..
                      ...####..
                      o.......o";
        let after = "**.......
                     .**...#..
                     ..*...#..
                     ..*...#..
                     ..*####..
                     ..*******";
        pictures(before, after, 1000);
        // Without budget the path stays as it was.
        let after = "*........
                     *.....#..
                     *.....#..
                     *.....#..
                     *..####..
                     *********";
        pictures(before, after, 10);
    }

    #[test]
    fn where_it_leads_back_it_turns() {
        let ground = ground("....\n.##.\n....");
        let turns = [(0, 0), (3, 0), (3, 2), (0, 2)].map(|(x, z)| ground.node_in(x, z));
        assert_eq!(furthest_ahead(&ground, &turns), 2);
        let mut way = turns.to_vec();
        straighten(&ground, &QueryMask::default(), &mut way, &mut DeadEnds::default());
        assert_eq!(way, ground.nodes_between(&turns));
    }
}
