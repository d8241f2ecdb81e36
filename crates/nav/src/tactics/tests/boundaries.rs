//! Every rule at its value, and one unit to either side.

use super::*;

/// A floor of two cells, and what else is there.
fn hall(others: &[Brush]) -> TacticalField {
    let mut brushes = vec![solid([0.0, 0.0, 0.0], [64.0, 32.0, 8.0])];
    brushes.extend(others.iter().cloned());
    field(brushes)
}

/// The TU from the west cell to the east one, standing or crouching at the end.
fn across(field: &TacticalField, stance: Stance) -> Option<u16> {
    table(field, [0, 0, 0], &walker()).tu([1, 0, 0], stance)
}

#[test]
fn a_step_is_taken_up_to_its_height() {
    for (top, goes) in [(27.0, true), (28.0, true), (29.0, false)] {
        let field = hall(&[solid([32.0, 0.0, 8.0], [64.0, 32.0, top])]);
        assert_eq!(across(&field, Stance::Stand).is_some(), goes, "a step from 8 to {top}");
    }
}

/// A crack of so many units, as deep as one likes, in the floor between two cells.
#[test]
fn a_crack_of_two_strides_is_stepped_over() {
    for (from, to) in [(30.0, 34.0), (28.0, 36.0), (32.0, 40.0), (32.0, 44.0), (28.0, 40.0), (24.0, 44.0)] {
        for bottom in [-64.0, -8.0] {
            let floor = |min: f64, max: f64| solid([min, 0.0, bottom], [max, 32.0, 8.0]);
            let mut brushes = vec![floor(0.0, from), floor(to, 64.0)];
            if bottom == -8.0 {
                brushes.push(solid([0.0, 0.0, -12.0], [64.0, 32.0, -8.0]));
            }
            let field = field(brushes);
            // Strides are tried every four units, as boxes four units wide.
            let lower =
                (1..8).filter(|i| f64::from(16 + 4 * i - 2) >= from && f64::from(16 + 4 * i + 2) <= to);
            let (lower, deep) = (lower.count(), bottom == -64.0);
            let (z, dip) = (1, lower > 2 && deep);
            let both = [([0, 0, z], [1, 0, z]), ([1, 0, z], [0, 0, z])];
            for (start, goal) in both {
                let goes = table(&field, start, &walker()).tu(goal, Stance::Stand).is_some();
                assert_eq!(goes, !dip, "a crack from {from} to {to}, {lower} strides, down to {bottom}");
            }
        }
    }
}

#[test]
fn nobody_crouches_where_the_ceiling_is_lower_than_that() {
    for (height, goes) in [(33.0, true), (32.0, true), (31.0, false), (24.0, false)] {
        let field = hall(&[solid([0.0, 0.0, 8.0 + height], [32.0, 32.0, 512.0])]);
        let crouched = table(&field, [0, 0, 0], &walker()).tu([0, 0, 0], Stance::Crouch);
        assert_eq!(crouched, goes.then_some(3), "{height} units high");
        let (path, moves) = (field.path([0, 0, 0], 1, &walker(), ([0, 0, 0], Some(Stance::Crouch))), 1);
        assert_eq!(path.map(|(path, _)| path.len()), goes.then_some(moves), "{height} units high");
    }
}

#[test]
fn a_drop_is_a_fall_up_to_its_depth() {
    for (depth, goes) in [(63.0, true), (64.0, true), (65.0, false)] {
        let high = 8.0 + depth;
        let field = hall(&[solid([0.0, 0.0, 8.0], [32.0, 32.0, high])]);
        let start = [0, 0, (high / 64.0) as u32];
        let table = table(&field, start, &walker());
        assert_eq!(table.tu([1, 0, 0], Stance::Stand), goes.then_some(2), "a drop of {depth}");
    }
}

#[test]
fn a_passage_is_as_high_as_the_stance() {
    // 44 units are 11 quants, 29 are 8.
    for (gap, stands, crouches) in [
        (45.0, true, true),
        (44.0, true, true),
        (43.0, false, true),
        (32.0, false, true),
        (31.0, false, false),
    ] {
        let field = hall(&[solid([28.0, 0.0, 8.0 + gap], [36.0, 32.0, 512.0])]);
        assert_eq!(
            across(&field, Stance::Stand),
            stands.then_some(2).or(crouches.then_some(9)),
            "{gap} units high"
        );
        assert_eq!(
            across(&field, Stance::Crouch),
            stands.then_some(5).or(crouches.then_some(6)),
            "{gap} units high"
        );
    }
}

