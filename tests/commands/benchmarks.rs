//! `cicerone bench` as users type it: what it checks and tells. How long anything takes is no matter for a test.

use crate::common::command::{cicerone, code, json, text};

#[test]
fn a_benchmark_of_others_is_checked_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("queries.csv");
    let csv = csv.to_str().unwrap();
    let scen = "tests/data/movingai/rooms.map.scen";
    let output = cicerone(&["bench", scen, "--rounds", "1", "--format", "json", "--queries", csv]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let report = json(&output);
    assert_eq!((report["queries"].as_u64(), report["mismatches"].as_u64()), (Some(30), Some(0)));
    for key in
        ["total_us", "mean_us", "median_us", "p99_us", "expansions", "simple_total_us", "simple_expansions"]
    {
        assert!(report[key].as_f64().unwrap() > 0.0, "{key}: {report}");
    }
    let ratio = report["simple_total_us"].as_f64().unwrap() / report["total_us"].as_f64().unwrap();
    assert!((report["ratio_to_simple_astar"].as_f64().unwrap() - ratio).abs() < 1e-2);
    assert_eq!(report["mismatched"], serde_json::json!([]));
    let lines = std::fs::read_to_string(csv).unwrap();
    assert_eq!(lines.lines().count(), 31);
    assert!(
        lines.lines().skip(1).all(|line| line.split(',').count() == 12 && line.ends_with(",0")),
        "{lines}"
    );

    // A length that is wrong by more than the file's digits is told, and the answer is no.
    let right = std::fs::read_to_string(scen).unwrap();
    let mut lines: Vec<String> = right.lines().map(str::to_owned).collect();
    let (front, length) = lines[4].rsplit_once(['\t', ' ']).unwrap();
    lines[4] = format!("{front}\t{}", length.parse::<f64>().unwrap() + 0.5);
    let file = folder.path().join("wrong.scen");
    std::fs::write(&file, lines.join("\n")).unwrap();
    let args = ["bench", file.to_str().unwrap(), "--map", "tests/data/movingai/rooms.map", "--rounds", "1"];
    let output = cicerone(&args);
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("wrong.scen:5:1: "), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("1 length is wrong"), "{}", text(&output.stdout));
    let output = cicerone(&["bench", file.to_str().unwrap()]);
    assert_eq!((code(&output), text(&output.stderr).contains("wrong.map")), (2, true));
    assert!(text(&output.stderr).contains("--map FILE names the map"), "{}", text(&output.stderr));
    // What is another map's is told; so is an option that means nothing here.
    let other = folder.path().join("wrong.map");
    std::fs::copy("tests/data/movingai/rooms.map", other).unwrap();
    let output = cicerone(&["bench", file.to_str().unwrap(), "--rounds", "1"]);
    assert!(text(&output.stderr).contains("name the map 'rooms.map', this is 'wrong.map'"), "{output:?}");
    assert_eq!(code(&cicerone(&["bench", scen, "--crowd", "5"])), 2);
}

#[test]
fn paths_of_any_angle_are_compared_with_those_of_the_grid() {
    for map in ["rooms", "maze", "caves", "random"] {
        let scen = format!("tests/data/movingai/{map}.map.scen");
        let args = ["bench", &scen, "--planner", "any-angle", "--rounds", "1", "--format", "json"];
        let output = cicerone(&args);
        assert_eq!(code(&output), 0, "{map}: {}", text(&output.stderr));
        let report = json(&output);
        assert_eq!(
            (report["longer"].as_u64(), report["deviations"].as_array().map(Vec::len)),
            (Some(0), Some(0))
        );
        assert!(report["queries"].as_u64() > Some(5) && report["rectangles"].as_u64() > Some(5), "{report}");
        let length = |planner: &str| report[planner]["mean_length"].as_f64().unwrap();
        assert!(
            length("any_angle") < length("grid") && length("any_angle") > 0.5 * length("grid"),
            "{report}"
        );
    }
    let output = cicerone(&["bench", "tavern", "--planner", "any-angle"]);
    assert_eq!((code(&output), text(&output.stderr).contains("--planner goes with a scenario")), (2, true));
}

#[test]
fn a_room_of_ones_own_is_measured() {
    for room in ["tavern", "kitchen"] {
        let args =
            ["--random-queries", "20", "--crowd", "5", "--seconds", "1", "--rounds", "1", "--format", "json"];
        let report = json(&cicerone(&[&["bench", room], &args[..]].concat()));
        assert_eq!(report["queries"]["queries"], 20, "{report}");
        assert_eq!(report["crowd"]["ticks"], 60, "{report}");
        let shares = report["crowd"]["shares"]
            .as_array()
            .unwrap()
            .iter()
            .map(|share| share["share"].as_f64().unwrap());
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-6, "{report}");
    }
    assert_eq!(code(&cicerone(&["bench", "tavern", "--map", "x.map"])), 2);
    // How full the room is is told; nothing is measured that nobody wants.
    let words = |args: &[&str]| {
        let output = cicerone(&[&["bench", "tavern", "--seconds", "0.001", "--rounds", "1"], args].concat());
        assert_eq!(code(&output), 0, "{output:?}");
        text(&output.stdout) + &text(&output.stderr)
    };
    let full = words(&["--crowd", "500", "--random-queries", "1"]);
    for part in ["0.14 m² of ground each", "1 random query,", "1 tick,"] {
        assert!(full.contains(part), "{part}: {full}");
    }
    assert!(words(&["--crowd", "0", "--random-queries", "0"]).contains("no queries"));
}

/// A length of 0 between different cells means that there is no way, as in the public scenarios of `lak512d`.
#[test]
fn a_query_of_length_zero_expects_no_way() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    write("island.map", "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@@@\n");
    let bench = |queries: &[&str]| {
        let lines: String = queries.iter().map(|query| format!("0 island.map 5 3 {query}\n")).collect();
        write("island.map.scen", &format!("version 1\n{lines}"));
        let file = folder.path().join("island.map.scen");
        let file = file.to_str().unwrap().to_owned();
        cicerone(&["bench", &file, "--rounds", "1"])
    };
    // To an island, onto a blocked cell, from a place to itself, and an ordinary one.
    let output = bench(&["0 0 4 0 0", "0 0 2 0 0", "1 1 1 1 0", "0 0 0 2 2"]);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(code(&output), 0, "{told}");
    let words = "2 queries expect no way (length 0 between different cells), and there is none";
    assert!(told.contains("every length is the optimum") && told.contains(words), "{told}");
    // Where there is a way after all, that is told.
    let output = bench(&["0 0 0 2 0", "0 0 4 0 0"]);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(code(&output), 1, "{told}");
    assert!(told.contains("scen:2:1: (0, 0) to (0, 2): 2.000000, not no way (length 0)"), "{told}");
    assert!(told.contains("and 1 of them found none"), "{told}");
}
