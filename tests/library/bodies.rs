//! Bodies of several sizes, and areas for some only: each class of walkers has a ground of its own.

use crate::common::crowd::{at, run, send, tick, world};
use crate::common::{area, character, empty_room, in_sweeps};
use cicerone::nav::AreaId;
use cicerone::room::{Avoidance, GridCells, GroundKind, Link, LinkKind, Obstacle, Room, WhenOccupied, parse};
use cicerone::surface::Surface;
use cicerone::world::{
    Applied, CharacterId, Command, EventKind, Formation, FormationKind, Setting, WalkEnd, World, next_random,
};
use glam::{DVec2, dvec2};

/// The radius of the room's own walker, in metres.
const OWN_M: f64 = 0.2;

const CELL_M: f64 = 0.1;

struct Random(u64);

impl Random {
    fn within(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * next_random(&mut self.0)
    }

    fn below(&mut self, end: usize) -> usize {
        (next_random(&mut self.0) * end as f64) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

fn rectangle(low: DVec2, size: DVec2) -> Vec<DVec2> {
    [dvec2(0., 0.), dvec2(1., 0.), dvec2(1., 1.), dvec2(0., 1.)].map(|corner| low + corner * size).to_vec()
}

fn any_rectangle(random: &mut Random, most_m: f64) -> Vec<DVec2> {
    let low = dvec2(random.within(0.0, 10.0), random.within(0.0, 8.0));
    let size = dvec2(random.within(0.3, most_m), random.within(0.3, most_m));
    let turned = |corner: DVec2| low + DVec2::from_angle(random.0 as f64).rotate(corner);
    rectangle(DVec2::ZERO, size).into_iter().map(turned).collect()
}

/// A hall of 12 by 10 metres that nobody closes, rooms and doors over and beside it, and obstacles.
fn any_room(random: &mut Random, kind: GroundKind) -> Room {
    let mut room = empty_room();
    let ground = with!(room.ground, kind = kind, agent_radius_m = OWN_M, cell_size_m = CELL_M);
    let padding_m = random.one_of(&[0.0, 0.2, 0.45]);
    room.ground =
        with!(ground, object_padding_m = random.one_of(&[0.0, 0.1]), boundary_padding_m = padding_m);
    room.areas.push(area("hall", rectangle(DVec2::ZERO, dvec2(12.0, 10.0)), true));
    for number in 0..2 + random.below(4) {
        let mut other = area(&format!("area{number}"), any_rectangle(random, 5.0), random.below(2) == 0);
        other.when_occupied = random.one_of(&[WhenOccupied::Evict, WhenOccupied::Hold]);
        match random.below(3) {
            0 => other.only = vec!["staff".into()],
            1 => other.never = vec!["dogs".into(), "staff".into()],
            _ => {}
        }
        room.areas.push(other);
    }
    for number in 0..random.below(6) {
        let (name, polygon) = (format!("obstacle{number}"), any_rectangle(random, 2.0));
        room.obstacles.push(Obstacle { name, polygon, see_through: false });
    }
    room
}

fn join(world: &mut World, name: &str, place: DVec2, radius_m: Option<f64>, tags: &[&str]) -> CharacterId {
    let spec =
        with!(character(name, place), radius_m = radius_m, collision_radius_m = radius_m.unwrap_or(OWN_M));
    let spec = spec.with_tags(tags.iter().copied());
    match world.apply(Command::Spawn(Box::new(spec))).unwrap() {
        Applied::Spawned(id) => id,
        other => panic!("{other:?}"),
    }
}

/// Places all over a room, none of them on the border of a cell.
fn places(room: &Room) -> impl Iterator<Item = DVec2> {
    let (min, max) = Surface::new(room).unwrap().bounds();
    let cells = ((max - min) / CELL_M).floor();
    let rows = (0..cells.y as u32).map(f64::from);
    rows.flat_map(move |z| (0..cells.x as u32).map(move |x| min + (dvec2(x.into(), z) + 0.5) * CELL_M))
}

/// A random toggle, or another version of the room.
fn change(world: &mut World, room: &mut Room, random: &mut Random) {
    if random.below(4) > 0 {
        let (area, available) = (1 + random.below(room.areas.len() - 1), random.below(2) == 0);
        let area = room.areas[area].name.clone();
        world.apply(Command::SetAreaAvailable { area, available }).unwrap();
        return;
    }
    match (random.below(3), room.obstacles.len()) {
        (0, 1..) => drop(room.obstacles.remove(0)),
        (1, _) => {
            let name = format!("later{}", random.0 % 100_000);
            let polygon = any_rectangle(random, 2.0);
            room.obstacles.push(Obstacle { name, polygon, see_through: false });
        }
        _ => {
            let index = 1 + random.below(room.areas.len() - 1);
            let rules = std::mem::take(&mut room.areas[index].only);
            room.areas[index].only = std::mem::replace(&mut room.areas[1].never, rules);
        }
    }
    // A room without ground for somebody is refused.
    let _ = world.apply(Command::ReplaceRoom(Box::new(room.clone())));
    *room = world.room().clone();
}

/// By hand: a room with that radius for all, whose padding is as much wider or narrower.
#[test]
fn the_ground_of_a_body_is_that_of_a_room_built_for_it() {
    let (mut compared, mut other) = (0, 0);
    for seed in 0..in_sweeps(60, 8) {
        let mut random = Random(seed);
        let mut room = any_room(&mut random, GroundKind::Grid);
        room.areas.iter_mut().for_each(|area| (area.only, area.never) = (Vec::new(), Vec::new()));
        let mut world = world(room.clone());
        let radii = [0.1, 0.3, 0.5, 0.8];
        for radius_m in radii {
            join(&mut world, &format!("r{radius_m}"), dvec2(6.0, 5.0), Some(radius_m), &[]);
        }
        for step in 0..10 {
            change(&mut world, &mut room, &mut random);
            for radius_m in radii {
                let who = world.character_named(&format!("r{radius_m}")).unwrap();
                assert!(world.ground_of(who).is_walkable(who.position), "seed {seed}, step {step}: {who:?}");
                let mut alone = room.clone();
                let padding_m = (room.ground.boundary_padding_m + radius_m - OWN_M).max(0.0);
                (alone.ground.agent_radius_m, alone.ground.boundary_padding_m) = (radius_m, padding_m);
                alone.characters.clear();
                for area in &mut alone.areas {
                    area.available = world.is_area_available(&area.name).unwrap();
                }
                let alone = Surface::new(&alone).unwrap();
                for place in places(&room) {
                    let [is, was] =
                        [world.ground_of(who), world.ground()].map(|ground| ground.is_walkable(place));
                    assert_eq!(
                        is,
                        alone.is_walkable(place),
                        "seed {seed}, step {step}, {radius_m} m at {place}"
                    );
                    (compared, other) = (compared + 1, other + u32::from(is != was));
                }
            }
        }
    }
    println!("{compared} places, {other} of them not as for the room's own walker");
    assert!(other > compared / 50);
}

/// By hand: a place is ground for one who may not enter some areas if it is ground, and in none of those.
#[test]
fn an_area_that_one_may_not_enter_is_no_ground_for_it() {
    let mut barred_places = 0;
    for seed in 0..in_sweeps(300, 30) {
        let kind = [GroundKind::Grid, GroundKind::Mesh][seed as usize % 2];
        let mut random = Random(seed + 1_000);
        let mut room = any_room(&mut random, kind);
        room.ground.boundary_padding_m = 0.0; // a barred area has edges, too
        let mut world = world(room.clone());
        let kinds: [(&str, &[&str]); 3] = [("guest", &[]), ("cook", &["staff"]), ("rex", &["dogs"])];
        for (name, tags) in kinds {
            join(&mut world, name, dvec2(6.0, 5.0), None, tags);
        }
        for step in 0..6 {
            change(&mut world, &mut room, &mut random);
            for (name, tags) in kinds {
                let who = world.character_named(name).unwrap();
                let tags: Vec<String> = tags.iter().map(|&tag| tag.to_owned()).collect();
                let ground = world.ground();
                for place in places(&room) {
                    if kind == GroundKind::Mesh && ground.area_border_m(place) < 1e-5 {
                        continue; // on an edge, where either side may count
                    }
                    let bars = |(index, area): (usize, &cicerone::room::Area)| {
                        let is_one_of = |list: &[String]| list.iter().any(|tag| tags.contains(tag));
                        let admits =
                            (area.only.is_empty() || is_one_of(&area.only)) && !is_one_of(&area.never);
                        !admits && ground.area_contains(AreaId(index), place)
                    };
                    let is_barred = world.room().areas.iter().enumerate().any(bars);
                    let expected = ground.is_walkable(place) && !is_barred;
                    let is = world.ground_of(who).is_walkable(world.ground_of(who).locate(place));
                    assert_eq!(is, expected, "{kind:?} seed {seed}, step {step}, {name} at {place}");
                    barred_places += u32::from(is_barred);
                }
            }
        }
    }
    assert!(barred_places > 10_000, "{barred_places}");
}

/// By hand: the distance from the middle of a cell to the nearest side of a blocked one, or of one off the grid.
#[test]
fn among_given_cells_a_wider_body_keeps_its_distance() {
    for seed in 0..in_sweeps(200, 25) {
        let mut random = Random(seed);
        let (width, depth) = (10 + random.below(120) as u32, 10 + random.below(30) as u32);
        let share = random.within(0.0, 0.1);
        let blocked: Vec<bool> = (0..width * depth).map(|_| random.within(0.0, 1.0) < share).collect();
        let is_free = |x: u32, z: u32| !blocked[(z * width + x) as usize];
        let settings = with!(empty_room().ground, cell_size_m = CELL_M, agent_radius_m = OWN_M);
        let room = Room::of_grid("given", settings, GridCells::new(DVec2::ZERO, width, depth, is_free));
        let mut world = world(room);
        let radius_m = OWN_M + random.one_of(&[0.05, 0.1, 0.15, 0.2, 0.37, 1.0]);
        let class = world.find_class(Some(radius_m), &[]).unwrap();
        let away = (radius_m - OWN_M) / CELL_M;
        for (x, z) in (0..depth).flat_map(|z| (0..width).map(move |x| (x, z))) {
            let [x_cells, z_cells] = [x, z].map(i64::from);
            let reach = away.ceil() as i64 + 1;
            let near = (-reach..=reach).flat_map(|dz| (-reach..=reach).map(move |dx| (dx, dz)));
            let fits = near.into_iter().all(|(dx, dz)| {
                let (other_x, other_z) = (x_cells + dx, z_cells + dz);
                let is_on =
                    (0..i64::from(width)).contains(&other_x) && (0..i64::from(depth)).contains(&other_z);
                let off = [dx, dz].map(|cells| (cells.abs() as f64 - 0.5).max(0.0));
                is_on && is_free(other_x as u32, other_z as u32) || off[0].hypot(off[1]) >= away - 1e-6
            });
            let place = (dvec2(x.into(), z.into()) + 0.5) * CELL_M;
            let is = world.ground_in(class).is_walkable(place);
            assert_eq!(is, is_free(x, z) && fits, "seed {seed}, {radius_m} m at {x}, {z}");
        }
    }
}

/// Two rooms with a gap of 0.8 m between them, where a body needs its own width.
fn two_rooms() -> Room {
    let mut room = empty_room();
    room.ground = with!(room.ground, agent_radius_m = OWN_M, cell_size_m = CELL_M, object_padding_m = 0.0);
    room.ground.boundary_padding_m = OWN_M;
    room.areas.push(area("west", rectangle(DVec2::ZERO, dvec2(5.0, 6.0)), true));
    room.areas.push(area("gap", rectangle(dvec2(5.0, 2.6), dvec2(0.4, 0.8)), true));
    room.areas.push(area("east", rectangle(dvec2(5.4, 0.0), dvec2(5.0, 6.0)), true));
    room
}

#[test]
fn a_body_goes_where_it_fits() {
    for (radius_m, fits) in [(0.1, true), (0.2, true), (0.3, true), (0.4, false), (0.7, false)] {
        let mut world = world(two_rooms());
        let who = join(&mut world, "walker", dvec2(2.0, 3.0), Some(radius_m), &[]);
        send(&mut world, who, dvec2(8.0, 3.0));
        let ends = run(&mut world, 12.0);
        let expected = if fits { WalkEnd::Arrived } else { WalkEnd::Partial };
        assert_eq!(ends, [(who, expected)], "{radius_m} m");
        assert_eq!(at(&world, who).x > 6.0, fits, "{radius_m} m: {}", at(&world, who));
        if !fits {
            let query = world.query_of(who, dvec2(8.0, 3.0)).unwrap();
            let why = world.explain(&query, u64::MAX).unwrap();
            let [gap_m, needed_m] = [why.gap_m(), why.needed_m()].map(Option::unwrap);
            let is_by_cells = (2.0 * radius_m..2.0 * radius_m + 1.1 * CELL_M).contains(&needed_m);
            assert!((gap_m - 0.8).abs() < 1e-6 && is_by_cells, "{why}");
        }
    }
}

#[test]
fn who_grows_or_may_not_stay_is_put_where_it_fits() {
    let mut room = two_rooms();
    room.areas[2].only = vec!["staff".into()];
    let mut world = world(room);
    let who = join(&mut world, "walker", dvec2(5.2, 3.0), None, &["staff"]);
    send(&mut world, who, dvec2(8.0, 3.0));
    let tune = |world: &mut World, setting| world.apply(Command::Tune { who, setting }).map(drop);
    let place = |world: &mut World| {
        let evicted = world.take_events().iter().any(|event| matches!(event.kind, EventKind::Evicted { .. }));
        let character = world.character(who).unwrap();
        assert!(world.ground_of(character).is_walkable(character.position));
        (evicted, character.position.at)
    };
    assert!(!place(&mut world).0);
    tune(&mut world, Setting::Radius(Some(0.5))).unwrap();
    let (evicted, there) = place(&mut world);
    assert!(evicted && (there.x <= 4.6 || there.x >= 5.8), "{there}");
    assert_eq!(world.character(who).unwrap().collision_radius_m, 0.5, "it follows the radius");
    world.apply(Command::Teleport { who, to: dvec2(7.0, 3.0).into() }).unwrap();
    tune(&mut world, Setting::Tags(Vec::new())).unwrap();
    let (evicted, there) = place(&mut world);
    assert!(evicted && there.x <= 4.6, "{there}");
    let refused = world.apply(Command::Teleport { who, to: dvec2(7.0, 3.0).into() });
    assert!(refused.is_err(), "it may not enter");
    tune(&mut world, Setting::CollisionRadius(0.3)).unwrap();
    tune(&mut world, Setting::Radius(None)).unwrap();
    assert_eq!(world.character(who).unwrap().collision_radius_m, 0.3, "it was another one");
    send(&mut world, who, dvec2(8.0, 3.0));
    assert_eq!(run(&mut world, 10.0), [(who, WalkEnd::Partial)]);
    let query = world.query_of(who, dvec2(8.0, 3.0)).unwrap();
    let why = world.explain(&query, u64::MAX).unwrap().to_string();
    assert!(why.starts_with("the area 'east' is not for this walker"), "{why}");
    tune(&mut world, Setting::Tags(vec!["staff".into()])).unwrap();
    send(&mut world, who, dvec2(8.0, 3.0));
    assert_eq!(run(&mut world, 10.0), [(who, WalkEnd::Arrived)]);
}

#[test]
fn there_are_so_many_classes_at_once_and_unused_ones_make_room() {
    let mut world = world(two_rooms());
    let one = join(&mut world, "one", dvec2(2.0, 3.0), None, &[]);
    for step in 1..100 {
        let setting = Setting::Radius(Some(0.3 + 0.001 * f64::from(step)));
        world.apply(Command::Tune { who: one, setting }).unwrap();
    }
    let most = cicerone::plan::MAX_CLASSES;
    for number in 1..most {
        join(&mut world, &format!("other{number}"), dvec2(2.0, 3.0), Some(0.1 + 0.001 * number as f64), &[]);
    }
    let (before, radius) = (world.checksum(), Setting::Radius(Some(0.9)));
    let spec = with!(character("late", dvec2(2.0, 3.0)), radius_m = Some(0.9));
    let refused = world.apply(Command::Spawn(Box::new(spec))).unwrap_err().to_string();
    assert!(refused.contains("32 kinds of walkers"), "{refused}");
    assert_eq!(world.checksum(), before);
    // The only one of its kind makes room for itself; nobody else does.
    world.apply(Command::Tune { who: one, setting: radius }).unwrap();
    world.apply(Command::Tune { who: one, setting: Setting::Radius(Some(0.95)) }).unwrap();
    let two = join(&mut world, "two", dvec2(2.0, 3.0), Some(0.95), &[]);
    world.apply(Command::Tune { who: two, setting: Setting::Radius(Some(0.9)) }).unwrap_err();
    world.apply(Command::Despawn(one)).unwrap();
    world.apply(Command::Despawn(two)).unwrap();
    join(&mut world, "late", dvec2(2.0, 3.0), Some(0.9), &[]);
}

/// Bodies of all sizes with and without tags walk about while areas open and close and the room changes. Nobody is ever off
/// its own ground, and a saved and restored world goes on as if nothing had been.
#[test]
fn all_bodies_stay_on_their_own_ground_and_are_saved() {
    for seed in 0..in_sweeps(120, 12) {
        let kind = [GroundKind::Grid, GroundKind::Mesh][seed as usize % 2];
        let mut random = Random(seed + 5_000);
        let mut room = any_room(&mut random, kind);
        room.crowd.avoidance = random.one_of(&[Avoidance::Steer, Avoidance::Push]);
        let mut world = world(room.clone());
        for number in 0..10 {
            let radius_m = (kind == GroundKind::Grid).then(|| random.one_of(&[0.1, OWN_M, 0.35, 0.6]));
            let tags: &[&str] = random.one_of(&[&[][..], &["staff"], &["dogs"]]);
            let place = dvec2(random.within(0.5, 11.5), random.within(0.5, 9.5));
            join(&mut world, &format!("c{number}"), place, radius_m, tags);
        }
        let mut copy = None;
        for step in 0..600 {
            let mut worlds: Vec<&mut World> = std::iter::once(&mut world).chain(&mut copy).collect();
            if step % 20 == 0 {
                let who = CharacterId(random.below(9) as u32);
                let to = dvec2(random.within(0.0, 12.0), random.within(0.0, 10.0));
                worlds.iter_mut().for_each(|world| send(world, who, to));
            }
            if step % 37 == 0 {
                let mut again = Random(random.0);
                change(worlds[0], &mut room.clone(), &mut random);
                worlds.get_mut(1).into_iter().for_each(|world| change(world, &mut room.clone(), &mut again));
                room = worlds[0].room().clone();
            }
            if step == 250 && kind == GroundKind::Grid {
                // The last of its kind leaves before the save: nothing of it may be left.
                let (who, setting) = (CharacterId(9), Setting::Radius(Some(1.5)));
                let _ = worlds[0].apply(Command::Tune { who, setting });
                worlds[0].apply(Command::Despawn(who)).unwrap();
            }
            worlds.iter_mut().for_each(|world| drop(tick(world)));
            for who in world.characters() {
                assert!(
                    world.ground_of(who).is_walkable(who.position),
                    "{kind:?} seed {seed}, {step}: {who:?}"
                );
                assert!(!who.position.at.is_nan());
            }
            if step == 300 {
                copy = Some(World::restore(room.clone(), &world.state()).unwrap());
            }
            if let Some(copy) = &copy {
                assert_eq!(copy.checksum(), world.checksum(), "{kind:?} seed {seed}, step {step}");
            }
        }
    }
}

/// Two rooms with a gap of 0.8 m, as a file: with what is said of the walker.
fn saved(walker: &str) -> Room {
    let text = format!(
        r#"{{"cellSize": 0.1, "agentRadius": 0.2, "objectPadding": 0, "boundaryPadding": "radius", "areas": [
            {{"name": "west", "polygon": [[0, 0], [5, 0], [5, 6], [0, 6]]}},
            {{"name": "gap", "polygon": [[5, 2.6], [5.4, 2.6], [5.4, 3.4], [5, 3.4]]}},
            {{"name": "east", "polygon": [[5.4, 0], [10, 0], [10, 6], [5.4, 6]]}}],
          "characters": [{{"name": "walker", "at": [2, 3]{walker}}}]}}"#
    );
    parse("two.json", text.as_bytes()).unwrap_or_else(|report| panic!("{report}")).room
}

