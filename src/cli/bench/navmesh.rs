//! Navmesh benchmark files: a polygon mesh with moves and paths, and the answers of Detour (recastnavigation).
//!
//! `verts` are `[x, y, z]`. `polys` have vertex indices `v` and, for each edge, the polygon behind it in `n` (-1: a
//! wall). A move goes from `s` in polygon `ref` towards `e`; Detour's `moveAlongSurface` ends at `r` and has `visited`
//! these polygons. A path goes from `s` in polygon `a` to `e` in polygon `b`; Detour's polygons are its `corridor`, and
//! the `straight` path through them has the length `len2d`. It is `partial` if the goal cannot be reached, and then ends
//! elsewhere.

use cicerone::glam::{DVec2, DVec3};
use cicerone::internals::mesh::{PolygonProblem, Polygons, RawPolygon};
use serde::Deserialize;
use std::path::Path;

/// The content of a file.
#[derive(Debug, Deserialize)]
pub(super) struct File {
    verts: Vec<[f64; 3]>,
    polys: Vec<Polygon>,
    #[serde(default)]
    pub(super) moves: Vec<Move>,
    #[serde(default)]
    pub(super) paths: Vec<PathTask>,
}

#[derive(Debug, Deserialize)]
struct Polygon {
    v: Vec<u32>,
    #[serde(default)]
    n: Vec<i64>,
}

/// A move and where Detour ends it.
#[derive(Debug, Deserialize)]
pub(super) struct Move {
    #[serde(rename = "ref")]
    pub(super) polygon: u32,
    s: [f64; 3],
    e: [f64; 3],
    r: [f64; 3],
    pub(super) visited: Vec<u32>,
}

/// A path query and what Detour answers.
#[derive(Debug, Deserialize)]
pub(super) struct PathTask {
    a: u32,
    b: u32,
    s: [f64; 3],
    e: [f64; 3],
    pub(super) partial: u8,
    #[serde(rename = "len2d")]
    pub(super) length_m: f64,
    /// Empty if the file has none.
    #[serde(default)]
    pub(super) corridor: Vec<u32>,
    #[serde(default)]
    straight: Vec<[f64; 3]>,
}

fn on_plane([x, _, z]: [f64; 3]) -> DVec2 {
    DVec2::new(x, z)
}

impl Move {
    /// Start, target and Detour's end.
    pub(super) fn points(&self) -> [DVec2; 3] {
        [self.s, self.e, self.r].map(on_plane)
    }
}

impl PathTask {
    /// The polygon and the point of the start, and of the goal.
    pub(super) fn ends(&self) -> [(u32, DVec2); 2] {
        [(self.a, on_plane(self.s)), (self.b, on_plane(self.e))]
    }

    /// The polygon and the point at which Detour's path ends: the goal, or as near to it as one gets. `None` for a path
    /// that is partial in a file without corridors.
    pub(super) fn reached(&self) -> Option<(u32, DVec2)> {
        if self.partial == 0 {
            return Some(self.ends()[1]);
        }
        Some((*self.corridor.last()?, on_plane(*self.straight.last()?)))
    }
}

/// Whether a text looks like such a file, and not like a room.
pub(super) fn is_navmesh(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Probe {
        #[serde(rename = "polys")]
        _polys: serde::de::IgnoredAny,
    }
    serde_json::from_str::<Probe>(text).is_ok()
}

/// Reads a file and builds its mesh. Errors are `file:line:column: words`, or `file: words` for the mesh.
pub(super) fn read(path: &Path, text: &str) -> Result<(File, Polygons), Vec<String>> {
    let file: File = serde_json::from_str(text)
        .map_err(|error| vec![format!("{}:{}:{}: {error}", path.display(), error.line(), error.column())])?;
    let vertices: Vec<DVec3> = file.verts.iter().map(|&vertex| vertex.into()).collect();
    let neighbour = |&n: &i64| u32::try_from(n).ok();
    let polygons: Vec<RawPolygon> = file
        .polys
        .iter()
        .map(|polygon| RawPolygon {
            corners: polygon.v.clone(),
            neighbours: polygon.n.iter().map(neighbour).collect(),
        })
        .collect();
    let words = |problem: &PolygonProblem| format!("{}: {problem}", path.display());
    let mesh = Polygons::new(&vertices, &polygons)
        .map_err(|problems| problems.iter().map(words).collect::<Vec<_>>())?;
    let count = mesh.len() as u32;
    let off =
        |kind: &str, i: usize| format!("{}: {kind} {i} names a polygon that does not exist", path.display());
    let moves = file.moves.iter().enumerate().filter(|(_, task)| task.polygon >= count);
    let last = |task: &PathTask| task.corridor.iter().fold(task.a.max(task.b), |last, &at| last.max(at));
    let paths = file.paths.iter().enumerate().filter(|(_, task)| last(task) >= count);
    let problems: Vec<String> =
        moves.map(|(i, _)| off("move", i)).chain(paths.map(|(i, _)| off("path", i))).collect();
    if problems.is_empty() { Ok((file, mesh)) } else { Err(problems) }
}
