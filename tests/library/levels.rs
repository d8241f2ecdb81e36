//! Levels made by others, walked from end to end: the `.obj`, `.glb` and `.gltf` files in the folder that
//! `CICERONE_LEVELS` names. Without it the test is skipped and says so. `.ci/run` names the sample levels of Recast, which
//! lie in the source of the crate `recastnavigation-sys`.

use cicerone::glam::{DVec2, DVec3};
use cicerone::internals::mesh::{Behind, PolygonView};
use cicerone::nav::{Place, Position};
use cicerone::runtime::{Options, Runtime};
use cicerone::world::{CharacterId, Command, Event, EventKind, WalkEnd, World};
use std::collections::{BTreeMap, BinaryHeap};
use std::path::{Path, PathBuf};

/// How far a character may be off its polygon, in metres.
const OFF_M: f64 = 1e-6;

/// How far the floor of a polygon may be above or below the level, in metres: the builder's own limit and a step of its
/// voxels. On stairs and at kerbs the polygon is a slope, and a step may lie farther away.
const FLOOR_M: f64 = 0.25;
const STEP_M: f64 = 0.5;

#[test]
fn levels_of_others_are_walked_from_end_to_end() {
    let Some(folder) = std::env::var_os("CICERONE_LEVELS").map(PathBuf::from) else {
        eprintln!("skipped: CICERONE_LEVELS names no folder with levels of others");
        return;
    };
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut levels: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    let is_level = |path: &PathBuf| {
        path.extension().is_some_and(|end| ["obj", "glb", "gltf"].iter().any(|known| end == *known))
    };
    levels.retain(is_level);
    levels.sort();
    assert!(!levels.is_empty(), "no levels in {}", folder.display());
    levels.iter().for_each(|level| walk_through(level));
}

