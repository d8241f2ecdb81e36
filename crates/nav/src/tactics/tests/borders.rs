//! Borders and doors as plans of a level show them.

use super::super::trace::DIRECTIONS;
use super::super::{Border, Door};
use super::random::random_brushes;
use super::*;
use crate::mesh::test_rooms::Random;
use crate::sweeps::sweeps;

/// A door is where opening its area changes a passage or a cell.
#[test]
fn doors_are_where_an_area_changes_the_level() {
    let (mut passages, mut cells) = (0, 0);
    for seed in 0..if sweeps() { 500 } else { 60 } {
        let mut random = Random(seed ^ 0xd004);
        let mut brushes = random_brushes(&mut random);
        // One as thin as a wall on the border of two cells, and one anywhere.
        let (x, y) = (32.0 * (1 + random.below(4)) as f64, 32.0 * random.below(4) as f64);
        let thin = solid([x - 2.0, y, 8.0], [x + 2.0, y + 32.0, 72.0]);
        brushes.push(Brush { area: Some("door".into()), ..thin });
        let last = 1 + random.below(brushes.len() as u64 - 2) as usize;
        brushes[last].area = Some("hatch".into());
        let tactics = level(brushes);
        for area in ["door", "hatch"] {
            let [shut, open] =
                [false, true].map(|is| TacticalField::new(&tactics, |name| name == area && is));
            let number = shut.areas().iter().position(|name| name == area).unwrap();
            let doors: Vec<Door> = shut.doors().iter().copied().filter(|door| door.area == number).collect();
            assert!(doors.iter().all(|door| !door.is_open), "{doors:?}");
            let [width, depth, levels] = shut.size();
            let all =
                (0..levels).flat_map(|z| (0..depth).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
            for cell in all {
                for direction in [0, 2] {
                    let [before, after] =
                        [&shut, &open].map(|field| field.cell(cell, 1).map(|view| view.openings[direction]));
                    let (Some(0), Some(1..)) = (before, after) else { continue };
                    let [dx, dy] = DIRECTIONS[direction].map(|d| d as u32);
                    let to = [cell[0] + dx, cell[1] + dy, cell[2]];
                    let has_room =
                        |field: &TacticalField| [cell, to].iter().all(|&cell| field.cell(cell, 1).is_some());
                    let is_told =
                        doors.iter().any(|door| (door.cell, door.direction) == (cell, Some(direction)));
                    let is_cell = doors
                        .iter()
                        .any(|door| door.direction.is_none() && (door.cell == cell || door.cell == to));
                    // A threshold that is too high closes a passage, too, but there is nothing to see.
                    let is_step = shut.traces[0].at(cell).gaps[direction] > 0;
                    assert!(
                        is_told || is_cell || is_step || !has_room(&shut),
                        "seed {seed}, {area}: {cell:?} to {to:?} of {:?}",
                        tactics.brushes
                    );
                    passages += u32::from(is_told);
                }
                if shut.cell(cell, 1).is_none() && open.is_place(cell, 1, false) {
                    let is_told = doors.iter().any(|door| (door.cell, door.direction) == (cell, None));
                    assert!(is_told, "seed {seed}, {area}: {cell:?} of {:?}", tactics.brushes);
                    cells += 1;
                }
            }
        }
    }
    assert!(passages > 20 && cells > 5, "{passages} {cells}");
}

#[test]
fn borders_say_what_moves_do() {
    // A wall, a duct for those who crouch, a step too high, a drop, and stairs, from west to east.
    let floor = |x: f64, top: f64| solid([x, 0.0, 0.0], [x + 32.0, 32.0, top]);
    let field = field(vec![
        floor(0.0, 8.0),
        solid([31.0, 0.0, 8.0], [33.0, 32.0, 72.0]),
        floor(32.0, 8.0),
        solid([62.0, 0.0, 44.0], [66.0, 32.0, 72.0]),
        floor(64.0, 8.0),
        floor(96.0, 32.0),
        floor(128.0, 52.0),
        floor(160.0, 72.0),
        floor(192.0, 8.0),
    ]);
    let row = |level| -> Vec<Option<Border>> {
        field.view(level).unwrap().borders.iter().map(|sides| sides[0]).collect()
    };
    let (up, down) = (Some(Border::Stairs { up: true }), Some(Border::Stairs { up: false }));
    assert_eq!(
        row(0)[..6],
        [
            Some(Border::Wall),
            Some(Border::Low),
            Some(Border::DropBack),
            Some(Border::Free),
            up,
            Some(Border::Wall)
        ]
    );
    assert_eq!(row(1)[4..6], [down, Some(Border::Drop)]);
    assert!(field.view(8).is_none());
}

#[test]
fn a_lintel_too_low_for_anybody_is_a_wall() {
    let field =
        field(vec![solid([0.0, 0.0, 0.0], [64.0, 32.0, 8.0]), solid([28.0, 0.0, 36.0], [36.0, 32.0, 512.0])]);
    assert_eq!(field.view(0).unwrap().borders[0][0], Some(Border::Wall));
}
