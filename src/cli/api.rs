//! `cicerone api`: the functions that scripts can call.

use super::{NO, print};
use cicerone::script::reference;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What scripts can call: all of it, or one name with an example
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
}

pub(super) fn api(args: &ApiArgs) -> u8 {
    let text = match (&args.name, args.format) {
        (Some(name), _) => match reference::explain(name) {
            Ok(text) => text,
            Err(error) => {
                print::complain(&error.to_string());
                return NO;
            }
        },
        (None, Format::Text) => reference::list(),
        (None, Format::Markdown) => reference::markdown(),
        (None, Format::Stubs) => reference::stubs(),
    };
    print::to_file_or_stdout(&text, args.output.as_deref())
}
