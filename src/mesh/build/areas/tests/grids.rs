//! Connections over the mesh and over the grid.

use super::oracle::polygons_at;
use super::rooms::{Random, random_room};
use super::{from_room, known_rooms, sweeps};
use crate::mesh::{Blueprint, Polygons};
use crate::room::Room;
use crate::surface::Surface;
use glam::dvec2;

/// Edge of a cell, in metres.
const CELL_M: f64 = 0.1;

/// For each polygon, the number of its open connected part. `None` if it is closed.
fn parts(room: &Room, plan: &Blueprint, mesh: &Polygons) -> Vec<Option<u32>> {
    let is_open = |area: &crate::nav::AreaId| room.areas[area.0].available;
    let is_outer = |piece: &u32| {
        let piece = &plan.outlines[*piece as usize];
        piece.left.iter().any(is_open) != piece.right.iter().any(is_open)
    };
    let open = |polygon: u32| {
        let cover = &plan.covers[plan.cover_of[polygon as usize] as usize];
        cover.areas.iter().any(is_open) && cover.obstacles.is_empty() && !cover.outlines.iter().any(is_outer)
    };
    let mut parts = vec![None; mesh.len()];
    for start in 0..mesh.len() as u32 {
        if parts[start as usize].is_some() || !open(start) {
            continue;
        }
        let mut waiting = vec![start];
        while let Some(polygon) = waiting.pop() {
            if parts[polygon as usize].replace(start).is_none() {
                let behind = mesh.edges(polygon).iter().filter_map(|edge| edge.neighbour());
                waiting.extend(behind.filter(|&next| parts[next as usize].is_none() && open(next)));
            }
        }
    }
    parts
}

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
    let plan = from_room(room, 1.0).unwrap();
    let mesh = Polygons::new(&plan.vertices, &plan.polygons).unwrap();
    let parts = parts(room, &plan, &mesh);
    let (tight, loose) = (grid(room, 2.0 * CELL_M), grid(room, -2.0 * CELL_M));
    // Without padding, the mesh may lead over ground that is narrower than a cell.
    let is_padded =
        room.ground.boundary_padding_m >= 2.0 * CELL_M && room.ground.obstacle_margin_m() >= 2.0 * CELL_M;
    let (min, max) = room.bounds();
    let random = &mut Random(11);
    let (mut roomy, mut any) = (Vec::new(), Vec::new());
    for _ in 0..3_000 {
        let p = dvec2(random.within(min.x, max.x), random.within(min.y, max.y));
        let is_roomy = tight.as_grid().unwrap().is_walkable(p);
        if !is_roomy && any.len() >= 40 || roomy.len() >= 40 {
            continue;
        }
        let part = polygons_at(&mesh, p).first().and_then(|&polygon| parts[polygon as usize]);
        if is_roomy {
            assert!(part.is_some(), "{name}: {p} is closed on the mesh");
            roomy.push((p, part));
        }
        if part.is_some() {
            any.push((p, part));
        }
    }
    let (mut joined, mut separate) = (0, 0);
    for (i, &(p, part)) in roomy.iter().enumerate() {
        for &(q, other) in &roomy[..i] {
            if tight.may_reach(p, q) {
                assert_eq!(part, other, "{name}: {p} and {q} are apart on the mesh");
                joined += 1;
            }
        }
    }
    for (i, &(p, part)) in any.iter().enumerate().filter(|_| is_padded) {
        for &(q, other) in &any[..i] {
            assert!(loose.as_grid().unwrap().is_walkable(p), "{name}: {p} is closed on the grid");
            if !loose.may_reach(p, q) {
                assert!(part != other, "{name}: {p} and {q} are joined on the mesh");
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
