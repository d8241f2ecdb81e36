//! Bad rooms made of sectors: keys, and start points in a level.

use super::{Case, case};
use crate::common::project::Project;
use cicerone::problem::Problem;
use cicerone::runtime::check_room;

/// A room made of sectors whose second line is this.
fn yard(more: &str) -> String {
    format!("{{\"ground\": \"sectors\", \"geometry\": \"rooms/yard.obj\", \"agentRadius\": 0.3,\n{more}}}")
}

fn sectors(name: &'static str, more: &str, expected: &[&'static str]) -> Case {
    case(name, "r.json", yard(more), expected)
}

fn room(name: &'static str, text: &str, expected: &[&'static str]) -> Case {
    case(name, "r.json", text, expected)
}

#[rustfmt::skip] // one line a case
pub(super) fn cases() -> Vec<Case> {
    vec![
        room("no geometry", "{\"starts\": [[0, 0, 0]],\n\"ground\": \"sectors\"}", &["r.json:2:11: sectors are flooded in level geometry; this room has none (ground); give 'geometry': an .obj, .glb or .gltf file"]),
        room("a misspelt geometry", "{\"ground\": \"sectors\", \"starts\": [[0, 0, 0]],\n\"geometri\": \"rooms/yard.obj\"}", &["r.json:2:1: unknown key 'geometri' in the room (geometri); did you mean 'geometry'?"]),
        room("a navmesh", "{\"starts\": [[0, 0, 0]], \"geometry\": \"rooms/yard.json\",\n\"ground\": \"sectors\"}", &["r.json:1:37: sectors are flooded in level geometry; this file has polygons (geometry); give 'geometry': an .obj, .glb or .gltf file"]),
        room("polygons", "{\"starts\": [[0, 0, 0]], \"mesh\": {\"polygons\": [[[0,0,0],[1,0,0],[0,0,1]]]},\n\"ground\": \"sectors\"}", &["r.json:1:33: sectors are flooded in level geometry; a mesh has polygons (mesh); give 'geometry': an .obj, .glb or .gltf file"]),
        room("no starts", "{\"geometry\": \"rooms/yard.obj\",\n\"ground\": \"sectors\"}", &["r.json:2:11: sectors are flooded from 'starts'; this room has none (ground); give 'starts': [[x, y, z], ...], places on the floor"]),
        room("areas, and nothing else", "{\"areas\": [{\"name\": \"hall\", \"polygon\": [[0,0],[4,0],[4,4],[0,4]]}],\n\"ground\": \"sectors\"}", &["r.json:2:11: sectors are flooded in level geometry; this room has none (ground); give 'geometry': an .obj, .glb or .gltf file"]),
        room("a mask", "{\"mask\": \"a.png\", \"pixelsPerMetre\": 9, \"starts\": [[0, 0, 0]],\n\"ground\": \"sectors\"}", &["r.json:1:10: a mesh room has no mask (mask); leave out one of the two; a painted room has cells", "r.json:2:11: sectors are flooded in level geometry; this room has none (ground); give 'geometry': an .obj, .glb or .gltf file"]),
        room("unknown ground", "{\"geometry\": \"rooms/yard.obj\", \"starts\": [[0, 0, 0]],\n\"ground\": \"sector\"}", &["r.json:2:11: expected 'grid' or 'mesh' or 'sectors', found 'sector' (ground); did you mean 'sectors'?"]),
        sectors("misspelt starts", "\"start\": [[0, 0, 0]]", &["r.json:2:1: unknown key 'start' in the room (start); did you mean 'starts'?"]),
        sectors("starts: no list", "\"starts\": \"door\"", &["r.json:2:11: expected a list, found a string (starts); a list is written […]"]),
        sectors("starts: an object", "\"starts\": {\"x\": 0, \"y\": 0, \"z\": 0}", &["r.json:2:11: expected a list, found an object (starts); a list is written […]"]),
        sectors("starts: null", "\"starts\": null", &["r.json:2:11: expected a list, found null (starts); leave the key out to get its default"]),
        sectors("starts: empty", "\"starts\": []", &["r.json:2:11: starts needs at least 1 entry, found 0 (starts)"]),
        sectors("starts: one place", "\"starts\": [0, 0, 0]", &["r.json:2:11: expected a list of lists, found one of numbers (starts); write [[0, 0, 0]]"]),
        sectors("starts: no height", "\"starts\": [[0, 0]]", &["r.json:2:12: expected a place [x, y, z], found a list of 2 (starts[0]); add the height, y, in the middle"]),
        sectors("starts: four numbers", "\"starts\": [[0, 0, 0, 0]]", &["r.json:2:12: expected a place [x, y, z], found a list of 4 (starts[0])"]),
        sectors("starts: a word", "\"starts\": [[0, \"floor\", 0]]", &["r.json:2:16: expected a number, found a string (starts[0][1])"]),
        sectors("starts: the name of a point", "\"points\": {\"door\": [0, 0, 0]}, \"starts\": [\"door\"]", &["r.json:2:43: expected a place [x, y, z], found a string (starts[0])"]),
        sectors("starts: far away", "\"starts\": [[0, 0, 0], [0, 0, 2e6]]", &["r.json:2:30: a coordinate must be at most 1000000, found 2e6 (starts[1][2])"]),
        sectors("starts: infinity", "\"starts\": [[0, 1e400, 0]]", &["r.json:2:16: this number is too large to be held"]),
        sectors("starts: NaN", "\"starts\": [[NaN, 0, 0]]", &["r.json:2:13: JSON has no NaN; write a finite number, or leave the key out"]),
        sectors("starts: too many", &format!("\"starts\": [{}]", vec!["[0, 0, 0]"; 1_000_000].join(",")), &["r.json:2:11: starts may have at most 1000 entries, found 1000000 (starts)"]),
        sectors("boxSize: none", "\"starts\": [[0, 0, 0]], \"boxSize\": 0", &["r.json:2:35: boxSize must be at least 0.01, found 0 (boxSize)"]),
        sectors("boxSize: negative", "\"starts\": [[0, 0, 0]], \"boxSize\": -0.5", &["r.json:2:35: boxSize must be at least 0.01, found -0.5 (boxSize)"]),
        sectors("boxSize: huge", "\"starts\": [[0, 0, 0]], \"boxSize\": 1e9", &["r.json:2:35: boxSize must be at most 1000, found 1e9 (boxSize)"]),
        sectors("boxSize: a word", "\"starts\": [[0, 0, 0]], \"boxSize\": \"0.5\"", &["r.json:2:35: expected a number, found a string (boxSize); write 0.5 without quotes"]),
        sectors("boxSize: misspelt", "\"starts\": [[0, 0, 0]], \"boxsize\": 0.5", &["r.json:2:24: unknown key 'boxsize' in the room (boxsize); did you mean 'boxSize'?"]),
        sectors("cellSize", "\"starts\": [[0, 0, 0]], \"cellSize\": 0.5", &["r.json:2:36: sectors have boxes, not cells (cellSize); write 'boxSize' instead"]),
        sectors("crouchHeight: none", "\"starts\": [[0, 0, 0]], \"crouchHeight\": 0", &["r.json:2:40: crouchHeight must be at least 0.01, found 0 (crouchHeight)"]),
        sectors("crouchHeight: negative", "\"starts\": [[0, 0, 0]], \"crouchHeight\": -1", &["r.json:2:40: crouchHeight must be at least 0.01, found -1 (crouchHeight)"]),
        sectors("crouchHeight: misspelt", "\"starts\": [[0, 0, 0]], \"crouchHight\": 1", &["r.json:2:24: unknown key 'crouchHight' in the room (crouchHight); did you mean 'crouchHeight'?"]),
        sectors("minSectorBoxes: none", "\"starts\": [[0, 0, 0]], \"minSectorBoxes\": 0", &["r.json:2:42: minSectorBoxes must be at least 1, found 0 (minSectorBoxes)"]),
        sectors("minSectorBoxes: negative", "\"starts\": [[0, 0, 0]], \"minSectorBoxes\": -3", &["r.json:2:42: minSectorBoxes must be at least 1, found -3 (minSectorBoxes)"]),
        sectors("minSectorBoxes: a half", "\"starts\": [[0, 0, 0]], \"minSectorBoxes\": 1.5", &["r.json:2:42: minSectorBoxes must be a whole number, found 1.5 (minSectorBoxes)"]),
        sectors("minSectorBoxes: huge", "\"starts\": [[0, 0, 0]], \"minSectorBoxes\": 1e12", &["r.json:2:42: minSectorBoxes must be at most 1000000, found 1e12 (minSectorBoxes)"]),
        sectors("minSectorBoxes: misspelt", "\"starts\": [[0, 0, 0]], \"minSectorBox\": 2", &["r.json:2:24: unknown key 'minSectorBox' in the room (minSectorBox); did you mean 'minSectorBoxes'?"]),
        sectors("minPortalWidth: negative", "\"starts\": [[0, 0, 0]], \"minPortalWidth\": -0.1", &["r.json:2:42: minPortalWidth must be at least 0, found -0.1 (minPortalWidth)"]),
        sectors("minPortalWidth: huge", "\"starts\": [[0, 0, 0]], \"minPortalWidth\": 1001", &["r.json:2:42: minPortalWidth must be at most 1000, found 1001 (minPortalWidth)"]),
        sectors("minPortalWidth: misspelt", "\"starts\": [[0, 0, 0]], \"minPortalWith\": 1", &["r.json:2:24: unknown key 'minPortalWith' in the room (minPortalWith); did you mean 'minPortalWidth'?"]),
        room("keys of sectors in a room of cells", "{\"areas\": [{\"name\": \"hall\", \"polygon\": [[0,0],[4,0],[4,4],[0,4]]}],\n\"starts\": [[0, 0, 0]], \"boxSize\": 1, \"crouchHeight\": 1, \"minSectorBoxes\": 2, \"minPortalWidth\": 1}", &["r.json:2:11: 'starts' is for ground made of sectors (starts); write \"ground\": \"sectors\", or leave it out", "r.json:2:35: 'boxSize' is for ground made of sectors (boxSize); write \"ground\": \"sectors\", or leave it out", "r.json:2:54: 'crouchHeight' is for ground made of sectors (crouchHeight); write \"ground\": \"sectors\", or leave it out", "r.json:2:75: 'minSectorBoxes' is for ground made of sectors (minSectorBoxes); write \"ground\": \"sectors\", or leave it out", "r.json:2:96: 'minPortalWidth' is for ground made of sectors (minPortalWidth); write \"ground\": \"sectors\", or leave it out"]),
        room("a key of sectors in a room with voxels", "{\"geometry\": \"rooms/yard.obj\",\n\"boxSize\": 1}", &["r.json:2:12: 'boxSize' is for ground made of sectors (boxSize); write \"ground\": \"sectors\", or leave it out"]),
    ]
}

