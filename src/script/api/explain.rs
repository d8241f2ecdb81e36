//! Explanations of blocked paths, for scripts.

use super::args::Start;
use super::entry::Call;
use super::place::position_table;
use crate::crowd::WalkEnd;
use crate::nav::{Place, Query};
use crate::plan::Explanation;
use crate::script::host::EXPANSION_COST;
use mlua::{Table, Value};

/// `room:explain_path`.
pub(super) fn explain_path(call: &Call<'_>, from: Start, to: Place) -> mlua::Result<Table> {
    match explained(call, &from.query(call, to), call.host.meter.affords(EXPANSION_COST))? {
        Some(explanation) => table_of(call, &explanation),
        None => Err(call.host.search_given_up(call.lua)),
    }
}

/// A script that only asks how a walk ended must not be stopped for lack of fuel: the search gets this
/// fraction of what the script can afford.
const SHARE_OF_LAST_WALK: u64 = 8;

/// `npc:last_walk`.
pub(super) fn last_walk(call: &Call<'_>) -> mlua::Result<Value> {
    let Some((walk, position)) = call.read(|c| c.last_walk.clone().map(|walk| (walk, c.position)))? else {
        return Ok(Value::Nil);
    };
    let table = call.lua.create_table()?;
    table.raw_set("reason", walk.end.as_str())?;
    table.raw_set("ok", walk.end == WalkEnd::Arrived)?;
    table.raw_set("x", walk.requested.at.x)?;
    table.raw_set("y", walk.requested.y_m)?;
    table.raw_set("z", walk.requested.at.y)?;
    table.raw_set("reached", position_table(call, walk.reached)?)?;
    let missed_m = call.host.world().ground().missed_m(walk.requested, walk.reached);
    table.raw_set("missed_by", missed_m)?;
    table.raw_set("seconds", walk.ticks as f64 * call.host.world().dt_s())?;
    if let Some((_, by)) =
        call.host.people.cancelled.borrow().get(&call.who).filter(|(id, _)| *id == walk.walk)
    {
        table.raw_set("cancelled_by", by.as_str())?;
    }
    match walk.end {
        WalkEnd::Blocked(Some(by)) => table.raw_set("blocked_by", by)?,
        WalkEnd::Partial | WalkEnd::NoPath | WalkEnd::Blocked(None) => {
            let most = call.host.meter.affords(EXPANSION_COST) / SHARE_OF_LAST_WALK;
            let position = call.host.world().ground().place_of(position);
            let query = Start { place: position, walker: Some(call.who) }.query(call, walk.requested);
            if let Some(explanation) = explained(call, &query, most)? {
                table.raw_set("blocked_by", explanation.blocked_by().first().copied())?;
                table.raw_set("explanation", table_of(call, &explanation)?)?;
            }
        }
        _ => {}
    }
    Ok(Value::Table(table))
}

/// The explanation, charged to the script; `None` if it would cost more than `most`, which is then charged.
fn explained(call: &Call<'_>, query: &Query, most: u64) -> mlua::Result<Option<Explanation>> {
    let explanation = call.host.world().explain(query, most);
    let work = explanation.as_ref().map_or_else(|too_dear| too_dear.work, |explanation| explanation.work);
    call.host.charge(call.lua, (work + 1) * EXPANSION_COST)?;
    Ok(explanation.ok())
}

fn table_of(call: &Call<'_>, explanation: &Explanation) -> mlua::Result<Table> {
    let table = call.lua.create_table()?;
    table.raw_set("complete", explanation.is_complete())?;
    table.raw_set("blocked_by", explanation.blocked_by())?;
    let links: Vec<&str> = explanation.links_that_help.iter().map(|link| link.name.as_str()).collect();
    table.raw_set("links", links)?;
    table.raw_set("exact", explanation.exact)?;
    if let Some(nearest) = explanation.nearest {
        table.raw_set("nearest", position_table(call, nearest)?)?;
    }
    table.raw_set("gap_m", explanation.gap_m())?;
    table.raw_set("needed_m", explanation.needed_m())?;
    table.raw_set("text", explanation.to_string())?;
    Ok(table)
}
