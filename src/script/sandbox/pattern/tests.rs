//! Tests with fixed examples, and against Lua's own library.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use super::*;
use mlua::{Function, Lua, MultiValue, Value};
use std::fmt::Write;

const PLENTY: u64 = 1_000_000;

/// The result of `string.find` as text: positions, then captures, or the error.
fn find(subject: &[u8], pattern: &[u8]) -> String {
    if is_plain(pattern) {
        let found = find_plain(subject, pattern, 0, &mut { PLENTY }).unwrap();
        return found.map_or("nil".into(), |start| format!("{} {}", start + 1, start + pattern.len()));
    }
    let (anchored, pattern) = match pattern {
        [b'^', rest @ ..] => (true, rest),
        all => (false, all),
    };
    let mut matcher = Matcher::new(subject, pattern, PLENTY);
    let last = if anchored { 0 } else { subject.len() };
    let mut answer = || {
        for start in 0..=last {
            let Some(end) = matcher.match_at(start)? else { continue };
            let mut answer = format!("{} {end}", start + 1);
            for index in 0..matcher.capture_count() {
                match matcher.capture(index)? {
                    Capture::Span { start, len } => {
                        write!(answer, " {:?}", subject[start..start + len].escape_ascii().to_string())
                    }
                    Capture::Position(at) => write!(answer, " {}", at + 1),
                }
                .unwrap();
            }
            return Ok(answer);
        }
        Ok("nil".into())
    };
    answer().unwrap_or_else(|stop| match stop {
        Stop::OutOfFuel => "out of fuel".into(),
        Stop::Malformed(malformed) => malformed.describe().into(),
    })
}

/// The same with Lua's own library.
struct Reference {
    lua: Lua,
    find: Function,
}

impl Reference {
    fn new() -> Self {
        let lua = Lua::new();
        let find = lua.load("local find = string.find; return function(s, p) return pcall(find, s, p) end");
        Self { find: find.eval().unwrap(), lua }
    }

