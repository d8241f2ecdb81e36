//! Waypaths from scripts: actions in order, tags, saving, recording, reloading.

use crate::common::project::{Project, run};
use cicerone::project::Project as Folder;
use cicerone::record::{Buffer, Recording, Replay};
use cicerone::runtime::{Options, Runtime};

const ROOM: &str = r#"{
  "cellSize": 0.25, "agentRadius": 0.3, "script": "scripts/room.lua", KIND
  "areas": [{ "name": "hall", "polygon": [[0, 0], [24, 0], [24, 10], [0, 10]] }],
  "waypaths": [{ "name": "lane", "tags": ["crew"], "points": [
    { "at": [4, 4], "crouch": true, "handler": "duck" },
    { "at": [8, 5], "crouch": false, "speed": 0.5 },
    { "at": [12, 5], "jump": true },
    { "at": [15, 5], "speed": 2, "handler": "run" },
    { "at": [20, 4], "handler": "end" }
  ] }],
  "characters": [{ "name": "ann", "at": [3, 4], "tags": ["crew"], "script": "scripts/ann.lua" }]
}"#;

/// What ann is told, and what she is on the way.
const ANN: &str = "local A = {}
    function A.run(self, npc)
      log.info(npc:walk_to(21, 4))
      log.info(npc.crouching, npc.waypath)
    end
    function A.on_waypoint(self, npc, waypoint)
      log.info(waypoint.waypath, waypoint.index, waypoint.handler, npc.crouching)
    end
    return A";

