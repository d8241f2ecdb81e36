//! What all benchmarks share: the command line, the clock, medians, and tables for people or for programs.

use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What was asked for on the command line.
#[derive(Debug, Default)]
pub struct Options {
    filters: Vec<String>,
    json: bool,
    /// Where pictures go, if they are wanted.
    pub plots: Option<PathBuf>,
    /// A rough idea in a fraction of the time: fewer queries, rounds and ticks.
    pub quick: bool,
}

impl Options {
    /// Reads the arguments, which may name some of `names`; `--bench` is what cargo adds.
    pub fn parse(mut args: impl Iterator<Item = String>, names: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => {}
                "--json" => options.json = true,
                "--quick" => options.quick = true,
                "--plots" => options.plots = Some(args.next().ok_or("--plots wants a folder")?.into()),
                flag if flag.starts_with('-') => return Err(format!("there is no option '{flag}'")),
                _ if !names.iter().any(|name| name.contains(&arg)) => {
                    return Err(format!(
                        "there is no benchmark '{arg}' here (those of Lua need the feature `script`)"
                    ));
                }
                _ => options.filters.push(arg),
            }
        }
        if let Some(folder) = &options.plots {
            // Before minutes of measuring, not after them.
            std::fs::create_dir_all(folder)
                .map_err(|problem| format!("no pictures can be put into {}: {problem}", folder.display()))?;
        }
        Ok(options)
    }

    /// Whether a benchmark of this name is to run: one of the filters is part of it, or there is none.
    pub fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter.as_str()))
    }

    /// `thorough`, or `rough` if a rough idea is enough.
    pub fn pick(&self, rough: usize, thorough: usize) -> usize {
        if self.quick { rough } else { thorough }
    }
}

/// How long something takes, and what it returns.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    #[allow(clippy::disallowed_methods)]
    // the clock is forbidden to the simulation, and what a benchmark is for
    let began = Instant::now();
    let result = std::hint::black_box(work());
    (began.elapsed(), result)
}

/// The value in the middle; of an even number of them, the mean of the two.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// The value that `share` (0 to 1) of all do not exceed.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let sorted = sorted(values);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
}

/// The largest value.
pub fn worst(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NAN, f64::max)
}

/// The arithmetic mean.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// One entry of a table.
pub enum Entry {
    /// A name.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A measure, and how many decimals of it people are shown.
    Real(f64, usize),
}

impl From<&str> for Entry {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<usize> for Entry {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl Entry {
    fn for_people(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Real(value, _) if value.is_nan() => "-".to_owned(),
            Self::Real(value, decimals) => format!("{value:.decimals$}"),
        }
    }

    fn for_programs(&self) -> Value {
        match self {
            Self::Text(text) => json!(text),
            Self::Count(count) => json!(count),
            Self::Real(value, _) => json!(value), // null if there is none
        }
    }
}

/// Rows of figures under headings that say their units.
pub struct Table {
    title: &'static str,
    headings: &'static [&'static str],
    rows: Vec<Vec<Entry>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: &'static str, headings: &'static [&'static str]) -> Self {
        Self { title, headings, rows: Vec::new() }
    }

    /// Adds a row, one entry for each heading.
    pub fn row(&mut self, entries: Vec<Entry>) {
        assert_eq!(entries.len(), self.headings.len(), "{}", self.title);
        self.rows.push(entries);
    }
}

/// Where results go: aligned tables, or one JSON object a row.
pub struct Report {
    json: bool,
    bench: &'static str,
}

impl Report {
    /// A report in the form that was asked for.
    pub fn new(options: &Options) -> Self {
        Self { json: options.json, bench: "" }
    }

    /// Begins with another benchmark.
    pub fn begin(&mut self, bench: &'static str, about: &str) {
        self.bench = bench;
        if !self.json {
            println!("\n# {bench}: {about}");
        }
    }

    /// A remark: where the data is, how something was measured.
    pub fn note(&self, text: &str) {
        if self.json {
            println!("{}", json!({ "bench": self.bench, "note": text }));
        } else {
            println!("{text}");
        }
    }

    /// Prints a table.
    pub fn table(&self, table: &Table) {
        if self.json {
            self.print_for_programs(table);
        } else {
            print_for_people(table);
        }
    }

    fn print_for_programs(&self, table: &Table) {
        for row in &table.rows {
            let mut object = Map::new();
            object.insert("bench".into(), json!(self.bench));
            object.insert("table".into(), json!(table.title));
            for (heading, entry) in table.headings.iter().zip(row) {
                object.insert((*heading).into(), entry.for_programs());
            }
            println!("{}", Value::Object(object));
        }
    }
}

/// Text to the left, numbers to the right.
fn print_for_people(table: &Table) {
    let width_of = |column: usize| {
        let widths = table.rows.iter().map(|row| row[column].for_people().chars().count());
        widths.chain([table.headings[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.headings.len()).map(width_of).collect();
    let is_text = |column: usize| table.rows.iter().any(|row| matches!(row[column], Entry::Text(_)));
    let line = |words: Vec<String>| {
        let padded = words.iter().zip(&widths).enumerate().map(|(column, (word, &width))| {
            if is_text(column) { format!("{word:<width$}") } else { format!("{word:>width$}") }
        });
        println!("  {}", padded.collect::<Vec<_>>().join("  ").trim_end());
    };
    println!("\n{}", table.title);
    line(table.headings.iter().map(|heading| (*heading).to_owned()).collect());
    for row in &table.rows {
        line(row.iter().map(Entry::for_people).collect());
    }
}
