//! Broken and malicious scripts, each beside healthy ones. A test is one attack in several dresses: as a handler, as a
//! sequence, in a coroutine of the script's own, while its file is loaded and reloaded. See `arena.rs` for what must
//! hold in each.

mod arena;
mod attack;
pub(crate) mod watch;

/// An attack's name, and how it is made.
type Named = (&'static str, fn() -> attack::Attack);

/// One test for each attack of a list, and the list.
macro_rules! attacks {
    ($($name:ident => $attack:expr,)*) => {
        $(#[test] fn $name() { $crate::attacks::arena::check($attack); })*

        pub(crate) const ALL: &[$crate::attacks::Named] =
            &[$((concat!(module_path!(), "::", stringify!($name)), || $attack),)*];
    };
}

mod controls;
mod coroutines;
mod crowds;
mod errors;
mod files;
mod handlers;
mod hoards;
mod loops;
mod mailbox;
mod memory;
mod metamethods;
mod modules;
mod patterns;
mod processes;
mod provided;
mod resonance;
mod sequences;
mod shared;
mod strings;
mod tables;
