//! `cicerone draw`: a room as a picture.

use super::print;
use super::room::{Doors, RoomArgs};
use super::tactics::{level_of, with_reach_of};
use super::walker::character_named;
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
    /// the samples that were rejected, or the polygons of a mesh; what is cut off from the player, and pixels that no node sees
    #[arg(long)]
    cells: bool,
    /// Show what paths of this character are searched over: the ground where its body fits and that it may enter
    #[arg(long = "as", value_name = "NAME")]
    walker: Option<String>,
    /// Draw only this storey of a room with several; 1 is the lowest [default: all, side by side]
    #[arg(long, value_name = "N")]
    storey: Option<usize>,
    /// Draw only this level of a room with a tactical level; 0 is the lowest [default: all with a floor]
    #[arg(long, value_name = "N", conflicts_with = "storey")]
    level: Option<u32>,
    /// Colour the cells that this actor of a tactical level reaches, with the time units (TU) that it takes
    #[arg(long, value_name = "NAME")]
    reach: Option<String>,
}

pub(super) fn draw(root: Option<&Path>, args: &DrawArgs) -> u8 {
    let world = match args.room.open(root, &Doors::default()) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let mut picture = Picture::of_world(&world);
    if args.cells || args.walker.is_some() {
        picture = match args.walker.as_deref().map(|name| character_named(&world, name)) {
            None => picture.with_search(world.ground()),
            Some(Ok(character)) => picture.with_search(world.ground_of(character)),
            Some(Err(message)) => return print::complain(&message),
        };
    }
    if let Some(name) = &args.reach {
        picture = match with_reach_of(picture, &world, name) {
            Ok(picture) => picture,
            Err(message) => return print::complain(&message),
        };
    }
    let picture = match level_of(picture, args.level).and_then(|picture| storey_of(picture, args.storey)) {
        Ok(picture) => picture,
        Err(message) => return print::complain(&message),
    };
    print::to_file_or_stdout(&picture.to_svg(&SvgOptions::default()), args.output.as_deref())
}

/// The picture, or the storey of it that was asked for.
pub(super) fn storey_of(picture: Picture, number: Option<usize>) -> Result<Picture, String> {
    let Some(number) = number else { return Ok(picture) };
    picture.storey(number).ok_or_else(|| match picture.storey_count() {
        1 => format!("--storey {number}: this room has one storey"),
        count => format!("--storey {number}: this room has {count} storeys, 1 to {count}"),
    })
}
