//! Levels flooded into sectors: levels of our own, and those of others in the folder that `CICERONE_LEVELS` names, the
//! sample levels of Recast in `.ci/run`. What Detour finds on them is in `CICERONE_DATA` (`../shared/data` by default).
//! What is absent is skipped and says so.

use crate::levels::{Triangles, fan_height_m, polygons, triangles};
use cicerone::glam::{DVec2, DVec3, dvec3};
use cicerone::nav::{Outcome, Place, Query};
use cicerone::plan::find_path;
use cicerone::room::{SectorBox, Sectors};
use cicerone::runtime::{Options, Runtime};
use cicerone::surface::SearchMemory;
use cicerone::world::Command;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// A level, and how it is flooded.
#[derive(Clone)]
struct Level {
    file: PathBuf,
    start: [f64; 3],
    box_size_m: f64,
    radius_m: f64,
    height_m: f64,
    climb_m: f64,
}

fn own(name: &str, start: [f64; 3]) -> Level {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms").join(name);
    Level { file, start, box_size_m: 0.5, radius_m: 0.3, height_m: 1.8, climb_m: 0.25 }
}

/// The levels of Recast, with the measures of Detour's meshes in the data.
fn of_others() -> Vec<Level> {
    let Some(folder) = std::env::var_os("CICERONE_LEVELS").map(PathBuf::from) else {
        eprintln!("skipped: CICERONE_LEVELS names no folder with levels of others");
        return Vec::new();
    };
    let levels = [("dungeon.obj", [7.72, 10.2, 2.24]), ("nav_test.obj", [2.94, -2.27, -1.47])];
    let level = |(name, start)| Level {
        file: folder.join(name),
        start,
        box_size_m: 0.5,
        radius_m: 0.6,
        height_m: 2.0,
        climb_m: 0.9,
    };
    levels.into_iter().map(level).filter(|level| level.file.exists()).collect()
}

impl Level {
    fn name(&self) -> &str {
        self.file.file_name().unwrap().to_str().unwrap()
    }

    /// A runtime with the level as its ground.
    fn open(&self, ground: &str, more: &Value) -> Runtime {
        let project = tempfile::tempdir().unwrap();
        let rooms = project.path().join("rooms");
        std::fs::create_dir_all(&rooms).unwrap();
        std::fs::copy(&self.file, rooms.join(self.name())).unwrap();
        let mut room = json!({
            "ground": ground,
            "geometry": format!("rooms/{}", self.name()),
            "agentRadius": self.radius_m,
            "agentHeight": self.height_m,
            "agentClimb": self.climb_m,
        });
        if ground == "sectors" {
            room["starts"] = json!([self.start]);
            room["boxSize"] = json!(self.box_size_m);
        }
        room.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let file = rooms.join("level.json");
        std::fs::write(&file, room.to_string()).unwrap();
        Runtime::open(&file, Options::default()).unwrap_or_else(|error| panic!("{}: {error}", self.name()))
    }

    fn sectors(&self) -> Sectors {
        let runtime = self.open("sectors", &json!({}));
        let world = runtime.world();
        world.room().mesh.as_ref().unwrap().sectors.as_deref().unwrap().clone()
    }
}

/// A stretch of heights that is solid, as seen along rays: bottom, top, and whether the top is a floor.
type Run = (f64, f64, bool);

/// How many rays a box has along each side.
const RAYS: usize = 12;

