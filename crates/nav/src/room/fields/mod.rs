//! Settings that are rows of a table: what they may be, and their form as text and in files.

pub(super) mod in_file;

use super::{Avoidance, Patience};

/// Which numbers a setting may have.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub least: f64,
    /// Whether it may be the least number itself.
    pub or_least: bool,
    pub most: f64,
}

/// What is no number, or any.
pub const ANY: Limits = Limits { least: f64::NEG_INFINITY, or_least: true, most: f64::INFINITY };
pub const FROM_ZERO: Limits = Limits { least: 0.0, or_least: true, most: 1000.0 };
pub const PRIORITY: Limits = Limits { least: -1000.0, or_least: true, most: 1000.0 };
pub const ABOVE_ZERO: Limits = Limits { or_least: false, ..FROM_ZERO };

pub const fn from_to(least: f64, most: f64) -> Limits {
    Limits { least, or_least: true, most }
}

/// The type of a setting.
pub trait FieldValue: Sized {
    /// What is wrong with it, if something is.
    fn trouble(&self, _: Limits) -> Option<String> {
        None
    }

    /// The value as text. `None`: as the room says.
    fn as_text(&self) -> Option<String>;
}

impl FieldValue for bool {
    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl FieldValue for f64 {
    fn trouble(&self, Limits { least, or_least, most }: Limits) -> Option<String> {
        let fits = *self <= most && (*self > least || or_least && *self == least);
        let rule = if or_least { format!("from {least} to") } else { format!("above {least} and at most") };
        (!fits).then(|| format!("must be {rule} {most}, not {self}"))
    }

    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl FieldValue for i32 {
    fn trouble(&self, limits: Limits) -> Option<String> {
        f64::from(*self)
            .trouble(limits)
            .map(|trouble| trouble.replacen("be from", "be a whole number from", 1))
    }

    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl FieldValue for u32 {
    fn as_text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl FieldValue for Vec<String> {
    fn as_text(&self) -> Option<String> {
        Some(self.join(", "))
    }
}

impl FieldValue for Avoidance {
    fn as_text(&self) -> Option<String> {
        Some(self.as_str().to_owned())
    }
}

impl FieldValue for Patience {
    fn as_text(&self) -> Option<String> {
        Some(match self {
            Self::Seconds(seconds) => seconds.to_string(),
            Self::Never => "never".to_owned(),
        })
    }
}

impl<T: FieldValue> FieldValue for Option<T> {
    fn trouble(&self, limits: Limits) -> Option<String> {
        self.as_ref().and_then(|value| value.trouble(limits))
    }

    fn as_text(&self) -> Option<String> {
        self.as_ref().and_then(FieldValue::as_text)
    }
}

/// What is wrong with a setting, if something is.
pub fn check<T: FieldValue>(name: &str, value: &T, limits: Limits) -> Result<(), String> {
    value.trouble(limits).map_or(Ok(()), |trouble| Err(format!("{name} {trouble}")))
}
