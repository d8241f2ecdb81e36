//! Links that lead to ground that one can only come back from the same way.

use crate::nav::LinkId;
use std::collections::BTreeMap;

/// A link on the components of the ground: its two ends. `None` if the ground does not tell.
pub(super) type Joins = (LinkId, [Option<u32>; 2]);

/// For each entry, whether its link cannot be part of a cheapest route between `ends`. The components are the nodes of a
/// graph, and the links its edges: links to a node without other links are taken away, again and again. Several entries
/// may be of one link, as its two directions are, if they follow each other.
pub(super) fn dead_ends(joins: &[Joins], ends: [Option<u32>; 2]) -> Vec<bool> {
    let mut links_at: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    let first_of_link =
        |index: usize| index.checked_sub(1).is_none_or(|before| joins[before].0 != joins[index].0);
    for index in (0..joins.len()).filter(|&index| first_of_link(index)) {
        // The other end of a link that is not known may be here, too.
        let [from, to] = joins[index].1;
        for component in [from.or(to), to.or(from)].into_iter().flatten() {
            links_at.entry(component).or_default().push(index);
        }
    }
    // Where a route begins or ends stays.
    // A round from a node back to it needs two links there.
    let is_end = |component: u32| ends[0] != ends[1] && ends.contains(&Some(component));
    let mut left: BTreeMap<u32, usize> = links_at.iter().map(|(&node, links)| (node, links.len())).collect();
    let mut bare: Vec<u32> =
        left.iter().filter(|&(&node, &left)| left == 1 && !is_end(node)).map(|(&node, _)| node).collect();
    let mut is_dead = vec![false; joins.len()];
    while let Some(node) = bare.pop() {
        let Some(&link) = links_at[&node].iter().find(|&&link| !is_dead[link]) else { continue };
        is_dead[link] = true;
        for other in joins[link].1.into_iter().flatten() {
            let Some(left) = left.get_mut(&other) else { continue };
            *left -= 1;
            if *left == 1 && !is_end(other) {
                bare.push(other);
            }
        }
    }
    for index in (1..joins.len()).filter(|&index| !first_of_link(index)) {
        is_dead[index] = is_dead[index - 1];
    }
    is_dead
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links that are left, by number, of links between components by letter; `?` is a place that does not tell.
    fn left(links: &[&str], ends: &str) -> Vec<usize> {
        let node = |letter: char| (letter != '?').then_some(letter as u32);
        let pair = |word: &str| {
            let mut letters = word.chars().map(node);
            [letters.next().unwrap(), letters.next().unwrap()]
        };
        let joins: Vec<Joins> = (0..).map(LinkId).zip(links.iter().map(|word| pair(word))).collect();
        let dead = dead_ends(&joins, pair(ends));
        (0..links.len()).filter(|&index| !dead[index]).collect()
    }

    #[test]
    fn only_what_lies_on_a_way_between_the_ends_is_left() {
        assert!(left(&["hr", "hs", "ht"], "hh").is_empty(), "roofs with one ladder each");
        assert_eq!(left(&["hr", "hr", "hs"], "hh"), [0, 1], "one may go up here and down there");
        assert_eq!(left(&["hr", "rs", "sh", "st"], "hh"), [0, 1, 2], "round over two roofs");
        assert_eq!(left(&["hr", "rs", "rt"], "hs"), [0, 1], "to a roof over another one");
        assert_eq!(left(&["hr", "rs", "hh"], "rr"), [2], "down and up the same ladder is no way");
        assert_eq!(left(&["h?", "hr"], "hh"), [0], "where the ground does not tell, all may be");
        assert!(left(&["ab", "cd"], "ac").is_empty(), "no way leads there");
    }

    #[test]
    fn the_directions_of_a_link_are_one() {
        let (there, back) = ([Some(0), Some(1)], [Some(1), Some(0)]);
        let joins = [(LinkId(4), there), (LinkId(4), back), (LinkId(5), there)];
        assert_eq!(dead_ends(&joins, [Some(0); 2]), [false; 3]);
        assert_eq!(dead_ends(&joins[..2], [Some(0); 2]), [true; 2]);
    }
}
