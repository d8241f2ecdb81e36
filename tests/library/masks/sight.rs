//! A clear straight line is a way, whatever the nodes know; and paths, explanations and reachability say the same.

use super::graph::{Case, answer, case};
use crate::common::painted::{painted, png_from};
use crate::common::thousand;
use cicerone::internals::Planner;
use cicerone::nav::{Disc, Outcome, Path, Position, Progress, Query, Step};
use cicerone::plan::{LinkNet, explain_path};
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::World;
use glam::{DVec2, dvec2};
use proptest::prelude::*;

fn query(from: DVec2, to: DVec2, obstacles: &[Disc]) -> Query {
    Query::new(from, to).with_snap_m(8.0).with_obstacles(obstacles.to_vec())
}

/// The answer, found a slice of work at a time.
fn in_slices(ground: &Surface, query: Query, slice: u64) -> Path {
    let net = LinkNet::default();
    let mut planner = Planner::new(ground, &net, query, SearchMemory::default());
    while planner.advance(ground, &net, slice) == Progress::Running {}
    planner.finish(ground).0
}

/// Places spread over a mask, each of them anywhere in a pixel and in the middle of it.
fn places(case: &Case, spread: &[(f64, f64)]) -> Vec<DVec2> {
    let size = dvec2(f64::from(case.width), f64::from(case.depth));
    let at = |&(x, z): &(f64, f64)| dvec2(x, z) * size;
    spread.iter().flat_map(|place| [at(place), at(place).floor() + 0.5]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: thousand().cases / 5, ..thousand() })]

    #[test]
    fn a_clear_straight_line_is_a_way(case in case(), spread in prop::collection::vec((0.013..0.987, 0.013..0.987), 4)) {
        let (ground, oracle) = (Surface::new(&case.room()).unwrap(), case.oracle());
        let places = places(&case, &spread);
        let walkable = |at: &&DVec2| oracle.is_walkable(at.x as i64, at.y as i64);
        for &from in places.iter().filter(walkable) {
            for &to in places.iter().filter(walkable) {
                let path = answer(&ground, from, to);
                let leads = oracle.leads(from, to);
                prop_assert_eq!(path.outcome == Outcome::Complete, leads, "{} to {}: {:?}", from, to, &path);
                if oracle.sees(from, to) {
                    prop_assert_eq!(path.points(), [to], "{} to {}", from, to);
                    prop_assert!((path.length_m - from.distance(to)).abs() < 1e-9);
                    prop_assert_eq!(path.step, Step::Avoiding);
                    prop_assert!(path.cost_cells.is_finite() && path.cost_cells >= 0.0);
                }
                let why = explain_path(&ground, &query(from, to, &[]), &mut SearchMemory::default(), u64::MAX);
                let why = why.unwrap();
                prop_assert_eq!(why.is_complete(), leads, "{} to {}: {}", from, to, &why);
                if let Some(end) = path.waypoints.last().filter(|_| !ground.as_grid().unwrap().nodes_are_cells()) {
                    prop_assert_eq!(why.nearest, Some(*end), "{} to {}: {:?}", from, to, &path);
                }
                for slice in [1, 3] {
                    let sliced = in_slices(&ground, query(from, to, &[]), slice);
                    prop_assert_eq!(&sliced.waypoints, &path.waypoints);
                    let facts = |path: &Path| (path.outcome, path.cost_cells.to_bits());
                    prop_assert_eq!(facts(&sliced), facts(&path));
                }
            }
        }
    }
}

/// Two halls joined by a passage of one pixel that lies between two rows of nodes.
const SLIT: &str = "
    #############
    #....##....##
    #....##....##
    #..........##
    #....##....##
    #....##....##
    #############";

#[test]
fn through_a_slit_that_no_node_knows_people_walk_where_they_see() {
    let room = painted(&png_from(SLIT), r#", "sampleRate": 4"#);
    let world = World::new(room, 1).unwrap();
    let (from, to) = (dvec2(1.5, 3.5), dvec2(10.5, 3.5));
    let path = world.find_path(from, to);
    assert_eq!((path.outcome, path.points().as_slice()), (Outcome::Complete, &[to][..]));
    assert_eq!((path.length_m, path.cost_cells), (9.0, 9.0));
    let why = world.explain_path(from, to, u64::MAX).unwrap();
    assert!(why.is_complete() && why.nearest == Some(Position::on_ground(to)), "{why}");
}

/// Somebody in the slit is walked through, as there is no way round; somebody beside it is not in the way.
#[test]
fn somebody_in_the_line_of_sight_is_in_the_way() {
    let room = painted(&png_from(SLIT), r#", "sampleRate": 4"#);
    let ground = Surface::new(&room).unwrap();
    let answer = |x: f64, z: f64| {
        let disc = Disc { centre: Position::on_ground(dvec2(x, z)), radius_m: 0.6 };
        let path = in_slices(&ground, query(dvec2(1.5, 3.5), dvec2(10.5, 3.5), &[disc]), u64::MAX);
        (path.outcome, path.step)
    };
    assert_eq!(answer(6.0, 3.5), (Outcome::Complete, Step::Ignoring));
    assert_eq!(answer(6.0, 5.5), (Outcome::Complete, Step::Avoiding));
}

/// The nearest node in sight of the start stands alone; one in the hall below is in sight, too, and leads to the goal.
#[test]
fn a_node_in_sight_that_leads_on_counts_where_the_nearest_one_does_not() {
    let picture = "
        ##############
        ##############
        ##############
        ##############
        ####.#########
        ####..########
        #####.########
        ####..########
        ####.....#####
        ####.....#####
        ####.....#####";
    for more in ["", r#", "neighbours": 8"#] {
        let room = painted(&png_from(picture), &format!(r#", "sampleRate": 4{more}"#));
        let world = World::new(room, 1).unwrap();
        let (from, to) = (dvec2(5.4, 5.9), dvec2(8.5, 10.5));
        assert_eq!(world.find_path(from, to).outcome, Outcome::Complete, "{more}");
    }
}
