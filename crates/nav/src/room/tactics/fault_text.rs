//! What is wrong with the solids of a tactical level, in words: a message and a hint.

use super::{CELL_UNITS, LEVEL_UNITS, MAX_TACTICAL_CELLS, MAX_TACTICAL_LEVELS};
use crate::geometry::{HullFault, MeshFault, MeshFaultKind};
use glam::DVec3;

/// About a convex solid.
pub(super) fn of_hull(fault: HullFault) -> (&'static str, &'static str) {
    match fault {
        HullFault::NotConvex => (
            "it is not convex: a corner lies inside the others",
            "divide it into convex brushes, leave the corner out, or give it as a 'mesh'",
        ),
        HullFault::Flat => ("it is flat", "give it a volume"),
        HullFault::InsideOut => ("it is inside out", "give the corner with the lowest x, y and z first"),
        HullFault::Open => (
            "its planes do not enclose a volume",
            "normals point outwards; a plane without effect must be left out",
        ),
    }
}

/// About a closed mesh. `in_file` gives points as its file has them.
pub(super) fn of_mesh(fault: &MeshFault, in_file: impl Fn(DVec3) -> DVec3) -> (String, &'static str) {
    let edge = |ends: [DVec3; 2]| {
        // Rounded, as conversions leave digits that the file does not have.
        let round = |number: f64| (number * 1e6).round() / 1e6 + 0.0;
        let [from, to] = ends.map(|end| in_file(end).to_array().map(round));
        format!("the edge from {from:?} to {to:?}")
    };
    match fault.kind {
        MeshFaultKind::NoPoint(point) => (format!("there is no point {point}"), "points are counted from 0"),
        MeshFaultKind::NotFinite => ("a coordinate is no finite number".into(), "repair the mesh"),
        MeshFaultKind::Open(ends, count) => {
            let more = if count > 1 { format!(" ({count} such edges)") } else { String::new() };
            let message = format!("it is not closed: {} has only one triangle{more}", edge(ends));
            (message, "fill its holes, and let triangles meet at their corners, not along parts of edges")
        }
        MeshFaultKind::Crowded(ends, count) => {
            let message = format!("{} has {count} triangles; in a solid it has two", edge(ends));
            (message, "leave inner faces out, and make solids that touch separate ones")
        }
        MeshFaultKind::Twisted(ends) => {
            let message = format!("the two triangles at {} face opposite sides", edge(ends));
            (message, "let all triangles face outwards: recalculate its normals")
        }
        MeshFaultKind::Flat => ("it is flat, or a part of it is".into(), "give it a volume"),
        MeshFaultKind::InsideOut => (
            "it is inside out, or a part of it is".into(),
            "triangles face outwards: flip its normals, or swap two corners of each triangle",
        ),
    }
}

/// About bounds that are not within the largest level.
pub(super) fn outside([min, max]: [DVec3; 2]) -> Option<(String, String)> {
    let (cells, levels) = (f64::from(MAX_TACTICAL_CELLS), f64::from(MAX_TACTICAL_LEVELS));
    let most = DVec3::new(cells * CELL_UNITS, cells * CELL_UNITS, levels * LEVEL_UNITS);
    let is_outside = min.cmplt(-most - 1e-6).any() || max.cmpgt(most + 1e-6).any();
    is_outside.then(|| {
        let message = "it lies outside the largest level".to_owned();
        (message, format!("x and y are from -{0} to {0}, z from -{1} to {1}", most.x, most.z))
    })
}
