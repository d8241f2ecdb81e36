//! Expectations of plain values and of functions.

use super::{MOST_OF_A_VALUE, not_about};
use crate::script::api::args::Seconds;
use crate::script::api::define::entry;
use crate::script::api::entry::{Call, Entry, Verdict};
use crate::script::api::values::number;
use crate::script::console::shown;
use crate::script::error::shortened;
use mlua::{Function, LuaString, Table, Value};
use std::cmp::Ordering;

pub(in crate::script::api) const ENTRIES: &[Entry] = &[
    entry! {
        /// That a value equals another. Tables are compared by their contents, at every level.
        check Expectation.to_equal(value: Value = "the other value")
        also["equals", "to_be_the_same_as", "toStrictEqual"]
        example r#"
            expect({ 1, 2, { name = "ann" } }):to_equal({ 1, 2, { name = "ann" } })
            expect(room:points()):not_to_equal({})
        "#
        |call, subject| equal(call, subject, &value, "to equal")
    },
    entry! {
        /// The same as `to_equal`, with a shorter name.
        check Expectation.to_be(value: Value = "the other value") also["is", "to_be_equal_to"]
        example r#"
            expect(room.name):to_be("room")
            expect(npc):not_to_be(player)
        "#
        |call, subject| equal(call, subject, &value, "to be")
    },
    entry! {
        /// That a value is `true`. Other values that count as true, such as 1, do not pass.
        check Expectation.to_be_true() also["to_be_truthy", "is_true"]
        example r#"
            expect(room:is_walkable("bar")):to_be_true()
        "#
        |call, subject| is(call, subject, "to be true", *subject == Value::Boolean(true))
    },
    entry! {
        /// That a value is `false`. Nil does not pass.
        check Expectation.to_be_false() also["to_be_falsy", "is_false"]
        example r#"
            expect(npc.player):to_be_false()
        "#
        |call, subject| is(call, subject, "to be false", *subject == Value::Boolean(false))
    },
    entry! {
        /// That a value is nil.
        check Expectation.to_be_nil() also["to_be_null", "to_be_undefined", "to_be_nothing"]
        example r#"
            expect(room.state.ghost):to_be_nil()
        "#
        |call, subject| is(call, subject, "to be nil", subject.is_nil())
    },
    entry! {
        /// That a number is less than another.
        check Expectation.to_be_less_than(value: f64 = "the other") also["to_be_below", "less_than"]
        example r#"
            expect(#room:npcs()):to_be_less_than(10)
        "#
        |call, subject| {
            let holds = ordered(call, subject, value)? == Some(Ordering::Less);
            is(call, subject, &format!("to be less than {value}"), holds)
        }
    },
    entry! {
        /// That a number is greater than another.
        check Expectation.to_be_greater_than(value: f64 = "the other") also["to_be_above", "to_be_more_than", "greater_than"]
        example r#"
            expect(npc.walk_speed):to_be_greater_than(1)
        "#
        |call, subject| {
            let holds = ordered(call, subject, value)? == Some(Ordering::Greater);
            is(call, subject, &format!("to be greater than {value}"), holds)
        }
    },
    entry! {
        /// That a number lies between two others, or equals one of them.
        check Expectation.to_be_between(least: f64 = "the smaller", most: f64 = "the greater") also["to_be_in_range"]
        example r#"
            expect(npc.x):to_be_between(0, 8)
        "#
        |call, subject| {
            let above = ordered(call, subject, least)?.is_some_and(Ordering::is_ge);
            let holds = above && ordered(call, subject, most)?.is_some_and(Ordering::is_le);
            is(call, subject, &format!("to be between {least} and {most}"), holds)
        }
    },
    entry! {
        /// That a list contains a value, or that a text contains a part.
        check Expectation.to_contain(value: Value = "the value, or the part") also["to_include", "contains", "to_have"]
        example r#"
            expect(room:points()):to_contain("well")
            expect("Good evening"):to_contain("even")
        "#
        |call, subject| contains(call, subject, &value)
    },
    entry! {
        /// That a text matches a Lua pattern.
        check Expectation.to_match(pattern: Value as "string" = "as `string.find` takes it") also["matches"]
        example r#"
            expect("guard_12"):to_match("^%a+_%d+$")
        "#
        |call, subject| {
            let Value::String(text) = subject else { return Err(not_about(call, subject, "a string")) };
            let Value::String(pattern) = pattern else { return Err(call.wrong("pattern", "a string", &pattern)) };
            let find: Function = call.lua.globals().get::<Table>("string")?.get("find")?;
            let holds = !find.call::<Value>((text, &pattern))?.is_nil();
            is(call, subject, &format!("to match \"{}\"", pattern.to_string_lossy()), holds)
        }
    },
    entry! {
        /// That a function fails. With a text, the error must contain it. The function may wait.
        check Expectation.to_fail(text: Option<String> = "a part of the error") also["to_throw", "to_error", "toThrow", "to_raise"]
        example r#"
            expect(function() room:npc("nobody") end):to_fail("no character")
            expect(function() run_for(0.1) end):not_to_fail()
        "#
        |call, subject| fails(call, subject, text)
    },
    entry! {
        /// Gives the next expectation some time: the room runs until it holds.
        prelude Expectation.within(seconds: Seconds = "how long at most")
            -> (expectation: "Expectation" = "the same, with time") also["eventually", "in_time", "after"]
        example r#"
            npc:set_target("well")
            expect(npc):within(10):to_be_near("well", 0.5)
        "#
        blocks false
    },
];

fn verdict(holds: bool, claim: String, seen: String) -> Verdict {
    Verdict { holds, claim, seen, about: Vec::new(), places: Vec::new() }
}

fn is(call: &Call<'_>, subject: &Value, claim: &str, holds: bool) -> mlua::Result<Verdict> {
    Ok(verdict(holds, claim.to_owned(), short(call, subject)))
}

fn short(call: &Call<'_>, value: &Value) -> String {
    shortened(shown(call.host, value), MOST_OF_A_VALUE)
}

fn ordered(call: &Call<'_>, subject: &Value, other: f64) -> mlua::Result<Option<Ordering>> {
    let is = number(subject).ok_or_else(|| not_about(call, subject, "a number"))?;
    Ok(is.partial_cmp(&other))
}

fn equal(call: &Call<'_>, subject: &Value, value: &Value, claim: &str) -> mlua::Result<Verdict> {
    let mut walk = Comparison { call, path: String::new() };
    let difference = walk.difference(subject, value, 0)?;
    let seen = match &difference {
        None => "it is just that".into(),
        Some(words) => words.clone(),
    };
    Ok(verdict(difference.is_none(), format!("{claim} {}", short(call, value)), seen))
}

/// Compares two values recursively.
struct Comparison<'a> {
    call: &'a Call<'a>,
    /// The current place: `.guests[2].name`.
    path: String,
}

