//! Specs that are broken, endless, huge or odd: each is told, none holds up the others.

use crate::common::project::{HALL, Project};
use crate::common::specs::{hall, moment, run};
use cicerone::scenario::{Look, junit, pretty, tap};

fn problem(spec: &str) -> String {
    let report = run(&hall(spec));
    assert!(!report.passed());
    report.problems.first().map(ToString::to_string).unwrap_or_else(|| pretty(&report, Look::default()))
}

#[test]
fn a_file_that_does_not_load_is_a_problem_with_its_place() {
    assert!(problem("it('x' function() end)").starts_with("tests/scenarios/a_spec.lua:1:"));
    assert!(
        problem("\nerror('no')").starts_with("tests/scenarios/a_spec.lua:2:1: no"),
        "{}",
        problem("\nerror('no')")
    );
    assert!(problem("while true do end").contains("ran too long"));
    let hoard = problem("local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end");
    assert!(hoard.contains("out of memory") || hoard.contains("ran too long"), "{hoard}");
    assert!(problem("describe('x', function() local a; a.b = 1 end)").contains("attempt to index"));
    assert!(problem("local function f() describe('x', f) end f()").contains("100 deep"));
    assert!(problem("x = 1").contains("write `local x`"));
    assert!(problem("expect(1):to_be(1)").contains("no test is running"));
    assert!(problem("load_room('hall')").contains("no test is running"));
    assert!(problem("room:npc('ann')").contains("no room is loaded yet: call load_room first in it"));
    assert!(problem("it('x')").contains("body must be a function"));
    assert!(problem("it(function() end)").contains("name must be a string"));
    assert!(problem("it('x', { timeot = 1 }, function() end)").contains("did you mean 'timeout'?"));
    assert!(problem("describe.olny('x', function() end)").contains("no 'olny'; did you mean 'only'?"));
    assert!(problem("for i = 1, 20000 do it('x' .. i, print) end").contains("10000 tests at most"));
}

#[test]
fn one_that_does_not_load_does_not_hold_up_the_others() {
    let project = hall("it('x', function() expect(1):to_be(1) end)");
    project.write("tests/scenarios/b_spec.lua", "nonsense");
    std::fs::write(project.path("tests/scenarios/c_spec.lua"), [b'-', b'-', 0xff, 0xfe]).unwrap();
    project.write(
        "tests/scenarios/d_spec.lua",
        "-- \0\nit('nul \0 byte', function() expect('\0'):to_be('\0') end)",
    );
    let report = run(&project);
    assert_eq!((report.results.len(), report.problems.len()), (2, 2), "{:?}", report.problems);
    assert!(report.problems[1].to_string().contains("not UTF-8"));
}

#[test]
fn a_body_that_never_ends_or_hoards_is_stopped() {
    let seen = |body: &str| {
        let limits = "{ limits = { memory_per_script_mb = 1 } }";
        let report = run(&hall(&format!("it('x', function() load_room('hall', {limits})\n{body}\nend)")));
        let failure = moment(&report).failures[0].clone();
        assert_eq!(failure.line, 2, "{failure:?}");
        failure.seen
    };
    assert!(seen("while true do end").contains("ran too long"));
    assert!(
        seen("local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end").contains("out of memory")
    );
    assert!(seen("run_until(function() while true do end end)").contains("ran too long"));
    assert!(seen("it('inner', function() end)").contains("belongs beside it(…), not inside"));
    assert!(seen("describe('inner', function() end)").contains("belongs beside it(…), not inside"));
    assert!(seen("before_each(function() end)").contains("belongs beside it(…), not inside"));
    assert!(seen("string.gsub('x', 'x', function() run_for(1) end)").contains("nothing can wait inside"));
    assert!(seen("error({})").contains("an error that is a table"));
}

#[test]
fn a_failure_cannot_be_swallowed() {
    let report = run(&hall("it('x', function() pcall(function() expect(1):to_be(2) end) end)"));
    assert_eq!(moment(&report).failures[0].expected, "1 to be 2");
    let many =
        run(&hall("it('x', function() for i = 1, 500 do pcall(function() expect(i):to_be(0) end) end end)"));
    assert_eq!(moment(&many).failures.len(), 20);
}

#[test]
fn what_is_odd_is_a_warning() {
    let spec = "describe('empty', function() end)
        it('a', function() end)
        it('b', function() expect(1):to_be(1) end)
        it('b', function() expect(1):to_be(1) end)";
    let report = run(&hall(spec));
    assert!(report.passed());
    let file = "tests/scenarios/a_spec.lua";
    assert_eq!(
        report.warnings,
        [
            format!("{file}:1: 'empty' has no tests in it"),
            format!("{file}:4: 'b' is the name of the test in line 3, too"),
            format!("{file}:2: 'a' expects nothing"),
        ]
    );
}

#[test]
fn names_cannot_break_a_report() {
    let report =
        run(&hall("it('a\\27[2J <b> & \"c\" # \\\\ \\n d\\0', function() expect('\\27'):to_be('<') end)"));
    let look = Look::default();
    for text in [pretty(&report, look), tap(&report), junit(&report)] {
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
    assert!(!tap(&report).contains("# ") || tap(&report).contains("\\# \\\\"), "{}", tap(&report));
    assert!(junit(&report).contains("&lt;b&gt; &amp; &quot;c&quot;"));
}

#[test]
fn a_thousand_tests_are_no_trouble() {
    let spec = "for i = 1, 1000 do it('t' .. i, function() expect(i):to_be(i) end) end";
    let report = run(&hall(spec));
    assert!(report.passed() && report.results.len() == 1000);
}

#[test]
fn paths_that_do_not_exist_are_told_and_links_are_not_followed() {
    let project = Project::new(&[("rooms/hall.json", HALL)]);
    let of = cicerone::project::Project::at(&project.path(""));
    let error = cicerone::scenario::find(&of, &[project.path("nowhere")]).unwrap_err();
    assert!(error.to_string().contains("no such file or folder"));
    assert!(cicerone::scenario::find(&of, &[]).unwrap().is_empty());
    project.write("scripts/deep/a_spec.lua", "");
    project.write("scripts/.hidden/b_spec.lua", "");
    project.write("scripts/c.lua", "");
    let found = cicerone::scenario::find(&of, &[]).unwrap();
    assert_eq!(found, [project.path("scripts/deep/a_spec.lua")]);
}
