//! A door of 16 × 16 cells opens and closes in a ground of 1024 × 1024, against building that ground anew.

use crate::palace;
use crate::runner::{Entry, Options, Report, Table, median, quantile, timed, worst};
use cicerone::surface::Surface;

pub fn run(options: &Options, report: &mut Report) {
    let headings = &[
        "boundaryPadding_m",
        "toggles",
        "median_us",
        "p99_us",
        "worst_us",
        "slowest_door_us",
        "rebuild_ms",
        "rebuild/median",
        "rebuild/slowest",
    ];
    let mut table = Table::new("every door in turn, closed and opened", headings);
    for padding_m in [0.0, 0.3] {
        table.row(measure(options, padding_m));
    }
    report.table(&table);
    report.note("slowest door: the largest of the doors' own medians; the worst single toggle may be the machine's doing");
}

fn measure(options: &Options, padding_m: f64) -> Vec<Entry> {
    let room = palace::room(padding_m);
    let mut ground = Surface::new(&room).unwrap();
    let doors = palace::doors(&ground);
    assert_eq!(
        (ground.as_grid().unwrap().frame().width, ground.as_grid().unwrap().frame().depth, doors.len()),
        (1024, 1024, 112)
    );
    let all_open = palace::walkable_cells(&ground);
    let mut by_door_us = vec![Vec::new(); doors.len()];
    let mut rebuild_ms = Vec::new();
    for _ in 0..options.pick(2, 9) {
        let (time, rebuilt) = timed(|| Surface::new(&room).unwrap());
        rebuild_ms.push(time.as_secs_f64() * 1e3);
        assert_eq!(
            rebuilt.as_grid().unwrap().words(),
            ground.as_grid().unwrap().words(),
            "toggling back leaves no trace"
        );
        for (&door, toggle_us) in doors.iter().zip(&mut by_door_us) {
            for available in [false, true] {
                let (time, dirty) = timed(|| ground.set_area_available(door, available));
                toggle_us.push(time.as_secs_f64() * 1e6);
                assert!(dirty.is_some(), "a door is more than padding");
                // A closing door takes its own cells; opening it gives back whatever went with them.
                let lost = all_open - palace::walkable_cells(&ground);
                assert!(
                    if available { lost == 0 } else { padding_m > 0.0 || lost == 256 },
                    "lost {lost} cells"
                );
            }
        }
    }
    let toggle_us = by_door_us.concat();
    let medians: Vec<f64> = by_door_us.iter().map(|times| median(times)).collect();
    let (rebuild, typical, slowest) = (median(&rebuild_ms), median(&toggle_us), worst(&medians));
    vec![
        Entry::Real(padding_m, 1),
        toggle_us.len().into(),
        Entry::Real(typical, 2),
        Entry::Real(quantile(&toggle_us, 0.99), 2),
        Entry::Real(worst(&toggle_us), 2),
        Entry::Real(slowest, 2),
        Entry::Real(rebuild, 2),
        Entry::Real(rebuild * 1e3 / typical, 0),
        Entry::Real(rebuild * 1e3 / slowest, 0),
    ]
}
