//! One suite over every kind of ground. The same small rooms are built as a grid, as sampled cells like those of a
//! painted room, as a mesh of convex polygons, and as rectangles of cells. The same questions must have the same answers, within what each
//! ground can tell apart.
//!
//! Random rooms over meshes are lived in and asked, too: a thousand of each kind with `CICERONE_SWEEPS`.

mod any_angle;
mod boundaries;
mod connections;
mod crowds;
mod curves;
mod jumps;
mod ledges;
mod links;
mod lives;
mod moves;
mod plain_links;
mod portal_paths;
mod questions;
mod random;
mod storeys;
mod toggles;
mod waypaths;

use crate::nav::{Path, Query};
use crate::plan::{Explanation, explain_path, find_path};
use crate::room::{
    Area, GroundKind, GroundSettings, MeshPolygons, PlannerKind, RawPolygon, Room, Sampling, Shortening,
};
use crate::surface::{SearchMemory, Surface};
use glam::{DVec2, DVec3, dvec2};
use std::sync::Arc;

/// Metres to a character of a picture.
const CHARACTER_M: f64 = 1.0;

/// Edge of a cell of the grids.
const CELL_M: f64 = 0.1;

/// Pictures of rooms. Each letter paints an area, which is a rectangle; a lower-case letter is closed at first. Digits
/// are places on the ground in the area to their left.
const ROOMS: [&str; 6] = [
    // A hall.
    "A1AAAAA
     AAAAAAA
     AAAAA2A
     AAAAAAA",
    // Two rooms and a door.
    "A1AA.BBBB
     AAAA.B2BB
     AAAADBBBB
     AAAA.BBBB
     AAA3.BB4B",
    // The same with the door closed.
    "A1AA.BBBB
     AAAA.B2BB
     AAAAdBBBB
     AAAA.BBBB
     AAA3.BB4B",
    // Round a corner, and two areas apart from that.
    "A1AAAAAAA.III
     AAAAAAAAA.I4I
     BB.......CC..
     BB.......CC..
     BB2......C3..",
    // A ring, half of it closed.
    "A1AAAAAA
     B......c
     B......c
     B......c
     D2DDDD3D",
    // A place in a closed area.
    "A1AABBBB
     AAAABB4B
     AAAAc2cc
     AAA3cccc",
];

/// A room of a picture, and its places by number.
struct Sample {
    room: Room,
    places: Vec<DVec2>,
}

/// A kind of ground.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Grid,
    SampledFour,
    SampledEight,
    Mesh,
    AnyAngle,
    Portals,
}

const KINDS: [Kind; 6] =
    [Kind::Grid, Kind::SampledFour, Kind::SampledEight, Kind::Mesh, Kind::AnyAngle, Kind::Portals];

fn sample(picture: &str) -> Sample {
    let rows: Vec<Vec<char>> = picture.split_whitespace().map(|row| row.chars().collect()).collect();
    let mut places = Vec::new();
    let mut areas: Vec<(char, DVec2, DVec2)> = Vec::new();
    for (z, row) in rows.iter().enumerate() {
        for (x, &mark) in row.iter().enumerate() {
            let (low, high) = (dvec2(x as f64, z as f64), dvec2(x as f64 + 1.0, z as f64 + 1.0));
            let letter = if mark.is_ascii_digit() { row[x - 1] } else { mark };
            if let Some(number) = mark.to_digit(10) {
                places.push((number, low.midpoint(high) * CHARACTER_M));
            }
            match areas.iter_mut().find(|(name, ..)| *name == letter) {
                _ if letter == '.' => {}
                Some((_, min, max)) => (*min, *max) = (min.min(low), max.max(high)),
                None => areas.push((letter, low, high)),
            }
        }
    }
    places.sort_unstable_by_key(|(number, _)| *number);
    let area = |(letter, min, max): (char, DVec2, DVec2)| {
        let polygon = [min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)].map(|at| at * CHARACTER_M);
        Area { available: letter.is_uppercase(), ..Area::new(letter, polygon.to_vec()) }
    };
    let ground = GroundSettings {
        cell_size_m: CELL_M,
        agent_radius_m: 0.0,
        object_padding_m: 0.0,
        boundary_padding_m: 0.0,
        ..GroundSettings::default()
    };
    let areas = areas.into_iter().map(area).collect();
    Sample {
        room: Room { name: "sample".into(), areas, ground, ..Room::default() },
        places: places.into_iter().map(|(_, at)| at).collect(),
    }
}

