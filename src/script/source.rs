//! Source transformations and checks before Lua compiles a file.

use super::parse::{Chunk, ExprKind, Part, may_be_too_much, parse, visit};
use crate::problem::{Problem, Source};
use std::borrow::Cow;
use std::ops::Range;

/// Maximum conditions and jumps in one file. Lua's compiler walks a whole jump list to extend it, which would
/// take seconds for thousands of jumps in one list, and a compiler cannot be stopped.
const MAX_JUMPS: usize = 8000;

/// Shorter files cannot have enough visible names or jumps to take long to compile.
const SHORT_BYTES: usize = 16 << 10;

/// The place that would keep Lua's compiler busy for a noticeable time, as a problem.
pub(super) fn compile_cost_problem(path: &str, source: &str) -> Option<Problem> {
    if source.len() < SHORT_BYTES {
        return None;
    }
    let words = source.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let jumps = words.filter(|word| matches!(*word, "and" | "or" | "elseif" | "goto" | "break")).count();
    if jumps > MAX_JUMPS {
        let message = format!("more than {MAX_JUMPS} uses of and, or, elseif, goto and break in one file");
        let hint = "keep data in tables, or split the file";
        return Some(Source::new(path, source).problem_at_line(1, None, message).with_hint(hint));
    }
    if !may_be_too_much(source) {
        return None;
    }
    let error = parse(source).err().filter(|error| error.is_too_much)?;
    let message = "so many variables are in view by here, or so many branches and labels, that the file would take too long to \
                   compile";
    let hint = "keep data in tables, or split the file";
    let line = source.get(..error.at.start).map_or(1, |before| before.matches('\n').count() as u32 + 1);
    Some(Source::new(path, source).problem_at_line(line, None, message).with_hint(hint))
}

/// The function that replaces `^`; see the prelude. The file gets it as a local variable, under a name that
/// the file does not use.
const POWER: &str = "__pow";

/// The text with `a ^ b` written as a call. Lua leaves powers to the platform's C library, and libraries
/// differ in the last digit. Line numbers stay the same. Invalid Lua and texts without powers are not
/// changed; nor are squares, which are products.
pub(super) fn rewrite_power_operators(source: &str) -> Cow<'_, str> {
    if !source.contains('^') {
        return Cow::Borrowed(source);
    }
    let Ok(chunk) = parse(source) else { return Cow::Borrowed(source) };
    let name = (0..).map(|number| format!("{POWER}{number}")).find(|name| !source.contains(name));
    let call = format!("{}(", name.as_deref().unwrap_or(POWER));
    let mut edits = powers(&chunk, source, &call);
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

/// The edits: ranges and their replacements.
fn powers<'a>(chunk: &Chunk, source: &str, call: &'a str) -> Vec<(Range<usize>, &'a str)> {
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    visit(&chunk.block, &mut |part| {
        let Part::Expr(expr) = part else { return };
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
            assert_eq!(rewrite_power_operators(source), call, "{source}");
            assert!(source.ends_with('^') || parse(&rewrite_power_operators(source)).is_ok());
        }
        assert!(POWER.starts_with("__pow"));
    }

    /// Code that takes Lua's compiler seconds.
    #[test]
    fn what_takes_long_to_compile_is_refused() {
        let names: String = (0..30_000).map(|n| format!("global g{n}\n")).collect();
        let uses = "x = g0 + g1 + g2\n".repeat(30_000);
        let labels: String = (0..32_767).map(|n| format!("::l{n}::\n")).collect();
        let branches = format!("if a then {} end", "elseif b then ".repeat(7_000));
        let captured = |depth: usize| {
            let locals: String = (0..150).map(|n| format!("local v{n} = 1 ")).collect();
            let inner = "y = x\n".repeat(5000);
            format!(
                "{}{inner}{}",
                format!("local function f() {locals}\n").repeat(depth),
                "end\n".repeat(depth)
            )
        };
        for (what, source) in
            [("names", names + &uses), ("labels", labels), ("branches", branches), ("captured", captured(60))]
        {
            let problem = compile_cost_problem("scripts/a.lua", &source);
            assert!(problem.is_some_and(|problem| problem.line > 0), "{what}");
        }
        let honest = "local function f(a, b) if a then return b elseif b then return a end return math.max(a, b) end\n";
        assert!(compile_cost_problem("scripts/a.lua", &format!("do {} end", honest.repeat(150))).is_none());
        assert!(compile_cost_problem("scripts/a.lua", &"f(a, b, c)\n".repeat(50_000)).is_none());
    }
}
