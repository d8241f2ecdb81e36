//! The traits of a character, as rooms, worlds and commands know them.

use super::table::each_trait;
use crate::room::{Avoidance, GroundSettings, Patience};
use serde::{Deserialize, Serialize};

/// Which numbers a trait may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) least: f64,
    /// Whether it may be the least number itself.
    pub(crate) or_least: bool,
    pub(crate) most: f64,
}

/// A trait that is no number, or any.
pub(crate) const ANY: Limits = Limits { least: f64::NEG_INFINITY, or_least: true, most: f64::INFINITY };
pub(crate) const PRIORITY: Limits = Limits { least: -1000.0, or_least: true, most: 1000.0 };
pub(crate) const FROM_ZERO: Limits = Limits { least: 0.0, or_least: true, most: 1000.0 };
pub(crate) const ABOVE_ZERO: Limits = Limits { or_least: false, ..FROM_ZERO };

/// A type of trait.
pub(crate) trait TraitValue: Sized {
    /// What is wrong with it, if something is.
    fn trouble(&self, _: Limits) -> Option<String> {
        None
    }

    /// The value as text. `None`: as the room says.
    fn as_text(&self) -> Option<String>;

    /// Whether saves leave it out.
    fn is_left_out(&self) -> bool {
        false
    }
}

impl TraitValue for bool {
    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl TraitValue for f64 {
    fn trouble(&self, Limits { least, or_least, most }: Limits) -> Option<String> {
        let fits = *self <= most && (*self > least || or_least && *self == least);
        let rule = if or_least { format!("from {least} to") } else { format!("above {least} and at most") };
        (!fits).then(|| format!("must be {rule} {most}, not {self}"))
    }

    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl TraitValue for i32 {
    fn trouble(&self, limits: Limits) -> Option<String> {
        f64::from(*self)
            .trouble(limits)
            .map(|trouble| trouble.replacen("be from", "be a whole number from", 1))
    }

    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl TraitValue for Vec<String> {
    fn as_text(&self) -> Option<String> {
        Some(self.join(", "))
    }
}

impl TraitValue for Avoidance {
    fn as_text(&self) -> Option<String> {
        Some(self.as_str().to_owned())
    }
}

impl TraitValue for Patience {
    fn as_text(&self) -> Option<String> {
        Some(match self {
            Self::Seconds(seconds) => seconds.to_string(),
            Self::Never => "never".to_owned(),
        })
    }
}

impl<T: TraitValue> TraitValue for Option<T> {
    fn as_text(&self) -> Option<String> {
        self.as_ref().and_then(TraitValue::as_text)
    }

    fn is_left_out(&self) -> bool {
        self.is_none()
    }
}

macro_rules! traits {
    ($($Setting:ident $name:ident = $field:ident: $type:ty, $key:literal, $lua:literal, $default:expr, $limits:ident,
        $about:literal $(, also[$($also:literal),*] example $example:literal)?;)*) => {
        /// What a character has, apart from its name and its place. Speeds are in metres and radians a second, the radius is
        /// in metres.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Traits {
            $(
                #[doc = $about]
                #[serde(skip_serializing_if = "TraitValue::is_left_out")]
                pub $field: $type,
            )*
        }

        impl Default for Traits {
            fn default() -> Self {
                let defaults = Self { $($field: $default,)* };
                Self { collision_radius_m: GroundSettings::default().agent_radius_m, ..defaults }
            }
        }

        impl Traits {
            /// What is wrong with them, if something is.
            pub(crate) fn check(&self) -> Result<(), String> {
                $(check(stringify!($name), &self.$field, $limits)?;)*
                Ok(())
            }
        }
    };
}

each_trait!(traits);

/// What is wrong with a trait, if something is.
pub(crate) fn check<T: TraitValue>(name: &str, value: &T, limits: Limits) -> Result<(), String> {
    value.trouble(limits).map_or(Ok(()), |trouble| Err(format!("{name} {trouble}")))
}
