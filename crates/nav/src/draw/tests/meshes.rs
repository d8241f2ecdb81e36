//! Pictures of meshes and of houses with several storeys.

use super::{check, well_formed};
use crate::draw::storeys::Storeys;
use crate::draw::*;
use crate::nav::{Place, Query};
use crate::plan::find_path;
use crate::room::{Area, CharacterSpec, GroundKind, MeshPolygons, RawPolygon};
use crate::surface::SearchMemory;
use crate::world::{Command, World};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Metres of x, y and z.
pub(super) type Corner = (f64, f64, f64);

/// A room with these polygons. Areas are a name, whether it is open, and numbers of polygons.
pub(super) fn room(polygons: &[Vec<Corner>], areas: &[(&str, bool, &[u32])]) -> Room {
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut vertex = |corner: &Corner| {
        let at = DVec3::from(*corner);
        let known = vertices.iter().position(|&vertex| vertex == at);
        known.unwrap_or_else(|| {
            vertices.push(at);
            vertices.len() - 1
        }) as u32
    };
    let ring = |corners: &Vec<Corner>| corners.iter().map(&mut vertex).collect();
    let rings: Vec<Vec<u32>> = polygons.iter().map(ring).collect();
    let polygons = rings.into_iter().map(|corners| RawPolygon { corners, ..RawPolygon::default() });
    let area = |&(name, available, polygons): &(&str, bool, &[u32])| Area {
        available,
        mesh_polygons: polygons.to_vec(),
        ..Area::new(name, vec![DVec2::ZERO, DVec2::X, DVec2::Y])
    };
    let mut room = Room { name: "house".into(), areas: areas.iter().map(area).collect(), ..Room::default() };
    room.ground.kind = GroundKind::Mesh;
    room.mesh = Some(Arc::new(MeshPolygons::new(vertices.clone(), polygons.collect())));
    room
}

/// A level rectangle from one corner to another.
pub(super) fn slab(y: f64, (min_x, min_z): (f64, f64), (max_x, max_z): (f64, f64)) -> Vec<Corner> {
    vec![(min_x, y, min_z), (max_x, y, min_z), (max_x, y, max_z), (min_x, y, max_z)]
}

fn place(x: f64, y: f64, z: f64) -> Place {
    Place::new(x, z).with_height(y)
}

/// A hall, a ramp from it up to a landing, and a loft above the hall.
fn house() -> Room {
    let hall = [
        slab(0.0, (0.0, 0.0), (3.0, 6.0)),
        vec![(3.0, 0.0, 0.0), (6.0, 0.0, 0.0), (6.0, 0.0, 4.0), (6.0, 0.0, 6.0), (3.0, 0.0, 6.0)],
    ];
    let ramp = vec![(6.0, 0.0, 4.0), (10.0, 3.0, 4.0), (10.0, 3.0, 6.0), (6.0, 0.0, 6.0)];
    let landing =
        vec![(10.0, 3.0, 0.0), (12.0, 3.0, 0.0), (12.0, 3.0, 6.0), (10.0, 3.0, 6.0), (10.0, 3.0, 4.0)];
    let loft = [slab(3.0, (0.0, 0.0), (6.0, 4.0)), slab(3.0, (6.0, 0.0), (10.0, 4.0))];
    let [hall_west, hall_east] = hall;
    let [loft_west, loft_east] = loft;
    let polygons = [hall_west, hall_east, ramp, landing, loft_west, loft_east];
    let mut room = room(
        &polygons,
        &[("hall", true, &[0, 1]), ("stairs", true, &[2]), ("loft", true, &[3, 5]), ("attic", false, &[4])],
    );
    let character = |name: &str, at: Place, player| {
        let spec = CharacterSpec::at(at).with_name(name);
        spec.with(|traits| (traits.player, traits.collision_radius_m) = (player, 0.3))
    };
    room.characters =
        vec![character("Ada", place(1.5, 0.0, 4.5), true), character("Bob", place(11.5, 3.0, 1.5), false)];
    room.points.insert("bed".into(), place(7.5, 3.0, 1.5));
    room.points.insert("door".into(), place(0.5, 0.0, 0.5));
    room
}

