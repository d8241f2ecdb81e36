//! Single questions to the ground.

use super::{CELL_M, KINDS, Kind, ROOMS, Sample, explanation, for_each_pair, ground, path, sample};
use crate::geometry::border_distance;
use crate::nav::{Disc, Outcome, Position, Progress, Query, Region, Step};
use crate::plan::{Grounds, LinkNet, Moment, PathQueue, Planner, Urgency, find_path_traced};
use crate::room::Room;
use crate::surface::{SearchMemory, Surface};
use crate::world::next_random;
use glam::{DVec2, dvec2};

/// How much longer than the shortest path one over a kind of ground may be, as a share and in metres.
fn longer(kind: Kind) -> (f64, f64) {
    match kind {
        Kind::Mesh | Kind::AnyAngle => (0.0, 1e-9),
        Kind::Portals => (0.0, 0.1),
        Kind::Grid => (0.04, 2.0 * CELL_M),
        Kind::SampledFour | Kind::SampledEight => (0.08, 4.0 * CELL_M),
    }
}

/// Points spread over a room that lie clear of every border, by more than a cell.
fn clear_points(room: &Room, exact: &Surface) -> Vec<DVec2> {
    let (min, max) = exact.bounds();
    let along = |from: f64, to: f64| {
        (0..).map(move |i| from - 0.55 + 0.37 * f64::from(i)).take_while(move |at| *at < to + 0.6)
    };
    let all = along(min.y, max.y).flat_map(|z| along(min.x, max.x).map(move |x| dvec2(x, z)));
    let border_m = |at: DVec2| {
        let borders = room.areas.iter().map(|area| border_distance(&area.polygon, at));
        borders.fold(f64::INFINITY, f64::min)
    };
    all.filter(|&at| border_m(at) > 1.5 * CELL_M).collect()
}

#[test]
fn every_ground_knows_where_one_can_stand() {
    for picture in ROOMS {
        let Sample { room, .. } = sample(picture);
        let exact = ground(Kind::Mesh, &room);
        let points = clear_points(&room, &exact);
        assert!(points.iter().filter(|at| exact.is_walkable(**at)).count() > 20);
        for kind in KINDS {
            let ground = ground(kind, &room);
            for &at in &points {
                assert_eq!(ground.is_walkable(at), exact.is_walkable(at), "{kind:?} {at}");
                let areas = |ground: &Surface| -> Vec<String> {
                    let inside = ground.areas().filter(|&area| ground.area_contains(area, at));
                    inside.map(|area| ground.area_name(area).to_owned()).collect()
                };
                assert_eq!(areas(&ground), areas(&exact), "{kind:?} {at}");
                let closed = |ground: &Surface| ground.closed_area_over(at);
                assert_eq!(closed(&ground), closed(&exact), "{kind:?} {at}");
                let (near, best) = (ground.nearest(at, 9.0), exact.nearest(at, 9.0));
                let far = |near: Option<DVec2>| near.map_or(f64::INFINITY, |near| near.distance(at));
                let apart_m = if ground.is_walkable(at) { 2.0 * CELL_M } else { 3.0 * CELL_M };
                assert!(
                    (far(near.map(|found| found.at)) - far(best.map(|found| found.at))).abs() < apart_m,
                    "{kind:?} {at}: {near:?}, not {best:?}"
                );
                let away_m = far(near.map(|found| found.at));
                if ground.is_walkable(at) || (away_m - 0.5).abs() > 2.0 * CELL_M {
                    let snaps = ground.is_walkable(at) || away_m < 0.5;
                    assert_eq!(ground.anchor(at, 0.5).is_some(), snaps, "{kind:?} {at}");
                }
            }
        }
    }
}

