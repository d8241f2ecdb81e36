//! Random levels against the oracle.

use super::super::trace::DIRECTIONS;
use super::oracle::Oracle;
use super::*;
use crate::mesh::test_rooms::Random;
use crate::room::Rounding;
use crate::sweeps::sweeps;

/// Floors, walls, stairs and things on six by five cells.
pub(super) fn random_brushes(random: &mut Random) -> Vec<Brush> {
    let (width, depth) = (192.0, 160.0);
    let mut brushes = vec![solid([0.0, 0.0, 0.0], [width, depth, 8.0])];
    for _ in 0..4 + random.below(9) {
        let mut span = |most: f64, least: u64, longest: u64| {
            let long = 2.0 * (least + random.below(longest)) as f64;
            let low = 2.0 * random.below((most / 2.0) as u64) as f64;
            [low.min(most - 2.0), (low + long).min(most)]
        };
        let (x, y) = (span(width, 2, 40), span(depth, 2, 40));
        let z = span(256.0, 1, 40);
        let mut brush = solid([x[0], y[0], z[0]], [x[1], y[1], z[1]]);
        if random.below(8) == 0 {
            brush.kind = BrushKind::Clip;
        }
        brushes.push(brush);
    }
    // A stair of steps of 4 to 20 units.
    let (x, y, rise) =
        (32.0 * random.below(3) as f64, 32.0 * random.below(4) as f64, 4.0 + 4.0 * random.below(5) as f64);
    for stair in 0..4 {
        let at = x + 32.0 * f64::from(stair);
        let to = (at + 32.0).min(width);
        if at < to {
            brushes.push(solid([at, y, 8.0], [to, y + 32.0, 8.0 + rise * f64::from(stair + 1)]));
        }
    }
    brushes
}

/// Settings of any kind.
fn random_settings(random: &mut Random) -> TacticsSettings {
    let mut one_of = |all: &[f64]| all[random.below(all.len() as u64) as usize];
    let step_up = one_of(&[4.0, 12.0, 16.0, 18.0, 28.0, 44.0]);
    let smallest_opening = one_of(&[8.0, 16.0, 22.0, 24.0, 40.0]);
    let greatest_fall = one_of(&[0.0, 30.0, 64.0, 130.0, 512.0]);
    let [standing_height, crouching_height] = [one_of(&[38.0, 44.0, 60.0]), one_of(&[18.0, 29.0, 36.0])];
    let rounding = if one_of(&[0.0, 1.0]) > 0.5 { Rounding::Up } else { Rounding::Down };
    TacticsSettings {
        step_up,
        smallest_opening,
        greatest_fall,
        standing_height,
        crouching_height,
        rounding,
        ..TacticsSettings::default()
    }
}

