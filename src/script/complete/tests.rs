//! Tests of the completions offered after a text.

use super::*;

fn names() -> KnownNames {
    let mut known = known(&[]);
    for known in &mut known {
        if known.object == "npc" && known.name == "walk_to" {
            known.signature = "npc:walk_to(place, options?) -> ok, reason".into();
            known.summary = "Walks there.".into();
        } else if known.object == "npc" && known.name == "pos" {
            known.signature = "npc:pos() -> point".into();
        }
    }
    let variable = |name: &str, object| Variable { name: name.into(), object };
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    KnownNames {
        known,
        variables: vec![variable("g", Some("npc")), variable("gold", None), variable("hall", Some("room"))],
        tables: vec![("room.state".into(), list(&["visits"])), ("gold".into(), list(&["coins"]))],
        characters: list(&["guard", "grete", "thief"]),
        points: list(&["gate", "well"]),
        areas: list(&["gallery", "vault"]),
        links: list(&["ladder"]),
        waypaths: list(&["lane"]),
        hotspots: list(&["lever"]),
    }
}

/// The completions at the end of a text, with the text before them.
fn offered(text: &str) -> Vec<String> {
    let completion = complete(text, &names());
    let before = &text[..completion.from];
    completion.candidates.iter().map(|candidate| format!("{before}{}", candidate.text)).collect()
}

#[test]
fn what_is_offered_after_what() {
    let table: &[(&str, &[&str])] = &[
        // Globals, libraries, variables.
        ("roo", &["room"]),
        ("x = mat", &["x = math."]),
        ("g", &["g", "getmetatable(", "gold"]),
        ("f(go", &["f(gold"]),
        ("wa", &["wait(", "wait_until("]),
        // Members of known types.
        ("room:np", &["room:npc(", "room:npcs(", "room:npcs_in("]),
        ("room.ti", &["room.tick", "room.time"]),
        ("room.np", &[]),
        ("room : nea", &["room : nearest("]),
        ("math.ma", &["math.max(", "math.maxinteger"]),
        ("log.w", &["log.warn("]),
        ("string.u", &["string.upper("]),
        ("room:npc(\"a):b\"):walk_t", &["room:npc(\"a):b\"):walk_to("]),
        ("room:npc 'ada':walk_t", &["room:npc 'ada':walk_to("]),
        ("room:npc(\"ada\"):pos().", &["room:npc(\"ada\"):pos().x", "room:npc(\"ada\"):pos().z"]),
        ("room:npcs()[1].walk_", &["room:npcs()[1].walk_speed"]),
        ("room:npcs().walk_", &[]), // the type is unknown
        ("g:walk_t", &["g:walk_to("]),
        ("hall:npcs_", &["hall:npcs_in("]),
        ("npc:po", &["npc:pos()"]),
        ("npc.po", &[]),
        ("f(g):is_", &["f(g):is_area_available(", "f(g):is_moving()", "f(g):is_walkable("]),
        ("a.b:is_m", &["a.b:is_moving()"]),
        ("room.state.vi", &["room.state.visits"]),
        ("gold.", &["gold.coins"]),
        // Strings.
        ("send('g", &["send('grete", "send('guard"]),
        ("g:give('g", &[]),
        ("string.rep('g", &[]),
        ("room:npc(\"g", &["room:npc(\"grete", "room:npc(\"guard"]),
        ("room:npc 'gu", &["room:npc 'guard"]),
        ("set_area_available(\"", &["set_area_available(\"gallery", "set_area_available(\"vault"]),
        ("g:walk_to('g", &["g:walk_to('gallery", "g:walk_to('gate", "g:walk_to('grete", "g:walk_to('guard"]),
        ("find_path(g, [[we", &["find_path(g, [[well"]),
        ("g:say(\"g", &[]),
        ("x = \"th", &["x = \"thief"]),
        // Neither code nor string.
        ("-- room:np", &[]),
        ("--[[ room ]] roo", &["--[[ room ]] room"]),
        ("12", &[]),
        ("\"a\"..g", &["\"a\"..g", "\"a\"..getmetatable(", "\"a\"..gold"]),
        ("ö:walk_t", &["ö:walk_to("]),
        ("", &[]),
    ];
    for (text, expected) in table {
        let found = offered(text);
        if text.is_empty() {
            assert!(found.len() > 30, "at the beginning, everything: {found:?}");
        } else {
            assert_eq!(found, *expected, "after {text:?}");
        }
    }
}

#[test]
fn candidates_say_what_they_are() {
    let completion = complete("g:walk_t", &names());
    let [only] = &completion.candidates[..] else { panic!("{completion:?}") };
    assert_eq!((&*only.text, &*only.signature), ("walk_to(", "walk_to(place, options?) -> ok, reason"));
    assert_eq!(only.summary, "Walks there.");
    assert_eq!(complete("room:npc('th", &names()).candidates[0].summary, "a character");
    assert_eq!(complete("hal", &names()).candidates[0].summary, "holds the room");
}

#[test]
fn what_all_begin_with_is_known() {
    assert_eq!(complete("room:n", &names()).common_prefix(), "n");
    assert_eq!(complete("room:np", &names()).common_prefix(), "npc");
    assert_eq!(complete("nothing", &names()).common_prefix(), "");
}

#[test]
fn everything_that_scripts_reach_is_known() {
    let listed = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/scripting/sandbox/capabilities.txt"
    ));
    let known = known(&[]);
    let all: BTreeSet<String> = known
        .iter()
        .map(|known| {
            if known.object.is_empty() {
                known.name.into()
            } else {
                format!("{}.{}", known.object, known.name)
            }
        })
        .collect();
    for line in listed.unwrap().lines().filter(|line| !line.starts_with("_G") && !line.ends_with(" table")) {
        let name = line.split(' ').next().unwrap();
        assert!(all.contains(name), "{name}");
    }
}

#[test]
fn no_text_is_too_odd() {
    for text in
        ["(", ")))", "\"", "'\\", "[==[", "[=", "--[[", "a.", ":", "::", "..", "ü", "a:b(c[d{e", "[[ ]]:"]
    {
        let completion = complete(text, &names());
        assert!(completion.from <= text.len());
    }
}
