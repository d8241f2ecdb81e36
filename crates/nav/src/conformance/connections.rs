//! Connections over the mesh and over the grid of one room, wherever the gap is wider than a cell.

use crate::mesh::test_rooms::{Random, known_rooms, random_room};
use crate::room::{GroundKind, Room};
use crate::surface::Surface;
use crate::sweeps::sweeps;
use glam::dvec2;

/// Edge of a cell, in metres.
const CELL_M: f64 = 0.1;

/// The room with other clearances, as a grid.
fn grid(room: &Room, more_m: f64) -> Surface {
    let mut room = room.clone();
    let margin_m = room.ground.obstacle_margin_m() + more_m;
    room.ground.cell_size_m = CELL_M;
    room.ground.agent_radius_m = margin_m.max(0.0);
    room.ground.object_padding_m = 0.0;
    room.ground.boundary_padding_m = (room.ground.boundary_padding_m + more_m).max(0.0);
    Surface::new(&room).unwrap()
}

/// Returns the numbers of connected and of separate pairs.
fn check_connections(room: &Room, name: &str) -> (usize, usize) {
    let mut on_mesh = room.clone();
    on_mesh.ground.kind = GroundKind::Mesh;
    let mesh = Surface::new(&on_mesh).unwrap();
    let (tight, loose) = (grid(room, 2.0 * CELL_M), grid(room, -2.0 * CELL_M));
    // Without padding, the mesh may lead over ground that is narrower than a cell.
    let is_padded =
        room.ground.boundary_padding_m >= 2.0 * CELL_M && room.ground.obstacle_margin_m() >= 2.0 * CELL_M;
    let (min, max) = room.bounds();
    let random = &mut Random(11);
    let (mut roomy, mut any) = (Vec::new(), Vec::new());
    for _ in 0..3_000 {
        let p = dvec2(random.within(min.x, max.x), random.within(min.y, max.y));
        let is_roomy = tight.is_walkable(p);
        if !is_roomy && any.len() >= 40 || roomy.len() >= 40 {
            continue;
        }
        let is_open = mesh.is_walkable(p);
        if is_roomy {
            assert!(is_open, "{name}: {p} is closed on the mesh");
            roomy.push(p);
        }
        if is_open {
            any.push(p);
        }
    }
    let (mut joined, mut separate) = (0, 0);
    for (i, &p) in roomy.iter().enumerate() {
        for &q in &roomy[..i] {
            if tight.may_reach(p, q) {
                assert!(mesh.may_reach(p, q), "{name}: {p} and {q} are apart on the mesh");
                joined += 1;
            }
        }
    }
    for (i, &p) in any.iter().enumerate().filter(|_| is_padded) {
        for &q in &any[..i] {
            assert!(loose.is_walkable(p), "{name}: {p} is closed on the grid");
            if !loose.may_reach(p, q) {
                assert!(!mesh.may_reach(p, q), "{name}: {p} and {q} are joined on the mesh");
                separate += 1;
            }
        }
    }
    (joined, separate)
}

#[test]
fn the_mesh_connects_what_the_grid_connects() {
    let (mut joined, mut separate) = (0, 0);
    let known = known_rooms().into_iter();
    let count = if sweeps() { 1_000 } else { 40 };
    let rooms = known.chain((0..count).map(|seed| (format!("room {seed}"), random_room(seed))));
    for (name, room) in rooms {
        let (more_joined, more_separate) = check_connections(&room, &name);
        joined += more_joined;
        separate += more_separate;
    }
    assert!(joined > 1_000 && separate > 500, "{joined} pairs joined, {separate} separate");
}
