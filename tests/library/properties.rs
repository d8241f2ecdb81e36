//! What must hold in every room, tried on a thousand random ones each and judged by oracles that know nothing of the
//! code.

use crate::common::{Cells, any_point, any_room, area, character, empty_room};
use cicerone::internals::grid::{self, Grid, Node, NodeSearch, Overlay};
use cicerone::nav::{AreaId, NoPath, Outcome, Position, Progress, Query};
use cicerone::plan::find_path;
use cicerone::room::Avoidance;
use cicerone::room::Obstacle;
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{Applied, CharacterId, Command, EventKind, Setting, WalkId, World};
use glam::DVec2;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

proptest! {
    #![proptest_config(crate::common::thousand())]

    /// A cell is walkable iff its centre is inside an open area and clear of every obstacle by radius and padding.
    #[test]
    fn the_grid_is_what_the_polygons_say(room in any_room()) {
        let mut room = room;
        room.ground.boundary_padding_m = 0.0;
        let cells = Cells::of(&Surface::new(&room).unwrap());
        let margin = room.ground.agent_radius_m + room.ground.object_padding_m;
        for index in 0..cells.walkable.len() {
            let centre = cells.centre(index);
            let within = |polygon: &[DVec2], margin: f64| inside(polygon, centre) || edge_distance(polygon, centre) <= margin + 1e-7;
            let in_area = room.areas.iter().any(|a| a.available && within(&a.polygon, 0.0));
            let blocked = room.obstacles.iter().any(|o| within(&o.polygon, margin));
            prop_assert_eq!(cells.walkable[index], in_area && !blocked, "cell {} at {}", index, centre);
        }
    }

    /// A room and its mirror image have the same cells, also where centres lie exactly as far from an edge as counts.
    /// Everything here is a multiple of half a cell, so that happens all the time.
    #[test]
    fn a_mirror_image_has_the_same_cells(
        cell in prop::sample::select(vec![0.1, 0.25, 0.3, 0.4, 1.0]),
        margins in (0u8..4, 0u8..4, 0u8..4),
        boxes in prop::collection::vec((0u8..12, 0u8..12, 1u8..6, 1u8..6, any::<bool>()), 1..5),
        things in prop::collection::vec((0u8..30, 0u8..30, 1u8..8, 1u8..8, any::<bool>()), 0..5),
        offset in prop::sample::select(vec![0.0, 0.1, 1234.7]),
    ) {
        let half = |count: u8| f64::from(count) * cell / 2.0;
        let polygon = |&(x, z, w, d, is_triangle): &(u8, u8, u8, u8, bool), steps: u8| {
            let (low, size) = (DVec2::new(half(steps * x), half(steps * z)) + offset, DVec2::new(half(steps * w), half(steps * d)));
            let corners = [DVec2::ZERO, DVec2::new(size.x, 0.0), size, DVec2::new(0.0, size.y)].map(|corner| low + corner);
            corners[..if is_triangle { 3 } else { 4 }].to_vec()
        };
        let mut room = empty_room();
        let settings = with!(room.ground, cell_size_m = cell, agent_radius_m = half(margins.0));
        room.ground = with!(settings, object_padding_m = half(margins.0 + 2 * margins.1), boundary_padding_m = half(margins.2));
        room.areas = boxes.iter().enumerate().map(|(i, part)| area(&format!("a{i}"), polygon(part, 2), true)).collect();
        room.obstacles = things.iter().enumerate().map(|(i, part)| Obstacle { name: format!("o{i}"), polygon: polygon(part, 1), see_through: false }).collect();
        let (min, max) = room.bounds();
        let cells = (max - min) / cell;
        // Else the cells would lie elsewhere in the mirror image.
        prop_assert!((cells - cells.round()).abs().max_element() < 1e-6);
        let seen = Cells::of(&Surface::new(&room).unwrap());
        let mirrors: [(&str, &dyn Fn(DVec2) -> DVec2); 3] = [
            ("left and right", &|p| DVec2::new(min.x + max.x - p.x, p.y)),
            ("up and down", &|p| DVec2::new(p.x, min.y + max.y - p.y)),
            ("columns and rows", &|p| DVec2::new(p.y, p.x)),
        ];
        for (name, mirror) in mirrors {
            let mut other = room.clone();
            let polygons = other.areas.iter_mut().map(|a| &mut a.polygon).chain(other.obstacles.iter_mut().map(|o| &mut o.polygon));
            polygons.flatten().for_each(|corner| *corner = mirror(*corner));
            let ground = Surface::new(&other).unwrap();
            for index in 0..seen.walkable.len() {
                let at = seen.centre(index);
                prop_assert_eq!(ground.is_walkable(mirror(at)), seen.walkable[index], "{}: cell {} at {}", name, index, at);
            }
        }
    }

    /// With boundary padding, no walkable centre is nearer to the outline of the open areas than that; and a centre
    /// that is farther from every edge of them is as walkable as without.
    #[test]
    fn boundary_padding_keeps_off_the_outline(room in any_room()) {
        let mut room = room;
        room.ground.boundary_padding_m = 0.35;
        let cells = Cells::of(&Surface::new(&room).unwrap());
        let mut bare = room.clone();
        bare.ground.boundary_padding_m = 0.0;
        let bare = Cells::of(&Surface::new(&bare).unwrap());
        for index in (0..cells.walkable.len()).filter(|&index| bare.walkable[index]) {
            let open = room.areas.iter().filter(|a| a.available);
            let nearest = open.map(|a| edge_distance(&a.polygon, cells.centre(index))).fold(f64::INFINITY, f64::min);
            prop_assert!(cells.walkable[index] || nearest <= 0.35 + 1e-9, "cell {index} is {nearest} m from every edge");
        }
        let open = |p: DVec2| room.areas.iter().any(|a| a.available && inside(&a.polygon, p));
        for index in (0..cells.walkable.len()).filter(|&index| cells.walkable[index]) {
            // Sampled circle: every point well within the padding is still on open ground.
            for step in 0..16 {
                let (sin, cos) = libm::sincos(f64::from(step) * std::f64::consts::TAU / 16.0);
                let beside = cells.centre(index) + DVec2::new(cos, sin) * 0.349;
                prop_assert!(open(beside), "cell {index}: {beside} is outside");
            }
        }
    }

    /// The cost of a path is the optimum; a partial path leads to the reachable cell nearest to the one asked for.
    #[test]
    fn path_cost_equals_dijkstra(room in any_room(), from in any_point(), to in any_point()) {
        let ground = Surface::new(&room).unwrap();
        let cells = Cells::of(&ground);
        let path = find_path(&ground, query(from, to), &mut SearchMemory::default());
        let on_ground = |p: DVec2| cells.index_of(p).filter(|&i| cells.walkable[i]).or_else(|| cells.nearest(p, 8.0));
        let Some(start) = on_ground(from) else {
            prop_assert_eq!(path.outcome, Outcome::None);
            prop_assert_eq!(path.missed_by_m, from.distance(to));
            return Ok(());
        };
        let end = path.waypoints.last().copied().unwrap_or(Position::on_ground(from));
        prop_assert_eq!((path.to.at, path.missed_by_m), (to, end.at.distance(to)));
        prop_assert_eq!(path.snapped_to, (end.at != to).then_some(end));
        let closed = ground.closed_area_over(to);
        prop_assert!(closed.is_none_or(|area| !ground.area_available(area) && ground.area_contains(area, to)));
        prop_assert_eq!(path.closed_area.as_deref(), closed.map(|area| ground.area_name(area)));
        let costs = cells.all_costs(start);
        let goal = on_ground(to);
        if let Some(goal) = goal.filter(|&goal| costs[goal].is_finite()) {
            prop_assert_eq!(path.outcome, if closed.is_some() { Outcome::Partial } else { Outcome::Complete });
            prop_assert!((path.cost_cells - costs[goal]).abs() < 1e-9, "{} instead of {}", path.cost_cells, costs[goal]);
        } else {
            let asked = cells.cell_of(to);
            let distance = |i: usize| {
                let (dx, dz) = ((i % cells.width) as i64 - asked.0, (i / cells.width) as i64 - asked.1);
                dx * dx + dz * dz
            };
            let reachable = (0..costs.len()).filter(|&i| costs[i].is_finite());
            let nearest = reachable.min_by(|&a, &b| {
                (distance(a).cmp(&distance(b))).then(round(costs[a]).total_cmp(&round(costs[b]))).then(a.cmp(&b))
            });
            let nearest = nearest.unwrap();
            let reason = match () {
                () if closed.is_some() => NoPath::GoalClosed,
                () if goal.is_none() => NoPath::GoalOffGround,
                () => NoPath::Unreachable,
            };
            prop_assert_eq!((path.outcome, path.reason), (Outcome::Partial, Some(reason)));
            if nearest == start && ground.is_walkable(from) {
                prop_assert!(path.waypoints.is_empty());
            } else {
                let end = *path.waypoints.last().unwrap();
                prop_assert_eq!(cells.index_of(end.at), Some(nearest));
                prop_assert!((path.cost_cells - costs[nearest]).abs() < 1e-9);
            }
        }
    }

    /// No part of a path of any length lies in a blocked cell.
    #[test]
    fn no_segment_crosses_a_blocked_cell(room in any_room(), from in any_point(), to in any_point()) {
        let ground = Surface::new(&room).unwrap();
        let cells = Cells::of(&ground);
        let path = find_path(&ground, query(from, to), &mut SearchMemory::default());
        let first = path.waypoints.first().map(|first| first.at);
        let mut at = if ground.is_walkable(from) { from } else { first.unwrap_or(from) };
        for &waypoint in &path.waypoints {
            let blocked = cells.blocked_length(at, waypoint.at);
            prop_assert!(blocked < 1e-9, "{blocked} m of {at} to {waypoint} are blocked");
            at = waypoint.at;
        }
        // And it is pulled tight: no waypoint could be left out with the next one in sight of the last.
        if path.outcome != Outcome::None && ground.is_walkable(from) {
            let points: Vec<DVec2> = [from].into_iter().chain(path.waypoints.iter().map(|waypoint| waypoint.at)).collect();
            for triple in points.windows(3) {
                prop_assert!(!ground.segment_clear(triple[0], triple[2]), "{} is not needed", triple[1]);
            }
        }
    }

    /// The line of sight says no exactly when a part of the segment is blocked (corners aside, where it is strict).
    #[test]
    fn line_of_sight_is_exact(room in any_room(), from in any_point(), to in any_point()) {
        let ground = Surface::new(&room).unwrap();
        let blocked = Cells::of(&ground).blocked_length(from, to);
        if ground.segment_clear(from, to) {
            prop_assert!(blocked < 1e-9, "{blocked} m are blocked");
        } else if ground.is_walkable(from) && ground.is_walkable(to) {
            prop_assert!(blocked > 0.0, "nothing is in the way");
        }
    }

    /// Opening and closing areas one by one gives the same bits as building the ground with those flags at once.
    #[test]
    fn toggling_equals_a_full_rebuild(room in any_room(), toggles in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..12)) {
        let mut room = room;
        let mut ground = Surface::new(&room).unwrap();
        for (index, available) in toggles {
            let index = index.index(room.areas.len());
            let before = ground.clone();
            let dirty = ground.set_area_available(AreaId(index), available);
            room.areas[index].available = available;
            let fresh = Surface::new(&room).unwrap();
            prop_assert_eq!(ground.as_grid().unwrap().words(), fresh.as_grid().unwrap().words());
            prop_assert_eq!(dirty.is_some(), before.as_grid().unwrap().words() != ground.as_grid().unwrap().words(), "dirty iff something changed");
        }
    }

    /// Changing a room in place gives the same bits as building the new room from nothing.
    #[test]
    fn a_changed_room_equals_a_new_one(old in any_room(), new in any_room(), keep in any::<[bool; 4]>()) {
        let mut new = new;
        if keep[0] { new.ground = old.ground; }
        if keep[1] { new.areas = old.areas.clone(); }
        if keep[2] { new.obstacles = old.obstacles.clone(); }
        if keep[3] && !new.areas.is_empty() { new.areas[0].available = false; }
        let available: Vec<bool> = new.areas.iter().map(|area| area.available).collect();
        let (changed, dirty) = Surface::new(&old).unwrap().rebuilt(&new, &available).unwrap();
        let fresh = Surface::new(&new).unwrap();
        prop_assert_eq!(changed.as_grid().unwrap().frame(), fresh.as_grid().unwrap().frame());
        prop_assert_eq!(changed.as_grid().unwrap().words(), fresh.as_grid().unwrap().words());
        prop_assert!(dirty.is_some() || changed.as_grid().unwrap().words() == Surface::new(&old).unwrap().as_grid().unwrap().words());
    }

    /// A search that stops and goes on after every few expansions ends as one that does not.
    #[test]
    fn stopping_and_resuming_changes_nothing(room in any_room(), from in any_point(), to in any_point(), slice in 1u64..40) {
        let ground = Grid::new(&room).unwrap();
        let none = Overlay::default();
        let (Some(start), Some(goal)) = (ground.nearest(from, 50.0, &none), ground.nearest(to, 50.0, &none)) else {
            return Ok(());
        };
        let mut whole = NodeSearch::new(&ground, start, goal, to, &none, grid::SearchMemory::default());
        prop_assert_eq!(whole.advance(&ground, &none, u64::MAX), Progress::Done);
        let mut sliced = NodeSearch::new(&ground, start, goal, to, &none, grid::SearchMemory::default());
        let mut rounds = 0;
        while sliced.advance(&ground, &none, slice) == Progress::Running {
            rounds += 1;
            prop_assert!(sliced.work() >= rounds * slice, "a slice is {slice} expansions, and what the last one goes beyond");
        }
        prop_assert_eq!(whole.expansions(), sliced.expansions());
        prop_assert_eq!(whole.reached(), sliced.reached());
        if whole.reached() {
            let bits = |(way, cost): (Vec<Node>, f64)| (way, cost.to_bits());
            prop_assert_eq!(bits(whole.way(&ground)), bits(sliced.way(&ground)));
        }
    }

    /// People walk about while doors open and close and the room is changed: nobody's centre is ever in a blocked
    /// cell, and every walk ends exactly once. The same again gives the same checksums. In half of the rooms they push,
    /// until another room steers, and the other way round.
    #[test]
    fn crowds_stay_on_the_ground_and_walks_end_once(mut room in any_room(), mut other in any_room(), steers in any::<bool>(), orders in prop::collection::vec(any_order(), 1..30)) {
        let pushing = if steers { &mut other } else { &mut room };
        pushing.crowd.avoidance = Avoidance::Push;
        let first = live(&room, &other, &orders)?;
        let second = live(&room, &other, &orders)?;
        prop_assert_eq!(first, second, "the same run gives the same checksums");
    }
}

