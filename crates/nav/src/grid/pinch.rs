//! The bottleneck of the widest path over a grid.

use super::anchors::anchored_node;
use super::{Grid, Node, Reach};
use crate::nav::{Anchor, Pinch, Wall};
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

impl Grid {
    /// The bottleneck of the widest path between two anchors, and the work. The widest path has the greatest minimum
    /// clearance, as a share of the wanted clearance. `bare` is the same grid with zero clearance. `Some(None)` if no
    /// path leads over `bare`. `None` if `most_work` expansions do not suffice.
    ///
    /// The search is a flood from the start over all connected ground. Then the adjacent cell with the greatest share
    /// is added, and the flood continues from there.
    pub fn pinch(
        &self,
        bare: &Self,
        (from, to): (&Anchor, &Anchor),
        walls: &[Wall],
        most_work: u64,
    ) -> (Option<Option<Pinch>>, u64) {
        let mut work = Work { spent: 0, most: most_work };
        let Some(nodes) = anchored_node(from).zip(anchored_node(to)) else { return (Some(None), 0) };
        let found = match bare.nodes_joined(nodes, &mut work) {
            Some(true) => self.narrowest(bare, nodes, walls, &mut work).map(Some),
            Some(false) => Some(None),
            None => None,
        };
        (found, work.spent)
    }

    /// Whether a path leads from one node to another.
    fn nodes_joined(&self, (from, to): (Node, Node), work: &mut Work) -> Option<bool> {
        let mut reach = Reach::new(self, work.left());
        reach.spread(self, from, Some(to));
        work.pay(reach.work())?;
        Some(reach.holds(self, to))
    }

    fn narrowest(
        &self,
        bare: &Self,
        (start, goal): (Node, Node),
        walls: &[Wall],
        budget: &mut Work,
    ) -> Option<Pinch> {
        let ground = self;
        let mut reach = Reach::new(ground, budget.left());
        // For each narrow node: its share, and the narrow node it was reached from.
        let mut narrow: BTreeMap<Node, (f64, Option<Node>)> = BTreeMap::new();
        let mut rim = BinaryHeap::new();
        let mut from = (start, None);
        loop {
            let mut beside = Vec::new();
            let work = reach.work();
            reach.spread_to_rim(ground, bare, from.0, |node| beside.push(node));
            budget.pay(reach.work() - work)?;
            if reach.holds(ground, goal) {
                break;
            }
            for node in beside {
                if let std::collections::btree_map::Entry::Vacant(entry) = narrow.entry(node) {
                    budget.pay(1 + walls.len() as u64 / 16)?;
                    let share = share_at(ground.centre(node), walls);
                    // Shares are never negative, so their bits order as their values do. Of equal shares, the first
                    // found is nearest.
                    rim.push((share.to_bits(), Reverse(rim.len()), node));
                    entry.insert((share, from.1));
                }
            }
            loop {
                let (_, _, node) = rim.pop()?;
                if !reach.holds(ground, node) {
                    from = (node, Some(node));
                    break;
                }
            }
        }
        let mut way = Vec::new();
        while let Some((node, &(share, before))) = from.1.and_then(|node| Some((node, narrow.get(&node)?))) {
            way.push((node, share));
            from.1 = before;
        }
        let least = way.iter().map(|&(_, share)| share).min_by(f64::total_cmp)?;
        let tight: Vec<usize> = (0..way.len()).filter(|&i| way[i].1 <= least * (1.0 + 1e-9)).collect();
        // If the narrowest stretch is several nodes long, its middle is reported.
        let first = tight[0];
        let passage = tight.iter().zip(first..).take_while(|(place, index)| **place == *index).count();
        Some(Pinch { at: ground.centre(way[first + passage / 2].0), share: least })
    }
}

/// The work done, in expansions, and its limit.
struct Work {
    spent: u64,
    most: u64,
}

impl Work {
    fn left(&self) -> u64 {
        self.most.saturating_sub(self.spent)
    }

    fn pay(&mut self, work: u64) -> Option<()> {
        self.spent = self.spent.saturating_add(work);
        (self.spent <= self.most).then_some(())
    }
}

/// The smallest share of the wanted distance, over all walls.
fn share_at(point: DVec2, walls: &[Wall]) -> f64 {
    let shares = walls.iter().filter(|wall| wall.keep_off_m > 0.0);
    shares.map(|wall| wall.distance(point) / wall.keep_off_m).fold(1.0, f64::min)
}