fn walk_through(level: &Path) {
    let name = level.file_name().unwrap().to_str().unwrap();
    let project = tempfile::tempdir().unwrap();
    let rooms = project.path().join("rooms");
    std::fs::create_dir_all(&rooms).unwrap();
    std::fs::copy(level, rooms.join(name)).unwrap();
    let open = |characters: String| {
        let room = rooms.join("level.json");
        let json = format!(r#"{{"geometry": "rooms/{name}", "characters": [{characters}]}}"#);
        std::fs::write(&room, json).unwrap();
        Runtime::open(&room, Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let views = polygons(open(String::new()).world());
    let (from, to) = ends(&views);
    let [start, goal] = [from, to].map(|polygon| middle(&views[polygon]));
    // Read again: its polygons lie beside it now.
    let character = format!(r#"{{"name": "ann", "at": [{}, {}, {}]}}"#, start.x, start.y, start.z);
    let mut runtime = open(character);
    assert!(rooms.join(format!("{name}.baked")).exists(), "{name}: its polygons are kept");
    assert_eq!(polygons(runtime.world()), views, "{name}: those that were kept");
    let who = runtime.world().characters()[0].id;
    let target = Command::SetTarget { who, to: Place { at: on_plane(goal), y_m: Some(goal.y) } };
    runtime.apply(target).unwrap();
    let surface = Triangles::read(level);
    let (mut walked_m, mut ticks, mut rises_m) = (0.0, 0, 0.0);
    let (mut floors, mut far, mut farthest_m) = (0, 0, 0.0_f64);
    let mut before = position(runtime.world(), who);
    let end = loop {
        runtime.step();
        ticks += 1;
        let at = position(runtime.world(), who);
        let about = || format!("{name}, tick {ticks}: {at:?}");
        let view = &views[at.floor.0 as usize];
        assert!(view.is_open && off_m(view, at.at) <= OFF_M, "{}", about());
        let height_m = runtime.world().ground().height_m(at);
        let expected_m = fan_height_m(view, at.at);
        assert!((height_m - expected_m).abs() < 1e-6, "{}: {height_m} m, not {expected_m} m", about());
        let last_m = runtime.world().ground().height_m(before);
        walked_m += before.at.distance(at.at);
        rises_m += (height_m - last_m).abs();
        assert!((height_m - last_m).abs() < 0.2, "{}: from {last_m} m to {height_m} m", about());
        if let Some(above_m) = surface.nearest_m(at.at, height_m).filter(|_| ticks % 5 == 0) {
            floors += 1;
            far += usize::from(above_m > FLOOR_M);
            farthest_m = farthest_m.max(above_m);
        }
        before = at;
        let end = runtime.pending_events().iter().find_map(|event| walk_end(event, who));
        runtime.take_events();
        if let Some(end) = end {
            break end;
        }
        assert!(ticks < 60 * 60 * 30, "{}: still walking", about());
    };
    let straight_m = on_plane(start).distance(on_plane(goal));
    println!(
        "{name}: {} polygons, {walked_m:.0} m walked between places {straight_m:.0} m apart, {rises_m:.0} m up and down; \
         {far} of {floors} floors more than {FLOOR_M} m off the level, at most {farthest_m:.2} m",
        views.len()
    );
    assert_eq!(end, WalkEnd::Arrived, "{name}");
    assert!(before.at.distance(on_plane(goal)) < 0.2, "{name}: {before:?}, not {goal}");
    assert!(walked_m >= straight_m - 0.2 && walked_m > 20.0, "{name}: {walked_m} m");
    assert!(
        floors > 20 && far * 20 <= floors && farthest_m <= STEP_M,
        "{name}: {far} of {floors}, {farthest_m} m"
    );
}

fn walk_end(event: &Event, walker: CharacterId) -> Option<WalkEnd> {
    match &event.kind {
        EventKind::WalkEnded { who, end, .. } if *who == walker => Some(end.clone()),
        _ => None,
    }
}

pub(crate) fn polygons(world: &World) -> Vec<PolygonView> {
    world.ground().as_mesh().unwrap().polygon_views()
}

fn position(world: &World, who: CharacterId) -> Position {
    world.character(who).unwrap().position
}

fn on_plane(at: DVec3) -> DVec2 {
    DVec2::new(at.x, at.z)
}

fn middle(view: &PolygonView) -> DVec3 {
    view.corners.iter().sum::<DVec3>() / view.corners.len() as f64
}

/// The area of a polygon on the plane, in square metres.
fn square_metres(view: &PolygonView) -> f64 {
    let corners = view.on_plane();
    let triangles = corners.windows(2).skip(1);
    triangles.map(|pair| (pair[0] - corners[0]).perp_dot(pair[1] - corners[0])).sum::<f64>() / 2.0
}

/// Two polygons that are far from each other, in the largest connected part: the farthest from the farthest of any.
fn ends(views: &[PolygonView]) -> (usize, usize) {
    let mut part = vec![usize::MAX; views.len()];
    let (mut largest, mut largest_m2) = (0, 0.0);
    for start in 0..views.len() {
        if part[start] == usize::MAX {
            let members: Vec<usize> = distances_m(views, start).into_keys().collect();
            members.iter().for_each(|&member| part[member] = start);
            let size_m2 = members.iter().map(|&member| square_metres(&views[member])).sum();
            (largest, largest_m2) =
                if size_m2 > largest_m2 { (start, size_m2) } else { (largest, largest_m2) };
        }
    }
    let farthest = |from: usize| {
        let all = distances_m(views, from).into_iter();
        all.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).unwrap().0
    };
    let from = farthest(largest);
    (from, farthest(from))
}

/// Dijkstra's algorithm over the middles of polygons.
fn distances_m(views: &[PolygonView], from: usize) -> BTreeMap<usize, f64> {
    let mut done: BTreeMap<usize, f64> = BTreeMap::new();
    // Millimetres, as whole numbers have an order.
    let mut open = BinaryHeap::from([(std::cmp::Reverse(0_u64), from)]);
    while let Some((std::cmp::Reverse(cost), polygon)) = open.pop() {
        if done.contains_key(&polygon) {
            continue;
        }
        done.insert(polygon, cost as f64 / 1e3);
        for behind in &views[polygon].behind {
            if let Behind::Portal(next) | Behind::OneWay(next) = *behind {
                let step_m = middle(&views[polygon]).distance(middle(&views[next as usize]));
                open.push((std::cmp::Reverse(cost + (step_m * 1e3) as u64), next as usize));
            }
        }
    }
    done
}

/// How far a point of the plane is outside a polygon.
fn off_m(view: &PolygonView, at: DVec2) -> f64 {
    let corners = view.on_plane();
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    edges.map(|(&a, &b)| -(b - a).normalize_or_zero().perp_dot(at - a)).fold(0.0, f64::max)
}

/// The height over a triangle at a point of the plane, if the point is on it up to a tolerance.
fn triangle_height_m([a, b, c]: [DVec3; 3], at: DVec2, tolerance: f64) -> Option<f64> {
    let [p, q, r] = [a, b, c].map(on_plane);
    let doubled = (q - p).perp_dot(r - p);
    let (of_b, of_c) = ((at - p).perp_dot(r - p) / doubled, (q - p).perp_dot(at - p) / doubled);
    let is_inside = of_b >= -tolerance && of_c >= -tolerance && of_b + of_c <= 1.0 + tolerance;
    (doubled != 0.0 && is_inside).then_some(a.y + (b.y - a.y) * of_b + (c.y - a.y) * of_c)
}

/// The height of a polygon: over the triangles between its first corner and its edges.
pub(crate) fn fan_height_m(view: &PolygonView, at: DVec2) -> f64 {
    let fan = view.corners.windows(2).skip(1).map(|pair| [view.corners[0], pair[0], pair[1]]);
    fan.filter_map(|triangle| triangle_height_m(triangle, at, 1e-6)).next().unwrap_or(f64::NAN)
}

/// The triangles of an OBJ file, in columns of buckets.
pub(crate) struct Triangles {
    buckets: BTreeMap<(i64, i64), Vec<[DVec3; 3]>>,
}

const BUCKET_M: f64 = 2.0;

impl Triangles {
    pub(crate) fn read(level: &Path) -> Self {
        let mut buckets: BTreeMap<(i64, i64), Vec<[DVec3; 3]>> = BTreeMap::new();
        for triangle in triangles(level) {
            let flat = triangle.map(on_plane).map(|at| (at / BUCKET_M).floor().as_i64vec2());
            let (low, high) =
                flat.iter().fold((flat[0], flat[0]), |(low, high), &at| (low.min(at), high.max(at)));
            for z in low.y..=high.y {
                for x in low.x..=high.x {
                    buckets.entry((x, z)).or_default().push(triangle);
                }
            }
        }
        Self { buckets }
    }

    /// How far the nearest surface is above or below a place.
    pub(crate) fn nearest_m(&self, at: DVec2, height_m: f64) -> Option<f64> {
        let bucket = (at / BUCKET_M).floor().as_i64vec2();
        let near = self.buckets.get(&(bucket.x, bucket.y))?.iter();
        let heights = near.filter_map(|&triangle| triangle_height_m(triangle, at, 1e-9));
        heights.map(|surface_m| (surface_m - height_m).abs()).min_by(f64::total_cmp)
    }
}

/// The triangles of an OBJ file: its lines `v` and `f`. Files of another form have none.
pub(crate) fn triangles(level: &Path) -> Vec<[DVec3; 3]> {
    let text = String::from_utf8_lossy(&std::fs::read(level).unwrap()).into_owned();
    let (mut vertices, mut triangles): (Vec<DVec3>, Vec<[DVec3; 3]>) = (Vec::new(), Vec::new());
    for line in text.lines().filter(|_| level.extension().is_some_and(|end| end == "obj")) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> = words.take(3).map(|word| word.parse().unwrap()).collect();
                vertices.push(DVec3::new(numbers[0], numbers[1], numbers[2]));
            }
            Some("f") => {
                let number = |word: &str| word.split('/').next().and_then(|number| number.parse().ok());
                let corners: Vec<usize> = words.filter_map(number).collect();
                let fan = corners.windows(2).skip(1);
                triangles.extend(fan.map(|pair| [corners[0], pair[0], pair[1]].map(|at| vertices[at - 1])));
            }
            _ => {}
        }
    }
    triangles
}
