//! Ground out of a level of 100,000 triangles, beside the crate `rerecast`: the same triangles, cells and agent. The boxes
//! of the flood are as large as the cells of voxels.
//!
//! `rerecast` counts heights in steps of a whole cell height, here half a cell as Recast's guide says. It keeps the
//! heights of the floor in a second mesh of triangles; cicerone's polygons have them, and both are built here.

use crate::memory;
use crate::runner::{Options, median, timed};
use cicerone::nav::{Outcome, Place, Query};
use cicerone::plan::find_path;
use cicerone::room::{
    FloodSettings, GroundKind, LevelGeometry, LevelSettings, MeshPolygons, PlannerKind, Room,
};
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{next_random, stream};
use glam::{DVec2, DVec3};
use glam_of_polyanya::{UVec3, Vec3A};
use rerecast::{AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, TriMesh};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// Squares of the ground along each edge, and how large they are.
const SQUARES: u32 = 200;
const SQUARE_M: f64 = 0.75;

/// Boxes that stand on it.
const BOXES: usize = 1667;

/// A row for each of the three, then the same queries on the two grounds of cicerone.
pub fn table(options: &Options) -> String {
    let (vertices, triangles) = level();
    let mut voxels = LevelGeometry::default();
    (voxels.vertices, voxels.triangles) = (vertices.clone(), triangles.clone());
    let mut sectors = voxels.clone();
    let mut flood = FloodSettings::default();
    flood.box_size_m = voxels.settings.cell_size_m;
    flood.starts = vec![DVec3::new(1.0, height_m(1.0, 1.0), 1.0)];
    sectors.flood = Some(flood);
    let builds: [(&str, &dyn Fn() -> String); 3] = [
        ("cicerone, voxels", &|| format!("{} polygons", polygons(&voxels).polygons.len())),
        ("cicerone, sectors", &|| {
            let mesh = polygons(&sectors);
            let sectors = mesh.sectors.as_ref().map_or(0, |sectors| sectors.sectors.len());
            format!("{sectors} sectors, {} polygons", mesh.polygons.len())
        }),
        ("rerecast", &|| match rerecast(&vertices, &triangles, &voxels.settings) {
            Ok((polygons, detail)) => format!("{polygons} polygons, and {detail} triangles for heights"),
            Err(problem) => format!("none: {problem}"),
        }),
    ];
    let mut times = [(); 3].map(|()| Vec::new());
    let mut made = [(); 3].map(|()| (0, String::new()));
    for _ in 0..options.pick(1, 5) {
        for (which, (_, build)) in builds.iter().enumerate() {
            let (taken, _) = memory::watch(build);
            let (time, words) = timed(build);
            times[which].push(time.as_secs_f64() * 1e3);
            made[which] = (taken.peak_bytes, words);
        }
    }
    let mut text = format!(
        "| a level of {} triangles, {:.0} m along each edge, cells of {} m | ms | MB at the peak | |\n\
         |---|---|---|---|\n",
        triangles.len(),
        f64::from(SQUARES) * SQUARE_M,
        voxels.settings.cell_size_m
    );
    for (((name, _), times), (peak_bytes, words)) in builds.iter().zip(&times).zip(&made) {
        let _ =
            writeln!(text, "| {name} | {:.0} | {:.0} | {words} |", median(times), *peak_bytes as f64 / 1e6);
    }
    text + "\n" + &queries(options, &voxels, &sectors)
}

/// The ground of a level, heights included.
fn polygons(level: &LevelGeometry) -> MeshPolygons {
    Surface::polygons_of_level(level, &mut |_| ControlFlow::Continue(())).expect("polygons")
}

/// The same random queries on the mesh of voxels and on sectors, with both planners.
fn queries(options: &Options, voxels: &LevelGeometry, sectors: &LevelGeometry) -> String {
    let ground = |level: &LevelGeometry, planner: PlannerKind| {
        let mut room = Room::default();
        room.ground.kind = GroundKind::Mesh;
        room.ground.planner = planner;
        room.give_polygons(polygons(level)).expect("polygons");
        Surface::new(&room).expect("ground")
    };
    let grounds = [
        ("voxels, any angle", ground(voxels, PlannerKind::AnyAngle)),
        ("voxels, portals", ground(voxels, PlannerKind::Portals)),
        ("sectors, any angle", ground(sectors, PlannerKind::AnyAngle)),
        ("sectors, portals", ground(sectors, PlannerKind::Portals)),
    ];
    let mut random = stream(11, "queries");
    let edge_m = f64::from(SQUARES) * SQUARE_M;
    let mut place = || {
        let [x, z] = [(); 2].map(|()| next_random(&mut random) * edge_m);
        Place { at: DVec2::new(x, z), y_m: Some(height_m(x, z)) }
    };
    let mut memory = SearchMemory::default();
    let mut asked = Vec::new();
    let (mut times, mut lengths, mut expansions) = ([(); 4].map(|()| Vec::new()), [0.0; 4], [0; 4]);
    while asked.len() < options.pick(50, 300) {
        let query = Query::new(place(), place()).with_snap_m(0.0);
        let paths = grounds.each_ref().map(|(_, ground)| find_path(ground, query.clone(), &mut memory));
        if paths.iter().all(|path| path.outcome == Outcome::Complete) {
            asked.push(query);
            for (which, path) in paths.iter().enumerate() {
                lengths[which] += path.length_m;
                expansions[which] += path.expansions;
            }
        }
    }
    for query in &asked {
        for ((_, ground), times) in grounds.iter().zip(&mut times) {
            let us = |()| timed(|| find_path(ground, query.clone(), &mut memory)).0.as_secs_f64() * 1e6;
            times.push(median(&[(); 3].map(us)));
        }
    }
    let mut text = format!(
        "| {} queries | polygons | mean, us | median, us | expansions | length |\n|---|---|---|---|---|---|\n",
        asked.len()
    );
    for (which, ((name, ground), times)) in grounds.iter().zip(&times).enumerate() {
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let (share, expansions) = (lengths[which] / lengths[0], expansions[which] / asked.len() as u64);
        let _ = writeln!(
            text,
            "| {name} | {} | {mean:.0} | {:.0} | {expansions} | {share:.3} |",
            ground.size(),
            median(times)
        );
    }
    text
}