#[test]
fn a_space_is_as_high_as_the_smallest_opening() {
    for (height, is_there) in [(25.0, true), (24.0, true), (23.0, false)] {
        let field = hall(&[solid([32.0, 0.0, 8.0 + height], [64.0, 32.0, 512.0])]);
        assert_eq!(field.cell([1, 0, 0], 1).is_some(), is_there, "{height} units high");
    }
}

#[test]
fn a_sliver_does_not_fill_a_cell() {
    // A wall along the side of both cells.
    for (jut, goes) in [(4.0, true), (5.0, true), (6.0, false)] {
        let field = hall(&[solid([0.0, 0.0, 8.0], [64.0, jut, 512.0])]);
        assert_eq!(across(&field, Stance::Stand).is_some(), goes, "it juts {jut} units into the cells");
    }
}

#[test]
fn nobody_stands_on_clip() {
    let mut clip = solid([32.0, 0.0, 8.0], [64.0, 32.0, 12.0]);
    clip.kind = BrushKind::Clip;
    assert!(hall(&[clip.clone()]).cell([1, 0, 0], 1).is_none());
    clip.kind = BrushKind::Solid;
    assert!(hall(&[clip]).cell([1, 0, 0], 1).is_some());
}

#[test]
fn a_ramp_is_judged_along_the_way() {
    // 45 degrees: eight quants a cell, more than a step from centre to centre.
    let corners = |points: &[[f64; 3]]| SolidShape::Points(points.iter().copied().map(DVec3::from).collect());
    let ramp = Brush {
        shape: corners(&[
            [32.0, 0.0, 8.0],
            [96.0, 0.0, 8.0],
            [96.0, 0.0, 72.0],
            [32.0, 32.0, 8.0],
            [96.0, 32.0, 8.0],
            [96.0, 32.0, 72.0],
        ]),
        name: None,
        area: None,
        kind: BrushKind::Solid,
    };
    let floor = solid([0.0, 0.0, 0.0], [128.0, 32.0, 8.0]);
    let top = solid([96.0, 0.0, 8.0], [128.0, 32.0, 72.0]);
    let field = field(vec![floor.clone(), ramp, top.clone()]);
    let up = table(&field, [0, 0, 0], &walker());
    assert_eq!(up.tu([3, 0, 1], Stance::Stand), Some(6));
    let down = table(&field, [3, 0, 1], &walker());
    assert_eq!(down.tu([0, 0, 0], Stance::Stand), Some(6));
    assert!(down.path([0, 0, 0], Stance::Stand).unwrap().iter().all(|step| step.kind != MoveKind::Fall));
    // Without the ramp it is a wall from below, and a fall from above.
    let field = super::field(vec![floor, top]);
    assert_eq!(table(&field, [0, 0, 0], &walker()).tu([3, 0, 1], Stance::Stand), None);
    let falls = table(&field, [3, 0, 1], &walker()).path([2, 0, 0], Stance::Stand).unwrap();
    assert_eq!(falls.iter().map(|step| step.tu).collect::<Vec<_>>(), [2, 0]);
}

#[test]
fn a_wedge_of_planes_is_that_of_its_corners() {
    let (floor, ramp) = (solid([0.0, 0.0, 0.0], [64.0, 64.0, 8.0]), |shape| Brush {
        shape,
        name: None,
        area: None,
        kind: BrushKind::Solid,
    });
    let points = [
        [0.0, 0.0, 8.0],
        [64.0, 0.0, 8.0],
        [64.0, 0.0, 24.0],
        [0.0, 64.0, 8.0],
        [64.0, 64.0, 8.0],
        [64.0, 64.0, 24.0],
    ];
    let by_corners = SolidShape::Points(points.map(DVec3::from).to_vec());
    let planes = [
        ([0.0, 0.0, -1.0], -8.0),
        ([1.0, 0.0, 0.0], 64.0),
        ([0.0, -1.0, 0.0], 0.0),
        ([0.0, 2.0, 0.0], 128.0),
        ([-1.0, 0.0, 4.0], 32.0),
    ];
    let by_planes = SolidShape::Planes(planes.map(|(normal, d)| (DVec3::from(normal), d)).to_vec());
    let [a, b] = [by_corners, by_planes].map(|shape| field(vec![floor.clone(), ramp(shape)]));
    assert!(a.traces == b.traces);
    assert_eq!(a.cell([0, 0, 0], 1).unwrap().floor, 4, "4.5 units above the floor in the middle, rounded up");
}

#[test]
fn two_by_two_needs_all_four_cells() {
    let field = field(vec![
        solid([0.0, 0.0, 0.0], [160.0, 64.0, 8.0]),
        solid([96.0, 0.0, 8.0], [104.0, 12.0, 512.0]),
    ]);
    assert_eq!(
        table(&field, [0, 0, 0], &walker()).tu([4, 0, 0], Stance::Stand),
        Some(10),
        "round the post: it is in the way"
    );
    let big = field.table([0, 0, 0], 2, &walker()).unwrap();
    assert_eq!(big.tu([1, 0, 0], Stance::Stand), Some(2));
    assert_eq!(big.tu([2, 0, 0], Stance::Stand), None, "the post");
    assert!(field.cell([0, 1, 0], 2).is_none(), "half of it would be outside");
}

