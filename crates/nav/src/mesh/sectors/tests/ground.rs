//! The polygons in sectors, checked point by point.

use super::worlds::{HEADROOM_M, STEP_M, World};
use super::{Built, built, worlds};
use crate::geometry::contains;
use crate::mesh::Polygons;
use crate::mesh::sectors::flood::opposite;
use crate::mesh::sectors::openings::Way;
use crate::mesh::test_rooms::Random;
use crate::room::MeshPolygons;
use glam::{DVec2, DVec3};

fn corners(mesh: &MeshPolygons, polygon: usize) -> Vec<DVec3> {
    mesh.polygons[polygon].corners.iter().map(|&corner| mesh.vertices[corner as usize]).collect()
}

/// What a point of a box is by brute force: whether a character in it is nearer to a border than its radius, and whether
/// it reaches over the edge of a drop, or into the face of one.
fn holds(built: &Built, node: u32, inside: DVec2, radius_m: f64) -> Option<[bool; 2]> {
    let size_m = built.lattice.box_size_m;
    let (mut air, mut face) = (false, false);
    // Sides that it reaches over: along x and along z.
    let over = |part: f64, sides: [usize; 2]| {
        let mut all = Vec::new();
        if part + radius_m > size_m {
            all.push(sides[0]);
        }
        if part < radius_m {
            all.push(sides[1]);
        }
        all
    };
    let (x, z) = (over(inside.x, [0, 2]), over(inside.y, [1, 3]));
    let ways = &built.ways;
    let mut cross = |node: u32, side: usize| match ways.way(node, side) {
        Way::Both => Ok(ways.both(node, side)),
        Way::Out => {
            air = true;
            Ok(None)
        }
        Way::In => {
            face = true;
            Ok(None)
        }
        Way::None => Err(()),
    };
    let head_m = f64::from(built.flood.tops_m[node as usize]) + HEADROOM_M;
    let has_headroom = |under: Option<u32>| {
        under.is_none_or(|under| f64::from(built.flood.ceilings_m[under as usize]) > head_m)
    };
    for &side in x.iter().chain(&z) {
        cross(node, side).ok()?;
        if !has_headroom(ways.out(node, side)) {
            return None;
        }
    }
    for &a in &x {
        for &b in &z {
            let [beside, below] = [cross(node, a).ok()?, cross(node, b).ok()?];
            let ends = [
                beside.map(|next| cross(next, b)).transpose().ok()?.flatten(),
                below.map(|next| cross(next, a)).transpose().ok()?.flatten(),
            ];
            match ends {
                [Some(one), Some(other)] if one != other => return None,
                // No border may be beyond the corner, either.
                [Some(one), None] if ways.way(one, opposite(a)) == Way::None => {
                    return None;
                }
                [None, Some(other)] if ways.way(other, opposite(b)) == Way::None => {
                    return None;
                }
                _ => {}
            }
            // What stands on the floor below a drop may be as high as the character.
            for (side, next) in [(a, b), (b, a)] {
                let Some(under) = ways.out(node, side) else { continue };
                // A floor at the corner is no ceiling.
                let beyond =
                    ways.both(under, next).or(ways.out(under, next)).filter(|_| ends == [None, None]);
                if ways.way(under, next) == Way::None || !has_headroom(beyond) {
                    return None;
                }
            }
        }
    }
    Some([air, face])
}

