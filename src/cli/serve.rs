//! `cicerone serve`: a room for another process.

use super::session::Session;
use super::setup::Setup;
use super::{OK, print};
use cicerone::runtime::{LiveReload, ReloadReport};
use cicerone::serve::Server;
use clap::Args;
use std::io::{BufRead, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Run a room for another process: orders in, what happened out, one JSON object a line
///
/// An engine in any language starts this and steps the room as it likes. The first line of output tells the room and the
/// version of the protocol; then each line of input is answered by one line. The book has the orders.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ServeArgs {
    /// The room: a file (.json, .txt, .map), or NAME for the project's rooms/NAME.json, .txt or .map
    #[arg(value_name = "ROOM")]
    room: PathBuf,
    /// Over standard input and output (there is no other way)
    #[arg(long, required = true)]
    stdio: bool,
    /// The other process is the game: what waits for it (scripts/game_api.json) waits until it finishes the call
    #[arg(long)]
    game: bool,
    /// Look for saved files instead of waiting for the system's events
    #[arg(long)]
    poll: bool,
    #[command(flatten)]
    setup: Setup,
}

const EXAMPLES: &str = "\
Try:
  printf '%s\\n' '{\"do\": \"walk\", \"who\": \"player\", \"to\": \"bar_left\"}' '{\"do\": \"step\", \"ticks\": 60}' | cicerone serve tavern --stdio";

pub(super) fn serve(root: Option<&Path>, args: &ServeArgs) -> u8 {
    let session = match args.setup.open(root, &args.room, &[], true) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    // What the session has beside the room, its watchdog, lives as long as this function.
    let Session { mut runtime, .. } = session;
    if args.game {
        runtime.wait_for_game();
    }
    let mut reload = LiveReload::new(&runtime, args.poll);
    let mut server = Server::new(runtime);
    let mut out = std::io::stdout().lock();
    let mut told = |line: &str| writeln!(out, "{line}").and_then(|()| out.flush());
    let mut lines = std::io::stdin().lock().lines();
    let mut line = server.hello();
    loop {
        match told(&line) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return OK,
            Err(error) => return print::complain(&format!("cannot write what happens: {error}")),
        }
        let text = loop {
            match lines.next() {
                None => return OK,
                Some(Ok(text)) if text.trim().is_empty() => {}
                Some(Ok(text)) => break text,
                // What is not UTF-8 is no order either.
                Some(Err(error)) if error.kind() == ErrorKind::InvalidData => break String::from("\u{fffd}"),
                Some(Err(error)) => return print::complain(&format!("cannot read orders: {error}")),
            }
        };
        for report in reload.poll(server.runtime()) {
            match report {
                ReloadReport::Warned { .. } => server.tell_warnings(&report.to_string()),
                _ => server.tell_reload(&report.to_string()),
            }
        }
        let reply = server.answer(&text);
        line = reply.text;
        if reply.is_last {
            let _ = told(&line); // nobody may listen any more
            return OK;
        }
    }
}
