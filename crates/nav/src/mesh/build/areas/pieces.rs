//! The pieces of area outlines, and the curves round them.

use super::arrange::Arrangement;
use super::lattice::to_metres;
use super::offset::grown;
use super::problem::BuildProblem;
use super::sides::sides;
use crate::nav::{AreaId, OutlinePiece};
use glam::DVec2;
use std::collections::BTreeMap;

/// A piece with the lines that it is made of.
pub(super) type Lined = (OutlinePiece, Vec<Vec<DVec2>>);

/// The pieces of the outlines of areas, each with the lines that it is made of. All lines between the same sets of
/// areas are one piece, because they are outer edges at the same times.
pub(super) fn pieces(areas: &Arrangement) -> Result<Vec<Lined>, BuildProblem> {
    let (edges, windings) = sides(areas)?;
    let within: Vec<Vec<AreaId>> = (windings.iter())
        .map(|windings| {
            let odd = windings.iter().filter(|(_, winding)| winding % 2 != 0);
            odd.map(|&(area, _)| AreaId(area as usize)).collect()
        })
        .collect();
    let mut edges_of: BTreeMap<OutlinePiece, Vec<(u32, u32)>> = BTreeMap::new();
    for edge in edges {
        let (one, other) = (&within[edge.left as usize], &within[edge.right as usize]);
        if one == other {
            continue;
        }
        // Which side is called left does not matter.
        let (left, right) = if one > other { (one, other) } else { (other, one) };
        let piece = OutlinePiece { left: left.clone(), right: right.clone() };
        edges_of.entry(piece).or_default().push(edge.ends);
    }
    let place = |vertex: &u32| to_metres(areas.points()[*vertex as usize]);
    let lines =
        |edges: Vec<(u32, u32)>| lines(&edges).iter().map(|line| line.iter().map(place).collect()).collect();
    Ok(edges_of.into_iter().map(|(piece, edges)| (piece, lines(edges))).collect())
}

/// The closed curve round a line at a distance.
pub(super) fn round_line(line: &[DVec2], reach_m: f64) -> Vec<DVec2> {
    let back = line.iter().rev().skip(1).take(line.len().saturating_sub(2));
    let there_and_back: Vec<DVec2> = line.iter().chain(back).copied().collect();
    grown(&there_and_back, reach_m)
}

/// Edges, joined to long lines. Each edge is in one line.
fn lines(edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut ways: BTreeMap<u32, Vec<(u32, usize)>> = BTreeMap::new();
    for (number, &(a, b)) in edges.iter().enumerate() {
        ways.entry(a).or_default().push((b, number));
        ways.entry(b).or_default().push((a, number));
    }
    let mut taken = vec![false; edges.len()];
    let mut lines = Vec::new();
    // Open lines first, from their ends.
    let (ends, rest): (Vec<u32>, Vec<u32>) = ways.keys().partition(|vertex| ways[vertex].len() % 2 == 1);
    for start in ends.into_iter().chain(rest) {
        loop {
            let mut line = vec![start];
            let mut vertex = start;
            while let Some(&(next, number)) = ways[&vertex].iter().find(|(_, number)| !taken[*number]) {
                taken[number] = true;
                line.push(next);
                vertex = next;
            }
            if line.len() == 1 {
                break;
            }
            lines.push(line);
        }
    }
    lines
}
