//! The walls near a position, against all edges of all cells or polygons.

use super::random::{mesh_room, off_ground, open_place, seeds, views};
use super::{KINDS, Kind, ground};
use crate::geometry::{closest_on_segment, distance_sq_to_segment};
use crate::mesh::Behind;
use crate::mesh::test_rooms::{Random, random_room};
use crate::nav::{LocalBoundary, Position};
use crate::room::GroundKind;
use crate::surface::Surface;
use glam::{DVec2, DVec3, dvec2};

type Edge = (DVec2, DVec2);

/// Nearer points are the same, in metres.
const SAME_M: f64 = 1e-6;

/// Edges whose distance is nearer to the range than this are not checked: rounding.
const AT_RANGE_M: f64 = 1e-6;

/// Pieces of the ground with their edges, and the piece behind each edge, if one can go there.
struct Pieces {
    edges: Vec<Vec<(DVec3, DVec3, Option<usize>)>>,
    start: usize,
}

impl Pieces {
    fn of_mesh(surface: &Surface, position: Position) -> Self {
        let views = views(surface);
        let behind = |behind: Behind| match behind {
            Behind::Portal(other) | Behind::OneWay(other) => {
                Some(other as usize).filter(|&other| views[other].is_open)
            }
            Behind::Wall => None,
        };
        let edges_of = |view: &crate::mesh::PolygonView| {
            view.edges().map(|(from, to, other)| (from, to, behind(other))).collect()
        };
        Self { edges: views.iter().map(edges_of).collect(), start: position.floor.0 as usize }
    }

    fn of_cells(surface: &Surface, at: DVec2) -> Self {
        let grid = surface.as_grid().unwrap();
        let frame = grid.frame();
        let size_m = frame.cell_size_m;
        let middle = |x: u32, z: u32| frame.corner(x, z) + size_m / 2.0;
        let (width, depth) = (frame.width, frame.depth);
        let cell = |x: i64, z: i64| {
            let is_cell = (0..i64::from(width)).contains(&x) && (0..i64::from(depth)).contains(&z);
            is_cell.then(|| (z * i64::from(width) + x) as usize)
        };
        let edges_of = |x: u32, z: u32| {
            let corner = |dx: u32, dz: u32| {
                let at = frame.corner(x + dx, z + dz);
                DVec3::new(at.x, 0.0, at.y)
            };
            let open = |dx: i64, dz: i64| {
                let (x, z) = (i64::from(x) + dx, i64::from(z) + dz);
                cell(x, z).filter(|_| grid.walkable_cell(middle(x as u32, z as u32)).is_some())
            };
            vec![
                (corner(0, 0), corner(1, 0), open(0, -1)),
                (corner(1, 0), corner(1, 1), open(1, 0)),
                (corner(1, 1), corner(0, 1), open(0, 1)),
                (corner(0, 1), corner(0, 0), open(-1, 0)),
            ]
        };
        let (x, z) = grid.walkable_cell(at).unwrap();
        let start = cell(i64::from(x), i64::from(z)).unwrap();
        let cells = (0..depth).flat_map(|z| (0..width).map(move |x| (x, z)));
        Self { edges: cells.map(|(x, z)| edges_of(x, z)).collect(), start }
    }

    /// The walls within a range. `None` if an edge is so near to the range that rounding decides.
    fn walls(&self, at: DVec2, y_m: f64, range_m: f64) -> Option<Vec<Edge>> {
        let (mut found, mut next, mut walls) = (vec![self.start], 0, Vec::new());
        while let Some(&piece) = found.get(next) {
            next += 1;
            for &(from, to, behind) in &self.edges[piece] {
                let on_plane = |at: DVec3| dvec2(at.x, at.z);
                let (a, b) = (on_plane(from), on_plane(to));
                let nearest = closest_on_segment(at, a, b);
                let share = nearest.distance(a) / a.distance(b);
                let off_m = (from.y + (to.y - from.y) * share - y_m).abs();
                let away_m = nearest.distance(at);
                if (away_m - range_m).abs() < AT_RANGE_M || (off_m - 1.5).abs() < 1e-6 {
                    return None;
                }
                if away_m > range_m || off_m > 1.5 {
                    continue;
                }
                match behind {
                    None => walls.push((a, b)),
                    Some(other) if !found.contains(&other) => found.push(other),
                    Some(_) => {}
                }
            }
        }
        Some(walls)
    }
}

