//! Rooms that give their polygons.

use super::*;
use crate::room::{GroundKind, PlannerKind, Room, parse_with};
use glam::DVec2;

fn parse(text: &str, dump: &str) -> Result<Room, String> {
    let read = |name: &str| match name {
        "rooms/level.json" => Ok(dump.as_bytes().to_vec()),
        _ => Err("there is no such file".into()),
    };
    parse_with("r", text.as_bytes(), None, &read)
        .map(|parsed| parsed.room)
        .map_err(|report| report.to_string())
}

fn room(text: &str) -> Room {
    parse(text, "").unwrap()
}

/// The pairs of polygons that are joined, in each direction.
fn joined(mesh: &MeshPolygons) -> Vec<(usize, u32)> {
    let polygons = mesh.polygons.iter().enumerate();
    polygons
        .flat_map(|(number, polygon)| {
            polygon.neighbours.iter().flatten().map(move |&behind| (number, behind))
        })
        .collect()
}

/// A hall, a ramp that leads up from a part of its edge, and a loft.
const HOUSE: &str = r#"{"mesh": {"polygons": [
    [[0,0,0], [4,0,0], [4,0,4], [0,0,4]],
    [[4,0,1], [8,3,1], [8,3,2], [4,0,2]],
    [[8,3,0], [9,3,0], [9,3,4], [8,3,4]]
]}, "areas": [{"name": "loft", "polygons": [2]}]}"#;

#[test]
fn polygons_are_joined_where_their_edges_lie_on_each_other() {
    let room = room(HOUSE);
    assert_eq!(room.ground.kind, GroundKind::Mesh);
    let mesh = room.mesh.as_ref().unwrap();
    assert_eq!(joined(mesh), [(0, 1), (1, 2), (1, 0), (2, 1)]);
    // The edge of the hall is split where the ramp begins and ends.
    assert_eq!((mesh.vertices.len(), mesh.polygons[0].corners.len()), (12, 6));
    assert_eq!(room.areas[0].mesh_polygons, [2]);
    assert_eq!(room.areas[0].polygon.len(), 4, "its outline, for pictures");
    let copy = Room::clone(&room);
    let text = copy.to_json().unwrap().to_string();
    assert_eq!(parse(&text, "").unwrap().mesh, room.mesh, "written and read again");
}

#[test]
fn portals_of_the_file_are_the_only_ones() {
    let with =
        |portals: &str| HOUSE.replace("]}, \"areas\"", &format!("], \"portals\": [{portals}]}}, \"areas\""));
    let ramp = r#"{"from": 0, "to": 1, "ends": [[4,0,1], [4,0,2]]}"#;
    let drop = r#"{"from": 2, "to": 1, "ends": [[8,3,1.2], [8,3,1.8]], "oneWay": true}"#;
    let room = room(&with(&format!("{ramp}, {drop}")));
    assert_eq!(joined(room.mesh.as_ref().unwrap()), [(0, 1), (1, 0), (2, 1)]);
    let fault = |portals: &str| parse(&with(portals), "").unwrap_err();
    let apart = r#"{"from": 0, "to": 2, "ends": [[4,0,1], [4,0,2]]}"#;
    assert_eq!(
        fault(apart),
        "r:5:16: portal 0 does not touch polygon 2: [4, 0, 1] to [4, 0, 2] is not on one of its edges \
         (mesh.portals[0])"
    );
    let nowhere = r#"{"from": 0, "to": 9, "ends": [[4,0,1], [4,0,2]]}"#;
    assert_eq!(
        fault(nowhere),
        "r:5:16: portal 0 names polygon 9; there are 3, counted from 0 (mesh.portals[0])"
    );
}

