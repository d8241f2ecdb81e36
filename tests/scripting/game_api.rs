//! The game's own functions, values and types in Lua: with a game, and with only its declarations.

use crate::common::project::{HALL, Project};
use crate::common::specs;
use cicerone::nav::Place;
use cicerone::record::{Buffer, Recording, Replay, first_command_difference};
use cicerone::runtime::{Options, Runtime, RuntimeEvent};
use cicerone::scenario::{SpecOutcome, TestResult};
use cicerone::script::{Called, FinishError, GameApi, GameValue, Note};
use cicerone::world::Command;
use std::sync::{Arc, Mutex};

/// The hall with this room script.
fn project(script: &str) -> Project {
    Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", script)])
}

/// A room script with this `run`.
fn run_of(body: &str) -> String {
    format!("local S = {{}}\nfunction S.run(room)\n{body}\nend\nreturn S")
}

#[derive(Default)]
struct Seen {
    log: Vec<String>,
    errors: Vec<String>,
    warnings: Vec<String>,
    calls: Vec<Called>,
    given_up: Vec<u64>,
}

fn look(runtime: &mut Runtime, seen: &mut Seen) {
    for event in runtime.take_events() {
        match event {
            RuntimeEvent::Note(Note::Log { level: cicerone::script::Level::Warn, text, .. }) => {
                seen.warnings.push(text);
            }
            RuntimeEvent::Note(Note::Log { text, .. }) => seen.log.push(text),
            RuntimeEvent::Note(Note::Error(error)) => seen.errors.push(error.to_string()),
            RuntimeEvent::Note(Note::Called(call)) => seen.calls.push(call),
            RuntimeEvent::Note(Note::GivenUp(id)) => seen.given_up.push(id.0),
            _ => {}
        }
    }
}

fn steps(runtime: &mut Runtime, ticks: u32) -> Seen {
    let mut seen = Seen::default();
    for _ in 0..ticks {
        runtime.step();
        look(runtime, &mut seen);
    }
    seen
}

/// Runs the body of a room script for a second.
fn of_run(body: &str, add: impl FnOnce(GameApi) -> GameApi) -> Seen {
    let project = project(&run_of(body));
    steps(&mut project.open_with(Options::default().game_api(add)), 60)
}

#[test]
fn a_function_gets_its_arguments_and_returns_values() {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let noted = calls.clone();
    let body = "
        local a, b = both('x', 2, room:npc('ann'), 'bar', { list = { 1, 2 }, deep = { flag = true } })
        log.info(a, b)
        log.info(nothing() == nil, far(1, 2).z, room:npc('bob') == who())
        log.info(difficulty + 1, title)
        local sword = sword()
        log.info(sword, sword == sword, sword:weight(), room.state.sword == nil)
        room.state.sword = sword
        log.info(pcall(function() return sword.colour end))
        log.info(pcall(function() sword.colour = 1 end))";
    let seen = of_run(body, |api| {
        api.kind("Item", "A thing that can be carried.")
            .function(
                "both(a: string, b: number, who: Npc, at: Place, more: any) -> x: string, y?: Npc",
                "Takes all.",
                move |call| {
                    noted.lock().unwrap().push(call.arguments.clone());
                    assert_eq!(call.world().room().name, "hall");
                    Ok((format!("{}!", call.text(0)?), call.character(2)?))
                },
            )
            .function("nothing()", "Does nothing.", |_| Ok(()))
            .function("far(at: Place) -> at: any", "Returns a place.", |call| {
                Ok(GameValue::Place(Place::new(call.place(0)?.at.x + 1.0, call.place(0)?.at.y + 1.0)))
            })
            .function("who() -> npc: Npc", "Bob.", |call| {
                Ok(call.world().character_named("bob").ok_or("no bob")?.id)
            })
            .function("sword() -> item: Item", "A sword.", |_| Ok(GameValue::Thing { kind: "Item", id: 7 }))
            .function("Item:weight() -> kg: number", "Its weight.", |call| {
                Ok(call.thing.map(|id| id as f64 * 1.5))
            })
            .value("difficulty", "How hard the game is.", 2)
            .value("title", "The game's name.", "The Hall")
    });
    assert_eq!(seen.errors, Vec::<String>::new());
    assert_eq!(seen.log[0], "x! npc:ann");
    assert_eq!(seen.log[1], "true 3.0 true");
    assert_eq!(seen.log[2], "3 The Hall");
    assert_eq!(seen.log[3], "Item:7 true 10.5 true");
    assert!(seen.log[4].contains("Item has no 'colour'; it belongs to the game"), "{}", seen.log[4]);
    assert!(seen.log[5].contains("Item has no 'colour' to set"), "{}", seen.log[5]);
    let calls = calls.lock().unwrap();
    let GameValue::Character(ann) = calls[0][2] else { panic!("{calls:?}") };
    let numbers = GameValue::List(vec![1.into(), 2.into()]);
    let deep = GameValue::Fields(vec![("flag".into(), true.into())]);
    let more = GameValue::Fields(vec![("deep".into(), deep), ("list".into(), numbers)]);
    let expected = ["x".into(), 2.0.into(), ann.into(), Place::new(1.0, 1.0).into(), more];
    assert_eq!(calls[0], expected);
}

