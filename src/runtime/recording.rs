//! Records a run while it happens.

use super::Runtime;
use crate::project::MAX_ROOM_BYTES;
use crate::record::Recorder;
use std::io::{self, Write};

/// A recording in progress, or the error that ended it.
pub(super) type Tape = io::Result<Recorder<Box<dyn Write + Send>>>;

impl Runtime {
    /// Records everything from the next step on, for [`crate::record::Replay`]. An earlier recording ends here.
    ///
    /// # Errors
    /// As [`Recorder::new`].
    pub fn record(&mut self, out: Box<dyn Write + Send>) -> io::Result<()> {
        let name = self.project.name_of(&self.room_file);
        self.tape = Some(Ok(Recorder::new(out, &mut self.scripts.world_mut(), &name)?));
        Ok(())
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// If something could not be written, now or since [`Runtime::record`]; the recording ends before that point.
    pub fn stop_recording(&mut self) -> io::Result<()> {
        self.scripts.world_mut().keep_command_log(false);
        self.tape.take().map_or(Ok(()), |tape| tape?.finish())
    }

    pub(super) fn record_tick(&mut self) {
        let Some(Ok(recorder)) = &mut self.tape else { return };
        let mut world = self.scripts.world_mut();
        if let Err(error) = recorder.tick(&mut world) {
            log::warn!("the recording ends here: {error}");
            world.keep_command_log(false);
            self.tape = Some(Err(error));
        }
    }

    /// Records files that change with the next step.
    pub(super) fn record_reload(&mut self, files: &[String]) {
        let Some(Ok(recorder)) = &mut self.tape else { return };
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
