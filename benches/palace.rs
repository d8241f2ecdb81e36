//! A room as large as rooms are meant to get: 1024 × 1024 cells, 64 halls with pillars, and doors of 16 × 16 cells in
//! every wall between two of them. Or of any other size, with halls of much the same.

use cicerone::nav::AreaId;
use cicerone::room::{Area, Obstacle, Room};
use cicerone::surface::Surface;
use glam::{DVec2, dvec2};

/// Edge of a cell in metres: a quarter, so that every corner lies on a border between cells and the doors have exactly
/// 256.
const CELL_M: f64 = 0.25;
/// Cells along the edge of the room.
const EDGE_CELLS: usize = 1024;
/// Halls with the wall behind them, where there is room for that much.
const HALL_AND_WALL_CELLS: usize = 128;
/// The grid adds four cells on every side.
const MARGIN_CELLS: usize = 8;
/// Thickness of a wall, which is a door's depth, and its width.
const DOOR_CELLS: f64 = 16.0;

/// The palace, with this much clearance along its walls.
pub fn room(boundary_padding_m: f64) -> Room {
    sized(EDGE_CELLS, boundary_padding_m)
}

/// A palace with so many cells along its edge, or a few less.
pub fn sized(edge_cells: usize, boundary_padding_m: f64) -> Room {
    let halls = (edge_cells / HALL_AND_WALL_CELLS).max(2);
    let walls_cells = (halls - 1) * DOOR_CELLS as usize;
    let hall_cells = ((edge_cells - MARGIN_CELLS - walls_cells) / halls) as f64;
    let mut areas = Vec::new();
    let mut obstacles = Vec::new();
    let corner = |column: usize, row: usize| {
        dvec2(column as f64, row as f64) * (hall_cells + DOOR_CELLS) // in cells
    };
    let middle = ((hall_cells - DOOR_CELLS) / 2.0).floor(); // so that a door covers whole cells
    for row in 0..halls {
        for column in 0..halls {
            let hall = corner(column, row);
            areas.push(area(format!("hall {column} {row}"), hall, DVec2::splat(hall_cells)));
            if column + 1 < halls {
                let at = hall + dvec2(hall_cells, middle);
                areas.push(area(format!("east door {column} {row}"), at, DVec2::splat(DOOR_CELLS)));
            }
            if row + 1 < halls {
                let at = hall + dvec2(middle, hall_cells);
                areas.push(area(format!("south door {column} {row}"), at, DVec2::splat(DOOR_CELLS)));
            }
            for (index, part) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)].iter().enumerate() {
                let at = hall + dvec2(part.0, part.1) * hall_cells;
                let polygon = octagon(at * CELL_M, (0.06 * hall_cells * CELL_M).min(1.5));
                obstacles.push(Obstacle {
                    name: format!("pillar {column} {row} {index}"),
                    polygon,
                    see_through: false,
                });
            }
        }
    }
    let mut room = Room::default();
    room.name = "palace".into();
    room.ground.cell_size_m = CELL_M;
    (room.ground.agent_radius_m, room.ground.object_padding_m) = (0.25, 0.25);
    room.ground.boundary_padding_m = boundary_padding_m;
    (room.areas, room.obstacles) = (areas, obstacles);
    room
}

/// The doors of the palace.
pub fn doors(ground: &Surface) -> Vec<AreaId> {
    ground.areas().filter(|&area| ground.area_name(area).contains("door")).collect()
}

/// How many cells are walkable.
pub fn walkable_cells(ground: &Surface) -> u32 {
    ground.as_grid().unwrap().words().iter().map(|word| word.count_ones()).sum()
}

/// A rectangle, measured in cells.
fn area(name: String, corner: DVec2, size: DVec2) -> Area {
    let polygon = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let polygon = polygon.map(|(x, z)| (corner + size * dvec2(x, z)) * CELL_M).to_vec();
    Area::new(name, polygon)
}

fn octagon(middle: DVec2, radius_m: f64) -> Vec<DVec2> {
    let corner = |index: u32| {
        let (sin, cos) = libm::sincos(f64::from(index) * std::f64::consts::FRAC_PI_4);
        middle + dvec2(cos, sin) * radius_m
    };
    (0..8).map(corner).collect()
}
