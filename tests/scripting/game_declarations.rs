//! What a game's functions are where only `scripts/game_api.json` declares them; mistakes in it; stubs in specs.

use super::game_api::{project, run_of, steps};
use crate::common::project::{HALL, Project};
use crate::common::specs;
use cicerone::runtime::{Options, Runtime};
use cicerone::scenario::{SpecOutcome, TestResult};
use cicerone::script::GameApi;

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
    // A name may not be a function of the file and a value of the game.
    let twice = Options::default().game_api(|api| api.value("has_key", "A value.", true));
    let error = Runtime::open(&project.path("rooms/hall.json"), twice).err().unwrap().to_string();
    assert!(error.contains("the game's 'has_key': there is another of this name"), "{error}");
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
        ("play(a: string, a: number)", "two parameters are called 'a'"),
        ("play(a?: string, b: number)", "'a' may be left out and 'b' after it may not: put 'b' first"),
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
    let mute = GameApi::default().action("ask() -> answer: string", "Asks.");
    assert!(mute.mistakes()[0].why.contains("an action has no results"));
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