const KINDS: [&str; 2] = ["", r#""planner": "any-angle","#];

fn hall(kind: &str, ann: &str, room: &str) -> Project {
    Project::new(&[
        ("rooms/hall.json", &*ROOM.replace("KIND", kind)),
        ("scripts/ann.lua", ann),
        ("scripts/room.lua", room),
    ])
}

fn open(project: &Project) -> Runtime {
    Runtime::open(&project.path("rooms/hall.json"), Options::default()).unwrap()
}

const TOLD: [&str; 7] = [
    "lane 1 duck true",
    "lane 2 nil false",
    "lane 3 nil false",
    "lane 4 run false",
    "lane 5 end false",
    "true arrived",
    "false nil",
];

#[test]
fn actions_are_told_in_order() {
    for kind in KINDS {
        let mut runtime = open(&hall(kind, ANN, "return {}"));
        let (mut jumped, mut slow, mut crouched) = (false, false, false);
        for _ in 0..60 * 20 {
            runtime.step();
            let world = runtime.world();
            let ann = world.character_named("ann").unwrap();
            jumped |= ann.crossing.is_some();
            slow |= ann.speed_mps() == 0.7;
            crouched |= ann.on_waypath.as_ref().is_some_and(|on| on.crouching);
        }
        assert_eq!(run(&mut runtime, 1.0), TOLD, "{kind}");
        assert!(jumped && slow && crouched, "{kind}: {jumped}, {slow}, {crouched}");
    }
}

#[test]
fn those_without_the_tag_go_straight() {
    let room = "local R = {}
        function R.on_load(room) room:npc('ann'):remove_tag('crew') end
        return R";
    assert_eq!(run(&mut open(&hall("", ANN, room)), 20.0), ["true arrived", "false nil"]);
}

#[test]
fn a_saved_walk_along_a_waypath_goes_on_bit_for_bit() {
    let ann = ANN.replace("log.info(npc:walk_to(21, 4))", "npc:walk_to(21, 4)");
    for kind in KINDS {
        for after in [2.0, 4.0, 8.0, 11.0, 12.5] {
            let project = hall(kind, &ann, "return {}");
            let mut runtime = open(&project);
            run(&mut runtime, after);
            let saved = runtime.save().unwrap();
            let folder = Folder::containing(&project.path("rooms/hall.json"));
            let mut restored = Runtime::restore(folder, &saved, Options::default()).unwrap();
            for tick in 0..600 {
                runtime.step();
                restored.step();
                let sums = [&runtime, &restored].map(|runtime| runtime.world().checksum());
                assert_eq!(sums[0], sums[1], "{kind}: {after} s and {tick} ticks");
            }
        }
    }
}

#[test]
fn waypaths_of_scripts_stay_over_reloads_and_closed_ones_closed() {
    let room = "local R = {}
        function R.on_load(room)
          room:add_waypath{ name = 'patrol', kind = 'loop', points = {
            { at = { x = 3, z = 8 } }, { at = { x = 9, z = 8 }, crouch = true }, { at = { x = 9, z = 7 } } } }
          room:waypath('lane').available = false
        end
        return R";
    let project = hall("", ANN, room);
    let mut runtime = open(&project);
    assert_eq!(run(&mut runtime, 20.0), ["true arrived", "false nil"], "the lane is closed");
    project.write("rooms/hall.json", &ROOM.replace("KIND", "").replace("[8, 5]", "[8, 5.5]"));
    let _ = runtime.reload(&std::collections::BTreeSet::from([project.path("rooms/hall.json")]));
    let world = runtime.world();
    let net = world.links();
    let (patrol, lane) = (net.waypath_named("patrol").unwrap(), net.waypath_named("lane").unwrap());
    assert!(patrol.available && patrol.waypath.points[1].action.crouch == Some(true));
    assert!(!lane.available && lane.waypath.points[1].at.at.y == 5.5);
}

#[test]
fn a_reload_that_moves_a_waypoint_leads_the_walker_over_it() {
    let project = hall("", ANN, "return {}");
    let mut runtime = open(&project);
    let before = run(&mut runtime, 2.5);
    assert_eq!(before, TOLD[..1]);
    project.write("rooms/hall.json", &ROOM.replace("KIND", "").replace("[8, 5]", "[8, 5.5]"));
    let _ = runtime.reload(&std::collections::BTreeSet::from([project.path("rooms/hall.json")]));
    let mut highest_m = 0.0_f64;
    for _ in 0..600 {
        runtime.step();
        highest_m = highest_m.max(runtime.world().character_named("ann").unwrap().position.at.y);
    }
    assert!((highest_m - 5.5).abs() < 0.06, "{highest_m}");
}

#[test]
fn recordings_replay_waypaths_of_scripts() {
    let room = "local R = {}
        function R.on_load(room)
          after(1, function()
            room:add_link{ name = 'hop', from = { x = 2, z = 8 }, to = { x = 4, z = 8 } }
            room:add_waypath{ name = 'low', kind = 'two_way',
              points = { { at = { x = 4, z = 3.5 } }, { at = { x = 20, z = 3.5 }, handler = 'low' } } }
          end)
          after(6, function() room:waypath('low'):remove() end)
        end
        return R";
    let project = hall("", ANN, room);
    let mut runtime = open(&project);
    let buffer = Buffer::default();
    runtime.record(Box::new(buffer.clone())).unwrap();
    let lines = run(&mut runtime, 20.0);
    assert!(lines.ends_with(&["true arrived".into(), "false nil".into()]), "{lines:?}");
    runtime.stop_recording().unwrap();
    let recording = Recording::read(&buffer.bytes()).unwrap();
    let mut replay = Replay::new(&recording).unwrap();
    while let Some(tick) = replay.step().unwrap() {
        assert!(tick.is_ok(), "{tick:?}");
    }
    assert_eq!(replay.world().checksum(), runtime.world().checksum());
}

#[test]
fn wrong_waypaths_are_refused_with_a_reason() {
    let room = "local R = {}
        local function try(waypath)
          local ok, why = pcall(function() room:add_waypath(waypath) end)
          log.info(ok, why)
        end
        local a, b = { at = { x = 1, z = 1 } }, { at = { x = 5, z = 1 } }
        function R.on_load(room)
          try{ name = 'lane', points = { a, b } }
          try{ name = 'one', points = { a } }
          try{ name = 'off', points = { a, { at = { x = 5, z = 99 } } } }
          try{ name = 'odd', points = { a, b }, kind = 'lop' }
          try{ name = 'fast', points = { a, { at = b.at, speed = 99 } } }
          try{ name = 'key', points = { a, { at = b.at, crouhc = true } } }
          log.info(pcall(function() room:waypath('lame') end))
        end
        return R";
    let lines = run(&mut open(&hall("", "return {}", room)), 0.1);
    let told = [
        "there is already a waypath 'lane' in the room",
        "two waypoints or more",
        "no ground within 1 m of waypoint 2 of 'off'; the nearest walkable point is",
        "did you mean 'loop'?",
        "speed must be from 0.05 to 10",
        "did you mean 'crouch'?",
        "did you mean 'lane'?",
    ];
    assert_eq!(lines.len(), told.len(), "{lines:#?}");
    for (line, part) in lines.iter().zip(told) {
        assert!(line.starts_with("false") && line.contains(part), "{part}\n{line}");
    }
}

#[test]
fn faults_of_a_file_are_reported_with_their_place() {
    for (from, to, told) in [
        ("[8, 5]", "[8, 50]", "no ground within 1 m of waypoint 2 of 'lane'"),
        ("[8, 5]", "[4, 4]", "this waypoint is where the one before it is"),
        ("[8, 5]", "\"bar\"", "unknown point 'bar'"),
        ("\"speed\": 0.5", "\"speed\": 50", "speed"),
    ] {
        let project = hall("", ANN, "return {}");
        project.write("rooms/hall.json", &ROOM.replace("KIND", "").replacen(from, to, 1));
        let error = Runtime::open(&project.path("rooms/hall.json"), Options::default()).err().unwrap();
        let text = format!("{error:?}{error}");
        assert!(text.contains(told) && text.contains("waypaths[0].points[1]"), "{told}\n{error}");
    }
}

/// The beat of the book: one walk for each waypoint.
#[test]
fn a_beat_of_single_walks_tells_every_waypoint_once_a_round() {
    let room = r#"{
      "cellSize": 0.25, "agentRadius": 0.3, KIND
      "areas": [{ "name": "yard", "polygon": [[0, 0], [20, 0], [20, 9], [0, 9]] }],
      "waypaths": [{ "name": "beat", "kind": "loop", "tags": ["guard"], "points": [
        { "at": [2, 2], "handler": "salute" },
        { "at": [18, 2], "speed": 0.5 },
        { "at": [18, 7], "crouch": true },
        { "at": [2, 7], "crouch": false, "speed": 1 }
      ] }],
      "characters": [{ "name": "ann", "at": [3, 5], "tags": ["guard"], "script": "scripts/ann.lua" }]
    }"#;
    let guard = "local A = {}
        function A.run(self, npc)
          for _ = 1, 2 do
            for index, waypoint in ipairs(room:waypath('beat').points) do
              local began = room.time
              npc:walk_to(waypoint.at)
              wait(0.1)
              log.info('at', index, npc.crouching, npc.waypath, math.floor(room.time - began))
            end
          end
        end
        function A.on_waypoint(self, npc, waypoint) log.info('told', waypoint.index) end
        return A";
    for kind in KINDS {
        let room = room.replace("KIND", kind);
        let project = Project::new(&[("rooms/hall.json", &*room), ("scripts/ann.lua", guard)]);
        let lines = run(&mut open(&project), 110.0);
        // 16 m and 5 m at 1.4 m/s, or at half of that behind the second waypoint; 3 m from where she begins.
        let round = |first_s: u32| {
            let at = [("false", first_s), ("false", 11), ("true", 7), ("false", 22)];
            let told = |(index, (crouches, seconds))| {
                [format!("told {index}"), format!("at {index} {crouches} waypath:beat {seconds}")]
            };
            (1..).zip(at).flat_map(told).collect::<Vec<_>>()
        };
        assert_eq!(lines, [round(2), round(3)].concat(), "{kind}");
    }
}

