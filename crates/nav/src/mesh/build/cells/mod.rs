//! The plan of a room made of cells: rectangles of cells that open and close together.
//!
//! 1. The grid tells what decides whether each cell is walkable (`grid/covers.rs`).
//! 2. Cells side by side with the same cover are merged to rectangles (`rectangles.rs`).
//! 3. Rectangles that share a stretch of an edge are joined there. Edges are cut at the corners of other rectangles, so
//!    that each portal is an edge of its own. Rectangles that touch at a corner only are not joined: paths cut no
//!    corners, as on the grid.

mod rectangles;

use crate::grid::Grid;
use crate::mesh::{Blueprint, RawPolygon};
use glam::DVec3;
use rectangles::{Rectangle, merged};

/// The plan of a grid, whichever areas are open.
pub(crate) fn blueprint(grid: &Grid, floor_y_m: f64) -> Blueprint {
    let covers = grid.covers();
    let rectangles = merged(&covers.of_cell, covers.width, covers.depth());
    let by_row = Corners::new(&rectangles, |(x, z)| (z, x));
    let by_column = Corners::new(&rectangles, |corner| corner);
    let corner = |&(z, x): &(u32, u32)| {
        let at = grid.frame().corner(x, z);
        DVec3::new(at.x, floor_y_m, at.y)
    };
    let vertex = |x: u32, z: u32| by_row.0.partition_point(|&corner| corner < (z, x)) as u32;
    let polygon = |&Rectangle { x: [x0, x1], z: [z0, z1], .. }: &Rectangle| {
        // Counter-clockwise from the corner with the smallest coordinates.
        let bottom = by_row.between(z0, x0, x1).map(|x| vertex(x, z0));
        let right = by_column.between(x1, z0, z1).map(|z| vertex(x1, z));
        let top = by_row.between(z1, x0, x1).map(|x| vertex(x, z1));
        let left = by_column.between(x0, z0, z1).map(|z| vertex(x0, z));
        let mut corners: Vec<u32> = bottom.chain(right).collect();
        corners.push(vertex(x1, z1));
        corners.extend(top.collect::<Vec<_>>().into_iter().skip(1).rev());
        corners.push(vertex(x0, z1));
        corners.extend(left.collect::<Vec<_>>().into_iter().skip(1).rev());
        RawPolygon { corners, neighbours: Vec::new() }
    };
    Blueprint {
        vertices: by_row.0.iter().map(corner).collect(),
        polygons: rectangles.iter().map(polygon).collect(),
        cover_of: rectangles.iter().map(|rectangle| rectangle.cover).collect(),
        covers: covers.covers,
        outlines: covers.outlines,
    }
}

/// The corners of all rectangles, line by line: the line first, then the place on it.
struct Corners(Vec<(u32, u32)>);

impl Corners {
    fn new(rectangles: &[Rectangle], line_first: impl Fn((u32, u32)) -> (u32, u32)) -> Self {
        let all = rectangles
            .iter()
            .flat_map(|&Rectangle { x: [x0, x1], z: [z0, z1], .. }| [(x0, z0), (x1, z0), (x1, z1), (x0, z1)]);
        let mut corners: Vec<(u32, u32)> = all.map(line_first).collect();
        corners.sort_unstable();
        corners.dedup();
        Self(corners)
    }

    /// The corners on a line from one place to before another.
    fn between(&self, line: u32, from: u32, to: u32) -> impl Iterator<Item = u32> {
        let [begin, end] = [from, to].map(|at| self.0.partition_point(|&corner| corner < (line, at)));
        self.0[begin..end].iter().map(|&(_, at)| at)
    }
}