#[derive(Debug, Clone)]
enum Order {
    Walk(usize, DVec2),
    Toggle(usize, bool),
    Stop(usize),
    Spawn(DVec2),
    Despawn(usize),
    SwapRoom,
    Replan(usize),
    Teleport(usize, DVec2),
    Speed(usize, f64),
    Talk(usize, usize),
    Follow(usize, usize, f64),
    Turn(usize, DVec2),
    Steer(usize, DVec2),
    Give(usize, u32),
    Take(usize, u32),
    Live(usize, bool, bool),
    Rank(usize, i32, bool),
    Grow(usize, f64),
    Pass(u32),
}

fn any_order() -> impl Strategy<Value = Order> {
    prop_oneof![
        4 => (0usize..8, any_point()).prop_map(|(who, to)| Order::Walk(who, to)),
        2 => (0usize..6, any::<bool>()).prop_map(|(area, available)| Order::Toggle(area, available)),
        1 => (0usize..8).prop_map(Order::Stop),
        2 => any_point().prop_map(Order::Spawn),
        1 => (0usize..8).prop_map(Order::Despawn),
        1 => Just(Order::SwapRoom),
        1 => (0usize..8).prop_map(Order::Replan),
        1 => (0usize..8, any_point()).prop_map(|(who, to)| Order::Teleport(who, to)),
        1 => (0usize..8, prop::sample::select(vec![0.0, 0.8, 1.4, 60.0])).prop_map(|(who, speed)| Order::Speed(who, speed)),
        2 => (0usize..8, 0usize..8).prop_map(|(who, other)| Order::Talk(who, other)),
        2 => (0usize..8, 0usize..8, prop::sample::select(vec![0.0, 1.35, 5.0])).prop_map(|(who, other, near)| Order::Follow(who, other, near)),
        2 => (0usize..8, any_point()).prop_map(|(who, to)| Order::Turn(who, to)),
        2 => (0usize..8, any_point()).prop_map(|(who, to)| Order::Steer(who, to)),
        1 => (0usize..8, 0..3u32).prop_map(|(who, count)| Order::Give(who, count)),
        1 => (0usize..8, 0..3u32).prop_map(|(who, count)| Order::Take(who, count)),
        1 => (0usize..8, any::<bool>(), any::<bool>()).prop_map(|(who, alive, enabled)| Order::Live(who, alive, enabled)),
        1 => (0usize..8, -2..3i32, any::<bool>()).prop_map(|(who, priority, player)| Order::Rank(who, priority, player)),
        1 => (0usize..8, 0.1..0.9f64).prop_map(|(who, radius)| Order::Grow(who, radius)),
        6 => (1u32..60).prop_map(Order::Pass),
    ]
}

