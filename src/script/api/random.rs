//! Numbers: random numbers from the world's seed, and trigonometry that is the same on every machine.

use super::args::Argument;
use super::define::entry;
use super::entry::Args;
use super::entry::{Call, Entry};
use crate::crowd::CharacterId;
use crate::script::host::Host;
use crate::script::owner::Owner;
use mlua::{Lua, Table, Value};
use std::rc::Rc;

pub(super) const ENTRIES: &[Entry] = &[entry! {
    /// A random number: `random()` is in [0, 1), `random(n)` an integer from 1 to n, `random(m, n)` one from m to n.
    ///
    /// Each character has its own random stream, made from the world's seed. So every run draws the same numbers.
    /// `math.random` is the same function.
    fn Global.random(m: Option<Value> as "integer" = "from, or up to if `n` is left out", n: Option<i64> = "up to")
        -> (number: "integer" = "the number; an integer, except for `random()`")
        also["rand", "randf", "randi", "randi_range"]
    example r#"
            local die = random(1, 6)
            assert(die >= 1 and die <= 6 and random() < 1)
        "#
    |call| random(call, m, n)
}];

/// The functions of `math` that replace or extend Lua's own.
pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let math = lua.create_table()?;
    type Unary = fn(f64) -> f64;
    let unary: [(&str, Unary); 6] = [
        ("sin", libm::sin),
        ("cos", libm::cos),
        ("tan", libm::tan),
        ("asin", libm::asin),
        ("acos", libm::acos),
        ("exp", libm::exp),
    ];
    for (name, function) in unary {
        math.raw_set(name, lua.create_function(move |lua, x: Value| Ok(function(real(lua, x)?)))?)?;
    }
    math.raw_set(
        "atan",
        lua.create_function(|lua, (y, x): (Value, Option<Value>)| {
            let x = x.map_or(Ok(1.0), |x| real(lua, x))?;
            Ok(libm::atan2(real(lua, y)?, x))
        })?,
    )?;
    math.raw_set(
        "log",
        lua.create_function(|lua, (x, base): (Value, Option<Value>)| {
            let x = real(lua, x)?;
            Ok(match base.map(|base| real(lua, base)).transpose()? {
                None => libm::log(x),
                Some(2.0) => libm::log2(x),
                Some(10.0) => libm::log10(x),
                Some(base) => libm::log(x) / libm::log(base),
            })
        })?,
    )?;
    Ok(math)
}

/// A number, or a string that reads as one. A long string does not count as a number, since reading it costs
/// as many instructions.
fn real(lua: &Lua, value: Value) -> mlua::Result<f64> {
    const LONGEST: usize = 400;
    let is_long = value.as_string().is_some_and(|text| text.as_bytes().len() > LONGEST);
    let kind = value.type_name();
    let number = if is_long { None } else { lua.coerce_number(value)? };
    number.ok_or_else(|| mlua::Error::RuntimeError(format!("expected a number, not {kind}")))
}

fn random(call: &Call<'_>, low: Option<Value>, high: Option<i64>) -> mlua::Result<Value> {
    let uniform = draw(call.host);
    let low = match (low, high) {
        (None, None) => return Ok(Value::Number(uniform)),
        (low, _) => low.unwrap_or(Value::Nil),
    };
    let low = i64::take(call, &mut Args::one(low), if high.is_some() { "m" } else { "n" })?;
    let (low, high) = high.map_or((1, low), |high| (low, high));
    let count = (high as i128) - (low as i128) + 1;
    if count < 1 {
        return Err(call.fail(format!("there is no whole number from {low} to {high}")));
    }
    let offset = (uniform * count as f64) as i128;
    Ok(Value::Integer((low as i128 + offset.min(count - 1)) as i64))
}

/// The next number of the stream of the character whose code runs.
fn draw(host: &Rc<Host>) -> f64 {
    let who = whose_stream(host);
    host.world_mut().random(who)
}

/// The character whose stream the running code draws from; `None` for the room's.
pub(super) fn whose_stream(host: &Rc<Host>) -> Option<CharacterId> {
    match host.owner() {
        Owner::Character(id) => Some(id),
        Owner::Room(_) => None,
    }
}
