//! `cicerone path`: places, explanations, what is in the way.

use crate::common::command::{cicerone, code, json, text};
use crate::common::project::{HALL, Project};

#[test]
fn a_path_is_complete_partial_or_none() {
    let ask = |more: &[&str]| {
        let args = ["path", "rooms/tavern.json", "--from", "6,9.5", "--format", "json"];
        cicerone(&[&args[..], more].concat())
    };
    let closed = ask(&["--to", "barrels"]);
    assert_eq!((code(&closed), json(&closed)["outcome"].as_str()), (1, Some("partial")));
    let open = ask(&["--to", "barrels", "--open", "cellar_door"]);
    let answer = json(&open);
    assert_eq!((code(&open), answer["outcome"].as_str()), (0, Some("complete")));
    assert!(answer["reason"].is_null());
    let waypoints = answer["waypoints"].as_array().unwrap();
    assert_eq!(waypoints.last().unwrap(), &serde_json::json!([12.5, 0.0, 2.0]));
    assert!(answer["length_m"].as_f64().unwrap() > 10.0 && answer["cost_cells"].as_f64().unwrap() > 40.0);
    assert!(answer["expansions"].as_u64().unwrap() > 0);
    let shut = ask(&["--to", "barrels", "--open", "cellar_door", "--close", "front_door"]);
    assert_eq!(json(&shut)["outcome"], "partial");
    let nowhere = ask(&["--to", "-50,-50"]);
    assert_eq!((code(&nowhere), json(&nowhere)["reason"].as_str()), (1, Some("goal_off_ground")));
    for bad in [
        &["--to", "barels"][..],
        &["--to", "1"],
        &["--to", "1,nan"],
        &["--to", "1,1", "--open", "celar_door"],
    ] {
        let output = ask(bad);
        assert_eq!(code(&output), 2, "{bad:?}: {}", text(&output.stderr));
    }
    assert!(text(&ask(&["--to", "barels"]).stderr).contains("did you mean 'barrels'?"));
}

#[test]
fn an_area_is_a_place_and_a_mask_says_its_colours() {
    let ask = |args: &[&str]| cicerone(&[&["path", "--format", "json"], args].concat());
    let snug = ask(&["rooms/tavern.json", "--from", "porch", "--to", "snug"]);
    let end = json(&snug)["waypoints"].as_array().unwrap().last().unwrap().clone();
    let (x, z) = (end[0].as_f64().unwrap(), end[2].as_f64().unwrap());
    assert_eq!(code(&snug), 0);
    assert!((10.5..11.0).contains(&x) && (6.5..10.0).contains(&z), "just behind the archway: {end}");
    assert_eq!(
        code(&ask(&["rooms/tavern.json", "--from", "porch", "--to", "cellar"])),
        1,
        "its door is closed"
    );
    let colours = &json(&ask(&["rooms/kitchen.json", "--from", "rug", "--to", "-9,1", "--mask"]))["mask"];
    assert_eq!(colours[0], serde_json::json!({ "red": 0, "green": 0, "blue": 255, "alpha": 255 }));
    assert!(colours[1].is_null(), "{colours}");
}

#[test]
fn path_explains_what_is_in_the_way() {
    let ask =
        |more: &[&str]| cicerone(&[&["path", "tavern", "--from", "player", "--explain"], more].concat());
    let closed = ask(&["--to", "barrels"]);
    assert_eq!(code(&closed), 1, "as without");
    let line = "the area 'cellar_door' is closed; the nearest point that can be reached is (9.75, 2.25)\n";
    assert!(text(&closed.stdout).ends_with(line), "{}", text(&closed.stdout));
    let closed = json(&ask(&["--to", "barrels", "--format", "json"]));
    assert_eq!(
        (&closed["blocked_by"], &closed["exact"]),
        (&serde_json::json!(["cellar_door"]), &true.into())
    );
    assert_eq!(closed["nearest"], serde_json::json!([9.75, 0.0, 2.25]));
    assert_eq!(closed["nearest"], *closed["waypoints"].as_array().unwrap().last().unwrap());
    assert!(closed["gap_m"].is_null() && closed["needed_m"].is_null());
    let open = json(&ask(&["--to", "barrels", "--open", "cellar_door", "--format", "json"]));
    assert_eq!((&open["blocked_by"], &open["exact"]), (&serde_json::json!([]), &true.into()));
    assert_eq!(open["nearest"], serde_json::json!([12.5, 0.0, 2.0]));
    let near = json(&ask(&["--to", "13.9,0.6", "--format", "json"]));
    assert_eq!(near["blocked_by"], serde_json::json!(["cellar_door", "barrel_1"]));
    assert!(near["gap_m"].as_f64().unwrap() < near["needed_m"].as_f64().unwrap(), "{near}");
    let without =
        json(&cicerone(&["path", "tavern", "--from", "player", "--to", "barrels", "--format", "json"]));
    assert!(without.get("blocked_by").is_none());
}

