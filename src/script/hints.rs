//! Hints for Lua's own error messages that beginners meet.

use super::api::{Object, entries};
use super::syntax::mend;

/// A hint for an error message, if a likely cause is known.
pub(super) fn hint(message: &str) -> Option<String> {
    if message.contains("; ") {
        return None; // the message already has a hint
    }
    let about = |kind: &str| message.strip_prefix("attempt to ").and_then(|rest| rest.strip_prefix(kind));
    if let Some(what) = about("index a function value") {
        let method = entries().find(|entry| Some(entry.name) == named(what));
        return Some(match method {
            Some(entry) => format!("{} is a function: call it, {}()", entry.name, entry.spoken()),
            None => "it is a function: call it, with ()".into(),
        });
    }
    if message.contains("(for iterator 'for iterator')") {
        return Some("to go through a list, write: for _, value in ipairs(list) do".into());
    }
    let not_callable =
        ["a boolean", "a number", "a string"].iter().find_map(|kind| about(&format!("call {kind} value")));
    if let Some(name) = not_callable.and_then(named) {
        return Some(format!("'{name}' is a field: leave the () away"));
    }
    if let Some(what) = about("get length of a nil value") {
        return Some(format!(
            "nothing is in {}",
            named(what).map_or("it".into(), |name| format!("'{name}'"))
        ));
    }
    if message.starts_with("attempt to concatenate a table value") {
        return Some("take one of its values, or put them together with table.concat(…)".into());
    }
    if let Some(method) = about("call a nil value (method '").and_then(|rest| rest.strip_suffix("')")) {
        let ours = entries().find(|entry| entry.object == Object::Npc && entry.name == method)?;
        return Some(format!(
            "{} is for characters; handlers are given (self, npc, …) in this order",
            ours.spoken()
        ));
    }
    if let Some(what) = about("call a nil value").or_else(|| about("call a table value")) {
        return Some(match named(what) {
            Some(name) => {
                format!("there is no function '{name}' here; is it misspelt, or defined further down?")
            }
            None => "there is no function here; is a name misspelt?".into(),
        });
    }
    if let Some(what) = about("index a nil value") {
        return Some(match named(what) {
            Some(name) => format!("nothing is in '{name}'; is it set before this line, and spelt so?"),
            None => "what is left of the dot or colon is nil; is it set before this line?".into(),
        });
    }
    if let Some(what) = about("perform arithmetic on a nil value") {
        return Some(match named(what) {
            Some(name) => format!("'{name}' has no value yet; give it one first, in on_spawn say"),
            None => "one side has no value yet".into(),
        });
    }
    if message.starts_with("attempt to concatenate a") {
        return Some("put tostring(…) around it".into());
    }
    if message.starts_with("attempt to compare") && message.contains("nil") {
        return Some("one of the two has no value yet".into());
    }
    if message.starts_with("bad argument #1 to 'ipairs'")
        || message.starts_with("bad argument #1 to 'for iterator'")
    {
        return Some("it goes through a list; is there one?".into());
    }
    mend(message).map(str::to_owned)
}

/// `count` of ` (field 'count')`.
fn named(what: &str) -> Option<&str> {
    what.split('\'').nth(1).filter(|name| *name != "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_mistakes_have_a_mend() {
        let told = |message: &str| hint(message).unwrap_or_default();
        assert!(told("attempt to call a nil value (method 'say')").contains("(self, npc, …)"));
        assert!(told("attempt to call a nil value (global 'greet')").contains("'greet'"));
        assert!(told("attempt to index a nil value (field 'home')").contains("'home'"));
        assert!(
            told("attempt to perform arithmetic on a nil value (field 'count')")
                .contains("'count' has no value")
        );
        assert!(told("'then' expected near '='").contains("=="));
        assert!(told("unexpected symbol near '!'").contains("~="));
        assert_eq!(hint("my own words"), None);
        assert_eq!(hint("no point 'baar'; did you mean 'bar'?"), None);
    }
}