#[test]
fn a_ladder_is_climbed_a_cell_for_four() {
    let wall = solid([32.0, 0.0, 8.0], [64.0, 32.0, 136.0]);
    let ladder = |kind| Brush { kind, ..solid([28.0, 8.0, 8.0], [32.0, 24.0, 144.0]) };
    let field = hall(&[wall.clone(), ladder(BrushKind::Ladder(Facing::East))]);
    let up = table(&field, [0, 0, 0], &walker());
    assert_eq!(up.tu([1, 0, 2], Stance::Stand), Some(10), "two cells up, and a step");
    let down = table(&field, [1, 0, 2], &walker());
    assert_eq!(down.tu([0, 0, 0], Stance::Stand), Some(10));
    assert_eq!(table(&hall(&[wall]), [0, 0, 0], &walker()).tu([1, 0, 2], Stance::Stand), None);
}

#[test]
fn fliers_cross_gaps_and_walk_where_they_can() {
    let field = field(vec![
        solid([0.0, 0.0, 0.0], [32.0, 32.0, 8.0]),
        solid([32.0, 0.0, 0.0], [64.0, 32.0, 200.0]),
        solid([64.0, 0.0, 0.0], [128.0, 32.0, 8.0]),
    ]);
    assert_eq!(table(&field, [0, 0, 0], &walker()).tu([2, 0, 0], Stance::Stand), None);
    let flier = walker().flying(true);
    let flies = table(&field, [0, 0, 0], &flier);
    // Three cells up, two ahead, three down; then a step on foot.
    assert_eq!(flies.tu([2, 0, 0], Stance::Stand), Some(3 * 4 + 2 * 4 + 3 * 4));
    assert_eq!(flies.tu([3, 0, 0], Stance::Stand), Some(3 * 4 + 2 * 4 + 3 * 4 + 2));
    assert_eq!(flies.tu([0, 0, 3], Stance::Crouch), None, "nobody flies crouched");
}

#[test]
fn the_budget_is_strict_and_others_are_in_the_way() {
    let field = field(vec![solid([0.0, 0.0, 0.0], [160.0, 32.0, 8.0])]);
    let reach = |actor: &Actor| {
        table(&field, [0, 0, 0], actor).reached().filter(|at| at.stance == Stance::Stand).count()
    };
    assert_eq!([4, 5, 6].map(|budget| reach(&Actor::new(Stance::Stand, budget))), [3, 3, 4]);
    assert_eq!(reach(&walker().around(vec![[2, 0, 0]])), 2);
    assert_eq!(reach(&walker().around(vec![[0, 0, 0]])), 5, "its own cell");
}

#[test]
fn a_start_in_mid_air_drops_for_nothing_and_a_low_one_may_stand() {
    let field = hall(&[solid([0.0, 0.0, 36.0], [32.0, 32.0, 512.0])]);
    let air = table(&field, [1, 0, 3], &walker());
    assert_eq!((air.start, air.tu([1, 0, 0], Stance::Stand)), ([1, 0, 0], Some(0)));
    let low = table(&field, [0, 0, 0], &walker());
    assert_eq!(low.tu([0, 0, 0], Stance::Stand), Some(0));
    assert_eq!(low.tu([1, 0, 0], Stance::Stand), None, "28 units are too low for anybody");
}

