//! A recording as a running room: its commands are given again, and no script runs.

use super::open::without_place;
use super::{OpenError, Options, Runtime, RuntimeEvent};
use crate::project::{MemoryFiles, Project};
use crate::record::Recording;
use crate::room::ScriptLimits;
use crate::script::{Level, Note, Scripts};
use std::path::PathBuf;
use std::sync::Arc;

/// A recording that is shown.
#[derive(Clone)]
pub(super) struct Film {
    pub(super) recording: Arc<Recording>,
    next: usize,
}

impl Runtime {
    /// A room that does again what was recorded. After the end of the recording it goes on without commands.
    ///
    /// # Errors
    /// [`OpenError`] if the recording's room or state cannot be restored.
    pub fn of_recording(recording: Arc<Recording>) -> Result<Self, OpenError> {
        let world = recording.first_world().map_err(|error| without_place(error.to_string()))?;
        let project = Project::of_files(MemoryFiles::default());
        let game = Options::default().game;
        let scripts = Scripts::new(world, project.clone(), ScriptLimits::default(), game)
            .map_err(|error| without_place(format!("no scripts: {error}")))?;
        let mut runtime = Self::around(project, scripts);
        runtime.room_file = PathBuf::from(&recording.start.room_file);
        runtime.film = Some(Film { recording, next: 0 });
        Ok(runtime)
    }

    /// The last tick that is known: of a recording its last one, else the tick that the room has come to.
    pub fn last_tick(&self) -> u64 {
        let now = self.world().tick_number();
        self.film.as_ref().map_or(now, |film| film.recording.last_tick().max(now))
    }

    /// Whether it shows a recording, which nothing can change.
    pub fn is_recording(&self) -> bool {
        self.film.is_some()
    }

    /// Whether a recording is at its end.
    pub fn is_at_end(&self) -> bool {
        self.film.as_ref().is_some_and(|film| self.world().tick_number() >= film.recording.last_tick())
    }

    /// Gives the recorded commands of the next step. Whether this is a recording.
    pub(super) fn repeat_film(&mut self) -> bool {
        let Some(film) = &mut self.film else { return false };
        let refused = film.recording.repeat(film.next, Arc::make_mut(&mut self.world));
        film.next += 1;
        let told = refused.unwrap_or_else(|error| vec![error.to_string()]);
        for text in told {
            let text = format!("refused now: {text}");
            let note = Note::Log { level: Level::Warn, place: String::new(), text };
            self.events.push(RuntimeEvent::Note(note));
        }
        self.collect_events();
        true
    }
}
