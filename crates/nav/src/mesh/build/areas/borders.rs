//! The borders between covers, with as few vertices as possible.

use super::lattice::is_beside;
use super::sides::SidedEdge;
use glam::I64Vec2;

/// Vertices of a border within this distance of a straight line are dropped, in steps. It is half of the distance
/// that the arrangement keeps between edges and vertices, so that no other vertex changes sides.
const STRAIGHT_STEPS: f64 = 1.5;

/// Upper limit on vertices dropped in a row. It bounds the work on long straight lines.
const MAX_DROPPED: usize = 64;

/// The same borders without vertices that are on a straight line and that only two borders meet.
pub(super) fn straightened(points: &[I64Vec2], borders: &[SidedEdge]) -> Vec<SidedEdge> {
    let chains = chains(points, borders);
    let mut out: Vec<SidedEdge> = Vec::with_capacity(borders.len());
    for chain in &chains {
        let mut from = 0;
        while from + 1 < chain.vertices.len() {
            let mut to = from + 1;
            while to + 1 < chain.vertices.len()
                && to - from < MAX_DROPPED
                && is_straight(points, &chain.vertices[from..=to + 1])
            {
                to += 1;
            }
            out.push(chain.edge(from, to));
            from = to;
        }
    }
    out.sort_unstable_by_key(|edge| edge.ends);
    // Two chains never become one line, because vertices keep their distance. If they did, nothing would be dropped.
    if out.windows(2).any(|pair| pair[0].ends == pair[1].ends) {
        return borders.to_vec();
    }
    out
}

/// Whether all vertices between the first and the last are beside the line between these.
fn is_straight(points: &[I64Vec2], vertices: &[u32]) -> bool {
    let at = |vertex: u32| points[vertex as usize];
    let [first, between @ .., last] = vertices else { return true };
    between.iter().all(|&vertex| is_beside(at(*first), at(*last), at(vertex), STRAIGHT_STEPS))
}

/// Borders one after another. No other border meets the vertices between the first and the last.
struct Chain {
    vertices: Vec<u32>,
    left: u32,
    right: u32,
}

impl Chain {
    fn edge(&self, from: usize, to: usize) -> SidedEdge {
        let (from, to) = (self.vertices[from], self.vertices[to]);
        match from < to {
            true => SidedEdge { ends: (from, to), left: self.left, right: self.right },
            false => SidedEdge { ends: (to, from), left: self.right, right: self.left },
        }
    }
}

/// All borders as chains. A closed chain begins at its lowest vertex, which is a corner.
fn chains(points: &[I64Vec2], borders: &[SidedEdge]) -> Vec<Chain> {
    let mut at_vertex: Vec<(u32, usize)> = (borders.iter().enumerate())
        .flat_map(|(border, &SidedEdge { ends: (a, b), .. })| [(a, border), (b, border)])
        .collect();
    at_vertex.sort_unstable();
    let stars: Vec<&[(u32, usize)]> = at_vertex.chunk_by(|one, other| one.0 == other.0).collect();
    let star = |vertex: u32| stars[stars.partition_point(|star| star[0].0 < vertex)];
    let mut taken = vec![false; borders.len()];
    let mut chains = Vec::new();
    let mut walk = |start: u32, first: usize| {
        let mut chain = Chain { vertices: vec![start], left: 0, right: 0 };
        let mut border = first;
        let mut vertex = start;
        while !taken[border] {
            taken[border] = true;
            let SidedEdge { ends: (a, b), left, right } = borders[border];
            if chain.vertices.len() == 1 {
                (chain.left, chain.right) = if vertex == a { (left, right) } else { (right, left) };
            }
            vertex = if vertex == a { b } else { a };
            chain.vertices.push(vertex);
            if let [one, other] = *star(vertex)
                && vertex != start
            {
                border = if one.1 == border { other.1 } else { one.1 };
            }
        }
        if chain.vertices.len() > 1 {
            chains.push(chain);
        }
    };
    for star in stars.iter().filter(|star| star.len() != 2) {
        star.iter().for_each(|&(vertex, border)| walk(vertex, border));
    }
    // What is left are closed chains.
    let mut by_height: Vec<&(u32, usize)> = at_vertex.iter().collect();
    by_height.sort_by_key(|(vertex, _)| (points[*vertex as usize].y, points[*vertex as usize].x));
    by_height.into_iter().for_each(|&(vertex, border)| walk(vertex, border));
    chains
}