/// A walk that ends at a waypoint does what the waypoint says, from wherever it comes, and for whom it is.
#[test]
fn a_walk_from_elsewhere_that_ends_at_a_waypoint_acts_there_once() {
    let room = r#"{
      "cellSize": 0.25, "agentRadius": 0.3, KIND
      "areas": [{ "name": "yard", "polygon": [[0, 0], [20, 0], [20, 9], [0, 9]] }],
      "waypaths": [{ "name": "beat", "tags": ["guard"], "points": [
        { "at": [6, 2], "handler": "salute", "speed": 0.5 }, { "at": [12, 2] }, { "at": [18, 2], "handler": "halt" }
      ] }],
      "characters": [
        { "name": "ann", "at": [2, 7], "tags": ["guard"], "script": "scripts/ann.lua" },
        { "name": "bob", "at": [6, 8], "script": "scripts/ann.lua" }
      ]
    }"#;
    let ann = "local A = {}
        function A.run(self, npc)
          if npc.name == 'bob' then wait(40) end
          npc:walk_to(6, 2)
          wait(0.1)
          log.info('stands', npc.waypath)
          npc:walk_to(6, 2)
          npc:walk_to(18, 2)
          npc:walk_to(17, 5)
          log.info('left', npc.waypath)
          npc:walk_to(18, 2)
          log.info('end', npc.waypath)
          npc:walk_to(17, 5)
        end
        function A.on_waypoint(self, npc, waypoint) log.info('told', waypoint.index, waypoint.handler) end
        return A";
    for kind in KINDS {
        let room = room.replace("KIND", kind);
        let project = Project::new(&[("rooms/hall.json", &*room), ("scripts/ann.lua", ann)]);
        let lines = run(&mut open(&project), 90.0);
        let guard = [
            "told 1 salute",
            "stands waypath:beat",
            "told 3 halt",
            "left nil",
            "told 3 halt",
            "end waypath:beat",
        ];
        assert_eq!(lines, [&guard[..], &["stands nil", "left nil", "end nil"]].concat(), "{kind}");
    }
}

