//! The smallest sufficient set of items: a minimum hitting set, found with few oracle calls.

/// Up to this many items, the smallest set is searched for. It is found unless the oracle runs out of budget.
const MOST_EXACT: usize = 16;

/// A sufficient set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Enough {
    /// Its members, ascending.
    pub(super) members: Vec<usize>,
    /// Whether the set is known to be the smallest, and the lexicographically first of that size.
    pub(super) smallest: bool,
}

/// The smallest subset of `0..count` that suffices; ties go to the lexicographically first. Preconditions: the full
/// set suffices, and sufficiency is monotone (every superset of a sufficient set suffices). `ask` is the oracle:
/// whether a set suffices, or `None` once the budget is spent.
///
/// Candidates are tried by size and order. An insufficient candidate is grown to a maximal insufficient set. Every
/// sufficient set must hit the complement of that set, which is called a cut. Candidates that miss a cut are skipped
/// without an oracle call. Above [`MOST_EXACT`] items, members are dropped one by one instead.
pub(super) fn smallest(count: usize, mut ask: impl FnMut(&[bool]) -> Option<bool>) -> Enough {
    let mut best = drop_needless((0..count).collect::<Vec<_>>().as_slice(), &mut ask);
    if count > MOST_EXACT {
        let other = drop_needless((0..count).rev().collect::<Vec<_>>().as_slice(), &mut ask);
        if other.len() < best.len() {
            best = other;
        }
        return Enough { members: best, smallest: false };
    }
    match first_enough(count, best.len(), &mut ask) {
        Some(members) => Enough { members, smallest: true },
        None => Enough { members: best, smallest: false },
    }
}

/// Starts with the full set and, in the given `order`, drops each member whose removal leaves the set sufficient.
fn drop_needless(order: &[usize], ask: &mut impl FnMut(&[bool]) -> Option<bool>) -> Vec<usize> {
    let mut set = vec![true; order.len()];
    for &thing in order {
        set[thing] = false;
        match ask(&set) {
            Some(true) => {}
            Some(false) => set[thing] = true,
            None => {
                set[thing] = true;
                break;
            }
        }
    }
    (0..set.len()).filter(|&thing| set[thing]).collect()
}

/// The first sufficient set, by size and order. `None` if the oracle ran out of budget.
fn first_enough(
    count: usize,
    most: usize,
    ask: &mut impl FnMut(&[bool]) -> Option<bool>,
) -> Option<Vec<usize>> {
    // Complements of maximal insufficient sets: every sufficient set hits each of them.
    let mut cuts: Vec<Vec<bool>> = Vec::new();
    for size in 0..=most {
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            if cuts.iter().all(|cut| chosen.iter().any(|&thing| cut[thing])) {
                let mut set = vec![false; count];
                chosen.iter().for_each(|&thing| set[thing] = true);
                if ask(&set)? {
                    return Some(chosen);
                }
                for thing in 0..count {
                    if !set[thing] {
                        set[thing] = true;
                        set[thing] = !ask(&set)?;
                    }
                }
                cuts.push(set.iter().map(|member| !member).collect());
            }
            if !next_of_its_size(&mut chosen, count) {
                break;
            }
        }
    }
    None
}

/// Advances an ascending choice out of `0..count` to the next choice of the same size. False if it was the last
/// choice.
fn next_of_its_size(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    let Some(place) = (0..size).rev().find(|&place| chosen[place] < count - size + place) else {
        return false;
    };
    let first = chosen[place] + 1;
    chosen[place..].iter_mut().zip(first..).for_each(|(member, value)| *member = value);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest set that contains one of the `ways`, and the number of oracle calls.
    fn solve(count: usize, ways: &[&[usize]]) -> (Enough, usize) {
        let mut asked = 0;
        let found = smallest(count, |set| {
            asked += 1;
            Some(ways.iter().any(|way| way.iter().all(|&thing| set[thing])))
        });
        (found, asked)
    }

    #[test]
    fn the_first_of_the_smallest_is_found() {
        let found = |count, ways: &[&[usize]]| solve(count, ways).0;
        let exactly = |members: &[usize]| Enough { members: members.into(), smallest: true };
        assert_eq!(found(0, &[&[]]), exactly(&[]));
        assert_eq!(found(3, &[&[]]), exactly(&[]), "nothing is needed");
        assert_eq!(found(3, &[&[0, 1], &[2]]), exactly(&[2]));
        assert_eq!(found(4, &[&[1, 2], &[0, 3]]), exactly(&[0, 3]), "of two, the first in order");
        assert_eq!(found(4, &[&[0, 1, 2, 3]]), exactly(&[0, 1, 2, 3]));
    }

    #[test]
    fn sixteen_doors_are_asked_about_a_few_times_only() {
        let ways: Vec<Vec<usize>> = (0..8).map(|way| vec![way, way + 8]).collect();
        let ways: Vec<&[usize]> = ways.iter().map(Vec::as_slice).collect();
        let (found, asked) = solve(16, &ways);
        assert_eq!(found, Enough { members: vec![0, 8], smallest: true });
        assert!(asked < 300, "of 65,536 sets, {asked}");
    }

    #[test]
    fn beyond_sixteen_it_is_enough_and_nothing_of_it_is_needless() {
        let (found, asked) = solve(40, &[&[0, 1, 2], &[37, 38]]);
        assert_eq!((found.smallest, asked), (false, 80));
        assert_eq!(found.members, [37, 38]);
        let (found, _) = solve(40, &[&[0, 1], &[36, 37, 38]]);
        assert_eq!(found.members, [0, 1], "from the other end");
    }

    #[test]
    fn cut_short_it_is_enough_all_the_same() {
        for most in 0..60 {
            let mut left = most;
            let found = smallest(6, |set| {
                left = std::primitive::i32::checked_sub(left, 1).filter(|&left| left >= 0)?;
                Some(set[1] && set[4] || set[0] && set[2] && set[3])
            });
            assert!([1, 4].iter().all(|thing| found.members.contains(thing)), "{most}: {found:?}");
            assert!(!found.smallest || found.members == [1, 4]);
        }
    }
}
