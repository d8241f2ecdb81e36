//! `cicerone bake`: the walkable grid of a room as a text file.

use super::print;
use super::room::{Doors, RoomArgs};
use cicerone::project::MAX_ROOM_BYTES;
use clap::Args;
use std::path::{Path, PathBuf};

/// Write the walkable grid of a room as a text file, which is a room too
///
/// Every path through it is as in the room; areas, obstacles, points and people are not in it. Baking a text grid
/// gives the same bytes again.
#[derive(Args)]
pub(super) struct BakeArgs {
    #[command(flatten)]
    room: RoomArgs,
    #[command(flatten)]
    doors: Doors,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "GRID.txt")]
    output: Option<PathBuf>,
}

pub(super) fn bake(root: Option<&Path>, args: &BakeArgs) -> u8 {
    // A grid under the extension of another kind of room could not be read again, and might overwrite a room.
    let is_text = |file: &Path| file.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt"));
    let is_device = |file: &Path| file.metadata().is_ok_and(|metadata| !metadata.is_file());
    if let Some(file) = args.output.as_deref().filter(|file| !is_text(file) && !is_device(file)) {
        let meant = file.with_extension("txt");
        return print::complain(&format!(
            "the name of a text grid ends in .txt: write -o {}",
            meant.display()
        ));
    }
    let world = match args.room.open(root, &args.doors) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let Some(grid) = world.ground().to_text_grid() else {
        return print::complain("only ground that is made of cells can be baked");
    };
    if grid.len() as u64 > MAX_ROOM_BYTES {
        return print::complain("the grid is larger than a room file may be; make cellSize larger");
    }
    print::to_file_or_stdout(&grid, args.output.as_deref())
}
