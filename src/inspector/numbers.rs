//! What a step costs: times by phase, over the last second.

use crate::runtime::{Runtime, StepPhase};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The window of the means.
const WINDOW: Duration = Duration::from_secs(1);

/// Times of steps.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    steps: VecDeque<Step>,
    frames: VecDeque<Instant>,
    /// The totals a second ago and since.
    counted: VecDeque<Totals>,
}

/// What is counted since the room began.
#[derive(Debug, Clone, Copy)]
struct Totals {
    at: Instant,
    tick: u64,
    answered: u64,
    /// The work of searches, in expansions.
    work: u64,
    instructions: u64,
}

#[derive(Debug)]
struct Step {
    at: Instant,
    phases_s: [f64; StepPhase::COUNT],
}

#[allow(clippy::disallowed_methods)] // measures; the simulation never sees it
impl Numbers {
    /// Makes a step, and measures its phases.
    pub(super) fn measure(&mut self, runtime: &mut Runtime) {
        let mut phases_s = [0.0; StepPhase::COUNT];
        let mut last = Instant::now();
        runtime.step_in_phases(|phase| {
            let now = Instant::now();
            phases_s[phase.index()] += (now - last).as_secs_f64();
            last = now;
        });
        self.steps.push_back(Step { at: last, phases_s });
        while self.steps.front().is_some_and(|step| last - step.at > WINDOW) {
            self.steps.pop_front();
        }
    }

    /// Counts a frame that was sent.
    pub(super) fn count_frame(&mut self) {
        let now = Instant::now();
        self.frames.push_back(now);
        while self.frames.front().is_some_and(|&frame| now - frame > WINDOW) {
            self.frames.pop_front();
        }
    }

    /// The numbers as the page gets them.
    pub(super) fn told(&mut self, runtime: &Runtime, clients: usize) -> Value {
        let now = Instant::now();
        self.steps.retain(|step| now - step.at <= WINDOW);
        self.frames.retain(|&frame| now - frame <= WINDOW);
        let (instructions, script_bytes) = runtime.script_usage();
        let world = runtime.world();
        let stats = world.path_stats();
        let (tick, answered, work) = (world.tick_number(), stats.answered, world.search_work());
        let totals = Totals { at: now, tick, answered, work, instructions };
        self.counted.push_back(totals);
        while self.counted.len() > 1 && self.counted.front().is_some_and(|then| now - then.at > WINDOW) {
            self.counted.pop_front();
        }
        let before = self.counted.front().copied().unwrap_or(totals);
        let ticks = tick.saturating_sub(before.tick).max(1) as f64;
        let a_tick = |count: u64| json!((count as f64 / ticks * 1e3).round() / 1e3);
        let count = self.steps.len().max(1) as f64;
        let whole = |step: &Step| step.phases_s.iter().sum::<f64>();
        let mean_s = self.steps.iter().map(whole).sum::<f64>() / count;
        let worst_s = self.steps.iter().map(whole).fold(0.0, f64::max);
        let of_phase = |phase: StepPhase| {
            let sum_s: f64 = self.steps.iter().map(|step| step.phases_s[phase.index()]).sum();
            (phase.name().to_owned(), ms(sum_s / count))
        };
        let phases: Map<String, Value> = StepPhase::all().map(of_phase).collect();
        json!({
            "tickMs": ms(mean_s), "worstMs": ms(worst_s), "phases": phases, "steps": self.steps.len(),
            "waiting": stats.waiting, "searches": a_tick(answered.saturating_sub(before.answered)),
            "searchWork": a_tick(work.saturating_sub(before.work)),
            "searchBudget": world.room().crowd.search_budget_expansions,
            "characters": world.characters().len(),
            "walking": world.characters().iter().filter(|character| character.is_moving()).count(),
            "scripts": instructions.saturating_sub(before.instructions), "scriptBytes": script_bytes,
            "processBytes": process_bytes(), "clients": clients, "fps": self.frames.len(),
        })
    }
}

/// The memory of this program that is in use, on systems that tell it in a file.
fn process_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Milliseconds to the microsecond.
fn ms(seconds: f64) -> Value {
    json!((seconds * 1e6).round() / 1e3)
}
