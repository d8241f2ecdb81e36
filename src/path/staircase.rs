//! Ways over nodes with four neighbours that lead as straight as they can: of the many that cost the same, searches find the one that goes
//! up or down first.

use crate::space::{Cover, Ground, Node};

/// Makes the turns of a way all its nodes: between two of them, as far apart as can be, it goes in small steps along the straight line
/// where it can, and else as it turned. No way gets longer, as none of it leads back.
pub(super) fn straighten(ground: &Ground, cover: &Cover, way: &mut Vec<Node>) {
    // The nodes are put behind the turns, so that no other list is needed.
    let turns = way.len();
    way.extend(way.first().copied());
    let mut at = 0;
    while at + 1 < turns {
        let from = way[at];
        let furthest = furthest_ahead(ground, &way[at..turns]);
        let found = (2..=furthest).rev().find(|&ahead| climb(ground, cover, from, way[at + ahead], way));
        if found.is_none() {
            go_straight(ground, from, way[at + 1], way);
        }
        at += found.unwrap_or(1);
    }
    way.drain(..turns);
}

fn go_straight(ground: &Ground, from: Node, to: Node, way: &mut Vec<Node>) {
    let ((mut x, mut z), to) = (ground.column_and_row(from), ground.column_and_row(to));
    let towards = |at: u32, to: u32| at.wrapping_add_signed(to.cmp(&at) as i32);
    while (x, z) != to {
        (x, z) = (towards(x, to.0), towards(z, to.1));
        way.push(ground.node_in(x, z));
    }
}

/// How many of some turns are passed before the way leads back along an axis.
fn furthest_ahead(ground: &Ground, turns: &[Node]) -> usize {
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

/// Goes from one node to another along the straight line between them, if that is free; else nothing is added.
fn climb(ground: &Ground, cover: &Cover, from: Node, to: Node, way: &mut Vec<Node>) -> bool {
    let begin = way.len();
    let ((mut x, mut z), (to_x, to_z)) = (ground.column_and_row(from), ground.column_and_row(to));
    let (far_x, far_z) = (u64::from(x.abs_diff(to_x)), u64::from(z.abs_diff(to_z)));
    let (step_x, step_z) = (if to_x > x { 1 } else { -1 }, if to_z > z { 1 } else { -1 });
    let (mut gone_x, mut gone_z) = (0, 0);
    while (x, z) != (to_x, to_z) {
        // The next column is due before the next row if the line leaves this one's half first.
        let next = match (2 * gone_x + 1) * far_z < (2 * gone_z + 1) * far_x {
            true => (x.wrapping_add_signed(step_x), z),
            false => (x, z.wrapping_add_signed(step_z)),
        };
        if !ground.is_joined(cover, (2 * x, 2 * z), (2 * next.0, 2 * next.1)) {
            way.truncate(begin);
            return false;
        }
        (gone_x, gone_z) = (gone_x + u64::from(next.0 != x), gone_z + u64::from(next.1 != z));
        (x, z) = next;
        way.push(ground.node_in(x, z));
    }
    true
}
