//! Links that lead to ground that one can only leave the same way.

use crate::nav::LinkId;
use std::collections::BTreeMap;

/// A link as an edge between components of the ground. `None` where the ground does not tell.
pub(super) type LinkEdge = (LinkId, [Option<u32>; 2]);

/// For each entry, whether its link is a dead end: no part of a cheapest route. The components of the ground are the nodes
/// of a graph, and the links its edges. Leaves are pruned, again and again, but for `kept`: what is left is the 2-core,
/// with the ways to what is kept. A route between two components keeps both. One that begins and ends in the same
/// component leaves it over one link and comes back over another, so that component is a leaf like any other.
///
/// Entries of one link, as its two directions are, follow each other.
pub(super) fn dead_ends(edges: &[LinkEdge], kept: &[u32]) -> Vec<bool> {
    let mut is_dead = vec![false; edges.len()];
    if edges.iter().any(|(_, ends)| ends.contains(&None)) {
        return is_dead;
    }
    let is_first = |index: usize| index.checked_sub(1).is_none_or(|before| edges[before].0 != edges[index].0);
    let mut edges_at: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for index in (0..edges.len()).filter(|&index| is_first(index)) {
        for component in edges[index].1.into_iter().flatten() {
            edges_at.entry(component).or_default().push(index);
        }
    }
    let mut degrees: BTreeMap<u32, usize> =
        edges_at.iter().map(|(&node, edges)| (node, edges.len())).collect();
    let is_leaf = |node: u32, degree: usize| degree == 1 && !kept.contains(&node);
    let mut leaves: Vec<u32> =
        degrees.iter().filter(|&(&node, &degree)| is_leaf(node, degree)).map(|(&node, _)| node).collect();
    while let Some(leaf) = leaves.pop() {
        let Some(&edge) = edges_at[&leaf].iter().find(|&&edge| !is_dead[edge]) else { continue };
        is_dead[edge] = true;
        for node in edges[edge].1.into_iter().flatten() {
            let Some(degree) = degrees.get_mut(&node) else { continue };
            *degree -= 1;
            if is_leaf(node, *degree) {
                leaves.push(node);
            }
        }
    }
    for index in (1..edges.len()).filter(|&index| !is_first(index)) {
        is_dead[index] = is_dead[index - 1];
    }
    is_dead
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links that are left, by number, of links between components by letter; `?` is a place that does not tell.
    fn left(links: &[&str], kept: &str) -> Vec<usize> {
        let node = |letter: char| (letter != '?').then_some(letter as u32);
        let pair = |word: &str| {
            let mut letters = word.chars().map(node);
            [letters.next().unwrap(), letters.next().unwrap()]
        };
        let edges: Vec<LinkEdge> = (0..).map(LinkId).zip(links.iter().map(|word| pair(word))).collect();
        let kept: Vec<u32> = kept.chars().map(|letter| letter as u32).collect();
        let dead = dead_ends(&edges, &kept);
        (0..links.len()).filter(|&index| !dead[index]).collect()
    }

    #[test]
    fn only_what_lies_on_a_way_between_the_ends_is_left() {
        assert!(left(&["hr", "hs", "ht"], "").is_empty(), "roofs with one ladder each");
        assert_eq!(left(&["hr", "hr", "hs"], ""), [0, 1], "one may go up here and down there");
        assert_eq!(left(&["hr", "rs", "sh", "st"], ""), [0, 1, 2], "round over two roofs");
        assert_eq!(left(&["hr", "rs", "rt"], "hs"), [0, 1], "to a roof over another one");
        assert_eq!(left(&["hr", "rs", "hh"], ""), [2], "down and up the same ladder is no way");
        assert_eq!(left(&["h?", "hr"], ""), [0, 1], "where the ground does not tell, all may be");
        assert!(left(&["ab", "cd"], "ac").is_empty(), "no way leads there");
    }

    #[test]
    fn the_directions_of_a_link_are_one() {
        let (there, back) = ([Some(0), Some(1)], [Some(1), Some(0)]);
        let edges = [(LinkId(4), there), (LinkId(4), back), (LinkId(5), there)];
        assert_eq!(dead_ends(&edges, &[]), [false; 3]);
        assert_eq!(dead_ends(&edges[..2], &[]), [true; 2]);
    }
}
