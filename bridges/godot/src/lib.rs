//! A GDExtension for Godot 4: the node `CiceroneRoom` runs a room, moves the nodes of its characters, and tells what
//! happened in signals. README.md says how to use it.

mod room;

use godot::prelude::{ExtensionLibrary, gdextension};

struct Cicerone;

// SAFETY: the macro makes the entry that Godot calls; nothing else is unsafe here.
#[gdextension]
unsafe impl ExtensionLibrary for Cicerone {}
