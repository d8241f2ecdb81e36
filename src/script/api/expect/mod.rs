//! Expectations of specs: one file per kind of subject.

mod areas;
mod calls;
mod paths;
mod people;
mod plain;
mod recordings;
mod source;
mod standing;

pub(super) use calls::ENTRIES as CALLS;
pub(super) use paths::ENTRIES as PATHS;
pub(super) use paths::{PathBetween, ends_of};
pub(super) use people::ENTRIES as PEOPLE;
pub(super) use plain::ENTRIES as VALUES;
pub(super) use recordings::ENTRIES as RECORDINGS;
pub(super) use recordings::begin as match_recording;
pub(super) use standing::ENTRIES as STANDING;

use super::asking::running;
use super::entry::{Args, Call, Implementation, Verdict};
use super::handle::{Area, Npc};
use super::room::RoomObject;
use super::sequences::sleep;
use crate::crowd::CharacterId;
use crate::nav::Position;
use crate::script::console::shown;
use crate::script::error::{caller, fail, shortened};
use crate::script::spec::{Finding, ScriptLine};
use crate::script::task::Wait;
use glam::DVec2;
use mlua::{IntoLua, Table, Value};
use source::source_of_subject;

/// Key of an expectation's deadline, the tick until which it may come true.
const UNTIL: &str = "until_tick";

/// Checks an expectation. Returns nothing if it is met, true if it must be checked again in the next tick,
/// and `"told"` if the sequence sleeps until it gets the result.
pub(super) fn look(call: &Call<'_>, negated: bool, this: &Table, args: Args) -> mlua::Result<Value> {
    let spec = running(call)?;
    call.forget_arguments();
    let subject: Value = this.raw_get("subject")?;
    call.host.charge(call.lua, LOOK_COST)?;
    let until: Option<u64> = this.raw_get(UNTIL)?;
    let count = || spec.expectations.set(spec.expectations.get() + 1);
    match call.entry.run {
        Implementation::Check(check) => {
            if let Some(until) = until.filter(|_| negated) {
                refuse_patience(call, until)?;
            }
            let verdict = check(call, &subject, args)?;
            let now = call.host.world().tick_number();
            let task = call.host.call.running.get().task.filter(|_| until.is_some());
            if verdict.holds != negated {
                count();
                task.and_then(|task| spec.patient.borrow_mut().remove(&task));
                return Ok(Value::Nil);
            }
            let Verdict { claim, seen, about, places, .. } = verdict;
            let not = if negated { "not " } else { "" };
            let seconds: Option<f64> = this.raw_get("seconds")?;
            let within = seconds.map(|seconds| format!(" within {seconds} s")).unwrap_or_default();
            let expected = || format!("{} {not}{claim}{within}", written(call, &subject));
            if until.is_some_and(|until| now < until) {
                sleep(call, Wait::Until(now + 1))?;
                if let Some(task) = task {
                    let mut patient = spec.patient.borrow_mut();
                    patient.entry(task).or_insert_with(|| (place_of(call), expected()));
                }
                return Ok(Value::Boolean(true));
            }
            count();
            task.and_then(|task| spec.patient.borrow_mut().remove(&task));
            Err(failed(call, expected(), seen, about, places))
        }
        _ if until.is_some() => Err(call.fail("it takes its time by itself: within(…) does not go with it")),
        Implementation::Watch(watch) => {
            let watch = watch(call, &subject, args)?;
            sleep(call, Wait::Outside)?;
            count();
            if let Some(task) = call.host.call.running.get().task {
                spec.watches.borrow_mut().push((task, watch));
            }
            "told".into_lua(call.lua)
        }
        Implementation::Stand(stand) => {
            count();
            if spec.standing.borrow().len() >= MOST_STANDING {
                return Err(call.fail(format!("a test has {MOST_STANDING} of these at most")));
            }
            let call = Call { ..*call }.ready()?;
            stand(&call, &subject, args).map(|()| Value::Nil)
        }
        _ => Ok(Value::Nil),
    }
}

