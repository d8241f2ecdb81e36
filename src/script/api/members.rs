//! What scripts find in characters and in the room, as a list under version control, beside that of the globals in
//! `tests/sandbox/capabilities.txt`.

use super::{npc, room};
use std::collections::BTreeSet;

const LIST: &str = "tests/sandbox/members.txt";

/// The names that are given to fields and methods in a source text.
fn registered(text: &str) -> BTreeSet<String> {
    let calls = ["add_field_method_get(", ".add_method("];
    let rest = calls.iter().flat_map(|call| text.split(call).skip(1));
    // A name that is no text comes from a loop.
    let name = |rest: &str| Some(rest.trim_start().strip_prefix('"')?.split('"').next()?.to_owned());
    rest.filter_map(name).collect()
}

#[test]
fn characters_and_the_room_have_what_is_listed_and_nothing_else() {
    let prelude = include_str!("../prelude.lua");
    let blocking = prelude.split("function npc.").skip(1).filter_map(|rest| rest.split('(').next());
    // Two names are registered in a loop over them.
    let looped = ["stop", "stop_in_place"].into_iter().chain(blocking).map(str::to_owned);
    let known = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let of_npc: BTreeSet<_> = registered(include_str!("npc.rs")).into_iter().chain(looped).collect();
    assert_eq!(of_npc, known(&npc::NAMES), "what is registered has a name that can be meant");
    assert_eq!(registered(include_str!("room.rs")), known(&room::NAMES));
    let mut found = String::new();
    for (object, names) in [("npc", &npc::NAMES[..]), ("room", &room::NAMES[..])] {
        known(names).iter().for_each(|name| found += &format!("{object}.{name}\n"));
    }
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(LIST);
    if std::env::var_os("CICERONE_RENEW").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let listed = std::fs::read_to_string(&file).unwrap_or_default().replace('\r', "");
    assert_eq!(
        found, listed,
        "if that is meant: CICERONE_RENEW=1 cargo test --lib members, and commit {LIST}"
    );
}
