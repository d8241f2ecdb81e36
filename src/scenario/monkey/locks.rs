//! Detects puzzles that lock themselves: states from which no way of playing leads to a goal.
//!
//! Not all that a script remembers is visible, so the result is statistical. A run that ended out of reach of a goal
//! is repeated up to its end, which gives the very same state, and continued in other ways. One continuation that
//! reaches the goal settles it. If none does, they may have been unlucky, so the states they passed are compared with
//! the other seeds. A state does not explain the lock if other runs reached the goal from it too often for chance to
//! explain so many misses; then something invisible does. If that holds for all states, the puzzle is locked.

use super::act::Acts;
use super::finding::FindingKind;
use super::play::{Play, PlaySettings, Played, tell};
use super::puzzle::players;
use super::report::{Gathered, NotInTime};
use super::{Monkey, Sighting, several};
use crate::nav::Query;
use crate::plan::explain_path;
use crate::room::Room;
use crate::runtime::OpenError;
use crate::surface::SearchMemory;
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A continuation takes this many times the length of its run, and at least a number of seconds: a goal missed in a
/// short run may still be reachable.
const LONGER: u64 = 3;
const LEAST_WAY_S: f64 = 120.0;
/// Continuations tried per batch, and in total.
const WAYS_AT_A_TIME: u64 = 8;
const MOST_WAYS: u64 = 40;
/// The accepted probability that the continuations tried were just unlucky.
const DOUBT: f64 = 0.001;
/// Of runs that end with the same obstacle, most that are examined without finding a way back.
const MOST_ENDS: usize = 8;
/// The search budget of an explanation of the obstacle.
const EXPLANATION_WORK: u64 = 5_000_000;

/// Runs with clicks alone.
pub(super) struct Evidence<'a> {
    /// All runs so far.
    pub(super) played: &'a [Played],
    /// The index of the first run not examined before.
    pub(super) fresh: usize,
    /// Whether no more runs will follow.
    pub(super) is_last: bool,
}

/// Finds goals that were never reached, and runs after which a goal cannot be reached.
pub(super) fn look_for_locks(
    monkey: &Monkey,
    room: &Room,
    ticks: u64,
    evidence: &Evidence<'_>,
    gathered: &mut Gathered,
) -> Result<(), OpenError> {
    // Runs in which the game panicked are no evidence.
    let whole = |played: &&Played| played.findings.iter().all(|finding| finding.kind != FindingKind::Panic);
    let played: Vec<&Played> = evidence.played.iter().filter(whole).collect();
    let fresh = evidence.played[..evidence.fresh].iter().filter(whole).count();
    for (goal, name) in room.goals.iter().enumerate() {
        let played = &played[..];
        let (is_last, ticks_per_second) = (evidence.is_last, room.ticks_per_second);
        let mut search = Search {
            monkey,
            goal,
            name,
            ticks,
            ticks_per_second,
            played,
            fresh,
            is_last,
            gathered: &mut *gathered,
        };
        search.search()?;
    }
    Ok(())
}

struct Search<'a> {
    monkey: &'a Monkey,
    goal: usize,
    name: &'a str,
    /// The length of a run.
    ticks: u64,
    ticks_per_second: u32,
    played: &'a [&'a Played],
    /// See [`Evidence`].
    fresh: usize,
    is_last: bool,
    gathered: &'a mut Gathered,
}

/// The result of continuing a run from some tick in other ways.
enum GoneOn {
    /// A continuation reached the goal after this many ticks, counted from the beginning of the run.
    Reached { tick: u64 },
    /// None did. `passed` counts the continuations that passed each state.
    Never { ways: u64, passed: BTreeMap<u64, u64> },
}

/// Runs that ended out of reach of the goal with the same obstacle.
#[derive(Default)]
struct Ends {
    /// The number that found no way back.
    looked_at: usize,
    /// The text of the locks among them: that of the first.
    lock: Option<String>,
}

/// The verdict on a run that ended out of reach of the goal.
enum Verdict {
    /// A way to the goal exists.
    Open,
    /// No way leads there; this many continuations were tried to be sure.
    Locked { ways: u64 },
    /// No way was found, and that may be bad luck.
    Unsettled,
}

