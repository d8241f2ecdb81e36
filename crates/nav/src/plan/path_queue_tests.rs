use super::*;
use crate::nav::{Outcome, Query};
use crate::plan::find_path;
use crate::room::{Area, Obstacle, Room};
use crate::surface::SearchMemory;
use glam::{DVec2, dvec2};
use std::collections::BTreeMap;

/// A hall of 40 m with rows of pillars.
fn ground() -> Surface {
    let rectangle = |min: DVec2, max: DVec2| vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)];
    let pillars = (0..100).map(|index| {
        let at = dvec2(f64::from(index % 10), f64::from(index / 10)) * 4.0 + 1.5;
        Obstacle {
            name: format!("p{index}"),
            polygon: rectangle(at, at + DVec2::splat(1.6)),
            see_through: false,
        }
    });
    let areas = vec![Area::new("hall", rectangle(DVec2::ZERO, DVec2::splat(42.0)))];
    Surface::new(&Room { areas, obstacles: pillars.collect(), ..Room::default() }).unwrap()
}

/// A random number from 0 to below 1 (xorshift).
fn next_random(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// The owners of a queue, by number.
type Owners = BTreeMap<u32, (Urgency, Query)>;

fn urgency(player: bool, priority: i32, to_focus_m: f64) -> Urgency {
    Urgency { player, priority, to_focus_m }
}

fn query(number: u32) -> Query {
    let across = f64::from(number % 37);
    Query::new(dvec2(0.3, across + 1.0), dvec2(41.0, 41.0 - across)).with_snap_m(2.0)
}

/// Serves one tick. Returns the owners answered, in order.
fn serve(
    queue: &mut PathQueue<u32>,
    ground: &Surface,
    owners: &mut Owners,
    budget: u64,
    tick: u64,
) -> Vec<u32> {
    let mut answered = Vec::new();
    let net = LinkNet::default();
    queue.serve(
        |_, _| (ground, &net),
        budget,
        Moment { tick, late_ticks: 30 },
        owners,
        |owners, who| owners[&who].0,
        |owners, who| owners[&who].1.clone(),
        |who, _, _| answered.push(who),
    );
    answered
}

#[test]
fn queries_start_by_player_priority_distance_and_age() {
    let mut random = 7;
    for round in 0..200 {
        let mut queue: PathQueue<u32> = PathQueue::default();
        let mut draw = |below: u64| (next_random(&mut random) * below as f64) as u64;
        let mut expected = Vec::new();
        let mut all = BTreeMap::new();
        for number in 0..30 {
            let urgency = urgency(draw(10) == 0, draw(4) as i32 - 2, draw(5) as f64);
            let asked_tick = draw(20);
            queue.submit(number, asked_tick);
            all.insert(number, urgency);
            expected.push((
                !urgency.player,
                -urgency.priority,
                urgency.to_focus_m as i64,
                asked_tick,
                number,
            ));
        }
        expected.sort_unstable();
        queue.sort(|number| all[&number]);
        let moment = Moment { tick: 20, late_ticks: 30 };
        let order: Vec<u32> =
            std::iter::from_fn(|| queue.take_next(moment, |_| false)).map(|request| request.owner).collect();
        let expected: Vec<u32> = expected.iter().map(|entry| entry.4).collect();
        assert_eq!(order, expected, "round {round}");
    }
}

#[test]
fn the_player_needs_no_free_place_and_takes_one_more_at_most() {
    let net = LinkNet::default();
    let ground = ground();
    let mut owners: Owners = (0..8).map(|number| (number, (urgency(false, 5, 0.0), query(number)))).collect();
    let mut queue = PathQueue::default();
    (0..8).for_each(|number| queue.submit(number, 0));
    serve(&mut queue, &ground, &mut owners, 1, 0);
    assert_eq!(queue.active.len(), MAX_ACTIVE, "{:?}", queue.stats());
    for number in [8, 9] {
        owners.insert(number, (urgency(true, -5, 90.0), query(number)));
        queue.submit(number, 1);
    }
    serve(&mut queue, &ground, &mut owners, 1, 1);
    let state = queue.state(|_| (&ground, &net));
    assert!(state.is_sound());
    let active: Vec<u32> = queue.active.iter().map(|(request, _)| request.owner).collect();
    assert!(active.contains(&8) && !active.contains(&9) && active.len() == MAX_ACTIVE + 1, "{active:?}");
}

/// Every tick, more urgent queries arrive than can be answered. A thousand others, of the least urgency, were there
/// before. Each starts within the bound of the module's documentation.
#[test]
fn of_a_thousand_nobody_starves() {
    let late_ticks = 30;
    let mut queue: PathQueue<u32> = PathQueue::default();
    let is_low = |number: u32| number < 1000;
    let (mut started, mut next) = (Vec::new(), 1000);
    let mut started_when_late = None;
    (0..1000).for_each(|number| queue.submit(number, 0));
    for tick in 0..10_000_u64 {
        for _ in 0..3 {
            queue.submit(next, tick);
            next += 1;
        }
        queue.sort(
            |number| if is_low(number) { urgency(false, -1000, 1e6) } else { urgency(true, 1000, 0.0) },
        );
        if tick == late_ticks {
            started_when_late = Some(started.len());
        }
        // Two searches come to their end in every tick.
        for _ in 0..2 {
            started
                .extend(queue.take_next(Moment { tick, late_ticks }, |_| false).map(|request| request.owner));
        }
        if (0..1000).all(|number| started.contains(&number)) {
            break;
        }
    }
    let late_from = started_when_late.unwrap();
    for number in 0..1000 {
        let at = started.iter().position(|&owner| owner == number).expect("starved");
        assert!(at < late_from + 4 * (number as usize + 1), "{number} starts as number {at}");
    }
    // Meanwhile three of four are urgent ones.
    let urgent = started[late_from..].iter().filter(|owner| !is_low(**owner)).count();
    assert!(urgent * 4 >= (started.len() - late_from) * 3 - 4);
}

#[test]
fn the_same_paths_come_out_of_fifty_random_slicings_saved_and_restored() {
    let net = LinkNet::default();
    let ground = ground();
    let mut random = 3;
    let expected: Vec<Path> =
        (0..24).map(|number| find_path(&ground, query(number), &mut SearchMemory::default())).collect();
    let counts: Vec<_> = expected.iter().map(|path| (path.outcome, path.expansions)).collect();
    assert!(counts.iter().all(|count| count.0 == Outcome::Complete && count.1 > 3), "{counts:?}");
    let mut orders = std::collections::BTreeSet::new();
    for _ in 0..50 {
        let mut queue = PathQueue::default();
        let mut owners: Owners = (0..24)
            .map(|number| {
                (number, (urgency(false, (number % 3) as i32, f64::from(number % 5)), query(number)))
            })
            .collect();
        (0..24).for_each(|number| queue.submit(number, 0));
        let (mut paths, mut tick, mut order) = (BTreeMap::new(), 0, Vec::new());
        let most = 1 + (next_random(&mut random) * 3000.0) as u64;
        while paths.len() < 24 {
            let budget = 1 + (next_random(&mut random) * most as f64) as u64;
            queue.serve(
                |_, _| (&ground, &net),
                budget,
                Moment { tick, late_ticks: 30 },
                &mut owners,
                |owners, who| owners[&who].0,
                |owners, who| owners[&who].1.clone(),
                |who: u32, path, _| {
                    order.push(who);
                    paths.insert(who, path);
                },
            );
            tick += 1;
            // The restored queue continues in the same order.
            let state = queue.state(|_| (&ground, &net));
            let restored = PathQueue::restore(|_| (&ground, &net), state.clone(), queue.stats());
            assert_eq!(restored.state(|_| (&ground, &net)), state);
            assert_eq!(restored.waiting, queue.waiting);
            if tick.is_multiple_of(3) {
                queue = restored;
            }
        }
        for (number, path) in paths {
            let whole = &expected[number as usize];
            assert_eq!((path.points(), path.outcome, path.step), (whole.points(), whole.outcome, whole.step));
        }
        assert_eq!(queue.stats().answered, 24);
        orders.insert(order);
    }
    assert!(orders.len() > 3, "the slicings differ");
}
