//! `cicerone draw`: a room as a picture.

use super::print;
use super::room::{Doors, RoomArgs};
use cicerone::draw::{Picture, SvgOptions};
use clap::Args;
use std::path::{Path, PathBuf};

/// Draw a room as an SVG picture
#[derive(Args)]
pub(super) struct DrawArgs {
    #[command(flatten)]
    room: RoomArgs,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,
    /// Show what paths are searched over, too: the cells of the grid, or the nodes and edges of a painted room with
    /// the samples that were rejected; what is cut off from the player, and pixels that no node sees
    #[arg(long)]
    cells: bool,
}

pub(super) fn draw(root: Option<&Path>, args: &DrawArgs) -> u8 {
    let world = match args.room.open(root, &Doors::default()) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let mut picture = Picture::of_room(world.room(), world.ground());
    if args.cells {
        picture = picture.with_search(world.ground());
    }
    print::to_file_or_stdout(&picture.to_svg(&SvgOptions::default()), args.output.as_deref())
}
