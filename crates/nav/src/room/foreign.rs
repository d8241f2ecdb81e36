//! Files of other programs. One that is given as a room gets one error that says what it is, and how to use it.

use super::RoomReport;
use crate::problem::Source;

/// What a file is, and what to do with it.
struct Kind {
    what: &'static str,
    hint: &'static str,
}

const PAINT: &str =
    "export it as a PNG, and name that under \"mask\" of a room, with its \"walkable\" colours";
const LEVEL: &str = "name it under \"geometry\" of a room: {\"geometry\": \"rooms/level.glb\"}";
const WALLS: &str =
    "write the floor as \"areas\" of a room, in metres, and what stands on it as \"obstacles\"";
const EXPORT: &str = "export it as glTF or OBJ, and name that under \"geometry\" of a room";

/// How the texts of other programs begin, after blank space.
const BEGINNINGS: [(&str, Kind); 15] = [
    ("[gd_", Kind { what: "a scene or a resource of Godot", hint: EXPORT }),
    ("%YAML", Kind { what: "a scene of Unity", hint: EXPORT }),
    ("glTF", Kind { what: "a model as glTF", hint: LEVEL }),
    ("Kaydara FBX", Kind { what: "a model as FBX", hint: EXPORT }),
    ("; FBX", Kind { what: "a model as FBX", hint: EXPORT }),
    ("BLENDER", Kind { what: "a file of Blender", hint: EXPORT }),
    (
        "\u{fffd}PNG",
        Kind { what: "an image", hint: "name it under \"mask\" of a room, with its \"walkable\" colours" },
    ),
    ("PK\u{3}\u{4}", Kind { what: "an archive", hint: "take the files out of it" }),
    ("IWAD", DOOM),
    ("PWAD", DOOM),
    ("IBSP", BSP),
    ("VBSP", BSP),
    ("TESM", DETOUR),
    ("VAND", DETOUR),
    ("# Blender", Kind { what: "a model as OBJ", hint: LEVEL }),
];

/// Texts that are all in the first part of a file of a program. The first that fits counts.
const MARKS: [(&[&str], Kind); 8] = [
    (&["<map", "tilewidth"], TILED),
    (&["<map", "tiledversion"], TILED),
    (&["versioninfo", "{"], Kind { what: "a map of Hammer", hint: EXPORT }),
    (
        &["<tileset", "tilewidth"],
        Kind { what: "a set of tiles of Tiled", hint: "it is part of a map, and no ground itself" },
    ),
    (
        &["\"classname\"", "{"],
        Kind { what: "a map of brushes, as TrenchBroom and Radiant write them", hint: EXPORT },
    ),
    (&["\"resourceType\"", "\"GMRoom\""], Kind { what: "a room of GameMaker", hint: PAINT }),
    (&["<COLLADA"], Kind { what: "a model as COLLADA", hint: EXPORT }),
    (&["<svg"], Kind { what: "a drawing as SVG", hint: PAINT }),
];

const DOOM: Kind = Kind { what: "maps of Doom", hint: EXPORT };
const BSP: Kind = Kind { what: "a compiled map of Quake or Source", hint: EXPORT };
const DETOUR: Kind = Kind {
    what: "a navigation mesh of Detour",
    hint: "write the geometry that it was made of as glTF or OBJ, and name that under \"geometry\" of a room",
};

const TILED: Kind = Kind { what: "a map of Tiled", hint: PAINT };

/// Keys that are all in the outermost object of a file of a program. The first that fits counts.
const KEYS: [(&[&str], Kind); 11] = [
    (&["tilewidth", "layers"], TILED),
    (&["__header__"], Kind { what: "a world of LDtk", hint: PAINT }),
    (&["jsonVersion", "levels"], Kind { what: "a world of LDtk", hint: PAINT }),
    (&["ogmoVersion"], Kind { what: "a level of Ogmo", hint: PAINT }),
    (&["asset", "meshes"], Kind { what: "a model as glTF", hint: LEVEL }),
    (&["resolution", "line_of_sight"], Kind { what: "a map as Universal VTT", hint: WALLS }),
    (&["walls", "tokens"], Kind { what: "a scene of Foundry", hint: WALLS }),
    (&["resourceType", "layers"], Kind { what: "a room of GameMaker", hint: PAINT }),
    (&["frames", "meta"], Kind { what: "a sheet of frames, as Aseprite writes it", hint: PAINT }),
    (&["metadata", "object"], Kind { what: "a scene of three.js", hint: EXPORT }),
    (
        &["features"],
        Kind { what: "a map as GeoJSON", hint: "write its polygons as \"areas\" of a room, in metres" },
    ),
];

/// Keys of a room. A file that has one is a room, with mistakes.
const OF_ROOMS: [&str; 5] = ["areas", "mask", "mesh", "geometry", "tactics"];

/// So much of a file is looked at, in bytes.
const BEGINNING: usize = 4_096;

/// One error in place of those of a room that could not be read, if it is a file of another program.
pub(super) fn named(file_name: &str, bytes: &[u8], report: RoomReport) -> RoomReport {
    let Some(Kind { what, hint }) = kind(bytes) else { return report };
    let source = Source::new(file_name, "");
    let problem = source.problem(0..0, format!("this is {what}, and no room")).with_hint(hint);
    RoomReport { problems: vec![problem], source }
}

fn kind(bytes: &[u8]) -> Option<Kind> {
    if let Ok(serde_json::Value::Object(root)) = serde_json::from_slice(bytes) {
        let has = |keys: &[&str]| keys.iter().all(|key| root.contains_key(*key));
        let is_room = OF_ROOMS.iter().any(|key| root.contains_key(*key));
        return KEYS.into_iter().find(|(keys, _)| has(keys) && !is_room).map(|(_, kind)| kind);
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(BEGINNING)]);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let begins = BEGINNINGS.into_iter().find(|(beginning, _)| text.starts_with(beginning));
    begins.map(|(_, kind)| kind).or_else(|| {
        let fits = |marks: &[&str]| marks.iter().all(|mark| text.contains(mark));
        if let Some((_, kind)) = MARKS.into_iter().find(|(marks, _)| fits(marks)) {
            return Some(kind);
        }
        let is_model = text.lines().filter(|line| line.starts_with("v ")).count() > 2;
        match (is_model, text.starts_with('<')) {
            (true, _) => Some(Kind { what: "a model as OBJ", hint: LEVEL }),
            (_, true) => Some(Kind { what: "a file of XML", hint: "a room is written {\"areas\": […]}" }),
            _ => None,
        }
    })
}