pub(super) fn picture(room: &Room) -> Picture {
    Picture::of_room(room, &Surface::new(room).unwrap())
}

fn query(room: &Room, from: Place, to: Place) -> Picture {
    let ground = Surface::new(room).unwrap();
    let path = find_path(&ground, Query::new(from, to), &mut SearchMemory::default());
    assert_eq!(path.corridor.is_empty(), path.waypoints.is_empty());
    Picture::of_room(room, &ground).with_cells(&ground).with_path(from, to, &path)
}

fn storeys(room: &Room) -> Vec<usize> {
    let ground = Surface::new(room).unwrap();
    let mesh = ground.as_mesh().unwrap();
    let polygons = mesh.polygon_views();
    let storeys = Storeys::of(mesh, &polygons);
    (0..polygons.len() as u32).map(|polygon| storeys.of_polygon(polygon) + 1).collect()
}

/// A ring round a hole, with a closed part, in the same signs as a room of cells.
#[test]
fn a_mesh_looks_like_any_room() {
    let ring = [
        slab(0.0, (0.0, 0.0), (2.0, 2.0)),
        slab(0.0, (2.0, 0.0), (6.0, 2.0)),
        slab(0.0, (6.0, 0.0), (8.0, 2.0)),
        slab(0.0, (6.0, 2.0), (8.0, 4.0)),
        slab(0.0, (6.0, 4.0), (8.0, 6.0)),
        slab(0.0, (2.0, 4.0), (6.0, 6.0)),
        slab(0.0, (0.0, 4.0), (2.0, 6.0)),
        slab(0.0, (0.0, 2.0), (2.0, 4.0)),
    ];
    let mut room = room(&ring, &[("gate", false, &[1])]);
    room.points.insert("post".into(), Place::new(7.5, 5.5));
    check(
        &query(&room, Place::new(1.0, 1.5), Place::new(7.5, 1.5)).to_text(16),
        "
        . . ~ ~ ~ ~ . .
        . S ~ ~ ~ ~ . G
        . * # # # # * *
        . * # # # # * .
        . . * * * * * .
        . . . . . . . p

        p post   S start   G goal   ~ gate (closed)
        * way   # blocked   one square is 1 m
        ",
    );
}

#[test]
fn a_path_knows_its_polygons() {
    let mut room = house();
    room.areas[3].available = true;
    let ground = Surface::new(&room).unwrap();
    let query = Query::new(place(0.5, 0.0, 3.5), place(0.5, 3.0, 3.5));
    let path = find_path(&ground, query, &mut SearchMemory::default());
    assert_eq!(path.corridor.iter().map(|floor| floor.0).collect::<Vec<_>>(), [0, 1, 2, 3, 5, 4]);
}

#[test]
fn storeys_are_below_each_other_with_a_way_from_one_to_the_next() {
    let mut room = house();
    room.areas[3].available = true;
    let picture = query(&room, place(0.5, 0.0, 3.5), place(0.5, 3.0, 3.5));
    check(
        &picture.to_text(24),
        "
        storey 1 (y 0.0 to 3.0 m)
        d . . . . .
        . . . . . .
        . . . . . .
        S * * * * *
        . @ . . . . * * * * *
        . . . . . . . . . .

        storey 2 (y 3.0 m)
        . . . . . . . . . . . .
        . . . . . . . b . . . B
        . . . . . . . . . . . .
        G * * * * * * * * * . .
                            * .
                            . .

        d door   @ Ada (player)   S start   b bed
        B Bob   G goal   * way   one square is 1 m
        ",
    );
    let look = TextLook { width_limit: 24, storey: Some(2), ..TextLook::default() };
    let upstairs = picture.to_text_with(&look);
    assert!(upstairs.starts_with("storey 2 (y 3.0 m)\n. . . .") && !upstairs.contains("Ada"), "{upstairs}");
    assert_eq!((picture.storey_count(), picture.storey(3), picture.storey(0)), (2, None, None));
}

