//! Floods of random worlds, checked against brute force.

mod drawn;
mod edges;
mod ground;
mod picture;
mod worlds;

use super::problem::BadStart;
use super::*;
use crate::mesh::test_rooms::Random;
use crate::room::Sectors;
use crate::sweeps::sweeps;
use std::collections::{BTreeMap, BTreeSet};
use worlds::World;

pub(super) fn worlds() -> u64 {
    if sweeps() { 1000 } else { 60 }
}

/// All parts of a build.
struct Built {
    lattice: Lattice,
    flood: Flood,
    ways: Ways,
    regions: Regions,
    mesh: MeshPolygons,
}

fn built(level: &LevelGeometry) -> Result<Built, SectorProblem> {
    let settings = Settings::new(level, level.flood.as_ref().unwrap())?;
    let triangles = triangles(level)?;
    let corners = || triangles.iter().flatten();
    let min = corners().fold(DVec3::INFINITY, |min, &corner| min.min(corner));
    let max = corners().fold(DVec3::NEG_INFINITY, |max, &corner| max.max(corner));
    let lattice = Lattice::new(&settings, settings.starts[0], min, max);
    let mut report = |_| ControlFlow::Continue(());
    let mut progress = Progress::new(&mut report);
    check_size(&lattice, &triangles)?;
    let columns = Columns::new(&lattice, &triangles, &settings, &mut progress)?;
    let starts = starts::floors(&lattice, &columns, &triangles, &settings)?;
    let place = flood::Level { lattice: &lattice, columns: &columns, settings: &settings };
    let flood = Flood::new(&place, &starts, &Steps::new(&columns).tested_in(&place, &mut progress)?);
    let ways = Ways::new(&flood, settings.min_portal_width_m / settings.box_size_m);
    let regions = Regions::new(&flood, &ways, settings.min_sector_boxes, &mut progress)?;
    let mesh = match mesh_of(level) {
        // There are boxes, but no ground.
        Err(SectorProblem::TooNarrow { .. }) => MeshPolygons::default(),
        other => other?,
    };
    Ok(Built { lattice, flood, ways, regions, mesh })
}

fn mesh_of(level: &LevelGeometry) -> Result<MeshPolygons, SectorProblem> {
    let flood = level.flood.as_ref().unwrap();
    from_level(level, flood, &mut SectorMemory::default(), &mut |_| ControlFlow::Continue(()))
}

#[test]
fn a_flood_of_triangles_is_that_of_the_solids() {
    let (mut both, mut one_way) = (0, 0);
    for seed in 0..worlds() {
        let world = World::random(seed);
        let Built { lattice, flood, .. } = built(&world.level()).unwrap();
        let start = lattice.place(lattice.column_at(world.start).unwrap());
        let place = |node: u32| {
            let column = lattice.place(flood.columns[node as usize]);
            let column = [0, 1].map(|axis| column[axis] as i32 - start[axis] as i32);
            (column, f64::from(flood.tops_m[node as usize] + 0.0).to_bits())
        };
        let found: BTreeMap<_, _> = (0..flood.len() as u32)
            .map(|node| (place(node), [0, 1, 2, 3].map(|side| Some(place(flood.step(node, side)?).1))))
            .collect();
        assert_eq!(found, world.brute_flood(), "world {seed}");
        for node in 0..flood.len() as u32 {
            for side in 0..4 {
                both += usize::from(flood.both_ways(node, side).is_some());
                one_way +=
                    usize::from(flood.step(node, side).is_some() && flood.both_ways(node, side).is_none());
            }
        }
    }
    assert!(both > 1000 && one_way > 500, "{both} and {one_way} steps");
}

/// Whether two boxes have more than a border in common. Sectors that are level have no height.
fn overlap(a: &crate::room::SectorBox, b: &crate::room::SectorBox) -> bool {
    let (low, high) = (a.min.max(b.min), a.max.min(b.max));
    low.x < high.x - 1e-9 && low.z < high.z - 1e-9 && low.y <= high.y
}

