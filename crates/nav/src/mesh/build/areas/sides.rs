//! Winding numbers on both sides of every edge of an arrangement.

use super::arrange::{Arrangement, Strand};
use super::problem::BuildProblem;
use super::triangles::{OUTSIDE, triangulate};
use std::collections::BTreeMap;

/// Upper limit on the entries of all windings together.
const MAX_ENTRIES: usize = 20_000_000;

/// For curves their winding numbers, where they are not 0; by curve.
pub(super) type Windings = Vec<(u32, i32)>;

/// An edge with the index of the winding numbers on its left and on its right, from its first vertex to its second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SidedEdge {
    pub(super) ends: (u32, u32),
    pub(super) left: u32,
    pub(super) right: u32,
}

/// The edges of an arrangement that was cut, and the winding numbers that occur.
pub(super) fn sides(arrangement: &Arrangement) -> Result<(Vec<SidedEdge>, Vec<Windings>), BuildProblem> {
    let edges = arrangement.edges();
    let triangles = triangulate(arrangement.points(), &edges)?;
    let mut flood = Flood::new(arrangement.strands());
    let mut windings_of = vec![OUTSIDE; triangles.len()];
    let mut sided: Vec<SidedEdge> = edges.iter().map(|&ends| SidedEdge { ends, left: 0, right: 0 }).collect();
    let mut open: Vec<usize> = Vec::new();
    // The outer face has no windings. Everything else is reached from there.
    for (t, triangle) in triangles.iter().enumerate() {
        for i in (0..3).filter(|&i| triangle.behind[i] == OUTSIDE) {
            if windings_of[t] == OUTSIDE {
                windings_of[t] = flood.across(0, triangle.edge(i))?;
                open.push(t);
            }
        }
    }
    while let Some(t) = open.pop() {
        let here = windings_of[t];
        for i in 0..3 {
            let (from, to) = triangles[t].edge(i);
            if let Ok(edge) = edges.binary_search(&(from.min(to), from.max(to))) {
                if from < to { sided[edge].left = here } else { sided[edge].right = here }
            }
            let behind = triangles[t].behind[i] as usize;
            if behind < triangles.len() && windings_of[behind] == OUTSIDE {
                windings_of[behind] = flood.across(here, (to, from))?;
                open.push(behind);
            }
        }
    }
    Ok((sided, flood.known))
}

/// The winding numbers found so far.
struct Flood<'a> {
    strands: &'a [Strand],
    known: Vec<Windings>,
    number_of: BTreeMap<Windings, u32>,
    entries: usize,
}

impl<'a> Flood<'a> {
    fn new(strands: &'a [Strand]) -> Self {
        Self { strands, known: vec![Vec::new()], number_of: BTreeMap::from([(Vec::new(), 0)]), entries: 0 }
    }

    /// The windings on the left of an edge, from those on its right.
    fn across(&mut self, right: u32, (from, to): (u32, u32)) -> Result<u32, BuildProblem> {
        let ends = (from.min(to), from.max(to));
        let start = self.strands.partition_point(|strand| strand.ends < ends);
        let here = self.strands[start..].iter().take_while(|strand| strand.ends == ends);
        let mut windings: Option<Windings> = None;
        for strand in here {
            let turns = if from < to { strand.turns } else { -strand.turns };
            let windings = windings.get_or_insert_with(|| self.known[right as usize].clone());
            match windings.binary_search_by_key(&strand.curve, |known| known.0) {
                Ok(at) if windings[at].1 + turns == 0 => {
                    windings.remove(at);
                }
                Ok(at) => windings[at].1 += turns,
                Err(at) => windings.insert(at, (strand.curve, turns)),
            }
        }
        let Some(windings) = windings else { return Ok(right) };
        if let Some(&number) = self.number_of.get(&windings) {
            return Ok(number);
        }
        self.entries += windings.len();
        if self.entries > MAX_ENTRIES {
            return Err(BuildProblem::TooDense);
        }
        let number = self.known.len() as u32;
        self.known.push(windings.clone());
        self.number_of.insert(windings, number);
        Ok(number)
    }
}
