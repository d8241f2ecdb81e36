//! Cells, paths and stances as arguments.

use super::calls::with_level;
use crate::room::Stance;
use crate::script::api::args::{Argument, list_of};
use crate::script::api::entry::{Args, Call};
use crate::tactics::Cell;
use crate::world::outside_level;
use mlua::Value;

/// A cell as an argument.
pub(super) struct At(pub(super) Cell, pub(super) Option<Stance>);

impl Argument for At {
    const LUA: &'static str = "Cell";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let (cell, stance) = cell_of(call, args.take(), param)?;
        Ok(Self(cell, stance))
    }
}

/// The steps of a walk as an argument.
pub(super) struct Steps(pub(super) Vec<(Cell, Option<Stance>)>);

/// Upper limit on the steps of a walk.
const MAX_STEPS: usize = 65_536;

impl Argument for Steps {
    const LUA: &'static str = "Cell[]";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        match args.take() {
            Value::Table(table) => {
                let values = list_of(call, &table, param, MAX_STEPS)?.into_iter();
                let step = |(at, value)| cell_of(call, value, &format!("{param}[{}]", at + 1));
                values.enumerate().map(step).collect::<mlua::Result<_>>().map(Self)
            }
            other => Err(call.wrong(param, "a list of cells, as from tactics:path_to", &other)),
        }
    }
}

/// Reads a cell from a table. Scripts may keep more in it.
fn cell_of(call: &Call<'_>, value: Value, param: &str) -> mlua::Result<(Cell, Option<Stance>)> {
    let Value::Table(table) = value else {
        return Err(call.wrong(param, "a cell like {x = 3, y = 1, level = 0}", &value));
    };
    let coordinate = |name: &str| {
        let value: Value = table.raw_get(name)?;
        whole(&value).ok_or_else(|| call.wrong(&format!("{param}.{name}"), "a whole number", &value))
    };
    let given = [coordinate("x")?, coordinate("y")?, coordinate("level")?];
    let size = with_level(call, |world| world.tactics().map_or([0; 3], |field| field.size()))?;
    let is_in = (0..3).all(|axis| (0..i64::from(size[axis])).contains(&given[axis]));
    if !is_in {
        let step = if param == "cell" { String::new() } else { format!("{param}: ") };
        return Err(call.fail(format!("{step}{}", outside_level(given, size))));
    }
    let cell = given.map(|number| number as u32);
    let stance =
        <Option<String> as Argument>::take(call, &mut Args::one(table.raw_get("stance")?), "stance")?;
    let stance = stance.map(|word| stance_named(call, &word, param)).transpose()?;
    Ok((cell, stance))
}

/// A number of TU as an argument.
pub(super) struct Tu(pub(super) u16);

impl Argument for Tu {
    const LUA: &'static str = "integer";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let value = args.take();
        let number = whole(&value).and_then(|number| u16::try_from(number).ok());
        number.map(Self).ok_or_else(|| call.wrong(param, "a whole number of TU from 0 to 65535", &value))
    }
}

/// The side of an actor in cells as an argument.
pub(super) struct SizeInCells(pub(super) u32);

impl Argument for SizeInCells {
    const LUA: &'static str = "integer";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let value = args.take();
        let number = whole(&value).filter(|number| (1..=2).contains(number));
        number.map(|number| Self(number as u32)).ok_or_else(|| call.wrong(param, "1 or 2", &value))
    }
}

/// A whole number, however large: those beyond the range of integers become the largest.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(*number),
        Value::Number(number) if number.fract() == 0.0 => Some(*number as i64),
        _ => None,
    }
}

pub(super) fn stance_named(call: &Call<'_>, word: &str, param: &str) -> mlua::Result<Stance> {
    match word {
        "stand" => Ok(Stance::Stand),
        "crouch" => Ok(Stance::Crouch),
        _ => Err(call.fail(format!("{param}: no stance '{word}'; there are stand, crouch"))),
    }
}