#[test]
fn every_ground_has_the_same_straight_lines() {
    for picture in ROOMS {
        let Sample { room, .. } = sample(picture);
        let exact = ground(Kind::Mesh, &room);
        let points: Vec<DVec2> =
            clear_points(&room, &exact).into_iter().filter(|at| exact.is_walkable(*at)).collect();
        let shifts = [0.0, 0.12, -0.12].map(|by| [dvec2(by, 0.0), dvec2(0.0, by)]).concat();
        let (mut clear, mut blocked) = (0, 0);
        for (index, &from) in points.iter().enumerate().step_by(3) {
            for &to in points[index..].iter().step_by(5) {
                // A line that a little shift makes another one runs along a border: cells may see it otherwise.
                let says = |shift: &DVec2| exact.segment_clear(from + *shift, to + *shift);
                if shifts.iter().any(|shift| says(shift) != says(&shifts[0])) {
                    continue;
                }
                let expected = exact.segment_clear(from, to);
                *(if expected { &mut clear } else { &mut blocked }) += 1;
                for kind in KINDS {
                    let ground = ground(kind, &room);
                    assert_eq!(ground.segment_clear(from, to), expected, "{kind:?} {from} to {to}");
                    assert_eq!(ground.hidden_by(from, to).is_none(), expected, "{kind:?} {from} to {to}");
                    let blocked_at = ground.first_blocked(from, to);
                    assert_eq!(blocked_at == to, expected, "{kind:?} {from} to {to}: {blocked_at}");
                }
            }
        }
        assert!(clear > 5, "{clear} lines are clear, {blocked} blocked");
    }
}

#[test]
fn on_every_ground_moves_slide_along_walls_alike() {
    for picture in ROOMS {
        let Sample { room, .. } = sample(picture);
        let exact = ground(Kind::Mesh, &room);
        let points = clear_points(&room, &exact);
        let from = |at: &&DVec2| exact.is_walkable(**at);
        let mut slid = 0;
        for kind in KINDS {
            let ground = ground(kind, &room);
            for (number, &at) in points.iter().filter(from).enumerate() {
                let (sin, cos) = libm::sincos(number as f64 * 2.4);
                let to = at + dvec2(cos, sin) * 0.7;
                let ends = [&exact, &ground].map(|ground| ground.move_along(at, to).unwrap());
                let [best_m, end_m] = ends.map(|end| end.distance(to));
                assert!((best_m - end_m).abs() < 2e-3, "{kind:?} {at} to {to}: {ends:?}");
                assert!(ground.is_walkable(ends[1]), "{kind:?} {at} to {to}: {ends:?}");
                assert_eq!(best_m == 0.0, end_m == 0.0, "{kind:?} {at} to {to}: {ends:?}");
                slid += i32::from(end_m > 0.0);
            }
            let away = dvec2(-50.0, -50.0);
            assert_eq!(ground.move_along(away, away + 1.0), None, "{kind:?}");
            let at = points.iter().find(from).unwrap();
            for bad in [dvec2(f64::NAN, 0.0), dvec2(0.0, f64::NEG_INFINITY)] {
                assert_eq!(ground.move_along(*at, bad), None, "{kind:?}");
            }
        }
        assert!(slid > 20, "{slid}");
    }
}

#[test]
fn on_no_ground_a_line_leads_through_the_corner_where_two_areas_touch() {
    let Sample { room, .. } = sample(ROOMS[3]);
    for kind in KINDS {
        let ground = ground(kind, &room);
        let (a, c, corner) = (dvec2(8.5, 1.5), dvec2(9.5, 2.5), dvec2(9.0, 2.0));
        assert!(ground.segment_clear(a, a.lerp(corner, 0.8)), "{kind:?}");
        assert!(!ground.segment_clear(a, c) && !ground.segment_clear(c, a), "{kind:?}");
        assert!(ground.first_blocked(a, c).distance(corner) < 2.0 * CELL_M, "{kind:?}");
    }
}

