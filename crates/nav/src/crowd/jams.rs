//! Jams: places where walkers hardly get on. Walkers look for ways round them.
//!
//! They are seen anew whenever a walker plans: what has dissolved is forgotten at once, and nothing has to be saved.

use super::neighbours::square;
use super::{AgentRow, Character, Pace};
use crate::nav::{Disc, Place, Position, STOREY_M};
use crate::surface::Surface;
use glam::DVec2;

/// Edge of the squares in which slow walkers are counted, in metres.
const SQUARE_M: f64 = 1.5;

/// So many slow walkers in a square are a jam.
const LEAST_SLOW: usize = 2;

/// A walker that has gained no tenth of a metre for this long is slow, in seconds.
const SLOW_AFTER_S: f64 = 0.3;

/// A jam is avoided by this radius, in metres.
const RADIUS_M: f64 = 1.25;

/// A metre through a jam takes this much longer, in seconds.
const DELAY_S: f64 = 4.0;

/// What a walker sees of a path, in metres.
const SEES_M: f64 = 30.0;

/// So many jams are avoided, the nearest ones. More of them would make searches slow.
const MOST_AVOIDED: usize = 24;

/// A jam: some slow walkers of a square that are on one storey.
#[derive(Debug, Clone, Copy)]
struct Jam {
    square: (i64, i64),
    /// Round a place in its middle.
    disc: Disc,
    /// The height of the ground there, in metres.
    height_m: f64,
}

/// The jams of a moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jams {
    slow: Vec<((i64, i64), f64, u32)>,
    /// Jams, sorted by their squares.
    jams: Vec<Jam>,
    taken_at_tick: Option<u64>,
}

fn square_of(at: DVec2) -> (i64, i64) {
    square(at, SQUARE_M).into()
}

impl Jams {
    /// Looks at everybody, at most once a tick.
    pub(crate) fn look(
        &mut self,
        characters: &[Character],
        rows: &[AgentRow],
        ground: &Surface,
        pace: &Pace,
        tick: u64,
    ) {
        if self.taken_at_tick.replace(tick) == Some(tick) {
            return;
        }
        let Self { slow, jams, .. } = self;
        slow.clear();
        jams.clear();
        for (place, (character, row)) in (0..).zip(characters.iter().zip(rows)) {
            let Some(walk) = character.errand().filter(|_| row.active) else { continue };
            if f64::from(walk.progress.idle_ticks) * pace.dt_s > SLOW_AFTER_S {
                slow.push((square_of(row.position.at), ground.height_m(row.position), place));
            }
        }
        slow.sort_unstable_by(|one, other| {
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.cmp(&other.2))
        });
        let position = |place: u32| rows[place as usize].position;
        for slow in slow.chunk_by(|one, other| {
            one.0 == other.0 && ground.floors_touch(position(one.2), position(other.2))
        }) {
            if slow.len() < LEAST_SLOW {
                continue;
            }
            let places = slow.iter().map(|&(_, height_m, place)| (position(place), height_m));
            let middle = places.clone().map(|(position, _)| position.at).sum::<DVec2>() / slow.len() as f64;
            let off_sq = |(position, _): &(Position, f64)| position.at.distance_squared(middle);
            let nearest = places.min_by(|one, other| off_sq(one).total_cmp(&off_sq(other)));
            jams.extend(nearest.map(|(centre, height_m)| {
                let disc = Disc { centre, radius_m: RADIUS_M };
                Jam { square: slow[0].0, disc, height_m }
            }));
        }
    }

    /// How much longer a walk takes than its path alone, in seconds. `line` begins at the walker, whose own square does
    /// not count.
    pub(crate) fn delay_s(&self, line: impl IntoIterator<Item = Position>, ground: &Surface) -> f64 {
        let mut line = line.into_iter();
        let Some(start) = line.next().filter(|_| !self.jams.is_empty()) else { return 0.0 };
        let own = square_of(start.at);
        let (mut from, mut next_m, mut walked_m, mut delay_s) = (start, 1.0, 0.0, 0.0);
        for to in line {
            let length_m = from.distance(to);
            while next_m <= walked_m + length_m && next_m <= SEES_M {
                let share = (next_m - walked_m) / length_m;
                let square = square_of(from.at.lerp(to.at, share));
                if square != own && !self.of_square(square).is_empty() {
                    let (here_m, there_m) = (ground.height_m(from), ground.height_m(to));
                    let height_m = here_m + (there_m - here_m) * share;
                    let is_met = |jam: &Jam| (jam.height_m - height_m).abs() < STOREY_M;
                    delay_s += if self.of_square(square).iter().any(is_met) { DELAY_S } else { 0.0 };
                }
                next_m += 1.0;
            }
            walked_m += length_m;
            from = to;
            if walked_m > SEES_M {
                break;
            }
        }
        delay_s
    }

    /// The jams of a square, one above the other.
    fn of_square(&self, square: (i64, i64)) -> &[Jam] {
        let first = self.jams.partition_point(|jam| jam.square < square);
        let count = self.jams[first..].iter().take_while(|jam| jam.square == square).count();
        &self.jams[first..first + count]
    }

    /// Round obstacles in place of the nearest jams that a walker sees, but for those in which it stands or wants to stand.
    /// One straight above or below is none of those.
    pub(crate) fn discs(&self, from: Place, to: Place, ground: &Surface) -> Vec<Disc> {
        let ends = [from, to].map(|place| ground.locate(place));
        let eye_m = ground.height_m(ends[0]);
        let off_sq = |jam: &Jam| {
            let up_m = jam.height_m - eye_m;
            jam.disc.centre.at.distance_squared(from.at) + up_m * up_m
        };
        let holds = |disc: &Disc, end: Position| disc.holds(end.at) && ground.floors_touch(disc.centre, end);
        let is_seen =
            |jam: &&Jam| off_sq(jam) < SEES_M * SEES_M && !ends.iter().any(|&end| holds(&jam.disc, end));
        let mut seen: Vec<&Jam> = self.jams.iter().filter(is_seen).collect();
        seen.sort_by(|one, other| off_sq(one).total_cmp(&off_sq(other)));
        seen.iter().take(MOST_AVOIDED).map(|jam| jam.disc).collect()
    }
}
