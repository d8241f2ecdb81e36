//! Palaces as meshes of growing size: queries, moves, doors, and building them, beside the same palaces as grids.

use crate::crowd::{self, MESH, MESH_PILLARS, PILLARS};
use crate::memory;
use crate::mesh_polygons::open_polygons;
use crate::overlay::place;
use crate::palace;
use crate::plot::{Curve, Plot};
use crate::runner::{Entry, Options, Report, Table, median, quantile, timed, worst};
use cicerone::internals::mesh::{MoveMemory, Polygons, RawPolygon};
use cicerone::nav::{Outcome, Query};
use cicerone::plan::find_path;
use cicerone::room::{GroundKind, Room};
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{next_random, stream};
use glam::{DVec2, dvec2};
use std::path::Path;

/// Cells along an edge of the palace as a grid.
const EDGES: [usize; 5] = [256, 512, 1024, 1792, 4096];

/// The palace with ten thousand polygons and more.
const LARGE: usize = 1792;

/// Lengths of moves, in metres.
const MOVES_M: [f64; 3] = [0.025, 0.25, 1.0];

const NUMBERS: [usize; 5] = [100, 300, 1_000, 3_000, 10_000];

pub fn run(options: &Options, report: &mut Report) {
    let edges = &EDGES[..if options.quick { 3 } else { 5 }];
    let mut grown = Vec::new();
    let headings = &[
        "grid_cells",
        "polygons",
        "queries",
        "mesh_us",
        "grid_us",
        "grid/mesh",
        "length_%",
        "unreachable_ns",
        "toggle_us",
        "rebuild_us",
        "rebuild/toggle",
        "mesh_kB",
    ];
    let mut table = Table::new("palaces as meshes and as grids (means of medians)", headings);
    for &edge in edges {
        let it = grow(options, edge);
        table.row(vec![
            edge.into(),
            it.polygons.into(),
            it.queries.into(),
            Entry::Real(it.mesh_us, 1),
            Entry::Real(it.grid_us, 1),
            Entry::Real(it.grid_us / it.mesh_us, 2),
            Entry::Real(100.0 * it.length, 2),
            Entry::Real(it.unreachable_ns, 0),
            Entry::Real(it.toggle_us, 2),
            Entry::Real(it.rebuild_us, 0),
            Entry::Real(it.rebuild_us / it.toggle_us, 0),
            Entry::Real(it.kilobytes, 0),
        ]);
        grown.push(it);
    }
    report.table(&table);
    report.note("find_path between random places, place by place: search, string pulling on the grid, and all; length: of the mesh's path as a share of the grid's");
    report.table(&moves(options));
    report.table(&doors(options));
    let points = crowds(options, report);
    if let Some(folder) = &options.plots {
        draw(folder, &grown, points);
        report.note(&format!("pictures: {}", folder.display()));
    }
}

fn as_mesh(mut room: Room) -> Room {
    room.ground.kind = GroundKind::Mesh;
    room
}

/// What was measured on one palace.
struct Grown {
    polygons: usize,
    queries: usize,
    mesh_us: f64,
    grid_us: f64,
    /// Sum of the mesh's lengths as a share of the grid's.
    length: f64,
    unreachable_ns: f64,
    toggle_us: f64,
    rebuild_us: f64,
    kilobytes: f64,
}

