//! Source transformations and checks before Lua compiles a file.

use super::parse::{Chunk, ExprKind, Limit, MAX_DEPTH, TreePart, may_be_too_much, parse, visit};
use crate::problem::{Problem, Source};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// Shorter files cannot have enough visible names or jumps to take long to compile.
const SHORT_BYTES: usize = 16 << 10;

/// The text of a file as Lua compiles it: with `a ^ b` written as a call. Lua leaves powers to the platform's C library,
/// and libraries differ in the last digit. Line numbers stay the same. Invalid Lua and texts without powers are not
/// changed; nor are squares, which are products.
///
/// # Errors
/// The place that would keep Lua's compiler busy for a noticeable time, or that declares a global.
pub(super) fn prepared<'a>(path: &str, source: &'a str) -> Result<Cow<'a, str>, Problem> {
    let may_declare = source.contains("global");
    if !may_declare && !source.contains('^') && (source.len() < SHORT_BYTES || !may_be_too_much(source)) {
        return Ok(Cow::Borrowed(source));
    }
    match parse(source) {
        Ok(Chunk { first_global: Some(at), .. }) => {
            let problem = Source::new(path, source).problem(at, "scripts have no globals");
            Err(problem.with_hint("write `local` in its place"))
        }
        Ok(chunk) => Ok(with_power_calls(&chunk, source)),
        Err(error) => match error.exceeds {
            Some(limit) => Err(exceeded(path, source, error.at.start, limit)),
            None => Ok(Cow::Borrowed(source)), // Lua's own compiler says what is wrong
        },
    }
}

fn exceeded(path: &str, source: &str, at: usize, limit: Limit) -> Problem {
    let source = Source::new(path, source);
    let line = source.line_column(at).0;
    if limit == Limit::Depth {
        let message = format!("more than {MAX_DEPTH} blocks and expressions are inside of each other here");
        return source
            .problem_at_line(line, None, message)
            .with_hint("give the inner ones names of their own");
    }
    let message = "so many variables are in view by here, or so many conditions, branches and labels follow each other, that \
                   the file would take too long to compile";
    source.problem_at_line(line, None, message).with_hint("keep data in tables, or split the file")
}

/// The function that replaces `^`; see the prelude. The file gets it as a local variable, under a name that
/// the file does not use.
const POWER: &str = "__pow";

fn with_power_calls<'a>(chunk: &Chunk, source: &'a str) -> Cow<'a, str> {
    let call = format!("{POWER}{}(", unused_number(source));
    let mut edits = powers(chunk, source, &call);
    if edits.is_empty() {
        return Cow::Borrowed(source);
    }
    let declaration = format!("local {} = {POWER} ", call.trim_end_matches('('));
    // At one position, closing edits come before opening ones, and those of outer expressions open first.
    // `powers` returns them so, and the sort is stable.
    edits.sort_by_key(|edit| edit.0.start);
    let mut text = String::with_capacity(source.len() + (edits.len() + 4) * call.len());
    // A shebang line stays first.
    let mut done = if source.starts_with('#') { source.find('\n').map_or(0, |end| end + 1) } else { 0 };
    text.push_str(source.get(..done).unwrap_or(""));
    text.push_str(&declaration);
    for (range, new) in edits {
        text.push_str(source.get(done..range.start).unwrap_or(""));
        text.push_str(new);
        done = range.end;
    }
    text.push_str(source.get(done..).unwrap_or(""));
    Cow::Owned(text)
}

/// The least number that does not follow [`POWER`] anywhere in a text.
fn unused_number(source: &str) -> usize {
    /// No text is so long that all numbers of this many digits are in it.
    const MOST_DIGITS: usize = 7;
    let mut used = BTreeSet::new();
    for (at, _) in source.match_indices(POWER) {
        let digits = source.get(at + POWER.len()..).unwrap_or("");
        let count = digits.bytes().take(MOST_DIGITS).take_while(u8::is_ascii_digit).count();
        used.extend((1..=count).filter_map(|count| digits.get(..count)));
    }
    (0..).find(|number: &usize| !used.contains(number.to_string().as_str())).unwrap_or(0)
}

/// The edits: ranges and their replacements.
fn powers<'a>(chunk: &Chunk, source: &str, call: &'a str) -> Vec<(Range<usize>, &'a str)> {
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    visit(&chunk.block, &mut |part| {
        let TreePart::Expr(expr) = part else { return };
        let ExprKind::Binary { operator: "^", left, right } = &expr.kind else { return };
        let square = matches!(right.kind, ExprKind::Number)
            && source.get(right.span.clone()).is_some_and(|text| matches!(text, "2" | "2.0"));
        let Some(sign) = sign_between(source, left.span.end, right.span.start).filter(|_| !square) else {
            return;
        };
        before.push((expr.span.start..expr.span.start, call));
        before.push((sign..sign + 1, ","));
        behind.push((expr.span.end..expr.span.end, ")"));
    });
    behind.extend(before);
    behind
}

/// The position of the operator between its operands, where comments may be, too.
fn sign_between(source: &str, from: usize, to: usize) -> Option<usize> {
    let between = source.get(from..to)?;
    // With a comment there, the platform's power remains.
    (between.matches('^').count() == 1 && !between.contains("--"))
        .then(|| between.find('^').map(|at| from + at))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_become_calls_in_their_lines() {
        for (source, call) in [
            ("return x ^ y", "local __pow0 = __pow return __pow0(x , y)"),
            ("return -x^0.5 + 1", "local __pow0 = __pow return -__pow0(x,0.5) + 1"),
            ("return a^b^c", "local __pow0 = __pow return __pow0(a,__pow0(b,c))"),
            ("return (a^b)^c", "local __pow0 = __pow return __pow0((__pow0(a,b)),c)"),
            ("return 2^-x", "local __pow0 = __pow return __pow0(2,-x)"),
            ("return f(1)\n^\nt.a[2^3]", "local __pow0 = __pow return __pow0(f(1)\n,\nt.a[__pow0(2,3)])"),
            ("return x^2 + y ^ 2.0", "return x^2 + y ^ 2.0"),
            ("return '^' .. x --^", "return '^' .. x --^"),
            ("return x ^", "return x ^"),
            ("return x^y .. z^w", "local __pow0 = __pow return __pow0(x,y) .. __pow0(z,w)"),
            ("#!lua\nreturn x^y", "#!lua\nlocal __pow0 = __pow return __pow0(x,y)"),
            ("local __pow0 return x^y", "local __pow1 = __pow local __pow0 return __pow1(x,y)"),
            ("return (x^3)^2", "local __pow0 = __pow return (__pow0(x,3))^2"),
        ] {
            assert_eq!(prepared("a.lua", source).unwrap(), call, "{source}");
            assert!(source.ends_with('^') || parse(&prepared("a.lua", source).unwrap()).is_ok());
        }
        assert!(POWER.starts_with("__pow"));
    }

    #[test]
    fn a_name_that_is_not_used_is_found_at_once() {
        let names: String = (0..50_000).map(|number| format!("__pow{number} ")).collect();
        assert_eq!(unused_number(&names), 50_000);
        assert_eq!(unused_number("__pow1 __pow02 __pow __powx"), 2);
    }
}
