//! The rules with other settings than the defaults: every one at its value, and one unit to either side.

use super::*;
use crate::room::Rounding;

fn hall(settings: TacticsSettings, others: &[Brush]) -> TacticalField {
    let mut brushes = vec![solid([0.0, 0.0, 0.0], [64.0, 32.0, 8.0])];
    brushes.extend(others.iter().cloned());
    TacticalField::new(&Tactics::new(settings, brushes), |_| false)
}

/// Whether one gets from the west cell to the east one, standing or crouching.
fn crosses(field: &TacticalField, stance: Stance) -> bool {
    let table = table(field, [0, 0, 0], &Actor::new(stance, 4));
    table.tu([1, 0, 0], stance).is_some()
}

#[test]
fn steps_of_every_height() {
    // What is not a whole quant is left out: 18 is 16.
    for (step_up, highest) in
        [(4.0, 4.0), (16.0, 16.0), (18.0, 16.0), (20.0, 20.0), (40.0, 40.0), (64.0, 64.0)]
    {
        let settings = TacticsSettings { step_up, ..TacticsSettings::default() };
        for (rise, goes) in [(highest - 1.0, true), (highest, true), (highest + 1.0, false)] {
            let field = hall(settings, &[solid([32.0, 0.0, 8.0], [64.0, 32.0, 8.0 + rise])]);
            // A high step leads to the level above.
            let to = [1, 0, ((8.0 + rise) / 64.0) as u32];
            let tu = table(&field, [0, 0, 0], &walker()).tu(to, Stance::Stand);
            assert_eq!(tu, goes.then_some(2), "a step of {step_up}: {rise} units");
        }
    }
}

#[test]
fn falls_of_every_depth() {
    for greatest_fall in [0.0, 32.0, 64.0, 128.0, 200.0] {
        let settings = TacticsSettings { greatest_fall, ..TacticsSettings::default() };
        for by in [-1.0, 0.0, 1.0] {
            let depth: f64 = greatest_fall + by;
            let goes = by <= 0.0 || depth <= settings.step_up;
            let high = 8.0 + depth.max(0.0);
            let tower = solid([0.0, 0.0, 8.0], [32.0, 32.0, high]);
            let field = hall(settings, if depth > 0.0 { std::slice::from_ref(&tower) } else { &[] });
            let start = [0, 0, (high / 64.0) as u32];
            let tu = table(&field, start, &walker()).tu([1, 0, 0], Stance::Stand);
            assert_eq!(tu, goes.then_some(2), "a fall of {greatest_fall}: {depth} units");
        }
    }
}

#[test]
fn bodies_of_every_height() {
    for (standing_height, crouching_height) in [(44.0, 29.0), (60.0, 40.0), (45.0, 28.0)] {
        for rounding in [Rounding::Up, Rounding::Down] {
            let settings =
                TacticsSettings { standing_height, crouching_height, rounding, ..TacticsSettings::default() };
            for (stance, height) in [(Stance::Stand, standing_height), (Stance::Crouch, crouching_height)] {
                let quants: f64 = match rounding {
                    Rounding::Up => f64::ceil(height / 4.0),
                    Rounding::Down => f64::floor(height / 4.0),
                };
                for (gap, goes) in
                    [(4.0 * quants - 1.0, false), (4.0 * quants, true), (4.0 * quants + 1.0, true)]
                {
                    let beam = solid([28.0, 0.0, 8.0 + gap], [36.0, 32.0, 512.0]);
                    let field = hall(settings, &[beam]);
                    assert_eq!(
                        crosses(&field, stance),
                        goes,
                        "{stance:?} {height} {rounding:?}: {gap} units"
                    );
                }
            }
        }
    }
}

#[test]
fn openings_of_every_height() {
    for smallest_opening in [20.0, 24.0, 30.0, 48.0, 100.0] {
        let settings = TacticsSettings { smallest_opening, ..TacticsSettings::default() };
        // Rounded up: 30 units are 8 quants. A step must fit in, too.
        let least = f64::max(4.0 * f64::ceil(smallest_opening / 4.0), settings.step_up);
        for (height, is_there) in [(least - 1.0, false), (least, true), (least + 1.0, true)] {
            let field = hall(settings, &[solid([32.0, 0.0, 8.0 + height], [64.0, 32.0, 512.0])]);
            assert_eq!(field.cell([1, 0, 0], 1).is_some(), is_there, "{smallest_opening}: {height} units");
        }
    }
}

#[test]
fn a_metre_of_other_units_is_as_many_cells() {
    let settings = TacticsSettings { units_per_metre: 16.0, ..TacticsSettings::default() };
    let field = hall(settings, &[]);
    assert_eq!(field.cell_m(), 2.0);
    assert_eq!(field.cell_under(glam::DVec2::new(3.9, 1.9), 0, 1), Some([1, 0, 0]));
    assert_eq!(field.cell_under(glam::DVec2::new(4.1, 1.9), 0, 1), None);
}

#[test]
fn walls_jut_into_cells_of_both_sizes() {
    // The passage is narrower by five units on each side, whatever the size of the actor.
    for (size, depth) in [(1, 32.0), (2, 64.0)] {
        for (jut, goes) in [(4.0, true), (5.0, true), (6.0, false)] {
            let floor = solid([0.0, 0.0, 0.0], [160.0, depth, 8.0]);
            for wall in [
                solid([0.0, 0.0, 8.0], [160.0, jut, 512.0]),
                solid([0.0, depth - jut, 8.0], [160.0, depth, 512.0]),
            ] {
                let field = field(vec![floor.clone(), wall]);
                let table = field.table([0, 0, 0], size, &walker()).unwrap();
                assert_eq!(table.tu([1, 0, 0], Stance::Stand).is_some(), goes, "{size}: {jut} units");
            }
        }
    }
}

#[test]
fn a_space_reaches_into_the_cell_above_from_a_whole_level_on() {
    for (ceiling, is_above) in [(63.0, false), (64.0, false), (67.0, false), (68.0, true)] {
        let field = hall(TacticsSettings::default(), &[solid([32.0, 0.0, ceiling], [64.0, 32.0, 512.0])]);
        let above = field.cell([1, 0, 1], 1);
        assert_eq!(above.is_some(), is_above, "a ceiling at {ceiling} units");
        if let Some(above) = above {
            assert_eq!((above.floor, above.ceiling), (2 - 16, 1));
        }
    }
}
