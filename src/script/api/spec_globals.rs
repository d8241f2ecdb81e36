//! Primitives for the Lua part of specs: all globals of spec files beyond those of all scripts.

use super::args::{Argument, Seconds};
use super::asking::running;
use super::entry::{Args, Call, Entry, Given, Implementation, NOBODY, Object};
use super::expect::{PathBetween, ends_of, failed, look, match_recording};
use super::game;
use super::register::{function, waiting};
use super::sequences::sleep;
use super::table::{entries_of, meant};
use crate::problem::did_you_mean;
use crate::script::error::{dot_for_colon, shortened};
use crate::script::game::GAME_API_FILE;
use crate::script::host::Host;
use crate::script::spec::Focus;
use crate::script::task::Wait;
use mlua::{Function, Lua, Table, Value, Variadic};
use std::rc::Rc;

/// The primitives of the Lua part.
pub(in crate::script) fn primitives(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let primitives = lua.create_table()?;
    let plain = lua.create_table()?;
    for entry in entries_of(Object::Spec) {
        if let Some(function) = function(lua, host, entry)? {
            plain.raw_set(entry.name, function)?;
        }
    }
    primitives.raw_set("plain", plain)?;
    primitives.raw_set("waiting", waiting(lua, host, Object::Spec)?)?;
    let h = host.clone();
    let focus = move |_: &Lua, way: String| {
        if let Some(spec) = h.spec() {
            spec.focus.set(match way.as_str() {
                "only" => Focus::Only,
                "skip" => Focus::Skip,
                _ => Focus::Plain,
            });
        }
        Ok(())
    };
    primitives.raw_set("focus", lua.create_function(focus)?)?;
    primitives.raw_set("no_way", lua.create_function(|_, way: String| Ok(no_way(&way)))?)?;
    add_run_until(lua, host, &primitives)?;
    add_expectations(lua, host, &primitives)?;
    add_makers(lua, host, &primitives)?;
    add_recordings(lua, host, &primitives)?;
    add_stubs(lua, host, &primitives)?;
    Ok(primitives)
}

/// The message for an unknown name after `describe.` and `it.`.
fn no_way(way: &str) -> String {
    let hint = did_you_mean(way, ["only", "skip"]).map(|near| format!("; did you mean '{near}'?"));
    let hint = hint.unwrap_or_else(|| "; there is only and skip".into());
    format!("describe and it have no '{}'{hint}", shortened(way.to_owned(), 60))
}

fn add_run_until(lua: &Lua, host: &Rc<Host>, primitives: &Table) -> mlua::Result<()> {
    let Some(entry) = entries_of(Object::Spec).find(|entry| entry.name == "run_until") else { return Ok(()) };
    let h = host.clone();
    let deadline = move |lua: &Lua, (may_sleep, given): (bool, Given)| {
        let call = Call { lua, host: &h, entry, who: NOBODY, named: "" }.ready()?;
        running(&call)?;
        h.call.may_sleep.set(may_sleep);
        let mut args: Args = given.into();
        <Function as Argument>::take(&call, &mut args, "condition")?;
        let seconds = <Option<Seconds> as Argument>::take(&call, &mut args, "timeout")?;
        <Option<String> as Argument>::take(&call, &mut args, "what")?;
        let world = h.world();
        Ok(world.tick_number() + world.ticks_of(seconds.map_or(RUN_UNTIL_S, |seconds| seconds.0)))
    };
    primitives.raw_set("deadline", lua.create_function(deadline)?)?;
    let h = host.clone();
    type Next = (bool, u64, Option<f64>, Option<String>);
    let next_tick = move |lua: &Lua, (may_sleep, deadline, seconds, what): Next| {
        let call = Call { lua, host: &h, entry, who: NOBODY, named: "" };
        h.call.may_sleep.set(may_sleep);
        let now = h.world().tick_number();
        if now < deadline {
            return sleep(&call, Wait::Until(now + 1));
        }
        let seconds = seconds.unwrap_or(RUN_UNTIL_S);
        let what = what.unwrap_or_else(|| "what run_until waits for".into());
        let expected = format!("{what} within {seconds} s");
        Err(failed(&call, expected, "it did not come".into(), Vec::new(), Vec::new()))
    };
    primitives.raw_set("next_tick", lua.create_function(next_tick)?)
}

/// Default time of `run_until`, in seconds.
const RUN_UNTIL_S: f64 = 60.0;

fn add_expectations(lua: &Lua, host: &Rc<Host>, primitives: &Table) -> mlua::Result<()> {
    let (checks, negated) = (lua.create_table()?, lua.create_table()?);
    for entry in entries_of(Object::Expectation) {
        if matches!(entry.run, Implementation::Prelude(_)) {
            continue;
        }
        negated.raw_set(entry.name, matches!(entry.run, Implementation::Check(_)))?;
        let host = host.clone();
        let look = move |lua: &Lua, (may_sleep, negated, this, given): (bool, bool, Table, Given)| {
            host.call.may_sleep.set(may_sleep);
            let call = Call { lua, host: &host, entry, who: NOBODY, named: "" };
            look(&call, negated, &this, given.into())
        };
        checks.raw_set(entry.name, lua.create_function(look)?)?;
    }
    primitives.raw_set("checks", checks)?;
    primitives.raw_set("can_be_negated", negated)?;
    primitives.raw_set("dotted", dot_for_colon("expect(x):to_be"))?;
    primitives.raw_set("real", lua.create_function(|_, table: Table| Ok(table.metatable()))?)?;
    primitives.raw_set("unknown", lua.create_function(|_, name: String| Ok(unknown(&name)))?)
}

