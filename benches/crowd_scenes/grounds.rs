//! What the floor of a scene is made of: the same floor as cells, as a painted mask, or as a navmesh.

use cicerone::room::{GridCells, GroundKind, Room, Sampling, Shortening};
use cicerone::surface::Surface;
use glam::dvec2;
use std::sync::Arc;

/// The pixels of a painted floor along a cell of the scene's grid. Nodes are four pixels apart, as in a painted room
/// whose file does not say, so there is one for two cells.
const PIXELS_A_CELL: f64 = 2.0;

/// A kind of ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ground {
    /// Cells.
    #[default]
    Grid,
    /// Pixels, with the nodes and the shortening that a painted room has by default.
    Painted,
    /// Convex polygons made of the floors and blocks.
    Mesh,
}

/// The room with its floor made of this. The middles of bodies may go to the same places on each, up to a cell.
pub fn laid(room: &Room, ground: Ground) -> Result<Room, String> {
    let mut room = room.clone();
    match ground {
        Ground::Grid => {}
        Ground::Painted => paint(&mut room)?,
        Ground::Mesh => room.ground.kind = GroundKind::Mesh,
    }
    Ok(room)
}

/// Paints what is walkable as cells of the size of a pixel. Painted edges have no padding: it is in the paint.
fn paint(room: &mut Room) -> Result<(), String> {
    room.ground.cell_size_m /= PIXELS_A_CELL;
    let pixel_m = room.ground.cell_size_m;
    let floor = Surface::new(room).map_err(|error| error.to_string())?;
    let (min, max) = room.bounds();
    let size = ((max - min) / pixel_m).ceil();
    let is_walkable =
        |x: u32, z: u32| floor.is_walkable(min + (dvec2(f64::from(x), f64::from(z)) + 0.5) * pixel_m);
    room.grid = Some(Arc::new(GridCells::new(min, size.x as u32, size.y as u32, is_walkable)));
    room.ground.boundary_padding_m = 0.0;
    room.ground.sampling = Some(Sampling { rate_px: Sampling::DEFAULT_RATE_PX, eight: false, cover: false });
    room.ground.shortening = Shortening::Divide;
    room.areas.clear();
    room.obstacles.clear();
    Ok(())
}
