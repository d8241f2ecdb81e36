//! `cicerone new`: a small new project.

use super::print;
use cicerone::draw::clean;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Start a small project of your own: a room, its scripts, a test, editor settings
#[derive(Args)]
pub(super) struct NewArgs {
    /// The folder to make; it must not hold anything yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// The files of a new project, from `cli/template`.
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
    let mut made_here = Made::default();
    for (name, content) in FILES.into_iter().chain(made) {
        let file = folder.join(name);
        if let Err(error) = made_here.write(&file, content) {
            made_here.take_away();
            return print::complain(&format!("cannot write {}: {error}", file.display()));
        }
    }
    let room = folder.join("rooms/hall.json");
    let [folder, room] = [folder, &room].map(|path| clean(&path.display().to_string()));
    let room = if room.contains(' ') { format!("\"{room}\"") } else { room };
    print::words(&format!("made {folder}\n\n  cicerone run {room}\n"))
}

/// The files and folders made, in order: half a project would be in the way of the next try.
#[derive(Default)]
struct Made {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Made {
    /// Writes a new file, and makes its folders.
    fn write(&mut self, file: &Path, content: &str) -> std::io::Result<()> {
        let missing = file.ancestors().skip(1).take_while(|folder| !is_here(folder));
        let missing: Vec<&Path> = missing.filter(|folder| !folder.as_os_str().is_empty()).collect();
        for folder in missing.into_iter().rev() {
            std::fs::create_dir(folder)?;
            self.folders.push(folder.to_path_buf());
        }
        let mut out = std::fs::File::options().write(true).create_new(true).open(file)?;
        self.files.push(file.to_path_buf());
        out.write_all(content.as_bytes())?;
        // Some file systems report a full disk only now.
        out.sync_all()
    }

    /// Removes all files and folders made, and nothing else: a folder with other content stays.
    fn take_away(self) {
        for file in &self.files {
            let _ = std::fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Whether the name exists, even as a dangling link.
fn is_here(place: &Path) -> bool {
    place.symlink_metadata().is_ok()
}
