//! The monkey: what it finds in rooms that are wrong on purpose, and that it finds nothing in the same rooms mended.

use crate::common::in_sweeps;
use crate::common::project::Project;
use cicerone::runtime::{Options, Runtime};
use cicerone::scenario::monkey::{Acts, Finding, FindingKind, Monkey, MonkeyReport, Rules, Watch};
use cicerone::world::{Event, EventKind};

/// A hall with a door to a vault, and two things one can take. The file's own door is closed.
const PUZZLE: &str = r#"{
  "cellSize": 0.25, "agentRadius": 0.2, "objectPadding": 0.05,
  "areas": [
    { "name": "hall",  "polygon": [[0, 0], [8, 0], [8, 4], [0, 4]] },
    { "name": "idol",  "polygon": [[1, 0], [2, 0], [2, 1], [1, 1]] },
    { "name": "altar", "polygon": [[3, 3], [4, 3], [4, 4], [3, 4]] },
    { "name": "gem",   "polygon": [[6, 0], [7, 0], [7, 1], [6, 1]] },
    { "name": "door",  "polygon": [[8, 1], [9, 1], [9, 3], [8, 3]], "available": false },
    { "name": "vault", "polygon": [[9, 0], [12, 0], [12, 4], [9, 4]] }
  ],
  "points": { "idol_stand": [1.5, 0.5], "altar_step": [3.5, 3.5], "gem_stand": [6.5, 0.5], "gold": [11, 2] },
  "goals": ["gold"],
  "characters": [{ "name": "hero", "at": [4, 2], "player": true, "walkSpeed": 2 }],
  "script": "scripts/room.lua"
}"#;

/// A player that takes the idol first finds the door sealed. Nothing that can be seen says so.
const SEALS: &str = "local R = {}
local sealed, opened = false, false
function R.on_enter(room, npc, area)
  if area == 'idol' and not opened then sealed = true end
  --[[mend]]
  if area == 'gem' and not sealed then
    opened = true
    room:set_area_available('door', true)
  end
end
return R";

/// What is laid on the altar is forgiven.
const MEND: &str = "if area == 'altar' then sealed = false end";

fn monkey(project: &Project, room: &str) -> Monkey {
    let room = project.path(room);
    Monkey {
        project: cicerone::project::Project::containing(&room),
        room,
        options: Options::default(),
        first_seed: 1,
        seeds: 12,
        seconds: 40.0,
        acts: Acts::ALL,
        jobs: 2,
        bail: false,
    }
}

fn puzzle(script: &str) -> Project {
    Project::new(&[("rooms/vault.json", PUZZLE), ("scripts/room.lua", script)])
}

