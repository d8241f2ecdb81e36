//! A monkey that plays: it clicks where a player could, opens and closes doors, and adds passers-by. A finding names
//! the seed that reproduces it.
//!
//! One seed is one run and decides everything in it: the randomness of the world and of the monkey. While a room
//! runs, [`Watch`] checks it against general rules (`watch.rs`, `walks.rs`). A room that names goals is played a
//! second time with clicks alone, since a monkey with keys to all doors would unlock every puzzle. Where a run ends
//! out of reach of a goal, `locks.rs` continues from there in other ways until one reaches the goal, or none does.

mod act;
mod finding;
mod locks;
mod play;
mod puzzle;
mod report;
mod rules;
mod walks;
mod watch;

pub use act::{Action, Acts, MonkeyInput};
pub use finding::{Finding, FindingKind};
pub use report::{MonkeyReport, NotInTime, Summary};
pub use rules::{Rules, Sighting};
pub use watch::Watch;

use self::play::{PlaySettings, Played, play};
use self::report::Gathered;
use crate::project::Project;
use crate::runtime::{OpenError, Options as RoomOptions, Runtime};
use crate::scenario::several;
use std::path::PathBuf;

/// The settings of a monkey: what is played, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Monkey {
    /// The project that the room belongs to.
    pub project: Project,
    /// The room's file.
    pub room: PathBuf,
    /// The options of each run. Their seed is not used: every run has its own.
    pub options: RoomOptions,
    /// The first seed.
    pub first_seed: u64,
    /// The number of seeds.
    pub seeds: u64,
    /// Game time of a run, in seconds.
    pub seconds: f64,
    /// What the monkey may do.
    pub acts: Acts,
    /// The number of parallel runs. The report does not depend on it.
    pub jobs: usize,
    /// Whether to stop at the first seed that finds something.
    pub bail: bool,
}

/// With `--bail`, this many seeds are played in all ways before the next ones. It does not depend on the number of
/// jobs, so neither does the report.
const SEEDS_BEFORE_BAIL: usize = 8;

/// What a monkey is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doing {
    /// It plays freely.
    Plays,
    /// It clicks, as a player does, and nothing else: only so the goals of a puzzle count.
    Clicks,
    /// It goes on from moments of those runs that did not reach a goal, and tries to reach it.
    LooksForLocks,
}

impl Doing {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plays => "plays freely",
            Self::Clicks => "plays with clicks alone",
            Self::LooksForLocks => "tries to reach the goals from where the runs ended",
        }
    }
}

impl Monkey {
    /// Plays all seeds. `progress` gets what the monkey is at, the number of finished runs and
    /// the total.
    ///
    /// # Errors
    /// [`OpenError`] if the room cannot be opened.
    pub fn play(&self, progress: &(dyn Fn(Doing, usize, usize) + Sync)) -> Result<MonkeyReport, OpenError> {
        let (room, has_areas) = {
            let runtime = Runtime::open_in(self.project.clone(), &self.room, self.options.clone())?;
            let world = runtime.world();
            (world.room().clone(), !world.room().areas.is_empty())
        };
        let ticks = (self.seconds * f64::from(room.ticks_per_second)).round() as u64;
        let acts = Acts { toggles: self.acts.toggles && has_areas, ..self.acts };
        // Without clicks no puzzle is solved.
        let puzzle = acts.clicks && !room.goals.is_empty();
        let passes = if puzzle && acts != Acts::CLICKS { vec![acts, Acts::CLICKS] } else { vec![acts] };
        let mut gathered = Gathered::default();
        let mut solvers: Vec<Played> = Vec::new();
        let seeds: Vec<u64> = (0..self.seeds).map(|number| self.first_seed.wrapping_add(number)).collect();
        let batch = if self.bail { SEEDS_BEFORE_BAIL } else { seeds.len().max(1) };
        for (number, some) in seeds.chunks(batch).enumerate() {
            let done = number * batch;
            for &acts in &passes {
                let doing = if acts == Acts::CLICKS { Doing::Clicks } else { Doing::Plays };
                let tell = |over: usize| progress(doing, done + over, seeds.len());
                tell(0);
                let puzzle = puzzle && acts == Acts::CLICKS;
                let run = |seed: u64| PlaySettings { puzzle, ..PlaySettings::of(seed, acts, ticks) };
                let mut played = self.play_some(some, &run, &tell)?;
                let bailed = self.bail && played.last().is_some_and(Played::found_something);
                if !puzzle || bailed {
                    played.iter_mut().for_each(|played| gathered.take(played, acts));
                } else {
                    let fresh = solvers.len();
                    solvers.append(&mut played);
                    progress(Doing::LooksForLocks, done + some.len(), seeds.len());
                    let is_last = done + some.len() == seeds.len();
                    let evidence = locks::Evidence { played: &solvers, fresh, is_last };
                    locks::look_for_locks(self, &room, ticks, &evidence, &mut gathered)?;
                    solvers[fresh..].iter_mut().for_each(|played| gathered.take(played, acts));
                }
                if self.bail && gathered.found_something() {
                    return Ok(gathered.into_report(self, &room));
                }
            }
        }
        Ok(gathered.into_report(self, &room))
    }

    /// Plays one run for each seed, in parallel. The results are in order of seed; with bail, up to the first with a
    /// finding.
    fn play_some(
        &self,
        seeds: &[u64],
        run: &(dyn Fn(u64) -> PlaySettings + Sync),
        tell: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Played>, OpenError> {
        let mut all = Vec::new();
        for played in several::map(self.jobs, seeds, tell, |&seed| play(self, &run(seed))) {
            all.push(played?);
            if self.bail && all.last().is_some_and(Played::found_something) {
                break;
            }
        }
        Ok(all)
    }
}
