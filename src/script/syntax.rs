//! Hints for syntax errors of people who are used to another language.

/// A hint for a syntax error that comes from another language.
pub(super) fn mend(message: &str) -> Option<&'static str> {
    if message.contains("'end' expected") && message.contains("near <eof>") {
        return Some("an `end` is missing; and `else if` is written elseif");
    }
    let near = message.rsplit_once(" near '").map(|(_, token)| token.trim_end_matches('\''))?;
    Some(match near {
        "!" | "!=" => "not equal is ~= in Lua, and not is `not`",
        "=" if message.contains("'then' expected") || message.contains("'do' expected") => {
            "to compare, write == with two signs"
        }
        "+" | "-" | "*" | "/"
            if message.contains("syntax error") || message.contains("unexpected symbol") =>
        {
            "Lua has no += and ++; write n = n + 1"
        }
        "{" => "blocks begin with then or do, and end with end",
        "&" | "|" => "Lua writes `and`, `or` and `not`",
        _ => return None,
    })
}