#[test]
fn portals_that_overlap_or_lie_beside_both_polygons_are_refused() {
    let with = |polygon: &str, portals: &str| {
        let text = format!(
            r#"{{"mesh": {{"polygons": [[[0,0,0], [4,0,0], [4,0,4], [0,0,4]], [[4,0,0], [8,0,0], [8,0,4], [4,0,4]], {polygon}],
            "portals": [{portals}]}}}}"#
        );
        parse(&text, "").map(|_| ()).unwrap_err()
    };
    let stair = "[[4,0,0], [8,4,0], [8,4,4], [4,0,4]]";
    let portal = |to: u32, from_z: u32, to_z: u32| {
        format!(r#"{{"from": 0, "to": {to}, "ends": [[4,0,{from_z}], [4,0,{to_z}]]}}"#)
    };
    assert_eq!(
        with(stair, &format!("{}, {}", portal(1, 0, 3), portal(2, 2, 4))),
        "r:1:24: polygon 0 is joined with polygon 1 and with polygon 2 at the same stretch of its edge from [4, 0, 0] to \
         [4, 0, 4] (mesh.polygons[0]); portals of one edge may touch, but not overlap"
    );
    let gallery = "[[0,4,0], [4,4,0], [4,4,4], [0,4,4]]";
    assert_eq!(
        with(gallery, r#"{"from": 2, "to": 0, "ends": [[4,4,0], [4,4,2]], "oneWay": true}"#),
        "r:2:25: portal 0 has polygon 2 and polygon 0 on the same side, seen from above (mesh.portals[0]); a portal lies \
         between its polygons"
    );
}

/// Below the edge of a balcony, others walk over the border onto which one drops.
#[test]
fn a_portal_down_a_ledge_may_lie_over_others() {
    let text = r#"{"mesh": {"polygons": [
            [[0,0,0], [4,0,0], [4,0,4], [0,0,4]], [[4,0,0], [8,0,0], [8,0,4], [4,0,4]], [[0,3,0], [4,3,0], [4,3,4], [0,3,4]]],
        "portals": [
            {"from": 0, "to": 1, "ends": [[4,0,0], [4,0,3]]},
            {"from": 2, "to": 1, "ends": [[4,3,1], [4,3,4]], "oneWay": true}]}}"#;
    let mesh = parse(text, "").unwrap().mesh.unwrap();
    let leads: Vec<Vec<Option<u32>>> =
        mesh.polygons.iter().map(|polygon| polygon.neighbours.clone()).collect();
    // Cut at z of 1 and 3.
    assert_eq!(leads[0], [None, Some(1), Some(1), None, None, None]);
    assert_eq!(leads[1], [None, None, None, None, Some(0), Some(0)]);
    assert_eq!(leads[2], [None, None, Some(1), Some(1), None, None]);
}

