//! The README and the book, as tests read them.

use std::path::{Path, PathBuf};

/// A page of Markdown.
pub struct Page {
    /// From the repository's root, with slashes.
    pub name: String,
    pub text: String,
}

/// A fenced block: its language, the line it begins in, and its text.
pub struct Block {
    pub language: String,
    pub line: usize,
    pub text: String,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn page(name: &str) -> Page {
    let text = std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    Page { name: name.to_owned(), text: text.replace('\r', "") }
}

/// The README and all pages of the book.
pub fn pages() -> Vec<Page> {
    let mut names = vec!["README.md".to_owned()];
    gather(&root().join("docs/src"), &mut names);
    names.sort();
    assert!(names.len() > 20, "this must see the book: {names:?}");
    names.iter().map(|name| page(name)).collect()
}

fn gather(folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            names.push(path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/"));
        }
    }
}

impl Page {
    /// Lines outside of fenced blocks, with their numbers.
    pub fn prose(&self) -> Vec<(usize, &str)> {
        let mut fenced = false;
        let numbered = self.text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let outside = numbered.filter(|(_, line)| {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            !fence && !fenced
        });
        outside.collect()
    }

    /// The fenced blocks.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut inside = false;
        for (index, line) in self.text.lines().enumerate() {
            if let Some(language) = line.trim_start().strip_prefix("```") {
                if !inside {
                    let language = language.trim().to_owned();
                    blocks.push(Block { language, line: index + 1, text: String::new() });
                }
                inside = !inside;
            } else if inside {
                let block = blocks.last_mut().unwrap();
                block.text += line;
                block.text.push('\n');
            }
        }
        assert!(!inside, "{}: a block is not closed", self.name);
        blocks
    }

    /// The blocks in a language.
    pub fn blocks_in(&self, language: &str) -> Vec<Block> {
        self.blocks().into_iter().filter(|block| block.language == language).collect()
    }
}
