//! The console: Lua in a running room, as `cicerone eval` and as lines that come in while a room runs.

use crate::attacks::watch::is_longer_than;
use crate::common::project::{HALL, Project};
use cicerone::runtime::Input;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a command wrote and how it ended.
struct Said {
    out: String,
    err: String,
    code: i32,
}

fn cicerone(arguments: &[&str], input: &[u8]) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cicerone"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command that does not read to the end closes the pipe.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { out: text(output.stdout), err: text(output.stderr), code: output.status.code().unwrap() }
}

/// A hall in which Ann has a behaviour and the room a script.
fn project() -> Project {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/ann.lua","#);
    Project::new(&[
        ("rooms/hall.json", &hall),
        (
            "scripts/ann.lua",
            "local A = {} function A.on_spawn(self, npc) npc:add_tag('spawned') end return A",
        ),
        (
            "scripts/room.lua",
            "local R = {} function R.on_load(room) room.state.loaded = true end
             function R.fail() error('deep') end
             return R",
        ),
    ])
}

fn eval_with(options: &[&str], lines: &[&str], input: &str) -> Said {
    let project = project();
    let room = project.path("rooms/hall.json");
    let mut arguments = vec!["eval", room.to_str().unwrap()];
    arguments.extend(options);
    arguments.push("--");
    arguments.extend(lines);
    cicerone(&arguments, input.as_bytes())
}

fn eval(lines: &[&str]) -> Said {
    eval_with(&[], lines, "")
}

