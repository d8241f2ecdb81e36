//! Messages between scripts, and other globals.

use super::args::{Company, list_of};
use super::define::entry;
use super::entry::{Call, Entry};
use super::handle::handle;
use super::people::character_of;
use super::room::RoomObject;
use crate::room::MAX_NAME_BYTES;
use crate::script::load;
use crate::script::messages::{Letter, Receiver};
use crate::script::owner::Owner;
use crate::script::sandbox::share;
use mlua::Value;

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Sends a message to the script of a character, or to the room's script. Its `on_message` is called in the
        /// next tick, or later if it has used up its budget.
        ///
        /// Fails while 10,000 messages are under way, and for a table with a metatable.
        fn Global.send(
            to: Company as "Npc|string|Npc[]|Room" = "a character, its name, a list of characters (as `room:npcs` gives), or `room`",
            message: String = "the message",
            data: Option<Value> as "any" = "any data for the receiver; a table is shared, not copied"
        ) -> () also["post", "emit", "broadcast", "notify", "emit_signal", "msg", "SendMessage"]
        example r#"
            send("ann", "supper", { dish = "stew" }) -- and ann's on_message gets "supper" and the table
            send(room:npcs("staff"), "alarm")
            send(room, "counted", 3)
        "#
        |call| send(call, &to.0, &message, data)
    },
    entry! {
        /// Loads another file of the project, once, and returns what it returns.
        ///
        /// Names are relative to `scripts/`, with dots or slashes. When that file is saved, all scripts that required
        /// it have the new functions at once.
        fn Global.require(name: String = "the file: `\"lib.walks\"` is scripts/lib/walks.lua")
            -> (module: "any" = "what the file returned") also["import", "include", "dofile", "load"]
        example r#"
            local greetings = require("greetings")
            assert(greetings.hello == "Hello!")
        "#
        |call| load::require(call.lua, call.host, &name)
    },
    entry! {
        /// Writes a line, as `log.info` does, with tabs between the values.
        prelude Global.print(rest: Option<Value> as "any" = "anything") -> () also["printf", "echo", "trace"]
        example r#"
            print("tick", room.tick)
        "#
        blocks false
    },
];

/// Instructions charged per message, about as for a command.
const MESSAGE_COST: u64 = 500;

/// Maximum undelivered messages of all scripts, those that wait for the receiver's budget included.
const MOST_UNDER_WAY: usize = 10_000;

/// Maximum receivers of one message.
const MOST_RECEIVERS: usize = 5000;

fn send(call: &Call<'_>, to: &Value, message: &str, data: Option<Value>) -> mlua::Result<Value> {
    let mut receivers = Vec::new();
    match to {
        Value::Table(list) => {
            for (at, one) in list_of(call, list, "to", MOST_RECEIVERS)?.iter().enumerate() {
                receivers.push(Receiver::Npc(character_of(call, one, &format!("to[{}]", at + 1))?));
            }
        }
        Value::UserData(userdata) if userdata.is::<RoomObject>() => receivers.push(Receiver::Room),
        other => receivers.push(Receiver::Npc(character_of(call, other, "to")?)),
    }
    let from = match call.host.owner() {
        Owner::Character(id) => Some(handle(call.lua, call.host, id)?),
        Owner::Room(_) => None,
    };
    if message.len() > MAX_NAME_BYTES {
        return Err(
            call.fail(format!("message must be {MAX_NAME_BYTES} bytes at most; the rest goes into data"))
        );
    }
    let data = data.unwrap_or(Value::Nil);
    if let Value::Table(table) = &data {
        if table.metatable().is_some() {
            return Err(call.fail("data must be a table without a metatable: another script reads it"));
        }
        share(call.lua, table, None)?;
    }
    for to in receivers {
        let (from, message, data) = (from.clone(), message.to_owned(), data.clone());
        post(call, Letter { from, to, message, data })?;
    }
    Ok(Value::Nil)
}

fn post(call: &Call<'_>, letter: Letter) -> mlua::Result<()> {
    call.host.charge(call.lua, MESSAGE_COST)?;
    let under_way = call.host.mail.outbox.borrow().len() + call.host.mail.late_letters.borrow().len();
    if under_way >= MOST_UNDER_WAY {
        return Err(call.fail(format!("{MOST_UNDER_WAY} messages are under way already, as many as may be")));
    }
    call.host.mail.outbox.borrow_mut().push(letter);
    Ok(())
}
