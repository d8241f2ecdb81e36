//! The part of `math` that must be the same on every machine: trigonometry from libm, random numbers from the world's seed.

use super::args::whole;
use crate::script::error::fail;
use crate::script::host::Host;
use crate::script::schedule::Owner;
use mlua::{Lua, Table, Value};
use std::rc::Rc;

pub(super) fn table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
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
        math.raw_set(name, lua.create_function(move |_, x: f64| Ok(function(x)))?)?;
    }
    math.raw_set(
        "atan",
        lua.create_function(|_, (y, x): (f64, Option<f64>)| Ok(libm::atan2(y, x.unwrap_or(1.0))))?,
    )?;
    math.raw_set(
        "log",
        lua.create_function(|_, (x, base): (f64, Option<f64>)| {
            Ok(match base {
                None => libm::log(x),
                Some(2.0) => libm::log2(x),
                Some(10.0) => libm::log10(x),
                Some(base) => libm::log(x) / libm::log(base),
            })
        })?,
    )?;
    math.raw_set("random", random(lua, host)?)?;
    Ok(math)
}

/// `random()` in [0, 1), `random(n)` in 1..n, `random(m, n)` in m..n: as Lua's own, but from the stream of whoever's code
/// runs, so that every run draws the same.
pub(super) fn random(lua: &Lua, host: &Rc<Host>) -> mlua::Result<mlua::Function> {
    let host = host.clone();
    lua.create_function(move |lua, (low, high): (Value, Value)| {
        let who = match host.owner() {
            Owner::Character(id) => Some(id),
            Owner::Room(_) => None,
        };
        let uniform = host.world_mut().random(who);
        let (low, high) = match (&low, &high) {
            (Value::Nil, _) => return Ok(Value::Number(uniform)),
            (high, Value::Nil) => (1, whole(lua, high, "random")?),
            (low, high) => (whole(lua, low, "random")?, whole(lua, high, "random")?),
        };
        let count = (high as i128) - (low as i128) + 1;
        if count < 1 {
            return Err(fail(lua, format!("random: there is no whole number from {low} to {high}")));
        }
        let offset = (uniform * count as f64) as i128;
        Ok(Value::Integer((low as i128 + offset.min(count - 1)) as i64))
    })
}
