//! Why a match was aborted.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::script) enum Stop {
    OutOfFuel,
    Malformed(Malformed),
}

/// What is wrong with a pattern. As in Lua, an error is found only when a match reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::script) enum Malformed {
    EndsWithPercent,
    NoClosingBracket,
    NoFrontierSet,
    NoBalanceLetters,
    NothingToFinish,
    NoSuchCapture(u8),
    UnfinishedCapture,
    TooManyCaptures,
    TooComplex,
}

impl Malformed {
    /// As Lua says it.
    pub(in crate::script) fn describe(self) -> &'static str {
        match self {
            Self::EndsWithPercent => "malformed pattern (ends with '%')",
            Self::NoClosingBracket => "malformed pattern (missing ']')",
            Self::NoFrontierSet => "missing '[' after '%f' in pattern",
            Self::NoBalanceLetters => "malformed pattern (missing arguments to '%b')",
            Self::NothingToFinish => "invalid pattern capture",
            Self::NoSuchCapture(number) => INVALID_INDEX[usize::from(number.min(9))],
            Self::UnfinishedCapture => "unfinished capture",
            Self::TooManyCaptures => "too many captures",
            Self::TooComplex => "pattern too complex",
        }
    }
}

/// The number is one digit, in patterns as in replacements.
const INVALID_INDEX: [&str; 10] = [
    "invalid capture index %0",
    "invalid capture index %1",
    "invalid capture index %2",
    "invalid capture index %3",
    "invalid capture index %4",
    "invalid capture index %5",
    "invalid capture index %6",
    "invalid capture index %7",
    "invalid capture index %8",
    "invalid capture index %9",
];