fn grow(options: &Options, edge: usize) -> Grown {
    let room = palace::sized(edge, 0.0);
    let grid = Surface::new(&room).unwrap();
    let room = as_mesh(room);
    let (taken, mut mesh) = memory::watch(|| Surface::new(&room).unwrap());
    let rebuild_us: Vec<f64> = (0..options.pick(1, 3))
        .map(|_| timed(|| Surface::new(&room).unwrap()).0.as_secs_f64() * 1e6)
        .collect();
    let mut random = stream(7, "queries");
    let ends: Vec<(DVec2, DVec2)> =
        (0..options.pick(40, 200)).map(|_| (place(&grid, &mut random), place(&grid, &mut random))).collect();
    let ends: Vec<_> =
        ends.into_iter().filter(|&(a, b)| mesh.is_walkable(a) && mesh.is_walkable(b)).collect();
    let mut memory = SearchMemory::default();
    let (mut us, mut lengths) = ([0.0; 2], [0.0; 2]);
    for &(from, to) in &ends {
        for (side, ground) in [&mesh, &grid].into_iter().enumerate() {
            let mut times = Vec::new();
            for round in 0..4 {
                let query = Query::new(from, to).with_snap_m(0.0);
                let (time, path) = timed(|| find_path(ground, query, &mut memory));
                assert_eq!(path.outcome, Outcome::Complete, "{from} to {to}");
                if round == 0 {
                    lengths[side] += path.length_m; // and that one warms up
                } else {
                    times.push(time.as_secs_f64() * 1e6);
                }
            }
            us[side] += median(&times);
        }
    }
    let toggles = toggle_times_us(options, &mut mesh);
    let each = 1.0 / ends.len() as f64;
    Grown {
        polygons: mesh.as_mesh().unwrap().polygon_views().len(),
        queries: ends.len(),
        mesh_us: us[0] * each,
        grid_us: us[1] * each,
        length: lengths[0] / lengths[1],
        unreachable_ns: unreachable_ns(&mut mesh, &grid),
        toggle_us: median(&toggles),
        rebuild_us: median(&rebuild_us),
        kilobytes: taken.held_bytes as f64 / 1e3,
    }
}

/// Every door, closed and opened, until there are enough times.
fn toggle_times_us(options: &Options, mesh: &mut Surface) -> Vec<f64> {
    let doors = palace::doors(mesh);
    let mut times_us = Vec::new();
    for &door in doors.iter().cycle().take(options.pick(100, 1_000).max(doors.len())) {
        for available in [false, true] {
            let (time, change) = timed(|| mesh.set_area_available(door, available));
            assert!(change.is_some(), "a door is ground");
            times_us.push(time.as_secs_f64() * 1e6);
        }
    }
    times_us
}

/// How long it takes to know that somewhere cannot be reached, when every second door is closed.
fn unreachable_ns(mesh: &mut Surface, grid: &Surface) -> f64 {
    for door in palace::doors(mesh).into_iter().step_by(2) {
        mesh.set_area_available(door, false);
    }
    let mut random = stream(7, "apart");
    let pairs: Vec<_> = (0..4096).map(|_| (place(grid, &mut random), place(grid, &mut random))).collect();
    let located = pairs.into_iter().map(|(from, to)| (mesh.locate(from), mesh.locate(to)));
    let apart: Vec<_> = located.filter(|&(from, to)| !mesh.may_reach(from, to)).collect();
    assert!(!apart.is_empty(), "some are apart");
    let asked = || apart.iter().cycle().take(4096);
    let (time, none) = timed(|| asked().all(|&(from, to)| !mesh.may_reach(from, to)));
    assert!(none);
    time.as_secs_f64() * 1e9 / 4096.0
}

/// `move_along` from random places of the large palace.
fn moves(options: &Options) -> Table {
    let headings = &["length_m", "moves", "ns/move", "polygons/move", "within_neighbours_%", "slides_%"];
    let mut table = Table::new("moves over a palace as a mesh", headings);
    let (vertices, polygons) = open_polygons(&Surface::new(&as_mesh(palace::sized(LARGE, 0.0))).unwrap());
    let raw = |corners: &Vec<u32>| RawPolygon { corners: corners.clone(), neighbours: Vec::new() };
    let mesh = Polygons::new(&vertices, &polygons.iter().map(raw).collect::<Vec<_>>()).unwrap();
    let mut random = stream(7, "moves");
    let mut memory = MoveMemory::default();
    for length_m in MOVES_M {
        let tasks: Vec<(u32, DVec2, DVec2)> = (0..20_000)
            .map(|_| {
                let polygon = (next_random(&mut random) * mesh.len() as f64) as u32;
                let weights: Vec<(DVec2, f64)> =
                    mesh.corners(polygon).map(|at| (at, next_random(&mut random) + 1e-3)).collect();
                let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
                let from: DVec2 = weights.iter().map(|(at, weight)| *at * (weight / sum)).sum();
                let (sin, cos) = libm::sincos(next_random(&mut random) * std::f64::consts::TAU);
                (polygon, from, from + dvec2(cos, sin) * length_m)
            })
            .collect();
        let (mut visited, mut near, mut slides) = (0, 0, 0);
        for &(polygon, from, to) in &tasks {
            let moved = mesh.move_along(polygon, from, to, |_| true, &mut memory).unwrap();
            visited += moved.visited.len();
            near += usize::from(moved.visited.len() <= 2);
            slides += usize::from(moved.at != to);
        }
        let mut ns = Vec::new();
        for _ in 0..options.pick(3, 15) {
            let all = || {
                let ends = tasks.iter().map(|&(polygon, from, to)| {
                    mesh.move_along(polygon, from, to, |_| true, &mut memory).map_or(0.0, |moved| moved.at.x)
                });
                ends.sum::<f64>()
            };
            ns.push(timed(all).0.as_secs_f64() * 1e9 / tasks.len() as f64);
        }
        let share = |count: usize| Entry::Real(100.0 * count as f64 / tasks.len() as f64, 1);
        table.row(vec![
            Entry::Real(length_m, 3),
            tasks.len().into(),
            Entry::Real(median(&ns), 0),
            Entry::Real(visited as f64 / tasks.len() as f64, 2),
            share(near),
            share(slides),
        ]);
    }
    table
}

