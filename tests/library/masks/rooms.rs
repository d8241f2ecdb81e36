//! What painted rooms are made of: doors that are colours, hotspots, polygons on top, and what is said of a bad file.

use crate::common::painted::{painted, png_from, png_of};
use cicerone::nav::{Disc, NoPath, Outcome, Position, Query, Step};
use cicerone::plan::{Hindrance, find_path};
use cicerone::room::{Room, parse_with};
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{Command, World};
use glam::{DVec2, dvec2};

/// Two chambers with a door between them, and a switch on the wall.
const CHAMBERS: &str = "
    ####################
    #.......#....RR....#
    #.......#....RR....#
    #.......d..........#
    #.......d..........#
    #.......#..........r
    ####################";

const DOOR: &str = r#", "sampleRate": 2, "agentRadius": 0.3, "objectPadding": 0,
    "areas": [{"name": "door", "paint": {"channel": "green", "bit": 7}, "available": false}],
    "hotspots": [
        {"name": "rug", "paint": {"channel": "red", "value": 10}, "walkTo": "middle", "cursor": "sit"},
        {"name": "all", "polygon": [[9, 1], [19, 1], [19, 6], [9, 6]]}
    ],
    "points": {"middle": [14, 4]},
    "characters": [{"name": "ada", "at": [2.5, 2.5], "player": true}]"#;

fn chambers() -> World {
    World::new(painted(&png_from(CHAMBERS), DOOR), 1).unwrap()
}

#[test]
fn a_painted_door_opens_and_closes_like_any_other() {
    let mut world = chambers();
    let (from, to) = (dvec2(2.5, 2.5), dvec2(14.0, 4.0));
    assert_eq!(world.find_path(from, to).outcome, Outcome::Partial);
    let explanation = world.explain_path(from, to, u64::MAX).unwrap();
    assert_eq!(explanation.hindrances, [Hindrance::Closed(vec!["door".into()])]);
    let open = |available| Command::SetAreaAvailable { area: "door".into(), available };
    world.apply(open(true)).unwrap();
    assert_eq!(world.find_path(from, to).outcome, Outcome::Complete);
    // The ground is that of a room that was opened with the door as it is.
    let mut fresh = world.room().clone();
    fresh.areas[0].available = true;
    assert_eq!(
        world.ground().as_grid().unwrap().words(),
        Surface::new(&fresh).unwrap().as_grid().unwrap().words()
    );
    let who = world.characters()[0].id;
    world.apply(Command::Teleport { who, to: dvec2(8.5, 3.5).into() }).unwrap();
    assert!(world.ground().area_contains(world.area_named("door").unwrap(), dvec2(8.5, 3.5)));
    world.apply(open(false)).unwrap();
    assert!(world.ground().is_walkable(world.characters()[0].position), "evicted");
    assert_eq!(world.find_path(from, to).outcome, Outcome::Partial);
    world.apply(open(true)).unwrap();
    world.apply(Command::Use { who, object: "rug".into() }).unwrap();
    (0..1200).for_each(|_| world.tick());
    assert!(
        world.characters()[0].position.distance(Position::on_ground(to)) <= 0.05,
        "it stands where the rug is used from"
    );
    let used = world.take_events().into_iter().filter(|event| event.kind.name() == "used").count();
    assert_eq!(used, 1);
}

#[test]
fn hotspots_are_told_apart_and_the_first_is_on_top() {
    let world = chambers();
    let room = world.room();
    let at = |x: f64, z: f64| room.hotspot_at(dvec2(x, z)).map(|hotspot| hotspot.name.as_str());
    assert_eq!(
        [at(13.1, 1.1), at(14.9, 2.9), at(12.9, 1.5), at(15.1, 2.5)],
        [Some("rug"), Some("rug"), Some("all"), Some("all")]
    );
    assert_eq!(
        [at(19.5, 5.5), at(2.0, 2.0), at(-1.0, 3.0), at(1e9, 3.0), at(f64::NAN, 3.0)],
        [Some("rug"), None, None, None, None]
    );
    let rug = room.hotspot_named("rug").unwrap();
    assert_eq!((rug.walk_to, rug.painted.as_ref().unwrap().id()), (Some(dvec2(14.0, 4.0).into()), Some(10)));
    for hotspot in &room.hotspots {
        let found = room.hotspot_at(hotspot.spot).map(|found| found.name.as_str());
        assert_eq!(found, Some(hotspot.name.as_str()));
    }
    assert_eq!(at(rug.spot.x, rug.spot.y), Some("rug"));
}