#[test]
fn wrong_arguments_are_errors_like_those_of_our_own_functions() {
    let play = |api: GameApi| api.action("play_sound(name: string, volume?: number)", "Plays a sound.");
    for (line, expected) in [
        ("play_sound()", "play_sound: name must be a string, not nil"),
        ("play_sound('a', 'loud')", "play_sound: volume must be a number, not the string \"loud\""),
        ("play_sund('a')", "undefined variable 'play_sund'; did you mean 'play_sound'?"),
        ("play_sound = 1", "'play_sound' belongs to all scripts"),
        ("room:npc('ann'):wave()", "a character has no 'wave'"),
    ] {
        let seen = of_run(line, play);
        assert!(seen.errors.len() == 1 && seen.errors[0].contains(expected), "{line}: {:?}", seen.errors);
        assert!(seen.errors[0].starts_with("scripts/room.lua:3: "), "{:?}", seen.errors);
    }
    let wave = |api: GameApi| api.action("npc:wave(how?: string)", "Waves.");
    for (line, expected) in [
        ("room:npc('ann').wave()", "write npc:wave(…) with a colon"),
        ("room:npc('ann'):wawe()", "a character has no 'wawe'; did you mean npc:wave(…)?"),
        ("room:npc('ann'):wave({})", "npc:wave: how must be a string, not a table"),
    ] {
        let seen = of_run(line, wave);
        assert!(seen.errors.len() == 1 && seen.errors[0].contains(expected), "{line}: {:?}", seen.errors);
    }
    let any = |api: GameApi| api.action("tell(value: any)", "Tells.");
    for (line, expected) in [
        ("tell(print)", "value must be something that a game can take, not a function"),
        ("tell({ 1, 2, x = 3 })", "value must be a list without holes, or a table with names for keys"),
        ("tell({ [3] = 1 })", "value must be a list without holes"),
        ("local t = {} t.t = t tell(t)", "value is a table too large or too deep for the game"),
        ("local t = {} for i = 1, 20000 do t[i] = i end tell(t)", "too large or too deep"),
    ] {
        let seen = of_run(line, any);
        assert!(seen.errors.len() == 1 && seen.errors[0].contains(expected), "{line}: {:?}", seen.errors);
    }
}

#[test]
fn errors_and_panics_of_the_game_are_errors_of_the_script() {
    let add = |api: GameApi| {
        api.function("fails()", "Fails.", |_| Err::<(), _>("no such sound".into()))
            .function("panics()", "Panics.", |_| -> Result<(), _> { panic!("out of {}", "range") })
            .function("lies() -> n: number", "Lies.", |_| Ok("text"))
            .function("short() -> n: number", "Returns nothing.", |_| Ok(()))
            .function("long()", "Returns something.", |_| Ok(1))
            .function("asks(n?: number)", "Asks for the wrong type.", |call| {
                call.text(0)?;
                Ok(())
            })
    };
    for (name, expected) in [
        ("fails", "fails: no such sound"),
        ("panics", "panics: the game's code for it failed: out of range"),
        ("lies", "lies: the game returned the string \"text\" for n: number"),
        ("short", "short: the game returned nil for n: number"),
        ("long", "long: the game returned 1 values, and its signature has 0"),
        ("asks", "asks: argument 1 of asks is nil, not a string"),
    ] {
        let seen = of_run(&format!("{name}()"), add);
        assert!(seen.errors.len() == 1 && seen.errors[0].contains(expected), "{name}: {:?}", seen.errors);
        // Caught, it is a plain text, and the script goes on; any number of times.
        let caught =
            format!("for i = 1, 300 do local ok, why = pcall({name}) if i == 300 then log.info(why) end end");
        let seen = of_run(&caught, add);
        assert_eq!(seen.errors, Vec::<String>::new(), "{name}");
        assert!(seen.log[0].contains(expected), "{name}: {:?}", seen.log);
    }
}

