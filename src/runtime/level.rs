//! Polygons built from level geometry, and the files beside the levels in which they are kept.

use crate::nav::GroundError;
use crate::problem::guarded;
use crate::project::{Project, save_file};
use crate::room::{
    AREA_HINT, Fingerprint, LevelGeometry, MAX_IMAGE_BYTES, MeshPolygons, RawPolygon, Room, SectorBox,
    SectorPortal, Sectors,
};
use crate::surface::{LevelMemory, Surface};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Told while a level is built: the file, and how much is done, 0 to 1.
type BuildWatcher = fn(&str, f64);

static WATCHER: OnceLock<BuildWatcher> = OnceLock::new();

/// Calls `watcher` while polygons are built from level geometry, on the thread that builds them. The first watcher of a
/// process stays. The build of a large level takes seconds; its result is kept beside the level.
pub fn watch_builds(watcher: fn(file: &str, share: f64)) {
    let _ = WATCHER.set(watcher);
}

/// Changes when the build gives other polygons, or the file has another form.
const BUILD_VERSION: u32 = 4;

/// Rooms may share a level and build it with different settings. The polygons of so many settings are kept.
const MOST_KEPT: usize = 8;

/// What a runtime remembers of the last build of its level. Reading ahead on another thread shares it.
#[derive(Debug, Clone, Default)]
pub(super) struct Floods(Arc<Mutex<LevelMemory>>);

/// The file beside a level.
#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// One for each set of settings, the last built first.
    meshes: Vec<Baked>,
}

/// The polygons of a level, built with some settings.
#[derive(Serialize, Deserialize)]
struct Baked {
    /// The settings in words. A mesh of another content with the same settings is of an older level.
    settings: String,
    /// That of the level and the settings, in hexadecimal digits.
    fingerprint: String,
    /// That of the vertices and polygons, so that a file that was changed by hand or damaged is not used.
    checksum: String,
    vertices: Vec<[f64; 3]>,
    polygons: Vec<Vec<u32>>,
    /// For each polygon those behind its edges, -1 for a wall. Empty where polygons with two vertices in common are joined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    neighbours: Vec<Vec<i64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sectors: Option<KeptSectors>,
}

/// The sectors of a level.
#[derive(Serialize, Deserialize)]
struct KeptSectors {
    box_size_m: f64,
    /// The corners, the number of boxes, and whether it is low.
    sectors: Vec<([f64; 3], [f64; 3], usize, bool)>,
    /// From, to, the ends, and whether it is one-way.
    portals: Vec<(u32, u32, [[f64; 3]; 2], bool)>,
}

/// Why a level gives a room no polygons.
#[derive(Debug)]
pub(super) struct LevelFault {
    /// The number of the area that it is about.
    pub area: Option<usize>,
    /// The number of the start point that it is about.
    pub start: Option<usize>,
    /// The key of the room file that it is about.
    pub key: Option<&'static str>,
    pub what: String,
    pub hint: Option<String>,
}

/// Gives a room with a level its polygons. Those of an unchanged level are read from the file beside it, where they were
/// kept the last time.
///
/// # Errors
/// All faults.
pub(super) fn build(project: &Project, room: &mut Room, floods: &Floods) -> Result<(), Vec<LevelFault>> {
    let Some(level) = room.level.clone().filter(|_| room.mesh.is_none()) else { return Ok(()) };
    let file = format!("{}.baked", level.file);
    let mut kept = read(project, &file);
    let wanted = in_digits(level.fingerprint);
    let known = kept.iter().position(|baked| baked.fingerprint == wanted);
    match known.map(|known| kept.remove(known).mesh()) {
        Some(Some(mesh)) => return give(room, mesh),
        Some(None) => log::warn!("{file} is damaged: building its mesh again"),
        None => log::info!("building the mesh of {}", level.file),
    }
    let tell = |share: f64| {
        if let Some(watcher) = WATCHER.get() {
            watcher(&level.file, share);
        }
    };
    // Taken out: the watcher may read a room ahead, too. What a build that panicked left half done is lost with it.
    let mut memory = std::mem::take(&mut *floods.0.lock().unwrap_or_else(PoisonError::into_inner));
    let built = Surface::polygons_of_changed_level(&level, &mut memory, &mut |share| {
        tell(share);
        ControlFlow::Continue(())
    });
    *floods.0.lock().unwrap_or_else(PoisonError::into_inner) = memory;
    tell(1.0);
    let mesh = built.map_err(|error| match error {
        GroundError::Level { problem, hint, start, key } => {
            vec![LevelFault {
                area: None,
                start,
                key,
                what: problem,
                hint: Some(hint).filter(|hint| !hint.is_empty()),
            }]
        }
        other => vec![LevelFault { area: None, start: None, key: None, what: other.to_string(), hint: None }],
    })?;
    let baked = Baked::of(&level, &mesh);
    kept.retain(|other| other.settings != baked.settings);
    kept.insert(0, baked);
    kept.truncate(MOST_KEPT);
    write(project, &file, kept);
    give(room, mesh)
}