impl Search<'_> {
    fn search(&mut self) -> Result<(), OpenError> {
        let goal = self.goal;
        let reached_at =
            |played: &&Played| played.states.iter().find(|state| state.reached[goal]).map(|state| state.tick);
        let reached = |played: &&Played| reached_at(played).is_some();
        let mut soonest = self.played.iter().filter_map(reached_at).min();
        if soonest.is_none() {
            if !self.is_last {
                return Ok(());
            }
            let Some(first) = self.played.first() else { return Ok(()) };
            let seed = first.seed;
            match self.go_on(seed, 0, MOST_WAYS)? {
                GoneOn::Never { .. } => return self.never_reached(seed),
                GoneOn::Reached { tick } => soonest = Some(tick),
            }
        }
        if let Some(tick) = soonest {
            let runs = self.played.iter().filter(|played| !reached(played)).count() as u64;
            let (name, all) = (self.name.to_owned(), self.played.len() as u64);
            self.gathered.note_in_time(NotInTime { goal: name, runs, of: all, took_s: self.seconds(tick) });
        }
        let ends_away = |played: &Played| played.states.last().is_some_and(|state| !state.reached[goal]);
        // Before any run reached the goal, no runs were examined.
        let known = if self.played[..self.fresh].iter().any(reached) { self.fresh } else { 0 };
        let away: Vec<&Played> =
            self.played[known..].iter().copied().filter(|played| ends_away(played)).collect();
        // Runs that found no way back, by obstacle. Runs that find one are cheap: one of the first continuations gets
        // there.
        let mut kinds: BTreeMap<String, Ends> = BTreeMap::new();
        for played in away {
            let Some(last) = played.states.last() else { continue };
            let why = self.why_not(&self.at(played.seed, self.ticks, None)?);
            let ends = kinds.entry(why.obstacle).or_default();
            if ends.looked_at == MOST_ENDS {
                continue;
            }
            let ways = match self.look_for_ways(played.seed, last.key)? {
                Verdict::Open => continue,
                Verdict::Unsettled => None,
                Verdict::Locked { ways } => Some(ways),
            };
            ends.looked_at += 1;
            let Some(ways) = ways else { continue };
            // The moment of the lock is searched for once.
            let moment = if ends.lock.is_none() { self.moment(played, ways)? } else { self.ticks };
            let play = self.at(played.seed, moment, None)?;
            let words = ends
                .lock
                .get_or_insert_with(|| format!("from here on it can never be reached again: {}", why.words));
            self.find(FindingKind::Locked, &play, words.clone());
            if self.monkey.bail {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether any continuation leads from the end of a run to the goal.
    fn look_for_ways(&mut self, seed: u64, end: u64) -> Result<Verdict, OpenError> {
        let mut most = WAYS_AT_A_TIME;
        loop {
            let GoneOn::Never { ways, mut passed } = self.go_on(seed, self.ticks, most)? else {
                return Ok(Verdict::Open);
            };
            passed.insert(end, ways);
            if passed.iter().all(|(&key, &times)| self.tells_nothing(key, times)) {
                return Ok(Verdict::Locked { ways });
            }
            if most >= MOST_WAYS {
                self.gathered.note_unsettled();
                return Ok(Verdict::Unsettled);
            }
            most = (2 * most).min(MOST_WAYS);
        }
    }

    /// Whether a state does not decide if the goal can be reached: other runs reached it from there so often that
    /// `times` misses in a row would be improbable.
    fn tells_nothing(&self, key: u64, times: u64) -> bool {
        let (mut seen, mut got_there) = (0.0, 0.0);
        for played in self.played {
            let Some(first) = played.states.iter().position(|state| state.key == key) else { continue };
            seen += 1.0;
            got_there += f64::from(u8::from(played.states[first..].iter().any(|s| s.reached[self.goal])));
        }
        // Few runs that all reached the goal are no certainty.
        let rate = got_there / (seen + 2.0);
        rate == 0.0 || (0..times).fold(1.0, |left, _| left * (1.0 - rate)) < DOUBT
    }

    /// Repeats a run up to a tick, and continues it in at most `most` ways.
    fn go_on(&mut self, seed: u64, from_tick: u64, most: u64) -> Result<GoneOn, OpenError> {
        let mut passed: BTreeMap<u64, u64> = BTreeMap::new();
        let mut ways = 0;
        while ways < most {
            let batch: Vec<u64> = (ways..(ways + WAYS_AT_A_TIME).min(most)).collect();
            // A continuation in which the game panics leads nowhere.
            let go = |&way: &u64| {
                catch_unwind(AssertUnwindSafe(|| self.one_way(seed, from_tick, way)))
                    .unwrap_or_else(|_| Ok((false, from_tick, BTreeSet::new())))
            };
            let gone = several::map(self.monkey.jobs, &batch, &|_| {}, go);
            let mut reached: Option<u64> = None;
            for gone in gone {
                let (there, ticks, keys) = gone?;
                self.gathered.count(ticks);
                if there {
                    reached = Some(reached.map_or(ticks, |soonest| soonest.min(ticks)));
                }
                keys.into_iter().for_each(|key| *passed.entry(key).or_insert(0) += 1);
            }
            if let Some(tick) = reached {
                let goals: Vec<bool> = (0..=self.goal).map(|goal| goal == self.goal).collect();
                self.gathered.note_reached(&goals);
                return Ok(GoneOn::Reached { tick });
            }
            ways += batch.len() as u64;
        }
        Ok(GoneOn::Never { ways, passed })
    }

    /// Whether a continuation reaches the goal, the tick of its end, and the states it passed.
    fn one_way(&self, seed: u64, from_tick: u64, way: u64) -> Result<(bool, u64, BTreeSet<u64>), OpenError> {
        let last = from_tick + self.way_ticks();
        let mut play = self.at(seed, from_tick, Some((from_tick, way)))?;
        play.states.clear();
        while play.tick() < last {
            play.act();
            if play.states.last().is_some_and(|state| state.reached[self.goal]) {
                return Ok((true, play.tick(), BTreeSet::new()));
            }
            play.step();
        }
        Ok((false, last, play.states.iter().map(|state| state.key).collect()))
    }

    /// Repeats a run up to a tick.
    fn at(&self, seed: u64, tick: u64, change: Option<(u64, u64)>) -> Result<Play, OpenError> {
        let run = PlaySettings { puzzle: true, change, ..PlaySettings::of(seed, Acts::CLICKS, tick) };
        let mut play = Play::begin(self.monkey, run)?;
        play.run_to(tick);
        Ok(play)
    }

    /// The quarter of a second after which no continuation reached the goal.
    fn moment(&mut self, played: &Played, ways: u64) -> Result<u64, OpenError> {
        let (mut open, mut locked) = (0, self.ticks);
        while locked - open > u64::from(played.ticks_per_second / 4).max(1) {
            let middle = u64::midpoint(open, locked);
            match self.go_on(played.seed, middle, ways)? {
                GoneOn::Reached { .. } => open = middle,
                GoneOn::Never { .. } => locked = middle,
            }
        }
        Ok(locked)
    }

    /// The length of a continuation.
    fn way_ticks(&self) -> u64 {
        let least = (LEAST_WAY_S * f64::from(self.ticks_per_second)).ceil() as u64;
        (LONGER * self.ticks).max(least)
    }

    fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 / f64::from(self.ticks_per_second)
    }

    fn never_reached(&mut self, seed: u64) -> Result<(), OpenError> {
        let play = self.at(seed, self.ticks, None)?;
        let runs = self.played.len();
        let words = format!(
            "not reached in {runs} runs of {:.0} s and {MOST_WAYS} of {:.0} s: {}",
            self.seconds(self.ticks),
            self.seconds(self.way_ticks()),
            self.why_not(&play).words
        );
        self.find(FindingKind::NeverReached, &play, words);
        Ok(())
    }

    fn find(&mut self, kind: FindingKind, play: &Play, words: String) {
        let at = play.runtime.world().point(self.name).unwrap_or(DVec2::NAN.into());
        let sighting = Sighting { kind, who: format!("goal '{}'", self.name), at: at.at, words };
        let finding = tell(self.monkey, play, sighting);
        self.gathered.find(finding);
    }

    /// The obstacle between the player and the goal.
    fn why_not(&self, play: &Play) -> WhyNot {
        let world = play.runtime.world();
        let (Some(player), Some(to)) = (players(world).first().copied(), world.point(self.name)) else {
            return WhyNot::of("there is no character to go to it");
        };
        let snap_m = world.room().crowd.snap_distance_m;
        let query = Query::new(world.ground().place_of(player.position), to).with_snap_m(snap_m);
        let ground = world.ground_of(player);
        let explained = explain_path(ground, &query, &mut SearchMemory::default(), EXPLANATION_WORK);
        let Ok(mut explanation) = explained else { return WhyNot::of("no way leads there") };
        let words = explanation.to_string();
        explanation.nearest = None;
        WhyNot { words, obstacle: explanation.to_string() }
    }
}

/// The obstacle between the player and the goal.
struct WhyNot {
    words: String,
    /// The same without the player's own position.
    obstacle: String,
}

impl WhyNot {
    fn of(words: &str) -> Self {
        Self { words: words.to_owned(), obstacle: words.to_owned() }
    }
}