/// A flood that knows of triangles only where vertical rays meet them, and of steep ones only by points on them. Returns
/// the tops of boxes, by column.
fn flood_along_rays(level: &Level) -> BTreeMap<[i64; 2], BTreeSet<i64>> {
    let size_m = level.box_size_m;
    let origin = [level.start[0] - size_m / 2.0, level.start[2] - size_m / 2.0];
    let mut parts: BTreeMap<[i64; 2], Vec<Run>> = BTreeMap::new();
    let column_of =
        |at: DVec3| [0, 1].map(|axis| (([at.x, at.z][axis] - origin[axis]) / size_m).floor() as i64);
    let mut add = |column: [i64; 2], heights: &mut dyn Iterator<Item = f64>, is_floor: bool| {
        let (bottom, top) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        if bottom <= top {
            parts.entry(column).or_default().push((bottom, top, is_floor));
        }
    };
    for [a, b, c] in triangles(&level.file) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let (low, high) = (column_of(a.min(b).min(c)), column_of(a.max(b).max(c)));
        if normal.y.abs() < 0.1 {
            // Rays miss what is steep: points on it instead.
            let mut points: BTreeMap<[i64; 2], Vec<f64>> = BTreeMap::new();
            let longest_m = (b - a).length().max((c - a).length()).max((c - b).length());
            let count = (longest_m / size_m * RAYS as f64).ceil() as u32 + 1;
            for (i, k) in (0..count).flat_map(|i| (0..count - i).map(move |k| (i, k))) {
                let shares = [i, k].map(|part| (f64::from(part) + 0.3) / f64::from(count));
                let at = a + (b - a) * shares[0] + (c - a) * shares[1];
                points.entry(column_of(at)).or_default().push(at.y);
            }
            points.into_iter().for_each(|(column, heights)| add(column, &mut heights.into_iter(), false));
            continue;
        }
        for column in (low[0]..=high[0]).flat_map(|x| (low[1]..=high[1]).map(move |z| [x, z])) {
            let ray = |ray: usize| {
                let inside = [ray % RAYS, ray / RAYS].map(|part| (part as f64 + 0.5) / RAYS as f64);
                let at = [0, 1].map(|axis| origin[axis] + (column[axis] as f64 + inside[axis]) * size_m);
                let side = |from: DVec3, to: DVec3| {
                    (to.x - from.x) * (at[1] - from.z) - (to.z - from.z) * (at[0] - from.x)
                };
                let sides = [side(a, b), side(b, c), side(c, a)];
                let meets = sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0);
                let along = (at[0] - a.x) * normal.x + (at[1] - a.z) * normal.z;
                meets.then_some(a.y - along / normal.y)
            };
            add(column, &mut (0..RAYS * RAYS).filter_map(ray), normal.y > 0.71);
        }
    }
    let runs: BTreeMap<[i64; 2], Vec<Run>> =
        parts.into_iter().map(|(at, parts)| (at, joined(parts))).collect();
    let none = Vec::new();
    let of = |column: [i64; 2]| runs.get(&column).unwrap_or(&none);
    let below = |column: [i64; 2], height_m: f64| of(column).iter().rposition(|run| run.1 < height_m);
    let ceiling_m = |column: [i64; 2], run: usize| of(column).get(run + 1).map_or(f64::INFINITY, |run| run.0);
    let first = column_of(DVec3::from(level.start));
    let start = below(first, level.start[1] + level.climb_m).expect("a floor at the start");
    let (mut seen, mut queue) = (BTreeSet::from([(first, start)]), VecDeque::from([(first, start)]));
    while let Some((column, run)) = queue.pop_front() {
        let from_m = of(column)[run].1;
        for [x, z] in [[1, 0], [0, 1], [-1, 0], [0, -1]] {
            let next = [column[0] + x, column[1] + z];
            let lifted_m = from_m + level.climb_m;
            let Some(there) = below(next, lifted_m - 1e-4) else { continue };
            let (_, top_m, is_floor) = of(next)[there];
            let headroom_m = ceiling_m(column, run).min(ceiling_m(next, there)) - from_m.max(top_m);
            let holds = is_floor && lifted_m - top_m <= 6.5 && headroom_m > level.height_m;
            if holds && seen.insert((next, there)) {
                queue.push_back((next, there));
            }
        }
    }
    let mut flooded: BTreeMap<[i64; 2], BTreeSet<i64>> = BTreeMap::new();
    for (column, run) in seen {
        flooded.entry(column).or_default().insert((of(column)[run].1 * 100.0).round() as i64);
    }
    flooded
}

/// Parts that touch are one run.
fn joined(mut parts: Vec<Run>) -> Vec<Run> {
    parts.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut runs: Vec<Run> = Vec::new();
    for part in parts {
        match runs.last_mut().filter(|run| part.0 <= run.1 + 1e-4) {
            Some(run) if part.1 > run.1 + 1e-4 => (run.1, run.2) = (part.1, part.2),
            Some(run) => run.2 |= part.2 && part.1 > run.1 - 1e-4,
            None => runs.push(part),
        }
    }
    runs
}

