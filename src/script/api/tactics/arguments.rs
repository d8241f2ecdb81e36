//! Cells, paths and stances as arguments.

use crate::room::Stance;
use crate::script::api::args::{Argument, list_of};
use crate::script::api::entry::{Args, Call};
use crate::tactics::Cell;
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
const MAX_STEPS: usize = 10_000;

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
        let of = format!("{param}.{name}");
        let number = i64::take(call, &mut Args::one(table.raw_get(name)?), &of)?;
        u32::try_from(number)
            .map_err(|_| call.fail(format!("{of} must be a whole number, 0 or more, not {number}")))
    };
    let cell = [coordinate("x")?, coordinate("y")?, coordinate("level")?];
    let stance =
        <Option<String> as Argument>::take(call, &mut Args::one(table.raw_get("stance")?), "stance")?;
    let stance = stance.map(|word| stance_named(call, &word, param)).transpose()?;
    Ok((cell, stance))
}

pub(super) fn stance_named(call: &Call<'_>, word: &str, param: &str) -> mlua::Result<Stance> {
    match word {
        "stand" => Ok(Stance::Stand),
        "crouch" => Ok(Stance::Crouch),
        _ => Err(call.fail(format!("{param}: no stance '{word}'; there are stand, crouch"))),
    }
}
