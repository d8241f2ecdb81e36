//! The source text of an expectation's subject: for a plain value it says more than the value.

use super::place_of;
use crate::script::api::entry::Call;

/// Maximum length; longer texts say less than the value.
const LONGEST: usize = 60;

/// The text between the brackets of `expect(…)` in the current line; `None` if it is not evident.
pub(super) fn source_of_subject(call: &Call<'_>) -> Option<String> {
    let (file, line) = place_of(call);
    let text = call.host.project.borrow().read_script(&file).ok()?;
    let line = text.lines().nth((line as usize).checked_sub(1)?)?;
    argument_of_expect(line).map(str::to_owned)
}

/// The argument of the only `expect` in a line.
fn argument_of_expect(line: &str) -> Option<&str> {
    const CALL: &str = "expect(";
    let (before, rest) = line.split_once(CALL)?;
    let is_name = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
    if is_name || rest.contains(CALL) {
        return None;
    }
    let (mut depth, mut quote) = (0_usize, None);
    for (at, c) in rest.char_indices() {
        match (quote, c) {
            // Escaped quotes would need a real lexer.
            (Some(_), '\\') => return None,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '{' | '[') => depth += 1,
            (None, ')') if depth == 0 => {
                let text = rest[..at].trim();
                return (!text.is_empty() && text.chars().count() <= LONGEST).then_some(text);
            }
            (None, ')' | '}' | ']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::argument_of_expect;

    #[test]
    fn the_argument_is_read_or_given_up() {
        assert_eq!(argument_of_expect("  expect(room.state.key):to_be(1)"), Some("room.state.key"));
        assert_eq!(argument_of_expect("expect(f(')', {1})[2]):to_be(1)"), Some("f(')', {1})[2]"));
        for unclear in ["expect(1) expect(2)", "expect(", "inexpect(1)", "expect('\\'')", "expect()", "x(1)"]
        {
            assert_eq!(argument_of_expect(unclear), None, "{unclear}");
        }
    }
}