/// The columns of a sector.
fn columns<'a>(level: &'a Level, sector: &'a SectorBox) -> impl Iterator<Item = [i64; 2]> + 'a {
    let place = |at: DVec3| {
        [0, 1].map(|axis| {
            let from = level.start[axis * 2] - level.box_size_m / 2.0;
            (([at.x, at.z][axis] - from) / level.box_size_m).round() as i64
        })
    };
    let (from, to) = (place(sector.min), place(sector.max));
    (from[0]..to[0]).flat_map(move |x| (from[1]..to[1]).map(move |z| [x, z]))
}

#[test]
fn sectors_of_levels_are_disjoint_and_cover_what_rays_flood() {
    let own = [own("courtyard.obj", [0.1, 0.0, 4.07]), own("lighthouse.obj", [12.06, 0.0, 3.11])];
    for level in own.into_iter().chain(of_others()) {
        let name = level.name();
        let Sectors { sectors, portals, .. } = level.sectors();
        let mut in_column: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
        for (number, sector) in sectors.iter().enumerate() {
            assert_eq!(columns(&level, sector).count(), sector.boxes, "{name}: {sector:?}");
            for column in columns(&level, sector) {
                in_column.entry(column).or_default().push(number);
            }
        }
        for (column, numbers) in &in_column {
            let mut heights: Vec<[f64; 2]> =
                numbers.iter().map(|&number| [sectors[number].min.y, sectors[number].max.y]).collect();
            heights.sort_by(|a, b| a[0].total_cmp(&b[0]));
            assert!(
                heights.windows(2).all(|pair| pair[0][1] < pair[1][0]),
                "{name}, {column:?}: {heights:?}"
            );
        }
        for portal in &portals {
            for (sector, is_from) in [(portal.from, true), (portal.to, false)] {
                let SectorBox { min, max, .. } = sectors[sector as usize];
                let near = DVec3::splat(1e-6).with_y(if is_from { 0.5 } else { f64::INFINITY });
                let touches = |end: &DVec3| end.cmpge(min - near).all() && end.cmple(max + near).all();
                assert!(portal.ends.iter().all(touches), "{name}: {portal:?}, {sector}");
            }
        }
        let rays = flood_along_rays(&level);
        let count = |columns: &BTreeMap<[i64; 2], BTreeSet<i64>>| columns.values().map(BTreeSet::len).sum();
        let (flooded, along_rays): (usize, usize) = (in_column.values().map(Vec::len).sum(), count(&rays));
        // Boxes of one of the two only.
        let number = |column: &[i64; 2]| rays.get(column).map_or(0, BTreeSet::len);
        let mut differ: usize =
            in_column.iter().map(|(column, numbers)| numbers.len().abs_diff(number(column))).sum();
        differ += rays
            .iter()
            .filter(|(column, _)| !in_column.contains_key(*column))
            .map(|(_, tops)| tops.len())
            .sum::<usize>();
        println!(
            "{name}: {} sectors, {} portals, {flooded} boxes, {along_rays} along rays, {differ} of one only",
            sectors.len(),
            portals.len()
        );
        assert!(sectors.len() > 10 && differ * 50 <= flooded, "{name}: {differ} of {flooded}");
    }
}

/// A level of our own, written to a folder: a height for each corner of squares of half a metre, and boxes.
fn written(folder: &Path, height_m: impl Fn(f64, f64) -> f64, boxes: &[[DVec3; 2]]) -> Level {
    let mut obj = String::new();
    let mut vertices = 0;
    let mut face = |corners: &[DVec3]| {
        corners.iter().for_each(|at| obj += &format!("v {} {} {}\n", at.x, at.y, at.z));
        let numbers: Vec<String> = (1..=corners.len()).map(|i| (vertices + i).to_string()).collect();
        obj += &format!("f {}\n", numbers.join(" "));
        vertices += corners.len();
    };
    for (x, z) in (0..24).flat_map(|x| (0..24).map(move |z| (f64::from(x) / 2.0, f64::from(z) / 2.0))) {
        let corner = |x: f64, z: f64| dvec3(x, height_m(x, z), z);
        let [a, b, c, d] = [corner(x, z), corner(x, z + 0.5), corner(x + 0.5, z + 0.5), corner(x + 0.5, z)];
        face(&[a, b, c]);
        face(&[a, c, d]);
    }
    for [min, max] in boxes {
        let at = |corner: usize| {
            let part = |axis: usize| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] };
            dvec3(part(0), part(1), part(2))
        };
        for corners in [[2, 6, 7, 3], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5]] {
            face(&corners.map(at));
        }
    }
    let file = folder.join("own.obj");
    std::fs::write(&file, obj).unwrap();
    let start = [1.0, height_m(1.0, 1.0), 1.0];
    Level { file, start, box_size_m: 0.25, radius_m: 0.3, height_m: 1.8, climb_m: 0.25 }
}