    fn find(&self, subject: &[u8], pattern: &[u8]) -> String {
        let text = |bytes: &[u8]| self.lua.create_string(bytes).unwrap();
        let answer: MultiValue = self.find.call((text(subject), text(pattern))).unwrap();
        let mut parts = answer.into_iter();
        let worked = parts.next().unwrap().as_boolean().unwrap();
        let words = parts.map(|part| match part {
            Value::Nil => "nil".into(),
            Value::Integer(number) => number.to_string(),
            Value::String(text) if worked => format!("{:?}", text.as_bytes().escape_ascii().to_string()),
            Value::String(text) => text.to_string_lossy(),
            other => panic!("{other:?}"),
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn patterns_in_pictures() {
    let cases = [
        ("name = value", "(%w+)%s*=%s*(%w+)", "1 12 \"name\" \"value\""),
        ("  trimmed  ", "^%s*(.-)%s*$", "1 11 \"trimmed\""),
        ("a,b", "[^,]+", "1 1"),
        ("hello", "l+", "3 4"),
        ("hello", "()ll()", "3 4 3 5"),
        ("THE (quick) fox", "%((%a+)%)", "5 11 \"quick\""),
        ("f(a(b)c)d", "%b()", "2 8"),
        ("|x|", "%b||", "1 3"),
        ("THE (quick) fox", "%f[%a]%a+%f[%A]", "1 3"),
        ("|it| #is#", "([#|])(.-)%1", "1 4 \"|\" \"it\""),
        ("x^y", "x^y", "1 3"),
        ("a$b", "a$b", "1 3"),
        ("ab]", "[]]", "3 3"),
        ("]a", "[^]]", "2 2"),
        ("a-z", "[a-]+", "1 2"),
        ("]", "[+-%%]", "1 1"),
        ("\0x", "%z%Z", "1 2"),
        ("\u{e9}", "%a", "nil"),
        ("aaa", "a-$", "1 3"),
        ("abc", "", "1 0"),
        ("a", "()%1", "nil"),
        ("a", "%", "malformed pattern (ends with '%')"),
        ("a", "[a", "malformed pattern (missing ']')"),
        ("a", "[]", "malformed pattern (missing ']')"),
        ("a", "[^]", "malformed pattern (missing ']')"),
        ("a", "[%]", "malformed pattern (missing ']')"),
        ("a", "%fa", "missing '[' after '%f' in pattern"),
        ("a", "%bx", "malformed pattern (missing arguments to '%b')"),
        ("a", "a.)", "nil"),
        ("a", ".)", "invalid pattern capture"),
        ("a", "(a", "unfinished capture"),
        ("a", "%1", "invalid capture index %1"),
        ("a", "(%1)", "invalid capture index %1"),
        ("a", "(a)%0", "invalid capture index %0"),
    ];
    let reference = Reference::new();
    for (subject, pattern, answer) in cases {
        assert_eq!(find(subject.as_bytes(), pattern.as_bytes()), answer, "{subject:?}:find({pattern:?})");
        assert_eq!(reference.find(subject.as_bytes(), pattern.as_bytes()), answer, "in Lua itself");
    }
}

#[test]
fn every_class_holds_the_bytes_it_holds_in_lua() {
    let reference = Reference::new();
    for letter in 0..=u8::MAX {
        for byte in 0..=u8::MAX {
            let pattern = [b'%', letter, b'?', b'$'];
            let in_set = [b'[', b'%', letter, b']', b'+', b'$'];
            for pattern in [&pattern[..], &in_set] {
                assert_eq!(find(&[byte], pattern), reference.find(&[byte], pattern), "{pattern:?} {byte}");
            }
        }
    }
}

#[test]
fn the_bounds_are_those_of_lua() {
    let reference = Reference::new();
    let repeated = |part: &str, times: usize| part.repeat(times).into_bytes();
    for times in [31, 32, 33, 66, 67, 99, 100, 101, 198, 199, 200, 201, 1000] {
        for part in ["()", "(.)", ".?", "c*", "a*b*", "a+b+", "a-b-", "(a?b-)"] {
            let (subject, pattern) = (repeated("ab", 500), repeated(part, times));
            assert_eq!(find(&subject, &pattern), reference.find(&subject, &pattern), "{part} {times} times");
        }
    }
    assert_eq!(find(b"a", &repeated("()", 33)), "too many captures");
    assert_eq!(find(&[b'a'; 1000], &repeated("a?", 200)), "pattern too complex");
    assert_eq!(find(&[b'a'; 1000], &repeated("a?", 199)), "1 199");
}

#[test]
fn the_deepest_pattern_needs_little_stack() {
    let deep = std::thread::Builder::new().stack_size(128 << 10);
    let answer = deep.spawn(|| find(&[b'a'; 1000], "a?".repeat(200).as_bytes())).unwrap().join();
    assert_eq!(answer.unwrap(), "pattern too complex");
}

/// A simple random generator with the same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn parts(&mut self, of: &[&str], most: usize) -> Vec<u8> {
        (0..self.below(most + 1)).flat_map(|_| of[self.below(of.len())].bytes()).collect()
    }
}

#[test]
fn generated_patterns_find_what_they_find_in_lua() {
    // Loose bytes make broken patterns; whole pieces make patterns that match far.
    let bytes = [
        "a", "b", "1", "]", "[", "^", "-", "%", "(", ")", ".", "*", "+", "?", "$", "f", "w", "\0", "\u{e9}",
        "A",
    ];
    let pieces = [
        "a", "b", ".", "%w", "%A", "[ab]", "[^a]", "[%d-]", "[1-b]", "(", ")", "()", "%1", "%2", "%b()",
        "%bab", "%f[a]", "%f[^a]", "*", "+", "-", "?", "^", "$", "%%", "[]a]", "(a", ".-)", "(.*)",
    ];
    let subjects = ["a", "b", "ab", "1", "(", ")", "]", "-", "%", "\0", "\u{e9}", "A", "^", "$"];
    let reference = Reference::new();
    let mut dice = Dice(5);
    let mut seen = [0; 3];
    for round in 0..150_000 {
        let subject = dice.parts(if round % 3 == 0 { &subjects } else { &["a", "b", "(", ")"] }, 10);
        let pattern = dice.parts(if round % 2 == 0 { &bytes } else { &pieces }, 9);
        let (ours, theirs) = (find(&subject, &pattern), reference.find(&subject, &pattern));
        let shown = (subject.escape_ascii().to_string(), pattern.escape_ascii().to_string());
        assert_eq!(ours, theirs, "{shown:?} in round {round}");
        let kind = match ours.as_str() {
            "nil" => 0,
            answer if answer.starts_with(|first: char| first.is_ascii_digit()) => 1,
            _ => 2,
        };
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|&times| times > 15_000), "not found, found and refused: {seen:?}");
}

#[test]
fn what_would_take_ages_runs_out_of_fuel() {
    let subject = vec![b'a'; 2000];
    for pattern in [".-.-b", ".-.-.-.-b", "(.-)(.-)(.-)%1b", ".*.*.*b", "[ab]-[ab]-c"] {
        let mut matcher = Matcher::new(&subject, pattern.as_bytes(), 100_000);
        let stop = (0..subject.len()).find_map(|start| matcher.match_at(start).err());
        assert_eq!((stop, matcher.fuel_left()), (Some(Stop::OutOfFuel), 0), "{pattern}");
    }
    let optional = "a?".repeat(40) + &"a".repeat(40) + "b";
    assert_eq!(find(&subject[..40], optional.as_bytes()), "out of fuel");
}

#[test]
fn work_that_is_one_step_of_a_pattern_is_paid_by_its_length() {
    let long = vec![b'a'; 100_000];
    let set = [b"[".as_slice(), &[b'b'; 50_000], b"]"].concat();
    let unclosed = &set[..50_000];
    let open = vec![b'('; 100_000];
    let cases: [(&[u8], &[u8]); 6] = [
        (&long, b"a*"),
        (&long, b"[^b]+"),
        (&long, &set),
        (&long, unclosed),
        (&open, b"%b()"),
        (&long, b"(.*)b"),
    ];
    for (subject, pattern) in cases {
        let mut matcher = Matcher::new(subject, pattern, 1_000_000);
        let _ = matcher.match_at(0);
        let shown = pattern[..pattern.len().min(8)].escape_ascii();
        assert!(
            (10_000..300_000).contains(&(1_000_000 - matcher.fuel_left())),
            "{shown}: {}",
            matcher.fuel_left()
        );
    }
}

#[test]
fn a_plain_search_pays_for_what_it_compares() {
    let spent = |haystack: &[u8], needle: &[u8]| {
        let mut fuel = PLENTY;
        assert_eq!(find_plain(haystack, needle, 0, &mut fuel), Ok(None));
        PLENTY - fuel
    };
    let same = vec![b'a'; 10_000];
    let end = [&same[..1000], b"b"].concat();
    assert!(spent(&same, b"b") < 1000);
    assert!(spent(&same, &end) > 9000 * 1000 / 100);
    assert_eq!(find_plain(&same, &end, 0, &mut 1000), Err(Stop::OutOfFuel));
    for (from, answer) in [(0, Some(0)), (1, Some(3)), (4, None), (6, None), (7, None)] {
        assert_eq!(find_plain(b"abcabc", b"abc", from, &mut 1000), Ok(answer), "from {from}");
    }
    assert_eq!(find_plain(b"abc", b"", 3, &mut 1000), Ok(Some(3)));
    assert_eq!(find_plain(b"abc", b"", 4, &mut 1000), Ok(None));
}

#[test]
fn a_capture_is_asked_for_by_number() {
    let mut matcher = Matcher::new(b"abc", b"b(c", PLENTY);
    assert_eq!(matcher.match_at(1), Ok(Some(3)));
    assert_eq!(matcher.capture(0), Err(Stop::Malformed(Malformed::UnfinishedCapture)));
    assert_eq!(matcher.capture(1), Err(Stop::Malformed(Malformed::NoSuchCapture(2))));
    let mut matcher = Matcher::new(b"abc", b"bc", PLENTY);
    assert_eq!(matcher.match_at(1), Ok(Some(3)));
    assert_eq!((matcher.capture_count(), matcher.capture(0)), (0, Ok(Capture::Span { start: 1, len: 2 })));
    assert_eq!(matcher.match_at(4), Ok(None), "behind the end");
}
