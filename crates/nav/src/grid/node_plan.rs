//! A grid for drawings: its cells, the nodes and edges of a painted room, and the parts that are cut off from the
//! main part.

use super::{Grid, Node, Overlay};
use glam::DVec2;
use std::ops::Range;

/// The nodes without a path to the main part of the ground.
#[derive(Debug, Clone)]
pub struct CutOff {
    /// One entry per node, row-major.
    pub nodes: Vec<bool>,
    /// Whether the main part is the player's, and not just the largest one.
    pub from_player: bool,
}

/// The nodes of a painted room and the edges between them, in pixels: column and row.
#[derive(Debug, Clone)]
pub struct NodePlan {
    /// Every sampled pixel: whether it is a node, and whether the node is cut off.
    pub samples: Vec<([u32; 2], bool, bool)>,
    /// The edges: both ends, and whether they are cut off. Consecutive edges in one line are merged.
    pub edges: Vec<([u32; 2], [u32; 2], bool)>,
    /// Runs of walkable pixels that see no node: row, and columns.
    pub unseen: Vec<(u32, Range<u32>)>,
}

impl Grid {
    /// The nodes cut off from the player's place, or from the largest part if there is no player.
    pub fn cut_off(&self, player: Option<DVec2>) -> CutOff {
        let none = Overlay::default();
        let mut of = vec![None; self.node_limit()];
        let mut sizes: Vec<usize> = Vec::new();
        let mut waiting = Vec::new();
        for node in (0..self.node_limit() as u32).map(Node).filter(|&node| self.has_node(node)) {
            if of[node.0 as usize].is_some() {
                continue;
            }
            let component = sizes.len();
            of[node.0 as usize] = Some(component);
            waiting.push(node);
            let mut size = 0;
            while let Some(node) = waiting.pop() {
                size += 1;
                self.for_each_edge(node, &none, |to, _| {
                    if of[to.0 as usize].is_none() {
                        of[to.0 as usize] = Some(component);
                        waiting.push(to);
                    }
                });
            }
            sizes.push(size);
        }
        let own = player.and_then(|at| self.node_at(at)).and_then(|node| of[node.0 as usize]);
        let largest = || (0..sizes.len()).rev().max_by_key(|&component| sizes[component]);
        let main = own.or_else(largest);
        let nodes = of.into_iter().map(|component| component.is_some() && component != main).collect();
        CutOff { nodes, from_player: own.is_some() }
    }

    /// The walkable cells, row by row.
    pub fn walkable_cells(&self) -> Vec<bool> {
        let (width, depth) = (self.walkable.width(), self.walkable.depth());
        (0..depth).flat_map(|z| (0..width).map(move |x| self.walkable.get(x, z))).collect()
    }

    /// The nodes and edges of a painted room.
    pub fn node_plan(&self, cut_off: &CutOff) -> NodePlan {
        let is_cut = |node: Node| cut_off.nodes[node.0 as usize];
        let pixel = |node: Node| self.cell_of(node).to_array().map(|at| at as u32);
        let nodes = (0..self.node_limit() as u32).map(Node);
        let samples = nodes.map(|node| (pixel(node), self.has_node(node), is_cut(node))).collect();
        let (mut along, mut down, mut across) = (Vec::new(), Vec::new(), Vec::new());
        for (from, to) in self.edges() {
            let (a, b) = (pixel(from), pixel(to));
            let kind = match (a[0] == b[0], a[1] == b[1]) {
                (true, _) => &mut down,
                (_, true) => &mut along,
                _ => &mut across,
            };
            kind.push((a, b, is_cut(from)));
        }
        down.sort_unstable();
        let mut edges: Vec<([u32; 2], [u32; 2], bool)> = Vec::new();
        for straight in [along, down] {
            let first = edges.len();
            for (from, to, is_cut) in straight {
                match edges[first..].last_mut() {
                    Some((_, end, _)) if *end == from => *end = to,
                    _ => edges.push((from, to, is_cut)),
                }
            }
        }
        edges.extend(across);
        let unseen = self.pockets().iter().flat_map(|unseen| unseen.runs().collect::<Vec<_>>()).collect();
        NodePlan { samples, edges, unseen }
    }
}
