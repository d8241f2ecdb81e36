//! Ways that are painted, and fall between the nodes.

use super::graph::{Case, answer};
use cicerone::nav::{Outcome, Position};
use cicerone::plan::Hindrance;
use cicerone::surface::Surface;
use cicerone::world::World;
use glam::{DVec2, dvec2};

/// Two halls of 12 pixels, and a corridor of some pixels from one to the other, which may bend.
fn halls(width: u32, from_z: u32, bend: u32, rate: f64, eight: bool) -> Case {
    let (columns, depth) = (48, 24);
    let to_z = from_z + bend;
    let walkable = |x: u32, z: u32| {
        let in_hall = !(12..36).contains(&x) && z > 1 && z < 20;
        let along = |row: u32| (row..row + width).contains(&z);
        let down = (24..24 + width).contains(&x) && (from_z..to_z + width).contains(&z);
        in_hall || x < 24 + width && along(from_z) || x >= 24 && along(to_z) || bend > 0 && down
    };
    let inside = |x: u32, z: u32| {
        walkable(x, z) && (12..36).contains(&x) || (!(12..36).contains(&x) && z > 1 && z < 20)
    };
    let walkable = (0..depth).flat_map(|z| (0..columns).map(move |x| (x, z)));
    let walkable = walkable.map(|(x, z)| inside(x, z)).collect();
    Case { width: columns, depth, walkable, rate, eight, cover: false, pull: true }
}

const ENDS: (DVec2, DVec2) = (dvec2(3.5, 10.5), dvec2(44.5, 10.5));

/// Before, of 24 such corridors 12 were lost, and two of them told.
#[test]
fn a_corridor_is_found_or_told_with_the_rate_that_keeps_it() {
    let (mut found, mut told) = (0, 0);
    for rate in [2.0, 2.5, 3.0, 4.0, 5.0, 7.3, 40.0] {
        for (width, from_z, bend) in
            (1..=3).flat_map(|width| (4..8).flat_map(move |z| [0, 5, 6].map(|bend| (width, z, bend))))
        {
            for eight in [false, true] {
                let case = halls(width, from_z, bend, rate, eight);
                let room = case.room();
                let ground = Surface::new(&room).unwrap();
                let is_found = answer(&ground, ENDS.0, ENDS.1).outcome == Outcome::Complete;
                let name = format!("{width} pixels, row {from_z}, bend {bend}, rate {rate}, eight {eight}");
                let pocket = ground.pockets().is_some();
                let lost = ground.lost_ways();
                if is_found {
                    found += 1;
                    continue;
                }
                told += 1;
                assert!(pocket || lost.iter().any(|way| way.parts), "{name}: lost without a word");
                let explained = World::new(room, 1).unwrap().explain_path(ENDS.0, ENDS.1, u64::MAX).unwrap();
                let [Hindrance::Lost { at, sample_rate }] = explained.hindrances[..] else {
                    panic!("{name}: {explained}");
                };
                assert!(
                    ground.is_walkable(Position::on_ground(at)) && sample_rate < rate,
                    "{name}: {explained}"
                );
                for rate in [sample_rate, ground.rate_that_loses_none().unwrap()] {
                    let ground = Surface::new(&Case { rate, ..case.clone() }.room()).unwrap();
                    // Places without a node are told of separately.
                    if rate != sample_rate && ground.pockets().is_some() {
                        continue;
                    }
                    assert_eq!(
                        answer(&ground, ENDS.0, ENDS.1).outcome,
                        Outcome::Complete,
                        "{name}: now {rate}"
                    );
                }
            }
        }
    }
    assert!(found > 100 && told > 100, "{found} found, {told} told");
}

/// A short way that is lost beside a long one that is not.
#[test]
fn a_lost_way_is_told_where_a_long_way_round_is_left() {
    let walkable = |x: u32, z: u32| {
        let hall = !(8..32).contains(&x) && z < 60;
        hall || (50..58).contains(&z) || (5..7).contains(&z)
    };
    let walkable = (0..64).flat_map(|z| (0..40).map(move |x| walkable(x, z))).collect();
    let case = Case { width: 40, depth: 64, walkable, rate: 4.0, eight: false, cover: false, pull: true };
    let lost = Surface::new(&case.room()).unwrap().lost_ways();
    let [way] = lost[..] else { panic!("{lost:?}") };
    assert!(!way.parts && (8.0..32.0).contains(&way.at.x) && (5.0..7.0).contains(&way.at.y), "{way:?}");
    assert!(Surface::new(&Case { rate: 2.0, ..case }.room()).unwrap().lost_ways().is_empty());
}

/// The raw path was of 8 pixels, four of the nodes between them at 1.7.
#[test]
fn with_a_rate_that_is_no_whole_number_pixels_are_counted() {
    let walkable = (0..54).map(|pixel| pixel != 3 * 9 + 1).collect();
    let case = Case { width: 9, depth: 6, walkable, rate: 1.7, eight: false, cover: false, pull: false };
    let path = answer(&Surface::new(&case.room()).unwrap(), dvec2(1.5, 5.5), dvec2(1.5, 1.5));
    assert_eq!((path.outcome, path.cost_cells), (Outcome::Complete, 6.0), "{path:?}");
}