/// Maximum nesting depth; deeper tables are taken to be different.
const DEEPEST: usize = 100;

impl Comparison<'_> {
    /// The first difference, in words.
    fn difference(&mut self, is: &Value, wanted: &Value, depth: usize) -> mlua::Result<Option<String>> {
        self.call.host.charge(self.call.lua, COMPARE_COST)?;
        match (is, wanted) {
            // The same number may be an integer or a float.
            _ if is == wanted || number(is).is_some() && number(is) == number(wanted) => Ok(None),
            (Value::Table(is), Value::Table(wanted)) if depth < DEEPEST => self.in_tables(is, wanted, depth),
            _ if self.path.is_empty() => Ok(Some(short(self.call, is))),
            _ => {
                let (is, wanted) = (short(self.call, is), short(self.call, wanted));
                Ok(Some(format!("at {} it is {is} instead of {wanted}", self.path)))
            }
        }
    }

    fn in_tables(&mut self, is: &Table, wanted: &Table, depth: usize) -> mlua::Result<Option<String>> {
        let mut keys = Vec::new();
        for table in [wanted, is] {
            for pair in table.pairs::<Value, Value>() {
                let (key, _) = pair?;
                self.call.host.charge(self.call.lua, COMPARE_COST)?;
                keys.push((order_of(&key), key));
            }
        }
        // The first difference is that of the first key in order, whatever the order of the tables.
        keys.sort_by(|(one, _), (other, _)| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        keys.dedup_by(|(_, one), (_, other)| one == other);
        for (_, key) in keys {
            let length = self.path.len();
            self.path.push_str(&step(self.call, &key));
            let difference = self.difference(&is.raw_get(key.clone())?, &wanted.raw_get(key)?, depth + 1)?;
            if difference.is_some() {
                return Ok(difference);
            }
            self.path.truncate(length);
        }
        Ok(None)
    }
}

/// Instructions charged for comparing two values.
const COMPARE_COST: u64 = 20;

/// Sorts numbers before texts, and leaves the rest in place.
fn order_of(key: &Value) -> (f64, String) {
    match (number(key), key) {
        (Some(number), _) => (number, String::new()),
        (None, Value::String(text)) => (f64::INFINITY, text.to_string_lossy()),
        _ => (f64::INFINITY, String::new()),
    }
}

fn step(call: &Call<'_>, key: &Value) -> String {
    match key {
        Value::String(name) if crate::script::answer::is_name(&name.to_string_lossy()) => {
            format!(".{}", shortened(name.to_string_lossy(), 60))
        }
        other => format!("[{}]", shortened(shown(call.host, other), 60)),
    }
}

fn contains(call: &Call<'_>, subject: &Value, value: &Value) -> mlua::Result<Verdict> {
    let claim = format!("to contain {}", short(call, value));
    let holds = match (subject, value) {
        (Value::String(text), Value::String(part)) => {
            call.host.charge(call.lua, text.as_bytes().len() as u64)?;
            text.to_string_lossy().contains(&part.to_string_lossy())
        }
        (Value::Table(list), value) => {
            let mut found = false;
            for index in 1..=list.raw_len() {
                let mut walk = Comparison { call, path: String::new() };
                found |= walk.difference(&list.raw_get(index)?, value, 0)?.is_none();
            }
            found
        }
        _ => return Err(not_about(call, subject, "a list, or a string with a string in it")),
    };
    Ok(verdict(holds, claim, short(call, subject)))
}

/// The outcome of the function is already in the subject.
fn fails(call: &Call<'_>, subject: &Value, text: Option<String>) -> mlua::Result<Verdict> {
    let outcome = subject.as_table().and_then(|table| {
        let failed: bool = table.raw_get::<Option<bool>>("failed").ok()??;
        Some((failed, table.raw_get::<Option<LuaString>>("problem").ok()?))
    });
    let Some((failed, problem)) = outcome else {
        return Err(not_about(call, subject, "a function, as in expect(function() … end)"));
    };
    let problem = problem.map(|problem| problem.to_string_lossy()).unwrap_or_default();
    let claim = text.as_ref().map_or("to fail".to_owned(), |text| format!("to fail with \"{text}\""));
    let seen = if failed { format!("it failed: {problem}") } else { "it went well".into() };
    Ok(verdict(failed && text.is_none_or(|text| problem.contains(&text)), claim, seen))
}