#[test]
fn a_goal_on_another_storey_that_is_not_reached_is_drawn_there() {
    let picture = query(&house(), place(0.5, 0.0, 3.5), place(2.5, 3.0, 1.5));
    let text = picture.to_text(24);
    let (downstairs, upstairs) = text.split_once("storey 2").unwrap();
    assert!(downstairs.contains('S') && !downstairs.contains('G'), "{text}");
    assert!(upstairs.contains("~ ~ G ~") && upstairs.contains("G goal (not reached)"), "{text}");
}

#[test]
fn an_svg_has_a_plan_for_each_storey() {
    let room = house();
    let svg = picture(&room).to_svg(&SvgOptions::default());
    well_formed(&svg);
    let plan = |number: usize, side: &str| -> f64 {
        let attributes = svg.split("<svg").nth(number + 1).unwrap();
        attributes.split(&format!(" {side}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    assert!(plan(1, "y") == plan(2, "y") && plan(2, "x") > plan(1, "x") + plan(1, "width"), "side by side");
    for words in [
        ">storey 1 (y 0.0 to 3.0 m)<",
        ">storey 2 (y 3.0 m)<",
        ">to storey 1<",
        ">to storey 2<",
        ">to another storey<",
        ">slope<",
        ">attic · closed<",
        ">closed area<",
        ">walkable ground<",
    ] {
        assert!(svg.contains(words), "no {words}");
    }
    assert_eq!(svg.matches("<svg").count(), 3, "a sheet with two plans");
    for (name, count) in [(">Ada</text>", 2), (">Bob</text>", 2), (">bed</text>", 2), (">hall</text>", 1)] {
        assert_eq!(svg.matches(name).count(), count, "{name}");
    }
    let one = picture(&room).storey(2).unwrap().to_svg(&SvgOptions::default());
    well_formed(&one);
    assert!(one.contains(">Bob<") && !one.contains(">Ada<") && one.contains(">storey 2 ("));
    let whole = query(&room, place(0.5, 0.0, 3.5), place(11.5, 3.0, 3.5)).to_svg(&SvgOptions::default());
    well_formed(&whole);
    let searched = Picture::of_room(&room, &Surface::new(&room).unwrap());
    well_formed(&searched.with_search(&Surface::new(&room).unwrap()).to_svg(&SvgOptions::default()));
}

/// Without polygons above each other there are no storeys, however high the ground rises.
#[test]
fn a_ramp_alone_is_one_storey_and_has_treads() {
    let ramp = [
        slab(0.0, (0.0, 0.0), (2.0, 2.0)),
        vec![(2.0, 0.0, 0.0), (6.0, 3.0, 0.0), (6.0, 3.0, 2.0), (2.0, 0.0, 2.0)],
        slab(3.0, (6.0, 0.0), (8.0, 2.0)),
    ];
    let picture = picture(&room(&ramp, &[]));
    assert_eq!(picture.storey_count(), 1);
    assert!(picture.to_text(16).starts_with(". . . . . . . .\n. . . . . . . .\n\none square"));
    let svg = picture.to_svg(&SvgOptions::default());
    well_formed(&svg);
    assert!(!svg.contains("storey") && svg.contains(">slope<"), "{svg}");
    let treads = |face: &Face| face.treads.len();
    // One each 0.25 m, in each of the two triangles of the ramp, but for its lower end.
    assert_eq!(picture.faces().unwrap().faces.iter().map(treads).collect::<Vec<_>>(), [0, 22, 0]);
}

#[test]
fn a_portal_that_leads_one_way_has_an_arrow() {
    let squares = [slab(0.0, (0.0, 0.0), (2.0, 2.0)), slab(0.0, (2.0, 0.0), (4.0, 2.0))];
    let mut room = room(&squares, &[]);
    let mut mesh = MeshPolygons::clone(room.mesh.as_ref().unwrap());
    mesh.polygons[0].neighbours = vec![None, Some(1), None, None];
    mesh.polygons[1].neighbours = vec![None; 4];
    room.mesh = Some(Arc::new(mesh));
    let picture = picture(&room);
    let kinds: Vec<RimKind> = picture.faces().unwrap().rims.iter().map(|rim| rim.kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == RimKind::OneWay).count(), 1);
    assert_eq!(kinds.iter().filter(|kind| **kind == RimKind::Wall).count(), 6, "no wall across the arrow");
    let svg = picture.to_svg(&SvgOptions::default());
    well_formed(&svg);
    assert!(svg.contains(">one way only<"));
    // From x = 2 the arrow points to greater x.
    let [tail, barb] = ["M", "L"].map(|command| {
        let d = svg.split(r#"<path class="arrow" d=""#).nth(1).unwrap().split('"').next().unwrap();
        d.split(command).nth(1).unwrap().split(['L', ',']).next().unwrap().parse::<f64>().unwrap()
    });
    assert!(barb > tail, "{tail} {barb}");
}

#[test]
fn a_ledge_to_another_storey_has_an_arrow_on_both_plans() {
    let squares = [
        slab(3.0, (0.0, 0.0), (2.0, 2.0)),
        slab(0.0, (2.0, 0.0), (4.0, 2.0)),
        slab(0.0, (0.0, 0.0), (2.0, 2.0)),
    ];
    let mut room = room(&squares, &[]);
    let mut mesh = MeshPolygons::clone(room.mesh.as_ref().unwrap());
    mesh.polygons[0].neighbours = vec![None, Some(1), None, None];
    mesh.polygons[1].neighbours = vec![None, None, None, Some(2)];
    mesh.polygons[2].neighbours = vec![None, Some(1), None, None];
    room.mesh = Some(Arc::new(mesh));
    let picture = picture(&room);
    assert_eq!(picture.storey_count(), 2);
    for storey in [1, 2] {
        let plan = picture.storey(storey).unwrap();
        let rims = &plan.faces().unwrap().rims;
        let arrows: Vec<&Rim> = rims.iter().filter(|rim| rim.kind == RimKind::OneWay).collect();
        assert_eq!(arrows.len(), 1, "storey {storey}");
        // Down to greater x: to the right of the line.
        assert!(arrows[0].from.y < arrows[0].to.y && arrows[0].from.x == 2.0, "{:?}", arrows[0]);
    }
}

#[test]
fn a_living_house_shows_characters_and_ways_where_they_are() {
    let mut world = World::new(house(), 1).unwrap();
    let ada = world.character_named("Ada").unwrap().id;
    world.apply(Command::SetTarget { who: ada, to: place(8.5, 3.0, 1.5) }).unwrap();
    let routes = |world: &World| {
        let picture = Picture::of_world(world);
        let of = |number: usize| picture.storey(number).unwrap().routes().count();
        (of(1), of(2), picture.storey_to_follow())
    };
    (0..30).for_each(|_| world.tick());
    assert_eq!(routes(&world), (1, 1, 1), "the way runs over both storeys");
    let picture = Picture::of_world(&world);
    assert_eq!(picture.place_on_storey(1, DVec2::new(1.0, 1.0)), place(1.0, 0.0, 1.0));
    assert_eq!(picture.place_on_storey(2, DVec2::new(1.0, 1.0)), place(1.0, 3.0, 1.0));
    assert_eq!(picture.place_on_storey(2, DVec2::new(1.0, 5.0)), Place::new(1.0, 5.0), "no ground there");
    let mut trail = Vec::new();
    for _ in 0..1200 {
        world.tick();
        trail.push(world.character(ada).unwrap().position.at);
    }
    assert_eq!(routes(&world), (0, 0, 2), "the view goes upstairs with the player");
    let mut picture = Picture::of_world(&world);
    picture.add(Shape::Trail { points: trail, tint: Tint::Player });
    let ends = |number: usize| {
        let storey = picture.storey(number).unwrap();
        storey.trails().map(|(points, _)| (points[0], *points.last().unwrap())).collect::<Vec<_>>()
    };
    let (below, above) = (ends(1), ends(2));
    assert_eq!((below.len(), above.len()), (1, 1));
    assert!(below[0].0.x < 4.0 && (below[0].1.x - 10.0).abs() < 0.2, "{below:?}");
    assert!(above[0].0.distance(below[0].1) < 0.2 && above[0].1.x < 9.0, "{above:?}");
}

/// A box with a lid, a gallery of the same height beside it, stairs, and a step.
#[test]
fn what_may_be_on_several_storeys_is_on_the_nearest_below() {
    let polygons = [
        slab(0.0, (0.0, 0.0), (4.0, 4.0)),   // the floor
        slab(3.0, (0.0, 0.0), (4.0, 4.0)),   // the lid
        slab(2.9, (10.0, 0.0), (14.0, 4.0)), // a gallery apart
        slab(0.5, (5.0, 0.0), (6.0, 4.0)),   // a step
        vec![(6.0, 0.5, 0.0), (10.0, 2.9, 0.0), (10.0, 2.9, 4.0), (6.0, 0.5, 4.0)], // stairs
        vec![(14.0, 2.9, 0.0), (18.0, 6.0, 0.0), (18.0, 6.0, 4.0), (14.0, 2.9, 4.0)], // further up
        slab(9.0, (1.0, 1.0), (2.0, 2.0)),   // a perch over the lid
        slab(1.0, (1.0, 1.0), (2.0, 2.0)),   // a table
    ];
    assert_eq!(storeys(&room(&polygons, &[])), [1, 2, 2, 1, 1, 2, 3, 1]);
}

/// Stairs over the floor that they begin on do not lie above it: there is no headroom under all of them.
#[test]
fn stairs_over_a_floor_belong_to_it() {
    let polygons = [
        slab(0.0, (0.0, 0.0), (10.0, 4.0)),
        vec![(4.0, 0.0, 0.0), (8.0, 3.0, 0.0), (8.0, 3.0, 2.0), (4.0, 0.0, 2.0)],
        slab(3.0, (8.0, 0.0), (10.0, 2.0)),
    ];
    assert_eq!(storeys(&room(&polygons, &[])), [1, 1, 2]);
}

/// A ramp that winds up over itself: one storey to a turn.
#[test]
fn a_ramp_that_winds_has_a_storey_for_each_turn() {
    let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
    let inner = |(x, z): (f64, f64)| (1.0 + x / 2.0, 1.0 + z / 2.0);
    let piece = |number: usize| {
        let (from, to) = (corners[number % 4], corners[(number + 1) % 4]);
        let (low, high) = (number as f64, number as f64 + 1.0);
        let ((a, b), (c, d)) = (inner(from), inner(to));
        vec![(from.0, low, from.1), (to.0, high, to.1), (c, high, d), (a, low, b)]
    };
    let polygons: Vec<Vec<Corner>> = (0..10).map(piece).collect();
    assert_eq!(storeys(&room(&polygons, &[])), [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
}

/// Random slabs: of two above each other, a body apart or more, the upper one is on a higher storey. Doors change
/// nothing.
#[test]
fn storeys_never_hide_ground() {
    let mut seed = 7_u64;
    let mut draw = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    for round in 0..60 {
        let slabs: Vec<(DVec2, DVec2, f64)> = (0..12)
            .map(|_| {
                let min = DVec2::new(draw(12) as f64, draw(12) as f64);
                (min, min + DVec2::new(1.0 + draw(6) as f64, 1.0 + draw(6) as f64), draw(14) as f64 * 0.6)
            })
            .collect();
        let polygons: Vec<Vec<Corner>> =
            slabs.iter().map(|(min, max, y)| slab(*y, (min.x, min.y), (max.x, max.y))).collect();
        let Ok(_) = Surface::new(&room(&polygons, &[])) else { continue };
        let found = storeys(&room(&polygons, &[]));
        for (one, (min, max, y)) in slabs.iter().enumerate() {
            for (other, (other_min, other_max, other_y)) in slabs.iter().enumerate() {
                let shared = (max.min(*other_max) - min.max(*other_min)).min_element() > 0.0;
                if shared && other_y - y > 1.79 {
                    assert!(
                        found[other] > found[one],
                        "round {round}: {one}, {other} of {slabs:?}: {found:?}"
                    );
                }
            }
        }
        let closed = room(&polygons, &[("half", false, &[0, 1, 2, 3, 4, 5])]);
        assert_eq!(storeys(&closed), found);
    }
}
