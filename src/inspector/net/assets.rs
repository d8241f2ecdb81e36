//! The files of the page, all of them in the program: nothing is ever read from the disk.

/// A file of the page.
pub(super) struct Asset {
    /// Its path in the address.
    pub(super) path: &'static str,
    /// Its type.
    pub(super) kind: &'static str,
    pub(super) content: &'static [u8],
}

macro_rules! assets {
    ($($file:literal as $kind:expr),* $(,)?) => {
        &[$(Asset {
            path: concat!("/", $file),
            kind: $kind,
            content: include_bytes!(concat!("../page/", $file)),
        }),*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

const ASSETS: &[Asset] = assets![
    "index.html" as HTML,
    "lists.css" as CSS,
    "page.css" as CSS,
    "panels.css" as CSS,
    "scripts.css" as CSS,
    "stage.css" as CSS,
    "time.css" as CSS,
    "icon.svg" as SVG,
    "bar.js" as SCRIPT,
    "camera.js" as SCRIPT,
    "colours.js" as SCRIPT,
    "completion.js" as SCRIPT,
    "console.js" as SCRIPT,
    "debugging.js" as SCRIPT,
    "dom.js" as SCRIPT,
    "errors.js" as SCRIPT,
    "events.js" as SCRIPT,
    "frames.js" as SCRIPT,
    "hands.js" as SCRIPT,
    "inspect.js" as SCRIPT,
    "kept.js" as SCRIPT,
    "keys.js" as SCRIPT,
    "labels.js" as SCRIPT,
    "lettering.js" as SCRIPT,
    "lua.js" as SCRIPT,
    "main.js" as SCRIPT,
    "model.js" as SCRIPT,
    "moments.js" as SCRIPT,
    "move.js" as SCRIPT,
    "numbers.js" as SCRIPT,
    "overlay.js" as SCRIPT,
    "paths.js" as SCRIPT,
    "people.js" as SCRIPT,
    "probe.js" as SCRIPT,
    "roompanel.js" as SCRIPT,
    "scene.js" as SCRIPT,
    "scripts.js" as SCRIPT,
    "sections.js" as SCRIPT,
    "shapes.js" as SCRIPT,
    "sidebar.js" as SCRIPT,
    "socket.js" as SCRIPT,
    "source.js" as SCRIPT,
    "spawn.js" as SCRIPT,
    "specs.js" as SCRIPT,
    "sprites.js" as SCRIPT,
    "stage.js" as SCRIPT,
    "theme.js" as SCRIPT,
    "timeline.js" as SCRIPT,
    "tools.js" as SCRIPT,
    "tree.js" as SCRIPT,
    "views.js" as SCRIPT,
    "waits.js" as SCRIPT,
    "whatif.js" as SCRIPT,
];

/// The file at a path; `/` is the page itself.
pub(super) fn asset(path: &str) -> Option<&'static Asset> {
    let path = if path == "/" { "/index.html" } else { path };
    ASSETS.iter().find(|asset| asset.path == path)
}

#[cfg(test)]
mod tests {
    use super::{ASSETS, asset};

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/inspector/page");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| format!("/{}", entry.unwrap().file_name().to_string_lossy()))
            .collect();
        let mut served: Vec<String> = ASSETS.iter().map(|asset| asset.path.to_owned()).collect();
        files.sort();
        served.sort();
        assert_eq!(files, served);
        assert!(asset("/").is_some() && asset("/../Cargo.toml").is_none());
    }
}