/// From a slab, a path drops over the edge, turns there, and goes on below the slab.
#[test]
fn walkers_fall_at_the_edge_of_a_drop_and_go_on_below_it() {
    let folder = tempfile::tempdir().unwrap();
    let slab = [dvec3(4.0, 2.8, 4.0), dvec3(8.0, 3.0, 8.0)];
    let level = written(folder.path(), |_, _| 0.0, &[slab]);
    // Areas cut the polygons, here on both sides of the edge, and above or below only.
    let area = |name: &str, y: Value| {
        let z = if name == "both" { 4.5 } else { 6.5 };
        let polygon = json!([[3, z], [6, z], [6, z + 1.0], [3, z + 1.0]]);
        json!({ "name": name, "polygon": polygon, "y": y })
    };
    let areas = json!([area("both", json!([-1, 4])), area("above", json!([2, 4]))]);
    for more in [json!({}), json!({ "planner": "portals" }), json!({ "areas": areas })] {
        let mut room = json!({
            "starts": [level.start, [6, 3, 6]],
            "characters": [{ "name": "ann", "at": [6, 3, 6] }],
        });
        room.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut runtime = level.open("sectors", &room);
        let who = runtime.world().characters()[0].id;
        for number in 0..40 {
            let on = |index: i32| 4.4 + 3.2 * f64::from(index % 7) / 6.0;
            let (from, to) = ([on(number), on(number / 7)], [on(number * 3 + 1), on(number * 5 + 2)]);
            runtime.apply(Command::Teleport { who, to: Place { at: from.into(), y_m: Some(3.0) } }).unwrap();
            runtime.apply(Command::SetTarget { who, to: Place { at: to.into(), y_m: Some(0.0) } }).unwrap();
            let is_walking = |runtime: &Runtime| runtime.world().character(who).unwrap().walk.is_some();
            let mut ticks = 0;
            while ticks == 0 || is_walking(&runtime) && ticks < 3_000 {
                runtime.step();
                ticks += 1;
            }
            let position = runtime.world().character(who).unwrap().position;
            let height_m = runtime.world().ground().height_m(position);
            let away_m = position.at.distance(to.into());
            assert!(away_m < 0.2 && height_m.abs() < 0.1, "{from:?} to {to:?}: {position:?} at {height_m} m");
        }
    }
}

#[test]
fn ground_of_hills_has_their_heights() {
    let folder = tempfile::tempdir().unwrap();
    let height_m = |x: f64, z: f64| (x - 6.0) * (z - 6.0) / 20.0 + 0.02 * (x - 3.0) * (x - 3.0);
    let level = written(folder.path(), height_m, &[]);
    let runtime = level.open("sectors", &json!({}));
    let surface = Triangles::read(&level.file);
    let mut checked = 0;
    for view in polygons(runtime.world()) {
        let (low, high) = view
            .on_plane()
            .into_iter()
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        for part in 0..25 {
            let share = DVec2::new(f64::from(part % 5) + 0.5, f64::from(part / 5) + 0.5) / 5.0;
            let at = low + (high - low) * share;
            let Some(off_m) = surface.nearest_m(at, fan_height_m(&view, at)) else { continue };
            assert!(off_m < 0.25, "{at}: {off_m} m off");
            checked += 1;
        }
    }
    assert!(checked > 200, "{checked}");
}

/// The median, and the least and largest.
fn of_sorted(mut ratios: Vec<f64>) -> [f64; 3] {
    ratios.sort_by(f64::total_cmp);
    [ratios[ratios.len() / 2], ratios[0], *ratios.last().unwrap()]
}

