//! Signals that ask the program to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody asks the program to end: by Ctrl-C, by `kill`, by closing the terminal. Asked twice, it ends at once: whatever
/// keeps it from noticing may last.
#[derive(Clone, Default)]
pub(super) struct Asked(Arc<AtomicBool>);

impl Asked {
    /// Listens from now on.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn listen() -> io::Result<Self> {
        let asked = Self::default();
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
            // The last three would end it as well, without a chance to give anything back.
            for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2] {
                signal_hook::flag::register_conditional_shutdown(signal, 1, asked.0.clone())?;
                signal_hook::flag::register(signal, asked.0.clone())?;
            }
        }
        Ok(asked)
    }

    pub(super) fn to_end(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
