//! Links from scripts: crossings in Lua, closing, saving, reloading.

use crate::common::project::{Project, run};
use cicerone::project::Project as Folder;
use cicerone::record::{Buffer, Recording, Replay};
use cicerone::runtime::{Options, Runtime};

const ROOM: &str = r#"{
  "cellSize": 0.25, "agentRadius": 0.3, "script": "scripts/room.lua",
  "areas": [
    { "name": "quay", "polygon": [[0, 0], [6, 0], [6, 4], [0, 4]] },
    { "name": "deck", "polygon": [[0, 6], [6, 6], [6, 9], [0, 9]] }
  ],
  "links": [{ "name": "plank", "from": [2, 3.5], "to": [2, 6.5], "kind": "KIND" }],
  "characters": [{ "name": "ann", "at": [2, 1], "script": "scripts/ann.lua" }]
}"#;

fn harbour(kind: &str, ann: &str, room: &str) -> Project {
    Project::new(&[
        ("rooms/harbour.json", &*ROOM.replace("KIND", kind)),
        ("scripts/ann.lua", ann),
        ("scripts/room.lua", room),
    ])
}

fn open(project: &Project) -> Runtime {
    Runtime::open(&project.path("rooms/harbour.json"), Options::default()).unwrap()
}

#[test]
fn a_handler_performs_the_crossing_in_its_own_time() {
    let ann = "local A = {}
        function A.run(self, npc) log.info(npc:walk_to(2, 8)) log.info(math.floor(room.time)) end
        function A.on_link(self, npc, link)
          log.info(link.name, npc.link == link, #link:users())
          wait(5)
          npc:cross(1)
          log.info('across')
        end
        return A";
    let lines = run(&mut open(&harbour("handler", ann, "return {}")), 20.0);
    assert_eq!(lines[..3], ["plank true 1", "across", "true arrived"], "{lines:?}");
    let seconds: f64 = lines[3].parse().unwrap();
    assert!(
        (7.0..=10.0).contains(&seconds),
        "5 s of waiting, 1 s across, and about 4 m on foot: {seconds} s"
    );
}

#[test]
fn a_broken_handler_leaves_nobody_on_a_link() {
    let ann = "local A = {}
        function A.run(self, npc) log.info(npc:walk_to(2, 8)) end
        function A.on_link() error('no rope') end
        return A";
    let lines = run(&mut open(&harbour("handler", ann, "return {}")), 20.0);
    assert!(lines.iter().any(|line| line.contains("no rope")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "true arrived");
}

#[test]
fn a_link_that_closes_is_given_up_before_it_and_finished_on_it() {
    let ann = "local A = {}
        function A.run(self, npc) log.info(npc:walk_to(2, 8)) end
        return A";
    for (after, expected) in [("0.5", "false partial"), ("2.5", "true arrived")] {
        let room = format!(
            "local R = {{}}
             function R.on_load(room) after({after}, function() room:link('plank').available = false end) end
             return R"
        );
        assert_eq!(
            run(&mut open(&harbour("ladder", ann, &room)), 20.0),
            [expected],
            "closed after {after} s"
        );
    }
}

#[test]
fn ground_that_closes_at_the_end_of_a_link_sends_the_walker_back() {
    let ann = "local A = {}
        function A.run(self, npc) log.info(npc:walk_to(2, 8)) log.info(npc.area == 'quay' or npc:pos()) end
        return A";
    let room = "local R = {}
        function R.on_load(room) after(2.5, function() room:set_area_available('deck', false) end) end
        return R";
    let project = harbour("ladder", ann, room);
    let mut runtime = open(&project);
    let lines = run(&mut runtime, 20.0);
    assert_eq!(lines.first().unwrap(), "false partial");
    let world = runtime.world();
    let ann = world.character_named("ann").unwrap();
    assert!(ann.crossing.is_none() && ann.position.at.y < 4.0, "{:?}", ann.position);
}

#[test]
fn links_of_scripts_are_saved_and_outlive_reloads() {
    let room = "local R = {}
        function R.on_load(room)
          room:add_link{ name = 'rope', from = { x = 5, z = 3.5 }, to = { x = 5, z = 6.5 }, kind = 'climb' }
          room:link('plank').available = false
        end
        return R";
    let ann = "local A = {} function A.run(self, npc) npc:walk_to(2, 8) end return A";
    let project = harbour("ladder", ann, room);
    let mut runtime = open(&project);
    run(&mut runtime, 4.0);
    assert!(runtime.world().character_named("ann").unwrap().crossing.is_some(), "half way up the rope");
    let folder = Folder::containing(&project.path("rooms/harbour.json"));
    let saved = runtime.save().unwrap();
    let mut restored = Runtime::restore(folder, &saved, Options::default()).unwrap();
    for _ in 0..600 {
        runtime.step();
        restored.step();
        assert_eq!(runtime.world().checksum(), restored.world().checksum());
    }
    // The file gives another cost: the rope stays, and the plank stays closed.
    project.write(
        "rooms/harbour.json",
        &ROOM.replace("KIND", "ladder").replace("\"kind\"", "\"cost\": 9, \"kind\""),
    );
    let _ = runtime.reload(&std::collections::BTreeSet::from([project.path("rooms/harbour.json")]));
    let world = runtime.world();
    let links = world.links();
    let (rope, plank) = (links.named("rope").unwrap(), links.named("plank").unwrap());
    assert!(rope.available && !plank.available);
    assert_eq!(plank.cost_m, 9.0);
}

#[test]
fn wrong_links_are_refused_with_a_reason() {
    let room = "local R = {}
        local function try(link)
          local ok, why = pcall(function() room:add_link(link) end)
          log.info(ok, why)
        end
        function R.on_load(room)
          try{ name = 'plank', from = { x = 1, z = 1 }, to = { x = 1, z = 8 } }
          try{ name = 'far', from = { x = 1, z = 1 }, to = { x = 1, z = 99 } }
          try{ name = 'odd', from = { x = 1, z = 1 }, to = { x = 1, z = 8 }, kind = 'laddre' }
          try{ name = 'none', from = { x = 1, z = 1 }, to = { x = 1, z = 8 }, capacity = 0 }
          try{ name = 'dear', from = { x = 1, z = 1 }, to = { x = 1, z = 8 }, cost = -1 }
          try{ name = '', from = { x = 1, z = 1 }, to = { x = 1, z = 8 } }
          log.info(pcall(function() room:link('plonk') end))
        end
        return R";
    let lines = run(&mut open(&harbour("ladder", "return {}", room)), 0.1);
    let told = [
        "false scripts/room.lua:3: room:add_link: there is already a link 'plank' in the room",
        "(1.00, 99.00)",
        "did you mean 'ladder'?",
        "capacity must be a whole number, 1 or more, not 0",
        "cost must be from 0 to 1000000 m",
        "name",
        "did you mean 'plank'?",
    ];
    assert_eq!(lines.len(), told.len(), "{lines:#?}");
    for (line, part) in lines.iter().zip(told) {
        assert!(line.starts_with("false") && line.contains(part), "{part}\n{line}");
    }
}

#[test]
fn jumps_of_scripts_are_recorded_and_replayed() {
    let ann = "local A = {}
        function A.run(self, npc)
          wait(6)
          log.info(npc:walk_to(4, 8))
        end
        return A";
    let room = "local R = {}
        function R.on_load(room)
          room:link('plank').available = false
          spawn{ name = 'leader', at = { x = 4, z = 3.5 }, player = true }
        end
        function R.run(room)
          local leader = room:npc('leader')
          log.info(leader:jump_to(4, 6.5, { velocity = 3 }))
          log.info(table.concat(room:links(), ', '), room:link('jump 1').velocity, leader.z)
          local link, new = room:record_jump({ x = 4, z = 3.3 }, { x = 4, z = 6.7 }, { time = 1 })
          log.info(link.name, new)
          link, new = room:record_jump({ x = 1, z = 3.5 }, { x = 1, z = 6.5 }, { time = 1.5 })
          log.info(link.name, new, link.seconds, link.velocity, link.temporary)
          log.info(pcall(function() leader:jump_to(4, 90) end))
          log.info(pcall(function() leader:jump_to(4, 8, { velocity = -1 }) end))
        end
        return R";
    let project = harbour("ladder", ann, room);
    let mut runtime = open(&project);
    let buffer = Buffer::default();
    runtime.record(Box::new(buffer.clone())).unwrap();
    let lines = run(&mut runtime, 20.0);
    runtime.stop_recording().unwrap();
    assert_eq!(
        lines[..4],
        ["true done", "plank, jump 1 3.0 6.5", "jump 1 false", "jump 2 true 1.5 2.0 true"]
    );
    assert!(lines[4].contains("is not walkable") && lines[5].contains("velocity must be"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "true arrived", "{lines:?}");
    let recording = Recording::read(&buffer.bytes()).unwrap();
    let mut replay = Replay::new(&recording).unwrap();
    while let Some(tick) = replay.step().unwrap() {
        assert!(tick.is_ok(), "{tick:?}");
    }
    assert_eq!(replay.world().checksum(), runtime.world().checksum());
}

/// A query from a character knows its tags; one from its place does not.
#[test]
fn queries_from_a_character_use_the_links_for_its_tags() {
    let ann = "local A = {}
        function A.run(self, npc)
          room:link('plank'):remove()
          room:add_link { name = 'rope', from = { x = 2, z = 3.5 }, to = { x = 2, z = 6.5 }, kind = 'walk', tags = { 'sailor' } }
          local function ask()
            local place = { x = npc.x, z = npc.z }
            local from_npc, from_place = room:find_path(npc, 2, 8), room:find_path(place, 2, 8)
            local _, _, step = room:find_path_to_nearest(place, { x = 2, z = 8 }, npc)
            log.info(from_npc ~= nil, from_place ~= nil, step, room:explain_path(npc, { x = 2, z = 8 }).complete)
          end
          ask()
          npc:add_tag('sailor')
          wait(0.1)
          ask()
        end
        return A";
    let lines = run(&mut open(&harbour("walk", ann, "return {}")), 1.0);
    assert_eq!(lines, ["false false nearest false", "true false avoiding true"]);
}

#[test]
fn nine_go_both_ways_over_one_ladder_in_turns() {
    let room = r#"{
      "cellSize": 0.25, "agentRadius": 0.3, KIND
      "areas": [
        { "name": "street", "polygon": [[0, 0], [9, 0], [9, 4], [0, 4]] },
        { "name": "roof", "polygon": [[0, 6], [9, 6], [9, 10], [0, 10]] }
      ],
      "points": { "street": [7, 1], "roof": [7, 9] },
      "links": [{ "name": "ladder", "from": [3.5, 3.5], "to": [3.5, 6.5], "kind": "ladder", "capacity": 1 }],
      "characters": [PEOPLE]
    }"#;
    let ann = "local A = {}
        function A.run(self, npc)
          local up = npc.z < 5
          while true do
            log.info(npc.name, npc:walk_to(up and 'roof' or 'street'))
            up = not up
          end
        end
        return A";
    let places = [(0.6, 1), (1.4, 1), (2.2, 1), (3.0, 1), (3.8, 1), (4.6, 1), (2.5, 7), (3.2, 7), (3.9, 7)];
    let person = |(index, (x, z)): (usize, &(f64, i32))| {
        format!(r#"{{ "name": "c{index}", "at": [{x}, {z}], "script": "scripts/ann.lua" }}"#)
    };
    let people = places.iter().enumerate().map(person).collect::<Vec<_>>().join(", ");
    for kind in ["", r#""planner": "any-angle","#, r#""ground": "mesh","#] {
        let room = room.replace("KIND", kind).replace("PEOPLE", &people);
        let project = Project::new(&[("rooms/harbour.json", &*room), ("scripts/ann.lua", ann)]);
        let lines = run(&mut open(&project), 240.0);
        assert!(lines.iter().all(|line| line.ends_with("true arrived")), "{kind}: {lines:?}");
        for index in 0..places.len() {
            let walks = lines.iter().filter(|line| line.starts_with(&format!("c{index} "))).count();
            assert!(walks >= 4, "{kind}: c{index} went {walks} times: {lines:?}");
        }
    }
}

/// Explanations name every link that is enough alone, or links that are enough together.
#[test]
fn explanations_name_the_links_that_would_lead_there() {
    let room = r#"{
      "cellSize": 0.25, "agentRadius": 0.3, KIND
      "areas": [
        { "name": "quay", "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]] },
        { "name": "deck", "polygon": [[11, 0], [19, 0], [19, 9], [11, 9]] },
        { "name": "rock", "polygon": [[21, 0], [29, 0], [29, 9], [21, 9]] },
        { "name": "gate", "polygon": [[29, 3], [31, 3], [31, 6], [29, 6]], "available": false },
        { "name": "cave", "polygon": [[31, 0], [39, 0], [39, 9], [31, 9]] }
      ],
      "links": [
        { "name": "plank", "from": [8, 2], "to": [12, 2], "kind": "walk", "available": false },
        { "name": "rope", "from": [8, 7], "to": [12, 7], "kind": "climb", "tags": ["sailor"] },
        { "name": "leap", "from": [18, 7], "to": [22, 7], "kind": "jump", "available": false }
      ],
      "characters": [{ "name": "ann", "at": [2, 4], "script": "scripts/ann.lua" }]
    }"#;
    let ann = "local A = {}
        function A.run(self, npc)
          local function ask(x)
            local why = room:explain_path(npc, x, 4)
            log.info(why.text:gsub('; the nearest.*', ''), table.concat(why.links, ' '), table.concat(why.blocked_by, ' '))
          end
          ask(15)
          ask(25)
          room:link('leap').available = true
          ask(25)
          room:link('plank').available = true
          ask(25)
          room:link('leap').available = false
          ask(35)
          room:link('leap').available = true
          room:link('plank').available = false
          npc:walk_to(25, 4)
          log.info(table.concat(npc:last_walk().explanation.links, ' '))
        end
        return A";
    for kind in ["", r#""planner": "any-angle","#, r#""ground": "mesh","#] {
        let room = room.replace("KIND", kind);
        let project = Project::new(&[("rooms/harbour.json", &*room), ("scripts/ann.lua", ann)]);
        let either = "no ground leads there; the link 'plank', which is closed, or the link 'rope', which is only for \
                      'sailor', would lead there";
        let both = "the link 'rope' is only for 'sailor' and the link 'leap' is closed; open to the character, they \
                    would lead there together (fewer might do)";
        let expected = [
            &*format!("{either} plank rope plank"),
            &*format!("{both}  rope leap"),
            &*format!("{either} plank rope plank"),
            "nothing is in the way  ",
            "the area 'gate' is closed, and the link 'leap' is closed; open to the character, they would lead there \
             together (fewer might do)  gate leap",
            "plank rope",
        ];
        assert_eq!(run(&mut open(&project), 20.0), expected, "{kind}");
    }
}
