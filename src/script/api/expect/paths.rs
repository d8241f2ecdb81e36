//! Expectations of a path between two places.

use super::{not_about, words_of};
use crate::nav::{Outcome, Path, Place};
use crate::plan::Explanation;
use crate::problem::did_you_mean;
use crate::script::api::define::entry;
use crate::script::api::entry::{Call, Entry, Verdict};
use crate::script::api::place::place_of_value;
use crate::script::host::EXPANSION_COST;
use mlua::{MetaMethod, UserData, UserDataMethods, Value, Variadic};

/// Two places; the path between them is searched when an expectation is checked.
pub(in crate::script::api) struct PathBetween {
    pub(in crate::script::api) from: Place,
    pub(in crate::script::api) to: Place,
    /// `the path from bar to well`.
    pub(in crate::script::api) words: String,
}

impl UserData for PathBetween {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| Ok(this.words.clone()));
    }
}

pub(in crate::script::api) const ENTRIES: &[Entry] = &[
    entry! {
        /// That a path leads there, and is shorter than a number of metres.
        check Expectation.to_be_shorter_than(metres: f64 = "metres") also["to_be_less_long_than", "shorter_than"]
        example r#"
            expect(path_between("bar", "well")):to_be_shorter_than(10)
        "#
        |call, subject| length(call, subject, format!("to be shorter than {metres} m"), |is| is < metres)
    },
    entry! {
        /// That a path leads there, and is longer than a number of metres.
        check Expectation.to_be_longer_than(metres: f64 = "metres") also["longer_than"]
        example r#"
            expect(path_between("bar", "well")):to_be_longer_than(3)
        "#
        |call, subject| length(call, subject, format!("to be longer than {metres} m"), |is| is > metres)
    },
    entry! {
        /// That a path leads there.
        check Expectation.to_be_complete() also["to_exist", "to_be_possible", "to_be_reachable", "to_lead_there"]
        example r#"
            expect(path_between(npc, "well")):to_be_complete()
            expect(path_between(npc, "barrels")):not_to_be_complete()
        "#
        |call, subject| length(call, subject, "to be complete".into(), |_| true)
    },
    entry! {
        /// That no path leads there, because of an area that is closed or an obstacle.
        check Expectation.to_be_blocked_by(name: String = "the name of the area or obstacle") also["to_be_closed_by"]
        example r#"
            expect(path_between(npc, "barrels")):to_be_blocked_by("cellar_door")
        "#
        |call, subject| {
            let (from, to) = ends(call, subject)?;
            known(call, &name)?;
            let explanation = explained(call, from, to)?;
            let holds = explanation.blocked_by().contains(&name.as_str());
            let claim = format!("to be blocked by {name}");
            Ok(Verdict { holds, claim, seen: explanation.to_string(), about: Vec::new(), places: vec![from.at, to.at] })
        }
    },
];

fn length(
    call: &Call<'_>,
    subject: &Value,
    claim: String,
    is_right: impl Fn(f64) -> bool,
) -> mlua::Result<Verdict> {
    let (from, to) = ends(call, subject)?;
    let path = found(call, from, to)?;
    let is_complete = path.outcome == Outcome::Complete;
    let seen = match is_complete {
        true => format!("it is {:.2} m long", path.length_m),
        false => format!("there is none: {}", explained(call, from, to)?),
    };
    let holds = is_complete && is_right(path.length_m);
    Ok(Verdict { holds, claim, seen, about: Vec::new(), places: vec![from.at, to.at] })
}

/// Refuses unknown names: they can block nothing, so a negated expectation would always pass.
fn known(call: &Call<'_>, name: &str) -> mlua::Result<()> {
    let world = call.host.world();
    let areas = world.room().areas.iter().map(|area| area.name.as_str());
    let names = || areas.clone().chain(world.room().obstacles.iter().map(|obstacle| obstacle.name.as_str()));
    if names().any(|known| known == name) {
        return Ok(());
    }
    let hint = did_you_mean(name, names()).map(|near| format!("; did you mean '{near}'?"));
    Err(call.fail(format!("no area and no obstacle is called '{name}'{}", hint.unwrap_or_default())))
}

fn found(call: &Call<'_>, from: Place, to: Place) -> mlua::Result<Path> {
    let path = call.host.world().find_path_within(from, to, call.host.meter.affords(EXPANSION_COST));
    match path {
        Some(path) => call.host.charge(call.lua, path.work * EXPANSION_COST).map(|()| path),
        None => Err(call.host.search_given_up(call.lua)),
    }
}

fn explained(call: &Call<'_>, from: Place, to: Place) -> mlua::Result<Explanation> {
    let most = call.host.meter.affords(EXPANSION_COST);
    match call.host.world().explain_path(from, to, most) {
        Ok(explanation) => {
            call.host.charge(call.lua, (explanation.work + 1) * EXPANSION_COST).map(|()| explanation)
        }
        Err(_) => Err(call.host.search_given_up(call.lua)),
    }
}

fn ends(call: &Call<'_>, subject: &Value) -> mlua::Result<(Place, Place)> {
    let path =
        subject.as_userdata().and_then(|it| it.borrow::<PathBetween>().ok().map(|it| (it.from, it.to)));
    path.ok_or_else(|| not_about(call, subject, "a path, as in path_between(\"bar\", \"well\")"))
}

/// The two places of a path.
pub(in crate::script::api) fn ends_of(
    call: &Call<'_>,
    given: Variadic<Value>,
) -> mlua::Result<[(Place, String); 2]> {
    let mut rest = given.into_iter();
    let mut end = |param: &str| {
        let first = rest.next().unwrap_or(Value::Nil);
        let second = if first.is_number() || first.is_integer() { rest.next() } else { None };
        let at = place_of_value(call, &first, &second.unwrap_or(Value::Nil), param)?;
        call.host.call.place_before.set(Some(at));
        let name = match &first {
            Value::String(name) => name.to_string_lossy(),
            Value::UserData(_) => words_of(call, &first),
            _ => format!("({:.2}, {:.2})", at.at.x, at.at.y),
        };
        Ok::<_, mlua::Error>((at, name))
    };
    Ok([end("from")?, end("to")?])
}
