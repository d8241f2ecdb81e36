//! Plans against the definition, by sampling points, and against the grid.

mod grids;
mod hostile;
mod oracle;
mod rooms;

use super::*;
use crate::mesh::Polygons;
use oracle::{check_covers, check_polygons};
use rooms::{mirrored, of_polygons, random_room, rect};

fn sweeps() -> bool {
    std::env::var_os("CICERONE_SWEEPS").is_some()
}

/// The rooms of the repository that are made of areas.
fn known_rooms() -> Vec<(String, Room)> {
    let mut rooms = Vec::new();
    for entry in std::fs::read_dir("rooms").unwrap() {
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

#[test]
fn figures() {
    for (name, room) in known_rooms() {
        let begin = std::time::Instant::now();
        let plan = from_room(&room, 1.0).unwrap();
        let took = begin.elapsed();
        let mesh = Polygons::new(&plan.vertices, &plan.polygons).unwrap();
        let never = |cover: &crate::mesh::Cover| {
            cover.outlines.iter().any(|&o| {
                let piece = &plan.outlines[o as usize];
                piece.right.is_empty() && cover.areas.iter().all(|area| piece.left.contains(area))
            })
        };
        let count = |f: &dyn Fn(&crate::mesh::Cover) -> bool| {
            plan.cover_of.iter().filter(|&&c| f(&plan.covers[c as usize])).count()
        };
        let open = count(&|c| c.obstacles.is_empty() && c.outlines.is_empty());
        println!(
            "{name}: {} polygons, {open} with nothing on them, {} never open, {} edges, {} covers, {took:?}",
            mesh.len(),
            count(&never),
            mesh.edge_count(),
            plan.covers.len()
        );
    }
    let mut obstacles = Vec::new();
    let random = &mut rooms::Random(3);
    for _ in 0..2_000 {
        let (x, z) = (random.within(0.0, 120.0), random.within(0.0, 120.0));
        obstacles.push(rect(x, z, x + random.within(0.2, 2.0), z + random.within(0.2, 2.0)));
    }
    let room = of_polygons([0.3, 0.1, 0.3], &[rect(0.0, 0.0, 120.0, 120.0)], &obstacles, &[]);
    let begin = std::time::Instant::now();
    let plan = from_room(&room, 1.0).unwrap();
    println!(
        "2000 obstacles: {} polygons, {} covers, {:?}",
        plan.polygons.len(),
        plan.covers.len(),
        begin.elapsed()
    );
}
