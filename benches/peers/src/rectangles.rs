//! A grid as a mesh of rectangles, as large as going row by row finds them: what one would do to walk a grid with a
//! mesh.

use cicerone::room::GridCells;
use glam_of_polyanya::Vec2;
use polyanya::{Mesh, Polygon, Vertex};
use std::collections::BTreeMap;

/// Columns and rows, the ends not in it.
struct Rectangle {
    x: (u32, u32),
    z: (u32, u32),
}

/// The mesh of the walkable cells.
pub fn mesh(cells: &GridCells) -> Mesh {
    let (rectangles, owner) = rectangles(cells);
    let owner_of = |x: i64, z: i64| -> u32 {
        let inside = (0..i64::from(cells.width())).contains(&x) && (0..i64::from(cells.depth())).contains(&z);
        if inside { owner[(z * i64::from(cells.width()) + x) as usize] } else { u32::MAX }
    };
    // Every corner of a rectangle is a vertex, of those it lies on the edge of, too.
    let mut vertex_at: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for rectangle in &rectangles {
        for corner in corners(rectangle) {
            let next = vertex_at.len() as u32;
            vertex_at.entry(corner).or_insert(next);
        }
    }
    let mut vertices = vec![None; vertex_at.len()];
    for (&(x, z), &index) in &vertex_at {
        let (cell_x, cell_z) = (i64::from(x), i64::from(z));
        let around = [(0, 0), (-1, 0), (-1, -1), (0, -1)].map(|(dx, dz)| owner_of(cell_x + dx, cell_z + dz));
        let mut polygons: Vec<u32> = Vec::new();
        around.into_iter().for_each(|polygon| {
            if polygons.last() != Some(&polygon) {
                polygons.push(polygon);
            }
        });
        if polygons.len() > 1 && polygons.first() == polygons.last() {
            polygons.pop();
        }
        vertices[index as usize] = Some(Vertex::new(Vec2::new(x as f32, z as f32), polygons));
    }
    let polygon = |rectangle: &Rectangle| {
        let [a, b, c, d] = corners(rectangle);
        let mut outline = Vec::new();
        for (from, to) in [(a, b), (b, c), (c, d), (d, a)] {
            outline.extend(between(from, to).filter_map(|place| vertex_at.get(&place).copied()));
        }
        Polygon::new(outline, false)
    };
    let polygons = rectangles.iter().map(polygon).collect();
    let mut mesh =
        Mesh::new(vertices.into_iter().flatten().collect(), polygons).expect("a mesh of rectangles");
    mesh.bake();
    mesh
}

/// The corners, counterclockwise from the one with the smallest coordinates.
fn corners(Rectangle { x, z }: &Rectangle) -> [(u32, u32); 4] {
    [(x.0, z.0), (x.1, z.0), (x.1, z.1), (x.0, z.1)]
}

/// The corners of cells from one place to another on the same line, the last one not among them.
fn between(from: (u32, u32), to: (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1));
    let towards = |from: u32, to: u32, step: u32| {
        if to > from {
            from + step
        } else if to < from {
            from - step
        } else {
            from
        }
    };
    (0..steps).map(move |step| (towards(from.0, to.0, step), towards(from.1, to.1, step)))
}

/// Rectangles that cover the walkable cells, and which of them each cell is in.
fn rectangles(cells: &GridCells) -> (Vec<Rectangle>, Vec<u32>) {
    let (width, depth) = (cells.width(), cells.depth());
    let mut owner = vec![u32::MAX; (width * depth) as usize];
    let mut rectangles = Vec::new();
    for z in 0..depth {
        for x in 0..width {
            let is_free = |x: u32, z: u32, owner: &[u32]| {
                cells.is_walkable(x, z) && owner[(z * width + x) as usize] == u32::MAX
            };
            if !is_free(x, z, &owner) {
                continue;
            }
            let end_x = (x..width).find(|&x| !is_free(x, z, &owner)).unwrap_or(width);
            let end_z = (z..depth).find(|&z| (x..end_x).any(|x| !is_free(x, z, &owner))).unwrap_or(depth);
            for row in z..end_z {
                let first = (row * width) as usize;
                owner[first + x as usize..first + end_x as usize].fill(rectangles.len() as u32);
            }
            rectangles.push(Rectangle { x: (x, end_x), z: (z, end_z) });
        }
    }
    (rectangles, owner)
}
