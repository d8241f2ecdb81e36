//! `cicerone test`, as it is typed.

use crate::common::book::page;
use crate::common::project::Project;
use crate::common::specs::hall;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SPEC: &str = "describe('ann', function()
  it('walks', function() load_room('hall') room:npc('ann'):set_target(6, 1) expect(room:npc('ann')):to_arrive_within(9) end)
  it('flies', function() load_room('hall') expect(room:npc('ann')):to_be_in('den') end)
end)";

fn command(project: &Project, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    command.arg("test").args(args).current_dir(project.path(""));
    command
}

/// The exit code, what was printed, and what was complained of.
fn test(project: &Project, args: &[&str]) -> (i32, String, String) {
    let output = command(project, args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The files of the page, each named in the text before its block.
#[test]
fn the_adventure_of_the_book_is_solved() {
    let page = page("docs/src/designers/adventure.md");
    let files =
        ["rooms/manor.json", "scripts/manor.lua", "scripts/keeper.lua", "tests/scenarios/manor_spec.lua"];
    let blocks: Vec<_> = page.blocks().into_iter().filter(|block| block.language != "sh").collect();
    assert_eq!(blocks.len(), files.len());
    let named: Vec<(&str, &str)> =
        files.into_iter().zip(blocks.iter().map(|block| block.text.as_str())).collect();
    assert!(files.iter().all(|file| page.text.contains(&format!("`{file}`"))));
    let project = Project::new(&named);
    let (code, out, err) = test(&project, &[]);
    assert!(code == 0 && out.contains("2 passed;"), "{out}{err}");
    let mut check = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    let checked = check.args(["check", "--strict", "."]).current_dir(project.path("")).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

#[test]
fn exit_codes_tell_what_became_of_it() {
    let project = hall(SPEC);
    let (code, out, _) = test(&project, &[]);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("✗ ann › flies") && out.contains("1 passed, 1 failed") && !out.contains('\u{1b}'),
        "{out}"
    );
    let (code, out, _) = test(&project, &["--filter", "walks", "--jobs", "1"]);
    assert!(code == 0 && out.contains("1 passed;"), "{out}");
    let complains = |args: &[&str], words: &str| {
        let (code, out, err) = test(&project, args);
        assert!(code == 2 && (err.contains(words) || out.contains(words)), "{args:?}: {code} {out}{err}");
    };
    complains(&["--filter", "xyzzy"], "no test has a name with 'xyzzy' in it");
    complains(&["nowhere"], "nowhere: there is no such file or folder");
    complains(&["rooms/hall.json"], "rooms/hall.json: this is no spec: a spec is a Lua file NAME_spec.lua");
    complains(&["rooms"], "there are no tests here");
    complains(&["--shard", "3/2"], "like 2/3");
    complains(&["--jobs", "0"], "from 1 to 1000");
    project.write("scripts/b_spec.lua", "nonsense");
    complains(&[], "scripts/b_spec.lua:1:1:");
    project.write("scripts/b_spec.lua", "it.only('x', function() end)");
    complains(&["--forbid-only"], "scripts/b_spec.lua:1");
    assert!(test(&project, &["--list"]).2.contains("2 left out by `only` in scripts/b_spec.lua:1"));
    complains(&["--filter", "WALKS"], "left out: 1 left out by `only` in scripts/b_spec.lua:1");
    let empty = Project::new(&[]);
    assert_eq!(test(&empty, &[]).0, 2);
}

#[test]
fn specs_are_checked_as_what_they_are() {
    let project = hall(SPEC);
    let check = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        command.args(["check", "tests"]).current_dir(project.path("")).output().unwrap()
    };
    assert!(check().status.success(), "{:?}", check());
    project.write("tests/scenarios/a_spec.lua", "it('x')");
    assert!(String::from_utf8(check().stderr).unwrap().contains("body must be a function"));
}

#[test]
fn it_lists_reports_and_saves() {
    let project = hall(SPEC);
    let (code, out, _) = test(&project, &["--list"]);
    let file = "tests/scenarios/a_spec.lua";
    assert_eq!((code, out), (0, format!("{file}:2: ann › walks\n{file}:3: ann › flies\n")));
    let (code, out, _) = test(&project, &["--format", "tap", file]);
    assert!(code == 1 && out.starts_with("TAP version 14\n1..2\nok 1 - ") && !out.contains('✗'), "{out}");
    let (code, out, _) = test(&project, &["--format", "junit", "-o", "out.xml", "--artifacts", "artifacts"]);
    assert!(code == 1 && out.contains("✗ ann › flies"), "{out}");
    assert!(std::fs::read_to_string(project.path("out.xml")).unwrap().contains("<testsuites"));
    let name = "artifacts/tests-scenarios-a_spec-3-ann_flies";
    assert!(std::fs::read_to_string(project.path(&format!("{name}.svg"))).unwrap().starts_with("<svg"));
    let mut replay = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    let replay = replay.arg("replay").arg(project.path(&format!("{name}.rec"))).output().unwrap();
    assert!(replay.status.success(), "{replay:?}");
}

#[test]
fn one_test_is_recorded() {
    let project = hall(SPEC);
    let record = |more: &[&str]| test(&project, &[&["--record", "walk.rec"], more].concat());
    let (code, _, err) = record(&[]);
    assert!(code == 2 && err.contains("these are 2: --filter picks one"), "{err}");
    assert_eq!(record(&["--filter", "walks"]).0, 0);
    let mut replay = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    let replay = replay.arg("replay").arg(project.path("walk.rec")).output().unwrap();
    assert!(replay.status.success(), "{replay:?}");
}

#[test]
fn watching_runs_again_what_a_saved_file_concerns() {
    let project = hall("it('a', function() load_room('hall') expect(1):to_be(1) end)");
    project.write("scripts/b_spec.lua", "it('b', function() expect(1):to_be(1) end)");
    // What was written just before the start counts as saved while the tests ran.
    std::thread::sleep(Duration::from_millis(100));
    let child = command(&project, &["--watch", "--poll"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut child = Mortal(child);
    let lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let (send, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(send.send(line))));
    let until = |words: &str| {
        let end = Instant::now() + Duration::from_secs(30);
        let mut seen = Vec::new();
        while Instant::now() < end {
            let Ok(line) = received.recv_timeout(Duration::from_millis(100)) else { continue };
            seen.push(line);
            if seen.last().unwrap().contains(words) {
                return seen;
            }
        }
        panic!("'{words}' did not come: {seen:?}");
    };
    until("2 passed");
    // At once: what is saved before the watch begins is not lost.
    project.write("scripts/room.lua", "return { on_load = function() error('oh') end }");
    let seen = until("0 passed, 1 failed");
    assert!(
        seen.iter().any(|line| line.contains("✗ a")) && !seen.iter().any(|line| line.contains("✓ b")),
        "{seen:?}"
    );
    project.write("scripts/b_spec.lua", "it('b', function() expect(1):to_be(2) end)");
    // On a busy machine the watcher may notice the script before a second time, so that `a` runs again beside it.
    until("✗ b");
    until("0 passed");
    project.write("scripts/help.lua", "return nonsense nonsense");
    project.write("scripts/b_spec.lua", "require 'help' it('b', function() expect(1):to_be(1) end)");
    until("1 file does not load");
    project.write("scripts/help.lua", "return {}");
    until("1 passed");
    project.write("scripts/c_spec.lua", "it('c', function() expect(1):to_be(1) end)");
    until("1 passed");
}

#[test]
fn what_is_saved_before_the_watch_began_is_not_lost_whatever_its_date() {
    // The first test is over long before the second, and both before anything is waited for.
    let project = hall(
        "it('a', function() load_room('hall') expect(1):to_be(1) end)
         it('b', function() load_room('hall') run_for(500) expect(1):to_be(1) end)",
    );
    let file = project.path("scripts/room.lua");
    let date = std::fs::metadata(&file).unwrap().modified().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let child =
        command(&project, &["--watch", "--jobs", "1", "--log"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut child = Mortal(child);
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("✓ a")));
    project.write("scripts/room.lua", "return { on_load = function() error('oh') end }");
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(date).unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    assert!(lines.take_while(|_| Instant::now() < end).any(|line| line.contains("✗ a")));
}

/// A child that does not outlive its test, however that ends.
struct Mortal(Child);

impl Drop for Mortal {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
