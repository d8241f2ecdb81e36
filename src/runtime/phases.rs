//! The parts of a step.

use crate::world::Phase;

/// The parts of [`Runtime::step`](super::Runtime::step), in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepPhase {
    /// Clicks and commands from outside.
    Inbox,
    /// Scripts.
    Scripts,
    /// A part of the world's tick.
    World(Phase),
    /// Events are handed out, and recorded.
    Outbox,
}

impl StepPhase {
    /// How many there are.
    pub const COUNT: usize = Phase::ALL.len() + 3;

    /// All of them, in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        let world = Phase::ALL.into_iter().map(Self::World);
        [Self::Inbox, Self::Scripts].into_iter().chain(world).chain([Self::Outbox])
    }

    /// Its place in the order.
    pub fn index(self) -> usize {
        match self {
            Self::Inbox => 0,
            Self::Scripts => 1,
            Self::World(phase) => 2 + phase as usize,
            Self::Outbox => Self::COUNT - 1,
        }
    }

    /// Its name, for tables and plots.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inbox => "inbox",
            Self::Scripts => "scripts",
            Self::World(Phase::Decide) => "decide",
            Self::World(Phase::Search) => "search",
            Self::World(Phase::Follow) => "follow",
            Self::World(Phase::Separate) => "separate",
            Self::World(Phase::Notice) => "notice",
            Self::Outbox => "outbox",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StepPhase;

    #[test]
    fn phases_are_counted_in_their_order() {
        let all: Vec<StepPhase> = StepPhase::all().collect();
        assert_eq!(all.len(), StepPhase::COUNT);
        assert!(all.iter().enumerate().all(|(index, phase)| phase.index() == index));
    }
}