#[test]
fn floors_ceilings_passages_and_tables_equal_the_oracle() {
    let (mut places, mut passages, mut low, mut deep) = (0, 0, 0, 0);
    for seed in 0..if sweeps() { 1000 } else { 40 } {
        let mut random = Random(seed ^ 0x7ac7);
        let brushes = random_brushes(&mut random);
        let settings = if seed % 2 == 0 { TacticsSettings::default() } else { random_settings(&mut random) };
        let field = TacticalField::new(&Tactics::new(settings, brushes.clone()), |_| false);
        let [width, depth, levels] = field.size();
        for actor in [1, 2] {
            let oracle =
                Oracle::new(&brushes, settings, i64::from(actor), [i64::from(width), i64::from(depth)]);
            let mut starts = Vec::new();
            for cell in
                (0..levels).flat_map(|z| (0..depth).flat_map(move |y| (0..width).map(move |x| [x, y, z])))
            {
                let found = field.cell(cell, actor);
                let known = oracle.cells.get(&cell.map(i64::from));
                assert_eq!(
                    found.map(|view| (i64::from(view.floor), i64::from(view.ceiling))),
                    known.copied(),
                    "seed {seed}, actor {actor}: {cell:?} of {brushes:?}"
                );
                let Some(view) = found else { continue };
                starts.push(cell);
                for (direction, d) in DIRECTIONS.iter().enumerate() {
                    let at = cell.map(i64::from);
                    let (gap, rises, _) = oracle.passage(at, d.map(i64::from));
                    let there = oracle.cells.get(&[at[0] + i64::from(d[0]), at[1] + i64::from(d[1]), at[2]]);
                    let is_above = view.floor < 0 && there.is_some_and(|there| there.0 < 0);
                    let expected = if rises || is_above { gap.min(255) } else { 0 };
                    let told = i64::from(view.openings[direction]);
                    assert_eq!(
                        told, expected,
                        "seed {seed}, actor {actor}: {cell:?} to {d:?} of {brushes:?}"
                    );
                    passages += u32::from(expected > 0);
                }
            }
            for _ in 0..3 {
                if starts.is_empty() {
                    break;
                }
                let start = starts[random.below(starts.len() as u64) as usize];
                let stance = if random.below(3) == 0 { Stance::Crouch } else { Stance::Stand };
                let budget = 5 + random.below(60);
                let table = field.table(start, actor, &Actor::new(stance, budget as u16)).unwrap();
                let expected = oracle.table(start, &Actor::new(stance, budget as u16));
                let found: Vec<_> = table
                    .reached()
                    .map(|at| ((at.cell.map(i64::from), at.stance == Stance::Crouch), i64::from(at.tu)))
                    .collect();
                let expected_list: std::collections::BTreeMap<_, _> = expected.into_iter().collect();
                let found: std::collections::BTreeMap<_, _> = found.into_iter().collect();
                assert_eq!(found, expected_list, "seed {seed}, actor {actor}, from {start:?} of {brushes:?}");
                places += found.len();
                for at in table.reached() {
                    let moves = table.path(at.cell, at.stance).unwrap();
                    let spent: u16 = moves.iter().map(|step| step.tu).sum();
                    assert_eq!(spent, at.tu);
                    assert!(moves.last().is_none_or(|last| (last.to, last.stance) == (at.cell, at.stance)));
                    low += usize::from(moves.iter().any(|step| step.kind == MoveKind::Crouch));
                    deep += usize::from(moves.iter().any(|step| step.kind == MoveKind::Fall));
                }
            }
        }
    }
    assert!(
        places > 1000 && passages > 10_000 && low > 100 && deep > 100,
        "{places} {passages} {low} {deep}"
    );
}

const SIDES: [Facing; 4] = [Facing::North, Facing::East, Facing::South, Facing::West];

fn one_of<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[random.below(all.len() as u64) as usize]
}

/// Where an actor looks after a move: ahead, or as the ladder says. `None` if that is no side.
fn looks_after(
    field: &TacticalField,
    size: u32,
    (cell, _, looks): (Cell, Stance, Option<Facing>),
    step: &Move,
) -> Option<Facing> {
    match step.kind {
        MoveKind::ClimbUp | MoveKind::ClimbDown => field.ladder_facing(cell, size),
        MoveKind::Fall => field.ladder_facing(step.to, size).or(looks),
        MoveKind::Walk(direction) | MoveKind::Fly(direction) => {
            SIDES.into_iter().find(|side| side.direction() == direction)
        }
        _ => looks,
    }
}