fn give(room: &mut Room, mesh: MeshPolygons) -> Result<(), Vec<LevelFault>> {
    let fault = |(area, what): (Option<usize>, String)| LevelFault {
        area,
        start: None,
        key: None,
        what,
        hint: area.map(|_| AREA_HINT.to_owned()),
    };
    room.give_polygons(mesh).map_err(|faults| faults.into_iter().map(fault).collect())
}

/// What is kept in a file. Nothing if it cannot be read, or is of another version.
fn read(project: &Project, file: &str) -> Vec<Baked> {
    let bytes = project.resolve(file).ok().and_then(|place| project.read(&place, MAX_IMAGE_BYTES).ok());
    let kept = bytes.and_then(|bytes| {
        let kept = guarded(&bytes, || serde_json::from_slice::<Kept>(&bytes));
        kept.inspect_err(|why| log::warn!("{file}: {why}")).ok()?.ok()
    });
    kept.filter(|kept| kept.version == BUILD_VERSION).map(|kept| kept.meshes).unwrap_or_default()
}

/// Writes the polygons beside the level. Where that cannot be done, they are built again the next time.
fn write(project: &Project, file: &str, meshes: Vec<Baked>) {
    // What is made of other files than those on the disk is not for the next start.
    if !project.is_on_disk() || project.is_changed() {
        return;
    }
    let mut kept = Kept { version: BUILD_VERSION, meshes };
    let mut text = serde_json::to_string(&kept).unwrap_or_default();
    // A larger file would not be read.
    while text.len() as u64 > MAX_IMAGE_BYTES {
        kept.meshes.pop();
        if kept.meshes.is_empty() {
            let most = MAX_IMAGE_BYTES >> 20;
            log::warn!("{file}: the mesh is larger than {most} MiB and is built again the next time");
            return;
        }
        text = serde_json::to_string(&kept).unwrap_or_default();
    }
    let saved = match project.resolve(file) {
        Ok(place) => save_file(&place, text.as_bytes()).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()), // a link out of the project
    };
    if let Err(error) = saved {
        log::warn!("{file}: cannot keep the mesh: {error}; it is built again the next time");
    }
}