/// Real maps are centred on 0.
#[test]
fn a_level_that_begins_below_zero_is_the_same_moved() {
    let brushes = [
        solid([0.0, 0.0, 0.0], [128.0, 96.0, 8.0]),
        solid([64.0, 0.0, 8.0], [128.0, 96.0, 24.0]),
        solid([32.0, 40.0, 8.0], [40.0, 96.0, 60.0]),
        Brush { kind: BrushKind::Ladder(Facing::East), ..solid([60.0, 8.0, 8.0], [64.0, 24.0, 140.0]) },
    ];
    let moved = |by: [f64; 3]| {
        let moved = |brush: &Brush| Brush { shape: brush.shape.moved(DVec3::from(by)), ..brush.clone() };
        field(brushes.iter().map(moved).collect())
    };
    let still = moved([0.0; 3]);
    for by in [[-32.0, 0.0, 0.0], [-64.0, -96.0, 0.0], [-8192.0, -3200.0, -64.0], [-32.0, -32.0, -448.0]] {
        let other = moved(by);
        assert_eq!((other.origin(), still.origin()), (DVec3::from(by), DVec3::ZERO));
        assert_eq!(table(&other, [0, 0, 0], &walker()), table(&still, [0, 0, 0], &walker()), "{by:?}");
        let by_m = DVec3::from(by) / 32.0;
        assert_eq!(other.middle_m([1, 2, 0], 1), still.middle_m([1, 2, 0], 1) + by_m.truncate());
        assert_eq!(other.cell_under(other.middle_m([1, 2, 0], 1), 0, 1), Some([1, 2, 0]));
        assert_eq!(other.feet_m([3, 0, 0], 1).unwrap(), still.feet_m([3, 0, 0], 1).unwrap() + by_m.z);
        assert_eq!(other.cell_at(DVec3::new(70.0, 40.0, 24.0) + DVec3::from(by)), Some([2, 1, 0]));
    }
    // Not by whole cells: the first cell begins where a cell does.
    assert_eq!(moved([-8.0, 0.0, -4.0]).origin(), DVec3::new(-32.0, 0.0, -64.0));
}

#[test]
fn a_ladder_that_faces_away_from_its_wall_is_told() {
    let wall = solid([32.0, 0.0, 8.0], [64.0, 32.0, 136.0]);
    for (facing, is_told) in
        [(Facing::East, false), (Facing::West, true), (Facing::North, true), (Facing::South, true)]
    {
        let ladder =
            Brush { kind: BrushKind::Ladder(facing), ..solid([28.0, 8.0, 8.0], [32.0, 24.0, 136.0]) };
        let field = hall(&[wall.clone(), ladder.clone()]);
        let told = field.ladders_that_face_away();
        assert_eq!(told, if is_told { vec![(2, facing, vec![Facing::East])] } else { Vec::new() });
        assert_eq!(hall(&[ladder]).ladders_that_face_away(), [], "without a wall any side is right");
    }
}

/// A shaft of one cell beside a wall, three levels high, with floors to the east and the south of it on top. What turning
/// costs is paid once, by those who do not come facing the ladder.
#[test]
fn one_turns_towards_a_ladder_before_one_climbs() {
    for (turn_tu, stance, climb) in
        [(0, Stance::Stand, 4), (1, Stance::Stand, 4), (4, Stance::Stand, 4), (4, Stance::Crouch, 6)]
    {
        let mut brushes = vec![
            solid([0.0, 0.0, 0.0], [96.0, 96.0, 8.0]),
            solid([0.0, 0.0, 8.0], [32.0, 96.0, 300.0]),
            solid([64.0, 32.0, 128.0], [96.0, 64.0, 136.0]),
            solid([32.0, 64.0, 128.0], [64.0, 96.0, 136.0]),
        ];
        let ladder = solid([32.0, 40.0, 8.0], [36.0, 56.0, 200.0]);
        brushes.push(Brush { kind: BrushKind::Ladder(Facing::West), ..ladder });
        let settings = TacticsSettings { turn_tu, ..TacticsSettings::default() };
        let field = TacticalField::new(&Tactics::new(settings, brushes), |_| false);
        let step = stance.tu(0);
        let walker = Actor::new(stance, 1000);
        let tu = |from: Cell, looks: Option<Facing>, to: Cell| {
            table(&field, from, &walker.clone().facing(looks)).tu(to, stance)
        };
        let (foot, top) = ([1, 1, 0], [1, 1, 2]);
        // A step to the side, or out and in again, may cost less than to turn.
        let (beside, out) = (turn_tu.min(stance.tu(4)), turn_tu.min(2 * step));
        // From the east one comes facing it, from the south one does not.
        assert_eq!(tu([2, 1, 0], None, top), Some(step + 2 * climb), "{turn_tu} {stance:?}");
        assert_eq!(tu([1, 2, 0], None, top), Some(step + beside + 2 * climb), "{turn_tu} {stance:?}");
        assert_eq!(tu([2, 1, 2], None, foot), Some(step + 2 * climb), "{turn_tu} {stance:?}");
        assert_eq!(tu([1, 2, 2], Some(Facing::West), foot), Some(step + beside + 2 * climb));
        // At its start, it counts where one looks; on foot, it never does.
        assert_eq!(tu(foot, Some(Facing::West), top), Some(2 * climb));
        assert_eq!(tu(foot, Some(Facing::North), top), Some(out + 2 * climb));
        assert_eq!(tu([2, 1, 0], Some(Facing::East), [1, 2, 0]), Some(stance.tu(4)));
        // Those who fly hold on to nothing.
        let flier = walker.clone().flying(true);
        assert_eq!(table(&field, foot, &flier).tu(top, stance), Some(2 * climb));
    }
}
