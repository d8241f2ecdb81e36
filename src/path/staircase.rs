//! Ways over nodes with four neighbours that lead as straight as they can: of the many that cost the same, searches find the one that goes
//! up or down first.

use crate::space::{Cover, Ground, Node};

/// What the way back from dead ends needs, kept from way to way.
#[derive(Debug, Clone, Default)]
pub(super) struct DeadEnds(Vec<u64>);

/// So many steps may be taken for each that is needed, before it goes as it turned.
const PATIENCE: u64 = 64;

/// Makes the turns of a way all its nodes. As long as it leads back along no axis it goes in small steps as near to the straight line as it
/// can, and no way gets longer by that.
pub(super) fn straighten(ground: &Ground, cover: &Cover, way: &mut Vec<Node>, dead: &mut DeadEnds) {
    // The nodes are put behind the turns, so that no other list is needed.
    let turns = way.len();
    way.extend(way.first().copied());
    let mut at = 0;
    while at + 1 < turns {
        let (from, furthest) = (way[at], furthest_ahead(ground, &way[at..turns]));
        let climbs = furthest > 1 && climb(ground, cover, (from, way[at + furthest]), way, dead);
        if !climbs {
            go_straight(ground, from, way[at + 1], way);
        }
        at += if climbs { furthest } else { 1 };
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

/// Goes from one node to another, only towards it, in steps that stay as near to the straight line between them as they can; out of dead ends
/// the last steps are taken back. If it takes too long nothing is added.
fn climb(
    ground: &Ground,
    cover: &Cover,
    (from, to): (Node, Node),
    way: &mut Vec<Node>,
    DeadEnds(dead): &mut DeadEnds,
) -> bool {
    let begin = way.len();
    let ((x, z), (to_x, to_z)) = (ground.column_and_row(from), ground.column_and_row(to));
    let (far_x, far_z) = (u64::from(x.abs_diff(to_x)), u64::from(z.abs_diff(to_z)));
    let node_at = |(gone_x, gone_z): (u64, u64)| {
        let go =
            |from: u32, to: u32, gone: u64| if to > from { from + gone as u32 } else { from - gone as u32 };
        (go(x, to_x, gone_x), go(z, to_z, gone_z))
    };
    let bit = |(gone_x, gone_z): (u64, u64)| {
        let index = gone_z * (far_x + 1) + gone_x;
        (index as usize / 64, 1 << (index % 64))
    };
    dead.clear();
    dead.resize(bit((far_x, far_z)).0 + 1, 0);
    let mut gone = (0, 0);
    for _ in 0..PATIENCE * (far_x + far_z) {
        if gone == (far_x, far_z) {
            return true;
        }
        let (x_next, z_next) = ((gone.0 + 1, gone.1), (gone.0, gone.1 + 1));
        // The next column is due before the next row if the line leaves this one's half first.
        let steps = match (2 * gone.0 + 1) * far_z < (2 * gone.1 + 1) * far_x {
            true => [x_next, z_next],
            false => [z_next, x_next],
        };
        let (here_x, here_z) = node_at(gone);
        let leads_on = |&step: &(u64, u64)| {
            let (word, mask) = bit(step);
            let (x, z) = node_at(step);
            dead[word] & mask == 0 && ground.is_joined(cover, (2 * here_x, 2 * here_z), (2 * x, 2 * z))
        };
        let next = steps.into_iter().filter(|step| step.0 <= far_x && step.1 <= far_z).find(leads_on);
        if let Some(step) = next {
            gone = step;
            let (x, z) = node_at(gone);
            way.push(ground.node_in(x, z));
            continue;
        }
        let (word, mask) = bit(gone);
        dead[word] |= mask;
        if way.len() == begin {
            return false;
        }
        way.pop();
        let last = if way.len() > begin { way[way.len() - 1] } else { from };
        let (last_x, last_z) = ground.column_and_row(last);
        gone = (u64::from(last_x.abs_diff(x)), u64::from(last_z.abs_diff(z)));
    }
    way.truncate(begin);
    false
}