#[test]
fn obstacles_and_polygons_come_on_top() {
    let more = r#", "sampleRate": 1, "neighbours": 8, "agentRadius": 0.3, "objectPadding": 0,
        "areas": [{"name": "bridge", "polygon": [[7, 2], [10, 2], [10, 3], [7, 3]]}],
        "obstacles": [{"name": "chest", "polygon": [[11, 3], [13, 3], [13, 6], [11, 6]]}]"#;
    let room = painted(&png_from(&CHAMBERS.replace('d', "#")), more);
    let ground = Surface::new(&room).unwrap();
    assert!(ground.is_walkable(dvec2(8.5, 2.5)), "the bridge leads through the wall");
    assert!(!ground.is_walkable(dvec2(8.5, 3.5)) && !ground.is_walkable(dvec2(12.5, 4.5)));
    assert!(ground.is_walkable(dvec2(12.5, 2.5)));
}

#[test]
fn depth_bands_scale_from_one_end_to_the_other() {
    let bands = r#", "depthBands": [{"name": "near", "z": [4, 6], "scale": 2}, {"name": "far", "z": [1, 3], "scale": [0.5, 1]}]"#;
    let room = painted(&png_from(CHAMBERS), bands);
    let depth = |z: f64| room.depth_at(z).map(|(band, scale)| (band.name.clone().unwrap(), scale)).unwrap();
    for (z, name, scale) in [
        (0.0, "far", 0.5),
        (1.0, "far", 0.5),
        (2.0, "far", 0.75),
        (3.2, "far", 1.0),
        (3.8, "near", 2.0),
        (9.0, "near", 2.0),
    ] {
        assert_eq!(depth(z), (name.to_owned(), scale), "{z}");
    }
    assert!(chambers().room().depth_at(1.0).is_none());
}

#[test]
fn a_painted_room_is_written_out_and_read_again() {
    let png = png_from(CHAMBERS);
    let more = DOOR.replace(
        "\"sampleRate\": 2",
        r##""sampleRate": 2.5, "neighbours": 8, "sampling": "cover", "shortening": "pull",
        "walkable": ["floor", {"channel": "blue", "bit": 7}], "colours": {"floor": "#0000ff"}"##,
    );
    let room = painted(&png, &more);
    let text = room.to_json().unwrap().to_string();
    let again = parse_with("rooms/painted.json", text.as_bytes(), None, &|_| Ok(png.clone())).unwrap().room;
    assert_eq!(again, room);
}

fn refused(more: &str) -> String {
    let text = format!("{{{more}}}");
    let read = |file: &str| match file {
        "rooms/mask.png" => Ok(png_from(CHAMBERS)),
        "rooms/text.png" => Ok(b"no image at all".to_vec()),
        _ => Err("there is no such file".into()),
    };
    match parse_with("r.json", text.as_bytes(), None, &read) {
        Ok(_) => panic!("accepted: {text}"),
        Err(report) => report.to_string(),
    }
}

