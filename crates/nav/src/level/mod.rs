//! The geometry of a level, as modelling programs export it: `.obj`, `.glb` and `.gltf`.
//!
//! Materials, textures and normals are not looked at. Units are metres, and y is up, unless [`Placing`] says otherwise.
//!
//! Both formats are read here and not by a library, because a fault must have its place in the file, a broken texture
//! must not matter, and no file may panic or allocate more than it has bytes for.

mod assemble;
mod gltf;
mod gltf_buffers;
mod obj;
mod placing;
mod polygon;
mod problem;
#[cfg(test)]
mod tests;

pub(crate) use placing::Placing;
pub(crate) use problem::LevelProblem;

use crate::problem::guarded;
use assemble::Parts;
use glam::DVec3;
use std::ops::Range;

/// More triangles than this are refused.
const MAX_TRIANGLES: usize = 4_000_000;

/// The triangles of a level.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Level {
    /// In metres, y up. All are used.
    pub vertices: Vec<DVec3>,
    /// Counter-clockwise seen from the front. None is degenerate.
    pub triangles: Vec<[u32; 3]>,
    /// The names of the objects, and their triangles.
    pub objects: Vec<(String, Range<usize>)>,
    /// The line of each triangle, in solids from a format that has lines; otherwise empty.
    pub lines: Vec<u32>,
}

/// Reads a level. `name` is the name of its file; `other_files` reads a file that this one names. Also returns warnings:
/// what is left out, and what looks wrong.
///
/// # Errors
/// The first fault.
pub(crate) fn read(
    name: &str,
    bytes: &[u8],
    placing: Placing,
    other_files: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<(Level, Vec<LevelProblem>), LevelProblem> {
    parts(name, bytes, other_files)?.finish(placing)
}

/// Reads a level whose objects are solids: like [`read`], but with all triangles, also those without an area, which may
/// close a mesh, and with all vertices. Also returns warnings.
///
/// # Errors
/// The first fault.
pub(crate) fn read_solids(
    name: &str,
    bytes: &[u8],
    placing: Placing,
    other_files: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<(Level, Vec<LevelProblem>), LevelProblem> {
    parts(name, bytes, other_files)?.finish_solids(placing)
}

fn parts(
    name: &str,
    bytes: &[u8],
    other_files: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Parts, LevelProblem> {
    let read = guarded(bytes, || read_parts(name, bytes, other_files));
    read.unwrap_or_else(|why| Err(LevelProblem::new(why, "")))
}

fn read_parts(
    name: &str,
    bytes: &[u8],
    mut other_files: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Parts, LevelProblem> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    if bytes.is_empty() {
        return Err(LevelProblem::new("the file is empty", "export the level again"));
    }
    let other_kind = known_other_kind(bytes).unwrap_or_default();
    let mut parts = Parts::default();
    match &*extension {
        "glb" | "gltf" | "obj" if bytes.starts_with(b"glTF") => {
            gltf::read_binary(bytes, &mut other_files, &mut parts)?
        }
        "glb" | "gltf" | "obj" if !other_kind.is_empty() => {
            let message = format!("the file is called .{extension}, but is {other_kind}");
            return Err(LevelProblem::new(message, "export the level as .obj or .glb"));
        }
        "glb" | "gltf" if bytes.trim_ascii_start().first() == Some(&b'{') => {
            gltf::read_text(bytes, None, &mut other_files, &mut parts)?;
        }
        "glb" | "gltf" => {
            let hint = "a .glb file begins with \"glTF\", a .gltf file with \"{\": export the level again";
            return Err(LevelProblem::new("the file is not glTF", hint));
        }
        "obj" => obj::read(bytes, &mut parts)?,
        _ => {
            let hint = "level geometry is an .obj, .glb or .gltf file: export it as one of them";
            return Err(LevelProblem::new(format!("\"{name}\" has no known format"), hint));
        }
    }
    Ok(parts)
}

/// What a file is that is certainly no mesh.
fn known_other_kind(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 9] = [
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"Kaydara FBX", "an FBX model"),
        (b"BLENDER", "a Blender project"),
        (b"<", "XML or HTML"),
        (b"version https://git-lfs", "a Git LFS pointer: the file itself was not downloaded"),
    ];
    let start = bytes.trim_ascii_start();
    kinds.into_iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, kind)| kind)
}
