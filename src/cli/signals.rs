//! Signals that end the program.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether a signal asked the program to end: Ctrl-C, `kill`, a closed terminal.
///
/// The loop that steps the room looks at it and ends in order, with the recording and the save. Where the loop does not
/// look in time, because a step hangs, the program is ended as if it had no handler. So does a second signal.
#[derive(Clone, Default)]
pub(super) struct Asked(Arc<State>);

#[derive(Default)]
struct State {
    /// The number of the signal; 0 before.
    signal: Arc<AtomicUsize>,
    /// Whether the loop knows.
    noticed: AtomicBool,
}

impl Asked {
    /// Installs the handlers.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn listen() -> io::Result<Self> {
        let asked = Self::default();
        #[cfg(unix)]
        unix::listen(&asked)?;
        Ok(asked)
    }

    pub(super) fn to_end(&self) -> bool {
        let is_asked = self.0.signal.load(Ordering::SeqCst) != 0;
        if is_asked {
            self.0.noticed.store(true, Ordering::SeqCst);
        }
        is_asked
    }
}

#[cfg(unix)]
mod unix {
    use super::Asked;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    use signal_hook::{flag, low_level};
    use std::io::{self, ErrorKind, Read};
    use std::os::unix::net::UnixStream;
    use std::sync::atomic::Ordering;
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    /// The time that a step has to end. A person and a supervisor expect the end within a second.
    const PATIENCE: Duration = Duration::from_millis(700);

    /// Signals this soon after the first are the same request: `timeout` sends one to the process and one to its group.
    const SAME_REQUEST: Duration = Duration::from_millis(250);

    /// The time for restoring the terminal, whose output may be stopped.
    const RESTORING: Duration = Duration::from_millis(200);

    pub(super) fn listen(asked: &Asked) -> io::Result<()> {
        let (told, tell) = UnixStream::pair()?;
        // The last three would also end the program, without a chance to restore the terminal.
        for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2] {
            flag::register_usize(signal, asked.0.signal.clone(), signal as usize)?;
            low_level::pipe::register(signal, tell.try_clone()?)?;
        }
        let asked = asked.clone();
        std::thread::Builder::new().name("signals".into()).spawn(move || attend(told, &asked)).map(drop)
    }

    /// Waits for signals, and ends the program if nothing else does.
    #[allow(clippy::disallowed_methods)] // how long a person waits; the simulation never sees it
    fn attend(mut told: UnixStream, asked: &Asked) {
        if !has_come(&mut told, None) {
            return;
        }
        let first = Instant::now();
        loop {
            let is_noticed = asked.0.noticed.load(Ordering::SeqCst);
            let left = PATIENCE.saturating_sub(first.elapsed());
            if !is_noticed && left.is_zero() {
                break;
            }
            let has_come = has_come(&mut told, (!is_noticed).then_some(left));
            if has_come && first.elapsed() > SAME_REQUEST {
                break;
            }
        }
        let (done, is_done) = channel();
        let restored = std::thread::Builder::new().spawn(move || {
            crate::cli::live::restore_terminal();
            done.send(())
        });
        if restored.is_ok() {
            let _ = is_done.recv_timeout(RESTORING);
        }
        let signal = asked.0.signal.load(Ordering::SeqCst) as i32;
        let _ = low_level::emulate_default_handler(signal);
        low_level::exit(128 + signal);
    }

    /// Whether a signal comes within this time.
    fn has_come(told: &mut UnixStream, within: Option<Duration>) -> bool {
        let _ = told.set_read_timeout(within);
        loop {
            match told.read(&mut [0]) {
                Ok(count) => return count > 0,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
    }
}
