//! `cicerone eval`: Lua in a room, headless.

use super::lines::{Joined, next_line};
use super::print::TextOrJson;
use super::session::{Session, in_words};
use super::setup::{Setup, seconds};
use super::{BAD_INPUT, NO, OK, print};
use cicerone::runtime::{Input, RuntimeEvent};
use cicerone::script::{Answer, Datum};
use clap::Args;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Evaluate Lua in a room, and print what it gives
///
/// Each EXPR is evaluated in turn, as an expression or, if it is none, as statements; what one assigns, the next
/// knows. While one waits (as npc:walk_to does), the room continues. Results go to standard output, what scripts log
/// to standard error.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct EvalArgs {
    /// The room: a file (.json, .txt, .map), or NAME for the project's rooms/NAME.json, .txt or .map
    #[arg(value_name = "ROOM")]
    room: PathBuf,
    /// Lua; none, or -, reads it from standard input, where an unfinished chunk continues in the next line
    #[arg(value_name = "EXPR")]
    lines: Vec<String>,
    /// Run the room for so much game time first [default: one tick]
    #[arg(long, value_name = "N", value_parser = seconds, default_value_t = 0.0, hide_default_value = true)]
    seconds: f64,
    /// Give up on a line that waits for longer than this, in game time
    #[arg(long, value_name = "N", value_parser = seconds, default_value_t = 60.0)]
    timeout: f64,
    /// How to print values: as Lua shows them; or as JSON, one line each, several values as an array
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    setup: Setup,
}

const EXAMPLES: &str = "\
Exit codes: 0 fine, 1 a line ran into an error or did not end in time, 2 a line is no Lua, or other bad input.

Try:
  cicerone eval tavern 'room:npcs()'
  cicerone eval tavern 'room:npc(\"ada\"):walk_to(\"bar_left\")' --timeout 30
  cicerone eval tavern 'room:npc(\"ada\"):pos()' --seconds 20 --format json";

pub(super) fn eval(root: Option<&Path>, args: &EvalArgs) -> u8 {
    let mut session = match args.setup.open(root, &args.room, &[], true) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let first = session.last_tick(Some(args.seconds)).max(1); // on_load runs in the first step
    while session.runtime.world().tick_number() < first {
        session.step();
        tell(&mut session);
    }
    let mut worst = OK;
    let standard_input = ["-".to_owned()];
    let lines = if args.lines.is_empty() { &standard_input[..] } else { &args.lines };
    for line in lines {
        if line != "-" {
            match evaluate(&mut session, line, args) {
                Ok(code) => worst = worst.max(code),
                Err(code) => return code.max(worst),
            }
            continue;
        }
        let mut input = BufReader::new(std::io::stdin());
        let mut joined = Joined::default();
        while let Some(text) = next_text(&mut input, &mut joined, &session) {
            match evaluate(&mut session, &text, args) {
                Ok(code) => worst = worst.max(code),
                Err(code) => return code.max(worst),
            }
        }
    }
    worst
}

/// The next complete Lua text, or the rest when the input ends.
fn next_text(input: &mut impl BufRead, joined: &mut Joined, session: &Session) -> Option<String> {
    while let Some(line) = next_line(input) {
        let text = joined.take(&line, |text| session.runtime.is_unfinished(text));
        if text.is_some() {
            return text;
        }
    }
    joined.end()
}

/// Evaluates a line and prints its answer; returns its exit code.
///
/// # Errors
/// The exit code, if no answer will come.
fn evaluate(session: &mut Session, line: &str, args: &EvalArgs) -> Result<u8, u8> {
    if line.trim().is_empty() {
        return Ok(OK);
    }
    let last = session.last_tick(Some(args.timeout));
    session.runtime.send(Input::Console(line.to_owned()));
    session.runtime.drain_inbox();
    loop {
        tell(session);
        if let Some(answer) = session.runtime.take_answers().into_iter().next() {
            return Ok(print_answer(&answer, args.format));
        }
        if session.runtime.world().tick_number() >= last {
            print::complain(&format!("no answer after {} s of game time (see --timeout)", args.timeout));
            return Err(NO);
        }
        session.step();
    }
}

fn print_answer(answer: &Answer, format: TextOrJson) -> u8 {
    match answer {
        Answer::Values(values) => {
            if values.iter().any(Datum::is_cut) {
                print::note("that is much: only a part of it is printed");
            }
            match (format, &values[..]) {
                (TextOrJson::Text, []) => OK,
                (TextOrJson::Text, _) => print::words(&answer.to_string()),
                (TextOrJson::Json, []) => print::text("null"),
                (TextOrJson::Json, [value]) => print::text(&value.to_json().to_string()),
                (TextOrJson::Json, values) => {
                    let all: Vec<_> = values.iter().map(Datum::to_json).collect();
                    print::text(&serde_json::Value::Array(all).to_string())
                }
            }
        }
        Answer::Failed(message) => {
            print::complain(message);
            NO
        }
        Answer::Refused(message) => {
            print::complain(message);
            BAD_INPUT
        }
        Answer::CalledOff => {
            print::complain("called off");
            NO
        }
    }
}

/// Prints the output of scripts, without events of the room.
fn tell(session: &mut Session) {
    for event in session.runtime.take_events() {
        if matches!(event, RuntimeEvent::Note(_)) {
            print::note(&in_words(&event));
        }
    }
}