#[test]
fn ground_is_where_a_character_has_room() {
    let mut counts = [0; 3];
    for seed in 0..worlds() / 4 {
        let level = World::random(seed).level();
        let built = built(&level).unwrap_or_else(|problem| panic!("world {seed}: {problem}"));
        if built.mesh.polygons.is_empty() {
            continue;
        }
        let mesh = &built.mesh;
        Polygons::new(&mesh.vertices, &mesh.polygons)
            .unwrap_or_else(|problems| panic!("{seed}: {problems:?}"));
        let flat = |polygon: usize| corners(mesh, polygon).iter().map(|at| DVec2::new(at.x, at.z)).collect();
        let outlines: Vec<Vec<DVec2>> = (0..mesh.polygons.len()).map(flat).collect();
        let mut random = Random(seed);
        for _ in 0..400 {
            let node = random.below(built.flood.len() as u64) as u32;
            let size_m = built.lattice.box_size_m;
            let inside = DVec2::new(random.within(0.01, size_m - 0.01), random.within(0.01, size_m - 0.01));
            // Not so near to a line between tiles that rounding counts.
            let on_line = |part: f64| (part - 0.2).abs() < 1e-3 || (part - 0.3).abs() < 1e-3;
            if on_line(inside.x) || on_line(inside.y) {
                continue;
            }
            let column = built.lattice.place(built.flood.columns[node as usize]);
            let at = built.lattice.point(column, inside.to_array());
            let floor_m = built.lattice.base_m + f64::from(built.flood.floors_m[node as usize]);
            let is_here = |polygon: &usize| {
                let heights = corners(mesh, *polygon).into_iter().map(|corner| corner.y);
                let (low, high) =
                    heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
                contains(&outlines[*polygon], at) && (low - 0.4..=high + 0.4).contains(&floor_m)
            };
            let found = (0..outlines.len()).filter(is_here).count();
            let wanted = holds(&built, node, inside, 0.3);
            assert_eq!(found, usize::from(wanted.is_some()), "world {seed}: {at} {floor_m} {wanted:?}");
            counts[usize::from(wanted.is_some())] += 1;
            counts[2] += usize::from(wanted.is_some_and(|[air, face]| air || face));
        }
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

/// Beside drops, a body at any point of the ground touches nothing: its feet are on the floor all around it.
#[test]
fn a_body_anywhere_on_the_ground_touches_no_solid() {
    let mut checked = 0;
    for seed in 0..worlds() / 2 {
        let world = World::random(seed);
        let Ok(built) = built(&world.level()) else { continue };
        let Built { lattice, flood, mesh, .. } = &built;
        if mesh.polygons.is_empty() {
            continue;
        }
        let mut random = Random(seed);
        for _ in 0..200 {
            let polygon = random.below(mesh.polygons.len() as u64) as usize;
            let corners = corners(mesh, polygon);
            let (a, c) = (corners[0], corners[random.below(corners.len() as u64) as usize]);
            let at = a.lerp(c, random.within(0.01, 0.99));
            let column = lattice.column_at(at).unwrap();
            let inside = DVec2::new(at.x, at.z) - lattice.point(lattice.place(column), [0.0; 2]);
            let nodes = (0..flood.len() as u32).filter(|&node| flood.columns[node as usize] == column);
            let off_m =
                |node: &u32| (lattice.base_m + f64::from(flood.floors_m[*node as usize]) - at.y).abs();
            let node = nodes.min_by(|a, b| off_m(a).total_cmp(&off_m(b))).unwrap();
            // The face of a drop: from here one walks away only. Between floors of different heights, feet are in steps.
            if off_m(&node) > 1e-6 || holds(&built, node, inside, 0.3 - 1e-6).is_none_or(|[_, face]| face) {
                continue;
            }
            let half = DVec3::new(0.299, 0.0, 0.299);
            let (min, max) =
                ((at - half).with_y(at.y + STEP_M), (at + half).with_y(at.y + HEADROOM_M - 0.25));
            let touched = world.within(min, max).next();
            assert_eq!(touched, None, "world {seed}: at {at}");
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// One walks over a border of polygons both ways, but down a drop and away from its foot.
#[test]
fn portals_between_polygons_lead_both_ways_but_down_a_drop() {
    let mut drops = 0;
    for seed in 0..worlds() {
        let Ok(built) = built(&World::random(seed).level()) else { continue };
        let mesh = &built.mesh;
        for (number, polygon) in mesh.polygons.iter().enumerate() {
            let here = corners(mesh, number);
            for (edge, next) in polygon.neighbours.iter().enumerate() {
                let Some(next) = *next else { continue };
                let there = corners(mesh, next as usize);
                let ends = [here[edge], here[(edge + 1) % here.len()]];
                // The same edge there runs against this one.
                let on_plane = |at: DVec3| DVec2::new(at.x, at.z);
                let same =
                    |at: DVec3| there.iter().position(|&other| on_plane(other) == on_plane(at)).unwrap();
                let rises = ends.map(|end| there[same(end)].y - end.y);
                if mesh.polygons[next as usize].neighbours[same(ends[1])] == Some(number as u32) {
                    assert!(rises.iter().all(|rise| rise.abs() < 1e-9), "world {seed}: a gap of {rises:?}");
                } else {
                    assert!(
                        rises.iter().all(|&rise| rise < STEP_M),
                        "world {seed}: nobody falls up {rises:?}"
                    );
                    drops += usize::from(rises[0] < -STEP_M);
                }
            }
        }
        for node in 0..built.ways.len() as u32 {
            for side in 0..4 {
                if let Some(to) = built.ways.both(node, side) {
                    assert_eq!(built.ways.both(to, opposite(side)), Some(node));
                }
            }
        }
    }
    assert!(drops > 100, "{drops}");
}