#[test]
fn every_ground_finds_the_same_paths() {
    let mut kinds_of_ends = std::collections::BTreeSet::new();
    for_each_pair(|kind, ground, exact, from, to| {
        let query = Query::new(from, to);
        let (found, best) = (path(ground, &query), path(exact, &query));
        let words =
            |path: &crate::nav::Path| (path.outcome, path.reason, path.step, path.closed_area.clone());
        assert_eq!(words(&found), words(&best), "{kind:?} {from} to {to}");
        kinds_of_ends.insert(format!("{:?} {:?}", found.outcome, found.reason));
        let (share, more_m) = longer(kind);
        let most_m = best.length_m * (1.0 + share) + more_m;
        assert!(
            found.length_m <= most_m,
            "{kind:?} {from} to {to}: {} m, not {}",
            found.length_m,
            best.length_m
        );
        // Partial paths may end a cell earlier.
        let least_m = best.length_m - 4.0 * CELL_M;
        assert!(
            found.length_m >= least_m,
            "{kind:?} {from} to {to}: {} m, not {}",
            found.length_m,
            best.length_m
        );
        assert!((found.missed_by_m - best.missed_by_m).abs() < 3.0 * CELL_M, "{kind:?} {from} to {to}");
        let mut at = ground.anchor(from, query.snap_m).unwrap().at;
        for &next in &found.waypoints {
            assert!(ground.segment_clear(at, next), "{kind:?} {from} to {to}: from {at} to {next}");
            at = next;
        }
        // Nodes with eight neighbours need a search to know that no way leads there.
        let knows = kind != Kind::SampledEight || !ground.is_walkable(from) || !ground.is_walkable(to);
        let expected = exact.may_reach(from, to) || !knows;
        assert_eq!(ground.may_reach(from, to), expected, "{kind:?} {from} to {to}");
    });
    assert_eq!(kinds_of_ends.len(), 3, "{kinds_of_ends:?}");
}

#[test]
fn every_ground_gives_the_same_explanation() {
    let mut blamed = 0;
    for_each_pair(|kind, ground, exact, from, to| {
        let query = Query::new(from, to);
        let (why, best) = (explanation(ground, &query), explanation(exact, &query));
        assert_eq!(why.blocked_by(), best.blocked_by(), "{kind:?} {from} to {to}: {why}, not {best}");
        assert_eq!(why.is_complete(), best.is_complete(), "{kind:?} {from} to {to}: {why}, not {best}");
        assert_eq!(why.nearest.is_some(), best.nearest.is_some(), "{kind:?} {from} to {to}");
        let end = path(ground, &query).waypoints.last().copied().unwrap_or(Position::on_ground(from));
        assert!(
            why.nearest.unwrap().distance(end) < 1e-9,
            "{kind:?} {from} to {to}: {:?}, not {end}",
            why.nearest
        );
        blamed += usize::from(!why.blocked_by().is_empty());
    });
    assert!(blamed > 10, "{blamed}");
}

#[test]
fn every_ground_goes_round_characters_or_through_them() {
    let Sample { room, places } = sample(ROOMS[1]);
    let (from, to) = (places[0], places[3]);
    for kind in KINDS {
        let ground = ground(kind, &room);
        let ask = |obstacles: Vec<Disc>| path(&ground, &Query { obstacles, ..Query::new(from, to) });
        let open = ask(Vec::new());
        let aside = Disc { centre: Position::on_ground(dvec2(2.0, 1.5)), radius_m: 0.4 };
        let round = ask(vec![aside]);
        assert_eq!((round.outcome, round.step), (Outcome::Complete, Step::Avoiding), "{kind:?}");
        assert!(round.length_m >= open.length_m - 1e-9, "{kind:?}");
        let mut at = from;
        for &next in &round.waypoints {
            assert!(aside.lets_pass(at, next.at), "{kind:?}: from {at} to {next}");
            at = next.at;
        }
        // The door is as wide as the one that stands in it.
        let plug = Disc { centre: Position::on_ground(dvec2(4.5, 2.5)), radius_m: 0.7 };
        let through = ask(vec![plug]);
        assert_eq!((through.outcome, through.step), (Outcome::Complete, Step::Ignoring), "{kind:?}");
        assert!((through.length_m - open.length_m).abs() < 1e-9, "{kind:?}");
    }
}

