//! Polygons out of a level of 100,000 triangles, beside the crate `rerecast`: the same triangles, cells and agent.
//!
//! `rerecast` counts heights in steps of a whole cell height, here half a cell as Recast's guide says. It keeps the
//! heights of the floor in a second mesh of triangles; cicerone's polygons have them. Both are built here.

use crate::runner::{Options, median, timed};
use cicerone::room::{LevelGeometry, LevelSettings};
use cicerone::surface::Surface;
use cicerone::world::{next_random, stream};
use glam::DVec3;
use glam_of_polyanya::{UVec3, Vec3A};
use rerecast::{AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, TriMesh};
use std::fmt::Write as _;
use std::ops::ControlFlow;

/// Squares of the ground along each edge, and how large they are.
const SQUARES: u32 = 200;
const SQUARE_M: f64 = 0.75;

/// Boxes that stand on it.
const BOXES: usize = 1667;

/// A row for each of the two.
pub fn table(options: &Options) -> String {
    let (vertices, triangles) = level();
    let mut geometry = LevelGeometry::default();
    (geometry.vertices, geometry.triangles) = (vertices.clone(), triangles.clone());
    let rounds = options.pick(1, 3);
    let mut ours = || {
        let built = Surface::polygons_of_level(&geometry, &mut |_| ControlFlow::Continue(()));
        built.expect("polygons").polygons.len()
    };
    let theirs = || rerecast(&vertices, &triangles, &geometry.settings);
    let mut times = [Vec::new(), Vec::new()];
    let (mut our_polygons, mut their_polygons) = (0, Ok((0, 0)));
    for _ in 0..rounds {
        let (time, count) = timed(&mut ours);
        our_polygons = count;
        times[0].push(time.as_secs_f64() * 1e3);
        let (time, count) = timed(&theirs);
        their_polygons = count;
        times[1].push(time.as_secs_f64() * 1e3);
    }
    let [ours, theirs] = times.map(|times| median(&times));
    let mut text = format!(
        "| a level of {} triangles, {:.0} m along each edge | ms | polygons |\n|---|---|---|\n",
        triangles.len(),
        f64::from(SQUARES) * SQUARE_M
    );
    let _ = writeln!(text, "| cicerone, heights included | {ours:.0} | {our_polygons} |");
    let _ = match their_polygons {
        Ok((polygons, detail)) => {
            writeln!(text, "| rerecast | {theirs:.0} | {polygons}, and {detail} triangles for heights |")
        }
        Err(problem) => writeln!(text, "| rerecast | {theirs:.0} | none: {problem} |"),
    };
    text
}

/// Hills, and boxes on them: counter-clockwise seen from outside.
fn level() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let height =
        |x: f64, z: f64| 1.5 * libm::sin(x * 0.11) * libm::cos(z * 0.13) + 0.3 * libm::sin(x * 0.7 + z * 0.5);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for row in 0..=SQUARES {
        for column in 0..=SQUARES {
            let (x, z) = (f64::from(column) * SQUARE_M, f64::from(row) * SQUARE_M);
            vertices.push(DVec3::new(x, height(x, z), z));
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
        let ground = height(x, z) - 1.0;
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
