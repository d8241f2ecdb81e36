//! `cicerone new`: a small project of one's own.

use super::print;
use clap::Args;
use std::path::{Path, PathBuf};

/// Start a small project of your own: a room, its scripts, a test, editor settings
#[derive(Args)]
pub(super) struct NewArgs {
    /// The folder to make; it must not hold anything yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Everything a new project holds, as it lies in `cli/template`.
const FILES: [(&str, &str); 7] = [
    ("rooms/hall.json", include_str!("template/hall.json")),
    ("scripts/hall.lua", include_str!("template/hall.lua")),
    ("scripts/guide.lua", include_str!("template/guide.lua")),
    ("tests/scenarios/hall_spec.lua", include_str!("template/hall_spec.lua")),
    (".vscode/settings.json", include_str!("template/settings.json")),
    (".luarc.json", include_str!("template/luarc.json")),
    ("README.md", include_str!("template/README.md")),
];

pub(super) fn new(args: &NewArgs) -> u8 {
    let folder = &args.folder;
    let taken = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if taken || folder.is_file() {
        return print::complain(&format!("{} exists already and is not empty", folder.display()));
    }
    let schema = print::pretty_json(&cicerone::room::schema()) + "\n";
    let stubs = cicerone::script::reference::stubs();
    let made = [("rooms/.room.schema.json", schema.as_str()), ("scripts/types/cicerone.lua", stubs.as_str())];
    let files = FILES.into_iter().chain(made);
    for (name, content) in files {
        if let Err(error) = write(&folder.join(name), content) {
            return print::complain(&format!("cannot write {}: {error}", folder.join(name).display()));
        }
    }
    let room = folder.join("rooms/hall.json");
    print::text(&format!("made {}\n\n  cicerone run {}\n", folder.display(), room.display()))
}

fn write(file: &Path, content: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, content)
}
