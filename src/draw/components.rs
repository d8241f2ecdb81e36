//! The connected components of a ground: its main part, and nodes that are cut off.

use crate::space::{Ground, Node, Overlay};
use glam::DVec2;

/// The connected component of each node.
#[derive(Debug)]
pub(super) struct Components {
    /// The component of each node; [`NONE`] where there is no node.
    of: Vec<u32>,
    main: u32,
    /// Whether the main part is that of the player, not merely the largest.
    pub(super) from_player: bool,
}

const NONE: u32 = u32::MAX;

impl Components {
    /// The main part contains the player's place, or is the largest if there is no player.
    pub(super) fn of(ground: &Ground, player: Option<DVec2>) -> Self {
        let nobody = Overlay::default();
        let mut of = vec![NONE; ground.node_limit()];
        let mut sizes: Vec<usize> = Vec::new();
        let mut waiting = Vec::new();
        for node in (0..ground.node_limit() as u32).map(Node).filter(|&node| ground.has_node(node)) {
            if of[node.0 as usize] != NONE {
                continue;
            }
            let component = sizes.len() as u32;
            of[node.0 as usize] = component;
            waiting.push(node);
            let mut size = 0;
            while let Some(node) = waiting.pop() {
                size += 1;
                ground.for_each_edge(node, &nobody, |to, _| {
                    if of[to.0 as usize] == NONE {
                        of[to.0 as usize] = component;
                        waiting.push(to);
                    }
                });
            }
            sizes.push(size);
        }
        let own = player.and_then(|at| ground.node_at(at)).map(|node| of[node.0 as usize]);
        let largest = || (0..sizes.len()).rev().max_by_key(|&component| sizes[component]);
        let main = own.or_else(|| largest().map(|component| component as u32)).unwrap_or(NONE);
        Self { of, main, from_player: own.is_some() }
    }

    /// Whether no path joins the node with the main part.
    pub(super) fn is_cut_off(&self, node: Node) -> bool {
        let component = self.of.get(node.0 as usize).copied().unwrap_or(NONE);
        component != NONE && component != self.main
    }
}
