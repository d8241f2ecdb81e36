//! Records a run while it happens.

use super::Runtime;
use crate::project::MAX_ROOM_BYTES;
use crate::record::Recorder;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A recording in progress, or the error that ended it. Never locked: a writer need not be `Sync`, and a runtime is.
pub(super) type RunningRecorder = Mutex<io::Result<Recorder<Box<dyn Write + Send>>>>;

impl Runtime {
    /// Records everything from the next step on, for [`crate::record::Replay`]. An earlier recording ends here.
    ///
    /// # Errors
    /// As [`Recorder::new`].
    pub fn record(&mut self, out: Box<dyn Write + Send>) -> io::Result<()> {
        let name = self.project.name_of(&self.room_file);
        let recorder = Recorder::new(out, self.world_mut(), &name)?;
        self.recorder = Some(Mutex::new(Ok(recorder)));
        Ok(())
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// If something could not be written, now or since [`Runtime::record`]; the recording ends before that point.
    pub fn stop_recording(&mut self) -> io::Result<()> {
        self.world_mut().keep_command_log(false);
        let recorder = self
            .recorder
            .take()
            .map(|recorder| recorder.into_inner().unwrap_or_else(PoisonError::into_inner));
        recorder.map_or(Ok(()), |recorder| recorder?.finish())
    }

    pub(super) fn record_tick(&mut self) {
        let Some(recorder) = running(&mut self.recorder) else { return };
        let world = Arc::make_mut(&mut self.world);
        if let Err(error) = recorder.tick(world) {
            log::warn!("the recording ends here: {error}");
            world.keep_command_log(false);
            self.recorder = Some(Mutex::new(Err(error)));
        }
    }

    /// Records files that change with the next step.
    pub(super) fn record_reload(&mut self, files: &[String]) {
        let Some(recorder) = running(&mut self.recorder) else { return };
        for name in files {
            let place = self.project.resolve(name);
            if place.as_ref().is_ok_and(|place| self.read_files.files().any(|file| file == place)) {
                // The room that is recorded with it holds all that matters of it.
                recorder.reloaded(name, "");
                continue;
            }
            let text = place.and_then(|place| self.project.read(&place, MAX_ROOM_BYTES));
            recorder.reloaded(name, &String::from_utf8_lossy(&text.unwrap_or_default()));
        }
    }
}

/// The recorder of a recording that goes on.
fn running(recorder: &mut Option<RunningRecorder>) -> Option<&mut Recorder<Box<dyn Write + Send>>> {
    recorder.as_mut()?.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().ok()
}