/// A yard with a thin wall, a low roof, and a steep ramp beside it.
const YARD: &str = "v 0 0 0\nv 10 0 0\nv 10 0 10\nv 0 0 10\nf 1 4 3 2\n\
    v 4.9 0 0\nv 5.1 0 0\nv 5.1 3 0\nv 4.9 3 0\nv 4.9 0 6\nv 5.1 0 6\nv 5.1 3 6\nv 4.9 3 6\n\
    f 5 9 12 8\nf 6 7 11 10\nf 8 12 11 7\nf 9 10 11 12\n\
    v 7 1.5 7\nv 9 1.5 7\nv 9 1.5 9\nv 7 1.5 9\nf 13 16 15 14\n\
    v 10 0 4\nv 12 4 0\nv 12 4 4\nf 2 17 19 18\n";

/// What is wrong with a room in a project with the yard.
fn problems(text: &str, level: &str) -> Vec<Problem> {
    let project = Project::new(&[("rooms/r.json", text), ("rooms/yard.obj", level)]);
    let folder = cicerone::project::Project::at(&project.path(""));
    check_room(&folder, "rooms/r.json", text.as_bytes()).err().map(|error| error.problems).unwrap_or_default()
}

#[test]
fn each_problem_is_told_once() {
    for case in cases().iter().chain(&super::ways::cases()) {
        let found = super::refused(case.file, &case.bytes).unwrap_or_default();
        assert_eq!(found.len(), case.expected.len(), "{}: {found:?}", case.name);
    }
}

