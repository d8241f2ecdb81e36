//! A ground of 1024 × 1024 cells from its polygons: from nothing, and from the ground of a room in which one thing
//! moved, as when a room file is saved.

use crate::palace;
use crate::runner::{Entry, Options, Report, Table, median, timed, worst};
use cicerone::room::Room;
use cicerone::surface::Surface;
use glam::dvec2;

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