#[test]
fn calls_are_charged_and_an_endless_loop_of_them_is_stopped() {
    let seen = of_run("while true do beep() end", |api| api.function("beep()", "Beeps.", |_| Ok(())));
    assert!(seen.errors.len() == 1 && seen.errors[0].contains("ran too long"), "{:?}", seen.errors);
}

#[test]
fn the_game_changes_the_room_while_it_is_called() {
    let seen = of_run("push_ann() log.info(room:npc('ann').x)", |api| {
        api.function("push_ann()", "Puts Ann elsewhere.", |call| {
            let who = call.world().character_named("ann").ok_or("no Ann")?.id;
            call.apply(Command::Teleport { who, to: Place::new(5.0, 1.0) })?;
            assert!(call.apply(Command::Teleport { who, to: Place::new(50.0, 1.0) }).is_err());
            Ok(())
        })
    });
    assert_eq!((seen.errors, seen.log), (vec![], vec!["5.0".to_owned()]));
}

#[test]
fn actions_arrive_as_events_in_order() {
    let seen = of_run("play('a', 0.5) log.info('between') play('b') room:npc('ann'):wave()", |api| {
        api.action("play(name: string, volume?: number)", "Plays.").action("npc:wave()", "Waves.")
    });
    let texts: Vec<&str> = seen.calls.iter().map(|call| call.text.as_str()).collect();
    assert_eq!(texts, [r#"play("a", 0.5)"#, r#"play("b")"#, "ann:wave()"]);
    assert_eq!(seen.calls[0].arguments, [GameValue::from("a"), GameValue::from(0.5)]);
    assert_eq!(seen.calls[1].number(1).unwrap_or(1.0), 1.0);
    assert_eq!((seen.calls[0].function, seen.calls[2].function), ("play", "npc:wave"));
    assert!(seen.calls[0].who.is_none() && seen.calls[2].who.is_some() && !seen.calls[2].waits);
    assert!(seen.calls[0].id < seen.calls[1].id);
}

const ANIMATE: &str = "npc:animate(name: string) -> ok: boolean, reason?: string";

#[test]
fn a_sequence_waits_until_the_game_says_so() {
    let script = run_of("local ok, why = room:npc('ann'):animate('wave') log.info(ok, why, room.tick)");
    let project = project(&script);
    let mut runtime =
        project.open_with(Options::default().game_api(|api| api.waiting(ANIMATE, "Plays an animation.")));
    let seen = steps(&mut runtime, 30);
    assert!(seen.log.is_empty() && seen.calls[0].waits, "{:?}", seen.log);
    let id = seen.calls[0].id;
    // What is not as declared is told to the game, and the script waits on.
    let wrong = runtime.finish_call(id, 1.0).unwrap_err();
    assert_eq!(wrong.to_string(), "the game returned 1 for ok: boolean");
    assert_eq!(steps(&mut runtime, 30).log, Vec::<String>::new());
    runtime.finish_call(id, (true, "done")).unwrap();
    assert_eq!(runtime.finish_call(id, true), Err(FinishError::NotWaiting(id)));
    assert_eq!(steps(&mut runtime, 1).log, ["true done 60"]);
}

#[test]
fn a_wait_needs_a_sequence_and_its_branches_end_each_other() {
    let waiting = |api: GameApi| api.waiting(ANIMATE, "Plays an animation.");
    let project = project("return { on_load = function(room) room:npc('ann'):animate('wave') end }");
    let seen = steps(&mut project.open_with(Options::default().game_api(waiting)), 5);
    assert!(seen.errors[0].contains("npc:animate: only a sequence can wait"), "{:?}", seen.errors);
    assert!(seen.calls.is_empty(), "the game is not called in vain");
    // The loser of a race gives its call up, and the game is told.
    let race =
        "race{ function() room:npc('ann'):animate('wave') end, function() wait(0.2) end } log.info('over')";
    let seen = of_run(race, waiting);
    assert_eq!((seen.log.len(), seen.given_up), (1, vec![seen.calls[0].id.0]));
}

#[test]
fn a_reload_restarts_the_sequence_and_gives_the_call_up() {
    let script = run_of("room:npc('ann'):animate('wave') log.info('over')");
    let project = project(&script);
    let mut runtime =
        project.open_with(Options::default().game_api(|api| api.waiting(ANIMATE, "Plays an animation.")));
    let first = steps(&mut runtime, 10).calls[0].id;
    project.write("scripts/room.lua", &script.replace("wave", "bow"));
    crate::common::project::reload(&project, &mut runtime, &["scripts/room.lua"]);
    let seen = steps(&mut runtime, 10);
    assert_eq!(seen.given_up, [first.0]);
    assert_eq!(seen.calls[0].text, r#"ann:animate("bow")"#);
    runtime.finish_call(seen.calls[0].id, true).unwrap();
    assert_eq!(steps(&mut runtime, 1).log, ["over"]);
}

#[test]
fn a_saved_room_goes_on_with_the_things_of_the_game() {
    let add = |api: GameApi| {
        api.kind("Item", "A thing.")
            .function("sword() -> item: Item", "A sword.", |_| Ok(GameValue::Thing { kind: "Item", id: 7 }))
            .waiting(ANIMATE, "Plays an animation.")
    };
    let script = "local S = {}
        function S.on_load(room) room.state.sword = sword() room.state.owners = { [sword()] = 'ann' } end
        function S.run(room)
          log.info(room.state.sword, room.state.owners[sword()])
          room:npc('ann'):animate('wave')
        end
        return S";
    let project = project(script);
    let mut runtime = project.open_with(Options::default().game_api(add));
    let first = steps(&mut runtime, 10);
    let saved = runtime.save().unwrap();
    runtime.go_back_to(&saved).unwrap();
    let seen = steps(&mut runtime, 10);
    assert_eq!((&first.log, &seen.log), (&vec!["Item:7 ann".to_owned()], &vec!["Item:7 ann".to_owned()]));
    // The call before is given up, and its number is not used again.
    assert_eq!(seen.given_up, [first.calls[0].id.0]);
    assert!(seen.calls[0].id > first.calls[0].id);
}

/// The recording of 1,200 ticks in which the game plays this sound, and the hash of the last one.
fn recorded(sound: &str) -> (Recording, u64) {
    let script = run_of(&format!(
        "while true do
           local ann = room:npc('ann')
           ann:walk_to(strange(7), 1) ann:animate('wave') ann:walk_to('bar') play('{sound}')
         end",
    ));
    let project = project(&script);
    let mut n = 0;
    let mut runtime = project.open_with(Options::default().game_api(|api| {
        api.function("strange(x: number) -> x: number", "Never the same.", move |call| {
            n += 1;
            Ok(call.number(0)? - f64::from(n % 3))
        })
        .action("play(name: string)", "Plays.")
        .waiting(ANIMATE, "Plays an animation.")
    }));
    let tape = Buffer::default();
    runtime.record(Box::new(tape.clone())).unwrap();
    let mut calls = 0;
    for _ in 0..120 {
        for call in steps(&mut runtime, 10).calls {
            calls += 1;
            if call.waits {
                runtime.finish_call(call.id, true).unwrap();
            }
        }
    }
    assert!(calls > 4, "{calls}");
    let hash = runtime.world().checksum();
    runtime.stop_recording().unwrap();
    (Recording::read(&tape.bytes()).unwrap(), hash)
}

#[test]
fn a_recording_has_the_calls_and_replays_without_the_game() {
    let (recording, hash) = recorded("creak");
    let mut replay = Replay::new(&recording).unwrap();
    while let Some(same) = replay.step().unwrap() {
        same.unwrap();
    }
    assert_eq!(replay.world().checksum(), hash);
    let (other, other_hash) = recorded("crack");
    assert_eq!(hash, other_hash, "a call changes nothing in the world");
    let difference = first_command_difference(&recording, &other, 1200).unwrap();
    assert_eq!(difference.now, [r#"the game is called: play("crack")"#]);
}

const DECLARED: &str = r#"{
  "types": [{ "name": "Item", "about": "A thing." }],
  "values": [{ "name": "difficulty", "value": 3 }],
  "functions": [
    { "signature": "play_sound(name: string)", "about": "Plays a sound.", "meanings": { "name": "its file" } },
    { "signature": "has_key() -> yes: boolean", "withoutGame": { "returns": [true] } },
    { "signature": "npc:animate(name: string) -> ok: boolean", "waits": true,
      "withoutGame": { "returns": [true], "seconds": 0.5 } }
  ]
}"#;

#[test]
fn without_a_game_the_declarations_stand_in() {
    let body = "play_sound('creak') log.info(has_key(), difficulty)
        local before = room.tick log.info(room:npc('ann'):animate('wave'), room.tick - before)";
    let project = project(&run_of(body));
    project.write("scripts/game_api.json", DECLARED);
    let seen = steps(&mut project.open(), 60);
    assert_eq!(seen.errors, Vec::<String>::new());
    assert_eq!(seen.log, ["true 3", "true 30"]);
    let texts: Vec<&str> = seen.calls.iter().map(|call| call.text.as_str()).collect();
    assert_eq!(texts, [r#"play_sound("creak")"#, "has_key()", r#"ann:animate("wave")"#]);
    assert!(seen.given_up.is_empty());
    // What the game gives comes first; differences are told.
    let mut runtime = project.open_with(Options::default().game_api(|api| {
        api.function("has_key() -> yes: boolean, why: string", "Asks.", |_| Ok((false, "lost")))
    }));
    let seen = steps(&mut runtime, 60);
    assert_eq!(seen.log[0], "false 3");
    assert_eq!(
        seen.warnings,
        [
            "the game does not give play_sound, so it does nothing",
            "the file declares has_key() -> yes: boolean, and the game gives has_key() -> yes: boolean, why: string",
            "the game does not give npc:animate, so it does nothing",
        ]
    );
}

#[test]
fn mistakes_in_declarations_are_named_with_their_place() {
    let long = "x(a: Place, b: Place, c: Place, d: string)";
    for (signature, expected) in [
        ("play_sound", "a bracket is missing; a signature is like play_sound(name: string"),
        ("play_sound(name: string", "a bracket is not closed"),
        ("play sound(name: string)", "'play sound' is not a name of Lua"),
        ("while()", "'while' is not a name of Lua"),
        ("play(name)", "'name' has no type; write name: string, say"),
        ("play(name: strng)", "there is no type 'strng'; did you mean 'string'?"),
        ("play(na me: string)", "'na me' is not a name of Lua"),
        ("play() channel: integer", "'channel: integer' is left over"),
        ("door:play()", "methods belong to npc, not to 'door'"),
        ("wait(seconds: number)", "there is a 'wait' in all scripts already"),
        ("npc:walk_to(at: Place)", "there is a 'walk_to' in all scripts already"),
        ("assert()", "there is a 'assert' in all scripts already"),
        ("expect()", "there is a 'expect' in all scripts already"),
        ("string()", "there is a 'string' in all scripts already"),
        ("on_enter()", "'on_enter' is an event: scripts define it themselves"),
        (long, "it takes 7 values (a place counts as two), and may take 6"),
    ] {
        let project = project("return {}");
        let options = Options::default().game_api(|api| api.action(signature, "Does something."));
        let error = Runtime::open(&project.path("rooms/hall.json"), options).err().unwrap().to_string();
        assert!(error.contains(expected), "{signature}: {error}");
        let text =
            format!("{{ \"functions\": [\n  {{ \"signature\": {} }}\n] }}", serde_json::json!(signature));
        let problems = GameApi::from_json("scripts/game_api.json", text.as_bytes()).unwrap_err();
        assert!(problems[0].message.contains(expected), "{signature}: {problems:?}");
        assert_eq!((problems[0].line, problems[0].column), (2, 18), "{signature}");
    }
    let twice = GameApi::default().action("a()", "A.").value("a", "A.", 1);
    assert_eq!(twice.mistakes()[0].to_string(), "the game's 'a': there is another of this name");
    let list = GameApi::default().value("a", "A.", vec![1]);
    assert!(list.mistakes()[0].why.contains("a string, a number, true or false"));
    let meaning = GameApi::default().action("a(name: string)", "A.").meaning("nam", "its name");
    assert!(
        meaning.mistakes()[0].why.contains("there is no parameter or result 'nam'; did you mean 'name'?")
    );
    let wrong = GameApi::default().action("a() -> n: number", "A.").without_game("text");
    assert!(wrong.mistakes()[0].why.contains("without a game it returns the string \"text\" for n: number"));
    let problems = GameApi::from_json("scripts/game_api.json", b"{\n  \"function\": []\n}").unwrap_err();
    assert!(
        problems[0].to_string().starts_with("scripts/game_api.json:2:12: unknown field `function`"),
        "{problems:?}"
    );
}

#[test]
fn declarations_are_written_and_read_alike() {
    let read = GameApi::from_json("scripts/game_api.json", DECLARED.as_bytes()).unwrap();
    let again = GameApi::from_json("scripts/game_api.json", read.to_json().as_bytes()).unwrap();
    assert_eq!(read, again);
    let names: Vec<String> = read.entries().map(|entry| entry.signature()).collect();
    let expected = ["play_sound(name)", "has_key() -> yes", "npc:animate(name) -> ok", "difficulty: integer"];
    assert_eq!(names, expected);
}

#[test]
fn specs_put_stubs_in_the_place_of_the_game() {
    let project = Project::new(&[
        ("rooms/hall.json", HALL),
        ("scripts/game_api.json", DECLARED),
        (
            "scripts/room.lua",
            "local S = {}
             function S.run(room)
               local ann = room:npc('ann')
               play_sound('creak')
               if has_key() then ann:animate('wave') ann:say('open') else ann:say('closed') end
             end
             return S",
        ),
        (
            "tests/scenarios/hall_spec.lua",
            "it('without stubs', function()
               load_room('hall')
               expect(play_sound):to_have_been_called_with('creak')
               expect(play_sound):not_to_have_been_called_with('crack')
               expect(play_sound):to_have_been_called(1)
               expect(room:npc('ann').animate):within(1):to_have_been_called_with('wave')
               expect(room:npc('ann')):within(2):to_have_said('open')
             end)
             it('with a value', function()
               stub('has_key', false)
               load_room('hall')
               expect(room:npc('ann')):within(1):to_have_said('closed')
               expect(room:npc('ann').animate):not_to_have_been_called()
             end)
             it('with a function that waits', function()
               stub('npc:animate', function(npc, name) expect(name):to_be('wave') wait(2) return true end)
               load_room('hall')
               run_for(1.5)
               expect(room:npc('ann')):not_to_have_said('open')
               expect(room:npc('ann')):within(1):to_have_said('open')
             end)
             it('names what it does not know', function()
               expect(function() stub('play_sund') end):to_fail(\"did you mean 'play_sound'?\")
               expect(function() expect(print):to_have_been_called() end):to_fail('a function of the game')
             end)",
        ),
        (
            "tests/scenarios/fails_spec.lua",
            "it('tells what was called', function()
               load_room('hall')
               play_sound('one')
               expect(play_sound):to_have_been_called_with('two')
             end)
             it('checks the arguments of stubs', function()
               stub('play_sound', 1)
               load_room('hall')
               play_sound(12)
             end)",
        ),
    ]);
    let report = specs::run(&project);
    let words = cicerone::scenario::pretty(&report, Default::default());
    let has_failed = |result: &&TestResult| matches!(result.outcome, SpecOutcome::Failed(_));
    let failed: Vec<_> = report.results.iter().filter(has_failed).collect();
    assert_eq!((report.results.len(), failed.len()), (6, 2), "{words}");
    assert!(words.contains(r#"expected  play_sound to have been called with ("two")"#), "{words}");
    assert!(words.contains(r#"it was called twice: play_sound("creak"), play_sound("one")"#), "{words}");
    assert!(words.contains("play_sound: name must be a string, not 12"), "{words}");
}