#[test]
fn sectors_are_disjoint_cover_all_and_portals_touch_both() {
    let mut counts = [0; 3];
    for seed in 0..worlds() {
        let Built { lattice, flood, ways, regions, mesh } = built(&World::random(seed).level()).unwrap();
        let Some(Sectors { sectors, portals, .. }) = mesh.sectors.as_deref() else { continue };
        for (number, sector) in sectors.iter().enumerate() {
            let other = sectors[..number].iter().find(|other| overlap(sector, other));
            assert_eq!(other, None, "world {seed}: overlaps {sector:?}");
        }
        // Each box is in one sector.
        let boxes: usize = sectors.iter().map(|sector| sector.boxes).sum();
        assert_eq!(boxes, flood.len(), "world {seed}");
        assert!(regions.sector_of.iter().all(|&sector| sector != regions::NO_SECTOR));
        for portal in portals {
            for (sector, is_from) in [(portal.from, true), (portal.to, false)] {
                let sector = &sectors[sector as usize];
                for end in portal.ends {
                    let within = |axis: usize| {
                        (sector.min[axis] - 1e-9..=sector.max[axis] + 1e-9).contains(&end[axis])
                    };
                    let touches = within(0) && within(2);
                    let is_level = !is_from || within(1);
                    assert!(touches && is_level, "world {seed}: {portal:?} {sector:?}");
                }
            }
            counts[usize::from(portal.one_way)] += 1;
        }
        // Every step over a border of sectors is in the length of a portal of its kind, and there is nothing else.
        let mut steps: BTreeMap<(u32, u32, bool), f64> = BTreeMap::new();
        for node in 0..ways.len() as u32 {
            for side in 0..4 {
                let (to, one_way) = match (ways.both(node, side), ways.out(node, side)) {
                    (Some(to), _) => (to, false),
                    (_, Some(to)) => (to, true),
                    _ => continue,
                };
                let [from, to] = [node, to].map(|node| regions.sector_of[node as usize]);
                if from != to && (one_way || from < to) {
                    *steps.entry((from, to, one_way)).or_default() += lattice.box_size_m;
                }
            }
        }
        for portal in portals {
            let on_plane = (portal.ends[1] - portal.ends[0]).with_y(0.0);
            *steps.entry((portal.from, portal.to, portal.one_way)).or_default() -= on_plane.length();
        }
        assert!(steps.values().all(|rest| rest.abs() < 1e-9), "world {seed}: {steps:?}");
        counts[2] += sectors.len();
    }
    assert!(counts[0] > 100 && counts[1] > 100 && counts[2] > 500, "{counts:?}");
}

#[test]
fn sectors_are_the_same_whatever_the_order_of_triangles() {
    for seed in 0..worlds() / 4 {
        let mut level = World::random(seed).level();
        let before = mesh_of(&level);
        let mut random = Random(seed);
        for last in (1..level.triangles.len()).rev() {
            level.triangles.swap(last, random.below(last as u64 + 1) as usize);
        }
        assert_eq!(mesh_of(&level), before, "world {seed}");
    }
}

#[test]
fn a_changed_level_is_flooded_again_where_it_matters_and_as_if_anew() {
    let (mut again, mut whole) = (0, 0);
    for seed in 0..worlds() {
        let mut world = World::random(seed);
        let mut memory = SectorMemory::default();
        let mut random = Random(seed);
        let build = |world: &World, memory: &mut SectorMemory| {
            let level = world.level();
            let flood = level.flood.clone().unwrap();
            from_level(&level, &flood, memory, &mut |_| ControlFlow::Continue(()))
        };
        if build(&world, &mut memory).is_err() {
            continue;
        }
        for _ in 0..3 {
            // A solid moves a little, and another one comes or goes.
            let moved = 1 + random.below(world.solids.len() as u64 - 1) as usize;
            let by = DVec3::new(random.below(3) as f64, 0.0, random.below(3) as f64) / 4.0;
            (world.solids[moved].min, world.solids[moved].max) =
                (world.solids[moved].min + by, world.solids[moved].max + by);
            let mut empty = SectorMemory::default();
            let fresh = build(&world, &mut empty);
            let renewed = build(&world, &mut memory);
            assert_eq!(renewed, fresh, "world {seed}");
            if renewed.is_ok() {
                again += memory.tested();
                whole += empty.tested();
            }
        }
    }
    assert!(again * 3 < whole, "{again} of {whole} steps were tested again");
}

