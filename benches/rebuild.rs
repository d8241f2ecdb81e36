//! A ground of 1024 × 1024 cells from its polygons: from nothing, and from the ground of a room in which one thing
//! moved; and a saved room file of that size under a running room.

use crate::palace;
use crate::runner::{Entry, Options, Report, Table, median, timed, worst};
use cicerone::room::Room;
use cicerone::runtime::{Options as RuntimeOptions, Reload, Runtime};
use cicerone::surface::Surface;
use glam::dvec2;
use std::collections::BTreeSet;

pub fn run(options: &Options, report: &mut Report) {
    let headings = &["what", "boundaryPadding_m", "areas", "obstacles", "median_ms", "worst_ms", "ns/cell"];
    let mut table = Table::new("1024 × 1024 cells", headings);
    for padding_m in [0.0, 0.3] {
        let room = palace::room(padding_m);
        let ground = Surface::new(&room).unwrap();
        assert_eq!(ground.as_grid().unwrap().frame().len(), 1 << 20);
        let rounds = options.pick(3, 15);
        let mut add = |what: &str, times_ms: &[f64]| {
            table.row(vec![
                what.into(),
                Entry::Real(padding_m, 1),
                room.areas.len().into(),
                room.obstacles.len().into(),
                Entry::Real(median(times_ms), 3),
                Entry::Real(worst(times_ms), 3),
                Entry::Real(median(times_ms) * 1e6 / ground.as_grid().unwrap().frame().len() as f64, 2),
            ]);
        };
        add("full build", &repeat(rounds, || drop(Surface::new(&room).unwrap())));

        let moved = with_a_pillar_moved(&room);
        let available = vec![true; room.areas.len()];
        let (again, dirty) = ground.rebuilt(&moved, &available).unwrap();
        assert!(dirty.is_some());
        assert_eq!(
            again.as_grid().unwrap().words(),
            Surface::new(&moved).unwrap().as_grid().unwrap().words()
        );
        add("one pillar moved", &repeat(rounds, || drop(ground.rebuilt(&moved, &available).unwrap())));
    }
    report.table(&table);
    report.table(&saved_rooms(options));
}

/// A room of columns in a hall, all but one where they stand in any round.
fn columns(round: usize, kind: &str) -> String {
    let mut obstacles = Vec::new();
    for number in 0..900 {
        let (x, z) = (8.0 + 16.5 * f64::from(number % 30), 8.0 + 16.5 * f64::from(number / 30));
        let x = if number == 450 { x + (round % 5) as f64 } else { x };
        obstacles.push(format!(
            r#"{{"polygon": [[{x}, {z}], [{0}, {z}], [{0}, {1}], [{x}, {1}]]}}"#,
            x + 4.0,
            z + 4.0
        ));
    }
    format!(
        r#"{{"areas": [{{"name": "hall", "polygon": [[0, 0], [512, 0], [512, 512], [0, 512]]}}],
            "cellSize": 0.5, {kind} "obstacles": [{}]}}"#,
        obstacles.join(", ")
    )
}

fn saved_rooms(options: &Options) -> Table {
    let mut table = Table::new(
        "Runtime::reload after a save in which one of 900 obstacles moved",
        &["ground", "median_ms", "worst_ms"],
    );
    for (ground, kind) in [("1024 × 1024 cells", ""), ("polygons", r#""ground": "mesh","#)] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().canonicalize().unwrap().join("hall.json");
        std::fs::write(&file, columns(0, kind)).unwrap();
        let mut runtime = Runtime::open(&file, RuntimeOptions::default()).unwrap();
        let mut round = 0;
        let mut reload = || {
            round += 1;
            std::fs::write(&file, columns(round, kind)).unwrap();
            let changed = BTreeSet::from([file.clone()]);
            let (took, reload) = timed(|| runtime.reload(&changed));
            assert!(matches!(reload, Reload::Done { .. }), "{reload:?}");
            runtime.step();
            took.as_secs_f64() * 1e3
        };
        let times_ms: Vec<f64> = (0..options.pick(3, 15)).map(|_| reload()).collect();
        table.row(vec![ground.into(), Entry::Real(median(&times_ms), 2), Entry::Real(worst(&times_ms), 2)]);
    }
    table
}

fn repeat(rounds: usize, mut work: impl FnMut()) -> Vec<f64> {
    (0..rounds).map(|_| timed(&mut work).0.as_secs_f64() * 1e3).collect()
}

fn with_a_pillar_moved(room: &Room) -> Room {
    let mut moved = room.clone();
    let middle = moved.obstacles.len() / 2;
    moved.obstacles[middle].polygon.iter_mut().for_each(|corner| *corner += dvec2(2.0, 1.0));
    moved
}
