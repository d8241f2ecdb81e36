//! The arrangement of closed curves: the same curves, cut and moved by a hair so that they meet at vertices only.

use super::buckets::for_each_square;
use super::lattice::{ON_EDGE_STEPS, crossing, dot, from_metres, is_beside};
use super::problem::BuildProblem;
use super::vertices::Vertices;
use glam::{DVec2, I64Vec2};

/// Upper limit on edges.
pub(super) const MAX_EDGES: usize = 2_000_000;

/// Rounds of cutting. The first finds nearly all crossings, and later ones what the moved pieces meet.
const MAX_ROUNDS: usize = 64;

/// A part of a closed curve between two vertices, the lower number first. Several curves may have the same edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Strand {
    pub(super) ends: (u32, u32),
    /// The number of the curve.
    pub(super) curve: u32,
    /// How often the curve runs from the first to the second vertex, minus how often it runs back. The winding number
    /// of the curve is greater by this on the left of the edge than on its right.
    pub(super) turns: i32,
}

/// The ends of an edge, and a vertex through which it has to pass.
type Cut = ((u32, u32), u32);

/// Closed curves on the lattice.
#[derive(Debug, Clone, Default)]
pub(super) struct Arrangement {
    vertices: Vertices,
    /// Sorted by ends and curve, each pair of these once.
    strands: Vec<Strand>,
}

impl Arrangement {
    /// Adds a closed curve. Several may have the same number; they count together.
    pub(super) fn add(&mut self, curve: u32, corners: &[DVec2]) {
        let vertices: Vec<u32> =
            corners.iter().map(|&corner| self.vertices.at(from_metres(corner))).collect();
        for (&from, &to) in vertices.iter().zip(vertices.iter().cycle().skip(1)) {
            self.add_strand(from, to, curve, 1);
        }
    }

    fn add_strand(&mut self, from: u32, to: u32, curve: u32, turns: i32) {
        if from < to {
            self.strands.push(Strand { ends: (from, to), curve, turns });
        } else if to < from {
            self.strands.push(Strand { ends: (to, from), curve, turns: -turns });
        }
    }

    /// The number of parts of curves.
    pub(super) fn len(&self) -> usize {
        self.strands.len()
    }

    /// The points of the vertices. Some are on no edge.
    pub(super) fn points(&self) -> &[I64Vec2] {
        self.vertices.points()
    }

    /// The parts of curves, sorted by ends. Those with the same ends are one edge.
    pub(super) fn strands(&self) -> &[Strand] {
        &self.strands
    }

    /// The edges, sorted.
    pub(super) fn edges(&self) -> Vec<(u32, u32)> {
        let mut edges: Vec<(u32, u32)> = self.strands.iter().map(|strand| strand.ends).collect();
        edges.dedup();
        edges
    }

    /// Cuts all edges where they cross or pass a vertex, until no two edges cross and no vertex is very near to an
    /// edge that it does not end. A cut moves an edge by a hair. The curves stay closed, so winding numbers are well
    /// defined whatever moved.
    ///
    /// This is iterated snap rounding (Halperin and Packer), with discs in place of pixels.
    pub(super) fn cut(&mut self) -> Result<(), BuildProblem> {
        self.join();
        for _ in 0..MAX_ROUNDS {
            let edges = self.edges();
            let mut cuts = self.cuts(&edges)?;
            if cuts.is_empty() {
                return Ok(());
            }
            self.order_cuts(&edges, &mut cuts);
            self.apply(&cuts);
            self.join();
            if self.strands.len() > MAX_EDGES {
                return Err(BuildProblem::TooManyEdges { of: None });
            }
        }
        Err(BuildProblem::TooDense)
    }

