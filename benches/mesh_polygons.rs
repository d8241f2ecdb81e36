//! The polygons of a mesh as a file would give them.

use cicerone::surface::Surface;
use glam::DVec3;
use std::collections::BTreeMap;

/// The vertices of a mesh, and the corners of its open polygons.
pub fn open_polygons(ground: &Surface) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let views = ground.as_mesh().expect("a mesh").polygon_views();
    let mut numbers: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
    for view in views.iter().filter(|view| view.is_open) {
        let number = |corner: &DVec3| {
            *numbers.entry(corner.to_array().map(f64::to_bits)).or_insert_with(|| {
                vertices.push(*corner);
                vertices.len() as u32 - 1
            })
        };
        polygons.push(view.corners.iter().map(number).collect());
    }
    (vertices, polygons)
}
