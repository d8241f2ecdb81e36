//! `cicerone api`: the functions that scripts can call.

use super::room::project_here;
use super::{BAD_INPUT, NO, print};
use cicerone::script::{GameApi, reference};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// What scripts can call: all of it, or one name with an example
///
/// With what the project's game gives to scripts, as `scripts/game_api.json` declares it.
#[derive(Args)]
pub(super) struct ApiArgs {
    /// A name, like walk_to or room:npcs
    #[arg(value_name = "NAME", conflicts_with = "format")]
    name: Option<String>,
    /// How to print all of it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A line each
    Text,
    /// The reference page
    Markdown,
    /// Definitions for the Lua language servers of editors (LuaCATS)
    Stubs,
    /// Such definitions of what the project's game gives to scripts, alone
    StubsOfGame,
}

pub(super) fn api(root: Option<&Path>, args: &ApiArgs) -> u8 {
    let project = project_here(root);
    let game = match GameApi::of_project(&project) {
        Ok(game) => game,
        Err(problems) => {
            let file = cicerone::script::GAME_API_FILE;
            print::problems(&problems, &project.read_script(file).unwrap_or_default());
            return BAD_INPUT;
        }
    };
    let text = match (&args.name, args.format) {
        (Some(name), _) => {
            match reference::explain_game(name, &game).map_or_else(|| reference::explain(name), Ok) {
                Ok(text) => text,
                Err(error) => {
                    print::complain(&error.to_string());
                    return NO;
                }
            }
        }
        (None, Format::Text) => reference::list_game(&game) + &reference::list(),
        (None, Format::Markdown) => reference::markdown(),
        (None, Format::Stubs) => reference::stubs(),
        (None, Format::StubsOfGame) => reference::stubs_of_game(&game),
    };
    print::to_file_or_stdout(&text, args.output.as_deref())
}
