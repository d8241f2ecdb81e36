//! The traits of a character in Lua: fields that scripts may set, and options of `spawn`.

use super::args::{InLua, Options};
use super::define::entry;
use super::entry::{Call, Entry};
use super::shapes::{Field, TableShape, field, named};
use crate::room::fields::*;
use crate::room::{Avoidance, Patience, Traits};
use crate::world::{Command, Setting};
use cicerone_nav::each_trait;

macro_rules! in_lua {
    ($($Setting:ident $name:ident = $field:ident: $type:ty, $key:literal, $lua:literal, $default:expr, $limits:expr,
        $about:literal $(, also[$($also:literal),*] example $example:literal)?;)*) => {
        pub(super) const ENTRIES: &[Entry] = &[$($(
            entry! {
                #[doc = $about]
                setting Npc.$name: $lua also[$($also),*]
                example $example
                |call| call.read(|c| c.$field.clone().in_lua()),
                |call, value: $type| call.apply(Command::Tune { who: call.who, setting: Setting::$Setting(value) })
            },
        )?)*];

        pub(super) const SPAWN_OPTIONS: TableShape = TableShape {
            name: "SpawnOptions",
            about: "A new character: the keys of a character in a room file, in snake_case.",
            like: "{at = \"door\", script = \"scripts/guest.lua\"}",
            fields: &[
                named("at", "Place", "place", "where it appears"),
                field("name", "string?", "a name that no other character has; `npc_1` and so on if left out"),
                named("script", "string?", "script", "its behaviour"),
                field("heading", "number?", "radians; 0 if left out, which is along x"),
                $(option(stringify!($name), concat!($lua, "?"), $about),)*
            ],
        };

        /// Changes the traits that a table has.
        pub(super) fn read(call: &Call<'_>, options: &Options, traits: &mut Traits) -> mlua::Result<()> {
            $(if let Some(value) = options.get::<Option<$type>>(call, stringify!($name))? {
                check(stringify!($name), &value, $limits).map_err(|trouble| call.fail(trouble))?;
                traits.$field = value;
            })*
            Ok(())
        }
    };
}

each_trait!(in_lua);

/// A key that may be left out, also if its type said so already.
const fn option(name: &'static str, lua_type: &'static str, about: &'static str) -> Field {
    let lua_type = match lua_type.as_bytes() {
        [.., b'?', b'?'] => lua_type.split_at(lua_type.len() - 1).0,
        _ => lua_type,
    };
    field(name, lua_type, about)
}
