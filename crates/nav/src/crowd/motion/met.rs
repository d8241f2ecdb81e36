//! Another character as a walker sees it.

use super::velocity_obstacles::HalfPlane;
use crate::crowd::{AgentRow, Passage};
use glam::DVec2;

/// Two go the same way if the cosine of the angle between their directions is above this: 16 degrees. With wider
/// angles, people on a circle would queue behind each other, instead of passing round its middle.
const SAME_WAY: f64 = 0.96;

/// Two that come to the same gate merge: their next waypoints are nearer than this, in metres, and the cosine of the angle
/// between their ways behind the gate is above this. Along a wall on both sides of a narrow door, ways behind it differ
/// more: of two such people nobody is the second, but neither keeps to a hand.
const SAME_GATE_M: f64 = 1.0;
const SAME_WAY_BEHIND: f64 = 0.5;
const NO_HAND_BEHIND: f64 = -0.3;

/// The time that a walker leaves to the one ahead, in seconds: the gap is the product of it and the difference in speed
/// to [`SHARED_SPEED`]. It gives speeds at most a fifth above those of Weidmann, "Transporttechnik der Fussgänger",
/// 1993, from 0.2 to 2 people per square metre.
const HEADWAY_S: f64 = 0.4;

/// The share of the speed of the one ahead at which a walker follows without a gap.
const SHARED_SPEED: f64 = 0.8;

/// A walker in the gap of another one that it keeps a distance to parts from it at this speed, in m/s.
const PARTS_MPS: f64 = 0.2;

/// Before one that is stuck at its gate, a walker that comes after it makes this much room, at this speed, in metres and m/s.
const MAKES_ROOM_M: f64 = 0.3;
const MAKES_ROOM_MPS: f64 = 0.5;

/// A walker overtakes another one from so many times its speed on, if that one moves at this share of it.
const OVERTAKES_FROM: f64 = 1.05;
const GETS_ON: f64 = 0.9;

/// Ways meet if both come this near in this time: a factor of the sum of radii, and seconds.
const MEET_WITHIN: f64 = 2.0;
const MEET_IN_S: f64 = 8.0;

/// Ways meet only at an angle: the cosine of 37 degrees. In a queue before a door, ways are nearer than that to each other.
const MEET_AT_AN_ANGLE: f64 = 0.8;

/// The same for two who come to a corner: 18 degrees.
const MEET_AT_A_CORNER: f64 = 0.95;

/// Two who move at less than this share of their speeds, and are farther than this from their gates, in metres, wait beside
/// each other: a queue fills the ground on both sides of a door, and drifts to no hand. A hand helps those on who stand in an
/// arch at the gate, and those who come against each other, by the cosine of the angle between their ways.
const WAITS_AT: f64 = 0.5;
const AT_GATE_M: f64 = 1.0;
const AGAINST: f64 = -0.5;

/// A path leads through a body if it comes this near to its centre, in sums of radii: one that leads round it touches it.
const THROUGH: f64 = 0.9;

/// How far others are looked at, in metres from centre to centre. Bodies as wide as this are avoided by planning only.
pub(super) const REACH_M: f64 = 6.0;

/// Bodies with a smaller gap always matter, in metres. Others matter if they will pass within this many sums of radii.
pub(super) const MATTERS_M: f64 = 1.0;
pub(super) const PASSES_WITHIN: f64 = 3.0;

/// Bodies nearer than this hold up: those that go the same way, and others, in metres.
const BEHIND_M: f64 = 0.25;
const AGAINST_M: f64 = 0.15;

/// How a walker heeds another character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heeds {
    /// Not at all: the other one heeds the walker.
    Not,
    /// It keeps a distance, as to one that goes the same way ahead.
    Distance,
    /// It walks past it, and does all of the avoiding.
    Overtakes,
    /// It avoids it.
    Avoids,
}

