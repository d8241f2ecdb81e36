//! A monkey that plays: clicks where a player could, doors that open and close, passers-by. What it finds is a seed that shows
//! it again.
//!
//! One seed is one run, and decides everything in it: the world's luck and the monkey's. While a room runs, [`Watch`] holds it
//! against what must never happen to anybody (`watch.rs`, `walks.rs`). A room that names goals is played a second time, with
//! clicks alone, since a monkey with keys to all doors would unlock every puzzle; where a run ends out of reach of a goal,
//! `locks.rs` plays on from there in other ways until one gets back to it, or none does.

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
pub use finding::{Finding, Kind};
pub use report::{MonkeyReport, NotInTime, Summary};
pub use rules::{Rules, Sighting};
pub use watch::Watch;

use self::play::{Played, Run, play};
use self::report::Gathered;
use crate::project::Project;
use crate::runtime::{OpenError, Options as RoomOptions, Runtime};
use crate::scenario::several;
use std::path::PathBuf;

/// What is played, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Monkey {
    /// The project that the room belongs to.
    pub project: Project,
    /// The room's file.
    pub room: PathBuf,
    /// How the room is run. The seed in it is not used: every run has its own.
    pub options: RoomOptions,
    /// The first seed.
    pub first_seed: u64,
    /// How many seeds.
    pub seeds: u64,
    /// Game time of a run, in seconds.
    pub seconds: f64,
    /// What the monkey may do.
    pub acts: Acts,
    /// How many runs go on at a time. Whatever it is, the report is the same.
    pub jobs: usize,
    /// Whether to stop at the first seed that finds something.
    pub bail: bool,
}

/// With `--bail`, this many seeds are played in all ways before the next ones. Not as many as there are jobs: the report is the
/// same whatever they are.
const SEEDS_BEFORE_BAIL: usize = 8;

impl Monkey {
    /// Plays all seeds. `progress` is told now and then how many of how many runs are over.
    ///
    /// # Errors
    /// [`OpenError`] if the room cannot be opened.
    pub fn play(&self, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<MonkeyReport, OpenError> {
        let (room, has_areas) = {
            let runtime = Runtime::open_in(self.project.clone(), &self.room, self.options.clone())?;
            let world = runtime.world();
            (world.room().clone(), !world.room().areas.is_empty())
        };
        let ticks = (self.seconds * f64::from(room.ticks_per_second)).round() as u64;
        let acts = Acts { toggles: self.acts.toggles && has_areas, ..self.acts };
        // Without clicks nobody solves anything.
        let puzzle = acts.clicks && !room.goals.is_empty();
        let passes = if puzzle && acts != Acts::CLICKS { vec![acts, Acts::CLICKS] } else { vec![acts] };
        let mut gathered = Gathered::default();
        let mut solvers: Vec<Played> = Vec::new();
        let seeds: Vec<u64> = (0..self.seeds).map(|number| self.first_seed.wrapping_add(number)).collect();
        let batch = if self.bail { SEEDS_BEFORE_BAIL } else { seeds.len().max(1) };
        for (number, some) in seeds.chunks(batch).enumerate() {
            let done = number * batch;
            let tell = |over: usize| progress(done + over, seeds.len());
            for &acts in &passes {
                let puzzle = puzzle && acts == Acts::CLICKS;
                let run = |seed: u64| Run { puzzle, ..Run::of(seed, acts, ticks) };
                let mut played = self.play_some(some, &run, &tell)?;
                let bailed = self.bail && played.last().is_some_and(Played::found_something);
                if !puzzle || bailed {
                    played.iter_mut().for_each(|played| gathered.take(played, acts));
                } else {
                    let fresh = solvers.len();
                    solvers.append(&mut played);
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

    /// Plays one run for each seed, in parallel; the results are in order of seed, up to the first that found something if it
    /// ends there.
    fn play_some(
        &self,
        seeds: &[u64],
        run: &(dyn Fn(u64) -> Run + Sync),
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
