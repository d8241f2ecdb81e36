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
    /// Paths answered, and instructions, a second ago and since.
    counted: VecDeque<(Instant, u64, u64)>,
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
        self.counted.push_back((now, stats.answered, instructions));
        while self.counted.len() > 1 && self.counted.front().is_some_and(|(at, ..)| now - *at > WINDOW) {
            self.counted.pop_front();
        }
        let (_, answered_before, instructions_before) = self.counted.front().copied().unwrap_or((now, 0, 0));
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
            "waiting": stats.waiting, "searches": stats.answered.saturating_sub(answered_before),
            "characters": world.characters().len(),
            "walking": world.characters().iter().filter(|character| character.is_moving()).count(),
            "scripts": instructions.saturating_sub(instructions_before), "scriptBytes": script_bytes,
            "clients": clients, "fps": self.frames.len(),
        })
    }
}

/// Milliseconds to the microsecond.
fn ms(seconds: f64) -> Value {
    json!((seconds * 1e6).round() / 1e3)
}
