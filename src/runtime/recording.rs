//! Records a run while it happens.

use super::Runtime;
use crate::project::MAX_ROOM_BYTES;
use crate::record::Recorder;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A recording in progress, or the error that ended it. Never locked: a writer need not be `Sync`, and a runtime is.
pub(super) type Tape = Mutex<io::Result<Recorder<Box<dyn Write + Send>>>>;

impl Runtime {
    /// Records everything from the next step on, for [`crate::record::Replay`]. An earlier recording ends here.
    ///
    /// # Errors
    /// As [`Recorder::new`].
    pub fn record(&mut self, out: Box<dyn Write + Send>) -> io::Result<()> {
        let name = self.project.name_of(&self.room_file);
        let recorder = Recorder::new(out, self.world_mut(), &name)?;
        self.tape = Some(Mutex::new(Ok(recorder)));
        Ok(())
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// If something could not be written, now or since [`Runtime::record`]; the recording ends before that point.
    pub fn stop_recording(&mut self) -> io::Result<()> {
        self.world_mut().keep_command_log(false);
        let tape = self.tape.take().map(|tape| tape.into_inner().unwrap_or_else(PoisonError::into_inner));
        tape.map_or(Ok(()), |tape| tape?.finish())
    }

    pub(super) fn record_tick(&mut self) {
        let Some(recorder) = running(&mut self.tape) else { return };
        let world = Arc::make_mut(&mut self.world);
        if let Err(error) = recorder.tick(world) {
            log::warn!("the recording ends here: {error}");
            world.keep_command_log(false);
            self.tape = Some(Mutex::new(Err(error)));
        }
    }

    /// Records files that change with the next step.
    pub(super) fn record_reload(&mut self, files: &[String]) {
        let Some(recorder) = running(&mut self.tape) else { return };
        for name in files {
            let place = self.project.resolve(name);
            if place.as_ref().is_ok_and(|place| self.beside.files().any(|file| file == place)) {
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
fn running(tape: &mut Option<Tape>) -> Option<&mut Recorder<Box<dyn Write + Send>>> {
    tape.as_mut()?.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().ok()
}