/// Refuses to wait for the negation of a fact that never becomes false again: at first it always holds, so
/// waiting proves nothing.
fn refuse_patience(call: &Call<'_>, until: u64) -> mlua::Result<()> {
    let name = call.entry.name;
    let what = match name {
        "to_have_said" => "said",
        "to_have_reported" => "reported",
        _ => return Ok(()),
    };
    let seconds = {
        let world = call.host.world();
        (until.saturating_sub(world.tick_number()) as f64 * world.dt_s() * 100.0).round() / 100.0
    };
    Err(fail(
        call.lua,
        format!(
            "within({seconds}) does not go with not_{name}: what is {what} cannot become un{what}; \
             run_for({seconds}) first, then expect(…):not_{name}(…)"
        ),
    ))
}

/// Instructions charged for checking an expectation.
const LOOK_COST: u64 = 100;

/// Maximum standing expectations of one test: each is checked in every tick.
const MOST_STANDING: usize = 1000;

/// The error of a failed expectation, which fails the test even if the error is caught.
pub(super) fn failed(
    call: &Call<'_>,
    expected: String,
    seen: String,
    about: Vec<CharacterId>,
    places: Vec<DVec2>,
) -> mlua::Error {
    let finding = Finding { expected, seen, about, places };
    match call.host.spec() {
        Some(spec) => mlua::Error::RuntimeError(spec.fail(&call.host.world(), place_of(call), finding)),
        None => call.fail("it failed"),
    }
}

/// The line of the spec that states the expectation: the innermost one, even if helpers are in between.
fn place_of(call: &Call<'_>) -> ScriptLine {
    caller(call.lua).map(|(file, line)| (file, line as u32)).unwrap_or_default()
}

// ---- what an expectation is about ----

/// The subject in words, a plain value as written in the spec: its actual value is shown as what was seen.
fn written(call: &Call<'_>, subject: &Value) -> String {
    let is_plain = match subject {
        Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::Number(_) | Value::String(_) => true,
        Value::Table(table) => table.metatable().is_none(),
        _ => false,
    };
    let source = is_plain.then(|| source_of_subject(call)).flatten();
    source.unwrap_or_else(|| words_of(call, subject))
}

/// The subject, in words.
pub(super) fn words_of(call: &Call<'_>, subject: &Value) -> String {
    if let Some(userdata) = subject.as_userdata() {
        if let Ok(npc) = userdata.borrow::<Npc>() {
            return call.host.world().name_of(npc.id).to_owned();
        }
        if let Ok(area) = userdata.borrow::<Area>() {
            return format!("the area {}", area.name);
        }
        if let Ok(path) = userdata.borrow::<PathBetween>() {
            return path.words.clone();
        }
        if userdata.is::<RoomObject>() {
            return "the room".into();
        }
    }
    if let Some(name) = calls::name_of_game(call, subject) {
        return name;
    }
    shortened(shown(call.host, subject), MOST_OF_A_VALUE)
}

/// Maximum bytes shown of a value.
const MOST_OF_A_VALUE: usize = 300;

/// The character that is the subject.
fn npc_of(call: &Call<'_>, subject: &Value) -> mlua::Result<CharacterId> {
    let id = subject.as_userdata().and_then(|userdata| userdata.borrow::<Npc>().ok().map(|npc| npc.id));
    let id = id.ok_or_else(|| not_about(call, subject, "a character, as in expect(room:npc(\"NAME\"))"))?;
    call.host.read(call.lua, id, |_| ())?;
    Ok(id)
}

fn not_about(call: &Call<'_>, subject: &Value, expected: &str) -> mlua::Error {
    let found = super::values::describe(call.host, subject);
    fail(call.lua, format!("{} is about {expected}, not {found}", call.entry.name))
}

fn position(call: &Call<'_>, id: CharacterId) -> Position {
    call.host.world().character(id).map_or_else(Position::default, |character| character.position)
}

/// A position in words, with the areas it lies in.
fn whereabouts(call: &Call<'_>, at: Position) -> String {
    let world = call.host.world();
    let ground = world.ground();
    let inside: Vec<&str> = ground
        .areas()
        .filter(|&area| ground.area_contains(area, at))
        .map(|area| ground.area_name(area))
        .collect();
    let inside = if inside.is_empty() { "in no area".into() } else { format!("in {}", inside.join(" and ")) };
    format!("({:.2}, {:.2}), {inside}", at.at.x, at.at.y)
}