#[test]
#[rustfmt::skip] // one line a case
fn levels_that_cannot_be_flooded_so() {
    // Far off there is another triangle.
    let far = format!("{YARD}v 2000 0 0\nv 2010 0 0\nv 2000 0 2000\nf 20 22 21\n");
    for (more, level, expected) in [
        ("\"starts\": [[2, 3, 2]]", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [2, 3, 2] is in the air, 3.00 m above the floor (starts[0]); lower it by 3.00 m"),
        ("\"starts\": [[2, 0, 2], [2, 20, 2]]", YARD, "2:23: geometry 'rooms/yard.obj': start 1 at [2, 20, 2] is in the air, 20.00 m above the floor (starts[1]); lower it by 20.00 m"),
        ("\"starts\": [[2, -1, 2]]", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [2, -1, 2] is in the air: there is no floor below it (starts[0]); give a place on the floor"),
        ("\"starts\": [[5, 0, 3]]", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [5, 0, 3] is inside geometry (starts[0]); give a place beside it, on the floor"),
        ("\"starts\": [[5, 1, 3]]", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [5, 1, 3] is inside geometry (starts[0]); give a place beside it, on the floor"),
        ("\"starts\": [[50, 0, 3]]", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [50, 0, 3] is outside the level: no triangle is above or below it (starts[0]); are y up and metres right? Give a place over the floor"),
        ("\"starts\": [[1e6, -1e6, 1e6]]", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [1000000, -1000000, 1000000] is outside the level"),
        ("\"starts\": [[1, 0, 9], [11, 2, 3]]", YARD, "2:23: geometry 'rooms/yard.obj': start 1 at [11, 2, 3] is on a slope that is too steep to stand on (starts[1]); give a place on level floor, or raise agentSlope"),
        ("\"starts\": [[11, 2.6, 3]]", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [11, 2.6, 3] is on a slope that is too steep"),
        ("\"starts\": [[8, 0, 8]]", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [8, 0, 8] has only 1.50 m of headroom (starts[0]); give a place with more headroom, or lower agentHeight"),
        ("\"starts\": [[8, 0, 8]], \"crouchHeight\": 1.5", YARD, "2:12: geometry 'rooms/yard.obj': start 0 at [8, 0, 8] has only 1.50 m of headroom"),
        ("\"starts\": [[2, 0, 2]], \"boxSize\": 0.05", &far, "2:35: geometry 'rooms/yard.obj': the flood would take about 18799 MiB of memory; a level of 15 triangles may take 516 MiB at most (boxSize); raise boxSize to 0.31 m or more, or remove objects that lie far outside"),
        ("\"starts\": [[2, 0, 2]], \"crouchHeight\": 5", YARD, "2:40: geometry 'rooms/yard.obj': crouchHeight is 5, but must be from 0.25 (agentClimb) to 1.8 (agentHeight) (crouchHeight); give crouchHeight a number from 0.25 (agentClimb) to 1.8 (agentHeight)"),
        ("\"starts\": [[2, 0, 2]], \"agentHeight\": 0.9, \"crouchHeight\": 1", YARD, "2:60: geometry 'rooms/yard.obj': crouchHeight is 1, but must be from 0.25 (agentClimb) to 0.9 (agentHeight) (crouchHeight)"),
        ("\"starts\": [[2, 0, 2]], \"crouchHeight\": 0.2", YARD, "2:40: geometry 'rooms/yard.obj': crouchHeight is 0.2, but must be from 0.25 (agentClimb) to 1.8 (agentHeight) (crouchHeight)"),
        ("\"starts\": [[2, 0, 2]], \"agentClimb\": 2", YARD, "2:38: geometry 'rooms/yard.obj': agentClimb is 2, but must be from 0 to 1.8 (agentHeight) (agentClimb); give agentClimb a number from 0 to 1.8 (agentHeight)"),
        ("\"starts\": [[2, 0, 2]], \"boxSize\": 0.01", YARD, "1:68: geometry 'rooms/yard.obj': agentRadius is 0.3, but must be from 0 to 0.2 (20 times boxSize) (agentRadius); give agentRadius a number from 0 to 0.2 (20 times boxSize)"),
        ("\"starts\": [[2, 0, 2]], \"minSectorBoxes\": 10000", YARD, "2:42: geometry 'rooms/yard.obj': all sectors are left out: the largest has 210 boxes, and minSectorBoxes is 10000 (minSectorBoxes); lower minSectorBoxes to 210 or less"),
        ("\"starts\": [[2, 0, 2]], \"minPortalWidth\": 100", YARD, "1:68: geometry 'rooms/yard.obj': all flooded ground is too narrow for an agentRadius of 0.3 m (agentRadius); lower agentRadius or minPortalWidth; are the level's units metres?"),
        ("\"starts\": [[2, 0, 2]], \"links\": [{\"name\": \"a\", \"from\": [2, 0, 2], \"to\": [40, 0, 2]}]", YARD, "2:73: no ground within 1 m of this end of 'a' (links[0].to); the nearest walkable point is [9.95, 4.55]"),
        ("\"starts\": [[2, 0, 2]], \"waypaths\": [{\"name\": \"a\", \"points\": [{\"at\": [2, 0, 2]}, {\"at\": [40, 0, 2]}]}]", YARD, "2:88: no ground within 1 m of waypoint 2 of 'a' (waypaths[0].points[1].at); the nearest walkable point is [9.95, 4.55]"),
        ("\"starts\": [[2, 0, 2]], \"waypaths\": [{\"name\": \"a\", \"points\": [{\"at\": [2, 0, 2]}, {\"at\": [8, 0, 2]}]}]", YARD, "2:88: 'a' leaves the ground between waypoints 1 and 2 (waypaths[0].points[1].at); it ends at about [4.45, 2.00]; lead it round, or let them jump with \"jump\": true"),
    ] {
        let found: Vec<String> = problems(&yard(more), level).iter().map(Problem::to_string).collect();
        match (&found[..], expected) {
            ([], "") => {}
            ([one], expected) if !expected.is_empty() => assert!(one.starts_with(&format!("rooms/r.json:{expected}")), "{more}: {one}"),
            _ => panic!("{more}: {found:?}, not {expected}"),
        }
    }
}