    /// The vertices through which edges have to pass: pairs of ends and a vertex.
    fn cuts(&mut self, edges: &[(u32, u32)]) -> Result<Vec<Cut>, BuildProblem> {
        let mut cuts = Vec::new();
        let mut crossings: Vec<(u32, u32, I64Vec2)> = Vec::new();
        let points = self.vertices.points();
        let at = |vertex: u32| points[vertex as usize];
        let mut used: Vec<u32> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
        used.sort_unstable();
        used.dedup();
        let boxes: Vec<(I64Vec2, I64Vec2)> =
            edges.iter().map(|&(a, b)| (at(a).min(at(b)), at(a).max(at(b)))).collect();
        let reach = ON_EDGE_STEPS.ceil() as i64;
        for_each_square(points, edges, &used, reach, |here, near| {
            for (i, &edge) in here.iter().enumerate() {
                let (a, b) = edges[edge as usize];
                let (low, high) = boxes[edge as usize];
                for &vertex in near {
                    let p = at(vertex);
                    let in_box = p.cmpge(low - reach).all() && p.cmple(high + reach).all();
                    if in_box && vertex != a && vertex != b && is_beside(at(a), at(b), p, ON_EDGE_STEPS) {
                        cuts.push(((a, b), vertex));
                    }
                }
                for &other in &here[i + 1..] {
                    let (other_low, other_high) = boxes[other as usize];
                    let (c, d) = edges[other as usize];
                    let apart = other_low.cmpgt(high).any() || low.cmpgt(other_high).any();
                    if apart || a == c || a == d || b == c || b == d {
                        continue;
                    }
                    if let Some(place) = crossing(at(a), at(b), at(c), at(d)) {
                        crossings.push((edge, other, place));
                    }
                }
            }
            // Most are found once or twice.
            match crossings.len().max(cuts.len()) > MAX_EDGES {
                true => Err(BuildProblem::TooManyEdges { of: None }),
                false => Ok(()),
            }
        })?;
        // First an edge passes the vertices on it. Perhaps it does not cross anything then. Else two lines that meet at
        // a small angle would cross again and again, a little farther each time.
        cuts.sort_unstable();
        let passes = |edge: u32| {
            let ends = edges[edge as usize];
            cuts.get(cuts.partition_point(|cut| cut.0 < ends)).is_some_and(|cut| cut.0 == ends)
        };
        crossings.retain(|&(one, other, _)| !passes(one) && !passes(other));
        crossings.sort_unstable_by_key(|&(one, other, _)| (one, other));
        crossings.dedup();
        for (one, other, place) in crossings {
            let vertex = self.vertices.at(place);
            for edge in [one, other] {
                let (a, b) = edges[edge as usize];
                if vertex != a && vertex != b {
                    cuts.push(((a, b), vertex));
                }
            }
        }
        Ok(cuts)
    }

    /// Sorts cuts by edge, and along each edge.
    fn order_cuts(&self, edges: &[(u32, u32)], cuts: &mut Vec<Cut>) {
        debug_assert!(edges.is_sorted());
        let points = self.vertices.points();
        let along = |&((a, b), vertex): &Cut| {
            let from = points[a as usize];
            dot(points[b as usize] - from, points[vertex as usize] - from)
        };
        cuts.sort_unstable_by_key(|cut| (cut.0, along(cut), cut.1));
        cuts.dedup();
    }

    /// Replaces strands by their pieces.
    fn apply(&mut self, cuts: &[Cut]) {
        let mut rest = cuts;
        for strand in std::mem::take(&mut self.strands) {
            let passed = rest.iter().take_while(|(ends, _)| *ends < strand.ends).count();
            rest = &rest[passed..];
            let mut from = strand.ends.0;
            for &(_, vertex) in rest.iter().take_while(|(ends, _)| *ends == strand.ends) {
                self.add_strand(from, vertex, strand.curve, strand.turns);
                from = vertex;
            }
            self.add_strand(from, strand.ends.1, strand.curve, strand.turns);
        }
    }

    /// Sorts the strands, and joins those of one curve that lie on each other.
    fn join(&mut self) {
        self.strands.sort_unstable();
        self.strands.dedup_by(|next, kept| {
            let same = (next.ends, next.curve) == (kept.ends, kept.curve);
            if same {
                kept.turns += next.turns;
            }
            same
        });
        self.strands.retain(|strand| strand.turns != 0);
    }
}