/// Lives through the orders, checking the invariants at every tick; returns the checksum of every tick.
fn live(
    room: &cicerone::room::Room,
    other: &cicerone::room::Room,
    orders: &[Order],
) -> Result<Vec<u64>, TestCaseError> {
    let mut world = World::new(room.clone(), 7).unwrap();
    let (mut begun, mut ended): (BTreeSet<WalkId>, BTreeMap<WalkId, u32>) = Default::default();
    let mut told = Told::new();
    let mut checksums = Vec::new();
    let mut swapped = false;
    let start =
        [Order::Spawn(DVec2::splat(3.0)), Order::Spawn(DVec2::splat(3.1)), Order::Spawn(DVec2::splat(6.0))];
    for (number, order) in start.iter().chain(orders).enumerate() {
        let someone = |who: usize| {
            let all = world.characters();
            (!all.is_empty()).then(|| all[who % all.len()].id)
        };
        let command = match order {
            Order::Walk(who, to) => someone(*who).map(|who| Command::SetTarget { who, to: (*to).into() }),
            Order::Toggle(area, available) => {
                let area = world
                    .ground()
                    .area_name(AreaId(area % world.ground().as_grid().unwrap().area_count()))
                    .to_owned();
                Some(Command::SetAreaAvailable { area, available: *available })
            }
            Order::Stop(who) => someone(*who).map(|who| Command::Stop {
                who,
                walk: None,
                end: cicerone::world::WalkEnd::Cancelled,
            }),
            Order::Spawn(at) => Some(Command::Spawn(Box::new(character(&format!("c{number}"), *at)))),
            Order::Despawn(who) => someone(*who).map(Command::Despawn),
            Order::SwapRoom => {
                swapped = !swapped;
                Some(Command::ReplaceRoom(Box::new(if swapped { other.clone() } else { room.clone() })))
            }
            Order::Replan(who) => someone(*who).map(Command::ForceReplan),
            Order::Teleport(who, to) => someone(*who).map(|who| Command::Teleport { who, to: (*to).into() }),
            Order::Speed(who, speed) => {
                someone(*who).map(|who| Command::Tune { who, setting: Setting::WalkSpeed(*speed) })
            }
            Order::Talk(who, other) => {
                someone(*who).and_then(|who| someone(*other).map(|other| Command::TalkTo { who, other }))
            }
            Order::Follow(who, other, distance_m) => someone(*who).and_then(|who| {
                someone(*other).map(|other| Command::Follow { who, other, distance_m: *distance_m })
            }),
            Order::Turn(who, to) => someone(*who).map(|who| Command::Turn { who, to: (*to).into() }),
            Order::Steer(who, to) => someone(*who).map(|who| {
                // Any direction, and none at all now and then.
                let direction = (*to - 5.0) * f64::from(u8::from(to.x > 1.0));
                Command::Steer { who, direction }
            }),
            Order::Give(who, count) => {
                someone(*who).map(|who| Command::Give { who, thing: "coin".into(), count: *count })
            }
            Order::Take(who, count) => {
                someone(*who).map(|who| Command::Take { who, thing: "coin".into(), count: *count })
            }
            Order::Live(who, alive, enabled) => someone(*who).map(|who| {
                let _ = world.apply(Command::Tune { who, setting: Setting::Alive(*alive) });
                Command::Tune { who, setting: Setting::Enabled(*enabled) }
            }),
            Order::Rank(who, priority, player) => someone(*who).map(|who| {
                let _ = world.apply(Command::Tune { who, setting: Setting::Priority(*priority) });
                Command::Tune { who, setting: Setting::Player(*player) }
            }),
            Order::Grow(who, radius) => {
                someone(*who).map(|who| Command::Tune { who, setting: Setting::CollisionRadius(*radius) })
            }
            Order::Pass(_) => None,
        };
        if let Some(Ok(Applied::Walking(walk))) = command.map(|command| world.apply(command)) {
            begun.insert(walk);
        }
        let ticks = if let Order::Pass(ticks) = order { *ticks } else { 1 };
        for _ in 0..ticks {
            world.tick();
            for character in world.characters() {
                let at = character.position;
                prop_assert!(
                    world.ground().is_walkable(at),
                    "{} stands at {at}, which is blocked",
                    character.name
                );
            }
            count_ends(&mut world, &mut ended, &mut told);
            for character in world.characters() {
                let ground = world.ground();
                let holds = |area: &AreaId| ground.area_contains(*area, character.position);
                let areas: BTreeSet<String> =
                    ground.areas().filter(holds).map(|area| ground.area_name(area).to_owned()).collect();
                let told = told.get(&character.id).cloned().unwrap_or_default();
                prop_assert_eq!(told, areas, "{} was told to be elsewhere", character.name);
            }
            checksums.push(world.checksum());
        }
    }
    // A steered character pushes others about for ever.
    let ids: Vec<CharacterId> = world.characters().iter().map(|character| character.id).collect();
    for who in ids {
        world.apply(Command::Steer { who, direction: DVec2::ZERO }).unwrap();
    }
    // Left alone, every walk ends by itself, at its goal or given up; turns end, and followers come to rest.
    for _ in 0..600 * 60 {
        if world.characters().iter().all(|character| character.walk.is_none() && character.turn.is_none()) {
            break;
        }
        world.tick();
    }
    let on_their_way: Vec<_> =
        world.characters().iter().filter(|character| character.walk.is_some()).collect();
    prop_assert!(on_their_way.is_empty(), "still walking after ten minutes: {on_their_way:?}");
    count_ends(&mut world, &mut ended, &mut told);
    let everyone: Vec<_> = world.characters().iter().map(|character| character.id).collect();
    for who in everyone {
        world.apply(Command::Despawn(who)).unwrap();
    }
    count_ends(&mut world, &mut ended, &mut told);
    for walk in begun {
        prop_assert_eq!(ended.remove(&walk), Some(1), "{:?} ends exactly once", walk);
    }
    prop_assert!(ended.is_empty(), "walks that nobody began: {ended:?}");
    Ok(checksums)
}

