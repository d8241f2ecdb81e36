//! The C interface. The rules for callers are in `cbindgen.toml`, as the first comment of the header.
//!
//! A room is a mutex that is tried and never waited for: a second call at the same time is refused. No panic leaves a
//! function. Rooms, options and answers are looked up by number. Other pointers are checked for NULL and otherwise
//! believed.

mod calls;
mod characters;
mod events;
mod files;
mod functions;
mod handle;
mod numbers;
mod options;
mod orders;
mod places;
mod result;
mod text;
mod time;
