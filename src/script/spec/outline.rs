//! Reading a spec file: the list of its tests, and the steps of the one to run.

use super::Written;
use mlua::Function;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whether a test is focused (`only`) or skipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Focus {
    /// Neither.
    #[default]
    Plain,
    /// `it.only`, or in a `describe.only`.
    Only,
    /// `it.skip`, `pending`, or in a `describe.skip`.
    Skip,
}

/// One test of a spec file.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its place in the file, from 0.
    pub number: usize,
    /// The names of the blocks around it, outermost first, and its own name last.
    pub names: Vec<String>,
    /// The line of its `it`.
    pub line: u32,
    /// Number of earlier tests of the file in the same line, as in a loop.
    pub nth: usize,
    /// Whether it runs.
    pub focus: Focus,
    /// Game time after which it fails, in seconds.
    pub timeout_s: f64,
    /// Its file as it was listed.
    pub(crate) written: Arc<Written>,
}

impl Case {
    /// All of its names in one line.
    pub fn full_name(&self) -> String {
        self.names.join(" › ")
    }
}

/// The tests of a spec file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Outline {
    /// In the order of the file.
    pub cases: Vec<Case>,
    /// Warnings about the file: `file:line: words`.
    pub warnings: Vec<String>,
}

/// An open `describe`.
#[derive(Default)]
struct Block {
    name: String,
    focus: Focus,
    before: Vec<Function>,
    after: Vec<Function>,
    line: u32,
    /// Number of tests of the file before it.
    first: usize,
}

/// The result of running a spec file from top to bottom.
#[derive(Default)]
pub(in crate::script) struct Reading {
    file: String,
    /// The open blocks; the file itself comes first.
    blocks: Vec<Block>,
    outline: Outline,
    /// Number of tests so far.
    seen: usize,
    /// Number of tests in each line.
    lines: BTreeMap<u32, usize>,
    /// The test to run, by its line and its index within the line; if none, all tests are listed.
    wanted: Option<(u32, usize)>,
    /// Its steps, and the steps to run after it.
    found: Option<(Vec<Function>, Vec<Function>)>,
}

/// Default time limit of a test, in seconds of game time.
const TIMEOUT_S: f64 = 600.0;

/// Maximum tests of one file; each test runs the top-level code of the file.
const MOST_CASES: usize = 10_000;

/// Maximum nesting depth of blocks.
const DEEPEST: usize = 100;

impl Reading {
    pub(super) fn new(file: &str, wanted: Option<(u32, usize)>) -> Self {
        Self { file: file.to_owned(), blocks: vec![Block::default()], wanted, ..Self::default() }
    }

    pub(super) fn outline(self) -> Outline {
        self.outline
    }

    pub(super) fn take_found(&mut self) -> Option<(Vec<Function>, Vec<Function>)> {
        self.found.take()
    }

    /// Opens a `describe`.
    pub(in crate::script) fn open(&mut self, name: String, focus: Focus, line: u32) -> Result<(), String> {
        if self.blocks.len() > DEEPEST {
            return Err(format!("blocks may stand in each other {DEEPEST} deep at most"));
        }
        let block = Block { name, focus, line, first: self.seen, ..Block::default() };
        self.blocks.push(block);
        Ok(())
    }

    /// Closes the innermost `describe`.
    pub(in crate::script) fn close(&mut self) {
        let Some(block) = self.blocks.pop() else { return };
        if block.first == self.seen {
            self.warn(block.line, format!("'{}' has no tests in it", block.name));
        }
    }

    pub(in crate::script) fn before(&mut self, function: Function) {
        if let Some(block) = self.blocks.last_mut() {
            block.before.push(function);
        }
    }

    pub(in crate::script) fn after(&mut self, function: Function) {
        if let Some(block) = self.blocks.last_mut() {
            block.after.push(function);
        }
    }

    /// Adds a test; one without a body is still to be written.
    pub(in crate::script) fn case(
        &mut self,
        name: String,
        focus: Focus,
        timeout_s: Option<f64>,
        line: u32,
        body: Option<Function>,
    ) -> Result<(), String> {
        let number = self.seen;
        self.seen += 1;
        let of_line = self.lines.entry(line).or_insert(0);
        let nth = *of_line;
        *of_line += 1;
        if self.wanted.is_some() {
            if self.wanted == Some((line, nth)) {
                let blocks = self.blocks.iter();
                let before = blocks.clone().flat_map(|block| block.before.iter().cloned());
                let after = blocks.rev().flat_map(|block| block.after.iter().cloned());
                self.found = Some((before.chain(body).collect(), after.collect()));
            }
            return Ok(());
        }
        if number >= MOST_CASES {
            return Err(format!("a file may have {MOST_CASES} tests at most"));
        }
        let around = self.blocks.iter().skip(1);
        let names: Vec<String> = around.map(|block| block.name.clone()).chain([name]).collect();
        let mut all = self.blocks.iter().map(|block| block.focus).chain([focus]);
        let focus = match () {
            () if all.clone().any(|focus| focus == Focus::Skip) => Focus::Skip,
            () if all.any(|focus| focus == Focus::Only) => Focus::Only,
            () => Focus::Plain,
        };
        let timeout_s = timeout_s.unwrap_or(TIMEOUT_S);
        self.outline.cases.push(Case { number, names, line, nth, focus, timeout_s, written: Arc::default() });
        Ok(())
    }

    /// Warns of tests that cannot be told apart.
    pub(super) fn finish(&mut self) {
        let mut names: Vec<(&[String], u32)> =
            self.outline.cases.iter().map(|case| (case.names.as_slice(), case.line)).collect();
        names.sort();
        let twins = names.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let twins: Vec<_> = twins.map(|pair| (pair[1].1, pair[1].0.join(" › "), pair[0].1)).collect();
        for (line, name, other) in twins {
            self.warn(line, format!("'{name}' is the name of the test in line {other}, too"));
        }
    }

    fn warn(&mut self, line: u32, words: String) {
        if self.wanted.is_none() && self.outline.warnings.len() < 100 {
            self.outline.warnings.push(format!("{}:{line}: {words}", self.file));
        }
    }
}