/// Counts the walks, followings and turns that ended since the last look; all have numbers from one row.
/// Who is in which areas, as the events tell it.
type Told = BTreeMap<CharacterId, BTreeSet<String>>;

fn count_ends(world: &mut World, ended: &mut BTreeMap<WalkId, u32>, told: &mut Told) {
    for event in world.take_events() {
        match &event.kind {
            EventKind::Entered(who, area) => {
                assert!(told.entry(*who).or_default().insert(area.clone()), "twice")
            }
            EventKind::Left(who, area) => {
                assert!(told.entry(*who).or_default().remove(area), "never entered")
            }
            _ => {}
        }
        if let EventKind::WalkEnded { walk: id, .. } | EventKind::Turned { turn: id, .. } = event.kind {
            *ended.entry(id).or_insert(0) += 1;
        }
    }
}

fn query(from: DVec2, to: DVec2) -> Query {
    Query::new(from, to).with_snap_m(8.0)
}

fn round(cost: f64) -> f64 {
    (cost * 1e9).round()
}

/// Point in polygon by winding angle of crossings, written apart from the library's.
fn inside(polygon: &[DVec2], p: DVec2) -> bool {
    let mut winding = 0;
    for i in 0..polygon.len() {
        let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        let side = (b - a).perp_dot(p - a);
        if a.y <= p.y && b.y > p.y && side > 0.0 {
            winding += 1;
        } else if a.y > p.y && b.y <= p.y && side < 0.0 {
            winding -= 1;
        }
    }
    winding != 0
}

fn edge_distance(polygon: &[DVec2], p: DVec2) -> f64 {
    let distance = |(a, b): (DVec2, DVec2)| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a + (b - a) * t)
    };
    (0..polygon.len())
        .map(|i| distance((polygon[i], polygon[(i + 1) % polygon.len()])))
        .fold(f64::INFINITY, f64::min)
}
