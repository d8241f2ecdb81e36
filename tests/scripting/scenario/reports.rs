//! What is reported, letter by letter.

use crate::common::specs::{hall, run};
use cicerone::scenario::{Look, SpecReport, junit, pretty, tap};
use std::time::Duration;

const SPEC: &str = "describe('ann', function()
  it('is well', function()
    load_room('hall')
    run_for(1)
    expect(1):to_be(1)
  end)
  it('is two', function() expect(1):to_be(2) end)
  it.skip('is away', error)
  pending('sings')
end)";

fn report() -> SpecReport {
    let project = hall(SPEC);
    project.write("tests/scenarios/b_spec.lua", "nonsense");
    let mut report = run(&project);
    report.took = Duration::from_millis(250);
    report.results.iter_mut().for_each(|result| result.took = Duration::from_millis(5));
    report
}

#[test]
fn for_people() {
    let expected = "\
tests/scenarios/a_spec.lua
  ✓ ann › is well  1.0 s in 5 ms
  ✗ ann › is two  0.0 s in 5 ms

    tests/scenarios/a_spec.lua:7
      7 | it('is two', function() expect(1):to_be(2) end)
    expected  1 to be 2
    seen      1
    at        0.00 s, tick 0

  - ann › is away  skipped
  - ann › sings  skipped

tests/scenarios/b_spec.lua:1:1: syntax error near <eof>

1 passed, 1 failed, 2 skipped, 1 file does not load; 1.0 s of game in 250 ms (62 ticks, 4 times real time)
";
    assert_eq!(pretty(&report(), Look::default()), expected);
    let colourful = pretty(&report(), Look { colour: true, log: false });
    assert!(colourful.contains("\u{1b}[32m✓\u{1b}[0m"));
    let plain: Vec<&str> = colourful
        .split('\u{1b}')
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('m').unwrap().1 })
        .collect();
    assert_eq!(plain.concat(), expected);
}

#[test]
fn as_tap() {
    let expected = "\
TAP version 14
1..5
ok 1 - tests/scenarios/a_spec.lua: ann › is well
  ---
  duration_ms: 5.000
  game_seconds: 1.033
  ticks: 62
  ...
not ok 2 - tests/scenarios/a_spec.lua: ann › is two
  ---
  message: \"expected 1 to be 2; seen: 1\"
  at: \"tests/scenarios/a_spec.lua:7\"
  details: |
    tests/scenarios/a_spec.lua:7
      7 | it('is two', function() expect(1):to_be(2) end)
    expected  1 to be 2
    seen      1
    at        0.00 s, tick 0
  duration_ms: 5.000
  game_seconds: 0.000
  ticks: 0
  ...
ok 3 - tests/scenarios/a_spec.lua: ann › is away # SKIP
ok 4 - tests/scenarios/a_spec.lua: ann › sings # SKIP
not ok 5 - tests/scenarios/b_spec.lua does not load
  ---
  message: \"tests/scenarios/b_spec.lua:1:1: syntax error near <eof>\"
  ...
";
    assert_eq!(tap(&report()), expected);
}

#[test]
fn as_junit() {
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="cicerone" tests="5" failures="1" errors="1" skipped="2" time="0.250">
  <testsuite name="tests/scenarios/a_spec.lua" tests="4" failures="1" errors="0" skipped="2" time="0.020">
    <testcase name="ann › is well" classname="tests/scenarios/a_spec.lua" file="tests/scenarios/a_spec.lua" line="2" time="0.005"/>
    <testcase name="ann › is two" classname="tests/scenarios/a_spec.lua" file="tests/scenarios/a_spec.lua" line="7" time="0.005">
      <failure message="expected 1 to be 2; seen: 1" type="failure">tests/scenarios/a_spec.lua:7
  7 | it('is two', function() expect(1):to_be(2) end)
expected  1 to be 2
seen      1
at        0.00 s, tick 0</failure>
    </testcase>
    <testcase name="ann › is away" classname="tests/scenarios/a_spec.lua" file="tests/scenarios/a_spec.lua" line="8" time="0.005">
      <skipped/>
    </testcase>
    <testcase name="ann › sings" classname="tests/scenarios/a_spec.lua" file="tests/scenarios/a_spec.lua" line="9" time="0.005">
      <skipped/>
    </testcase>
  </testsuite>
  <testsuite name="tests/scenarios/b_spec.lua" tests="1" failures="0" errors="1" skipped="0" time="0.000">
    <testcase name="loading" classname="tests/scenarios/b_spec.lua" file="tests/scenarios/b_spec.lua" line="1" time="0.000">
      <error message="tests/scenarios/b_spec.lua:1:1: syntax error near &lt;eof&gt;" type="load"/>
    </testcase>
  </testsuite>
</testsuites>
"#;
    assert_eq!(junit(&report()), expected);
}
