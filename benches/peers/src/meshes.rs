//! Shortest paths at any angle on meshes of convex polygons, beside the crate `polyanya`: the same polygons, the same
//! queries, one thread. Both are told the polygons of both ends, so that only searches are timed, and only those that
//! find a path: to know that there is none, both look at the connected parts of the ground and need no search.
//!
//! The meshes: those of the tests of `polyanya` (read from its source in cargo's registry), those of Detour (in
//! `CICERONE_DATA`), and those of rooms. `polyanya` has coordinates of 32 bits, so cicerone gets the same rounded ones.
//! Lengths are summed with 64 bits from the points of both paths.

use crate::memory;
use crate::mesh_polygons::open_polygons;
use crate::palace;
use crate::runner::{Options, median, timed};
use cicerone::internals::mesh::{AnyAngle, AnyAngleMemory, Openness, Polygons, RawPolygon, View};
use cicerone::room::{GroundKind, Room};
use cicerone::surface::Surface;
use cicerone::world::{next_random, stream};
use glam::{DVec2, DVec3, dvec2};
use glam_of_polyanya::Vec2;
use polyanya::{Coords, Mesh, PolyanyaFile, Polygon, Vertex};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lengths that differ by a smaller share are equal.
const SAME: f64 = 1e-6;

/// A mesh as both get it.
struct Subject {
    name: String,
    vertices: Vec<DVec3>,
    polygons: Vec<Vec<u32>>,
}

/// A query whose ends have polygons.
struct Ask {
    from: (u32, DVec2, Coords),
    to: (u32, DVec2, Coords),
}

/// What one mesh gave.
#[derive(Default)]
struct Score {
    polygons: usize,
    queries: usize,
    longer: usize,
    shorter: usize,
    /// Found by cicerone only, and by `polyanya` only.
    found_alone: [usize; 2],
    us: [f64; 2],
    /// The mesh, and the most that searches hold beyond it.
    mesh_kb: [f64; 2],
    search_kb: [f64; 2],
    /// The largest share by which a path of cicerone is longer.
    worst: f64,
}

/// A row for each mesh.
pub fn table(options: &Options) -> String {
    let mut text = String::from(
        "| mesh | polygons | queries | cicerone us | polyanya us | times as fast | ours longer | theirs longer | \
         found by one only (ours, theirs) | mesh kB (ours, theirs) | searches kB (ours, theirs) |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for subject in subjects() {
        eprintln!("{}", subject.name);
        let score = match judge(&subject, options) {
            Ok(score) => score,
            Err(problem) => {
                let _ = writeln!(text, "| {} | not a mesh here: {problem} |||||||||", subject.name);
                continue;
            }
        };
        let each = 1.0 / score.queries as f64;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.2} | {:.2} | {:.2} | {} (by {:.1e}) | {} | {}, {} | {:.0}, {:.0} | {:.0}, {:.0} |",
            subject.name,
            score.polygons,
            score.queries,
            score.us[0] * each,
            score.us[1] * each,
            score.us[1] / score.us[0],
            score.longer,
            score.worst,
            score.shorter,
            score.found_alone[0],
            score.found_alone[1],
            score.mesh_kb[0],
            score.mesh_kb[1],
            score.search_kb[0],
            score.search_kb[1],
        );
    }
    text
}

