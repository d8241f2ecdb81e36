//! The macro that defines entries.

/// Defines an entry: its documentation as a comment, then its kind, signature, example and code.
macro_rules! entry {
    (@type $type:ty) => { <$type as crate::script::api::args::Argument>::LUA };
    (@type $type:ty, $lua:literal) => { $lua };
    (@entry $object:ident $name:ident, [$($doc:literal)+],
        ($($param:ident: $type:ty $(as $lua:literal)? = $about:literal),*),
        ($($given:ident: $given_type:literal = $given_about:literal),*),
        [$($also:literal)*], $example:literal, $run:expr
    ) => {
        crate::script::api::entry::Entry {
            object: crate::script::api::entry::Object::$object,
            name: stringify!($name),
            params: &[$(crate::script::api::entry::Param {
                name: crate::script::api::entry::bare(stringify!($param)),
                lua_type: entry!(@type $type $(, $lua)?),
                optional: <$type as crate::script::api::args::Argument>::OPTIONAL,
                names: <$type as crate::script::api::args::Argument>::NAMES,
                about: $about,
            }),*],
            returns: &[$(crate::script::api::entry::Return {
                name: stringify!($given), lua_type: $given_type, about: $given_about,
            }),*],
            also: &[$($also),*],
            example: $example,
            about: concat!($($doc, "\n"),+),
            run: $run,
        }
    };
    ($(#[doc = $doc:literal])+ fn $object:ident.$name:ident $params:tt -> $returns:tt
        also[$($also:literal),*] example $example:literal |$call:ident| $body:expr
    ) => {
        entry!(@entry $object $name, [$($doc)+], $params, $returns, [$($also)*], $example,
            crate::script::api::entry::Implementation::Plain(entry!(@code $params, $call, $body)))
    };
    ($(#[doc = $doc:literal])+ wait $object:ident.$name:ident $params:tt -> $returns:tt
        also[$($also:literal),*] example $example:literal |$call:ident| $body:expr
    ) => {
        entry!(@entry $object $name, [$($doc)+], $params, $returns, [$($also)*], $example,
            crate::script::api::entry::Implementation::Wait(entry!(@code $params, $call, $body)))
    };
    ($(#[doc = $doc:literal])+ rest $object:ident.$name:ident $params:tt -> $returns:tt
        also[$($also:literal),*] example $example:literal |$call:ident, $rest:ident| $body:expr
    ) => {
        entry!(@entry $object $name, [$($doc)+], $params, $returns, [$($also)*], $example,
            crate::script::api::entry::Implementation::Rest(|$call, $rest| {
                crate::script::api::entry::IntoAnswer::into_answer(crate::script::api::entry::checked($body)?, $call.lua)
            }))
    };
    ($(#[doc = $doc:literal])+ prelude $object:ident.$name:ident $params:tt -> $returns:tt
        also[$($also:literal),*] example $example:literal blocks $blocks:literal
    ) => {
        entry!(@entry $object $name, [$($doc)+], $params, $returns, [$($also)*], $example,
            crate::script::api::entry::Implementation::Prelude($blocks))
    };
    // An expectation checked at once, which also has a negation.
    ($(#[doc = $doc:literal])+ check $object:ident.$name:ident $params:tt
        also[$($also:literal),*] example $example:literal |$call:ident, $subject:ident| $body:expr
    ) => {
        entry!(@entry $object $name, [$($doc)+], $params, (), [$($also)*], $example,
            crate::script::api::entry::Implementation::Check(entry!(@look $params, $call, $subject, $body)))
    };
    // An expectation about later ticks, in a sequence that waits or, as `stand`, from now on.
    ($(#[doc = $doc:literal])+ watch $object:ident.$name:ident $params:tt
        also[$($also:literal),*] example $example:literal |$call:ident, $subject:ident| $body:expr
    ) => {
        entry!(@entry $object $name, [$($doc)+], $params, (), [$($also)*], $example,
            crate::script::api::entry::Implementation::Watch(entry!(@look $params, $call, $subject, $body)))
    };
    ($(#[doc = $doc:literal])+ stand $object:ident.$name:ident $params:tt
        also[$($also:literal),*] example $example:literal |$call:ident, $subject:ident| $body:expr
    ) => {
        entry!(@entry $object $name, [$($doc)+], $params, (), [$($also)*], $example,
            crate::script::api::entry::Implementation::Stand(entry!(@look $params, $call, $subject, $body)))
    };
    ($(#[doc = $doc:literal])+ event $object:ident.$name:ident $params:tt -> $returns:tt
        also[$($also:literal),*] example $example:literal
    ) => {
        entry!(@entry $object $name, [$($doc)+], $params, $returns, [$($also)*], $example,
            crate::script::api::entry::Implementation::Event)
    };
    ($(#[doc = $doc:literal])+ field $object:ident.$name:ident: $type:literal
        also[$($also:literal),*] example $example:literal |$call:ident| $body:expr
    ) => {
        entry!(@entry $object $name, [$($doc)+], (), (value: $type = ""), [$($also)*], $example,
            crate::script::api::entry::Implementation::Field(|$call| mlua::IntoLua::into_lua(crate::script::api::entry::checked($body)?, $call.lua)))
    };
    ($(#[doc = $doc:literal])+ setting $object:ident.$name:ident: $type:literal
        also[$($also:literal),*] example $example:literal
        |$call:ident| $body:expr, |$setter:ident, $value:ident: $value_type:ty| $set:expr
    ) => {
        entry!(@entry $object $name, [$($doc)+], (), (value: $type = ""), [$($also)*], $example,
            crate::script::api::entry::Implementation::Setting(
                |$call| mlua::IntoLua::into_lua(crate::script::api::entry::checked($body)?, $call.lua),
                |$setter, given| {
                    let mut given = crate::script::api::entry::Args::one(given);
                    let $value = <$value_type as crate::script::api::args::Argument>::take($setter, &mut given, crate::script::api::entry::VALUE)?;
                    $set.map(drop)
                },
            ))
    };
    (@look ($($param:ident: $type:ty $(as $lua:literal)? = $about:literal),*), $call:ident, $subject:ident, $body:expr) => {
        |$call, $subject, args| {
            #[allow(unused_mut, unused_variables)]
            let mut args = args;
            $(let $param = <$type as crate::script::api::args::Argument>::take($call, &mut args, stringify!($param))?;)*
            $body
        }
    };
    (@code ($($param:ident: $type:ty $(as $lua:literal)? = $about:literal),*), $call:ident, $body:expr) => {
        |$call, args| {
            #[allow(unused_mut, unused_variables)]
            let mut args = args;
            $(let $param = <$type as crate::script::api::args::Argument>::take($call, &mut args, stringify!($param))?;)*
            crate::script::api::entry::IntoAnswer::into_answer(crate::script::api::entry::checked($body)?, $call.lua)
        }
    };
}

pub(super) use entry;