#[test]
fn values_of_every_kind_are_shown() {
    let table = [
        ("nil", "nil"),
        ("1, 2.5, -0.0, 1/3, true", "1, 2.5, -0.0, 0.3333333333333333, true"),
        (r#""a\"b\n", 'c'"#, r#""a\"b\n", "c""#),
        ("room", "room:hall"),
        ("room:npc('ann')", "npc:ann"),
        ("room:npcs()", "{npc:ann, npc:bob}"),
        ("room:npc('bob'):pos()", "{x = 6.0, z = 3.0}"),
        ("{}", "{}"),
        (
            "{3, 2, b = 1, a = {c = {1}, {}}, ['x y'] = 0, [9] = 8}",
            r#"{3, 2, [9] = 8, a = {{}, c = {…}}, b = 1, ["x y"] = 0}"#,
        ),
        ("print", "function"),
        ("function() end", "function console:1"),
        ("require('scripts/room').fail", "function scripts/room.lua:2"),
        ("coroutine.create(print)", "coroutine"),
        ("setmetatable({}, {__tostring = function() return 'words' end})", "words"),
        ("setmetatable({}, {__name = 'Odd'})", "{}"),
        ("log", "{debug = function, error = function, info = function, warn = function}"),
        ("-- a remark", ""),
        ("x = 5", ""),
        ("(function() local t = {} t.t = t return t end)()", "{t = {t = {…}}}"),
    ];
    for (line, expected) in table {
        let said = eval(&[line]);
        assert_eq!((said.out.trim_end(), said.code), (expected, 0), "{line}: {}", said.err);
        assert!(!said.out.contains("0x"), "no address: {}", said.out);
    }
    let long = eval(&["local t = {} for i = 1, 1000 do t[i] = i end return t"]).out;
    assert!(long.starts_with("{1, 2, 3, ") && long.ends_with(", …}\n") && long.len() < 500, "{long}");
}

#[test]
fn values_as_json() {
    let lines = ["room:npc('ann'):pos()", "1, 'two'", "x = 1", "room:npcs()", "0/0", "{a = {1, {b = 2}}}"];
    let said = eval_with(&["--format", "json"], &lines, "");
    let expected =
        "{\"x\":2.0,\"z\":1.0}\n[1,\"two\"]\nnull\n[\"npc:ann\",\"npc:bob\"]\nnull\n{\"a\":[1,{\"b\":2}]}\n";
    assert_eq!((&*said.out, said.code), (expected, 0), "{}", said.err);
}

#[test]
fn what_one_line_assigns_the_next_one_knows() {
    let said = eval(&["x = room:npc('ann')", "x.id", "_ .. '!'", "local y = 1", "y"]);
    assert_eq!(said.out, "\"ann\"\n\"ann!\"\n");
    assert_eq!(
        (&*said.err, said.code),
        ("error: console:1: undefined variable 'y'; is it misspelt, or local to another function?\n", 1)
    );
    // The scripts' own globals are safe from it.
    let said = eval(&["print = 5", "room:npc('ann').id", "log.info(1)"]);
    assert_eq!(said.out, "\"ann\"\n", "{}", said.err);
}

#[test]
fn the_room_has_begun() {
    let said = eval(&["room.state.loaded", "room:npc('ann'):has_tag('spawned')", "room.tick"]);
    assert_eq!(said.out, "true\ntrue\n1\n", "{}", said.err);
    assert_eq!(eval_with(&["--seconds", "2"], &["room.tick, room.time"], "").out, "120, 2.0\n");
}

#[test]
fn errors_are_said_with_place_and_hint() {
    let table = [
        ("romm", "console:1: undefined variable 'romm'; did you mean 'room'?", 1),
        ("room:npc('anm')", "console:1: room:npc: no character 'anm' in room 'hall'; did you mean 'ann'?", 1),
        ("error('oh')", "console:1: oh", 1),
        ("nil + 1", "console:1: attempt to perform arithmetic on a nil value; one side has no value yet", 1),
        ("error({})", "console:1: an error that is a table", 1),
        ("require('scripts/room').fail()", "scripts/room.lua:2: deep", 1),
        (
            "while true do end",
            "console:1: ran too long without a pause (1000000 instructions); does an endless loop want a wait(…) in it?",
            1,
        ),
        (
            "setmetatable({}, {__tostring = function() while true do end end})",
            "console:1: ran too long without a pause (1000000 instructions); does an endless loop want a wait(…) in it?",
            1,
        ),
        ("foo bar", "console:1: syntax error near 'bar'", 2),
        ("1 + )", "console:1: unexpected symbol near ')'", 2),
        ("x = = 2", "console:1: unexpected symbol near '='", 2),
        ("function f()", "console:1: the line is not finished: 'end' expected near <eof>", 2),
        ("for i = 1, 3 do", "console:1: the line is not finished: 'end' expected near <eof>", 2),
        ("room:npc(", "console:1: the line is not finished: unexpected symbol near <eof>", 2),
    ];
    for (line, message, code) in table {
        let said = eval(&[line]);
        assert_eq!(
            (&*said.err, &*said.out, said.code),
            (&*format!("error: {message}\n"), "", code),
            "{line}"
        );
    }
    let said = eval(&["(", "error('oh')", "1"]);
    assert_eq!((&*said.out, said.code), ("1\n", 2), "the others are evaluated all the same");
}

#[test]
fn a_runaway_line_costs_the_next_one_nothing() {
    let hungry = "local t = {} while true do t[#t + 1] = ('x'):rep(100000) .. #t end";
    let busy = "for i = 1, 200000 do end return 'done'";
    let said = eval(&["while true do end", hungry, "while true do end", "while true do end", busy]);
    assert_eq!((&*said.out, said.code), ("\"done\"\n", 1), "{}", said.err);
    assert_eq!(said.err.lines().count(), 4, "{}", said.err);
}

#[test]
fn a_line_that_waits_is_waited_for() {
    let said = eval(&[
        "room:npc('ann'):walk_to('bar')",
        "room:npc('ann'):distance_to('bar') < 0.1",
        "wait(0.5)",
        "room.time > 1",
    ]);
    assert_eq!(said.out, "true, \"arrived\"\ntrue\ntrue, \"done\"\ntrue\n", "{}", said.err);
    let said = eval_with(&["--timeout", "2"], &["wait(3)", "1"], "");
    assert_eq!((&*said.out, said.code), ("", 1));
    assert!(said.err.contains("no answer after 2 s of game time"), "{}", said.err);
    // An error after a wait is told all the same, and ends nothing else.
    let said = eval(&["wait(1) error('late')", "2"]);
    assert_eq!((&*said.out, &*said.err), ("2\n", "error: console:1: late\n"));
}

#[test]
fn what_a_line_leaves_behind_goes_on() {
    let said = eval(&["every(1, function() print('tick', room.time) end)", "wait(2.5)"]);
    assert_eq!(said.err.matches("tick ").count(), 2, "{}", said.err);
    assert!(said.out.ends_with("true, \"done\"\n"), "{}", said.out);
    let said = eval(&["after(1, function() error('later') end)", "wait(2)"]);
    assert!(said.err.contains("console:1: later (a timer of the console"), "{}", said.err);
}

#[test]
fn lines_are_read_from_standard_input() {
    let long = format!("return '{}'", "x".repeat(50_000));
    let input = format!("x = 2\n\nx + 1\r\nnonsense(\n{long}\nx * 2");
    for lines in [&[][..], &["-"]] {
        let said = eval_with(&[], lines, &input);
        assert_eq!((&*said.out, said.code), ("3\n4\n", 2), "{}", said.err);
        assert!(said.err.contains("a line may have 10000 bytes at most"), "{}", said.err);
    }
    assert_eq!(eval_with(&[], &[], "").code, 0);
}

#[test]
fn bad_input_is_bad_input() {
    assert_eq!(cicerone(&["eval", "rooms/nowhere.json", "1"], b"").code, 2);
    assert_eq!(eval_with(&["--seconds", "x"], &["1"], "").code, 2);
    assert_eq!(eval_with(&["--limit", "instructionsPerCall=5000"], &["for i = 1, 9999 do end"], "").code, 1);
    assert_eq!(
        eval_with(&["--seed", "7"], &["random()"], "").out,
        eval_with(&["--seed", "7"], &["random()"], "").out
    );
}

#[test]
fn a_room_that_runs_as_lines_answers_what_comes_in() {
    let project = project();
    let room = project.path("rooms/hall.json");
    let arguments = ["run", room.to_str().unwrap(), "--seconds", "1"];
    let said =
        cicerone(&arguments, b"room.state.loaded\nx = room:npc('ann')\nx:pos()\nprint('hello')\nromm\n");
    let answers = "\n= true\n= {x = 2.0, z = 1.0}\n";
    assert!(said.out.contains(answers) && said.out.contains("\nhello\n"), "{}", said.out);
    assert!(
        said.out.contains("\nerror: console:1: undefined variable 'romm'; did you mean 'room'?\n"),
        "{}",
        said.out
    );
    assert_eq!(said.code, 0);
}

#[test]
fn more_lines_than_a_room_can_take_do_not_hold_it_up() {
    let project = project();
    let room = project.path("rooms/hall.json");
    let begun = Instant::now();
    let said =
        cicerone(&["run", room.to_str().unwrap(), "--seconds", "1"], "1\n".repeat(1_000_000).as_bytes());
    let took = begun.elapsed();
    assert!(!is_longer_than(Duration::from_secs(10), took), "{took:?}");
    let answers = said.out.matches("= 1\n").count();
    assert!((100..1500).contains(&answers), "{answers}");
}

#[test]
fn a_line_is_part_of_the_run() {
    // Sent before a step, or looked at between two: the same to the last bit. Without it, another run.
    let run = |line: Option<&str>, attend: bool| {
        let mut room = project().open();
        for tick in 0..120 {
            if tick == 30
                && let Some(line) = line
            {
                room.send(Input::Console(line.to_owned()));
                if attend {
                    room.drain_inbox();
                }
            }
            room.step();
        }
        let answers: Vec<String> = room.take_answers().iter().map(ToString::to_string).collect();
        (room.world().checksum(), answers)
    };
    let line = "room:npc('ann'):walk_to(2.5 + random(), 1)";
    let (first, answers) = run(Some(line), false);
    assert_eq!(answers, ["true, \"arrived\""]);
    assert_eq!(run(Some(line), true), (first, answers));
    assert_ne!(run(None, false).0, first);
}

#[test]
fn a_mistyped_line_is_no_error_of_the_scripts() {
    let mut room = project().open();
    room.step();
    for line in ["romm", "(", "while true do end"] {
        room.send(Input::Console(line.into()));
    }
    room.step();
    assert_eq!(room.take_answers().len(), 3);
    assert_eq!((room.script_errors().count(), room.tally().script_errors), (0, 0));
}

#[test]
fn lua_of_several_lines_comes_in() {
    let input = "function twice(n)\n\n  return 2 * n\nend\ntwice(\n4)\ntwice(";
    let said = eval_with(&[], &[], input);
    assert_eq!((&*said.out, said.code), ("8\n", 2), "{}", said.err);
    assert_eq!(
        said.err, "error: console:1: the line is not finished: unexpected symbol near <eof>\n",
        "the end of the input ends it"
    );
    let project = project();
    let arguments = ["run", &project.path("rooms/hall.json").display().to_string(), "--seconds", "1"];
    let said = cicerone(&arguments, b"for i = 1, 2 do\n  print('n' .. i)\nend\nroom:npc(\n\n20 +\n1");
    assert!(said.out.contains("it goes on; an empty line ends it\n"), "{}", said.out);
    assert!(said.out.contains("\nn1\nn2\n"), "{}", said.out);
    assert!(said.out.contains("\nerror: console:1: the line is not finished"), "{}", said.out);
    assert!(said.out.contains("\n= 21\n"), "{}", said.out);
}

#[test]
fn what_goes_on_in_the_next_line_is_told_from_what_is_wrong() {
    let mut room = project().open();
    room.step();
    let unfinished =
        ["for i = 1, 3 do", "x =", "1 +", "room:npc(", "{1,", "[[a", "--[[ a", "if x then y()", "f{"];
    for text in unfinished {
        assert!(room.is_unfinished(text), "{text}");
    }
    for text in ["1", "x = 1", "", "1 + )", "foo bar", "'a", "end", "for i = 1, 3 do end", "[[a\nb]]"] {
        assert!(!room.is_unfinished(text), "{text}");
    }
    assert!(!room.is_unfinished(&format!("f({}", " ".repeat(20_000))), "there is an end to it");
}

#[test]
fn lines_that_wait_are_called_off() {
    let mut room = project().open();
    room.step();
    for line in [
        "start(function() wait(0.5) print('begun goes on') end)",
        "room:npc('ann'):walk_to(7, 1)",
        "all{function() wait(9) end, function() room:npc('bob'):walk_to(1, 1) end}",
    ] {
        room.send(Input::Console(line.into()));
    }
    (0..10).for_each(|_| room.step());
    assert_eq!((room.waiting_lines(), room.take_answers().len()), (2, 1));
    assert!(room.world().characters().iter().all(|character| character.is_moving()));
    room.send(Input::CallOffLines);
    room.drain_inbox();
    let answers: Vec<String> = room.take_answers().iter().map(ToString::to_string).collect();
    assert_eq!((answers, room.waiting_lines()), (vec!["called off".to_owned(); 2], 0));
    assert!(!room.world().characters().iter().any(|character| character.is_moving()));
    assert!(crate::common::project::run(&mut room, 1.0).contains(&"begun goes on".to_owned()));
    assert_eq!(room.tally().script_errors, 0);
}
