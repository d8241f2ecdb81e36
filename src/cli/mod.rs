//! The command line: one file per subcommand.

mod api;
mod bake;
mod bench;
mod check;
mod draw;
mod eval;
mod lines;
mod live;
mod monkey;
mod move_along;
mod new;
#[cfg(feature = "page")]
mod page;
mod path;
mod piped;
mod place;
mod print;
mod progress;
mod replay;
mod rerun;
mod room;
mod run;
mod serve;
mod session;
mod setup;
mod signals;
mod tactics;
mod test;
mod walker;

use cicerone::draw::{clean, clean_lines};
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cicerone::problem::is_guarded;
use cicerone::project::Project;

/// Success.
const OK: u8 = 0;
/// A negative answer.
const NO: u8 = 1;
/// Bad input.
const BAD_INPUT: u8 = 2;

/// People who walk through rooms: paths, crowds, doors and Lua behaviour, changed while they run.
#[derive(Parser)]
#[command(version, about, long_about = LONG_ABOUT, after_help = EXIT_CODES, infer_long_args = true)]
struct Cli {
    /// The project's root, which paths inside rooms and scripts are relative to [default: the nearest folder above the
    /// room that holds rooms/ or scripts/]
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

const LONG_ABOUT: &str = "\
People who walk through rooms: paths, crowds, doors and Lua behaviour, changed while they run.

A room is a JSON file: where people may walk, what stands in the way, who is there (or a grid: .txt, .map). How they behave is written in Lua. \
Save either while `cicerone run` shows the room, and it changes under the walking characters.";

const EXIT_CODES: &str = "\
Exit codes: 0 fine, 1 the answer is no (no complete path, a script error in a headless run), 2 bad input.

RUST_LOG=debug writes to standard error which files are read and what becomes of them; info, warn and error say less.

Try:
  cicerone run                                   open the project's room
  cicerone new my-game                           a small project of your own
  cicerone path rooms/tavern.json --from player --to bar_left --format ascii
  cicerone eval tavern 'room:npcs()'             what Lua says, without a terminal
  cicerone test                                  run the specs of a project
  cicerone bench tavern                          how fast it is here";

#[derive(Subcommand)]
enum Command {
    Run(run::RunArgs),
    Eval(eval::EvalArgs),
    Serve(serve::ServeArgs),
    Test(test::TestArgs),
    Replay(replay::ReplayArgs),
    Monkey(monkey::MonkeyArgs),
    Bench(bench::BenchArgs),
    Check(check::CheckArgs),
    Path(path::PathArgs),
    Draw(draw::DrawArgs),
    Bake(bake::BakeArgs),
    Tactics(tactics::TacticsArgs),
    New(new::NewArgs),
    Api(api::ApiArgs),
    /// Print the JSON Schema of room files, for editors
    Schema,
}

/// Parses the command line, runs the command, and returns the exit code.
pub(crate) fn main() -> ExitCode {
    keep_guarded_panics_silent();
    cicerone::runtime::watch_builds(progress::show_build);
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format(|out, record| {
            let (level, words) = (record.level(), clean_lines(&record.args().to_string()));
            let style = out.default_level_style(level);
            writeln!(out, "[{style}{level:<5}{style:#} {}] {words}", record.target())
        })
        .init();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => harmless(error).exit(),
    };
    let root = cli.root.as_deref();
    if let Some(root) = root.filter(|root| !root.is_dir()) {
        let why = match root.metadata() {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                format!("{} cannot be read: {error}", root.display())
            }
            _ => format!("there is no folder {}", root.display()),
        };
        return ExitCode::from(print::complain(&format!("--root: {why}")));
    }
    let code = match cli.command {
        Command::Run(args) => run::run(root, &args),
        Command::Eval(args) => eval::eval(root, &args),
        Command::Serve(args) => serve::serve(root, &args),
        Command::Test(args) => test::test(root, &args),
        Command::Replay(args) => replay::replay(&args),
        Command::Monkey(args) => monkey::monkey(root, &args),
        Command::Bench(args) => bench::bench(root, &args),
        Command::Check(args) => check::check(root, &args),
        Command::Path(args) => path::path(root, &args),
        Command::Draw(args) => draw::draw(root, &args),
        Command::Bake(args) => bake::bake(root, &args),
        Command::Tactics(args) => tactics::tactics(root, &args),
        Command::New(args) => new::new(&args),
        Command::Api(args) => api::api(root, &args),
        Command::Schema => print::text(&print::pretty_json(&cicerone::room::schema())),
    };
    ExitCode::from(code)
}

/// A fault in the reader of a file is told as an error of that file, without Rust's own words about it.
fn keep_guarded_panics_silent() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_guarded() {
            before(panic);
        }
    }));
}

/// An error of the command line, with control characters in the quoted input made visible.
fn harmless(error: clap::Error) -> clap::Error {
    let shown = |arg: OsString| clean(&arg.to_string_lossy());
    let is_harmless = std::env::args_os().all(|arg| shown(arg.clone()) == arg.to_string_lossy());
    if is_harmless {
        return error;
    }
    match Cli::try_parse_from(std::env::args_os().map(shown)) {
        Err(error) => error,
        Ok(_) => Cli::command().error(error.kind(), clean_lines(&error.to_string())),
    }
}

/// The project of a file, or the one `--root` names.
fn project_of(root: Option<&Path>, file: &Path) -> Project {
    root.map_or_else(|| Project::containing(file), Project::at)
}