fn subjects() -> Vec<Subject> {
    let mut all = Vec::new();
    if let Some(folder) = source_of("polyanya") {
        let files = ["v2/arena", "v2/arena-merged", "v2/aurora", "v2/aurora-merged", "v3/scene_mp_2p_01"];
        for file in files {
            let path = folder.join(format!("meshes/{file}.mesh"));
            all.extend(path.exists().then(|| Subject::of_polyanya(file, &path)));
        }
        all.extend(Subject::of_triangles("issue-142", &folder.join("meshes/issue-142.trimesh")));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("CICERONE_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| root.join("../shared/data"));
    for name in ["nav_test", "dungeon"] {
        all.extend(Subject::of_detour(name, &data.join(format!("navmesh/{name}.json"))));
    }
    for file in ["tavern", "market"] {
        let bytes = std::fs::read(root.join(format!("rooms/{file}.json"))).expect("a room");
        let parsed = cicerone::room::parse(file, &bytes);
        all.push(Subject::of_room(file, parsed.unwrap_or_else(|report| panic!("{report}")).room));
    }
    all.push(Subject::of_room("palace 1024", palace::sized(1024, 0.0)));
    all
}

/// The folder of a dependency's source.
pub fn source_of(name: &str) -> Option<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--offline", "--all-features"]);
    let output = cargo.arg("--manifest-path").arg(manifest).output().ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let package = metadata["packages"].as_array()?.iter().find(|package| package["name"] == name)?;
    Some(Path::new(package["manifest_path"].as_str()?).parent()?.to_owned())
}

impl Subject {
    fn of_polyanya(name: &str, path: &Path) -> Self {
        let file = PolyanyaFile::from_file(&path.to_string_lossy());
        let at = |vertex: &Vertex| DVec3::new(f64::from(vertex.coords.x), 0.0, f64::from(vertex.coords.y));
        let name = format!("polyanya's {name}");
        let vertices = file.vertices.iter().map(at).collect();
        let polygons = file.polygons.into_iter().map(|polygon| polygon.vertices);
        Self { name, vertices, polygons: polygons.filter(|corners| corners.len() > 2).collect() }
    }

    /// Lines `v x y` and `t a b c`.
    fn of_triangles(name: &str, path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    let [x, y] = [words.next()?, words.next()?].map(|word| word.parse::<f32>().ok());
                    vertices.push(DVec3::new(f64::from(x?), 0.0, f64::from(y?)));
                }
                Some("t") => polygons.push(words.map(|word| word.parse().expect("an index")).collect()),
                _ => {}
            }
        }
        Some(Self { name: format!("polyanya's {name}"), vertices, polygons })
    }

    fn of_detour(name: &str, path: &Path) -> Option<Self> {
        let file: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        let numbers = |list: &serde_json::Value| -> Option<Vec<f64>> {
            list.as_array()?.iter().map(serde_json::Value::as_f64).collect()
        };
        let vertex = |list| numbers(list).map(|at| DVec3::new(at[0], at[1], at[2]));
        let corners = |polygon: &serde_json::Value| {
            numbers(&polygon["v"]).map(|corners| corners.into_iter().map(|corner| corner as u32).collect())
        };
        Some(Self {
            name: format!("Detour's {name}"),
            vertices: file["verts"].as_array()?.iter().map(vertex).collect::<Option<_>>()?,
            polygons: file["polys"].as_array()?.iter().map(corners).collect::<Option<_>>()?,
        })
    }

    /// The polygons of a room, all open.
    fn of_room(name: &str, mut room: Room) -> Self {
        room.ground.kind = GroundKind::Mesh;
        room.areas.iter_mut().for_each(|area| area.available = true);
        let ground = Surface::new(&room).expect("a mesh");
        let (vertices, polygons) = open_polygons(&ground);
        Self { name: format!("room {name}"), vertices, polygons }
    }

    /// Ours, with the coordinates that `polyanya` has.
    fn ours(&self) -> Result<Polygons, String> {
        let round = |at: &DVec3| DVec3::new(f64::from(at.x as f32), at.y, f64::from(at.z as f32));
        let vertices: Vec<DVec3> = self.vertices.iter().map(round).collect();
        let raw = |corners: &Vec<u32>| RawPolygon { corners: corners.clone(), neighbours: Vec::new() };
        let polygons: Vec<RawPolygon> = self.polygons.iter().map(raw).collect();
        Polygons::new(&vertices, &polygons).map_err(|problems| {
            let first = problems.first().map(ToString::to_string).unwrap_or_default();
            format!("{first} ({} problems)", problems.len())
        })
    }

    /// The same for `polyanya`: every vertex with its polygons counter-clockwise, gaps between them marked.
    fn theirs(&self, ours: &Polygons) -> Mesh {
        let mut leaving: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); self.vertices.len()];
        let mut rings = Vec::new();
        for polygon in 0..ours.len() as u32 {
            let ring: Vec<u32> = ours.edges(polygon).iter().map(|edge| edge.vertex()).collect();
            for (i, &vertex) in ring.iter().enumerate() {
                let (next, before) = (ring[(i + 1) % ring.len()], ring[(i + ring.len() - 1) % ring.len()]);
                leaving[vertex as usize].push((polygon, next, before));
            }
            rings.push(ring);
        }
        let at = |vertex: u32| ours.vertices()[vertex as usize];
        let vertices = leaving.iter().enumerate().map(|(vertex, around)| {
            let angle = |to: u32| {
                let along = at(to) - at(vertex as u32);
                libm::atan2(along.y, along.x)
            };
            let mut around = around.clone();
            around.sort_by(|a, b| angle(a.1).total_cmp(&angle(b.1)));
            let mut polygons = Vec::new();
            for (i, &(polygon, _, before)) in around.iter().enumerate() {
                polygons.push(polygon);
                if around[(i + 1) % around.len()].1 != before {
                    polygons.push(u32::MAX);
                }
            }
            let place = at(vertex as u32);
            Vertex::new(Vec2::new(place.x as f32, place.y as f32), polygons)
        });
        let is_dead_end =
            |polygon: u32| ours.edges(polygon).iter().filter(|edge| edge.neighbour().is_some()).count() == 1;
        let polygons = rings
            .iter()
            .enumerate()
            .map(|(polygon, ring)| Polygon::new(ring.clone(), is_dead_end(polygon as u32)));
        let mut mesh = Mesh::new(vertices.collect(), polygons.collect()).expect("a mesh of polyanya");
        mesh.bake();
        mesh
    }
}

