//! The character object.

use super::args::{flag, priority, real, text};
use super::handle::Npc;
use super::place::{point_table, take_place};
use crate::crowd::{CharacterId, WalkEnd};
use crate::problem::did_you_mean;
use crate::script::error::fail;
use crate::script::host::{Host, Subscription};
use crate::world::{Applied, Command, Setting};
use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, UserDataMethods, Value, Variadic};
use std::collections::VecDeque;
use std::rc::Rc;

/// Where the prelude keeps the methods that put a coroutine to sleep.
pub(super) const BLOCKING_METHODS: &str = "cicerone.npc_methods";

pub(in crate::script) const NAMES: [&str; 31] = [
    "id",
    "valid",
    "x",
    "z",
    "heading",
    "state",
    "player",
    "priority",
    "walk_speed",
    "rotation_speed",
    "collision_radius",
    "alive",
    "enabled",
    "saying",
    "pos",
    "is_moving",
    "target",
    "distance_to",
    "set_target",
    "on_arrived",
    "force_replan",
    "stop",
    "stop_in_place",
    "teleport",
    "despawn",
    "has_tag",
    "add_tag",
    "remove_tag",
    "walk_to",
    "talk_to",
    "say",
];

impl UserData for Npc {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("valid", |_, this| Ok(this.host.world().character(this.id).is_some()));
        // The id stays known after the character left: a stale handle can still say who it was.
        fields.add_field_method_get("id", |_, this| Ok(this.host.world().name_of(this.id).to_owned()));
        fields.add_field_method_get("x", |lua, this| this.host.read(lua, this.id, |c| c.position.x));
        fields.add_field_method_get("z", |lua, this| this.host.read(lua, this.id, |c| c.position.y));
        fields
            .add_field_method_get("state", |lua, this| this.host.read(lua, this.id, |c| c.state().as_str()));
        fields.add_field_method_get("player", |lua, this| this.host.read(lua, this.id, |c| c.player));
        fields.add_field_method_get("saying", |lua, this| {
            this.host.read(lua, this.id, |c| c.speech.as_ref().map(|speech| speech.text.clone()))
        });
        fields.add_field_method_get("heading", |lua, this| this.host.read(lua, this.id, |c| c.heading_rad));
        fields.add_field_method_get("priority", |lua, this| this.host.read(lua, this.id, |c| c.priority));
        fields.add_field_method_get("walk_speed", |lua, this| {
            this.host.read(lua, this.id, |c| c.walk_speed_mps)
        });
        fields.add_field_method_get("rotation_speed", |lua, this| {
            this.host.read(lua, this.id, |c| c.rotation_speed_radps)
        });
        fields.add_field_method_get("collision_radius", |lua, this| {
            this.host.read(lua, this.id, |c| c.collision_radius_m)
        });
        fields.add_field_method_get("alive", |lua, this| this.host.read(lua, this.id, |c| c.alive));
        fields.add_field_method_get("enabled", |lua, this| this.host.read(lua, this.id, |c| c.enabled));

