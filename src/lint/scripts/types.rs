//! The type of a value, as far as the API table tells.

use crate::script::api::{Object, TableShape, shapes};

#[derive(Debug, Clone, Default)]
pub(super) enum Type {
    #[default]
    Unknown,
    /// A handle of the host's, or one of its tables.
    Object(Object),
    /// An object judged by the name of its variable alone: a parameter called `npc`.
    Likely(Object),
    /// A table with known keys.
    Shape(&'static TableShape),
    List(Box<Type>),
    /// One of Lua's own libraries.
    Library(&'static str),
    /// How a walk or another wait ended.
    Reason,
    /// A string that names something: see [`crate::script::api::Param::names`].
    Text(&'static str),
}

impl Type {
    /// The type that the API table calls this; `names` is the kind of its strings.
    pub(super) fn of(lua_type: &str, names: &'static str) -> Self {
        let lua_type = lua_type.trim_end_matches("|nil").trim_end_matches('?');
        if let Some(inner) = lua_type.strip_suffix("[]") {
            return Self::List(Box::new(Self::of(inner, "")));
        }
        match lua_type {
            "Npc" => Self::Object(Object::Npc),
            "Room" => Self::Object(Object::Room),
            "Area" => Self::Object(Object::Area),
            "Link" => Self::Object(Object::Link),
            "Waypath" => Self::Object(Object::Waypath),
            "Expectation" => Self::Object(Object::Expectation),
            "string" => Self::Text(names),
            "Reason" => Self::Reason,
            _ => shapes().find(|shape| shape.name == lua_type).map_or(Self::Unknown, Self::Shape),
        }
    }

    /// The types of the parameters in `fun(npc: Npc, reason: Reason)`.
    pub(super) fn of_params(lua_type: &str) -> Vec<Self> {
        let inside = lua_type.strip_prefix("fun(").and_then(|rest| rest.split(')').next()).unwrap_or("");
        let types = inside.split(',').filter_map(|param| param.split_once(':'));
        types.map(|(_, lua_type)| Self::of(lua_type.trim(), "")).collect()
    }

    /// The type of a parameter by its name, where nothing else is known.
    pub(super) fn of_name(name: &str) -> Self {
        match name {
            "npc" => Self::Likely(Object::Npc),
            "room" => Self::Likely(Object::Room),
            _ => Self::Unknown,
        }
    }

    pub(super) fn object(&self) -> Option<Object> {
        match self {
            Self::Object(object) | Self::Likely(object) => Some(*object),
            _ => None,
        }
    }
}