fn add_makers(lua: &Lua, host: &Rc<Host>, primitives: &Table) -> mlua::Result<()> {
    let find = |object: Object, name: &str| entries_of(object).find(|entry| entry.name == name);
    let (Some(expect), Some(between), Some(within)) = (
        find(Object::Spec, "expect"),
        find(Object::Spec, "path_between"),
        find(Object::Expectation, "within"),
    ) else {
        return Ok(());
    };
    let h = host.clone();
    let expects = move |lua: &Lua, given: Variadic<Value>| {
        let call = Call { lua, host: &h, entry: expect, who: NOBODY, named: "" };
        running(&call)?;
        match given.len() {
            0 => Err(call.fail("it must be told what it is about, as in expect(npc)")),
            _ => Ok(()),
        }
    };
    primitives.raw_set("expects", lua.create_function(expects)?)?;
    let h = host.clone();
    let path = move |lua: &Lua, given: Variadic<Value>| {
        let call = Call { lua, host: &h, entry: between, who: NOBODY, named: "" }.ready()?;
        running(&call)?;
        let [(from, from_name), (to, to_name)] = ends_of(&call, given)?;
        let words = format!("the path from {from_name} to {to_name}");
        lua.create_userdata(PathBetween { from, to, words })
    };
    primitives.raw_set("path_between", lua.create_function(path)?)?;
    let h = host.clone();
    let patience = move |lua: &Lua, given: Value| {
        let call = Call { lua, host: &h, entry: within, who: NOBODY, named: "" }.ready()?;
        let seconds = Seconds::take(&call, &mut Args::one(given), "seconds")?.0;
        let world = h.world();
        Ok(world.tick_number() + world.ticks_of(seconds))
    };
    primitives.raw_set("patience", lua.create_function(patience)?)
}

fn add_recordings(lua: &Lua, host: &Rc<Host>, primitives: &Table) -> mlua::Result<()> {
    let Some(entry) = entries_of(Object::Expectation).find(|entry| entry.name == "to_match_recording") else {
        return Ok(());
    };
    let host = host.clone();
    let begin = move |lua: &Lua, given: (bool, Value, Value, Value)| {
        let (may_sleep, subject, name, options) = given;
        host.call.may_sleep.set(may_sleep);
        let call = Call { lua, host: &host, entry, who: NOBODY, named: "" }.ready()?;
        match_recording(&call, &subject, &name, options)
    };
    primitives.raw_set("match_recording", lua.create_function(begin)?)
}

fn add_stubs(lua: &Lua, host: &Rc<Host>, primitives: &Table) -> mlua::Result<()> {
    let Some(entry) = entries_of(Object::Spec).find(|entry| entry.name == "stub") else { return Ok(()) };
    primitives.raw_set("stubs", lua.named_registry_value::<Table>(game::STUBS)?)?;
    let host = host.clone();
    let name_to_stub = move |lua: &Lua, name: Value| {
        let call = Call { lua, host: &host, entry, who: NOBODY, named: "" };
        running(&call)?;
        let given = match &name {
            // The function itself will do, too.
            Value::Function(_) => lua.named_registry_value::<Table>(game::NAMES)?.raw_get(&name)?,
            _ => Some(String::take(&call, &mut Args::one(name.clone()), "name")?),
        };
        let known = || host.game.functions.iter().map(|function| function.shape.name);
        let given: String = given.unwrap_or_else(|| "this function".into());
        if known().any(|name| name == given) {
            return Ok(given);
        }
        let hint = match did_you_mean(&given, known()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("{GAME_API_FILE} declares them"),
        };
        Err(call.fail(format!("the game has no function '{}'; {hint}", shortened(given, 60))))
    };
    primitives.raw_set("name_to_stub", lua.create_function(name_to_stub)?)
}

/// The message for an unknown expectation.
fn unknown(name: &str) -> String {
    let negated = name.strip_prefix("not_").filter(|rest| rest.starts_with("to_"));
    let is_check = |entry: &&Entry| matches!(entry.run, Implementation::Check(_));
    let exact = entries_of(Object::Expectation).find(|entry| Some(entry.name) == negated);
    if let Some(entry) = exact {
        return format!("an expectation has no '{name}': {} holds or fails by itself", entry.name);
    }
    let plain = meant(Object::Expectation, name).map(|entry| entry.name.to_owned());
    let checks = || entries_of(Object::Expectation).filter(is_check).map(|entry| entry.name);
    let opposite = || did_you_mean(negated?, checks()).map(|near| format!("not_{near}"));
    let camel = || {
        let rest = name.strip_prefix("not").filter(|rest| rest.starts_with("To"))?;
        did_you_mean(rest, checks()).map(|near| format!("not_{near}"))
    };
    let name = shortened(name.to_owned(), 60);
    match opposite().or_else(camel).or(plain) {
        Some(near) => format!("an expectation has no '{name}'; did you mean '{near}'?"),
        None => format!("an expectation has no '{name}'; `cicerone api Expectation` lists them"),
    }
}
