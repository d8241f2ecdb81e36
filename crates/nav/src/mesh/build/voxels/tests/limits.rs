//! Levels and settings that are refused, and builds that are stopped.

use super::levels::{TestLevel, plane, spiral, terrain};
use super::measure::build;
use crate::mesh::build::voxels::{VoxelProblem, VoxelSettings, from_level};
use glam::DVec3;
use std::ops::ControlFlow;

fn refusal(level: &TestLevel, settings: &VoxelSettings) -> String {
    let problem = build(level, settings).map(|_| ()).expect_err("this is refused");
    assert!(!problem.hint().is_empty(), "{problem}");
    format!("{problem}; {}", problem.hint())
}

#[test]
fn useless_settings_are_named() {
    let usual = VoxelSettings::default;
    let cases = [
        ("cellSize", VoxelSettings { cell_size_m: 0.0, ..usual() }),
        ("cellSize", VoxelSettings { cell_size_m: f64::NAN, ..usual() }),
        ("cell height", VoxelSettings { cell_height_m: -1.0, ..usual() }),
        ("agentRadius", VoxelSettings { agent_radius_m: f64::INFINITY, ..usual() }),
        ("agentRadius", VoxelSettings { agent_radius_m: 900.0, ..usual() }),
        ("agentHeight", VoxelSettings { agent_height_m: 0.0, ..usual() }),
        ("agentClimb", VoxelSettings { agent_climb_m: -0.1, ..usual() }),
        ("agentSlope", VoxelSettings { agent_slope_deg: 90.0, ..usual() }),
        ("corners", VoxelSettings { max_corners: 2, ..usual() }),
        ("height error", VoxelSettings { max_height_error_m: 0.0, ..usual() }),
    ];
    for (name, settings) in cases {
        let found = refusal(&plane(), &settings);
        assert!(found.starts_with(name) && found.contains("must be"), "{name}: {found}");
    }
}

#[test]
fn levels_that_do_not_fit_are_refused_before_memory_is_taken() {
    let usual = VoxelSettings::default();
    let with = |vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>| TestLevel { vertices, triangles };
    let triangle = |size: f64, y: f64| {
        with(vec![DVec3::ZERO, DVec3::new(0.0, 0.0, size), DVec3::new(size, y, 0.0)], vec![[0, 1, 2]])
    };
    assert!(refusal(&triangle(1e6, 0.0), &usual).contains("raise cellSize to"));
    assert!(refusal(&triangle(1e9, 0.0), &usual).contains("vertex 1 is not"));
    assert!(refusal(&triangle(f64::NAN, 0.0), &usual).contains("vertex 1 is not"));
    assert!(refusal(&triangle(10.0, 50_000.0), &usual).contains("50000 m tall"));
    assert!(refusal(&with(vec![DVec3::ZERO], vec![[0, 0, 7]]), &usual).contains("triangle 0 names a vertex"));
    assert!(refusal(&with(vec![], vec![]), &usual).contains("no triangles"));
    let mut stack = triangle(400.0, 0.0);
    stack.triangles = vec![[0, 1, 2]; 1000];
    assert!(refusal(&stack, &usual).contains("cover its ground too often"));
}

/// The hint to a level that is too large names a cell size that does, and no far larger one.
#[test]
fn a_cell_size_that_is_hinted_at_fits() {
    use crate::mesh::build::voxels::{Progress, fit::cell_size_that_fits, rasterize::rasterize};
    for (level, from_m) in [(terrain(40), 0.05), (spiral(3), 0.04), (plane(), 0.05)] {
        let spans = |cell_size_m: f64| {
            let settings = VoxelSettings { cell_size_m, ..VoxelSettings::default() };
            let mut go_on = |_| ControlFlow::Continue(());
            let mut progress = Progress::new(&mut go_on);
            rasterize(&level.vertices, &level.triangles, &settings, &mut progress).unwrap().spans.len()
        };
        let all = spans(from_m);
        for share in [2, 3, 5, 10] {
            let most = all / share;
            let fits_m = cell_size_that_fits(&level.vertices, &level.triangles, from_m, most).unwrap();
            let needed = spans(fits_m);
            assert!(needed <= most, "{needed} spans at {fits_m:.3} m, and {most} are possible");
            assert!(needed * 4 > most, "{needed} spans at {fits_m:.3} m, where {most} are possible");
        }
        assert_eq!(cell_size_that_fits(&level.vertices, &level.triangles, from_m, 3), None);
    }
}

#[test]
fn levels_without_ground_say_why() {
    let usual = VoxelSettings::default;
    let mut wall = TestLevel::default();
    wall.slope([0.0, 1.0], [0.0, 5.0], 0.0, 5.0);
    assert!(refusal(&wall, &usual()).contains("too steep for an agentSlope of 45 degrees"));
    assert!(
        refusal(&plane(), &VoxelSettings { agent_radius_m: 9.0, ..usual() })
            .contains("too narrow for an agentRadius of 9 m")
    );
    let large = VoxelSettings { min_region_m2: 1e4, ..usual() };
    assert!(refusal(&plane(), &large).contains("smaller than 10000 m²"));
    let mut floor = TestLevel::default();
    let upside_down = floor.floor([0.0, 9.0], [0.0, 9.0], 0.0).moved(|v| DVec3::new(v.x, v.y, -v.z));
    assert!(refusal(&upside_down, &usual()).contains("faces down"));
}

#[test]
fn slivers_and_points_do_no_harm() {
    let mut level = plane();
    let first = level.vertices.len() as u32;
    level.vertices.extend([
        DVec3::new(0.0, 0.0, 0.0),
        DVec3::new(20.0, 0.0, 1e-9),
        DVec3::new(20.0, 0.0, 0.0),
        DVec3::new(7.0, 1e-300, 7.0),
        DVec3::new(7.0, 3.0, 7.0 + 1e-12),
    ]);
    level.triangles.extend([[0, 1, 2], [3, 3, 3], [2, 3, 4], [0, 0, 1]].map(|t| t.map(|v| v + first)));
    let before = build(&plane(), &VoxelSettings::default()).unwrap();
    let after = build(&level, &VoxelSettings::default()).unwrap();
    // The needle at (7, 7) is a wall.
    assert!(before.polygon_at(DVec3::new(7.0, 0.0, 7.0)).is_some());
    assert!(after.polygon_at(DVec3::new(7.0, 0.0, 7.0)).is_none());
}

#[test]
fn a_build_reports_and_can_be_stopped_at_every_report() {
    for level in [spiral(1), terrain(12)] {
        let settings = VoxelSettings::default();
        let mut reports = Vec::new();
        let mut record = |share| {
            reports.push(share);
            ControlFlow::Continue(())
        };
        from_level(&level.vertices, &level.triangles, &settings, &mut record).unwrap();
        assert!(reports.len() >= 50, "{} reports", reports.len());
        assert!(reports.windows(2).all(|pair| pair[0] <= pair[1]), "{reports:?}");
        assert_eq!((reports[0], reports[reports.len() - 1]), (0.0, 1.0));
        for stop in (0..reports.len()).step_by(7) {
            let mut calls = 0;
            let mut until = |_| {
                calls += 1;
                if calls > stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let result = from_level(&level.vertices, &level.triangles, &settings, &mut until);
            assert_eq!(result, Err(VoxelProblem::Stopped));
            assert_eq!(calls, stop + 1, "no report follows a stop");
        }
    }
}
