//! The game's own functions, values and types in Lua.

use crate::common::project::{HALL, Project};
use cicerone::nav::Place;
use cicerone::record::{Buffer, Recording, Replay, first_command_difference};
use cicerone::runtime::{Options, Runtime, RuntimeEvent};
use cicerone::script::{Called, FinishError, GameApi, GameValue, Note};
use cicerone::world::Command;
use std::sync::{Arc, Mutex};

/// The hall with this room script.
pub(super) fn project(script: &str) -> Project {
    Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", script)])
}

/// A room script with this `run`.
pub(super) fn run_of(body: &str) -> String {
    format!("local S = {{}}\nfunction S.run(room)\n{body}\nend\nreturn S")
}

#[derive(Default)]
pub(super) struct Seen {
    pub(super) log: Vec<String>,
    pub(super) errors: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) calls: Vec<Called>,
    pub(super) given_up: Vec<u64>,
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

pub(super) fn steps(runtime: &mut Runtime, ticks: u32) -> Seen {
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
            .function("nobody() -> who: Npc", "Returns a stranger.", |_| {
                Ok(cicerone::world::CharacterId(4_000_000))
            })
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
        ("long", "long: the game returned 1 value, and its signature has 0: declare them after ->"),
        ("nobody", "the game gives character 4000000, which the room does not know"),
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
    let _ = crate::common::project::reload(&project, &mut runtime, &["scripts/room.lua"]);
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

/// The game's code may hold another room and step it. If that room calls the same code, it is an error and not a lock
/// that never opens.
#[test]
fn code_of_the_game_that_calls_itself_through_another_room_is_an_error() {
    let project = project(&run_of("log.info(tostring(pcall(echo)), select(2, pcall(echo)))"));
    let inner: Arc<Mutex<Option<Runtime>>> = Arc::default();
    let (held, said) = (inner.clone(), Arc::new(Mutex::new(Vec::new())));
    let told = said.clone();
    let options = Options::default().game_api(|api| {
        api.function("echo() -> word: string", "Steps the other room.", move |_| {
            if let Some(mut room) = held.lock().unwrap().take() {
                told.lock().unwrap().extend(steps(&mut room, 2).log);
            }
            Ok("done")
        })
    });
    *inner.lock().unwrap() = Some(project.open_with(options.clone()));
    let seen = steps(&mut project.open_with(options), 2);
    assert_eq!(seen.log.len(), 1, "{:?}", seen.log);
    assert!(seen.log[0].contains("true") && seen.log[0].contains("done"), "{:?}", seen.log);
    let said = said.lock().unwrap();
    assert!(said.len() == 1 && said[0].contains("is running already"), "{said:?}");
}
