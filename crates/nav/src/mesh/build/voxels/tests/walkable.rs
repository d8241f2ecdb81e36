//! Where a character can get to.

use super::levels::{TestLevel, doorway, plane, ramp, spiral, stairs, storeys, table, tunnel};
use super::measure::{Random, build};
use crate::mesh::build::voxels::VoxelSettings;
use glam::DVec3;

/// A level, two points on its ground, and whether a way joins them.
struct Case {
    name: &'static str,
    level: TestLevel,
    from: DVec3,
    to: DVec3,
    joined: bool,
}

fn cases() -> Vec<Case> {
    let at = DVec3::new;
    let case = |name, level, from, to, joined| Case { name, level, from, to, joined };
    let rise = |degrees: f64| 6.0 * libm::tan(degrees.to_radians());
    vec![
        case("plane", plane(), at(1.0, 0.0, 1.0), at(18.5, 0.0, 10.5), true),
        case("ramp of 30 degrees", ramp(30.0), at(3.0, 0.0, 3.0), at(15.0, rise(30.0), 3.0), true),
        case("ramp of 60 degrees", ramp(60.0), at(3.0, 0.0, 3.0), at(15.0, rise(60.0), 3.0), false),
        case("low stairs", stairs(0.2), at(3.0, 0.0, 3.0), at(13.0, 1.6, 3.0), true),
        case("high stairs", stairs(0.6), at(3.0, 0.0, 3.0), at(13.0, 4.8, 3.0), false),
        case("low tunnel", tunnel(1.5), at(3.0, 0.0, 3.0), at(15.0, 0.0, 3.0), false),
        case("high tunnel", tunnel(1.9), at(3.0, 0.0, 3.0), at(15.0, 0.0, 3.0), true),
        case("beside a table", table(), at(1.0, 0.0, 5.0), at(9.0, 0.0, 5.0), true),
        case("on a table", table(), at(1.0, 0.0, 5.0), at(5.0, 0.8, 5.0), false),
        case("storeys apart", storeys(false), at(6.0, 0.0, 5.0), at(6.0, 3.0, 5.0), false),
        case("storeys with a ramp", storeys(true), at(6.0, 0.0, 5.0), at(6.0, 3.0, 5.0), true),
        case("spiral", spiral(4), at(-6.0, 0.0, -6.0), at(7.0, 12.0, 1.5), true),
        case("narrow door", doorway(0.8), at(2.0, 0.0, 4.0), at(8.0, 0.0, 4.0), false),
        case("door", doorway(1.2), at(2.0, 0.0, 4.0), at(8.0, 0.0, 4.0), true),
    ]
}

#[test]
fn steps_slopes_headroom_and_width_decide_what_is_reached() {
    for Case { name, level, from, to, joined } in cases() {
        let built = build(&level, &VoxelSettings::default()).unwrap();
        assert!(built.polygon_at(from).is_some(), "{name}: no ground at {from}");
        // What cannot be reached is there all the same, except where it is too steep or too small itself.
        assert!(built.polygon_at(to).is_some(), "{name}: no ground at {to}");
        assert_eq!(built.joined(from, to), joined, "{name}");
    }
}

#[test]
fn turning_and_moving_a_level_changes_no_connection() {
    let mut random = Random(3);
    for Case { name, level, from, to, joined } in cases() {
        for quarter_turns in 0..4 {
            let shift = DVec3::new(random.next() * 50.0, random.next() * 9.0, random.next() * 50.0);
            let change = |v: DVec3| {
                let turned = (0..quarter_turns).fold(v, |v, _| DVec3::new(-v.z, v.y, v.x));
                turned + shift
            };
            let built = build(&level.moved(change), &VoxelSettings::default()).unwrap();
            assert_eq!(
                built.joined(change(from), change(to)),
                joined,
                "{name}, turned {quarter_turns} times and moved by {shift}"
            );
        }
    }
}

#[test]
fn no_ground_is_under_a_table_or_in_a_low_tunnel() {
    let built = build(&table(), &VoxelSettings::default()).unwrap();
    assert_eq!(built.polygon_at(DVec3::new(5.0, 0.0, 5.0)), None);
    for agent_radius_m in [0.0, 0.45] {
        let settings = VoxelSettings { agent_radius_m, ..VoxelSettings::default() };
        let built = build(&tunnel(1.5), &settings).unwrap();
        assert_eq!(built.polygon_at(DVec3::new(9.0, 0.0, 3.0)), None);
    }
}

#[test]
fn the_settings_decide() {
    let level = ramp(30.0);
    let (from, to) = (DVec3::new(3.0, 0.0, 3.0), DVec3::new(15.0, 6.0 * libm::tan(30f64.to_radians()), 3.0));
    let joined = |settings: VoxelSettings| build(&level, &settings).is_ok_and(|built| built.joined(from, to));
    let usual = VoxelSettings::default;
    assert!(joined(usual()));
    assert!(!joined(VoxelSettings { agent_slope_deg: 29.0, ..usual() }));
    assert!(joined(VoxelSettings { agent_slope_deg: 30.0, ..usual() }));
    assert!(joined(VoxelSettings { agent_radius_m: 2.5, ..usual() }));
    assert!(!joined(VoxelSettings { agent_radius_m: 3.1, ..usual() }));
    assert!(joined(VoxelSettings { agent_radius_m: 0.0, ..usual() }));
    let door = |width: f64, radius: f64| {
        let settings = VoxelSettings { agent_radius_m: radius, ..usual() };
        let built = build(&doorway(width), &settings).unwrap();
        built.joined(DVec3::new(2.0, 0.0, 4.0), DVec3::new(8.0, 0.0, 4.0))
    };
    assert!(door(0.8, 0.2) && !door(1.2, 0.7));
}
