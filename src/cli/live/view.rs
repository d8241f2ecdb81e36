//! Data that the screen shows beside the world.

use super::log::Log;
use super::text::Line;
use cicerone::script::SwitchedOff;

/// Data that the screen shows beside the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    /// The lines told so far.
    pub(super) log: &'a Log,
    /// The list of errors; filled while it is shown.
    pub(super) errors: &'a Log,
    /// The number of errors, and of those not yet viewed.
    pub(super) error_counts: (usize, usize),
    /// Handlers that are switched off.
    pub(super) off: &'a [SwitchedOff],
    /// Whether scripts exceed the limit of a tick, and take turns.
    pub(super) takes_turns: bool,
    /// Speed of time, 1 being real time.
    pub(super) speed: f64,
    /// Whether time is paused.
    pub(super) paused: bool,
    /// Frames per second.
    pub(super) fps: f64,
    /// A notice on the last input; replaces the hints.
    pub(super) notice: Option<&'a Line>,
}
