//! Plans against the definition, by sampling points, and against the grid.

use super::*;
use crate::mesh::Polygons;

fn room(text: &str) -> Room {
    crate::room::parse("r.json", text.as_bytes()).map_err(|report| report.to_string()).unwrap().room
}

#[test]
fn figures() {
    for name in ["corridor", "doorway", "market", "stage", "tavern", "vault"] {
        let text = std::fs::read_to_string(format!("rooms/{name}.json")).unwrap();
        let room = room(&text);
        let begin = std::time::Instant::now();
        let plan = from_room(&room, 1.0).unwrap();
        let took = begin.elapsed();
        let mesh = Polygons::new(&plan.vertices, &plan.polygons).unwrap();
        println!(
            "{name}: {} polygons, {} edges, {} covers, {took:?}",
            mesh.len(),
            mesh.edge_count(),
            plan.covers.len()
        );
    }
}