/// One that stands at a waypoint and is pushed aside comes back without doing it all again. A goal beside a waypoint of
/// the beat, where the walk leaves it, is no second visit.
#[test]
fn steps_aside_and_goals_beside_a_waypoint_tell_it_once() {
    let room = r#"{
      "cellSize": 0.25, "agentRadius": 0.3, KIND
      "areas": [{ "name": "lane", "polygon": [[0, 0], [20, 0], [20, 2], [0, 2]] }],
      "points": { "west": [1, 1], "east": [19, 1] },
      "waypaths": [{ "name": "beat", "tags": ["guard"], "points": [
        { "at": [6, 1], "handler": "salute" }, { "at": [12, 1], "handler": "halt" }
      ] }],
      "characters": [
        { "name": "ann", "at": [2, 1], "tags": ["guard"], "script": "scripts/ann.lua", "returnsToPost": true },
        { "name": "bob", "at": [1, 1], "script": "scripts/bob.lua", "priority": 5 }
      ]
    }"#;
    let ann = "local A = {}
        function A.run(self, npc)
          npc:walk_to(6, 1)
          npc:walk_to(12.03, 1.01)
          log.info('stands')
        end
        function A.on_waypoint(self, npc, waypoint) log.info('told', waypoint.index) end
        return A";
    let bob = "local B = {}
        function B.run(self, npc)
          wait(12)
          for _ = 1, 3 do npc:walk_to('east') npc:walk_to('west') end
          local ann = room:npc('ann')
          log.info('passed', ann:distance_to { x = 12.03, z = 1.01 } < 0.5)
        end
        return B";
    for kind in KINDS {
        let room = room.replace("KIND", kind);
        let files = [("rooms/hall.json", &*room), ("scripts/ann.lua", ann), ("scripts/bob.lua", bob)];
        let lines = run(&mut open(&Project::new(&files)), 120.0);
        assert_eq!(lines[..3], ["told 1", "told 2", "stands"], "{kind}");
        assert_eq!(lines.last().unwrap(), "passed true", "{kind}");
        assert_eq!(lines.iter().filter(|line| *line == "told 2").count(), 1, "{kind}: {lines:?}");
    }
}