#[test]
fn what_makes_no_sense_is_told_with_its_place() {
    const MASK: &str = r#""mask": "rooms/mask.png", "pixelsPerMetre": 1"#;
    let mut wrong = Vec::new();
    for (more, expected) in [
        (
            r#""mask": "rooms/mask.png""#,
            "r.json:1:10: a mask needs 'pixelsPerMetre' beside it (mask); write how many pixels a metre takes: \"pixelsPerMetre\": 100",
        ),
        (
            r#""mask": "rooms/none.png", "pixelsPerMetre": 1"#,
            "r.json:1:10: mask 'rooms/none.png': there is no such file (mask); paths start at the project's folder: rooms/kitchen-mask.png",
        ),
        (
            r#""mask": "rooms/text.png", "pixelsPerMetre": 1"#,
            "rooms/text.png: the image cannot be used: it is no PNG",
        ),
        (
            r#""mask": "../mask.png", "pixelsPerMetre": 1"#,
            "r.json:1:10: the path of the mask leaves the project (mask); paths start at the project's folder: rooms/kitchen-mask.png",
        ),
        (
            r#""mask": "rooms/mask.png", "pixelsPerMetre": 1e-7"#,
            "r.json:1:46: the mask would be 200000000 m long, and a room 1000000 (pixelsPerMetre)",
        ),
        (
            &format!(r#"{MASK}, "cellSize": 0.4"#),
            "r.json:1:61: a painted room has no 'cellSize': its cells are pixels (cellSize); leave it out; sampleRate says how fine paths are looked for",
        ),
        (
            &format!(r#"{MASK}, "boundaryPadding": 0.4"#),
            "r.json:1:68: a painted room keeps no padding to its edge (boundaryPadding); leave it out, and paint where people's feet may go",
        ),
        (
            &format!(r#"{MASK}, "neighbours": 6"#),
            "r.json:1:63: a node has 4 or 8 neighbours, not 6 (neighbours)",
        ),
        (
            &format!(r#"{MASK}, "sampleRate": 0.5"#),
            "r.json:1:63: sampleRate must be at least 1, found 0.5 (sampleRate)",
        ),
        (
            &format!(r#"{MASK}, "sampling": "covers""#),
            "r.json:1:61: expected 'point' or 'cover', found 'covers' (sampling); did you mean 'cover'?",
        ),
        (
            &format!(r##"{MASK}, "walkable": "flor", "colours": {{"floor": "#0000ff"}}"##),
            "r.json:1:61: unknown colour 'flor' (walkable); did you mean 'floor'?",
        ),
        (
            &format!(r#"{MASK}, "colours": {{"floor": "blue"}}"#),
            "r.json:1:70: 'blue' is no colour (colours.floor); write #rrggbb: \"#3060ff\"",
        ),
        (
            &format!(r##"{MASK}, "areas": [{{"name": "a", "paint": "#123456"}}]"##),
            "r.json:1:82: no pixel of 'rooms/mask.png' is #123456 (areas[0].paint); is the colour exact? editors that smooth edges change it",
        ),
        (
            &format!(r#"{MASK}, "areas": [{{"name": "a", "paint": {{"channel": "red"}}}}]"#),
            "r.json:1:82: a paint is a bit or a value of a channel, one of the two (areas[0].paint); {\"channel\": \"blue\", \"bit\": 7}, or {\"channel\": \"red\", \"value\": 3}",
        ),
        (
            &format!(r#"{MASK}, "areas": [{{"name": "a", "paint": {{"channel": "red", "bit": 8}}}}]"#),
            "r.json:1:108: bit must be at most 7, found 8 (areas[0].paint.bit)",
        ),
        (
            &format!(r#"{MASK}, "hotspots": [{{"name": "a"}}]"#),
            "r.json:1:62: missing key 'polygon' in a hotspot (hotspots[0]); or 'paint', if it is painted on the mask",
        ),
        (
            &format!(r##"{MASK}, "hotspots": [{{"name": "a", "paint": "#0000ff", "walkTo": "nowhere"}}]"##),
            "r.json:1:106: unknown point 'nowhere' (hotspots[0].walkTo); the room has no points; give a place [x, z]",
        ),
        (
            &format!(r#"{MASK}, "depthBands": [{{"z": [3, 1], "scale": 1}}]"#),
            "r.json:1:70: a band goes from a smaller z to a larger one, not 3 to 1 (depthBands[0].z)",
        ),
        (
            &format!(r#"{MASK}, "depthBands": [{{"z": [1, 3], "scale": 1}}, {{"z": [2, 4], "scale": 1}}]"#),
            "r.json:1:97: this band overlaps another one (depthBands[1].z); the other is in line 1; bands may only touch",
        ),
        (
            &format!(r#"{MASK}, "background": "rooms/text.png""#),
            "rooms/text.png: the image cannot be used: it is neither a PNG nor a JPEG",
        ),
        (
            &format!(r#"{MASK}, "walkable": {{"channel": "red", "value": 77}}"#),
            "r.json:1:61: nothing walks in 'rooms/mask.png': no pixel is red 77 (walkable); walkable says how the floor is painted: \"walkable\": \"#8888ff\"",
        ),
        (
            &format!(r#"{MASK}, "areas": [{{"name": "a", "polygon": [[0,0],[21,0],[1,1]]}}]"#),
            "r.json:1:91: this corner lies outside of the mask, which reaches from [0, 0] to [20, 7] (areas[0].polygon[1])",
        ),
        (
            r#""mask": "rooms/mask.jpg", "pixelsPerMetre": 1"#,
            "r.json:1:10: the path of the mask does not end in .png (mask); a mask is a PNG, whose colours are exact",
        ),
        (
            r#""areas": [{"name": "a", "polygon": [[0,0],[1,0],[1,1]]}], "sampleRate": 2"#,
            "r.json:1:74: 'sampleRate' is for painted rooms, and this one has no 'mask' (sampleRate); a mask is an image: \"mask\": \"rooms/kitchen-mask.png\"",
        ),
        (
            r##""areas": [{"name": "a", "paint": "#0000ff"}]"##,
            "r.json:1:35: there is no 'mask' that it could be painted on (areas[0].paint); add \"mask\": \"rooms/kitchen-mask.png\", or give a polygon",
        ),
    ] {
        let told = refused(more);
        if told != expected {
            wrong.push(format!("{more}\n  told     {told}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_room_whose_floor_is_all_doors_is_a_room_all_the_same() {
    let room: Room = painted(
        &png_from("####\n#dd#\n####"),
        DOOR.split(r#","hotspots""#)
            .next()
            .unwrap()
            .split("\n    \"hotspots")
            .next()
            .unwrap()
            .trim_end_matches(','),
    );
    let world = World::new(room, 1).unwrap();
    let path = world.find_path(DVec2::ONE, dvec2(3.0, 1.0));
    assert_eq!(path.outcome, Outcome::None);
}

/// `--avoid` and people who stand: between two nodes, too.
#[test]
fn who_stands_between_two_nodes_is_in_the_way() {
    let room = painted(&png_of(160, 80, |_, _| [0, 0, 255]), r#", "sampleRate": 16"#);
    let world = World::new(room, 1).unwrap();
    let disc = Disc { centre: Position::on_ground(dvec2(72.5, 32.5)), radius_m: 5.0 };
    let query = Query::new(dvec2(8.5, 32.5), dvec2(152.5, 32.5)).with_snap_m(8.0).with_obstacles([disc]);
    let path = find_path(world.ground(), query, &mut SearchMemory::default());
    assert_eq!(path.step, Step::Avoiding);
    assert!(path.length_m > 144.5, "it leads round: {path:?}");
    assert!(world.find_path(dvec2(8.5, 32.5), dvec2(152.5, 32.5)).length_m < 144.5);
}

/// With a node every three pixels the door holds none: its pixels see one in the chamber beside it, where one is
/// already.
#[test]
fn a_place_in_a_thin_closed_door_is_behind_that_door() {
    let room = painted(&png_from(CHAMBERS), &DOOR.replace("\"sampleRate\": 2", "\"sampleRate\": 3"));
    let world = World::new(room, 1).unwrap();
    for (from, x, z) in
        [(dvec2(12.5, 3.5), 8.5, 3.5), (dvec2(12.5, 3.5), 8.9, 4.9), (dvec2(2.5, 2.5), 8.1, 4.9)]
    {
        let explanation = world.explain_path(from, dvec2(x, z), u64::MAX).unwrap();
        assert_eq!(explanation.hindrances, [Hindrance::Closed(vec!["door".into()])], "({x}, {z})");
    }
}

/// Walkable pixels that see no node: a dead corner behind a wall that is thinner than the nodes are apart.
#[test]
fn a_pocket_without_nodes_is_told_to_be_out_of_reach() {
    let picture = "
        ..........
        ..........
        ..........
        ..........
        ..........
        #########.
        .........#
        ##########";
    let room = painted(&png_from(picture), r#", "sampleRate": 4"#);
    let world = World::new(room, 1).unwrap();
    let (hall, pocket) = (dvec2(0.5, 0.5), dvec2(3.5, 6.5));
    assert!(world.ground().is_walkable(pocket) && world.ground().as_grid().unwrap().is_pocket(pocket));
    assert_eq!(world.find_path(hall, pocket).outcome, Outcome::Partial);
    let from_pocket = world.find_path(pocket, hall);
    assert_eq!((from_pocket.outcome, from_pocket.waypoints.len()), (Outcome::Partial, 0));
    assert_eq!(from_pocket.snapped_to, Some(Position::on_ground(pocket)));
    for (from, to) in [(hall, pocket), (pocket, hall)] {
        let explanation = world.explain_path(from, to, u64::MAX).unwrap();
        assert_eq!(explanation.hindrances, [Hindrance::NoGround(NoPath::Unreachable)]);
    }
}

#[test]
fn the_edge_of_a_pixel_belongs_to_it() {
    for pixels_per_metre in [1, 3, 7, 10, 20, 49, 50, 80, 97, 100, 1000] {
        let png = png_of(2000, 2, |x, _| [if x == 0 { 10 } else { 0 }, 0, if x % 2 == 0 { 255 } else { 0 }]);
        let text = format!(
            r#"{{"mask": "rooms/m.png", "pixelsPerMetre": {pixels_per_metre},
                "hotspots": [{{"name": "edge", "paint": {{"channel": "red", "value": 10}}}}]}}"#
        );
        let room = parse_with("r.json", text.as_bytes(), None, &|_| Ok(png.clone())).unwrap().room;
        let ground = Surface::new(&room).unwrap();
        for px in 0..2000 {
            let at = dvec2(f64::from(px) / f64::from(pixels_per_metre), 0.0);
            assert_eq!(ground.is_walkable(at), px % 2 == 0, "pixel {px} at {pixels_per_metre} a metre");
            assert_eq!(room.hotspot_at(at).is_some(), px == 0, "pixel {px} at {pixels_per_metre} a metre");
        }
    }
}