#[test]
fn every_waypoint_has_the_height_of_the_floor() {
    let hall = HALL.replace("\"areas\"", "\"floorY\": 1.5, \"areas\"");
    let project = Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", "return {}")]);
    let room = project.path("rooms/hall.json");
    let output =
        cicerone(&["path", room.to_str().unwrap(), "--from", "1,1", "--to", "7,3", "--format", "json"]);
    let answer = json(&output);
    let waypoints = answer["waypoints"].as_array().unwrap();
    assert!(!waypoints.is_empty() && waypoints.iter().all(|point| point[1] == 1.5), "{answer}");
}

#[test]
fn a_path_avoids_what_is_in_the_way() {
    let ask = |more: &[&str]| {
        let args = ["path", "rooms/tavern.json", "--from", "6,9.5", "--format", "json"];
        cicerone(&[&args[..], more].concat())
    };
    let length = |output: &std::process::Output| json(output)["length_m"].as_f64().unwrap();
    let to = ["--to", "3,7.5"];
    let free = ask(&to);
    assert_eq!(json(&free)["step"], "avoiding");
    assert!(json(&free)["snapped_from"].is_null(), "it begins where it was to");
    let round = ask(&[&to[..], &["--avoid", "4.5,7.5,0.6", "--avoid", "4.5,8.2,0.3"]].concat());
    assert_eq!((code(&round), json(&round)["step"].as_str()), (0, Some("avoiding")));
    assert!(length(&round) > length(&free) + 0.05, "{} {}", length(&round), length(&free));
    let through = ask(&[&to[..], &["--avoid", "6,8.7,3"]].concat());
    assert_eq!((code(&through), json(&through)["step"].as_str()), (0, Some("ignoring")));
    assert_eq!(length(&through), length(&free));
    assert_eq!(json(&ask(&["--to", "barrels"]))["step"], "nearest");
    let far = json(&ask(&["--to", "-50,-50"]));
    assert_eq!((far["step"].as_str(), far["reason"].as_str()), (Some("nearest"), Some("goal_off_ground")));
    assert_eq!(far["to"], serde_json::json!([-50.0, 0.0, -50.0]));
    assert!(far["missed_by_m"].as_f64().unwrap() > 60.0 && far["snapped_to"][0].as_f64().unwrap() > 0.0);
    assert!(
        json(&cicerone(&["path", "tavern", "--from", "-50,-50", "--to", "bar_left", "--format", "json"]))["step"]
            .is_null()
    );
    let words = |more: &[&str]| {
        let args = ["path", "tavern", "--from", "6,9.5", "--to", "3,7.5", "--avoid", "6,8.7,3"];
        text(&cicerone(&[&args[..], more].concat()).stdout)
    };
    assert!(words(&[]).contains("step: ignoring"), "{}", words(&[]));
    assert!(words(&["--format", "ascii"]).contains("% in the way"));
    assert!(words(&["--format", "svg"]).contains(r#"<circle class="avoided""#));
    for bad in ["1,2", "1,2,0", "1,2,x"] {
        assert_eq!(code(&ask(&[&to[..], &["--avoid", bad]].concat())), 2, "{bad}");
    }
}

/// Cubics that follow each other meet in space, over steps, ramps and drops.
#[test]
fn curves_have_the_heights_of_the_floor() {
    let places = ["-9,0,-6", "8,1.2,-6", "6,0,0", "-5.5,0,5", "8,0,-1", "4.5,1.2,-3"];
    let (mut joints, mut levels) = (0, 0.0_f64);
    for (from, to) in places.iter().flat_map(|from| places.iter().map(move |to| (from, to))) {
        let ends = [format!("--from={from}"), format!("--to={to}")];
        let output = cicerone(&["path", "courtyard", &ends[0], &ends[1], "--curved", "--format", "json"]);
        let answer = json(&output);
        if answer["links"].is_array() {
            continue; // a curve ends where a crossing begins
        }
        let curve: Vec<[[f64; 3]; 4]> = serde_json::from_value(answer["curve"].clone()).unwrap_or_default();
        for pair in curve.windows(2) {
            let (end, begin) = (pair[0][3], pair[1][0]);
            assert!(
                (0..3).all(|axis| (end[axis] - begin[axis]).abs() < 1e-6),
                "{from} to {to}: {end:?} {begin:?}"
            );
            joints += 1;
        }
        let heights = curve.iter().flatten().map(|point| point[1]);
        levels = levels.max(heights.fold(0.0, f64::max));
    }
    assert!(joints > 50 && levels > 1.1, "{joints} joints, up to {levels} m");
}

/// A leg along a waypath stays straight, and is printed as that.
#[test]
fn curves_along_waypaths_are_straight_lines() {
    let ends = ["path", "lane", "--from", "gate", "--to", "shop", "--curved"];
    let answer = json(&cicerone(&[&ends[..], &["--format", "json"]].concat()));
    let curve: Vec<[[f64; 3]; 4]> = serde_json::from_value(answer["curve"].clone()).unwrap();
    let length_m: f64 = curve.iter().map(|[a, _, _, d]| (a[0] - d[0]).hypot(a[2] - d[2])).sum();
    assert!(answer["waypaths"].as_array().is_some_and(|steps| !steps.is_empty()), "{answer:#}");
    assert!((length_m - answer["length_m"].as_f64().unwrap()).abs() < 0.01, "{length_m} m: {answer:#}");
    let text = text(&cicerone(&ends).stdout);
    assert!(text.contains("curve: 25.09 m, 5 cubics"), "{text}");
}