        fields.add_field_method_set("heading", |lua, this, v: Value| {
            this.tune(lua, Setting::Heading(real(lua, &v, "heading")?))
        });
        fields.add_field_method_set("priority", |lua, this, v: Value| {
            this.tune(lua, Setting::Priority(priority(lua, &v, "priority")?))
        });
        fields.add_field_method_set("walk_speed", |lua, this, v: Value| {
            this.tune(lua, Setting::WalkSpeed(real(lua, &v, "walk_speed")?))
        });
        fields.add_field_method_set("rotation_speed", |lua, this, v: Value| {
            this.tune(lua, Setting::RotationSpeed(real(lua, &v, "rotation_speed")?))
        });
        fields.add_field_method_set("collision_radius", |lua, this, v: Value| {
            this.tune(lua, Setting::CollisionRadius(real(lua, &v, "collision_radius")?))
        });
        fields.add_field_method_set("alive", |lua, this, v: Value| {
            this.tune(lua, Setting::Alive(flag(lua, &v, "alive")?))
        });
        fields.add_field_method_set("enabled", |lua, this, v: Value| {
            this.tune(lua, Setting::Enabled(flag(lua, &v, "enabled")?))
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("pos", |lua, this, ()| {
            point_table(lua, this.host.read(lua, this.id, |c| c.position)?)
        });
        methods.add_method("is_moving", |lua, this, ()| this.host.read(lua, this.id, |c| c.is_moving()));
        methods.add_method("target", |lua, this, ()| {
            let target = this.host.read(lua, this.id, |c| c.target())?;
            target.map(|target| point_table(lua, target)).transpose()
        });
        methods.add_method("distance_to", |lua, this, args: Variadic<Value>| {
            let place = take_place(lua, &this.host, &mut args.into_iter().collect(), "distance_to")?;
            this.host.read(lua, this.id, |c| c.position.distance(place))
        });
        methods.add_method("set_target", |lua, this, args: Variadic<Value>| {
            set_target(lua, &this.host, this.id, args.into_iter().collect())
        });
        methods.add_method("on_arrived", |lua, this, function: Value| {
            on_arrived(lua, &this.host, this.id, function)
        });
        methods.add_method("force_replan", |lua, this, ()| {
            this.host
                .apply(lua, Command::ForceReplan(this.id))
                .map(|applied| applied == Applied::Changed(true))
        });
        for name in ["stop", "stop_in_place"] {
            methods.add_method(name, |lua, this, ()| {
                let stop = Command::Stop { who: this.id, walk: None, end: WalkEnd::Cancelled };
                this.host.apply(lua, stop).map(|applied| applied == Applied::Changed(true))
            });
        }
        methods.add_method("teleport", |lua, this, args: Variadic<Value>| {
            let to = take_place(lua, &this.host, &mut args.into_iter().collect(), "teleport")?;
            this.host.apply(lua, Command::Teleport { who: this.id, to }).map(drop)
        });
        methods
            .add_method("despawn", |lua, this, ()| this.host.apply(lua, Command::Despawn(this.id)).map(drop));
        methods.add_method("has_tag", |lua, this, tag: Value| {
            let tag = text(lua, &tag, "has_tag")?;
            this.host.read(lua, this.id, |c| c.tags.binary_search(&tag).is_ok())
        });
        methods.add_method("add_tag", |lua, this, tag: Value| {
            let tag = text(lua, &tag, "add_tag")?;
            let mut tags = this.host.read(lua, this.id, |c| c.tags.clone())?;
            tags.push(tag);
            this.tune(lua, Setting::Tags(tags))
        });
        methods.add_method("remove_tag", |lua, this, tag: Value| {
            let tag = text(lua, &tag, "remove_tag")?;
            let mut tags = this.host.read(lua, this.id, |c| c.tags.clone())?;
            tags.retain(|other| *other != tag);
            this.tune(lua, Setting::Tags(tags))
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(format!("npc:{}", this.host.world().name_of(this.id)))
        });
        methods.add_meta_method(MetaMethod::Index, |lua, _, name: Value| {
            let blocking: Table = lua.named_registry_value(BLOCKING_METHODS)?;
            let method: Value = blocking.raw_get(name.clone())?;
            if method.is_nil() { Err(unknown(lua, &name)) } else { Ok(method) }
        });
        methods.add_meta_method(MetaMethod::NewIndex, |lua, _, (name, _): (Value, Value)| -> mlua::Result<()> {
            let name = name.to_string()?;
            if NAMES.contains(&name.as_str()) {
                return Err(fail(lua, format!("npc.{name} cannot be set")));
            }
            let hint = did_you_mean(&name, NAMES).map(|meant| format!("did you mean '{meant}'? ")).unwrap_or_default();
            Err(fail(lua, format!("a character has no field '{name}'; {hint}(what a script remembers belongs in self.{name})")))
        });
    }
}

impl Npc {
    fn tune(&self, lua: &Lua, setting: Setting) -> mlua::Result<()> {
        self.host.apply(lua, Command::Tune { who: self.id, setting }).map(drop)
    }
}

/// `set_target(npc, where, on_arrived)`: both as a global and as a method.
pub(super) fn set_target(
    lua: &Lua,
    host: &Rc<Host>,
    who: CharacterId,
    args: VecDeque<Value>,
) -> mlua::Result<()> {
    let mut args = args;
    let to = take_place(lua, host, &mut args, "set_target")?;
    let then = match args.pop_front() {
        None | Some(Value::Nil) => None,
        Some(Value::Function(function)) => Some(function),
        Some(other) => {
            let found = other.type_name();
            return Err(fail(lua, format!("set_target: on_arrived must be a function, not {found}")));
        }
    };
    if let Applied::Walking(walk) = host.apply(lua, Command::SetTarget { who, to })? {
        let mut arrivals = host.arrivals_mut();
        match then {
            Some(function) => drop(arrivals.by_walk.insert(walk, function)),
            None => drop(arrivals.by_walk.remove(&walk)),
        }
    }
    Ok(())
}

/// `on_arrived(npc, fn)`: called at every arrival from now on, until replaced; nil ends it.
pub(super) fn on_arrived(lua: &Lua, host: &Rc<Host>, who: CharacterId, then: Value) -> mlua::Result<()> {
    host.read(lua, who, |_| ())?;
    let (set_by, loading) = (host.running.get().task, host.set_up_by());
    let mut arrivals = host.arrivals_mut();
    match then {
        Value::Function(function) => {
            drop(arrivals.by_character.insert(who, Subscription { function, set_by, loading }))
        }
        Value::Nil => drop(arrivals.by_character.remove(&who)),
        other => {
            return Err(fail(
                lua,
                format!("on_arrived: expected a function or nil, not {}", other.type_name()),
            ));
        }
    }
    Ok(())
}

fn unknown(lua: &Lua, name: &Value) -> mlua::Error {
    let name = name.to_string().unwrap_or_default();
    let hint = match did_you_mean(&name, NAMES) {
        Some(meant) => format!("; did you mean '{meant}'?"),
        None => "; what a script remembers belongs in self".into(),
    };
    fail(lua, format!("a character has no '{name}'{hint}"))
}