#[test]
fn on_every_ground_a_door_that_opens_and_closes_leaves_the_ground_as_it_was() {
    let Sample { room, places } = sample(ROOMS[1]);
    for kind in KINDS {
        let mut toggled = ground(kind, &room);
        let door = toggled.area_named("D").unwrap();
        let query = Query::new(places[0], places[3]);
        let revision = toggled.revision();
        let state = |ground: &Surface| {
            let mut words = Vec::new();
            ground.for_each_state_word(|word| words.push(word));
            words
        };
        let before = state(&toggled);
        let change = toggled.set_area_available(door, false).unwrap();
        assert!((change.closed, change.opened) == (true, false), "{kind:?}");
        let middle = toggled.area_middle(door);
        assert!(middle.at.cmpge(change.min).all() && middle.at.cmple(change.max).all(), "{kind:?}");
        assert!(toggled.revision() > revision && state(&toggled) != before, "{kind:?}");
        assert_eq!(path(&toggled, &query).outcome, Outcome::Partial, "{kind:?}");
        assert_eq!(toggled.set_area_available(door, false), None, "{kind:?}");
        let mut closed = room.clone();
        closed.areas.iter_mut().find(|area| area.name == "D").unwrap().available = false;
        assert_eq!(state(&toggled), state(&ground(kind, &closed)), "{kind:?}: a full build");
        assert_eq!(state(&toggled.with_all_open()), before, "{kind:?}");
        let mut grounds = Grounds::new(toggled.clone());
        let (refused, _) = grounds.try_area_available(door, true, |_| false);
        assert!(!refused && path(&grounds, &query).outcome == Outcome::Partial, "{kind:?}");
        toggled.set_area_available(door, true);
        assert_eq!(state(&toggled), before, "{kind:?}");
        assert_eq!(path(&toggled, &query), path(&ground(kind, &room), &query), "{kind:?}");
    }
}

#[test]
fn on_every_ground_a_search_can_stop_and_go_on() {
    for_each_pair(|kind, ground, _, from, to| {
        let query = Query {
            obstacles: vec![Disc { centre: Position::on_ground(from.midpoint(to)), radius_m: 0.3 }],
            ..Query::new(from, to)
        };
        let whole = path(ground, &query);
        let mut planner = Planner::new(ground, &LinkNet::default(), query.clone(), SearchMemory::default());
        let mut turns = 0;
        while planner.advance(ground, &LinkNet::default(), 2) == Progress::Running {
            turns += 1;
            if turns % 3 == 0 {
                planner = Planner::restore(
                    ground,
                    &LinkNet::default(),
                    planner.state(ground, &LinkNet::default()),
                    SearchMemory::default(),
                );
            }
            assert!(turns < 100_000, "{kind:?} {from} to {to}");
        }
        let (mut sliced, _) = planner.finish(ground);
        sliced.expansions = whole.expansions; // those of earlier rounds are not saved
        assert_eq!(sliced, whole, "{kind:?} {from} to {to}");
        let (traced, trace) = find_path_traced(ground, query, &mut SearchMemory::default());
        assert_eq!(traced, whole);
        assert!(trace.points.len() >= traced.waypoints.len(), "{kind:?} {from} to {to}");
    });
}

