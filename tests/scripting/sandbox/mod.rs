//! What scripts find in their sandbox: which functions there are, that every process does the same with them, and that
//! they do what plain Lua does.

mod capabilities;
#[cfg(feature = "cli")]
mod processes;
mod semantics;
