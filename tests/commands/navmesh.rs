//! `cicerone bench MESH.json`: moves and paths on navmeshes, against Detour's answers.
//!
//! Detour's meshes lie beside the checkout (`../shared/data/navmesh`, or where `CICERONE_DATA` says); without them
//! that test is skipped and says so. The twin in `tests/data/navmesh` always runs: a mesh of our own, whose answers
//! were worked out by hand.

use crate::common::command::{cicerone, code, json, text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const OWN: &str = "tests/data/navmesh/corner.json";

#[track_caller]
fn report(file: &Path) -> Value {
    let output = cicerone(&["bench", file.to_str().unwrap(), "--rounds", "1", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}{}", text(&output.stdout), text(&output.stderr));
    json(&output)
}

#[test]
fn a_mesh_of_our_own() {
    let report = report(Path::new(OWN));
    assert_eq!((&report["polygons"], &report["moves"], &report["paths"]), (&json!(5), &json!(8), &json!(4)));
    assert_eq!((&report["corridors"], &report["deviations"]), (&json!(4), &json!([])));
    assert!(report["ns_per_move"].as_f64().unwrap() > 0.0 && report["us_per_path"].as_f64().unwrap() > 0.0);
}

#[test]
fn moves_and_paths_are_those_of_detour() {
    let data = std::env::var_os("CICERONE_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let folder = data.join("navmesh");
    let Ok(files) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: no navmeshes in {} (CICERONE_DATA names another folder)", folder.display());
        return;
    };
    let reports: Vec<Value> = files.map(|file| report(&file.unwrap().path())).collect();
    assert!(!reports.is_empty(), "no files in {}", folder.display());
    for report in &reports {
        assert!(report["moves"].as_u64().unwrap() > 100 && report["paths"].as_u64().unwrap() > 100);
        assert_eq!(report["corridors"], report["paths"]);
        for wrong in [
            "moves_elsewhere",
            "moves_through_other_polygons",
            "paths_longer",
            "paths_reached_otherwise",
            "corridors_pulled_otherwise",
        ] {
            assert_eq!(report[wrong], json!(0), "{}", report["deviations"]);
        }
    }
}

/// A file with something changed in it, and what the command says.
fn changed(change: impl FnOnce(&mut Value)) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mesh.json");
    let mut value: Value = serde_json::from_str(&std::fs::read_to_string(OWN).unwrap()).unwrap();
    change(&mut value);
    std::fs::write(&file, value.to_string()).unwrap();
    let output = cicerone(&["bench", file.to_str().unwrap(), "--rounds", "1"]);
    (code(&output), text(&output.stdout), text(&output.stderr))
}

#[test]
fn other_answers_are_counted_and_listed() {
    let (code, out, _) = changed(|file| {
        file["moves"][2]["r"] = json!([2, 0, 0.5]);
        file["moves"][5]["visited"] = json!([1]);
        file["paths"][1]["len2d"] = json!(6.0);
        file["paths"][2]["corridor"] = json!([3, 2, 0]);
        file["paths"][3]["partial"] = json!(0);
    });
    assert_eq!(code, 1);
    assert!(out.contains("moves: 1 end elsewhere, 1 go through other polygons"), "{out}");
    assert!(out.contains("paths: 1 longer than the file's, 1 reached otherwise"), "{out}");
    // The shortened path, the cut corridor, and the one whose goal is called reached.
    assert!(out.contains("corridors: 3 of 4 pulled to another length"), "{out}");
    assert!(out.contains("corridor 1 is 6.32456 m long when pulled, not 6.00000 m"), "{out}");
    assert!(out.contains("corridor 2 has polygons that are not joined"), "{out}");
    assert!(out.contains("move 2 ends at [2.0000, 0.0000] through [0], not at [2.0000, 0.5000]"), "{out}");
}

#[test]
fn a_mesh_that_is_none_is_refused_with_its_polygon() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 11] = [
        (|file| file["polys"] = json!([]), "there are no polygons"),
        (|file| file["verts"][3][0] = json!(1e9), "vertex 3 is not a finite point within 1000000 m"),
        (|file| file["polys"][4]["v"] = json!([9, 10]), "polygon 4 has fewer than 3 different corners"),
        (|file| file["polys"][4]["v"][0] = json!(99), "polygon 4 names vertex 99, which does not exist"),
        (|file| file["verts"][11] = json!([21, 0, 0.5]), "polygon 4 is not convex at vertex 11"),
        (|file| file["polys"][4] = json!({"v": [0, 1, 2]}), "polygon 4 has no area seen from above"),
        (|file| file["polys"][4]["n"] = json!([-1]), "polygon 4 does not have one neighbour"),
        (|file| file["polys"][4]["n"][0] = json!(0), "polygon 4 has a portal to polygon 0, which does not"),
        (|file| file["moves"][0]["ref"] = json!(5), "move 0 names a polygon that does not exist"),
        (|file| file["paths"][0]["corridor"][1] = json!(7), "path 0 names a polygon that does not exist"),
        (|file| file["verts"] = json!([[0, 0]]), "mesh.json:1:"),
    ];
    for (change, expected) in cases {
        let (code, _, err) = changed(change);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(expected) && err.contains("mesh.json"), "{err} does not say: {expected}");
    }
    let output = cicerone(&["bench", OWN, "--crowd", "3"]);
    assert!(text(&output.stderr).contains("--crowd goes with a room"), "{}", text(&output.stderr));
}
