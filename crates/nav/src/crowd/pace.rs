//! The crowd's time constants in ticks of one world.

use super::ATTEMPTS;
use super::follow::SKIPS_AFTER_S;
use super::separate::GETS_ON_S;
use super::yielding::{ARCH_STANDS_S, ASKS_FOR_ROOM_EVERY_S, LENT_S, PASSING_ON_S};
use crate::room::{CrowdSettings, Patience, Room};

/// The crowd's time constants in ticks at the room's tick rate. With them, characters behave alike at every rate.
/// They are derived from the room and never saved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    /// Length of a step, in seconds.
    pub dt_s: f64,
    /// Idle time after which a walker counts as blocked and is not overtaken.
    pub gets_on: u32,
    /// Interval at which a walker without progress tries to skip a waypoint.
    pub skips_after: u32,
    /// How long a lent rank lasts.
    pub lent: u32,
    /// How much each hop along a queue shortens the duration of a lent rank.
    pub passing_on: u32,
    /// Interval at which a yielding walker without progress asks its blocker to move.
    pub asks_for_room_every: u32,
    /// Interval at which a walker without progress replans.
    pub replans_after: u32,
    /// Idle time after which one of two stuck characters yields.
    pub yields_after: u32,
    /// Idle time after which one of two that go the same way steps back.
    pub arch_stands: u32,
    /// How long a turn lasts at a place that people pass by turns, and how long one that yields waits.
    pub turn: u32,
    /// Idle time after which a walk is given up. `None`: never.
    pub gives_up_after: Option<u32>,
}

impl Pace {
    /// An order is looked for once in so many ticks without progress. With very short turns there is no time for it.
    pub(crate) fn turn_of_rearranging(&self) -> u32 {
        self.turn.max(2 * u32::from(ATTEMPTS))
    }

    /// The times of a room.
    pub(crate) fn of(room: &Room) -> Self {
        let ticks = |seconds| u32::try_from(room.ticks_of(seconds)).unwrap_or(u32::MAX);
        let CrowdSettings { stuck_replan_after_s, stuck_yield_after_s, stuck_blocked_after_s, .. } =
            room.crowd;
        Self {
            dt_s: 1.0 / f64::from(room.ticks_per_second),
            gets_on: ticks(GETS_ON_S),
            skips_after: ticks(SKIPS_AFTER_S),
            lent: ticks(LENT_S),
            passing_on: ticks(PASSING_ON_S),
            asks_for_room_every: ticks(ASKS_FOR_ROOM_EVERY_S),
            replans_after: ticks(stuck_replan_after_s),
            yields_after: ticks(stuck_yield_after_s),
            arch_stands: ticks(ARCH_STANDS_S),
            turn: ticks(stuck_blocked_after_s),
            gives_up_after: patience_ticks(room.crowd.patience(), room),
        }
    }
}

/// After how many ticks without progress a walk is given up. `None`: never.
pub(crate) fn patience_ticks(patience: Patience, room: &Room) -> Option<u32> {
    match patience {
        Patience::Seconds(seconds) => Some(u32::try_from(room.ticks_of(seconds)).unwrap_or(u32::MAX)),
        Patience::Never => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole_ticks_and_at_least_one() {
        let of = |ticks_per_second| Pace::of(&Room { ticks_per_second, ..Room::default() });
        let short = |pace: Pace| {
            [pace.gets_on, pace.skips_after, pace.lent, pace.passing_on, pace.asks_for_room_every]
        };
        assert_eq!(short(of(60)), [60, 6, 30, 1, 30]);
        assert_eq!(short(of(240)), [240, 24, 120, 4, 120]);
        assert_eq!(short(of(20)), [20, 2, 10, 1, 10]);
        assert_eq!(short(of(1)), [1; 5]);
        let long = |pace: Pace| [pace.replans_after, pace.yields_after, pace.gives_up_after.unwrap()];
        assert_eq!(long(of(60)), [90, 180, 600]);
        assert_eq!(long(of(1000)), [1500, 3000, 10_000]);
    }
}