/// Ladders, fliers, others in the way, and doors: the table equals plain relaxation, A* equals the table, and no path
/// costs more than the budget.
#[test]
fn ladders_fliers_and_doors_equal_the_oracle_and_a_star_the_table() {
    let (mut climbs, mut flights, mut drops, mut places, mut lost) = (0, 0, 0, 0, 0);
    for seed in 0..if sweeps() { 1000 } else { 40 } {
        let mut random = Random(seed ^ 0x1add);
        let mut brushes = random_brushes(&mut random);
        for _ in 0..3 {
            let mut at = |most: u64| 8.0 * random.below(most) as f64;
            let (x, y, z) = (at(23), at(19), at(10));
            let ladder = solid([x, y, z], [x + 8.0, y + 8.0, z + 8.0 + at(24)]);
            brushes.push(Brush { kind: BrushKind::Ladder(one_of(&mut random, &SIDES)), ..ladder });
        }
        let last = brushes.len() - 1;
        let (turn_tu, greatest_fall) =
            (one_of(&mut random, &[0, 0, 1, 3, 4]), one_of(&mut random, &[64.0, 64.0, 128.0, 256.0]));
        let settings = TacticsSettings { turn_tu, greatest_fall, ..TacticsSettings::default() };
        let mut tactics = Tactics::new(settings, brushes.clone());
        tactics.brushes[last - 3].area = Some("door".into());
        let mut field = TacticalField::new(&tactics, |_| false);
        if random.below(2) == 0 {
            field.set_area_available("door", true);
            brushes.remove(last - 3);
        }
        let [width, depth, levels] = field.size();
        for actor in [1, 2] {
            let size = [i64::from(width), i64::from(depth)];
            let oracle = Oracle::new(&brushes, settings, i64::from(actor), size);
            let cells = || {
                let of_level = |z| (0..depth).flat_map(move |y| (0..width).map(move |x| [x, y, z]));
                (0..levels).flat_map(of_level)
            };
            let starts: Vec<Cell> = cells().filter(|&cell| field.cell(cell, actor).is_some()).collect();
            for _ in 0..if starts.is_empty() { 0 } else { 3 } {
                let mut pick = || starts[random.below(starts.len() as u64) as usize];
                let (start, others) = (pick(), vec![pick(), pick()]);
                let stance = if random.below(3) == 0 { Stance::Crouch } else { Stance::Stand };
                let query = Actor::new(stance, 5 + random.below(60) as u16).flying(random.below(2) == 0);
                let query = query.around(others).facing(Some(one_of(&mut random, &SIDES)));
                let about =
                    || format!("seed {seed}, actor {actor}, from {start:?}: {query:?} of {brushes:?}");
                let table = field.table(start, actor, &query).unwrap();
                let told =
                    |at: Reached| ((at.cell.map(i64::from), at.stance == Stance::Crouch), i64::from(at.tu));
                let found: std::collections::BTreeMap<_, _> = table.reached().map(told).collect();
                assert_eq!(found, oracle.table(start, &query), "{}", about());
                places += found.len();
                for cell in cells() {
                    let way = field.path(start, actor, &query, (cell, None));
                    let Some((moves, end)) = way else {
                        assert_eq!(table.best_stance(cell), None, "{cell:?}: {}", about());
                        lost += 1;
                        continue;
                    };
                    let spent = moves.iter().map(|step| step.tu).sum();
                    assert!(spent <= query.budget);
                    assert_eq!(Some(end), table.best_stance(cell), "{cell:?}: {}", about());
                    assert_eq!(Some(spent), table.tu(cell, end), "{cell:?}: {}", about());
                    // Each move is one of those from where the move before ended.
                    let mut at = (table.start, stance, query.facing);
                    for step in &moves {
                        let here = Actor { stance: at.1, facing: at.2, ..query.clone() };
                        let all = field.moves(at.0, actor, &here);
                        assert!(all.contains(step), "{step:?} after {at:?}: {}", about());
                        at = (step.to, step.stance, looks_after(&field, actor, at, step));
                    }
                    let is =
                        |kind: fn(&MoveKind) -> bool| usize::from(moves.iter().any(|step| kind(&step.kind)));
                    climbs += is(|kind| matches!(kind, MoveKind::ClimbUp | MoveKind::ClimbDown));
                    flights +=
                        is(|kind| matches!(kind, MoveKind::Fly(_) | MoveKind::FlyUp | MoveKind::FlyDown));
                    drops += is(|kind| matches!(kind, MoveKind::Fall));
                }
            }
        }
    }
    let counts = [climbs, flights, drops, places, lost];
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// A door or a moved box traces what is around it only. The whole level traced again gives the same.
#[test]
fn a_partial_trace_equals_a_full_one() {
    for seed in 0..if sweeps() { 500 } else { 60 } {
        let mut random = Random(seed ^ 0xd00f);
        let mut brushes = random_brushes(&mut random);
        for brush in brushes.iter_mut().skip(1) {
            if random.below(3) == 0 {
                brush.area = Some(["door", "hatch"][random.below(2) as usize].into());
            }
        }
        let tactics = level(brushes);
        let mut field = TacticalField::new(&tactics, |_| false);
        let mut open = [false; 2];
        for _ in 0..6 {
            let which = random.below(2) as usize;
            open[which] = !open[which];
            field.set_area_available(["door", "hatch"][which], open[which]);
            let full = TacticalField::new(&tactics, |name| open[usize::from(name == "hatch")]);
            assert!(field.traces == full.traces, "seed {seed}: {open:?} of {:?}", tactics.brushes);
        }
    }
}

/// Brushes that move, come and go trace what is around them only. The changed level traced anew gives the same.
#[test]
fn a_changed_level_equals_one_that_is_traced_anew() {
    let mut kept = 0;
    for seed in 0..if sweeps() { 1000 } else { 60 } {
        let mut random = Random(seed ^ 0xc4a9);
        let mut old = level(random_brushes(&mut random));
        let last = old.brushes.len() - 1;
        old.brushes[last].area = Some("door".into());
        let ladder = solid([40.0, 40.0, 8.0], [56.0, 44.0, 140.0]);
        old.brushes.push(Brush { kind: BrushKind::Ladder(Facing::North), ..ladder });
        let mut is_open = false;
        let mut field = TacticalField::new(&old, |_| is_open);
        for _ in 0..4 {
            let mut new = old.clone();
            let at = 1 + random.below(new.brushes.len() as u64 - 1) as usize;
            let x = 2.0 * random.below(80) as f64;
            let brush = solid([x, 20.0, 8.0], [x + 30.0, 50.0, 8.0 + 4.0 * random.below(20) as f64 + 4.0]);
            match random.below(4) {
                0 => new.brushes.insert(at, brush),
                1 if new.brushes.len() > 3 => drop(new.brushes.remove(at)),
                2 => new.brushes.swap(at, 1),
                _ => new.brushes[at].shape = brush.shape,
            }
            is_open ^= random.below(2) == 0;
            field = field.retraced(&old, &new, |_| is_open);
            let full = TacticalField::new(&new, |_| is_open);
            assert_eq!(field.size(), full.size());
            assert!(field.traces == full.traces, "seed {seed}: {:?} after {:?}", new.brushes, old.brushes);
            assert!(field.ladders == full.ladders && field.areas == full.areas);
            old = new;
            kept += 1;
        }
    }
    assert!(kept > 200);
}

/// Where all moves are steps, the bits say what the rules say.
#[test]
fn steps_are_the_moves_of_the_rules() {
    let (mut plain, mut others) = (0, 0);
    for seed in 0..if sweeps() { 500 } else { 60 } {
        let mut random = Random(seed ^ 0x57e9);
        let brushes = random_brushes(&mut random);
        let settings = if seed % 2 == 0 { TacticsSettings::default() } else { random_settings(&mut random) };
        let field = TacticalField::new(&Tactics::new(settings, brushes), |_| false);
        let [width, depth, levels] = field.size();
        for actor in [1, 2] {
            let trace = &field.traces[actor as usize - 1];
            let all =
                (0..levels).flat_map(|z| (0..depth).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
            for cell in all.filter(|&cell| field.cell(cell, actor).is_some()) {
                let steps = trace.steps[trace.index(cell)];
                if !steps.is_all() {
                    others += 1;
                    continue;
                }
                plain += 1;
                for (stance, bits) in [(Stance::Stand, steps.standing), (Stance::Crouch, steps.crouching)] {
                    let moves = field.moves(cell, actor, &Actor::new(stance, 0));
                    let walked: Vec<_> = moves.iter().filter(|step| step.to != cell).collect();
                    let told = walked.iter().fold(0, |told, step| match step.kind {
                        MoveKind::Walk(direction) if step.to[2] == cell[2] => told | 1_u8 << direction,
                        _ => panic!("{step:?} from {cell:?} is no step"),
                    });
                    assert_eq!(told, bits, "seed {seed}, actor {actor}: {cell:?}, {stance:?}");
                    let changes = moves.len() - walked.len();
                    let standing = field.footing(cell, actor, false, Stance::Stand);
                    let has_headroom = standing.is_some_and(|(_, fits)| fits);
                    assert_eq!(changes == 1, stance == Stance::Stand || has_headroom, "{cell:?}, {stance:?}");
                }
            }
        }
    }
    assert!(plain > 1000 && others > 1000, "{plain} {others}");
}
