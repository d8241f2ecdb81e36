//! Expectations of calls of the game's functions.

use super::not_about;
use crate::script::api::args::Count;
use crate::script::api::define::entry;
use crate::script::api::entry::{Args, Call, Entry, Implementation, Verdict};
use crate::script::api::game::{NAMES, from_lua};
use crate::script::game::{GameValue, in_words};
use mlua::{Table, Value};

pub(in crate::script::api) const ENTRIES: &[Entry] = &[
    entry! {
        /// That a function of the game has been called since the test began, or that many times.
        check Expectation.to_have_been_called(times: Option<Count> = "how often exactly; at least once if left out")
        also["toHaveBeenCalled", "to_have_been_called_times", "was_called", "called"]
        example r#"
            play_sound("creak")
            npc:wave()
            expect(play_sound):to_have_been_called()
            expect(play_sound):to_have_been_called(1)
            expect(npc.wave):not_to_have_been_called(2)
        "#
        |call, subject| {
            let name = name_of(call, subject)?;
            let calls = calls_of(call, &name);
            let (holds, claim) = match times {
                None => (!calls.is_empty(), "to have been called".to_owned()),
                Some(Count(times)) => {
                    (calls.len() == times as usize, format!("to have been called {}", counted(times as usize)))
                }
            };
            Ok(verdict(call, &name, &calls, holds, claim))
        }
    },
    entry! { @entry Expectation to_have_been_called_with, [
            " That a function of the game has been called with these arguments since the test began."
            ""
            " The arguments are compared as they were given: a point's name is not the same as its position. A method's"
            " character does not count."
        ],
        (rest: Option<Value> as "any" = "the arguments"), (),
        ["toHaveBeenCalledWith" "called_with" "was_called_with"],
        r#"
            play_sound("creak", 0.5)
            expect(play_sound):to_have_been_called_with("creak", 0.5)
            expect(play_sound):not_to_have_been_called_with("creak")
        "#,
        Implementation::Check(called_with)
    },
];

fn called_with(call: &Call<'_>, subject: &Value, args: Args) -> mlua::Result<Verdict> {
    let name = name_of(call, subject)?;
    let given = args.rest();
    let last = given.iter().rposition(|value| !value.is_nil()).map_or(0, |last| last + 1);
    let expected = given[..last].iter().map(|value| from_lua(call, value, "an argument"));
    let expected = expected.collect::<mlua::Result<Vec<_>>>()?;
    let calls = calls_of(call, &name);
    let holds = calls.iter().any(|arguments| same(arguments, &expected));
    let words = in_words(&call.host.world(), "", &expected);
    let claim = format!("to have been called with {words}");
    Ok(verdict(call, &name, &calls, holds, claim))
}

/// Whether arguments are the same; 1 and 1.0 are.
fn same(a: &[GameValue], b: &[GameValue]) -> bool {
    let equal = |(a, b): (&GameValue, &GameValue)| match (a, b) {
        (GameValue::Integer(a), GameValue::Number(b)) | (GameValue::Number(b), GameValue::Integer(a)) => {
            *a as f64 == *b
        }
        (a, b) => a == b,
    };
    a.len() == b.len() && a.iter().zip(b).all(equal)
}

/// The name of a function of the game, if the subject is one.
pub(super) fn name_of_game(call: &Call<'_>, subject: &Value) -> Option<String> {
    let names: Table = call.lua.named_registry_value(NAMES).ok()?;
    subject.is_function().then(|| names.raw_get(subject).ok()).flatten()
}

fn name_of(call: &Call<'_>, subject: &Value) -> mlua::Result<String> {
    name_of_game(call, subject)
        .ok_or_else(|| not_about(call, subject, "a function of the game, as in expect(play_sound)"))
}

fn calls_of(call: &Call<'_>, name: &str) -> Vec<Vec<GameValue>> {
    call.host.spec().map(|spec| spec.calls_of(name)).unwrap_or_default()
}

/// The most calls that are shown.
const MOST_SHOWN: usize = 5;

fn verdict(call: &Call<'_>, name: &str, calls: &[Vec<GameValue>], holds: bool, claim: String) -> Verdict {
    let world = call.host.world();
    let words = |arguments: &Vec<GameValue>| in_words(&world, name, arguments);
    let shown: Vec<String> = calls.iter().rev().take(MOST_SHOWN).rev().map(words).collect();
    let seen = match calls.len() {
        0 => "it was not called".to_owned(),
        count => {
            let last = if count > MOST_SHOWN { ", the last times" } else { "" };
            format!("it was called {}{last}: {}", counted(count), shown.join(", "))
        }
    };
    Verdict { holds, claim, seen, about: Vec::new(), places: Vec::new() }
}

fn counted(times: usize) -> String {
    match times {
        1 => "once".into(),
        2 => "twice".into(),
        times => format!("{times} times"),
    }
}
