//! A level's triangles to the plan of a mesh, in the steps of Recast.
//!
//! 1. Triangles become solid spans in columns of cells ([`rasterize`], [`heightfield`]).
//! 2. Spans with room for a character become cells of ground, joined where a step is low enough. Ground near walls and
//!    drops is removed ([`ground`]).
//! 3. The ground is divided into regions that do not overlap ([`regions`]). Regions share their outlines ([`arcs`]),
//!    and both get the same simplified outline (`simplify`).
//! 4. Regions become triangles that follow the floor ([`triangulate`]), then convex polygons (`merge`).
//!
//! All indices are `u32`, and vertices are points of the grid: decisions about shapes are made with whole numbers.

mod arcs;
mod fit;
mod ground;
mod heightfield;
mod merge;
mod problem;
mod rasterize;
mod regions;
mod settings;
mod simplify;
mod triangulate;

#[cfg(test)]
mod tests;

pub(crate) use problem::VoxelProblem;
pub(crate) use settings::VoxelSettings;

use crate::geometry::Renumbering;
use crate::mesh::progress::Progress;
use crate::mesh::{Blueprint, RawPolygon};
use crate::nav::Cover;
use arcs::Arc;
use glam::DVec3;
use ground::{Ground, erode, remove_islands};
use heightfield::NONE;
use merge::{Limits, Ring, merge};
use regions::{Corners, GridVertex, Regions};
use simplify::{Tolerance, simplify};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use triangulate::{Triangle, Triangulator};

/// The largest coordinate of a level, in metres.
const MAX_COORDINATE_M: f64 = 1e6;

/// Of the permitted error in height, the shares that simplified outlines and triangles may take. Merging takes the rest.
const OUTLINE_SHARE: f64 = 0.6;
const TRIANGLE_SHARE: f64 = 0.75;

/// The plan of the ground in a level. `progress` is called with the share that is done, and may stop the work.
///
/// # Errors
/// If the level or the settings are unusable, the level is too large, or it has no ground.
pub(crate) fn from_level(
    level_vertices: &[DVec3],
    triangles: &[[u32; 3]],
    settings: &VoxelSettings,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Blueprint, VoxelProblem> {
    settings.check()?;
    check_level(level_vertices, triangles)?;
    let mut progress = Progress::new(progress);
    progress.begin(0.3)?;
    let mut field = rasterize::rasterize(level_vertices, triangles, settings, &mut progress)?;
    progress.begin(0.45)?;
    field.filter(settings, &mut progress)?;
    progress.begin(0.6)?;
    let mut ground = Ground::new(&field, settings, &mut progress)?;
    let origin = field.origin;
    drop(field);
    progress.begin(0.65)?;
    shrink(&mut ground, settings)?;
    progress.begin(0.75)?;
    let corners = Corners::new(&ground);
    let regions = Regions::new(&ground, &corners, &mut progress)?;
    progress.begin(0.9)?;
    let triangles = outline_and_triangulate(&ground, &corners, &regions, settings, &mut progress)?;
    progress.begin(1.0)?;
    let rings = merge(&triangles, &corners.vertices, Limits::new(settings), &mut progress)?;
    progress.at(1, 1)?;
    Ok(blueprint(&rings, &corners.vertices, origin, settings.cell_size_m))
}

fn check_level(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), VoxelProblem> {
    let bad = |v: &DVec3| !v.is_finite() || v.abs().max_element() > MAX_COORDINATE_M;
    if let Some(vertex) = vertices.iter().position(bad) {
        return Err(VoxelProblem::BadVertex { vertex });
    }
    let count = vertices.len();
    match triangles.iter().position(|triangle| triangle.iter().any(|&vertex| vertex as usize >= count)) {
        Some(triangle) => Err(VoxelProblem::BadTriangle { triangle }),
        None => Ok(()),
    }
}

/// Removes the ground near borders, and then what is too small.
fn shrink(ground: &mut Ground, settings: &VoxelSettings) -> Result<(), VoxelProblem> {
    let check = |ground: &Ground, reason: &dyn Fn() -> String, hint: &'static str| {
        let no_ground = || VoxelProblem::NoGround { reason: reason(), hint };
        if ground.cells.is_empty() { Err(no_ground()) } else { Ok(()) }
    };
    let VoxelSettings { agent_slope_deg, agent_height_m, agent_radius_m, min_region_m2, .. } = settings;
    check(
        ground,
        &|| {
            format!(
                "all of it is too steep for an agentSlope of {agent_slope_deg} degrees, too low for an agentHeight of \
                 {agent_height_m} m, or faces down"
            )
        },
        "are y up and metres right? Raise agentSlope or lower agentHeight, and let floors face up",
    )?;
    erode(ground, settings.agent_radius_cells());
    check(
        ground,
        &|| format!("all of it is too narrow for an agentRadius of {agent_radius_m} m"),
        "lower agentRadius; are the level's units metres?",
    )?;
    remove_islands(ground, min_region_m2 / (settings.cell_size_m * settings.cell_size_m));
    check(
        ground,
        &|| format!("all of its pieces are smaller than {min_region_m2} m²"),
        "lower agentRadius, which ground keeps from walls, or make the floor larger; are the level's units metres?",
    )
}

