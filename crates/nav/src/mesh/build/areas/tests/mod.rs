//! Plans against the definition, by sampling points, and against the grid.

mod hostile;
mod oracle;
mod rooms;

pub(crate) use rooms::{Random, random_room};

use super::*;
use crate::mesh::Polygons;
use crate::sweeps::sweeps;
use oracle::{check_covers, check_polygons};
use rooms::{mirrored, of_polygons, rect};

/// The rooms of the repository that are made of areas.
pub(crate) fn known_rooms() -> Vec<(String, Room)> {
    let mut rooms = Vec::new();
    for entry in std::fs::read_dir("../../rooms").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            // Painted rooms need their images.
            if let Ok(parsed) = crate::room::parse("r.json", &std::fs::read(&path).unwrap()) {
                rooms.push((path.display().to_string(), parsed.room));
            }
        }
    }
    rooms.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(rooms.len() >= 6);
    rooms
}

fn check_room(room: &Room, share: f64, points: usize, name: &str) {
    let plan = from_room(room, share).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let mesh = check_polygons(room, &plan, name);
    check_covers(room, &plan, &mesh, share, points, name);
    assert_eq!(from_room(room, share).unwrap(), plan);
}

#[test]
fn plans_of_the_rooms_here_are_exact() {
    for (name, room) in known_rooms() {
        check_room(&room, 1.0, 2_000, &name);
        check_room(&room, 0.4, 1_000, &name);
    }
}

#[test]
fn plans_of_random_rooms_are_exact() {
    let count = if sweeps() { 3_000 } else { 60 };
    for seed in 0..count {
        let room = random_room(seed);
        check_room(&room, 1.0, 300, &format!("room {seed}"));
        if seed % 4 == 0 {
            check_room(&mirrored(&room), 1.0, 300, &format!("room {seed} mirrored"));
            check_room(&room, 0.3, 300, &format!("room {seed} with a share"));
        }
    }
}

#[test]
fn a_plain_area_is_one_polygon() {
    let corners = [(0., 0.), (2., 0.), (4., 0.), (4., 3.), (0., 3.)].map(DVec2::from).to_vec();
    let slanted = corners.iter().map(|p| DVec2::new(0.6, 0.8).rotate(*p) + 0.123).collect();
    for area in [rect(0.0, 0.0, 3.0, 3.0), corners, slanted] {
        let plan = from_room(&of_polygons([0.3, 0.1, 0.0], &[area], &[], &[]), 1.0).unwrap();
        assert_eq!((plan.polygons.len(), plan.vertices.len()), (1, 4));
    }
}

/// More polygons than these are a step back.
#[test]
fn rooms_have_few_polygons() {
    let most = [
        ("corridor", 341),
        ("doorway", 141),
        ("market", 265),
        ("stage", 19),
        ("tavern", 297),
        ("vault", 234),
    ];
    for (name, room) in known_rooms() {
        let plan = from_room(&room, 1.0).unwrap();
        if let Some((_, most)) = most.iter().find(|(known, _)| name.contains(known)) {
            assert!(plan.polygons.len() <= *most, "{name}: {} polygons", plan.polygons.len());
        }
    }
}

#[test]
fn thousands_of_obstacles_are_a_plan() {
    let random = &mut rooms::Random(3);
    let obstacle = |_| {
        let (x, z) = (random.within(0.0, 120.0), random.within(0.0, 120.0));
        rect(x, z, x + random.within(0.2, 2.0), z + random.within(0.2, 2.0))
    };
    let obstacles: Vec<_> = (0..2_000).map(obstacle).collect();
    let room = of_polygons([0.3, 0.1, 0.3], &[rect(0.0, 0.0, 120.0, 120.0)], &obstacles, &[]);
    let plan = from_room(&room, 1.0).unwrap();
    assert!(Polygons::new(&plan.vertices, &plan.polygons).is_ok());
    assert!(plan.polygons.len() < 28_000, "{} polygons", plan.polygons.len());
}