/// The greatest distance of points of one edge from a set of edges.
fn off_m((a, b): Edge, others: &[Edge]) -> f64 {
    let points = (0..=8).map(|i| a.lerp(b, f64::from(i) / 8.0));
    let to_nearest = |at: DVec2| {
        let all = others.iter().map(|&(from, to)| distance_sq_to_segment(at, from, to));
        all.fold(f64::INFINITY, f64::min).sqrt()
    };
    points.map(to_nearest).fold(0.0, f64::max)
}

/// Checks the boundary round a position. Returns the number of its walls.
fn check(about: &str, surface: &Surface, position: Position, range_m: f64) -> Option<usize> {
    let pieces = match surface.as_mesh() {
        Some(_) => Pieces::of_mesh(surface, position),
        None => Pieces::of_cells(surface, position.at),
    };
    let expected = pieces.walls(position.at, surface.height_m(position), range_m)?;
    let mut boundary = LocalBoundary::default();
    assert!(surface.boundary_near(position, range_m, &mut boundary) > 0);
    assert_eq!(surface.boundary_near(position, range_m, &mut boundary), 0, "still good");
    let walls: Vec<Edge> = boundary.walls().iter().map(|wall| (wall.from, wall.to)).collect();
    let away_m = |&(a, b): &Edge| distance_sq_to_segment(position.at, a, b).sqrt();
    assert!(walls.is_sorted_by(|one, other| away_m(one) <= away_m(other)), "{about}: nearest first");
    for &wall in &walls {
        assert!(off_m(wall, &expected) < SAME_M, "{about}: no wall at {wall:?}");
        let (a, b) = wall;
        let inside = a.midpoint(b) + (b - a).normalize().perp() * 1e-4;
        let inside = surface.place_of(Position { at: inside, ..position });
        let is_ground = surface.is_walkable(inside) || surface.nearest(inside, 2e-4).is_some();
        assert!(is_ground, "{about}: the ground is to the left of {wall:?}");
    }
    let is_full = walls.len() == LocalBoundary::MOST_WALLS;
    let least_m = if is_full { walls.last().map_or(0.0, away_m) } else { f64::INFINITY };
    for edge in expected.iter().filter(|edge| away_m(edge) < least_m - SAME_M) {
        assert!(off_m(*edge, &walls) < SAME_M, "{about}: {edge:?} is missing in {walls:?}");
    }
    Some(walls.len())
}

#[test]
fn the_boundary_is_the_nearest_walls_on_every_ground() {
    let (mut checked, mut full, mut none) = (0, 0, 0);
    for seed in seeds(24) {
        let mut random = Random(seed);
        let storeys = mesh_room(2 * seed + 1);
        let mut grounds = vec![("storeys".to_owned(), Surface::new(&storeys).unwrap())];
        let mut room = random_room(seed);
        (room.ground.kind, room.ground.cell_size_m) = (GroundKind::Grid, 0.25);
        for kind in KINDS.into_iter().filter(|kind| *kind != Kind::Mesh) {
            grounds.push((format!("{kind:?}"), ground(kind, &room)));
        }
        room.ground.kind = GroundKind::Mesh;
        grounds.push(("mesh".into(), Surface::new(&room).unwrap()));
        for (name, surface) in &grounds {
            let views = if surface.as_mesh().is_some() { views(surface) } else { Vec::new() };
            for try_number in 0..6 {
                let position = if views.is_empty() {
                    let (min, max) = surface.bounds();
                    let at = dvec2(random.within(min.x, max.x), random.within(min.y, max.y));
                    surface.locate(at)
                } else {
                    let Some(place) = open_place(&mut random, &views) else { continue };
                    surface.locate(place)
                };
                if !surface.is_walkable(position)
                    || off_ground(&views, position).is_some() && !views.is_empty()
                {
                    continue;
                }
                let range_m = [0.3, 1.0, 2.5, 6.0][random.below(4) as usize];
                let about = format!("room {seed}, {name}, try {try_number}: {position:?} within {range_m} m");
                let Some(walls) = check(&about, surface, position, range_m) else { continue };
                checked += 1;
                full += usize::from(walls == LocalBoundary::MOST_WALLS);
                none += usize::from(walls == 0);
            }
        }
    }
    eprintln!("{checked} boundaries, {full} full, {none} empty");
    assert!(checked > 200 && full > 20 && none > 20, "{checked}, {full}, {none}");
}

