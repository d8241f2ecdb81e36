//! Keeps a moment of the room, and goes back to it.

use super::Live;
use super::text::Tone;
use cicerone::draw::clean;
use cicerone::runtime::{LiveReload, RuntimeEvent};
use cicerone::script::Note;
use cicerone::world::{EventKind, World};

/// Events since going back to a moment.
#[derive(Debug, Default)]
pub(super) struct Back {
    /// That moment.
    tick: u64,
    /// Characters that were added.
    came: Vec<String>,
    /// Whether a character could not be added because it exists already.
    refused: bool,
}

/// Upper limit on the characters named.
const MOST_NAMES: usize = 3;

impl Live<'_> {
    /// Keeps this moment, in memory only.
    pub(super) fn save(&mut self) {
        match self.session.runtime.save() {
            Ok(saved) => {
                let time_s = self.session.runtime.world().time_s();
                let left_out = match saved.unsaved.len() {
                    0 => String::new(),
                    1 => ", without one thing that was under way (l tells)".to_owned(),
                    many => format!(", without {many} things that were under way (l tells)"),
                };
                for line in &saved.unsaved {
                    self.tell(
                        Tone::Warning,
                        format!("not saved, as nothing sets it up again: {}", clean(line)),
                    );
                }
                self.saved = Some((saved, self.stick));
                self.remark(Tone::Good, format!("saved at {time_s:.1} s; b goes back to it{left_out}"));
            }
            Err(error) => {
                error
                    .obstacles()
                    .iter()
                    .for_each(|why| self.tell(Tone::Bad, format!("not saved: {}", clean(why))));
                self.remark(Tone::Bad, format!("not saved: {}", clean(&error.obstacles().join("; "))));
            }
        }
    }

    pub(super) fn go_back(&mut self) {
        let Some((saved, stick)) = &self.saved else {
            return self.remark(Tone::Bad, "nothing is saved yet: s saves".to_owned());
        };
        // The scripts forget their counts with their state.
        self.errors.count(self.session.runtime.script_errors());
        let waiting = self.session.runtime.waiting_lines();
        match self.session.go_back_to(saved) {
            Ok(()) => {
                self.stick = *stick;
                self.reload = LiveReload::new(&self.session.runtime, self.poll);
                let (time_s, tick) = {
                    let world = self.session.runtime.world();
                    (world.time_s(), world.tick_number())
                };
                if waiting > 0 {
                    self.tell(Tone::Typed, "… what waited is called off: it was begun later".to_owned());
                }
                self.back_at = Some(Back { tick, ..Back::default() });
                self.remark(Tone::Good, format!("back at {time_s:.1} s"));
            }
            Err(error) => self.remark(Tone::Bad, format!("cannot go back: {}", clean(&error.to_string()))),
        }
    }

    /// After going back, `run` restarts. Characters that it spawns at once may exist already.
    pub(super) fn look_for_doubles(&mut self) {
        let now = self.session.runtime.world().tick_number();
        let Some(mut back) = self.back_at.take_if(|back| back.tick < now) else { return };
        const MEND: &str = "let it use room:spawn_once, or spawn in on_load";
        let text = if back.refused {
            format!("run restarted and spawns a character that exists already: {MEND}")
        } else if back.came.is_empty() {
            return;
        } else {
            let more = back.came.len().saturating_sub(MOST_NAMES);
            back.came.truncate(MOST_NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names = back.came.join(", ");
            format!("{names}{more} came in as run restarted; if they were here before, {MEND}")
        };
        self.remark(Tone::Warning, text.clone());
        self.tell(Tone::Warning, text);
    }
}

impl Back {
    /// Notes an event of the first step after going back.
    pub(super) fn notice(&mut self, event: &RuntimeEvent, world: &World) {
        match event {
            RuntimeEvent::Event { kind: EventKind::Spawned(who), .. } => {
                self.came.push(clean(world.name_of(*who)));
            }
            RuntimeEvent::Note(Note::Error(error)) if error.message.contains("there is already a '") => {
                self.refused = true;
            }
            _ => {}
        }
    }
}