fn in_digits(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

impl Baked {
    fn of(level: &LevelGeometry, mesh: &MeshPolygons) -> Self {
        let behind = |polygon: &RawPolygon| {
            polygon.neighbours.iter().map(|behind| behind.map_or(-1, i64::from)).collect::<Vec<_>>()
        };
        let is_joined = mesh.polygons.iter().any(|polygon| !polygon.neighbours.is_empty());
        let mut baked = Self {
            settings: format!("{:?} {:?} {} {}", level.settings, level.flood, level.z_is_up, level.scale),
            fingerprint: in_digits(level.fingerprint),
            checksum: String::new(),
            vertices: mesh.vertices.iter().map(|vertex| vertex.to_array()).collect(),
            polygons: mesh.polygons.iter().map(|polygon| polygon.corners.clone()).collect(),
            neighbours: if is_joined { mesh.polygons.iter().map(behind).collect() } else { Vec::new() },
            sectors: mesh.sectors.as_deref().map(KeptSectors::of),
        };
        baked.checksum = baked.sum();
        baked
    }

    /// The polygons. `None` if the file was changed since they were kept.
    fn mesh(self) -> Option<MeshPolygons> {
        let is_as_kept = self.checksum == self.sum();
        let is_whole = self.neighbours.is_empty() || self.neighbours.len() == self.polygons.len();
        let mut neighbours = self.neighbours.into_iter();
        let polygon = |corners: Vec<u32>| {
            let behind = neighbours.next().unwrap_or_default();
            RawPolygon {
                corners,
                neighbours: behind.into_iter().map(|behind| u32::try_from(behind).ok()).collect(),
            }
        };
        let vertices = self.vertices.into_iter().map(DVec3::from).collect();
        let mut mesh = MeshPolygons::new(vertices, self.polygons.into_iter().map(polygon).collect());
        mesh.sectors = self.sectors.map(|sectors| Arc::new(sectors.sectors()));
        (is_as_kept && is_whole && mesh.is_sound()).then_some(mesh)
    }

    /// The checksum of all but the settings and the fingerprint.
    fn sum(&self) -> String {
        let mut sum = Fingerprint::of(&(self.vertices.len() as u64).to_le_bytes());
        self.vertices.iter().flatten().for_each(|number| sum.add(&number.to_bits().to_le_bytes()));
        for polygon in &self.polygons {
            sum.add(&(polygon.len() as u64).to_le_bytes());
            polygon.iter().for_each(|corner| sum.add(&corner.to_le_bytes()));
        }
        self.neighbours.iter().flatten().for_each(|behind| sum.add(&behind.to_le_bytes()));
        if let Some(KeptSectors { box_size_m, sectors, portals }) = &self.sectors {
            sum.add(&box_size_m.to_bits().to_le_bytes());
            for (min, max, boxes, is_low) in sectors {
                min.iter().chain(max).for_each(|number| sum.add(&number.to_bits().to_le_bytes()));
                sum.add(&(*boxes as u64).to_le_bytes());
                sum.add(&[u8::from(*is_low)]);
            }
            for (from, to, ends, one_way) in portals {
                sum.add(&from.to_le_bytes());
                sum.add(&to.to_le_bytes());
                ends.iter().flatten().for_each(|number| sum.add(&number.to_bits().to_le_bytes()));
                sum.add(&[u8::from(*one_way)]);
            }
        }
        in_digits(sum.0)
    }
}

impl KeptSectors {
    fn of(sectors: &Sectors) -> Self {
        let sector =
            |sector: &SectorBox| (sector.min.to_array(), sector.max.to_array(), sector.boxes, sector.is_low);
        let portal = |portal: &SectorPortal| {
            (portal.from, portal.to, portal.ends.map(|end| end.to_array()), portal.one_way)
        };
        Self {
            box_size_m: sectors.box_size_m,
            sectors: sectors.sectors.iter().map(sector).collect(),
            portals: sectors.portals.iter().map(portal).collect(),
        }
    }

    fn sectors(self) -> Sectors {
        let sector = |(min, max, boxes, is_low): ([f64; 3], [f64; 3], usize, bool)| SectorBox {
            min: min.into(),
            max: max.into(),
            boxes,
            is_low,
        };
        let portal = |(from, to, ends, one_way): (u32, u32, [[f64; 3]; 2], bool)| SectorPortal {
            from,
            to,
            ends: ends.map(DVec3::from),
            one_way,
        };
        Sectors {
            box_size_m: self.box_size_m,
            sectors: self.sectors.into_iter().map(sector).collect(),
            portals: self.portals.into_iter().map(portal).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::runtime::{Options, Runtime};
    use std::path::{Path, PathBuf};

    /// A floor of 10 m by 10 m, and a wall through it.
    const LEVEL: &str = "v 0 0 0\nv 10 0 0\nv 10 0 10\nv 0 0 10\nv 4 0 0\nv 4 3 0\nv 4 3 6\nv 4 0 6\n\
                         f 1 4 3 2\nf 5 6 7 8\n";

    fn write(project: &Path, name: &str, settings: &str) -> PathBuf {
        let rooms = project.join("rooms");
        std::fs::create_dir_all(&rooms).unwrap();
        std::fs::write(rooms.join("level.obj"), LEVEL).unwrap();
        let room = rooms.join(name);
        std::fs::write(&room, format!(r#"{{"geometry": "rooms/level.obj"{settings}}}"#)).unwrap();
        room
    }

    /// The file that is kept, and the settings in it.
    fn kept(project: &Path) -> (String, Vec<String>) {
        let text = std::fs::read_to_string(project.join("rooms/level.obj.baked")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let meshes = json["meshes"].as_array().unwrap();
        let settings = meshes.iter().map(|mesh| mesh["settings"].as_str().unwrap().to_owned()).collect();
        (text, settings)
    }

    fn open(room: &Path) {
        Runtime::open(room, Options::default()).unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn spoilt_files_are_built_again() {
        let project = tempfile::tempdir().unwrap();
        let room = write(project.path(), "one.json", r#", "agentRadius": 0.3"#);
        open(&room);
        let file = project.path().join("rooms/level.obj.baked");
        let (good, _) = kept(project.path());
        let json: serde_json::Value = serde_json::from_str(&good).unwrap();
        // With the right checksum, too: as if the build had been at fault.
        let spoilt = |key: &str, value: serde_json::Value| {
            let mut json = json.clone();
            json["meshes"][0][key] = value;
            let mut kept: super::Kept = serde_json::from_value(json).unwrap();
            let baked = &mut kept.meshes[0];
            baked.checksum = baked.sum();
            serde_json::to_string(&kept).unwrap()
        };
        let mut moved = json.clone();
        moved["meshes"][0]["vertices"][0][1] = serde_json::json!(0.125);
        let corners = json["meshes"][0]["polygons"][0].as_array().unwrap();
        let [a, b] = [&corners[0], &corners[1]];
        for (what, text) in [
            ("no polygons", spoilt("polygons", serde_json::json!([]))),
            ("a polygon of two corners", spoilt("polygons", serde_json::json!([[a, b]]))),
            ("a corner twice", spoilt("polygons", serde_json::json!([[a, b, b]]))),
            ("no vertices", spoilt("vertices", serde_json::json!([]))),
            ("vertices on one line", spoilt("vertices", serde_json::json!(vec![[1.0, 0.0, 1.0]; 99]))),
            ("vertices far off", spoilt("vertices", serde_json::json!(vec![[1e9, 0.0, 1.0]; 99]))),
            ("a part of the file", good[..good.len() / 2].to_owned()),
            ("nothing", String::new()),
            ("a moved vertex", moved.to_string()),
        ] {
            assert!(text != good, "{what}");
            std::fs::write(&file, &text).unwrap();
            assert!(Runtime::open(&room, Options::default()).is_ok(), "{what}");
            assert_eq!(kept(project.path()).0, good, "{what}");
        }
    }

    #[test]
    fn rooms_with_different_settings_keep_a_mesh_each() {
        let project = tempfile::tempdir().unwrap();
        let one = write(project.path(), "one.json", r#", "agentRadius": 0.3"#);
        let other = write(project.path(), "other.json", r#", "agentRadius": 0.35"#);
        let third = write(project.path(), "third.json", r#", "agentRadius": 0.35"#);
        open(&one);
        assert_eq!(kept(project.path()).1.len(), 1);
        open(&other);
        let both = kept(project.path());
        assert_eq!(both.1.len(), 2, "{both:?}");
        for room in [&one, &third, &other] {
            open(room);
            assert_eq!(kept(project.path()), both, "nothing is built again");
        }
        // Of an older level nothing is kept with the same settings, and not too much of all others.
        let level = project.path().join("rooms/level.obj");
        std::fs::write(&level, LEVEL.replace("10", "12")).unwrap();
        open(&one);
        assert_eq!(kept(project.path()).1.len(), 2);
        for number in 0..12 {
            let settings = format!(r#", "agentRadius": 0.{}"#, 40 + number);
            let room = write(project.path(), "more.json", &settings);
            open(&room);
        }
        assert_eq!(kept(project.path()).1.len(), super::MOST_KEPT);
    }

    #[test]
    #[cfg(unix)]
    fn nothing_is_written_through_a_link_out_of_the_project() {
        let project = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::NamedTempFile::new().unwrap();
        let room = write(project.path(), "one.json", "");
        let link = project.path().join("rooms/level.obj.baked");
        std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
        open(&room);
        assert_eq!(std::fs::read(elsewhere.path()).unwrap(), b"");
    }

    #[test]
    fn levels_without_ground_name_keys_of_rooms() {
        let project = tempfile::tempdir().unwrap();
        for (settings, words, hint) in [
            (r#", "agentRadius": 4"#, "too narrow for an agentRadius of 4 m", "agentRadius"),
            (r#", "agentRadius": 0.3, "cellSize": 0.00001"#, "cellSize is 0.00001", "cellSize"),
            (r#", "agentRadius": 90"#, "agentRadius is 90", "cellSize"),
        ] {
            let room = write(project.path(), "one.json", settings);
            let error = Runtime::open(&room, Options::default()).map(|_| ()).unwrap_err();
            let problem = &error.problems[0];
            assert!(problem.message.contains(words), "{error}");
            assert!(problem.hint.as_ref().is_some_and(|text| text.contains(hint)), "{error}");
            assert!(problem.message.contains("geometry 'rooms/level.obj'"), "{error}");
        }
    }
}