/// Another character as a walker sees it.
pub(super) struct Met {
    /// Where it is, from the walker.
    pub(super) offset: DVec2,
    /// The gap between the bodies, in metres.
    pub(super) gap_m: f64,
    /// Whether it is before the walker, by the walker's direction.
    pub(super) is_ahead: bool,
    /// Whether it walks the same way.
    pub(super) goes_along: bool,
    /// Whether it is before the walker, by what both want.
    pub(super) is_between: bool,
    /// Whether both will soon be near each other if they go on.
    pub(super) ways_meet: bool,
}

impl Met {
    #[inline]
    pub(super) fn of(row: &AgentRow, direction: DVec2, them: &AgentRow) -> Self {
        let offset = them.position.at - row.position.at;
        let clear_m = row.radius_m + them.radius_m;
        let theirs = if them.standing { DVec2::ZERO } else { them.direction };
        let turned = theirs.dot(direction);
        let queues = |row: &AgentRow, way: DVec2| {
            let is_behind_others =
                |(gate, _): (DVec2, DVec2)| gate.distance_squared(row.position.at) > AT_GATE_M * AT_GATE_M;
            row.gate.is_some_and(is_behind_others) && row.velocity.dot(way) < WAITS_AT * row.speed_mps
        };
        let both_queue = turned > AGAINST && queues(row, direction) && queues(them, theirs);
        // Those who come to a door from both sides only merge: no hand helps there. At a corner, a hand spreads them.
        let is_at_an_angle = !them.standing
            && !both_queue
            && match row.rounds_corner && them.rounds_corner {
                true => turned < MEET_AT_A_CORNER,
                false => turned < MEET_AT_AN_ANGLE && !merges(row, them),
            };
        let ways_meet = is_at_an_angle && {
            let relative = direction * row.speed_mps - theirs * them.speed_mps;
            let time_s = relative.dot(offset) / relative.length_squared();
            let is_soon = time_s > 0.0 && time_s < MEET_IN_S;
            is_soon && (offset - relative * time_s).length() < MEET_WITHIN * clear_m
        };
        Self {
            offset,
            gap_m: offset.length() - clear_m,
            is_ahead: offset.dot(direction) > 0.0,
            goes_along: !them.standing && turned > SAME_WAY,
            is_between: offset.dot(direction - theirs) > 0.0,
            ways_meet,
        }
    }

    /// How the walker heeds the other one. Of two that go the same way or merge, exactly one heeds the other, so that
    /// they never wait for each other.
    pub(super) fn heeds(&self, row: &AgentRow, them: &AgentRow) -> Heeds {
        // A leader leaves the avoiding to its companions, unless they walk ahead of it.
        if them.walks_with == Some(row.id) && !(self.is_ahead && self.goes_along) {
            return Heeds::Not;
        }
        if self.is_in_the_way(row, them) {
            return Heeds::Distance;
        }
        if let Some(is_second) = is_second_at_gate(row, them) {
            return if is_second { Heeds::Distance } else { Heeds::Not };
        }
        if self.goes_along {
            let ahead_m = self.offset.dot(row.direction + them.direction);
            let is_behind = ahead_m > 0.0 || ahead_m == 0.0 && them.id < row.id;
            return match is_behind {
                true if self.overtakes(row, them) => Heeds::Overtakes,
                true => Heeds::Distance,
                false => Heeds::Not,
            };
        }
        // One that lets a flow pass gets out of its way. The flow only takes care not to run into it.
        match row.passage == Passage::With && them.passage.lets_pass() {
            true => Heeds::Distance,
            false => Heeds::Avoids,
        }
    }

    /// Whether the path leads through a standing character that nobody pushes. Paths lead round those where there is a way
    /// round, so the walker waits before it, and does not look for a way past it to and fro.
    fn is_in_the_way(&self, row: &AgentRow, them: &AgentRow) -> bool {
        let clear_m = THROUGH * (row.radius_m + them.radius_m);
        let ahead_m = self.offset.dot(row.direction);
        let is_before = |left_m: f64| ahead_m > 0.0 && ahead_m < left_m;
        them.standing
            && them.firm
            && row.left_m.is_some_and(is_before)
            && self.offset.perp_dot(row.direction).abs() < clear_m
    }

