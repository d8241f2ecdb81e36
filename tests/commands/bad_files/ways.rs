//! Bad links and waypaths.

use super::{Case, case, hall};

fn room(name: &'static str, more: &str, expected: &[&'static str]) -> Case {
    case(name, "r.json", hall(more), expected)
}

/// A room with this link, on its second line.
fn link(name: &'static str, keys: &str, expected: &[&'static str]) -> Case {
    room(name, &format!("\"links\": [{{{keys}}}]"), expected)
}

/// A room with this waypath, on its second line.
fn waypath(name: &'static str, keys: &str, expected: &[&'static str]) -> Case {
    room(name, &format!("\"waypaths\": [{{{keys}}}]"), expected)
}

/// A room with a waypath of two waypoints, the second of which has this.
fn waypoint(name: &'static str, keys: &str, expected: &[&'static str]) -> Case {
    waypath(
        name,
        &format!("\"name\": \"a\", \"points\": [{{\"at\": [1, 1]}}, {{\"at\": [3, 1], {keys}}}]"),
        expected,
    )
}

#[rustfmt::skip] // one line a case
pub(super) fn cases() -> Vec<Case> {
    let name = "k".repeat(201);
    let many = |item: &str, count: usize| vec![item; count].join(",");
    vec![
        room("links: no list", "\"links\": {\"name\": \"a\"}", &["r.json:2:10: expected a list, found an object (links); a list is written […]"]),
        room("links: too many", &format!("\"links\": [{}]", (0..1001).map(|k| format!("{{\"name\": \"{k}\", \"from\": [1,1], \"to\": [2,2]}}")).collect::<Vec<_>>().join(",")), &["r.json:2:43901: a room has at most 1000 links, this one 1001 (links[1000])"]),
        link("a link without a name", "\"from\": [1, 1], \"to\": [2, 2]", &["r.json:2:11: missing key 'name' in a link (links[0])"]),
        link("a link with an empty name", "\"name\": \" \", \"from\": [1, 1], \"to\": [2, 2]", &["r.json:2:20: the name of this link is empty (links[0].name)"]),
        link("a link with a long name", &format!("\"name\": \"{name}\", \"from\": [1, 1], \"to\": [2, 2]"), &["r.json:2:20: the name of this link is longer than 200 bytes (links[0].name)"]),
        link("a link without an end", "\"name\": \"a\", \"from\": [1, 1]", &["r.json:2:11: missing key 'to' in a link (links[0])"]),
        link("a link without a beginning", "\"name\": \"a\", \"to\": [1, 1]", &["r.json:2:11: missing key 'from' in a link (links[0])"]),
        link("a link that ends where it begins", "\"name\": \"a\", \"from\": [1, 1], \"to\": [1, 1]", &["r.json:2:47: this link ends where it begins (links[0].to); give it another end"]),
        link("a link from a number", "\"name\": \"a\", \"from\": 1, \"to\": [1, 1]", &["r.json:2:33: expected a point's name or a place [x, z], found a number (links[0].from)"]),
        link("a link from one number", "\"name\": \"a\", \"from\": [1], \"to\": [1, 1]", &["r.json:2:33: expected a place [x, z], found a list of 1 (links[0].from)"]),
        link("a link from far away", "\"name\": \"a\", \"from\": [1, 2e6], \"to\": [1, 1]", &["r.json:2:37: a coordinate must be at most 1000000, found 2e6 (links[0].from[1])"]),
        link("a link to an unknown point", "\"name\": \"a\", \"from\": [1, 1], \"to\": \"roof\"", &["r.json:2:47: unknown point 'roof' (links[0].to); the room has no points; give a place [x, z]"]),
        room("a link to a misspelt point", "\"points\": {\"roof\": [1, 1]}, \"links\": [{\"name\": \"a\", \"from\": [2, 1], \"to\": \"rof\"}]", &["r.json:2:75: unknown point 'rof' (links[0].to); did you mean 'roof'?"]),
        link("a link of an unknown kind", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"kind\": \"jmp\"", &["r.json:2:63: expected 'walk' or 'jump' or 'climb' or 'ladder' or 'lift' or 'teleport' or 'handler', found 'jmp' (links[0].kind); did you mean 'jump'?"]),
        link("a link of a kind that is a number", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"kind\": 1", &["r.json:2:63: expected 'walk' or 'jump' or 'climb' or 'ladder' or 'lift' or 'teleport' or 'handler', found a number (links[0].kind)"]),
        link("a link with an unknown key", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"oneway\": true", &["r.json:2:55: unknown key 'oneway' in a link (links[0].oneway); did you mean 'oneWay'?"]),
        link("a link that costs less than nothing", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"cost\": -1", &["r.json:2:63: cost must be at least 0, found -1 (links[0].cost)"]),
        link("a link that takes less than no time", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"seconds\": -1", &["r.json:2:66: seconds must be at least 0, found -1 (links[0].seconds)"]),
        link("a link that takes hours", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"seconds\": 3601", &["r.json:2:66: seconds must be at most 3600, found 3601 (links[0].seconds)"]),
        link("a link for nobody", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"capacity\": 0", &["r.json:2:67: capacity must be at least 1, found 0 (links[0].capacity)"]),
        link("a link for half a character", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"capacity\": 0.5", &["r.json:2:67: capacity must be a whole number, found 0.5 (links[0].capacity)"]),
        link("a link with one tag", "\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2], \"tags\": \"crew\"", &["r.json:2:63: expected a list, found a string (links[0].tags); a list is written […]"]),
        room("two links of one name", "\"links\": [{\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2]}, {\"name\": \"a\", \"from\": [1, 1], \"to\": [2, 2]}]", &["r.json:2:65: a second link named 'a' (links[1].name); the first is in line 2"]),
        room("waypaths: no list", "\"waypaths\": {\"name\": \"a\"}", &["r.json:2:13: expected a list, found an object (waypaths); a list is written […]"]),
        room("waypaths: too many", &format!("\"waypaths\": [{}]", (0..65).map(|k| format!("{{\"name\": \"{k}\", \"points\": [{{\"at\": [1,1]}}, {{\"at\": [2,2]}}]}}")).collect::<Vec<_>>().join(",")), &["r.json:2:3652: a room has at most 64 waypaths, this one 65 (waypaths[64])"]),
        waypath("a waypath without a name", "\"points\": [{\"at\": [1, 1]}, {\"at\": [2, 2]}]", &["r.json:2:14: missing key 'name' in a waypath (waypaths[0])"]),
        waypath("a waypath with an empty name", "\"name\": \"\", \"points\": [{\"at\": [1, 1]}, {\"at\": [2, 2]}]", &["r.json:2:23: the name of this waypath is empty (waypaths[0].name)"]),
        waypath("a waypath without points", "\"name\": \"a\"", &["r.json:2:14: missing key 'points' in a waypath (waypaths[0])"]),
        waypath("a waypath without any waypoint", "\"name\": \"a\", \"points\": []", &["r.json:2:38: points needs at least 2 entries, found 0 (waypaths[0].points)"]),
        waypath("a waypath of one waypoint", "\"name\": \"a\", \"points\": [{\"at\": [1, 1]}]", &["r.json:2:38: points needs at least 2 entries, found 1 (waypaths[0].points)"]),
        waypath("a waypath of too many waypoints", &format!("\"name\": \"a\", \"points\": [{}]", many("{\"at\": [1,1]},{\"at\": [2,2]}", 300)), &["r.json:2:38: points may have at most 512 entries, found 600 (waypaths[0].points)"]),
        waypath("a waypath of places", "\"name\": \"a\", \"points\": [[1, 1], [2, 2]]", &["r.json:2:39: expected a waypoint, found a list (waypaths[0].points[0]); a waypoint is written {\"at\": …}", "r.json:2:47: expected a waypoint, found a list (waypaths[0].points[1]); a waypoint is written {\"at\": …}"]),
        waypath("a waypath of names", "\"name\": \"a\", \"points\": [\"here\", \"there\"]", &["r.json:2:39: expected a waypoint, found a string (waypaths[0].points[0]); a waypoint is written {\"at\": …}", "r.json:2:47: expected a waypoint, found a string (waypaths[0].points[1]); a waypoint is written {\"at\": …}"]),
        waypath("a waypath of misspelt points", "\"name\": \"a\", \"ponts\": [{\"at\": [1, 1]}, {\"at\": [2, 2]}]", &["r.json:2:28: unknown key 'ponts' in a waypath (waypaths[0].ponts); did you mean 'points'?"]),
        waypath("a waypath of an unknown kind", "\"name\": \"a\", \"kind\": \"circle\", \"points\": [{\"at\": [1, 1]}, {\"at\": [2, 2]}]", &["r.json:2:36: expected 'oneWay' or 'twoWay' or 'loop', found 'circle' (waypaths[0].kind)"]),
        waypath("a waypath of a misspelt kind", "\"name\": \"a\", \"kind\": \"oneway\", \"points\": [{\"at\": [1, 1]}, {\"at\": [2, 2]}]", &["r.json:2:36: expected 'oneWay' or 'twoWay' or 'loop', found 'oneway' (waypaths[0].kind); did you mean 'oneWay'?"]),
        waypath("a waypoint without a place", "\"name\": \"a\", \"points\": [{\"at\": [1, 1]}, {\"jump\": true}]", &["r.json:2:55: missing key 'at' in a waypoint (waypaths[0].points[1])"]),
        waypoint("an unknown action", "\"dance\": true", &["r.json:2:70: unknown key 'dance' in a waypoint (waypaths[0].points[1].dance); known are at, crouch, speed, jump, handler"]),
        waypoint("a misspelt action", "\"crouched\": true", &["r.json:2:70: unknown key 'crouched' in a waypoint (waypaths[0].points[1].crouched); did you mean 'crouch'?"]),
        waypoint("a crouch that is a word", "\"crouch\": \"yes\"", &["r.json:2:80: expected true or false, found a string (waypaths[0].points[1].crouch)"]),
        waypoint("a jump that is a number", "\"jump\": 1", &["r.json:2:78: expected true or false, found a number (waypaths[0].points[1].jump); write true"]),
        waypoint("a handler that is no word", "\"handler\": true", &["r.json:2:81: expected a string, found true (waypaths[0].points[1].handler)"]),
        waypoint("no speed", "\"speed\": 0", &["r.json:2:79: speed must be at least 0.05, found 0 (waypaths[0].points[1].speed)"]),
        waypoint("a negative speed", "\"speed\": -1", &["r.json:2:79: speed must be at least 0.05, found -1 (waypaths[0].points[1].speed)"]),
        waypoint("a speed that is too high", "\"speed\": 1000", &["r.json:2:79: speed must be at most 10, found 1000 (waypaths[0].points[1].speed)"]),
        waypath("a waypoint twice", "\"name\": \"a\", \"points\": [{\"at\": [1, 1]}, {\"at\": [1, 1]}]", &["r.json:2:62: this waypoint is where the one before it is (waypaths[0].points[1].at); give it another place"]),
        waypath("a loop that ends where it begins", "\"name\": \"a\", \"kind\": \"loop\", \"points\": [{\"at\": [1, 1]}, {\"at\": [2, 1]}, {\"at\": [1, 1]}]", &["r.json:2:62: this loop ends where it begins (waypaths[0].points[0].at); leave the last waypoint out: a loop leads back by itself"]),
        waypath("an unknown waypoint", "\"name\": \"a\", \"points\": [{\"at\": [1, 1]}, {\"at\": \"gate\"}]", &["r.json:2:62: unknown point 'gate' (waypaths[0].points[1].at); the room has no points; give a place [x, z]"]),
        room("a misspelt waypoint", "\"points\": {\"gate\": [2, 2]}, \"waypaths\": [{\"name\": \"a\", \"points\": [{\"at\": [1, 1]}, {\"at\": \"gat\"}]}]", &["r.json:2:90: unknown point 'gat' (waypaths[0].points[1].at); did you mean 'gate'?"]),
        room("two waypaths of one name", "\"waypaths\": [{\"name\": \"a\", \"points\": [{\"at\": [1, 1]}, {\"at\": [2, 2]}]}, {\"name\": \"a\", \"points\": [{\"at\": [1, 1]}, {\"at\": [2, 2]}]}]", &["r.json:2:82: a second waypath named 'a' (waypaths[1].name); the first is in line 2"]),
    ]
}