#[test]
fn keys_of_a_mesh_that_do_not_go_together_are_refused() {
    let fault = |mesh: &str| parse(&format!(r#"{{"mesh": {{{mesh}}}}}"#), "").map(|_| ()).unwrap_err();
    let polygons = r#""polygons": [[[0,0,0], [4,0,0], [4,0,4]]]"#;
    let vertices = r#""vertices": [[0,0,0], [4,0,0], [4,0,4]]"#;
    let faces = format!(r#"{vertices}, "faces": [[0, 1, 2]]"#);
    for (mesh, what) in [
        (format!(r#"{polygons}, "neighbours": [[-1,-1,-1]]"#), "'neighbours' does not go with 'polygons'"),
        (format!("{polygons}, {vertices}"), "'vertices' does not go with 'polygons'"),
        (format!(r#"{faces}, "portals": []"#), "'portals' does not go with 'faces'"),
        (r#""faces": [[0, 1, 2]]"#.to_owned(), "'faces' needs 'vertices'"),
        (
            format!(r#"{faces}, "neighbours": [[-1,-1,-1], [-1,-1,-1]]"#),
            "there are neighbours for 2 of 1 faces",
        ),
    ] {
        let found = fault(&mesh);
        assert!(found.starts_with("r:1:") && found.contains(what), "{found}");
    }
    let area = HOUSE.replace(r#""polygons": [2]}"#, r#""polygons": [2], "y": [0, 9]}"#);
    let found = parse(&area, "").map(|_| ()).unwrap_err();
    assert!(found.contains("area 'loft' names its polygons, so 'y' has no effect (areas[0].y)"), "{found}");
}

#[test]
fn faults_of_polygons_are_told_with_their_place() {
    let fault = |polygon: &str| {
        parse(&HOUSE.replace("[[8,3,0], [9,3,0], [9,3,4], [8,3,4]]", polygon), "").unwrap_err()
    };
    assert_eq!(
        fault("[[8,3,0], [9,3,0], [8.1,3,0.1], [8,3,4]]"),
        "r:4:5: polygon 2 is not convex: the corner [8.1, 3, 0.1] points inwards; split it into convex polygons \
         (mesh.polygons[2])"
    );
    assert_eq!(
        fault("[[8,3,0], [9,3,0], [10,3,0]]"),
        "r:4:5: polygon 2 has no area seen from above: all its corners are on one line (mesh.polygons[2])"
    );
    assert_eq!(
        fault("[[8,3,0], [9,3,0], [9,3,0]]"),
        "r:4:5: polygon 2 has the corner [9, 3, 0] twice (mesh.polygons[2])"
    );
    assert_eq!(
        fault("[[3,0.1,0], [5,0.1,0], [5,0.1,1], [3,0.1,1]]"),
        "r:4:5: polygon 2 lies on polygon 0 around [3.50, 0.10, 0.50]; polygons of one storey may not overlap \
         (mesh.polygons[2]); cut one of them, or raise one by 0.5 m or more"
    );
    assert_eq!(
        fault("[[8,0,0], [9,0,0], [9,2,0], [8,2,0]]"),
        "r:4:5: polygon 2 stands upright: two of its corners lie above each other at [9, 2, 0] (mesh.polygons[2]); \
         leave walls out: a polygon is a floor, seen from above"
    );
    assert!(fault("[[8,3,0], [9,1e99,0], [9,3,4]]").contains("mesh.polygons[2]"));
    assert!(parse(r#"{"mesh": {"polygons": []}}"#, "").unwrap_err().contains("mesh.polygons"));
}

#[test]
fn areas_with_outlines_cut_the_polygons() {
    let text = HOUSE.replace(
        r#"{"name": "loft", "polygons": [2]}"#,
        r#"{"name": "gate", "polygon": [[5,0],[6,0],[6,4],[5,4]]},
           {"name": "corner", "polygon": [[3,3],[5,3],[5,5],[3,5]], "y": [-1, 1]}"#,
    );
    let room = room(&text);
    let mesh = room.mesh.as_ref().unwrap();
    let square_metres = |area: usize| -> f64 {
        let flat = |polygon: &RawPolygon| -> Vec<DVec2> {
            polygon.corners.iter().map(|&c| mesh.vertices[c as usize]).map(|v| DVec2::new(v.x, v.z)).collect()
        };
        let polygons =
            room.areas[area].mesh_polygons.iter().map(|&polygon| flat(&mesh.polygons[polygon as usize]));
        polygons.map(|corners| crate::geometry::doubled_area(&corners).abs() / 2.0).sum()
    };
    assert!((square_metres(0) - 1.0).abs() < 1e-9, "one metre of the ramp");
    assert!((square_metres(1) - 1.0).abs() < 1e-9, "the corner of the hall");
    let middle = mesh.vertices.iter().find(|vertex| vertex.x == 5.0).unwrap();
    assert_eq!(middle.y, 0.75, "heights on a cut are those of the slope");
    let off = text.replace("[-1, 1]", "[5, 9]");
    assert!(parse(&off, "").unwrap_err().contains("no polygon of the mesh lies in this area"));
}

#[test]
fn a_room_may_name_a_navmesh_file() {
    let text = r#"{"geometry": "rooms/level.json", "areas": [{"name": "end", "polygons": [1]}]}"#;
    let dump = r#"{"verts": [[0,0,0],[1,0,0],[1,0,1],[0,0,1],[2,0,0],[2,0,1]],
        "polys": [{"v": [0,1,2,3], "n": [-1,1,-1,-1]}, {"v": [1,4,5,2], "n": [-1,-1,-1,0]}], "moves": []}"#;
    let mesh = parse(text, dump).unwrap().mesh.unwrap();
    assert_eq!(joined(&mesh), [(0, 1), (1, 0)]);
    let fault = |dump: &str| parse(text, dump).unwrap_err();
    assert!(
        fault("{").starts_with("r:1:14: geometry rooms/level.json:1:1: it is no navmesh:"),
        "{}",
        fault("{")
    );
    let other = text.replace("level.json", "other.json");
    assert!(parse(&other, dump).unwrap_err().contains("geometry 'rooms/other.json': there is no such file"));
    let unknown = text.replace("[1]", "[7]");
    assert!(parse(&unknown, dump).unwrap_err().contains("there is no polygon 7"));
}

#[test]
fn a_planner_is_for_rooms_of_cells() {
    let areas = r#""areas": [{"name": "hall", "polygon": [[0, 0], [4, 0], [4, 4]]}]"#;
    let planner =
        |before: &str, name: &str| parse(&format!(r#"{{{before}"planner": "{name}", {areas}}}"#), "");
    assert_eq!(planner("", "any-angle").unwrap().ground.planner, PlannerKind::AnyAngle);
    assert!(planner("", "any-angle").unwrap().ground.has_polygons_of_cells());
    assert_eq!(planner("", "grid").unwrap().ground.planner, PlannerKind::Grid);
    let again = planner("", "any-angle").unwrap().to_json().unwrap().to_string();
    assert_eq!(parse(&again, "").unwrap().ground.planner, PlannerKind::AnyAngle, "written and read again");
    // A mesh has paths of any angle anyway.
    let mesh = planner(r#""ground": "mesh", "#, "any-angle").unwrap();
    assert!(mesh.ground.kind == GroundKind::Mesh && !mesh.ground.has_polygons_of_cells());
    let refused = planner(r#""ground": "mesh", "#, "grid").unwrap_err();
    assert!(refused.contains("a mesh has no cells") && refused.contains("leave 'planner' out"), "{refused}");
    let unknown = planner("", "any-angel").unwrap_err();
    assert!(unknown.contains("any-angle"), "{unknown}");
}

#[test]
fn keys_that_do_not_go_together_are_refused() {
    let fault = |text: &str| parse(text, "").unwrap_err();
    let with = |more: &str| HOUSE.replacen('{', &format!("{{{more}, "), 1);
    assert!(fault(&with(r#""ground": "grid""#)).contains("a room with 'mesh' or 'geometry' has no cells"));
    assert!(fault(&with(r#""geometry": "rooms/level.json""#)).contains("not both"));
    let table = r#""obstacles": [{"polygon": [[1,1],[2,1],[2,2]]}]"#;
    assert!(fault(&with(table)).contains("obstacles are for ground made of areas"));
    let plain = r#"{"areas": [{"name": "a", "polygon": [[0,0],[1,0],[1,1]], "y": [0, 1]}]}"#;
    assert!(fault(plain).contains("'y' is for rooms with 'mesh' or 'geometry'"));
    let upside_down = r#""areas": [{"name": "a", "polygon": [[0,0],[1,0],[1,1]], "y": [1, 0]}]"#;
    assert!(fault(&with(upside_down)).contains("the lowest height is above the greatest"));
}

/// A platform 2 m above a floor: the edge x = 4 of the one is above that of the other.
fn ledge(floor_first: bool, portal: &str, areas: &str) -> String {
    let floor = "[[4,0,0], [8,0,0], [8,0,4], [4,0,4]]";
    let platform = "[[0,2,0], [4,2,0], [4,2,4], [0,2,4]]";
    let both = if floor_first { format!("{floor}, {platform}") } else { format!("{platform}, {floor}") };
    format!(r#"{{"mesh": {{"polygons": [{both}], "portals": [{portal}]}}, "areas": [{areas}]}}"#)
}

/// The heights of the corners of a polygon.
fn heights(mesh: &MeshPolygons, polygon: usize) -> Vec<f64> {
    mesh.polygons[polygon].corners.iter().map(|&corner| mesh.vertices[corner as usize].y).collect()
}

/// No edge of any polygon is a point, seen from above.
fn assert_no_edge_is_a_point(mesh: &MeshPolygons) {
    for polygon in &mesh.polygons {
        let at = |corner: &u32| mesh.vertices[*corner as usize];
        for (a, b) in polygon.corners.iter().zip(polygon.corners.iter().cycle().skip(1)) {
            let along = at(b) - at(a);
            assert!(libm::hypot(along.x, along.z) > 1e-3, "{polygon:?}");
        }
    }
}

#[test]
fn portals_down_a_ledge_leave_the_heights_of_both_floors() {
    for (floor_first, upper, lower) in [(false, 0, 1), (true, 1, 0)] {
        for [from, to] in [[1.0, 3.0], [0.0, 4.0], [0.0, 1.0]] {
            for (y, one_way) in [(2, true), (0, true), (1, false)] {
                let portal = format!(
                    r#"{{"from": {upper}, "to": {lower}, "ends": [[4,{y},{from}], [4,{y},{to}]], "oneWay": {one_way}}}"#
                );
                let plain = room(&ledge(floor_first, &portal, ""));
                let mesh = plain.mesh.as_ref().unwrap();
                assert!(heights(mesh, upper).iter().all(|height| *height == 2.0), "{portal}: {mesh:?}");
                assert!(heights(mesh, lower).iter().all(|height| *height == 0.0), "{portal}: {mesh:?}");
                assert_no_edge_is_a_point(mesh);
                let down = (upper, lower as u32);
                let mut ways = vec![down, (lower, upper as u32)];
                ways.retain(|way| !one_way || *way == down);
                ways.sort();
                assert_eq!(joined(mesh), ways, "{portal}");
                let text = Room::clone(&plain).to_json().unwrap().to_string();
                assert_eq!(parse(&text, "").unwrap().mesh, plain.mesh, "written and read again");
                // An outline over the lower floor keeps the portal, the heights and the direction.
                let pool = r#"{"name": "pool", "polygon": [[3,2],[6,2],[6,5],[3,5]], "y": [-1, 1]}"#;
                let cut = room(&ledge(floor_first, &portal, pool));
                let mesh = cut.mesh.as_ref().unwrap();
                assert_no_edge_is_a_point(mesh);
                let height_of = |polygon: usize| {
                    let all = heights(mesh, polygon);
                    assert!(all.iter().all(|height| *height == all[0]), "{portal}: {mesh:?}");
                    all[0]
                };
                let steps: Vec<bool> = joined(mesh)
                    .iter()
                    .map(|&(here, there)| [height_of(here), height_of(there as usize)])
                    .filter(|[here, there]| here != there)
                    .map(|[here, there]| here > there)
                    .collect();
                let count = if to <= 2.0 { 1 } else { 2 };
                assert_eq!(steps.iter().filter(|down| **down).count(), count, "{portal}: {mesh:?}");
                assert_eq!(steps.len(), if one_way { count } else { 2 * count }, "{portal}");
                assert!(!cut.areas[0].mesh_polygons.is_empty());
            }
        }
    }
}

#[test]
fn walls_beside_a_portal_stay_walls_when_areas_cut_the_polygons() {
    let portal = r#"{"from": 0, "to": 1, "ends": [[4,0,1], [4,0,2]]}"#;
    let pool = r#"{"name": "pool", "polygon": [[5,-1],[6,-1],[6,5],[5,5]]}"#;
    let level = ledge(false, portal, pool).replace(",2,", ",0,");
    let mesh = room(&level).mesh.clone().unwrap();
    let place = |corner: u32| mesh.vertices[corner as usize];
    for polygon in &mesh.polygons {
        for (edge, behind) in polygon.neighbours.iter().enumerate() {
            let next = polygon.corners[(edge + 1) % polygon.corners.len()];
            let [a, b] = [place(polygon.corners[edge]), place(next)];
            let is_portal = a.z.min(b.z) == 1.0 && a.z.max(b.z) == 2.0;
            assert!(a.x != 4.0 || b.x != 4.0 || behind.is_some() == is_portal, "{a} {b} {behind:?}");
        }
    }
}

#[test]
fn portals_far_above_or_below_their_edges_are_refused() {
    let fault = |y: &str| {
        let portal = format!(r#"{{"from": 0, "to": 1, "ends": [[4,{y},1], [4,{y},3]], "oneWay": true}}"#);
        parse(&ledge(false, &portal, ""), "").map(|_| ()).unwrap_err()
    };
    let found = fault("50");
    assert_eq!(
        found,
        "r:1:113: portal 0 is not at the height of its polygons: its end [4, 50, 1] is 50.00 m high, there the edge of \
         polygon 0 is 2.00 m high and that of polygon 1 is 0.00 m high (mesh.portals[0]); give a height from 0.00 to \
         2.00 m"
    );
    assert!(fault("-1").contains("[4, -1, 1] is -1.00 m high"), "{}", fault("-1"));
}

/// Polygons on each other on one floor, in each form.
#[test]
fn overlaps_are_found_in_every_form() {
    let words = "polygon 1 lies on polygon 0 around [1.50, 0.00, 0.50]";
    let faces = r#"{"mesh": {"vertices": [[0,0,0],[2,0,0],[2,0,1],[0,0,1],[1,0,0],[3,0,0],[3,0,1],[1,0,1]],
        "faces": [[0,1,2,3],
        [4,5,6,7]]}}"#;
    let found = parse(faces, "").map(|_| ()).unwrap_err();
    assert!(
        found.contains(words) && found.starts_with("r:3:9") && found.contains("mesh.faces[1]"),
        "{found}"
    );
    let dump = r#"{"verts": [[0,0,0],[2,0,0],[2,0,1],[0,0,1],[1,0,0],[3,0,0],[3,0,1],[1,0,1]],
        "polys": [{"v": [0,1,2,3]}, {"v": [4,5,6,7]}]}"#;
    let found = parse(r#"{"geometry": "rooms/level.json"}"#, dump).map(|_| ()).unwrap_err();
    assert!(found.contains(words) && found.contains("geometry 'rooms/level.json'"), "{found}");
    let polygons = r#"{"mesh": {"polygons": [[[0,0,0],[2,0,0],[2,0,1],[0,0,1]],
        [[1,0,0],[3,0,0],[3,0,1],[1,0,1]]]}}"#;
    assert!(parse(polygons, "").map(|_| ()).unwrap_err().contains(words));
    // Above each other they may lie, in each form.
    for (text, dump) in [(faces, ""), (polygons, ""), (r#"{"geometry": "rooms/level.json"}"#, dump)] {
        let raise = |text: &str| {
            let upper = ["[1,0,0]", "[3,0,0]", "[3,0,1]", "[1,0,1]"];
            upper
                .iter()
                .fold(text.to_owned(), |text, corner| text.replace(corner, &corner.replace(",0,", ",3,")))
        };
        parse(&raise(text), &raise(dump)).unwrap();
    }
}

#[test]
fn polygons_with_too_many_corners_are_refused_in_every_form() {
    let corners: Vec<String> = (0..1200)
        .map(|i| f64::from(i) * std::f64::consts::TAU / 1200.0)
        .map(|angle| format!("[{},0,{}]", 900.0 * libm::cos(angle), 900.0 * libm::sin(angle)))
        .collect();
    let numbers: Vec<String> = (0..1200).map(|i: u32| i.to_string()).collect();
    let (corners, numbers) = (corners.join(","), numbers.join(","));
    let words = "polygon 0 has 1200 corners; at most 1000 are possible";
    let faces = format!(r#"{{"mesh": {{"vertices": [{corners}], "faces": [[{numbers}]]}}}}"#);
    let found = parse(&faces, "").map(|_| ()).unwrap_err();
    assert!(found.contains(words) && found.contains("mesh.faces[0]"), "{found}");
    let dump = format!(r#"{{"verts": [{corners}], "polys": [{{"v": [{numbers}]}}]}}"#);
    let found = parse(r#"{"geometry": "rooms/level.json"}"#, &dump).map(|_| ()).unwrap_err();
    assert!(found.contains(words), "{found}");
    let polygons = format!(r#"{{"mesh": {{"polygons": [[{corners}]]}}}}"#);
    let found = parse(&polygons, "").map(|_| ()).unwrap_err();
    assert!(found.contains(words) && found.contains("mesh.polygons[0]"), "{found}");
}
