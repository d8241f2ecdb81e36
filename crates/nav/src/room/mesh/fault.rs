//! Faults of the polygons that a room gives.

use std::fmt;

/// Upper limit on the faults that are reported.
pub(super) const MOST_FAULTS: usize = 50;

/// What is wrong with polygons.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::room) struct Fault {
    /// What it is about.
    pub about: About,
    /// What is wrong, as the end of a sentence that begins with the polygon or portal.
    pub what: String,
    /// A way to mend it; may be empty.
    pub hint: String,
}

/// What a fault is about, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::room) enum About {
    Polygon(usize),
    Portal(usize),
}

impl Fault {
    pub(super) fn polygon(number: usize, what: impl Into<String>) -> Self {
        Self { about: About::Polygon(number), what: what.into(), hint: String::new() }
    }

    pub(super) fn portal(number: usize, what: impl Into<String>) -> Self {
        Self { about: About::Portal(number), what: what.into(), hint: String::new() }
    }

    /// The same fault with a hint.
    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: hint.into(), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.about {
            About::Polygon(number) => write!(f, "polygon {number} {}", self.what),
            About::Portal(number) => write!(f, "portal {number} {}", self.what),
        }
    }
}