fn play(monkey: &Monkey) -> MonkeyReport {
    monkey.play(&|_, _, _| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn all(report: &MonkeyReport) -> String {
    report.findings.iter().map(Finding::to_string).collect()
}

#[test]
fn a_puzzle_that_locks_itself_is_found_and_the_seed_shows_it_again() {
    let project = puzzle(SEALS);
    let monkey = monkey(&project, "rooms/vault.json");
    let report = play(&monkey);
    let [locked] = &report.findings[..] else { panic!("{}", all(&report)) };
    assert_eq!((locked.kind, locked.who.as_str()), (FindingKind::Locked, "goal 'gold'"));
    assert!(locked.words.contains("door"), "{}", locked.words);
    assert!(locked.seeds.len() > 1 && locked.seeds.len() < 12, "{:?}", locked.seeds);
    for words in ["click at ", "hero enters hall"] {
        assert!(locked.before.iter().any(|line| line.contains(words)), "{words}: {:?}", locked.before);
    }
    let times: Vec<f64> =
        locked.before.iter().map(|line| line.trim().split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(times.is_sorted(), "{:?}", locked.before);
    assert!(locked.picture.contains('@'), "{}", locked.picture);
    assert!(locked.picture.contains("= idol, altar, gem (open)"), "{}", locked.picture);
    // The seed alone, with clicks alone, as the command says.
    assert!(locked.command.contains(&format!("--seed {}", locked.seed)), "{}", locked.command);
    assert!(locked.command.ends_with("--without toggles --without spawns"), "{}", locked.command);
    let again = Monkey { first_seed: locked.seed, seeds: 1, acts: Acts::CLICKS, ..monkey };
    let again = play(&again);
    let [same] = &again.findings[..] else { panic!("{}", all(&again)) };
    assert_eq!((same.kind, &same.words), (FindingKind::Locked, &locked.words));
}

#[test]
fn whoever_bails_does_not_play_all_seeds_for_a_lock() {
    let project = puzzle(SEALS);
    let bails = |jobs| Monkey { bail: true, seeds: 40, jobs, ..monkey(&project, "rooms/vault.json") };
    let report = play(&bails(1));
    let [locked] = &report.findings[..] else { panic!("{}", all(&report)) };
    assert_eq!((locked.kind, &locked.seeds[..]), (FindingKind::Locked, &[locked.seed][..]));
    assert_eq!(report.summary.seeds, 8);
    assert_eq!(play(&bails(3)), report);
    // Nobody bails from a goal that nobody has reached yet: others may.
    let never = puzzle("return {}");
    let report = play(&Monkey { bail: true, seeds: 10, ..monkey(&never, "rooms/vault.json") });
    let kinds: Vec<FindingKind> = report.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!((report.summary.seeds, &kinds[..]), (10, &[FindingKind::NeverReached][..]));
}

/// The door is what is in the way, from wherever one may get nearest to it.
#[test]
fn one_lock_is_one_finding_wherever_the_player_ends() {
    let nook =
        r#"{ "name": "nook", "polygon": [[8, 3.2], [8.6, 3.2], [8.6, 4], [8, 4]] }, { "name": "vault""#;
    let room = PUZZLE.replace(r#"{ "name": "vault""#, nook);
    let nook_or_not =
        "function R.on_load(room) room:set_area_available('nook', random() < 0.5) end\nreturn R";
    let script = SEALS.replace("return R", nook_or_not);
    let project = Project::new(&[("rooms/vault.json", &room), ("scripts/room.lua", &script)]);
    let report = play(&monkey(&project, "rooms/vault.json"));
    let [locked] = &report.findings[..] else { panic!("{}", all(&report)) };
    assert!(locked.words.contains("nearest point that can be reached"), "{}", locked.words);
}

#[test]
fn a_puzzle_that_locks_itself_in_sight_is_found() {
    let in_sight = SEALS
        .replace("sealed", "room.state.sealed")
        .replace("local room.state.sealed, opened = false, false", "local opened");
    let report = play(&monkey(&puzzle(&in_sight), "rooms/vault.json"));
    assert_eq!(
        report.findings.iter().map(|f| f.kind).collect::<Vec<_>>(),
        [FindingKind::Locked],
        "{}",
        all(&report)
    );
    assert!(report.summary.states > 2, "{:?}", report.summary);
}

#[test]
fn a_puzzle_that_can_be_put_right_is_no_finding() {
    let report = play(&monkey(&puzzle(&SEALS.replace("--[[mend]]", MEND)), "rooms/vault.json"));
    assert!(report.findings.is_empty(), "{}", all(&report));
    assert_eq!(report.summary.goals, (1, 1));
}

/// A door that is closed most of the time, and at the end of nearly every run.
#[test]
fn a_door_that_opens_again_is_no_finding() {
    let blinks = "every(17, function()
        set_area_available('door', true)
        after(2, function() set_area_available('door', false) end)
      end)
      return {}";
    let report = play(&monkey(&puzzle(blinks), "rooms/vault.json"));
    assert!(report.findings.is_empty(), "{}", all(&report));
}

#[test]
fn a_goal_that_nobody_can_reach_is_found() {
    let report = play(&monkey(&puzzle("return {}"), "rooms/vault.json"));
    let [never] = &report.findings[..] else { panic!("{}", all(&report)) };
    assert_eq!((never.kind, never.who.as_str()), (FindingKind::NeverReached, "goal 'gold'"));
    assert!(never.words.contains("door"), "{}", never.words);
    assert!(never.words.starts_with("not reached in 12 runs of 40 s and 40 of 120 s: "), "{}", never.words);
    assert_eq!(report.summary.goals, (1, 0));
}

/// The door opens after half a minute: too late for short runs, and nothing is wrong.
#[test]
fn a_goal_that_takes_longer_than_the_run_is_told_and_no_finding() {
    let late = puzzle("after(30, function() set_area_available('door', true) end) return {}");
    let short = Monkey { seconds: 5.0, seeds: 3, ..monkey(&late, "rooms/vault.json") };
    let report = play(&short);
    assert!(report.findings.is_empty(), "{}", all(&report));
    let [told] = &report.summary.not_in_time[..] else { panic!("{:?}", report.summary) };
    assert_eq!((told.goal.as_str(), told.runs, told.of), ("gold", 3, 3));
    assert!((30.0..31.0).contains(&told.took_s), "{told:?}");
    assert_eq!(report.summary.goals, (1, 1));
    let long = Monkey { seconds: 40.0, seeds: 1, ..short };
    assert!(play(&long).summary.not_in_time.is_empty());
}

/// A dead player reaches nothing.
#[test]
fn a_game_that_can_be_lost_is_found() {
    let deadly = "local R = {}
      function R.on_load(room) room:set_area_available('door', true) end
      function R.on_enter(room, npc, area) if area == 'idol' then npc.alive = false end end
      return R";
    let report = play(&monkey(&puzzle(deadly), "rooms/vault.json"));
    let [locked] = &report.findings[..] else { panic!("{}", all(&report)) };
    assert_eq!(locked.kind, FindingKind::Locked);
    assert!(locked.words.contains("there is no character to go to it"), "{}", locked.words);
}

#[test]
fn an_error_is_found_once_with_its_line_and_all_seeds() {
    let fails = "local R = {}
function R.on_enter(room, npc, area)
  if area == 'gem' then npc:say(nil .. area) end
end
return R";
    let without_goals = PUZZLE.replace(r#""goals": ["gold"],"#, "");
    let project = Project::new(&[("rooms/vault.json", &without_goals), ("scripts/room.lua", fails)]);
    let report = play(&monkey(&project, "rooms/vault.json"));
    let [error] = &report.findings[..] else { panic!("{}", all(&report)) };
    assert_eq!((error.kind, error.who.as_str()), (FindingKind::ScriptError, "scripts/room.lua:3"));
    assert!(error.seeds.len() > 3, "{:?}", error.seeds);
    assert!(!error.to_string().contains("hash"), "{error}");
    // It stops at the first of them if it is asked to.
    let bailed = play(&Monkey { bail: true, ..monkey(&project, "rooms/vault.json") });
    assert_eq!(bailed.findings[0].seeds, [error.seed]);
    assert_eq!(bailed.summary.seeds, error.seed);
}

/// Somebody who is put back again and again is odd, but a script may.
#[test]
fn a_script_that_teleports_for_ever_is_no_finding() {
    let restless = "local R = {}
      function R.run(room)
        local hero = room:npc('hero')
        while true do
          hero:set_target(11, 2)
          wait(0.3)
          pcall(hero.teleport, hero, 4, 2)
        end
      end
      return R";
    let without_goals = PUZZLE.replace(r#""goals": ["gold"],"#, "");
    let project = Project::new(&[("rooms/vault.json", &without_goals), ("scripts/room.lua", restless)]);
    let report = play(&monkey(&project, "rooms/vault.json"));
    assert!(report.findings.is_empty(), "{}", all(&report));
}

#[test]
fn the_same_seeds_give_the_same_report_whatever_the_jobs() {
    let project = puzzle(SEALS);
    let seeds = in_sweeps(5, 2);
    let one = play(&Monkey { jobs: 1, seeds, ..monkey(&project, "rooms/vault.json") });
    let two = play(&Monkey { jobs: 3, seeds, ..monkey(&project, "rooms/vault.json") });
    assert_eq!(one, two);
    let other = play(&Monkey { first_seed: 50, seeds, ..monkey(&project, "rooms/vault.json") });
    assert_ne!(one.summary.hash, other.summary.hash);
}

#[test]
fn what_is_left_out_is_not_done() {
    let project = puzzle(SEALS);
    let alone = |acts| play(&Monkey { seeds: 1, acts, ..monkey(&project, "rooms/vault.json") });
    let words = |report: &MonkeyReport| -> String {
        let actions = report.actions.iter().flat_map(|(_, actions)| actions);
        actions.map(|action| format!("{}\n", action.input)).collect()
    };
    assert_eq!(words(&alone(Acts::NONE)), "");
    let spawns = words(&alone(Acts { spawns: true, ..Acts::NONE }));
    assert!(spawns.contains("passer_1 comes in") && !spawns.contains("click"), "{spawns}");
    let toggles = words(&alone(Acts { toggles: true, ..Acts::NONE }));
    assert!(toggles.lines().all(|line| line.starts_with("open ") || line.starts_with("close ")), "{toggles}");
}

// ---- the watch itself: streams of events with something wrong in them ----

/// Two people on the move, watched; `bend` may change what the watch is told.
fn watched(
    rules: impl Fn(&Runtime) -> Rules,
    mut bend: impl FnMut(&mut Vec<Event>),
) -> Vec<(FindingKind, String)> {
    let project = crate::common::project::walker_project();
    let mut runtime = project.open();
    let mut watch = Watch::with(rules(&runtime));
    let mut found = Vec::new();
    for _ in 0..60 * 40 {
        runtime.drain_inbox();
        let mut events = runtime.pending_events().to_vec();
        bend(&mut events);
        found.extend(watch.look(runtime.world(), &events).into_iter().map(|seen| (seen.kind, seen.words)));
        runtime.step();
    }
    found
}

fn as_promised(runtime: &Runtime) -> Rules {
    Rules::of(&runtime.world().room().crowd)
}

fn is_end(event: &Event) -> bool {
    matches!(event.kind, EventKind::WalkEnded { .. })
}

#[test]
fn people_who_walk_to_and_fro_are_no_finding() {
    assert_eq!(watched(as_promised, |_| {}), []);
}

#[test]
fn an_end_that_is_not_told_is_found() {
    let mut dropped = 0;
    let found = watched(as_promised, |events| {
        if dropped == 0 && events.iter().any(is_end) {
            events.retain(|event| !is_end(event));
            dropped += 1;
        }
    });
    assert_eq!(found, [(FindingKind::EndMisreported, "a walk is over, and its end was never told".into())]);
}

#[test]
fn an_end_that_is_told_twice_is_found() {
    let mut doubled = 0;
    let found = watched(as_promised, |events| {
        let end = events.iter().find(|event| is_end(event)).cloned();
        if let Some(end) = end.filter(|_| doubled == 0) {
            events.push(end);
            doubled += 1;
        }
    });
    assert_eq!(found, [(FindingKind::EndMisreported, "the end of one walk was told twice".into())]);
}

/// Somebody in a hall who cannot get on: the crowd gives such a walk its ten seconds. A watch with less patience calls
/// it stuck, as the real one would call a walk that did not end after them.
#[test]
fn a_walk_that_does_not_end_in_time_is_found() {
    let project = Project::new(&[
        (
            "rooms/hall.json",
            &crate::common::project::HALL
                .replace(r#""name": "bob","#, r#""name": "bob", "walkSpeed": 0.001,"#),
        ),
        ("scripts/room.lua", "return { run = function(room) room:npc('bob'):walk_to(1, 1) end }"),
    ]);
    let look = |rules: Rules| {
        let mut runtime = project.open();
        let mut watch = Watch::with(rules);
        let mut kinds = Vec::new();
        for _ in 0..60 * 15 {
            runtime.drain_inbox();
            kinds.extend(
                watch.look(runtime.world(), runtime.pending_events()).into_iter().map(|seen| seen.kind),
            );
            runtime.step();
        }
        assert_eq!(runtime.tally().walks.get("blocked"), Some(&1));
        kinds
    };
    let rules = as_promised(&project.open());
    assert_eq!(look(rules.clone()), []);
    assert_eq!(look(with!(rules.clone(), still_s = 5.0)), [FindingKind::Stuck]);
    assert_eq!(look(with!(rules.clone(), effort_slack = 0.0)), [FindingKind::Endless]);
}

/// A room that does not push people apart, by its own file, seen with the eyes of one that does.
#[test]
fn two_who_stand_in_each_other_are_found() {
    let found = |iterations: u32| {
        let hall = crate::common::project::HALL.replace(r#""at": [6, 3]"#, r#""at": [2.05, 1]"#);
        let crowd = format!(r#""crowd": {{"collisionIterations": {iterations}}}, "agentRadius""#);
        let hall = hall.replace(r#""agentRadius""#, &crowd);
        let project = Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", "return {}")]);
        let mut runtime = project.open();
        let mut watch = Watch::with(with!(as_promised(&runtime), overlap_s = 10.0));
        let mut kinds = Vec::new();
        for _ in 0..60 * 12 {
            runtime.drain_inbox();
            kinds.extend(
                watch.look(runtime.world(), runtime.pending_events()).into_iter().map(|seen| seen.kind),
            );
            runtime.step();
        }
        kinds
    };
    assert_eq!(found(3), []);
    assert_eq!(found(0), [FindingKind::Overlap]);
}

// ---- the command ----

#[cfg(feature = "cli")]
mod command {
    use super::*;
    use std::process::{Command, Output};

    fn monkey(project: &Project, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        command.current_dir(project.path("")).args(["monkey", "vault"]).args(args);
        if !args.contains(&"--seconds") {
            command.args(["--seconds", "40"]);
        }
        command.output().unwrap()
    }

    fn text(output: &Output) -> String {
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    #[test]
    fn tells_what_it_found_and_says_so_by_its_exit_code() {
        let project = puzzle(SEALS);
        let output = monkey(&project, &["--seeds", "6"]);
        let told = text(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("puzzle locked: goal 'gold' at (11.00, 2.00)"), "{told}");
        assert!(told.contains("again: cicerone monkey rooms/vault.json --seed "), "{told}");
        assert!(told.contains("@ hero (player)") && told.ends_with("1 found\n"), "{told}");
        // The command it names shows it, with what the monkey did.
        let again = told.lines().find_map(|line| line.trim().strip_prefix("again: cicerone ")).unwrap();
        let words: Vec<&str> = again.split_whitespace().collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        let output = command.current_dir(project.path("")).args(words).output().unwrap();
        let told = text(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(
            told.starts_with("with clicks alone:\n") && told.contains("  tick 0      click at "),
            "{told}"
        );
        assert!(told.contains("puzzle locked: goal 'gold'"), "{told}");
    }

    #[test]
    fn tells_what_takes_longer_and_ends_well() {
        let project = puzzle("after(30, function() set_area_available('door', true) end) return {}");
        let output = monkey(&project, &["--seeds", "2", "--seconds", "5"]);
        let told = text(&output);
        assert_eq!(output.status.code(), Some(0), "{told}");
        let line = "goal 'gold': not reached in the time left at the end of 2 of 2 runs; elsewhere it took 3";
        assert!(told.contains(line) && told.ends_with("nothing found\n"), "{told}");
    }

    #[test]
    fn prints_the_same_bytes_whatever_the_jobs() {
        let project = puzzle(SEALS);
        let seeds = in_sweeps("4", "2");
        let json = |jobs| monkey(&project, &["--seeds", seeds, "--format", "json", "--jobs", jobs]);
        let (one, two) = (json("1"), json("2"));
        assert_eq!(text(&one), text(&two));
        let report: serde_json::Value = serde_json::from_slice(&one.stdout).unwrap();
        assert_eq!(report["summary"]["seeds"].to_string(), seeds);
    }

    #[test]
    fn finds_nothing_where_nothing_is_wrong_and_refuses_what_is_no_room() {
        let project = puzzle(&SEALS.replace("--[[mend]]", MEND));
        let output = monkey(&project, &["--seeds", "2", "--without", "toggles,spawns"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        assert!(text(&output).contains("goals: 1 of 1 reached") && text(&output).contains("nothing found"));
        let output = monkey(&project, &["--seeds", "2", "--without", "clicks"]);
        let unseen =
            "goals: not looked at, which takes clicks; that none was reached says nothing\nnothing found";
        assert!(text(&output).contains(unseen), "{}", text(&output));
        project.write("rooms/vault.json", &PUZZLE.replace(r#"["gold"]"#, r#"["glod"]"#));
        let output = monkey(&project, &[]);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("unknown point 'glod'") && told.contains("did you mean 'gold'?"), "{told}");
        assert_eq!(monkey(&project, &["--without", "everything"]).status.code(), Some(2));
    }
}
