//! What the screen shows beside the world itself.

use super::log::Log;
use super::text::Line;
use cicerone::script::SwitchedOff;

/// What is shown beside the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    /// What was told so far.
    pub(super) log: &'a Log,
    /// The errors, as a list to be read; filled while it is shown.
    pub(super) errors: &'a Log,
    /// How many errors there are, and how many of them nobody has looked at.
    pub(super) error_counts: (usize, usize),
    /// Handlers that are switched off.
    pub(super) off: &'a [SwitchedOff],
    /// Whether scripts have more to do than a tick allows, and take turns.
    pub(super) takes_turns: bool,
    /// Speed of time, 1 being real time.
    pub(super) speed: f64,
    /// Whether time stands still.
    pub(super) paused: bool,
    /// Pictures per second.
    pub(super) fps: f64,
    /// A remark on what was typed last; takes the place of the hints.
    pub(super) notice: Option<&'a Line>,
}