#[test]
fn a_changed_level_is_refused_like_a_new_one() {
    let mut level = World::random(1).level();
    let first = level.vertices.len() as u32;
    let triangle = [(1.0, 1.0), (2.0, 1.0), (1.0, 2.0)].map(|(x, z)| DVec3::new(x, 20.0, z));
    level.vertices.extend(triangle);
    level.triangles.push([first, first + 1, first + 2]);
    let (mut memory, flood) = (SectorMemory::default(), level.flood.clone().unwrap());
    let build = |level: &LevelGeometry, memory: &mut SectorMemory| {
        from_level(level, &flood, memory, &mut |_| ControlFlow::Continue(()))
    };
    build(&level, &mut memory).unwrap();
    // The same columns, but too tall.
    level.vertices[first as usize..].iter_mut().for_each(|vertex| vertex.y = 20_000.0);
    let refused = build(&level, &mut memory);
    assert!(matches!(refused, Err(SectorProblem::TooTall { .. })), "{:?}", refused.is_ok());
}

#[test]
fn narrow_openings_are_closed() {
    // A wall with a gap of one box, and one with a gap of two.
    let mut world = World::random(1);
    let solid = |x: f64, from: f64, to: f64| worlds::Solid {
        min: DVec3::new(x, 0.0, from),
        max: DVec3::new(x + 0.5, 3.0, to),
    };
    world.solids.truncate(1);
    world.solids.extend([
        solid(3.0, 0.0, 4.0),
        solid(3.0, 4.5, 10.0),
        solid(6.0, 0.0, 4.0),
        solid(6.0, 5.0, 10.0),
    ]);
    let joined = |least_m: f64| {
        let mut level = world.level();
        level.flood.as_mut().unwrap().min_portal_width_m = least_m;
        let ways = built(&level).unwrap().ways;
        // Pieces that are joined both ways.
        let mut pieces = vec![u32::MAX; ways.len()];
        let mut count = 0;
        for first in 0..ways.len() as u32 {
            if pieces[first as usize] != u32::MAX {
                continue;
            }
            let mut waiting = vec![first];
            while let Some(node) = waiting.pop() {
                if std::mem::replace(&mut pieces[node as usize], count) == u32::MAX {
                    waiting.extend(
                        (0..4)
                            .filter_map(|side| ways.both(node, side))
                            .filter(|&next| pieces[next as usize] == u32::MAX),
                    );
                }
            }
            count += 1;
        }
        count
    };
    assert_eq!(joined(0.0), 1);
    assert_eq!(joined(0.5), 1);
    // The box in the gap is apart from both sides.
    assert_eq!(joined(0.75), 3);
    assert_eq!(joined(1.0), 3);
    assert!(joined(1.25) > 3);
}

#[test]
fn start_points_that_are_not_on_ground_are_refused() {
    let mut world = World::random(1);
    world.solids.truncate(1);
    world.solids.push(worlds::Solid { min: DVec3::new(4.1, 0.0, 4.0), max: DVec3::new(6.0, 3.0, 6.0) });
    world.solids.push(worlds::Solid { min: DVec3::new(7.0, 1.5, 7.0), max: DVec3::new(9.0, 1.7, 9.0) });
    let refused = |at: DVec3| {
        let mut level = world.level();
        level.flood.as_mut().unwrap().starts.push(at);
        match mesh_of(&level) {
            Err(SectorProblem::BadStart { number: 1, why, .. }) => Some(why),
            other => other.map(|_| None).unwrap(),
        }
    };
    assert_eq!(refused(DVec3::new(3.0, 0.0, 3.0)), None);
    assert_eq!(refused(DVec3::new(3.0, 0.4, 3.0)), None);
    assert_eq!(refused(DVec3::new(5.0, 3.0, 5.0)), None, "on the block");
    assert_eq!(refused(DVec3::new(3.0, 2.0, 3.0)), Some(BadStart::InTheAir(Some(2.0))));
    assert_eq!(refused(DVec3::new(3.0, 20.0, 3.0)), Some(BadStart::InTheAir(Some(20.0))));
    // A block is only its faces: inside, there is air over the floor.
    assert_eq!(refused(DVec3::new(5.0, 1.0, 5.0)), Some(BadStart::InTheAir(Some(1.0))));
    assert_eq!(refused(DVec3::new(4.2, 1.0, 5.0)), Some(BadStart::InsideGeometry), "near a face");
    assert_eq!(refused(DVec3::new(50.0, 0.0, 5.0)), Some(BadStart::Outside));
    assert!(
        matches!(refused(DVec3::new(8.0, 0.0, 8.0)), Some(BadStart::Low(room)) if (room - 1.5).abs() < 1e-6)
    );
}

