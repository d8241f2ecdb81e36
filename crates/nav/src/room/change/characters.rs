//! What a save changed of characters.

use crate::room::CharacterSpec;
use crate::room::table::each_trait;

/// A character in both versions and its differences; at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct CharacterChange {
    /// The character's name.
    pub name: String,
    /// The fields that changed, in the order of [`CharacterField`].
    pub fields: Vec<CharacterField>,
}

macro_rules! fields {
    ($($Setting:ident $name:ident = $field:ident: $type:ty, $key:literal, $lua:literal, $default:expr, $limits:expr,
        $about:literal $(, also[$($also:literal),*] example $example:literal)?;)*) => {
        /// A field of a character in a file, other than its start.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum CharacterField {
            /// The script it runs.
            Script,
            $(#[doc = $about] $Setting,)*
            /// What it is on the tactical level.
            Actor,
        }

        impl CharacterField {
            /// Its key in files.
            pub fn key(self) -> &'static str {
                match self {
                    Self::Script => "script",
                    $(Self::$Setting => $key,)*
                    Self::Actor => "actor",
                }
            }
        }

        pub(super) fn character_change(old: &CharacterSpec, new: &CharacterSpec) -> Option<CharacterChange> {
            let compared = [
                (CharacterField::Script, old.script != new.script),
                $((CharacterField::$Setting, old.$field != new.$field),)*
                (CharacterField::Actor, old.actor != new.actor),
            ];
            let changed = compared.into_iter().filter(|(_, changed)| *changed);
            let fields: Vec<CharacterField> = changed.map(|(field, _)| field).collect();
            (!fields.is_empty()).then(|| CharacterChange { name: new.name.clone(), fields })
        }
    };
}

each_trait!(fields);

/// The name of one whose start is another.
pub(super) fn start_change(old: &CharacterSpec, new: &CharacterSpec) -> Option<String> {
    let changed = old.at != new.at || old.at_point != new.at_point || old.heading_rad != new.heading_rad;
    changed.then(|| new.name.clone())
}