/// The doors of the large palace, one by one.
fn doors(options: &Options) -> Table {
    let headings = &["polygons", "doors", "toggles", "median_us", "p99_us", "worst_us", "rebuild/median"];
    let mut table = Table::new("doors of a mesh, closed and opened", headings);
    let room = as_mesh(palace::sized(LARGE, 0.0));
    let (rebuild, mut mesh) = timed(|| Surface::new(&room).unwrap());
    let polygons = mesh.as_mesh().unwrap().polygon_views().len();
    let doors = palace::doors(&mesh).len();
    let times = toggle_times_us(options, &mut mesh);
    assert!(mesh == Surface::new(&room).unwrap(), "toggling back leaves no trace");
    table.row(vec![
        polygons.into(),
        doors.into(),
        times.len().into(),
        Entry::Real(median(&times), 2),
        Entry::Real(quantile(&times, 0.99), 2),
        Entry::Real(worst(&times), 2),
        Entry::Real(rebuild.as_secs_f64() * 1e6 / median(&times), 0),
    ]);
    table
}

/// Ticks of crowds on meshes, and on the grid with pillars.
fn crowds(options: &Options, report: &Report) -> [Vec<(f64, f64)>; 3] {
    let mut table =
        Table::new("one tick on a mesh", &["room", "characters", "median_ms/tick", "ns/character"]);
    let points = [MESH_PILLARS, MESH, PILLARS].map(|variant| {
        let mut points = Vec::new();
        for number in NUMBERS {
            let tick_ms = crowd::median_tick_ms(variant, number, options.pick(20, 120));
            points.push((number as f64, tick_ms));
            let ns = Entry::Real(tick_ms * 1e6 / number as f64, 0);
            table.row(vec![variant.name.into(), number.into(), Entry::Real(tick_ms, 3), ns]);
        }
        points
    });
    report.table(&table);
    points
}

fn draw(folder: &Path, grown: &[Grown], [pillars, open, grid]: [Vec<(f64, f64)>; 3]) {
    let by_size = |of: fn(&Grown) -> f64| grown.iter().map(|it| (it.polygons as f64, of(it))).collect();
    let sizes: Vec<f64> = grown.iter().map(|it| it.polygons as f64).collect();
    let numbers = NUMBERS.map(|number| number as f64);
    let save = |name: &str, plot: Plot| plot.save(&folder.join(name)).expect("a picture");
    let queries = [
        Curve { name: "the same room as a grid", points: by_size(|it| it.grid_us) },
        Curve { name: "mesh", points: by_size(|it| it.mesh_us) },
    ];
    let x = "polygons of the mesh";
    let title = "A path at any angle between random places";
    save("mesh-query.svg", Plot { title, x, y: "µs", marks: &sizes, curves: &queries });
    let toggles = [
        Curve { name: "building the mesh anew", points: by_size(|it| it.rebuild_us) },
        Curve { name: "toggling", points: by_size(|it| it.toggle_us) },
    ];
    let title = "A door of a mesh opens or closes";
    save("mesh-toggle.svg", Plot { title, x, y: "µs", marks: &sizes, curves: &toggles });
    let crowds = [
        Curve { name: "mesh, with pillars", points: pillars },
        Curve { name: "mesh, open", points: open },
        Curve { name: "grid, with pillars", points: grid },
    ];
    let title = "One tick of a crowd on a mesh, everybody walking";
    save("mesh-crowd.svg", Plot { title, x: "characters", y: "ms", marks: &numbers, curves: &crowds });
}