/// The room as a kind of ground has it.
fn room_for(kind: Kind, room: &Room) -> Room {
    let mut room = room.clone();
    let sampling = |eight: bool| Some(Sampling { rate_px: 2.0, eight, cover: false });
    if kind == Kind::Mesh {
        give_polygons(&mut room);
    }
    if kind == Kind::AnyAngle {
        room.ground.planner = PlannerKind::AnyAngle;
    }
    if kind == Kind::Portals {
        room.ground.planner = PlannerKind::Portals;
    }
    (room.ground.sampling, room.ground.shortening) = match kind {
        Kind::Grid | Kind::Mesh | Kind::AnyAngle | Kind::Portals => (None, Shortening::Pull),
        Kind::SampledFour => (sampling(false), Shortening::Pull),
        Kind::SampledEight => (sampling(true), Shortening::Pull),
    };
    room
}

/// The ground of such a room.
fn ground(kind: Kind, room: &Room) -> Surface {
    Surface::new(&room_for(kind, room)).unwrap()
}

/// Gives a room a mesh of one polygon for each area. Areas are rectangles. One whose name ends like `@3` lies that many
/// metres higher.
fn give_polygons(room: &mut Room) {
    room.ground.kind = GroundKind::Mesh;
    let height_m = |name: &str| name.split_once('@').map_or(0.0, |(_, height)| height.parse().unwrap());
    let corners = |area: &Area| {
        let y = height_m(&area.name);
        area.polygon.iter().map(|at| DVec3::new(at.x, y, at.y)).collect::<Vec<_>>()
    };
    let mut vertices: Vec<DVec3> = room.areas.iter().flat_map(corners).collect();
    vertices.sort_by(|a, b| [a.x, a.y, a.z].partial_cmp(&[b.x, b.y, b.z]).unwrap());
    vertices.dedup();
    let mut polygons = Vec::new();
    for (number, area) in room.areas.iter_mut().enumerate() {
        let corners = corners(area);
        let mut ring = Vec::new();
        for (i, &a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            // The corner and all vertices on the edge behind it.
            let share = |at: DVec3| (at - a).dot(b - a) / (b - a).length_squared();
            let is_on =
                |at: DVec3| (at - a).cross(b - a).length() < 1e-9 && (0.0..1.0 - 1e-9).contains(&share(at));
            let mut on: Vec<u32> =
                (0..vertices.len() as u32).filter(|&vertex| is_on(vertices[vertex as usize])).collect();
            on.sort_by(|&a, &b| share(vertices[a as usize]).total_cmp(&share(vertices[b as usize])));
            ring.extend(on);
        }
        polygons.push(RawPolygon { corners: ring, ..RawPolygon::default() });
        area.mesh_polygons = vec![number as u32];
    }
    room.mesh = Some(Arc::new(MeshPolygons::new(vertices, polygons)));
}

fn path(ground: &Surface, query: &Query) -> Path {
    find_path(ground, query.clone(), &mut SearchMemory::default())
}

fn explanation(ground: &Surface, query: &Query) -> Explanation {
    explain_path(ground, query, &mut SearchMemory::default(), u64::MAX).unwrap()
}

/// All pairs of places of all rooms, on all kinds of ground.
fn for_each_pair(mut check: impl FnMut(Kind, &Surface, &Surface, DVec2, DVec2)) {
    for picture in ROOMS {
        let Sample { room, places } = sample(picture);
        let exact = ground(Kind::Mesh, &room);
        for kind in KINDS {
            let ground = ground(kind, &room);
            for (&from, &to) in places.iter().flat_map(|from| places.iter().map(move |to| (from, to))) {
                check(kind, &ground, &exact, from, to);
            }
        }
    }
}