/// The triangles of all regions. Outlines that cross after they are simplified are simplified again with more care.
fn outline_and_triangulate(
    ground: &Ground,
    corners: &Corners,
    regions: &Regions,
    settings: &VoxelSettings,
    progress: &mut Progress,
) -> Result<Vec<Triangle>, VoxelProblem> {
    let mut arcs = arcs::arcs(ground, corners, regions);
    let tolerance = Tolerance {
        // Ground on both sides of a thin wall must not meet. It is twice the radius apart.
        cells: settings.max_edge_error_cells.min(settings.agent_radius_cells() as f64 + 0.5),
        height_m: settings.max_height_error_m * OUTLINE_SHARE,
        length_cells: settings.max_edge_length_m / settings.cell_size_m,
    };
    let mut of_regions: Vec<Vec<u32>> = vec![Vec::new(); regions.len()];
    for (index, arc) in arcs.iter_mut().enumerate() {
        simplify(arc, &corners.vertices, &tolerance);
        for region in [arc.left, arc.right].into_iter().filter(|region| *region != NONE) {
            of_regions[region as usize].push(index as u32);
        }
    }
    let max_error_m = settings.max_height_error_m * TRIANGLE_SHARE;
    let mut triangulator = Triangulator::new(ground, corners, regions, max_error_m);
    let mut triangles: Vec<Vec<Triangle>> = vec![Vec::new(); regions.len()];
    let mut waiting: BTreeSet<u32> = (0..regions.len() as u32).collect();
    let mut wrong = same_edges(&arcs);
    // Each round takes more care of some arcs, and no arc more than twice.
    while !(waiting.is_empty() && wrong.is_empty()) {
        for arc in std::mem::take(&mut wrong) {
            let arc = &mut arcs[arc as usize];
            arc.care += 1;
            simplify(arc, &corners.vertices, &tolerance);
            waiting.extend([arc.left, arc.right].iter().filter(|region| **region != NONE));
        }
        for region in std::mem::take(&mut waiting) {
            progress.sometimes(region as usize, regions.len())?;
            match triangulator.triangulate(region as usize, &arcs, &of_regions[region as usize]) {
                Ok(found) => triangles[region as usize] = found,
                Err(arcs) => wrong.extend(arcs),
            }
        }
        wrong.extend(same_edges(&arcs));
    }
    Ok(triangles.into_iter().flatten().collect())
}

/// Arcs that have become the same edge: a hole or a region between them has vanished.
fn same_edges(arcs: &[Arc]) -> BTreeSet<u32> {
    let mut edges: Vec<((u32, u32), u32)> = Vec::new();
    for (index, arc) in arcs.iter().enumerate() {
        for ends in arc.simple.windows(2) {
            edges.push(((ends[0].min(ends[1]), ends[0].max(ends[1])), index as u32));
        }
    }
    edges.sort_unstable();
    let same = edges.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    same.flat_map(|pair| [pair[0].1, pair[1].1]).filter(|&arc| arcs[arc as usize].care < 2).collect()
}

/// The plan, with the vertices that are in use.
fn blueprint(rings: &[Ring], vertices: &[GridVertex], origin: DVec3, cell_size_m: f64) -> Blueprint {
    let mut numbers = Renumbering::new(vertices.len());
    let mut plan = Blueprint { covers: vec![Cover::default()], ..Blueprint::default() };
    plan.cover_of = vec![0; rings.len()];
    for ring in rings {
        let corners = ring.corners.iter().map(|&corner| {
            numbers.number(corner, || {
                let GridVertex { x, z, y_m } = vertices[corner as usize];
                let local =
                    DVec3::new(f64::from(x) * cell_size_m, f64::from(y_m), f64::from(z) * cell_size_m);
                plan.vertices.push(origin + local);
            })
        });
        let corners = corners.collect();
        plan.polygons.push(RawPolygon { corners, neighbours: Vec::new() });
    }
    plan
}
