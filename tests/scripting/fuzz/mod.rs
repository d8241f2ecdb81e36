//! The bodies of the fuzz targets over the kept corpus and what is made of it, on a stable compiler. See `tests/fuzz`.
//!
//! `CICERONE_FUZZ_SECONDS=3600 cargo test --release --test scripting fuzz::room` goes on for an hour,
//! `CICERONE_FUZZ_SEED` with other inputs. What fails is written into a file; `CICERONE_FUZZ_INPUT=FILE` tries that
//! one alone.

#[path = "../../fuzz/bodies/mod.rs"]
mod bodies;
mod corpus;
mod mutate;
mod restructure;

use crate::common::in_sweeps;
use bodies::{TARGETS, Target};
use mutate::{Dice, mutate};
use restructure::restructure;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// So many inputs that were made and taken are made more of.
const POOL: usize = 200;

/// The kept inputs of a target by name. Those that are to be refused are called `bad…`, those that may be either
/// `any…`.
fn kept(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = folder().join("corpus").join(target.name);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    // What libFuzzer puts there has no end to its name.
    let mut kept: Vec<_> = files
        .filter(|path| path.extension().is_some())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
        .collect();
    if target.name == "script" {
        kept.extend(lessons());
    }
    kept.sort();
    kept
}

/// The example scripts that teach something, each of another part of the API.
fn lessons() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/lessons");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: &PathBuf| format!("any_{}", path.file_name().unwrap().to_string_lossy());
    files
        .filter(|path| path.extension().is_some_and(|end| end == "lua"))
        .map(|path| (named(&path), std::fs::read(&path).unwrap()))
        .collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz")
}

/// The words of a format, from a file as libFuzzer reads it: `"word"` in each line.
fn words(target: &Target) -> Vec<Vec<u8>> {
    let file = folder().join("dictionaries").join(target.name).with_extension("dict");
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| unquoted(line).unwrap_or_else(|| panic!("{}: {line}", target.name))).collect()
}

fn unquoted(line: &str) -> Option<Vec<u8>> {
    let inner = line.strip_prefix('"')?.strip_suffix('"')?;
    let (mut word, mut rest) = (Vec::new(), inner.bytes());
    while let Some(byte) = rest.next() {
        word.push(match byte {
            b'\\' => match rest.next()? {
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                quoted @ (b'\\' | b'"') => quoted,
                _ => return None,
            },
            other => other,
        });
    }
    Some(word)
}

/// Tries an input; one that fails is written into a file first.
fn try_one(target: &Target, input: &[u8], what: &str) -> bool {
    catch_unwind(AssertUnwindSafe(|| target.run(input))).unwrap_or_else(|panic| {
        let file = scratch(target, &format!("{:08x}", crc32fast::hash(input)));
        std::fs::write(&file, input).unwrap();
        eprintln!("{what}: the input is in {}", file.display());
        resume_unwind(panic)
    })
}

fn scratch(target: &Target, end: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}.{end}", target.name))
}

/// Tries what is kept, and then so many inputs that are made of it.
#[track_caller]
fn drive(name: &str, rounds: usize, in_a_sweep: usize) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    if let Some(file) = std::env::var_os("CICERONE_FUZZ_INPUT") {
        try_one(target, &std::fs::read(file).unwrap(), "the one input");
        return;
    }
    let (kept, words) = (kept(target), words(target));
    let mut pool: Vec<Vec<u8>> = Vec::new();
    for (file, input) in kept {
        let taken = try_one(target, &input, &file);
        assert!(taken != file.starts_with("bad") || file.starts_with("any"), "{name}/{file}: taken: {taken}");
        pool.push(input);
    }
    assert!(pool.len() >= 4 && words.len() >= 8, "{name}: {} inputs, {} words", pool.len(), words.len());
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let mut dice = Dice(number("CICERONE_FUZZ_SEED").unwrap_or(1));
    match number("CICERONE_FUZZ_SECONDS") {
        Some(seconds) => for_seconds(target, pool, &words, &mut dice, Duration::from_secs(seconds)),
        None => {
            let first = pool.len();
            for round in 0..in_sweeps(in_a_sweep, rounds) {
                one_round(target, &mut pool, first, &words, &mut dice, &|_| format!("round {round}"));
            }
        }
    }
}

/// Makes an input and tries it; one that is taken is made more of.
fn one_round(
    target: &Target,
    pool: &mut Vec<Vec<u8>>,
    first: usize,
    words: &[Vec<u8>],
    dice: &mut Dice,
    before: &dyn Fn(&[u8]) -> String,
) -> Vec<u8> {
    let parent = dice.below(pool.len());
    let rebuilt = if dice.below(2) == 0 { restructure(dice, &pool[parent], &pool[..first]) } else { None };
    let input = rebuilt.unwrap_or_else(|| mutate(dice, &pool[parent], &pool[..first], words));
    let taken = try_one(target, &input, &before(&input));
    if taken && pool.len() < first + POOL {
        pool.push(input.clone());
    } else if taken {
        let place = first + dice.below(POOL);
        pool[place] = input.clone();
    }
    input
}

/// Goes on for a while and tells how it went. The input under way lies in a file, in case it never ends.
fn for_seconds(
    target: &Target,
    mut pool: Vec<Vec<u8>>,
    words: &[Vec<u8>],
    dice: &mut Dice,
    length: Duration,
) {
    let (begun, first) = (Instant::now(), pool.len());
    let (mut runs, mut slowest) = (0u64, Duration::ZERO);
    let current = scratch(target, "current");
    while begun.elapsed() < length {
        let began = Instant::now();
        let input = one_round(target, &mut pool, first, words, dice, &|input| {
            std::fs::write(&current, input).unwrap();
            format!("run {runs}")
        });
        runs += 1;
        if began.elapsed() > slowest {
            slowest = began.elapsed();
            std::fs::write(scratch(target, "slowest"), input).unwrap();
        }
    }
    let per_second = runs as f64 / begun.elapsed().as_secs_f64();
    println!("{}: {runs} runs, {per_second:.0} a second, the slowest {slowest:?}", target.name);
    let _ = std::fs::remove_file(current);
}

#[test]
fn room() {
    drive("room", 300, 12000);
}

#[test]
fn grid() {
    drive("grid", 300, 12000);
}

#[test]
fn map() {
    drive("map", 300, 12000);
}

#[test]
fn mask() {
    drive("mask", 200, 4000);
}

#[test]
fn recording() {
    drive("recording", 300, 12000);
}

#[test]
fn save() {
    drive("save", 300, 12000);
}

#[test]
fn spec() {
    drive("spec", 60, 600);
}

#[test]
fn level() {
    drive("level", 60, 300);
}

#[test]
fn game_api() {
    drive("game_api", 300, 12000);
}

#[test]
fn script() {
    drive("script", 60, 700);
}

/// The same inputs in every run, and all kinds of changes among them.
#[test]
fn inputs_follow_from_the_seed() {
    let of = |seed| {
        let mut dice = Dice(seed);
        let mutant =
            |_| mutate(&mut dice, b"{ \"at\": [1, 2] }\n", &[b"other".to_vec()], &[b"word".to_vec()]);
        (0..200).map(mutant).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
    assert!(of(1).len() > 150, "{}", of(1).len());
    assert_eq!(unquoted(r#""a\x00\"\\b""#).unwrap(), b"a\0\"\\b");
    assert_eq!(unquoted(r#""a\n""#), None);
}
