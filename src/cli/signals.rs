//! Signals that end the program.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a signal asked the program to end: Ctrl-C, `kill`, a closed terminal. The second request ends it at once,
/// since the first may go unnoticed for long.
#[derive(Clone, Default)]
pub(super) struct Asked(Arc<AtomicBool>);

impl Asked {
    /// Installs the handlers.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn listen() -> io::Result<Self> {
        let asked = Self::default();
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
            // The last three would also end the program, without a chance to restore the terminal.
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
