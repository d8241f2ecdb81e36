//! Refuges from a threat: the nearest place far enough away from it, by a path that does not lead past it.

use crate::grid::{Grid, Node, Overlay};
use crate::nav::{Position, Refuge, Threat};
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A path may approach the threat down to this share of the distance at its start. This allows a turn in a corridor,
/// but not a way past the threat.
const NEARER_SHARE: f64 = 0.7;

/// Search limit: this many times `threat.distance_m`, plus this many metres. Without a refuge within it, the character
/// is cornered.
const LONGEST_WAY: (f64, f64) = (4.0, 10.0);

impl Grid {
    /// The refuge from a threat for a character at `from`. Candidates are the nodes far enough away whose shortest
    /// path does not lead past the threat. The one with the shortest path is taken; ties go to the lower node index.
    /// If there is none, it is the node farthest from the threat that such a path leads to. At most `most_work`
    /// expansions are spent. `None` where a character cannot walk.
    pub fn find_refuge(&self, from: DVec2, threat: Threat, most_work: u64) -> Option<Refuge> {
        let ground = self;
        let start = ground.node_at(from)?;
        let none = Overlay::default();
        let away_m = |point: DVec2| point.distance(threat.at.at);
        let keep_m = (away_m(from) * NEARER_SHARE).min(threat.distance_m / 2.0);
        let step_m = ground.frame().cell_size_m * ground.edge_unit_cells();
        let longest = (LONGEST_WAY.0 * threat.distance_m + LONGEST_WAY.1) / step_m;
        let mut best = (away_m(from), from);
        let mut work = 0;
        // For every reached node: the cost of the cheapest path so far, and whether that path keeps clear of the
        // threat.
        let mut reached: BTreeMap<Node, (f64, bool)> = BTreeMap::from([(start, (0.0, true))]);
        let mut open = BinaryHeap::from([Reverse((0_u64, start))]);
        let mut is_complete = true;
        while let Some(Reverse((cost_bits, node))) = open.pop() {
            let cost = f64::from_bits(cost_bits);
            let Some(&(least, clear)) = reached.get(&node) else { continue };
            if cost > least {
                continue;
            }
            if cost > longest || work >= most_work {
                is_complete = cost > longest;
                break;
            }
            work += 1;
            let point = ground.centre(node);
            let distance_m = away_m(point);
            if clear && distance_m >= threat.distance_m {
                return Some(Refuge { at: Position::on_ground(point), is_far: true, is_complete, work });
            }
            if clear && distance_m > best.0 {
                best = (distance_m, point);
            }
            ground.for_each_edge(node, &none, |to, step| {
                let known = reached.get(&to).copied();
                let reached_by = (cost + step, clear && away_m(ground.centre(to)) >= keep_m);
                if known.is_none_or(|(least, _)| reached_by.0 < least) {
                    reached.insert(to, reached_by);
                    // Costs are not negative, so their bits order as their values do.
                    open.push(Reverse((reached_by.0.to_bits(), to)));
                }
            });
        }
        Some(Refuge { at: Position::on_ground(best.1), is_far: false, is_complete, work })
    }
}
