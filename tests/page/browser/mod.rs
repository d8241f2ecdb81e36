//! The page in a real browser. These tests need Debian's `chromium` and `chromium-driver`, so they run only when they are
//! asked for: `cargo test --test page browser -- --ignored --test-threads 2`. With `CICERONE_SCREENSHOTS=FOLDER` they
//! leave pictures.

mod driver;

use driver::{Browser, Room};

/// The shown tick.
const TICK: &str = "document.querySelector('#tick').textContent";

/// Whether a what-if compares ways, and nothing lies over them.
const WAYS_ARE_CLEAR: &str = "(() => {
  const cards = ['what-if', 'past'].map((id) => document.getElementById(id).getBoundingClientRect());
  const places = cicerone.otherWays().flatMap(({ before, now }) => [...before, ...now]);
  const stage = document.getElementById('stage').getBoundingClientRect();
  const isCovered = ([x, z]) => {
    const [px, py] = cicerone.toScreen(x, z);
    if (px < stage.left || px > stage.right || py < stage.top || py > stage.bottom) return true;
    return cards.some((card) => card.left < px && px < card.right && card.top < py && py < card.bottom);
  };
  const [left, right] = [0, 9].map((x) => cicerone.toScreen(x, 0)[0]);
  return places.length > 0 && !places.some(isCovered) && right - left > 25;
})()";