    /// Whether the walker passes one that goes the same way: it walks faster, and the other one gets on as fast as it
    /// wants. Nobody overtakes in a queue.
    fn overtakes(&self, row: &AgentRow, them: &AgentRow) -> bool {
        row.speed_mps > OVERTAKES_FROM * them.speed_mps
            && them.velocity.dot(them.direction) > GETS_ON * them.speed_mps
            && row.passage == Passage::Free
    }

    /// Whether one that would overtake the walker comes up behind it.
    pub(super) fn is_followed(&self, row: &AgentRow, them: &AgentRow) -> bool {
        self.goes_along && !self.is_ahead && them.walks_with != Some(row.id) && self.overtakes(them, row)
    }

    /// Whether the other one is so near that it may hold the walker up.
    pub(super) fn is_near(&self) -> bool {
        self.gap_m < if self.goes_along { BEHIND_M } else { AGAINST_M }
    }

    /// The velocities with which a walker keeps a distance.
    pub(super) fn headway(&self, row: &AgentRow, them: &AgentRow) -> Option<HalfPlane> {
        let towards = self.offset.try_normalize()?;
        let shared_mps = SHARED_SPEED * them.velocity.dot(towards).clamp(-row.speed_mps, row.speed_mps);
        let is_stuck_before_it = them.pushes && !self.goes_along && !them.passage.lets_pass();
        let (room_m, parts_mps) =
            if is_stuck_before_it { (MAKES_ROOM_M, MAKES_ROOM_MPS) } else { (0.0, PARTS_MPS) };
        let most_mps = ((self.gap_m - room_m) / HEADWAY_S).max(-parts_mps) + shared_mps;
        Some(HalfPlane { point: towards * most_mps, along: towards.perp() })
    }
}

/// The gate that two come to, from whatever side: a corner, or the edges of a narrow door. `None`: their ways behind it
/// differ more than `least_cos` permits. One of their two gates may be behind the other, as the near and the far edge of a
/// wall: it is the last one.
fn shared_gate(row: &AgentRow, them: &AgentRow, least_cos: f64) -> Option<DVec2> {
    let ((mine, my_way), (theirs, their_way)) = (row.gate?, them.gate?);
    let merge = (them.steers || them.pushes)
        && !them.standing
        && mine.distance_squared(theirs) <= SAME_GATE_M * SAME_GATE_M
        && my_way.dot(their_way) >= least_cos;
    let last = if (theirs - mine).dot(my_way + their_way) > 0.0 { theirs } else { mine };
    merge.then_some(last)
}

/// Whether two come to one gate, or one of them passes the gate of the other on a straight path.
fn merges(row: &AgentRow, them: &AgentRow) -> bool {
    let passes = |straight: &AgentRow, (gate, way): (DVec2, DVec2)| {
        let offset = gate - straight.position.at;
        straight.direction.dot(way) >= NO_HAND_BEHIND
            && offset.perp_dot(straight.direction).abs() <= SAME_GATE_M
            && straight.left_m.is_some_and(|left_m| (0.0..=left_m).contains(&offset.dot(straight.direction)))
    };
    match (row.gate, them.gate) {
        (Some(gate), None) => passes(them, gate),
        (None, Some(gate)) => passes(row, gate),
        _ => shared_gate(row, them, NO_HAND_BEHIND).is_some(),
    }
}

/// Whether the walker comes to a gate after another one that comes to the same gate. `None`: they do not merge.
fn is_second_at_gate(row: &AgentRow, them: &AgentRow) -> Option<bool> {
    let gate = shared_gate(row, them, SAME_WAY_BEHIND)?;
    let left_sq = |row: &AgentRow| row.position.at.distance_squared(gate);
    let (my_left_sq, their_left_sq) = (left_sq(row), left_sq(them));
    Some(my_left_sq > their_left_sq || my_left_sq == their_left_sq && them.id < row.id)
}