#[test]
fn floods_that_would_take_all_memory_are_refused_before_they_begin() {
    let mut world = World::random(1);
    world.solids.push(worlds::Solid { min: DVec3::splat(9e5), max: DVec3::splat(9e5) + DVec3::ONE });
    let problem = mesh_of(&world.level()).unwrap_err();
    assert!(matches!(problem, SectorProblem::TooTall { .. }), "{problem}");
    world.solids.pop();
    world
        .solids
        .push(worlds::Solid { min: DVec3::new(9e5, 0.0, 9e5), max: DVec3::new(9e5 + 1.0, 1.0, 9e5 + 1.0) });
    let problem = mesh_of(&world.level()).unwrap_err();
    let SectorProblem::TooLarge { estimate_mib, box_size_m, .. } = problem else { panic!("{problem}") };
    assert!(estimate_mib > 1e6 && box_size_m > 10.0, "{problem}");
    // With the size that the hint names, it is possible.
    let mut level = world.level();
    level.flood.as_mut().unwrap().box_size_m = box_size_m.ceil();
    let possible = mesh_of(&level);
    assert!(!matches!(possible, Err(SectorProblem::TooLarge { .. })), "{possible:?}");
}

/// A vertex that a slip put far outside.
#[test]
fn a_small_level_is_not_flooded_for_seconds() {
    let floor = |far_m: f64| {
        let vertices = [[0.0, 0.0], [0.0, 8.0], [8.0, 8.0], [far_m, 0.0]];
        let vertices = vertices.map(|[x, z]| DVec3::new(x, 0.0, z)).to_vec();
        let starts = vec![DVec3::new(2.0, 0.0, 4.0)];
        let flood = Some(FloodSettings { starts, ..FloodSettings::default() });
        LevelGeometry { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]], flood, ..LevelGeometry::default() }
    };
    let most = |level: &LevelGeometry| match mesh_of(level).err() {
        Some(SectorProblem::TooLarge { most_mib, triangles, .. }) => (most_mib, triangles),
        other => panic!("{other:?}"),
    };
    let mut level = floor(900_000.0);
    assert_eq!(most(&level), (512.5, 2));
    // Levels as large as that have many triangles.
    level.triangles.extend(vec![[0, 1, 2]; 4_000]);
    assert_eq!(most(&level), (1512.5, 4_002));
    level.triangles.extend(vec![[0, 1, 2]; 4_000]);
    assert_eq!(most(&level), (2048.0, 8_002));
    assert!(mesh_of(&floor(2_000.0)).is_ok());
}

#[test]
fn no_levels_and_settings_panic() {
    let names: BTreeSet<String> = [
        LevelGeometry::default(),
        LevelGeometry {
            vertices: vec![DVec3::NAN; 3],
            triangles: vec![[0, 1, 2]],
            ..LevelGeometry::default()
        },
        LevelGeometry {
            vertices: vec![DVec3::ZERO; 3],
            triangles: vec![[0, 1, 7]],
            ..LevelGeometry::default()
        },
        LevelGeometry {
            vertices: vec![DVec3::ZERO; 3],
            triangles: vec![[0, 1, 2]],
            ..LevelGeometry::default()
        },
    ]
    .into_iter()
    .map(|mut level| {
        level.flood = Some(FloodSettings { starts: vec![DVec3::ZERO], ..FloodSettings::default() });
        mesh_of(&level).unwrap_err().to_string()
    })
    .collect();
    assert_eq!(names.len(), 4, "{names:?}");
    for (key, change) in [
        ("boxSize", (|flood: &mut FloodSettings| flood.box_size_m = 0.0) as fn(&mut FloodSettings)),
        ("boxSize", |flood| flood.box_size_m = f64::NAN),
        ("crouchHeight", |flood| flood.crouch_height_m = Some(5.0)),
        ("crouchHeight", |flood| flood.crouch_height_m = Some(0.1)),
        ("agentSlope", |flood| flood.slope_deg = Some(90.0)),
        ("minPortalWidth", |flood| flood.min_portal_width_m = -1.0),
    ] {
        let mut level = World::random(1).level();
        change(level.flood.as_mut().unwrap());
        let problem = mesh_of(&level).unwrap_err();
        assert!(matches!(problem, SectorProblem::BadSetting { name, .. } if name == key), "{problem}");
    }
}