/// A room in a browser.
fn shown(room: &Room) -> Browser {
    let browser = Browser::start();
    browser.go(&room.link);
    browser.until("globalThis.cicerone && cicerone.people().length > 0");
    browser
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_room_is_shown_and_the_player_walks_where_one_clicks() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    browser.screenshot("tavern");
    browser.click_room(2.5, 7.5);
    browser.click("#tab-events");
    browser.until_text("#panel-events", "player: arrived");
    let at = browser.value("cicerone.people().find((one) => one.name === 'player')");
    let (x, z) = (at["x"].as_f64().unwrap(), at["z"].as_f64().unwrap());
    assert!((x - 2.5).abs() < 0.5 && (z - 7.5).abs() < 0.5, "{at}");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_character_tells_about_itself() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    let gus = browser.value("cicerone.people().find((one) => one.name === 'gus') || cicerone.people()[1]");
    let name = gus["name"].as_str().unwrap().to_owned();
    browser.click_room(gus["x"].as_f64().unwrap(), gus["z"].as_f64().unwrap());
    browser.click("#tab-inspect");
    browser.until_text("#panel-inspect", &name);
    browser.until_text("#panel-inspect", "handlers");
    browser.until_text("#panel-inspect", "sequences");
    browser.screenshot("inspect");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_door_opens_by_its_switch() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    browser.click("#tab-room");
    browser.click("[data-area='cellar_door']");
    browser.click("#tab-events");
    browser.until_text("#panel-events", "cellar_door opens");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_broken_script_is_shown_over_the_page_until_it_is_mended() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    let script = "scripts/tavern/tavern.lua";
    let good = room.read(script);
    room.write(script, &format!("{good}\nif then"));
    browser.until_text("#overlay", script);
    browser.until("!document.querySelector('#overlay').hidden");
    browser.screenshot("refused");
    room.write(script, &good);
    browser.until("document.querySelector('#overlay').hidden");
    // An error of a script that runs is in the list, with its place.
    room.write(script, &format!("{good}\nerror('on purpose')"));
    browser.until_text("#overlay", "on purpose");
    room.write(script, &good);
    browser.until("document.querySelector('#overlay').hidden");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn lines_of_lua_are_answered_and_completed() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    browser.click("#tab-console");
    browser.click("#console-input");
    browser.keys("1 + 41\u{e007}");
    browser.until_text("#console-output", "42");
    browser.keys("room:np");
    browser.until("document.querySelector('#panel-console').textContent.includes('npc(')");
    browser.screenshot("console");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn an_obstacle_is_dragged_into_the_file_and_back() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    let before = room.read("rooms/tavern.json");
    browser.click("[data-tool='move']");
    let (from, to) = (browser.pixel(5.25, 6.5), browser.pixel(5.75, 6.0));
    browser.drag(from, to);
    let began = std::time::Instant::now();
    while room.read("rooms/tavern.json") == before {
        assert!(began.elapsed().as_secs() < 60, "the file stays as it was");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let after = room.read("rooms/tavern.json");
    let changed: Vec<_> = after.lines().zip(before.lines()).filter(|(new, old)| new != old).collect();
    assert_eq!(after.lines().count(), before.lines().count());
    assert!(changed.len() == 1 && changed[0].0.contains("empty_table"), "{changed:?}");
    browser.screenshot("moved");
    browser.value("document.activeElement.blur()");
    browser.undo();
    while room.read("rooms/tavern.json") != before {
        assert!(began.elapsed().as_secs() < 60, "it is not undone");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn names_are_never_markup() {
    let bad = "<img src=x onerror=alert(1)>";
    let room = Room::run_changed("tavern", &[], |folder| {
        let file = folder.join("rooms/tavern.json");
        let text = std::fs::read_to_string(&file).unwrap();
        let first = text.find("{ \"name\": \"player\"").unwrap();
        let more = format!("{{ \"name\": \"{bad}\", \"at\": [3.0, 7.0], \"tags\": [\"{bad}\"] }},\n    ");
        std::fs::write(&file, format!("{}{more}{}", &text[..first], &text[first..])).unwrap();
    });
    let browser = shown(&room);
    browser.click_room(3.0, 7.0);
    browser.click("#tab-inspect");
    browser.until_text("#panel-inspect", bad);
    browser.click("#tab-console");
    browser.click("#console-input");
    browser.keys(&format!("room:npc('{bad}'):say('<script>alert(2)</script>')\u{e007}"));
    browser.click("#tab-events");
    browser.until_text("#panel-events", "<script>alert(2)</script>");
    browser.screenshot("markup");
    assert_eq!(browser.value("document.querySelectorAll('img').length"), 0);
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_script_stops_at_a_breakpoint_and_goes_on_step_by_step() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    let script = "scripts/tavern/barkeep.lua";
    let text = room.read(script);
    let line = text.lines().position(|line| line.contains("wait(0.5)")).unwrap() + 1;
    browser.click("#tab-scripts");
    browser.click(&format!("[data-file='{script}']"));
    browser.click(&format!("#source [data-line='{line}'] .gutter"));
    browser.until("!document.querySelector('#stopped').hidden");
    browser.until_text("#stopped", &format!("barkeep.lua:{line}"));
    browser.until_text("#variables", "visit");
    browser.screenshot("breakpoint");
    // Over a wait of half a second: the room goes on meanwhile.
    browser.click("#stopped [data-how='over']");
    browser.until_text("#stopped", &format!("barkeep.lua:{}", line + 1));
    browser.click("#breakpoints [data-remove]");
    browser.click("#stopped [data-how='continue']");
    browser.until("document.querySelector('#stopped').hidden");
    let tick = browser.text(TICK);
    browser.until(&format!("{TICK} !== {}", serde_json::json!(tick)));
    assert_eq!(browser.value("document.querySelector('#stopped').hidden"), true);
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn one_looks_back_and_sees_another_future() {
    let room = Room::run("tavern", &["--speed", "8", "--seed", "3"]);
    let browser = shown(&room);
    browser.click("#tab-events");
    browser.until_text("#panel-events", "An ale, please.");
    // Drag the time back to its first quarter.
    let track = browser.value(
        "(() => { const b = document.querySelector('#time-track').getBoundingClientRect(); return [b.left, b.top + b.height / 2, b.width]; })()",
    );
    let at = |share: f64| {
        let [left, middle, width] = [0, 1, 2].map(|index| track[index].as_f64().unwrap());
        ((left + width * share) as i64, middle as i64)
    };
    browser.drag(at(0.98), at(0.25));
    browser.until("!document.querySelector('#past').hidden");
    browser.until_text("#past-hint", "Save a script");
    browser.until("document.querySelector('#past-computing').hidden && cicerone.moment().exact");
    // The exact moment can be inspected.
    browser.value("cicerone.select(cicerone.people().find((one) => one.script?.includes('guest')).id)");
    browser.click("#tab-inspect");
    browser.until_text("#panel-inspect", "sequences");
    browser.screenshot("past");
    let script = "scripts/tavern/guest.lua";
    let text = room.read(script);
    room.write(script, &text.replace("Where was I?", "Who am I?"));
    browser.until("!document.querySelector('#what-if').hidden");
    browser.until_text("#what-if", "Who am I?");
    // The card covers none of the ways that it compares, be the window wide or narrow.
    for size in [(1400, 900), (1000, 700), (640, 800), (500, 900)] {
        browser.resize(size);
        browser.until(WAYS_ARE_CLEAR);
    }
    browser.resize((1400, 900));
    browser.screenshot("what-if");
    // An error that only the new script has.
    room.write(script, &text.replace("\"Where was I? Drink number \"", "nothing.at_all"));
    browser.until_text("#what-if article", "nothing");
    browser.until_text("#what-if article", "guest.lua:");
    room.write(script, &text.replace("Where was I?", "Who am I?"));
    // Another room is drawn as it would be.
    let hall = room.read("rooms/tavern.json");
    room.write(
        "rooms/tavern.json",
        &hall.replace("[3.75, 1.50], [1.25, 1.50]", "[3.75, 2.00], [1.25, 2.00]"),
    );
    browser.until("document.querySelector('#what-if-room')?.checked");
    browser.screenshot("what-if-room");
    room.write("rooms/tavern.json", &hall);
    browser.until("!document.querySelector('#what-if-room')");
    browser.until_text("#what-if", "Who am I?");
    // It is there again after the page was loaded anew.
    browser.value("location.reload()");
    browser.until("globalThis.cicerone && cicerone.moment().exact");
    browser.until_text("#what-if", "Who am I?");
    // It is kept while one goes on in time.
    let card = "document.querySelector('#what-if .difference').textContent";
    let (difference, tick) = (browser.text(card), browser.text(TICK));
    browser.value("document.activeElement.blur()");
    browser.keys("..");
    browser.until(&format!("{TICK} !== {}", serde_json::json!(tick)));
    browser.until("document.querySelector('#past-computing').hidden");
    assert_eq!(browser.text(card), difference);
    // The running room has not taken it yet.
    browser.click("#past-live");
    browser.until("document.querySelector('#past').hidden && document.querySelector('#what-if').hidden");
    browser.click("#tab-events");
    browser.until_text("#panel-events", "reloaded scripts/tavern/guest.lua");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_paused_room_is_stepped() {
    let room = Room::run("corridor", &[]);
    let browser = shown(&room);
    browser.click("#pause");
    browser.until("document.querySelector('#pause').title.startsWith('Go on')");
    std::thread::sleep(std::time::Duration::from_millis(400));
    let before = browser.text(TICK);
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert_eq!(browser.text(TICK), before, "it stands still");
    browser.click("#step");
    browser.until(&format!("{TICK} !== {}", serde_json::json!(before)));
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_recording_is_looked_at_in_the_same_way() {
    let room = Room::run("tavern", &["--record", "run.rec", "--speed", "8", "--seconds", "20"]);
    room.wait_for_end();
    let film = room.replay("run.rec");
    let browser = shown(&film);
    browser.click("#tab-events");
    browser.until_text("#panel-events", "arrived");
    let track = browser.value(
        "(() => { const b = document.querySelector('#time-track').getBoundingClientRect(); return [b.left, b.top + b.height / 2, b.width]; })()",
    );
    let [left, middle, width] = [0, 1, 2].map(|index| track[index].as_f64().unwrap());
    // Beyond what was shown so far: the recording is known to its end.
    let at = |share: f64| ((left + width * share) as i64, middle as i64);
    browser.drag(at(0.02), at(0.9));
    browser.until("!document.querySelector('#past').hidden");
    browser.until("cicerone.moment().exact && cicerone.moment().tick > 900");
    browser.screenshot("recording");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_failing_spec_is_opened_at_the_moment_when_it_failed() {
    let spec = r#"describe("the hall", function()
  before_each(function() load_room("tavern", { seed = 1 }) end)
  it("lets the player sit", function()
    click("snug_seat")
    expect(room:npc("player")):to_arrive_within(2)
  end)
  it("has a barkeep", function() expect(room:npc("barkeep")):to_be_near("bar_middle_inside", 2) end)
end)
"#;
    let room = Room::run_changed("tavern", &[], |folder| {
        std::fs::write(folder.join("scripts/sits_spec.lua"), spec).unwrap();
    });
    let browser = shown(&room);
    browser.click("#tab-specs");
    browser.click("#spec-filter");
    browser.keys("the hall");
    browser.click("#run-specs");
    browser.until("document.querySelector('[data-outcome=failed] [data-spec]') && !document.querySelector('#run-specs').disabled");
    browser.until_text("#spec-results", "lets the player sit");
    browser.screenshot("specs");
    browser.click("[data-outcome=failed] [data-spec]");
    browser.until("!document.querySelector('#past').hidden");
    browser.until_text("#past", "spec: the hall › lets the player sit");
    // Two seconds after the click, the player is on its way.
    browser.until("Number(document.querySelector('#tick').textContent.replace(/\\D/g, '')) > 100");
    // The scripts ran again, too.
    browser.value("cicerone.select(cicerone.people().find((one) => one.name === 'barkeep').id)");
    browser.click("#tab-inspect");
    browser.until_text("#panel-inspect", "sequences");
    browser.screenshot("spec-moment");
    browser.click("#past-live");
    browser.until("document.querySelector('#past').hidden");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn a_flood_of_events_is_followed_without_a_stop() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    browser.click("#tab-events");
    let script = "scripts/tavern/tavern.lua";
    let flood = "every(0.02, function() for i = 1, 9 do log.info('drop ' .. i .. string.rep(' of water', i)) end end)\n";
    room.write(script, &format!("{flood}{}", room.read(script)));
    let list = "document.querySelector('#events-list')";
    browser.until(&format!("{list}.childElementCount === 1000"));
    // A page that is behind would take longer and longer for an answer.
    let from_end = format!("{list}.scrollHeight - {list}.scrollTop - {list}.clientHeight < 30");
    for _ in 0..5 {
        browser.until(&from_end);
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    browser.until_text("#events-list", "drop 9");
    browser.assert_clean();
}

#[test]
#[ignore = "in Chromium: cargo test --test page browser -- --ignored"]
fn errors_of_scripts_are_listed_until_they_are_mended() {
    let room = Room::run("tavern", &[]);
    let browser = shown(&room);
    let script = "scripts/tavern/tavern.lua";
    let good = room.read(script);
    let fails = "local function deep() error('on purpose') end\nevery(0.2, function() deep() end)\n";
    room.write(script, &format!("{fails}{good}"));
    browser.click("#tab-errors");
    browser.until_text("#panel-errors", "on purpose");
    browser.until_text("#panel-errors", "tavern.lua:1");
    browser.screenshot("errors");
    room.write(script, &good);
    browser.until("!document.querySelector('#panel-errors').textContent.includes('on purpose')");
    browser.assert_clean();
}