/// Slow walkers are not held up: they come to each waypoint. One that joins a waypath at a waypoint of another acts there.
#[test]
fn slow_walkers_stay_on_the_waypath_and_crossing_ones_are_told() {
    let room = r#"{
      "cellSize": 0.25, "agentRadius": 0.3, KIND
      "areas": [{ "name": "yard", "polygon": [[0, 0], [20, 0], [20, 12], [0, 12]] }],
      "waypaths": [
        { "name": "bend", "tags": ["slow"], "points": [
          { "at": [2, 2], "handler": "a" }, { "at": [10, 6], "crouch": true }, { "at": [18, 2], "handler": "c" }
        ] },
        { "name": "p", "tags": ["both"], "kind": "twoWay", "points": [
          { "at": [2, 6] }, { "at": [10, 6], "crouch": true }, { "at": [18, 6] }
        ] },
        { "name": "q", "tags": ["both"], "kind": "twoWay", "points": [
          { "at": [10, 1] }, { "at": [10, 6], "speed": 0.5 }, { "at": [10, 11] }
        ] }
      ],
      "characters": [
        { "name": "ann", "at": [1, 2], "tags": ["slow"], "walkSpeed": 0.6, "script": "scripts/ann.lua" },
        { "name": "bob", "at": [1, 6], "tags": ["both"], "script": "scripts/bob.lua" }
      ]
    }"#;
    let ann = "local A = {}
        function A.run(self, npc) npc:walk_to(18, 2) end
        function A.on_waypoint(self, npc, waypoint)
          log.info('told', waypoint.index, npc:distance_to(waypoint.at) < 0.2)
        end
        return A";
    let bob = "local B = {}
        function B.run(self, npc)
          npc:walk_to(10, 6)
          local began = room.time
          npc:walk_to(10, 11)
          log.info('bob', math.floor(room.time - began), npc.waypath)
        end
        function B.on_waypoint(self, npc, waypoint) log.info('bob', waypoint.waypath, waypoint.index) end
        return B";
    for kind in KINDS {
        let room = room.replace("KIND", kind);
        let files = [("rooms/hall.json", &*room), ("scripts/ann.lua", ann), ("scripts/bob.lua", bob)];
        let lines = run(&mut open(&Project::new(&files)), 60.0);
        let of = |bob: bool| {
            lines.iter().filter(|line| line.starts_with("bob") == bob).cloned().collect::<Vec<_>>()
        };
        assert_eq!(of(false), ["told 1 true", "told 2 true", "told 3 true"], "{kind}");
        assert_eq!(of(true), ["bob p 2", "bob q 2", "bob 7 waypath:q"], "{kind}");
    }
}

#[test]
fn single_walks_over_a_jump_tell_every_waypoint_once() {
    let ann = "local A = {}
        function A.run(self, npc)
          npc:walk_to(5, 4.25)
          for _, waypoint in ipairs(room:waypath('lane').points) do
            if waypoint.at.x > 5 then
              npc:walk_to(waypoint.at)
              wait(0.1)
              log.info('at', npc.x, npc.waypath)
            end
          end
        end
        function A.on_waypoint(self, npc, waypoint) log.info('told', waypoint.index) end
        return A";
    let room = ROOM.replace("\"jump\": true", "\"jump\": true, \"handler\": \"leap\"");
    for kind in KINDS {
        let room = room.replace("KIND", kind).replace("\"script\": \"scripts/room.lua\",", "");
        let project = Project::new(&[("rooms/hall.json", &*room), ("scripts/ann.lua", ann)]);
        let lines = run(&mut open(&project), 40.0);
        let told: Vec<&String> = lines.iter().filter(|line| line.starts_with("told")).collect();
        assert_eq!(told, ["told 1", "told 2", "told 3", "told 4", "told 5"], "{kind}: {lines:#?}");
        let at: Vec<&String> = lines.iter().filter(|line| line.starts_with("at")).collect();
        assert!(at.len() == 4 && at.iter().all(|line| line.ends_with("waypath:lane")), "{kind}: {lines:#?}");
    }
}