/// The height of the hills.
fn height_m(x: f64, z: f64) -> f64 {
    1.5 * libm::sin(x * 0.11) * libm::cos(z * 0.13) + 0.3 * libm::sin(x * 0.7 + z * 0.5)
}

/// Hills, and boxes on them: counter-clockwise seen from outside.
fn level() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for row in 0..=SQUARES {
        for column in 0..=SQUARES {
            let (x, z) = (f64::from(column) * SQUARE_M, f64::from(row) * SQUARE_M);
            vertices.push(DVec3::new(x, height_m(x, z), z));
        }
    }
    for row in 0..SQUARES {
        for column in 0..SQUARES {
            let first = row * (SQUARES + 1) + column;
            let (right, below, far) = (first + 1, first + SQUARES + 1, first + SQUARES + 2);
            triangles.extend([[first, below, far], [first, far, right]]);
        }
    }
    let mut random = stream(7, "boxes");
    let edge_m = f64::from(SQUARES) * SQUARE_M;
    for _ in 0..BOXES {
        let [x, z] = [(); 2].map(|()| next_random(&mut random) * edge_m);
        let [width, depth, tall] = [(); 3].map(|()| 0.4 + 2.0 * next_random(&mut random));
        let first = vertices.len() as u32;
        let ground = height_m(x, z) - 1.0;
        for corner in 0..8 {
            let part = |axis: u32| f64::from(corner >> axis & 1);
            vertices.push(DVec3::new(
                x + width * part(0),
                ground + (tall + 1.0) * part(1),
                z + depth * part(2),
            ));
        }
        for face in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
            let [a, b, c, d] = face.map(|corner: u32| first + corner);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}

/// Recast's steps. The numbers of polygons and of triangles, or what went wrong.
fn rerecast(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    settings: &LevelSettings,
) -> Result<(usize, usize), String> {
    let words = |error: &dyn std::fmt::Debug| format!("{error:?}");
    let cell_size = settings.cell_size_m as f32;
    let cell_height = cell_size / 2.0;
    let in_steps = |height_m: f64| height_m as f32 / cell_height;
    let (height, climb) =
        (in_steps(settings.agent_height_m).ceil() as u16, in_steps(settings.agent_climb_m).floor() as u16);
    let mut mesh = TriMesh {
        vertices: vertices.iter().map(|at| Vec3A::new(at.x as f32, at.y as f32, at.z as f32)).collect(),
        indices: triangles.iter().map(|&corners| UVec3::from_array(corners)).collect(),
        area_types: vec![AreaType::NOT_WALKABLE; triangles.len()],
    };
    mesh.mark_walkable_triangles((settings.agent_slope_deg as f32).to_radians());
    let aabb = mesh.compute_aabb().ok_or("no triangles")?;
    let mut field =
        HeightfieldBuilder { aabb, cell_size, cell_height }.build().map_err(|error| words(&error))?;
    field.rasterize_triangles(&mesh, climb).map_err(|error| words(&error))?;
    field.filter_low_hanging_walkable_obstacles(climb);
    field.filter_ledge_spans(height, climb);
    field.filter_walkable_low_height_spans(height);
    let mut field = field.into_compact(height, climb).map_err(|error| words(&error))?;
    field.erode_walkable_area((settings.agent_radius_m / settings.cell_size_m - 1e-3).ceil() as u16);
    field.build_distance_field();
    let min_region = (1.0 / (settings.cell_size_m * settings.cell_size_m)) as u16;
    field.build_regions(0, min_region, 400).map_err(|error| words(&error))?;
    let contours = field.build_contours(1.3, 0, BuildContoursFlags::default());
    let polygons = contours.into_polygon_mesh(6).map_err(|error| words(&error))?;
    let detail =
        DetailNavmesh::new(&polygons, &field, 6.0 * cell_size, 0.2).map_err(|error| words(&error))?;
    Ok((polygons.polygon_count(), detail.triangles.len()))
}