/// Random places, uniform over the ground, on whose polygons both agree.
fn asks(ours: &Polygons, theirs: &Mesh, count: usize) -> Vec<Ask> {
    let area = |polygon: u32| {
        let corners: Vec<DVec2> = ours.corners(polygon).collect();
        let pairs = corners.windows(2).skip(1);
        pairs.map(|pair| (pair[0] - corners[0]).perp_dot(pair[1] - corners[0])).sum::<f64>()
    };
    let mut sums = vec![0.0];
    (0..ours.len() as u32).for_each(|polygon| sums.push(sums[sums.len() - 1] + area(polygon)));
    let mut random = stream(7, "meshes");
    let mut place = || loop {
        let wanted = next_random(&mut random) * sums[sums.len() - 1];
        let polygon = (sums.partition_point(|sum| *sum <= wanted) - 1).min(ours.len() - 1) as u32;
        let corners: Vec<DVec2> = ours.corners(polygon).collect();
        let weights: Vec<f64> = corners.iter().map(|_| next_random(&mut random) + 1e-3).collect();
        let sum: f64 = weights.iter().sum();
        let at: DVec2 = corners.iter().zip(&weights).map(|(&at, weight)| at * (weight / sum)).sum();
        let point = Vec2::new(at.x as f32, at.y as f32);
        if let Some(coords) = theirs.get_closest_point(point)
            && coords.position() == point
            && (coords.polygon() as usize) < ours.len()
        {
            let at = dvec2(f64::from(point.x), f64::from(point.y));
            // Storeys above each other: what they find counts.
            if ours.holds(coords.polygon(), at) {
                return (coords.polygon(), at, coords);
            }
        }
    };
    (0..count).map(|_| Ask { from: place(), to: place() }).collect()
}

fn judge(subject: &Subject, options: &Options) -> Result<Score, String> {
    let (held, ours) = memory::watch(|| subject.ours());
    let (open_bytes, ours) = (held.held_bytes, ours?);
    let (held, openness) = memory::watch(|| Openness::new(&ours, |_| true));
    let our_bytes = open_bytes + held.held_bytes;
    let view = View::new(&ours, &openness);
    let (held, theirs) = memory::watch(|| subject.theirs(&ours));
    let mut asks = asks(&ours, &theirs, options.pick(200, 1000));
    let mut score = Score { polygons: ours.len(), ..Score::default() };
    score.mesh_kb = [our_bytes as f64 / 1e3, held.held_bytes as f64 / 1e3];
    let mut buffers = AnyAngleMemory::default();
    let mut find = |ask: &Ask| {
        let mut search =
            AnyAngle::new(view, (ask.from.0, ask.from.1), (ask.to.0, ask.to.1), std::mem::take(&mut buffers));
        search.advance(view, u64::MAX);
        let (path, used) = search.finish(view.polygons);
        buffers = used;
        path
    };
    let their_length = |ask: &Ask| {
        theirs.path(ask.from.2, ask.to.2).map(|path| {
            let mut at = ask.from.1;
            path.path.iter().fold(0.0, |sum, point| {
                let before = std::mem::replace(&mut at, dvec2(f64::from(point.x), f64::from(point.y)));
                sum + before.distance(at)
            })
        })
    };
    let (taken, our_lengths) =
        memory::watch(|| asks.iter().map(|ask| find(ask).map(|path| path.length_m)).collect::<Vec<_>>());
    score.search_kb[0] = taken.peak_bytes as f64 / 1e3;
    let (taken, their_lengths) = memory::watch(|| asks.iter().map(their_length).collect::<Vec<_>>());
    score.search_kb[1] = taken.peak_bytes as f64 / 1e3;
    for (i, lengths) in our_lengths.iter().zip(&their_lengths).enumerate() {
        match lengths {
            (Some(ours), Some(theirs)) => {
                if ours - theirs > SAME * theirs.max(1.0) {
                    score.longer += 1;
                    score.worst = score.worst.max(ours / theirs - 1.0);
                    if std::env::var_os("TELL").is_some() {
                        let Ask { from, to } = &asks[i];
                        eprintln!("  longer: {from:?} to {to:?}: {ours} and {theirs}");
                    }
                }
                score.shorter += usize::from(theirs - ours > SAME * ours.max(1.0));
            }
            (Some(_), None) => score.found_alone[0] += 1,
            (None, Some(_)) => score.found_alone[1] += 1,
            (None, None) => {}
        }
    }
    let mut both =
        our_lengths.iter().zip(&their_lengths).map(|(ours, theirs)| ours.is_some() && theirs.is_some());
    asks.retain(|_| both.next().unwrap_or(false));
    score.queries = asks.len();
    let rounds = options.pick(3, 7);
    let mut times = vec![[Vec::new(), Vec::new()]; asks.len()];
    for round in 0..rounds {
        for turn in 0..2 {
            let side = (round + turn) % 2;
            for (ask, times) in asks.iter().zip(&mut times) {
                let time = if side == 0 {
                    timed(|| find(ask)).0
                } else {
                    timed(|| theirs.path(ask.from.2, ask.to.2)).0
                };
                times[side].push(time.as_secs_f64() * 1e6);
            }
        }
    }
    for side in 0..2 {
        score.us[side] = times.iter().map(|times| median(&times[side])).sum();
    }
    Ok(score)
}