/// The length of a path, if it is complete and both ends are on the ground.
fn length_m(runtime: &Runtime, from: DVec3, to: DVec3) -> Option<f64> {
    let place = |at: DVec3| Place { at: [at.x, at.z].into(), y_m: Some(at.y) };
    let query = Query::new(place(from), place(to)).with_snap_m(0.0);
    let path = find_path(runtime.world().ground(), query, &mut SearchMemory::default());
    (path.outcome == Outcome::Complete && path.snapped_to.is_none()).then_some(path.length_m)
}

#[test]
fn paths_over_sectors_are_about_as_long_as_over_a_mesh_of_the_level() {
    let level = Level { box_size_m: 0.25, ..own("courtyard.obj", [0.0, 0.0, 4.0]) };
    let sectors = level.open("sectors", &json!({}));
    let portals = level.open("sectors", &json!({ "planner": "portals" }));
    let mesh = level.open("mesh", &json!({}));
    // On the lower floor, where all three have all ways.
    let places: Vec<DVec3> =
        (0..60).map(|i| dvec3(f64::from(i * 7 % 18) - 9.0, 0.0, f64::from(i * 5 % 13) - 6.0)).collect();
    let mut ratios = [Vec::new(), Vec::new()];
    for (&from, &to) in places.iter().flat_map(|from| places.iter().map(move |to| (from, to))) {
        let Some(mesh_m) = length_m(&mesh, from, to).filter(|&length_m| length_m > 3.0) else { continue };
        let Some(shortest_m) = length_m(&sectors, from, to) else { continue };
        let portals_m = length_m(&portals, from, to).expect("a path from portal to portal");
        assert!(portals_m >= shortest_m - 1e-9, "{from} to {to}: {portals_m} m, {shortest_m} m");
        ratios[0].push(shortest_m / mesh_m);
        ratios[1].push(portals_m / mesh_m);
    }
    let compared = ratios[0].len();
    for ratios in ratios {
        let [median, least, most] = of_sorted(ratios);
        println!(
            "courtyard: {compared} paths, {median:.3} times as long as over a mesh, {least:.3} to {most:.3}"
        );
        assert!(compared > 300 && (0.97..=1.15).contains(&median) && most < 1.5, "{median} {most}");
    }
}

#[test]
fn paths_over_sectors_are_about_as_long_as_those_of_detour() {
    let data = std::env::var_os("CICERONE_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    for level in of_others() {
        let file = data.join("navmesh").join(level.name()).with_extension("json");
        let Ok(text) = std::fs::read_to_string(&file) else {
            eprintln!("skipped: there is no {} (CICERONE_DATA names another folder)", file.display());
            continue;
        };
        let detour: Value = serde_json::from_str(&text).unwrap();
        for box_size_m in [0.5, 0.25] {
            let level = Level { box_size_m, ..level.clone() };
            let sectors = level.open("sectors", &json!({}));
            let portals = level.open("sectors", &json!({ "planner": "portals" }));
            let (mut ratios, mut by_portals) = (Vec::new(), Vec::new());
            for path in detour["paths"].as_array().unwrap().iter().filter(|path| path["partial"] == 0) {
                let end =
                    |key: &str| DVec3::from(serde_json::from_value::<[f64; 3]>(path[key].clone()).unwrap());
                let (from, to) = (end("s"), end("e"));
                let detour_m = path["len2d"].as_f64().unwrap();
                let Some(shortest_m) = length_m(&sectors, from, to) else { continue };
                let portals_m = length_m(&portals, from, to).expect("a path from portal to portal");
                assert!(portals_m >= shortest_m - 1e-9, "{from} to {to}: {portals_m} m, {shortest_m} m");
                ratios.push(shortest_m / detour_m);
                by_portals.push(portals_m / detour_m);
            }
            let compared = ratios.len();
            for (planner, ratios) in [("any angle", ratios), ("portals", by_portals)] {
                let [median, least, most] = of_sorted(ratios);
                println!(
                    "{}, boxes of {box_size_m} m, {planner}: {compared} paths, {median:.3} times as long as Detour's, \
                     {least:.3} to {most:.3}",
                    level.name()
                );
                // Sectors lead down drops of up to 6.5 m, which are walls for Detour.
                assert!(
                    compared > 50 && (0.99..=1.15).contains(&median) && least > 0.9,
                    "{median} {least} {most}"
                );
                assert!(most < 1.25, "{most}");
            }
        }
    }
}