/// All paths of a room at once, in the slices of a queue with a random budget each tick.
#[test]
fn on_every_ground_fifty_random_slicings_change_no_path() {
    let mut stream = 11;
    for picture in ROOMS {
        let Sample { room, places } = sample(picture);
        let pairs = places.iter().flat_map(|from| places.iter().map(move |to| Query::new(*from, *to)));
        let queries: Vec<Query> = pairs.collect();
        for kind in KINDS {
            let ground = ground(kind, &room);
            let expected: Vec<_> = queries.iter().map(|query| path(&ground, query)).collect();
            let net = LinkNet::default();
            for slicing in 0..50 {
                let mut queue = PathQueue::default();
                (0..queries.len()).for_each(|number| queue.submit(number, 0));
                let (mut found, mut tick) = (0, 0);
                let most = [2.0, 40.0, 400.0][slicing % 3];
                while found < queries.len() {
                    let budget = 1 + (next_random(&mut stream) * most) as u64;
                    queue.serve(
                        |(), _| (&ground, &net),
                        budget,
                        Moment { tick, late_ticks: 30 },
                        &mut (),
                        |(), number| Urgency {
                            player: false,
                            priority: (number % 3) as i32,
                            to_focus_m: 0.0,
                        },
                        |(), number| queries[number].clone(),
                        |number, path, _| {
                            assert_eq!(path, expected[number], "{kind:?}, slicing {slicing}");
                            found += 1;
                        },
                    );
                    tick += 1;
                    assert!(tick < 1_000_000, "{kind:?}: some search has no end");
                }
            }
        }
    }
}

#[test]
fn on_every_ground_random_places_lie_in_their_region() {
    let Sample { room, places } = sample(ROOMS[3]);
    for kind in KINDS {
        let ground = ground(kind, &room);
        let area = ground.area_named("C");
        let reachable_from = ground.node_anchor(places[2], 1.0);
        let disc = Some(Disc { centre: Position::on_ground(dvec2(9.0, 2.0)), radius_m: 3.0 });
        let mut stream = 7;
        let regions = [
            Region { area, ..Region::default() },
            Region { disc, reachable_from, ..Region::default() },
            Region { area, disc, reachable_from, ..Region::default() },
        ];
        for (index, region) in regions.into_iter().enumerate() {
            for _ in 0..20 {
                let (place, _) =
                    ground.random_place(&region, 1_000_000, || next_random(&mut stream)).unwrap();
                let place = place.unwrap_or_else(|| panic!("{kind:?}: no place in region {index}"));
                assert!(ground.is_walkable(place), "{kind:?} {place}");
                assert!(region.area.is_none_or(|area| ground.area_contains(area, place)), "{kind:?} {place}");
                assert!(region.disc.is_none_or(|disc| disc.holds(place.at)), "{kind:?} {place}");
                let reached = region.reachable_from.is_none_or(|from| {
                    path(&ground, &Query::new(ground.place_of(from.at), ground.place_of(place))).outcome
                        == Outcome::Complete
                });
                assert!(reached, "{kind:?} {place}");
            }
        }
    }
}

/// A reload may give a room ground of another kind while paths are searched.
#[test]
fn a_search_goes_on_when_the_ground_becomes_another_kind() {
    let Sample { room, places } = sample(ROOMS[1]);
    let query = Query::new(places[0], places[1]);
    let kinds = [(Kind::Grid, Kind::Mesh), (Kind::Mesh, Kind::Grid), (Kind::Grid, Kind::AnyAngle)];
    for (before, after) in kinds.into_iter().chain([(Kind::AnyAngle, Kind::Grid)]) {
        let (before, after) = (ground(before, &room), ground(after, &room));
        for begun in [0, 1, 1000] {
            let mut planner =
                Planner::new(&before, &LinkNet::default(), query.clone(), SearchMemory::default());
            planner.advance(&before, &LinkNet::default(), begun);
            while planner.advance(&after, &LinkNet::default(), 5) == Progress::Running {}
            assert_eq!(planner.finish(&after).0.points(), path(&after, &query).points());
        }
        let mut planner = Planner::new(&before, &LinkNet::default(), query.clone(), SearchMemory::default());
        while planner.advance(&before, &LinkNet::default(), 5) == Progress::Running {}
        assert_eq!(planner.finish(&after).0.points(), path(&after, &query).points());
    }
}
