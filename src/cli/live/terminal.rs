//! Takes over a terminal, and restores it however the program ends.

use crate::cli::signals::Asked;
use cicerone::problem::is_guarded;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{
    DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size,
};
use crossterm::{execute, queue};
#[cfg(unix)]
use std::io::IsTerminal;
use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A terminal in raw mode, on the alternate screen, with mouse reporting. Dropping it restores the terminal; so does
/// a panic, before its message is printed.
pub(super) struct Terminal {
    /// Set by a signal that asks the program to end.
    asked: Asked,
    /// Whether keys come from standard input; else crossterm opens the terminal itself.
    #[cfg(unix)]
    reads_stdin: bool,
}

/// Whether the terminal must be restored.
static TAKEN: AtomicBool = AtomicBool::new(false);
static PANIC_HOOK: Once = Once::new();

impl Terminal {
    pub(super) fn enter() -> io::Result<Self> {
        PANIC_HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                // A fault in the reader of a file ends nothing.
                if !is_guarded() {
                    give_back();
                }
                before(panic);
            }));
        });
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        // From here on, an error restores it.
        let mut terminal = Self {
            asked: Asked::default(),
            #[cfg(unix)]
            reads_stdin: io::stdin().is_terminal(),
        };
        terminal.asked = Asked::listen()?;
        execute!(io::stdout(), EnterAlternateScreen, DisableLineWrap, EnableMouseCapture, Hide)?;
        Ok(terminal)
    }

    /// Whether a signal asked the program to end.
    pub(super) fn is_asked_to_end(&self) -> bool {
        self.asked.to_end()
    }

    /// Waits for input, at most for `timeout`. An error if the terminal was closed: crossterm would read its end of
    /// file in an endless loop that neither a signal nor a timeout ends.
    pub(super) fn wait(&self, timeout: Duration) -> io::Result<bool> {
        #[cfg(unix)]
        if self.reads_stdin {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let stdin = io::stdin();
            let mut ends = [PollFd::new(&stdin, PollFlags::IN)];
            let limit = Timespec::try_from(timeout).map_err(io::Error::other)?;
            if poll(&mut ends, Some(&limit)).unwrap_or(0) == 0 {
                return event::poll(Duration::ZERO); // a new size is not an input
            }
            if ends[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                return Err(io::Error::other("the terminal went away"));
            }
            return event::poll(Duration::ZERO);
        }
        event::poll(timeout)
    }

    /// The drawn columns and rows. The default is the usual size.
    pub(super) fn size(&self) -> (usize, usize) {
        drawn_size(size().unwrap_or((80, 24)))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// The largest drawn size, columns and rows: more than a large screen has with the smallest font, and small enough to
/// be drawn thirty times a second. The rest of a larger terminal stays empty.
const LARGEST: (u16, u16) = (600, 200);

/// The drawn part of a terminal of this size.
fn drawn_size((columns, rows): (u16, u16)) -> (usize, usize) {
    (usize::from(columns.min(LARGEST.0)), usize::from(rows.min(LARGEST.1)))
}

/// Restores the terminal, once. Errors are ignored: nothing can be done about them here.
pub(in crate::cli) fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // First, as it needs no output, which a step that hangs may hold.
        let _ = disable_raw_mode();
        let mut out = io::stdout();
        let _ = queue!(out, DisableMouseCapture, Show, EnableLineWrap, LeaveAlternateScreen);
        let _ = out.flush();
    }
}

/// The colour depth of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// 24-bit colours.
    True,
    /// The 256 of xterm.
    Palette,
    /// No colours, or not wanted.
    Plain,
}

impl Depth {
    /// The depth from environment variables; <https://no-color.org> has precedence.
    pub(super) fn detect(variable: impl Fn(&str) -> Option<String>) -> Self {
        let is = |name: &str, values: &[&str]| {
            variable(name).is_some_and(|value| values.contains(&value.as_str()))
        };
        if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) || is("TERM", &["dumb"]) {
            Self::Plain
        } else if is("COLORTERM", &["truecolor", "24bit"]) || variable("WT_SESSION").is_some() {
            Self::True
        } else {
            Self::Palette
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_has_an_end_whatever_a_terminal_says() {
        assert_eq!(drawn_size((0, 0)), (0, 0));
        assert_eq!(drawn_size((80, 24)), (80, 24));
        assert_eq!(drawn_size((u16::MAX, 1)), (600, 1));
        assert_eq!(drawn_size((u16::MAX, u16::MAX)), (600, 200));
    }
}
