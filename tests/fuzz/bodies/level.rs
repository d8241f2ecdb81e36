//! Levels made with other tools: OBJ, glTF with its data inside, GLB, as ground for a mesh, for sectors and for soldiers.

use super::{life, read_twice};
use cicerone::room::parse_with;

/// A level with more numbers than this says nothing new and takes long to build.
const MAX_BYTES: usize = 24 << 10;

pub fn run(data: &[u8]) -> bool {
    if data.len() > MAX_BYTES {
        return false;
    }
    let end = match data.iter().find(|byte| !byte.is_ascii_whitespace()) {
        _ if data.starts_with(b"glTF") => "glb",
        Some(b'{') => "gltf",
        _ => "obj",
    };
    // Every way to take a level, so that none is left out by a mutation.
    let taken = [
        format!(r#"{{ "geometry": "rooms/level.{end}", "ground": "mesh", "agentRadius": 0.3 }}"#),
        format!(
            r#"{{ "geometry": "rooms/level.{end}", "ground": "sectors", "starts": [[0, 0, 0]], "agentRadius": 0.3 }}"#
        ),
        format!(r#"{{ "tactics": {{ "geometry": "rooms/level.{end}" }} }}"#),
    ];
    taken.iter().filter(|room| build(room, data)).count() > 0
}

/// Reads a room with this level, and lives in it. Whether it could be read.
fn build(room: &str, level: &[u8]) -> bool {
    let read = || parse_with("rooms/level.json", room.as_bytes(), None, &|_| Ok(level.to_vec()));
    let Some(parsed) = read_twice(read) else { return false };
    life::enter(&parsed);
    true
}