#[test]
fn a_saved_radius_changes_under_the_walker() {
    let mut world = world(saved(r#", "radius": 0.3"#));
    let who = world.character_named("walker").unwrap().id;
    let radii = |world: &World| {
        let character = world.character(who).unwrap();
        (world.radius_m(character), character.collision_radius_m)
    };
    assert_eq!(radii(&world), (0.3, 0.3));
    send(&mut world, who, dvec2(8.0, 3.0));
    run(&mut world, 1.0);
    let replace = |world: &mut World, walker: &str| {
        world.apply(Command::ReplaceRoom(Box::new(saved(walker)))).unwrap();
    };
    replace(&mut world, r#", "radius": 0.5"#);
    assert_eq!(radii(&world), (0.5, 0.5));
    assert_eq!(run(&mut world, 10.0), [(who, WalkEnd::Partial)], "the gap is too narrow now");
    replace(&mut world, r#", "radius": 0.5, "collisionRadius": 0.25"#);
    assert_eq!(radii(&world), (0.5, 0.25));
    replace(&mut world, r#", "radius": 0.25, "collisionRadius": 0.25"#);
    assert_eq!(radii(&world), (0.25, 0.25));
    replace(&mut world, r#", "radius": 0.35, "collisionRadius": 0.25"#);
    assert_eq!(radii(&world), (0.35, 0.25), "the file says both");
    replace(&mut world, "");
    assert_eq!(radii(&world), (0.2, 0.2));
    send(&mut world, who, dvec2(8.0, 3.0));
    assert_eq!(run(&mut world, 10.0), [(who, WalkEnd::Arrived)]);
}

/// A door that closes once it is empty does so, though wide bodies wait before it on ground that it takes with it.
#[test]
fn a_door_closes_before_those_who_are_wide() {
    for radius_m in [0.1, 0.25, 0.3] {
        let mut room = saved("");
        room.characters.clear();
        room.areas[1].when_occupied = WhenOccupied::Hold;
        let mut world = world(room);
        let inside = join(&mut world, "inside", dvec2(5.2, 3.0), None, &[]);
        world.apply(Command::Tune { who: inside, setting: Setting::Pinned(true) }).unwrap();
        let wide = join(&mut world, "wide", dvec2(2.0, 3.0), Some(radius_m), &[]);
        send(&mut world, wide, dvec2(8.0, 3.0));
        world.apply(Command::SetAreaAvailable { area: "gap".into(), available: false }).unwrap();
        run(&mut world, 6.0);
        assert_eq!(world.is_area_available("gap"), Some(true), "somebody is in it");
        send(&mut world, inside, dvec2(7.0, 5.0));
        run(&mut world, 6.0);
        assert_eq!(world.is_area_available("gap"), Some(false), "{radius_m} m: {}", at(&world, wide));
        assert!(at(&world, wide).x < 5.0);
    }
}

#[test]
fn a_link_is_not_for_those_it_names() {
    for (tag, may) in [("cat", true), ("dog", false)] {
        let mut room = saved("");
        room.characters.clear();
        room.areas.remove(1);
        let jump = Link::new("ditch", LinkKind::Jump, dvec2(4.0, 3.0), dvec2(6.4, 3.0));
        room.links.push(with!(jump, never = vec!["dog".into()]));
        let mut world = world(room);
        let who = join(&mut world, "walker", dvec2(2.0, 3.0), None, &[tag]);
        send(&mut world, who, dvec2(8.0, 3.0));
        let end = if may { WalkEnd::Arrived } else { WalkEnd::Partial };
        assert_eq!(run(&mut world, 12.0), [(who, end)], "{tag}");
        let query = world.query_of(who, dvec2(8.0, 3.0)).unwrap();
        let why = world.explain(&query, u64::MAX).unwrap().to_string();
        assert_eq!(why.contains("the link 'ditch', which is not for this walker"), !may, "{why}");
    }
}

/// In a formation of several kinds everybody gets a place that is ground for it.
#[test]
fn a_formation_has_a_place_for_every_body() {
    for seed in 0..in_sweeps(200, 30) {
        let mut random = Random(seed + 9_000);
        let room = any_room(&mut random, GroundKind::Grid);
        let mut world = world(room);
        let who: Vec<CharacterId> = (0..5)
            .map(|number| {
                let tags: &[&str] = random.one_of(&[&[][..], &["staff"], &["dogs"]]);
                let radius_m = random.one_of(&[None, Some(0.1), Some(0.4), Some(0.7)]);
                let place = dvec2(random.within(1.0, 11.0), random.within(1.0, 9.0));
                join(&mut world, &format!("c{number}"), place, radius_m, tags)
            })
            .collect();
        let at = dvec2(random.within(1.0, 11.0), random.within(1.0, 9.0));
        let kind = random.one_of(&[FormationKind::Line, FormationKind::Circle, FormationKind::Wedge]);
        let formation = Formation { kind, at: at.into(), spacing_m: None, radius_m: None, facing: None };
        let Ok(places) = world.formation_places(&who, &formation) else { continue };
        for place in places {
            let ground = world.ground_of(world.character(place.who).unwrap());
            assert!(ground.is_walkable(ground.locate(place.at)), "seed {seed}: {place:?}");
        }
    }
}
