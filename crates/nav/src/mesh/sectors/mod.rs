//! Sectors and portals: the ground of a level, found by flooding it with boxes.
//!
//! After "Polygon Soup for the Programmer's Soul: 3D Pathfinding" (Smith, GDC 2002). Nothing in the level has to be
//! marked. The flood begins at start points.
//!
//! 1. Triangles become solid runs in columns of boxes ([`columns`], over a [`lattice`]).
//! 2. From box to box: a step holds where a box, lifted by the height of a step and swept down, comes to rest on level
//!    ground with enough headroom ([`starts`], [`flood`]).
//! 3. Openings that are too narrow are closed ([`openings`]).
//! 4. Boxes that are joined both ways become rectangles, the largest first: sectors ([`regions`]). Stretches of their
//!    sides that lead to other sectors are portals ([`portals`]); down a drop they lead one way.
//! 5. Ground keeps the radius of characters from borders ([`erode`]), and becomes polygons with heights ([`polygons`],
//!    [`heights`]).
//!
//! Where the text sweeps a box through triangles, here every triangle is cut at the borders of the columns once. The
//! parts in a column are stretches of heights, so that a sweep is a comparison of heights, and exact.

mod columns;
mod erode;
mod flood;
mod heights;
mod lattice;
mod memory;
mod openings;
mod polygons;
mod portals;
mod problem;
mod regions;
mod settings;
mod starts;
mod strips;
#[cfg(test)]
mod tests;

pub(crate) use memory::SectorMemory;
pub(crate) use problem::SectorProblem;

use crate::mesh::polygons::MAX_COORDINATE_M;
use crate::mesh::progress::Progress;
use crate::parallel;
use crate::room::{FloodSettings, LevelGeometry, MeshPolygons};
use columns::{Columns, check_size};
use erode::{Tile, Tiles, tiles};
use flood::{Flood, Level, Steps};
use glam::DVec3;
use heights::Heights;
use lattice::Lattice;
use openings::Ways;
use polygons::Ground;
use regions::Regions;
use settings::Settings;
use std::ops::ControlFlow;

/// The ground of a level. `progress` is called with the share that is done, 0 to 1, and may stop the work. What `memory`
/// knows of the last flood is used where the level has not changed, and gives the same ground.
///
/// # Errors
/// If the level, the settings or a start point is unusable, or the level is too large.
pub(crate) fn from_level(
    level: &LevelGeometry,
    flood: &FloodSettings,
    memory: &mut SectorMemory,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<MeshPolygons, SectorProblem> {
    let settings = Settings::new(level, flood)?;
    let triangles = triangles(level)?;
    let start = *settings.starts.first().ok_or(SectorProblem::NoStarts)?;
    let corners = || triangles.iter().flatten();
    let min = corners().fold(DVec3::INFINITY, |min, &corner| min.min(corner));
    let max = corners().fold(DVec3::NEG_INFINITY, |max, &corner| max.max(corner));
    let lattice = Lattice::new(&settings, start, min, max);
    check_size(&lattice, &triangles)?;
    let mut progress = Progress::new(progress);
    progress.begin(0.4)?;
    let (columns, steps) = match memory.renew(&lattice, &triangles, &settings) {
        Some(renewed) => renewed,
        None => {
            let columns = Columns::new(&lattice, &triangles, &settings, &mut progress)?;
            let steps = Steps::new(&columns);
            (columns, steps)
        }
    };
    progress.begin(0.6)?;
    let starts = starts::floors(&lattice, &columns, &triangles, &settings)?;
    let level = Level { lattice: &lattice, columns: &columns, settings: &settings };
    let steps = steps.tested_in(&level, &mut progress)?;
    let flood = Flood::new(&level, &starts, &steps);
    progress.begin(0.9)?;
    let mesh = ground(&lattice, &flood, &settings, &mut progress)?;
    progress.at(1, 1)?;
    memory.keep(lattice, triangles, settings, columns, steps);
    Ok(mesh)
}

/// The triangles of a level.
fn triangles(level: &LevelGeometry) -> Result<Vec<[DVec3; 3]>, SectorProblem> {
    let bad = |v: &DVec3| !v.is_finite() || v.abs().max_element() > MAX_COORDINATE_M;
    if let Some(vertex) = level.vertices.iter().position(bad) {
        return Err(SectorProblem::BadVertex { vertex });
    }
    if level.triangles.is_empty() {
        return Err(SectorProblem::NoTriangles);
    }
    let corner = |&vertex: &u32| level.vertices.get(vertex as usize).copied();
    let corners = |(triangle, [a, b, c]): (usize, &[u32; 3])| {
        let corners = corner(a).zip(corner(b)).zip(corner(c));
        corners.map(|((a, b), c)| [a, b, c]).ok_or(SectorProblem::BadTriangle { triangle })
    };
    level.triangles.iter().enumerate().map(corners).collect()
}

/// Sectors and polygons of flooded boxes.
fn ground(
    lattice: &Lattice,
    flood: &Flood,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<MeshPolygons, SectorProblem> {
    let ways = Ways::new(flood, settings.min_portal_width_m / settings.box_size_m);
    let tiling = Tiles::new(settings.box_size_m, settings.agent_radius_m);
    let heights_and_tiles = || (Heights::new(flood), tiles(flood, &ways, &tiling, settings.least_headroom_m));
    let ((heights, kinds), regions) =
        parallel::both(heights_and_tiles, || Regions::new(flood, &ways, settings.min_sector_boxes, progress));
    let regions = regions?;
    if regions.sectors.is_empty() {
        let (min_sector_boxes, largest) = (settings.min_sector_boxes, regions.largest);
        return Err(SectorProblem::TooSmall { min_sector_boxes, largest });
    }
    let is_ground = |(node, kinds): (usize, &[Tile])| {
        regions.sector_of[node] != regions::NO_SECTOR && kinds.contains(&Tile::Ground)
    };
    if !kinds.chunks(tiling.count() * tiling.count()).enumerate().any(is_ground) {
        return Err(SectorProblem::TooNarrow { agent_radius_m: settings.agent_radius_m });
    }
    let ground = Ground {
        lattice,
        flood,
        ways: &ways,
        regions: &regions,
        tiles: &tiling,
        kinds: &kinds,
        heights: &heights,
        landings: &polygons::landings(&ways),
    };
    let sectors = || portals::sectors(lattice, flood, &ways, &regions, &heights);
    let (sectors, mut mesh) = parallel::both(sectors, || ground.polygons());
    mesh.sectors = Some(sectors.into());
    Ok(mesh)
}
