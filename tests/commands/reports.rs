//! Small inputs that were wrong once, from a folder beside the checkout (`../shared/data/reports`, or where `CICERONE_DATA`
//! says), each with the command that showed it. Without them this is skipped; the tests of each kind are elsewhere.

use std::path::PathBuf;
use std::process::Command;

/// The command's exit code, and what it prints.
fn told(report: &str, args: &[&str]) -> Option<(i32, String)> {
    let data = std::env::var_os("CICERONE_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let folder = data.join("reports").join(report);
    if !folder.exists() {
        eprintln!("skipped: there is no {} (CICERONE_DATA names another folder)", folder.display());
        return None;
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_cicerone")).current_dir(folder).args(args).output().unwrap();
    let words =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Some((output.status.code().unwrap(), words))
}

/// That a command exits so, and prints all of these words.
fn expect(report: &str, args: &[&str], code: i32, words: &[&str]) {
    let Some((exit, printed)) = told(report, args) else { return };
    assert_eq!(exit, code, "{report} {args:?}: {printed}");
    for word in words {
        assert!(printed.contains(word), "{report} {args:?}: no \"{word}\" in {printed}");
    }
}

#[test]
fn a_way_of_three_pixels() {
    expect(
        "a-way-of-three-pixels",
        &["check", "rooms"],
        0,
        &["w2.json", "w3.json", "\"sampleRate\": 3 loses none"],
    );
    for room in ["w2", "w3"] {
        let args = ["path", room, "--from", "2,3", "--to", "13,3", "--explain"];
        expect("a-way-of-three-pixels", &args, 1, &["the pixels lead there", "\"sampleRate\": 3 keeps it"]);
    }
}

#[test]
fn click_on_the_counter() {
    expect(
        "click-on-the-counter",
        &["path", "kitchen", "--to", "4,4.7"],
        0,
        &["complete: 1.35 m", "3.95, 3.35"],
    );
}

#[test]
fn door_drawn_over_the_hall() {
    expect("door-drawn-over-the-hall", &["check", "rooms"], 0, &["closing it changes nothing"]);
}

#[test]
fn mask_on_a_transparent_layer() {
    expect("mask-on-a-transparent-layer", &["check", "hall"], 0, &["transparent pixels are walkable"]);
}

#[test]
fn maps_of_other_editors() {
    for map in ["tiled.tmx", "tiled.tmj"] {
        let args = ["check", &format!("rooms/{map}")];
        expect("maps-of-other-editors", &args, 2, &["1 error", "Tiled"]);
    }
}

/// Of the kilometre, the rooms that need least time: `c0` has the default cells, and takes 4 GB.
#[test]
fn a_kilometre_of_terrain() {
    for room in ["c3", "c4"] {
        expect("a-kilometre-of-terrain", &["check", room], 0, &["0 errors, 0 warnings"]);
    }
}

#[test]
fn two_meet_in_a_lane() {
    let lua = r#"local l,r=room:npc("l"),room:npc("r") l:set_target("e") r:set_target("w") local t=room.time
        while (l:is_moving() or r:is_moving()) and room.time-t<300 do wait(0.25) end
        return room.time-t<20, l:last_walk().reason, r:last_walk().reason"#;
    let args = ["eval", "lane", lua, "--timeout", "400"];
    expect("two-meet-in-a-lane", &args, 0, &[r#"true, "arrived", "arrived""#]);
}

#[test]
fn landing_between_two_ladders() {
    let lua = r#"local ns=room:npcs()
        for i,n in ipairs(ns) do n:set_target(n.id:sub(1,1)=="u" and {x=i%5+1,y=6,z=19} or {x=i%5+1,y=0,z=1}) end
        local mv=true
        while mv and room.time<400 do mv=false wait(0.1) for _,n in ipairs(ns) do mv = mv or n:is_moving() end end
        local r={} for _,n in ipairs(ns) do local k=n:last_walk().reason r[k]=(r[k] or 0)+1 end return r"#;
    for (room, all) in [("ladders", 10), ("small", 4)] {
        let args = ["eval", room, lua, "--timeout", "500"];
        expect("landing-between-two-ladders", &args, 0, &[&format!("{{arrived = {all}}}")]);
    }
}

#[test]
fn player_before_his_followers() {
    let lua = r#"local p=room:npc("p")
        for _,n in ipairs(room:npcs()) do if n~=p then start(function() n:follow(p,1.2) end) end end
        wait(0.5) p:walk_to("deep") wait(3) return p:walk_to("out",{timeout=60})"#;
    for room in ["one", "two", "three"] {
        expect("player-before-his-followers", &["eval", room, lua, "--timeout", "600"], 0, &["true"]);
    }
}

/// In a mesh her middle fits past the player in the doorway, by ten centimetres; between cells it does not.
#[test]
fn pacing_behind_a_player() {
    for (room, end) in [("rooms/d.json", "END false blocked "), ("rooms/e.json", "END true arrived ")] {
        let args = ["run", room, "--headless", "--seconds", "60"];
        let Some((_, printed)) = told("pacing-behind-a-player", &args) else { return };
        let seconds = printed.split(end).nth(1).and_then(|rest| rest.split_whitespace().next());
        let seconds: f64 = seconds.unwrap_or_else(|| panic!("{room}: {printed}")).parse().unwrap();
        assert!((5.0..20.0).contains(&seconds), "{room}: {seconds}");
    }
}

/// One run says little: the sweep of `tests/crowd` says more.
#[test]
fn queue_on_one_side() {
    let lua = r#"local r,l=0,0 for _,n in ipairs(room:npcs_in("hall")) do if n.z<4 then r=r+1 else l=l+1 end end
        return math.max(r,l)/(r+l)<0.7"#;
    for room in ["rooms/queue.json", "rooms/queue_mirrored.json", "rooms/qgrid.json", "rooms/qpush.json"] {
        let args = ["eval", room, lua, "--seconds", "15", "--root", "."];
        expect("queue-on-one-side", &args, 0, &["true"]);
    }
}
