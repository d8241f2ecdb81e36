//! Buckets that rows share, overfull buckets, and every search against a plain count.

use super::*;

#[test]
fn rows_side_by_side_share_no_bucket() {
    for bits in LEAST_BUCKETS.ilog2()..32 {
        let mask = (1_u64 << bits) - 1;
        let apart = |rows: i64| bucket(I64Vec2::new(0, rows), mask) as u64;
        for rows in [1, 2] {
            assert!((3..=mask - 2).contains(&apart(rows)), "{bits} bits, {rows} rows");
        }
    }
}

#[test]
fn of_an_overfull_bucket_the_next_sixteen_count() {
    let mut neighbours = Neighbours::default();
    neighbours.rebuild((0..40).map(|_| DVec2::splat(3.3)), 1.0);
    let (mut pairs, mut some) = (Vec::new(), Vec::new());
    neighbours.pairs(&[true; 40], &mut pairs);
    let next = |own: u32| (own + 1..40.min(own + 17)).map(move |other| (own, other));
    assert!((0..40).flat_map(next).eq(pairs.iter().copied()));
    let marked: Vec<bool> = (0..40).map(|index| index == 20).collect();
    neighbours.pairs(&marked, &mut some);
    let of_one = (4..20).map(|other| (other, 20)).chain((21..37).map(|other| (20, other)));
    assert!(of_one.eq(some.iter().copied()), "{some:?}");
}

#[test]
fn near_a_place_everyone_is_found_once() {
    // Few buckets for many squares, so that rows share buckets.
    let points: Vec<DVec2> = (0..90u32)
        .map(|i| DVec2::new(f64::from(i * 37 % 89) * 0.41 - 9.0, f64::from(i * 53 % 83) * 0.29 - 8.0))
        .collect();
    for (bucket_m, reach_m) in [(0.5, 1.1), (1.0, 2.9), (2.0, 3.0), (3.0, 11.0), (0.2, 3.0)] {
        let mut neighbours = Neighbours::default();
        neighbours.rebuild(points.iter().copied(), bucket_m);
        let mut moved = points.clone();
        for (index, point) in (0..).zip(&mut moved) {
            *point += DVec2::splat(if index % 2 == 0 { 0.07 } else { -0.07 });
            neighbours.shift(index, *point);
        }
        for &at in &points {
            let mut found = Vec::new();
            neighbours.near(at, reach_m, 0.1, |index| {
                let slot = neighbours.slot(index).unwrap();
                assert_eq!(neighbours.by_bucket().nth(slot), Some(index));
                found.push(index);
            });
            found.sort_unstable();
            let all =
                (0..).zip(&moved).filter(|(_, other)| at.distance_squared(**other) <= reach_m * reach_m);
            assert!(all.map(|(index, _)| index).eq(found), "buckets of {bucket_m} m, {reach_m} m round {at}");
            // Of nine rows, the first and the last share buckets.
            for squares in [2, 4] {
                let mut slots = Vec::new();
                neighbours.slots_round(neighbours.square(at), squares, |some| slots.extend(some));
                let of_slot: Vec<u32> = neighbours.by_bucket().collect();
                let mut found: Vec<u32> = slots.iter().map(|&slot| of_slot[slot]).collect();
                found.sort_unstable();
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "once each");
                let is_near = |index: &u32| points[*index as usize].distance(at) <= squares as f64 * bucket_m;
                assert!((0..90).filter(is_near).all(|index| found.binary_search(&index).is_ok()), "{at}");
            }
        }
    }
}

#[test]
fn finds_everyone_within_reach() {
    let points: Vec<DVec2> = (0..400u32)
        .map(|i| DVec2::new(f64::from(i * 37 % 101) * 0.31 - 9.0, f64::from(i * 53 % 97) * 0.29 - 8.0))
        .collect();
    let mut neighbours = Neighbours::default();
    neighbours.rebuild(points.iter().copied(), 0.9);
    let mut found = Vec::new();
    let (mut pairs, mut some) = (Vec::new(), Vec::new());
    neighbours.pairs(&[true; 400], &mut pairs);
    assert!(pairs.is_sorted());
    let all = || (0..400_u32).flat_map(|own| (own + 1..400).map(move |other| (own, other)));
    let are_near = |&(own, other): &(u32, u32)| points[own as usize].distance(points[other as usize]) <= 0.9;
    assert!(all().filter(are_near).eq(pairs.iter().copied()), "no more, no less");
    let marked: Vec<bool> = (0..400).map(|index| [3, 70, 71, 399].contains(&index)).collect();
    neighbours.pairs(&marked, &mut some);
    pairs.retain(|(own, other)| [3, 70, 71, 399].iter().any(|index| own == index || other == index));
    assert_eq!(some, pairs);
    for (&from, &to) in points.iter().zip(points.iter().skip(7)) {
        neighbours.along(from, to, 0.7, &mut found);
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "ascending, once each");
        for (index, &other) in points.iter().enumerate() {
            let near = distance_sq_to_segment(other, from, to) <= 0.49;
            assert!(!near || found.contains(&(index as u32)));
        }
    }
}
