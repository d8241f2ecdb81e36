//! Golden recordings: compares a test's run with one that was recorded and kept.

use super::spec_run::SpecRun;
use crate::record::{
    CommandDifference, Divergence, Recording, SEEN_M, Track, Tracks, first_command_difference,
    first_divergence, room_differences,
};
use crate::script::{Finding, ScriptLine, Ways};
use std::path::{Path, PathBuf};

/// The folder of recordings, beside the spec.
const FOLDER: &str = "recordings";

/// The extension of recordings.
const ENDING: &str = "rec";

/// Larger recordings are not read.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// With a tolerance, the ends of the two runs may differ by this much, in seconds.
const FORGIVEN_S: f64 = 1.0;

/// The parts of both ways that are shown before and after they part, in seconds.
const SHOWN_S: (f64, f64) = (3.0, 10.0);

impl SpecRun {
    /// Compares the run so far with a recording, or replaces the recording. The error is the message for the test.
    pub(super) fn match_recording(
        &mut self,
        name: &str,
        tolerance_m: Option<f64>,
        place: ScriptLine,
    ) -> Result<(), String> {
        let Some(bytes) = self.recorded_so_far() else {
            self.wants_recording = true;
            return Err("this test is begun again, and recorded".into());
        };
        let file = self.recording_named(name);
        let shown = self.project().name_of(&file);
        if self.updates {
            // Recordings of a failed test are not kept, so this one is written when the test has passed.
            let again = self.updated.iter().any(|(known, ..)| *known == file);
            self.updated.push((file, shown, bytes));
            let twice = || {
                let (expected, seen) =
                    (format!("one comparison with '{name}' in a test"), "this is the second".into());
                let finding = Finding { expected, seen, about: Vec::new(), places: Vec::new() };
                self.fail_expectation(place, finding, None)
            };
            return if again { Err(twice()) } else { Ok(()) };
        }
        let how = tolerance_m.map_or("bit for bit".into(), |metres| format!("within {metres} m"));
        let expected = format!("the room to match recording '{name}' {how}");
        self.read.insert(file.clone());
        let outcome = self.read_recording(&file, &shown).and_then(|before| {
            let now = Recording::read(&bytes).map_err(|error| (format!("this run: {error}"), None))?;
            differ(&before, &now, tolerance_m).map_or(Ok(()), Err)
        });
        let Err((seen, divergence)) = outcome else { return Ok(()) };
        let (mut about, mut places, mut ways) = (Vec::new(), Vec::new(), None);
        if let Some((divergence, both)) = divergence {
            // The id of a character that is only in the recording may belong to another character here.
            let world = self.room().map(crate::runtime::Runtime::world);
            about.extend(
                world.and_then(|world| world.character_named(&divergence.name).map(|found| found.id)),
            );
            places.extend(both.recorded.iter().chain(&both.now));
            ways = Some(both);
        }
        Err(self.fail_expectation(place, Finding { expected, seen, about, places }, ways))
    }

    fn recording_named(&self, name: &str) -> PathBuf {
        let folder = self.spec_file().parent().map(PathBuf::from).unwrap_or_default();
        folder.join(FOLDER).join(name).with_extension(ENDING)
    }

    fn read_recording(&self, file: &Path, shown: &str) -> Result<Recording, Difference> {
        let mend = "`cicerone test --update` records it";
        if !file.exists() {
            return Err((format!("there is no {shown} yet; {mend}"), None));
        }
        let bytes = crate::project::read_file(file, MAX_BYTES)
            .map_err(|error| (format!("{shown}: {error}"), None))?;
        Recording::read(&bytes).map_err(|error| (format!("{shown}: {error}; {mend} anew"), None))
    }
}

/// The difference of two runs as text, and the first character that strayed.
type Difference = (String, Option<(Divergence, Ways)>);

fn differ(before: &Recording, now: &Recording, tolerance_m: Option<f64>) -> Option<Difference> {
    let seconds = |tick: u64| tick as f64 / f64::from(now.start.ticks_per_second);
    let (first, last) = (now.start.tick + 1, before.last_tick().min(now.last_tick()));
    if before.start.ticks_per_second != now.start.ticks_per_second {
        let (then, now) = (before.start.ticks_per_second, now.start.ticks_per_second);
        return Some((
            format!("it was recorded with {then} ticks per second, and the room has {now} now"),
            None,
        ));
    }
    let hash = (first..=last).find(|&tick| before.hash_at(tick) != now.hash_at(tick));
    let divergence = first_divergence(before.tracks(), now.tracks(), last, tolerance_m.unwrap_or(SEEN_M));
    let ways = divergence.map(|divergence| {
        let ways = ways_of(&divergence, before.tracks(), now.tracks(), seconds(1));
        (divergence, ways)
    });
    let mut words = Vec::new();
    if let Some(tick) = hash.filter(|_| tolerance_m.is_none() || ways.is_some()) {
        words.push(format!("the run is another from tick {tick} on ({:.2} s)", seconds(tick)));
    }
    if let Some((divergence, _)) = &ways {
        words.push(divergence.in_words(seconds(1)));
    } else if !words.is_empty() {
        words.push("no character leaves the recorded way".into());
    }
    let forgiven = tolerance_m.map_or(0.0, |_| FORGIVEN_S);
    if seconds(before.last_tick().abs_diff(now.last_tick())) > forgiven && words.is_empty() {
        let (then, now) = (seconds(before.last_tick()), seconds(now.last_tick()));
        words.push(format!("the run is {now:.2} s long, and was {then:.2} s; what both have is the same"));
    }
    if words.is_empty() {
        return None;
    }
    // The cause of the difference, as far as recordings tell.
    let rooms = room_differences(before, now);
    if !rooms.is_empty() {
        words.push(format!("the room it began with is another: {}", some_of(&rooms)));
    }
    if let Some(CommandDifference { tick, before, now, .. }) = first_command_difference(before, now, last) {
        let (now, before) = (some_of(&now), some_of(&before));
        words.push(format!(
            "the first event that differs, at {:.2} s: {now}; recorded: {before}",
            seconds(tick)
        ));
    }
    Some((words.join(";\n"), ways))
}

fn some_of(words: &[String]) -> String {
    const SHOWN: usize = 4;
    let mut shown: Vec<&str> = words.iter().take(SHOWN).map(String::as_str).collect();
    let more = format!("{} more", words.len().saturating_sub(SHOWN));
    if words.len() > SHOWN {
        shown.push(&more);
    }
    if shown.is_empty() { "nothing".into() } else { shown.join(", ") }
}

/// Both ways around the point where they part.
fn ways_of(divergence: &Divergence, before: &Tracks, now: &Tracks, dt_s: f64) -> Ways {
    let every = now.every_ticks.max(1);
    let ticks = |seconds: f64| (seconds / dt_s) as u64;
    let (from, to) = (divergence.tick.saturating_sub(ticks(SHOWN_S.0)), divergence.tick + ticks(SHOWN_S.1));
    let way = |tracks: &Tracks| {
        let same =
            |track: &&Track| track.name == divergence.name && track.at(divergence.tick, every).is_some();
        let Some(track) = tracks.of.values().find(same) else { return Vec::new() };
        let mut points: Vec<_> =
            (from..=to).step_by(every as usize).filter_map(|tick| track.at(tick, every)).collect();
        points.dedup();
        points
    };
    Ways { recorded: way(before), now: way(now) }
}