/// The edges of a ramp rise, and under its upper half there is other ground.
#[test]
fn walls_have_the_heights_of_their_ground() {
    let text = r#"{"mesh": {"polygons": [[[0,0,0], [30,9,0], [30,9,2], [0,0,2]], [[0,0,-9], [40,0,-9], [40,0,0], [0,0,0]]],
        "portals": []}}"#;
    let surface = Surface::new(&crate::room::parse("ramp.json", text.as_bytes()).unwrap().room).unwrap();
    let centre = surface.locate(crate::nav::Place::new(10.0, 1.0).with_height(3.0));
    let mut boundary = LocalBoundary::default();
    surface.boundary_near(centre, 4.0, &mut boundary);
    let expected =
        [(dvec2(0.0, 0.0), dvec2(30.0, 0.0), [0.0, 9.0]), (dvec2(30.0, 2.0), dvec2(0.0, 2.0), [9.0, 0.0])];
    let walls: Vec<_> = boundary.walls().iter().map(|wall| (wall.from, wall.to, wall.heights_m)).collect();
    assert_eq!(walls, expected);
    assert_eq!(boundary.walls()[0].height_m(dvec2(20.0, 0.0)), 6.0);
    // On the plane it has not moved.
    let below = surface.locate(crate::nav::Place::new(10.0, -0.0).with_height(0.0));
    assert!(surface.boundary_near(below, 4.0, &mut boundary) > 0, "another storey");
}

/// The other room is within the range, but not connected.
#[test]
fn walls_behind_walls_do_not_count() {
    for kind in KINDS {
        let super::Sample { room, places } = super::sample("A1A.BB AAA.BB AAA.BB");
        let surface = ground(kind, &room);
        let mut boundary = LocalBoundary::default();
        surface.boundary_near(surface.locate(places[0]), 9.0, &mut boundary);
        assert_eq!(boundary.walls().len(), 4, "{kind:?}: {boundary:?}");
        assert!(
            boundary.walls().iter().all(|wall| wall.from.x.max(wall.to.x) < 3.2),
            "{kind:?}: {boundary:?}"
        );
    }
}

#[test]
fn a_door_that_closes_is_a_wall() {
    for kind in KINDS {
        let super::Sample { room, places } = super::sample("A1AA.BBBB AAAADBBBB AAAA.BB2B");
        let mut surface = ground(kind, &room);
        let near_door = surface.locate(dvec2(3.7, 1.5));
        let mut boundary = LocalBoundary::default();
        surface.boundary_near(near_door, 1.0, &mut boundary);
        let nearest_m = |boundary: &LocalBoundary| {
            boundary.walls().first().map_or(9.0, |wall| wall.nearest(near_door.at).distance(near_door.at))
        };
        assert!((nearest_m(&boundary) - dvec2(0.3, 0.5).length()).abs() < 0.11, "{kind:?}: {boundary:?}");
        let door = surface.areas().find(|&area| surface.area_name(area) == "D").unwrap();
        surface.set_area_available(door, false);
        assert!(surface.boundary_near(near_door, 1.0, &mut boundary) > 0, "the ground has changed");
        assert!((nearest_m(&boundary) - 0.3).abs() < 0.11, "{kind:?}: {boundary:?}");
        let nowhere = surface.locate(dvec2(-3.0, 1.0));
        surface.boundary_near(nowhere, 9.0, &mut boundary);
        assert!(boundary.walls().is_empty() && places.len() == 2, "{kind:?}");
        surface.boundary_near(near_door, f64::NAN, &mut boundary);
        assert!(boundary.walls().is_empty(), "{kind:?}");
    }
}
