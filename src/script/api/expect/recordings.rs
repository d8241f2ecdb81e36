//! The expectation that a whole run is as recorded.

use super::{not_about, place_of};
use crate::script::api::args::Options;
use crate::script::api::asking::{ask, running};
use crate::script::api::define::entry;
use crate::script::api::entry::{Call, Entry};
use crate::script::api::room::RoomObject;
use crate::script::api::shapes::MATCH_OPTIONS;
use crate::script::api::values::{describe, number};
use crate::script::spec::Request;
use mlua::Value;

pub(in crate::script::api) const ENTRIES: &[Entry] = &[entry! {
    /// That the run since `load_room` is as it was recorded, bit for bit or within a tolerance of the recorded places.
    ///
    /// With a tolerance, the run may also be up to a second longer or shorter.
    ///
    /// `cicerone test --update` records the run again, in the folder `recordings` beside the spec. The report of a
    /// difference names the character that left its recorded path first, when, and by how much, with both paths in
    /// one picture. It also names what changed in the room's file, and the first command that differs.
    prelude Expectation.to_match_recording(
        name: String = "the recording's name: letters, digits, `-` and `_`",
        options: Option<Value> as "MatchOptions" = "the tolerance"
    ) -> () also["to_match_snapshot", "toMatchSnapshot", "to_be_as_recorded"]
    example r#"
        run_for(5)
        expect(function() expect(room):to_match_recording("of yesterday") end):to_fail("letters, digits")
    "#
    blocks true
}];

/// Requests a comparison of the run so far.
pub(in crate::script::api) fn begin(
    call: &Call<'_>,
    subject: &Value,
    name: &Value,
    options: Value,
) -> mlua::Result<bool> {
    if !subject.as_userdata().is_some_and(|room| room.is::<RoomObject>()) {
        return Err(not_about(call, subject, "the room"));
    }
    let Value::String(text) = name else { return Err(call.wrong("name", "a string", name)) };
    let name = text.to_string_lossy();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.is_empty() || name.len() > 100 || !name.bytes().all(plain) {
        return Err(call.fail(format!(
            "the name of a recording is made of letters, digits, - and _, not {}",
            describe(call.host, &Value::String(text.clone()))
        )));
    }
    let tolerance = match options {
        Value::Nil => Value::Nil,
        options => Options::of(call, options, &MATCH_OPTIONS, "options")?.get::<Value>(call, "tolerance")?,
    };
    let tolerance_m = match &tolerance {
        Value::Nil => None,
        value => Some(
            number(value)
                .filter(|metres| (0.0..=1e6).contains(metres))
                .ok_or_else(|| call.wrong("tolerance", "metres, 0 or more", value))?,
        ),
    };
    let spec = running(call)?;
    spec.expectations.set(spec.expectations.get() + 1);
    ask(call, Request::MatchRecording { name, tolerance_m, place: place_of(call) })
}
