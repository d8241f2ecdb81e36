//! Jams: places where walkers hardly get on. Walkers look for ways round them.
//!
//! They are seen anew whenever a walker plans: what has dissolved is forgotten at once, and nothing has to be saved.

use super::neighbours::square;
use super::{AgentRow, Character, Pace};
use crate::nav::Disc;
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

/// The jams of a moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jams {
    slow: Vec<(i64, i64, u32)>,
    /// Squares of jams, sorted, with a place in the middle of each.
    squares: Vec<((i64, i64), Disc)>,
    taken_at_tick: Option<u64>,
}

fn square_of(at: DVec2) -> (i64, i64) {
    square(at, SQUARE_M).into()
}

impl Jams {
    /// Looks at everybody, at most once a tick.
    pub(crate) fn look(&mut self, characters: &[Character], rows: &[AgentRow], pace: &Pace, tick: u64) {
        if self.taken_at_tick.replace(tick) == Some(tick) {
            return;
        }
        self.slow.clear();
        self.squares.clear();
        for (place, (character, row)) in (0..).zip(characters.iter().zip(rows)) {
            let Some(walk) = character.errand().filter(|_| row.active) else { continue };
            if f64::from(walk.idle_ticks) * pace.dt_s > SLOW_AFTER_S {
                let (x, z) = square_of(row.position.at);
                self.slow.push((x, z, place));
            }
        }
        self.slow.sort_unstable();
        for slow in self.slow.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            if slow.len() < LEAST_SLOW {
                continue;
            }
            let places = slow.iter().map(|&(_, _, place)| rows[place as usize].position);
            let middle = places.clone().map(|position| position.at).sum::<DVec2>() / slow.len() as f64;
            let centre = places.min_by(|one, other| {
                one.at.distance_squared(middle).total_cmp(&other.at.distance_squared(middle))
            });
            self.squares
                .extend(centre.map(|centre| ((slow[0].0, slow[0].1), Disc { centre, radius_m: RADIUS_M })));
        }
    }

    /// How much longer a walk takes than its path alone, in seconds. `line` begins at the walker, whose own square does
    /// not count.
    pub(crate) fn delay_s(&self, line: impl IntoIterator<Item = DVec2>) -> f64 {
        let mut line = line.into_iter();
        let Some(start) = line.next().filter(|_| !self.squares.is_empty()) else { return 0.0 };
        let (mut from, mut next_m, mut walked_m, mut delay_s) = (start, 1.0, 0.0, 0.0);
        for to in line {
            let length_m = from.distance(to);
            while next_m <= walked_m + length_m && next_m <= SEES_M {
                let at = from + (to - from) * ((next_m - walked_m) / length_m);
                let key = square_of(at);
                if key != square_of(start) && self.squares.binary_search_by_key(&key, |jam| jam.0).is_ok() {
                    delay_s += DELAY_S;
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

    /// Round obstacles in place of the nearest jams that a walker sees, but for those in which it stands or wants to stand.
    pub(crate) fn discs(&self, from: DVec2, to: DVec2) -> Vec<Disc> {
        let off_sq = |disc: &Disc| disc.centre.at.distance_squared(from);
        let is_seen = |disc: &Disc| !disc.holds(from) && !disc.holds(to) && off_sq(disc) < SEES_M * SEES_M;
        let mut seen: Vec<Disc> = self.squares.iter().map(|&(_, disc)| disc).filter(is_seen).collect();
        seen.sort_by(|one, other| off_sq(one).total_cmp(&off_sq(other)));
        seen.truncate(MOST_AVOIDED);
        seen
    }
}
