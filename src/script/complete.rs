//! What can be written at the cursor of a half-written line of Lua. A pure function of the text and of the names there are.

use super::api::{Kind, entries};
use std::collections::BTreeSet;

/// Every name that may be meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// What scripts are given.
    pub known: Vec<Known>,
    /// What earlier lines assigned.
    pub variables: Vec<Variable>,
    /// Who is in the room.
    pub characters: Vec<String>,
    /// The room's points.
    pub points: Vec<String>,
    /// The room's areas.
    pub areas: Vec<String>,
}

/// A name that scripts are given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// What it belongs to: `npc`, `room`, `point`, a library; empty for what is there everywhere.
    pub object: &'static str,
    /// The name itself.
    pub name: &'static str,
    /// Whether it is read instead of called.
    pub is_field: bool,
    /// What it takes and gives, like `npc:walk_to(place) -> ok, reason`; may be empty.
    pub signature: String,
    /// What it does, in one line; may be empty.
    pub summary: String,
}

/// A variable of the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it holds, if that is an object: `npc`, `room`.
    pub object: Option<&'static str>,
}

/// What may stand in the place of the last letters before the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where these letters begin.
    pub from: usize,
    /// In alphabetical order; each begins with these letters.
    pub candidates: Vec<Candidate>,
}

/// One possibility.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// What is written.
    pub text: String,
    /// What it takes and gives, or its name.
    pub signature: String,
    /// What it does, or what it is the name of; may be empty.
    pub summary: String,
}

impl Completion {
    /// What all candidates begin with.
    pub fn common_prefix(&self) -> &str {
        let Some(first) = self.candidates.first() else { return "" };
        let common = self.candidates.iter().fold(first.text.len(), |common, other| {
            let same = first.text.char_indices().zip(other.text.chars()).take_while(|((_, a), b)| a == b);
            same.last().map_or(0, |((at, letter), _)| at + letter.len_utf8()).min(common)
        });
        &first.text[..common]
    }
}

/// What can be written at the end of this text.
pub fn complete(text: &str, names: &Names) -> Completion {
    let reading = Reading::of(text);
    match reading.place {
        Place::Comment => Completion::default(),
        Place::Text(from) => {
            let callee = reading.callee_of_text(text, from);
            among(text, from, named_things(callee, names))
        }
        Place::Code => {
            let from = text.len() - trailing_name(text).len();
            let before = text[..from].trim_end();
            match before.chars().next_back() {
                _ if text[from..].starts_with(|letter: char| letter.is_ascii_digit()) => {
                    Completion::default()
                }
                Some(sign @ ('.' | ':')) if !before.ends_with("..") && !before.ends_with("::") => {
                    let receiver = &before[..before.len() - 1];
                    let of = reading.object_at(receiver, names);
                    among(text, from, members(of, sign == '.', names))
                }
                _ => among(text, from, globals(names)),
            }
        }
    }
}

/// What scripts are given: ours with words from the API table, and Lua's own.
pub(super) fn known() -> Vec<Known> {
    let ours = entries().filter(|entry| entry.kind() != Kind::Event).map(|entry| Known {
        object: entry.object.spoken(),
        name: entry.name,
        is_field: matches!(entry.kind(), Kind::Field | Kind::Setting),
        signature: entry.signature(),
        summary: entry.summary(),
    });
    let plain = |object, name, is_field| Known {
        object,
        name,
        is_field,
        signature: String::new(),
        summary: String::new(),
    };
    let point = ["x", "z"].map(|name| plain("point", name, true));
    let libraries = LIBRARIES.iter().flat_map(|&(library, names)| {
        names.split_whitespace().map(move |name| plain(library, name, CONSTANTS.contains(&name)))
    });
    ours.chain(point).chain(libraries).collect()
}

/// Names that are read, not called.
const CONSTANTS: [&str; 8] = ["room", "_G", "huge", "pi", "maxinteger", "mininteger", "charpattern", "_"];

/// Lua's own, and the room.
const LIBRARIES: [(&str, &str); 7] = [
    (
        "",
        "assert error getmetatable ipairs next pairs pcall rawequal rawget rawlen rawset room select setmetatable tonumber
         tostring type xpcall _G",
    ),
    ("coroutine", "close create isyieldable resume running status wrap yield"),
    ("log", ""),
    (
        "math",
        "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi rad random sin sqrt
         tan tointeger type ult",
    ),
    ("string", "byte char find format gmatch gsub len lower match rep reverse sub upper"),
    ("table", "concat insert move pack remove sort unpack"),
    ("utf8", "char charpattern codepoint codes len offset"),
];

/// What these functions give.
const GIVEN: [(&str, &str); 10] = [
    ("npc", "npc"),
    ("find_npc", "npc"),
    ("area", "area"),
    ("spawn", "npc"),
    ("npcs", LIST_OF_NPCS),
    ("npcs_in", LIST_OF_NPCS),
    ("pos", "point"),
    ("target", "point"),
    ("point", "point"),
    ("nearest", "point"),
];
const LIST_OF_NPCS: &str = "npc[]";

/// What a name holds that nobody assigned here: scripts call characters so.
const CALLED_NPC: [&str; 5] = ["npc", "self", "other", "player", "who"];

/// Functions whose text names an area, whose text names a character, and whose text is free.
const TAKE_AREA: [&str; 4] = ["set_area_available", "is_area_available", "npcs_in", "area"];
const TAKE_CHARACTER: [&str; 3] = ["npc", "find_npc", "send"];
const TAKE_ANYTHING: [&str; 15] = [
    "say",
    "print",
    "require",
    "debug",
    "info",
    "warn",
    "error",
    "npcs",
    "has_tag",
    "add_tag",
    "remove_tag",
    "assert",
    "format",
    "find",
    "gsub",
];

/// Those that begin with what stands from `from` to the end of the text.
fn among(text: &str, from: usize, candidates: Vec<Candidate>) -> Completion {
    let begun = &text[from..];
    let sorted: BTreeSet<Candidate> =
        candidates.into_iter().filter(|candidate| candidate.text.starts_with(begun)).collect();
    Completion { from, candidates: sorted.into_iter().collect() }
}

fn globals(names: &Names) -> Vec<Candidate> {
    let variable = |variable: &Variable| Candidate {
        text: variable.name.clone(),
        signature: variable.name.clone(),
        summary: variable.object.map(|object| format!("holds {}", described(object))).unwrap_or_default(),
    };
    let library = |&(library, _): &(&str, &str)| Candidate {
        text: format!("{library}."),
        signature: library.to_owned(),
        summary: "a library".to_owned(),
    };
    let known = names.known.iter().filter(|known| known.object.is_empty()).map(candidate);
    let libraries = LIBRARIES.iter().filter(|(library, _)| !library.is_empty()).map(library);
    known.chain(libraries).chain(names.variables.iter().map(variable)).collect()
}

/// What stands behind a dot or a colon; of every object if nobody knows which it is.
fn members(of: Option<&str>, behind_dot: bool, names: &Names) -> Vec<Candidate> {
    let is_library = of.is_some_and(|of| LIBRARIES.iter().any(|(library, _)| *library == of));
    let fits = |known: &&Known| match of {
        Some(of) => known.object == of && (is_library && behind_dot || known.is_field == behind_dot),
        None => ["npc", "room", "area", "point"].contains(&known.object) && known.is_field == behind_dot,
    };
    names.known.iter().filter(fits).map(candidate).collect()
}

/// What the text that a function takes may name.
fn named_things(callee: &str, names: &Names) -> Vec<Candidate> {
    let all = [("area", &names.areas), ("character", &names.characters), ("point", &names.points)];
    let wanted = |what: &str| match callee {
        _ if TAKE_ANYTHING.contains(&callee) => false,
        _ if TAKE_AREA.contains(&callee) => what == "area",
        _ if TAKE_CHARACTER.contains(&callee) => what == "character",
        _ => true,
    };
    let things = all.into_iter().filter(|(what, _)| wanted(what));
    let candidates = |(what, names): (&str, &Vec<String>)| {
        let article = if what == "area" { "an" } else { "a" };
        let candidate = |name: &String| Candidate {
            text: name.clone(),
            signature: name.clone(),
            summary: format!("{article} {what}"),
        };
        names.iter().map(candidate).collect::<Vec<_>>()
    };
    things.flat_map(candidates).collect()
}

fn candidate(known: &Known) -> Candidate {
    let signature = known.signature.find(known.name).map_or(known.name, |at| &known.signature[at..]);
    // A function's bracket is opened, and closed at once if there is nothing to put into it.
    let bracket = match known.is_field {
        true => "",
        false if signature.strip_prefix(known.name).is_some_and(|rest| rest.starts_with("()")) => "()",
        false => "(",
    };
    Candidate {
        text: format!("{}{bracket}", known.name),
        signature: signature.to_owned(),
        summary: known.summary.clone(),
    }
}

fn described(object: &str) -> &str {
    match object {
        "npc" => "a character",
        "room" => "the room",
        "area" => "an area",
        other => other,
    }
}

/// The letters at the end of a text that can be the beginning of a name.
fn trailing_name(text: &str) -> &str {
    let other = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
    text.rfind(other).map_or(text, |at| &text[at + text[at..].chars().next().map_or(1, char::len_utf8)..])
}

/// Where the end of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Code,
    /// In a string whose content begins here.
    Text(usize),
    Comment,
}

/// A text, read from its beginning.
struct Reading<'a> {
    place: Place,
    /// The brackets that are open, each with what stands before it.
    open: Vec<(char, &'a str)>,
    /// Where the last bracket was closed, or the last string that a function took without brackets, and what came of it.
    closed: Option<(usize, &'static str)>,
}

impl<'a> Reading<'a> {
    fn of(text: &'a str) -> Self {
        let mut reading = Self { place: Place::Code, open: Vec::new(), closed: None };
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            let next = at + letter.len_utf8();
            let rest = &text[next..];
            at = match letter {
                '-' if rest.starts_with('-') => {
                    let end = match long_bracket(&rest[1..]) {
                        Some((_, length)) => length.map(|length| next + 1 + length),
                        None => rest.find('\n').map(|end| next + end),
                    };
                    let Some(end) = end else {
                        reading.place = Place::Comment;
                        break;
                    };
                    end
                }
                '"' | '\'' => {
                    let Some(length) = quoted_length(rest, letter) else {
                        reading.place = Place::Text(next);
                        break;
                    };
                    reading.closed =
                        given_by(trailing_name(text[..at].trim_end())).map(|of| (next + length, of));
                    next + length
                }
                '[' if long_bracket(&text[at..]).is_some() => match long_bracket(&text[at..]) {
                    Some((_, Some(length))) => at + length,
                    Some((opening, None)) => {
                        reading.place = Place::Text(at + opening);
                        break;
                    }
                    None => next,
                },
                '(' | '{' | '[' => {
                    let before = text[..at].trim_end();
                    let before = match (letter, reading.closed) {
                        ('(', _) => trailing_name(before),
                        ('[', Some((end, of))) if end == before.len() => of,
                        _ => "",
                    };
                    reading.open.push((letter, before));
                    next
                }
                ')' | '}' | ']' => {
                    let of = match reading.open.pop() {
                        Some(('(', callee)) => given_by(callee),
                        Some(('[', LIST_OF_NPCS)) => Some("npc"),
                        _ => None,
                    };
                    reading.closed = of.map(|of| (next, of));
                    next
                }
                _ => next,
            };
        }
        reading
    }

    /// The function that takes the string which begins at `from`.
    fn callee_of_text(&self, text: &'a str, from: usize) -> &'a str {
        let before = text[..from].trim_end_matches(['"', '\'', '[', '=']).trim_end();
        match (trailing_name(before), self.open.last()) {
            ("", Some(('(', callee))) => callee,
            ("", _) => "",
            (callee, _) => callee,
        }
    }

    /// What the expression at the end of a text is, if that can be seen.
    fn object_at(&self, receiver: &str, names: &Names) -> Option<&'static str> {
        let receiver = receiver.trim_end();
        if let Some((_, of)) = self.closed.filter(|(end, _)| *end == receiver.len()) {
            return (of != LIST_OF_NPCS).then_some(of);
        }
        let name = trailing_name(receiver);
        if receiver[..receiver.len() - name.len()].trim_end().ends_with(['.', ':']) {
            return None;
        }
        let variable = names.variables.iter().find(|variable| variable.name == name);
        if let Some(variable) = variable {
            return variable.object;
        }
        let library = LIBRARIES
            .iter()
            .map(|&(library, _)| library)
            .find(|library| *library == name && !name.is_empty());
        match name {
            "room" => Some("room"),
            name if CALLED_NPC.contains(&name) => Some("npc"),
            _ => library,
        }
    }
}

fn given_by(callee: &str) -> Option<&'static str> {
    GIVEN.iter().find(|(name, _)| *name == callee).map(|&(_, of)| of)
}

/// How long a string is, its closing quote counted in; `None` if it is not closed.
fn quoted_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in rest.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// If a text begins with a long bracket: how long that is, and how long everything up to the end of the closing one.
fn long_bracket(text: &str) -> Option<(usize, Option<usize>)> {
    let rest = text.strip_prefix('[')?;
    let level = rest.len() - rest.trim_start_matches('=').len();
    let content = rest[level..].strip_prefix('[')?;
    let opening = level + 2;
    let closing = format!("]{}]", "=".repeat(level));
    Some((opening, content.find(&closing).map(|at| opening + at + closing.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let mut known = known();
        for known in &mut known {
            if known.object == "npc" && known.name == "walk_to" {
                known.signature = "npc:walk_to(place, options?) -> ok, reason".into();
                known.summary = "Walks there.".into();
            } else if known.object == "npc" && known.name == "pos" {
                known.signature = "npc:pos() -> point".into();
            }
        }
        let variable = |name: &str, object| Variable { name: name.into(), object };
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Names {
            known,
            variables: vec![
                variable("g", Some("npc")),
                variable("gold", None),
                variable("hall", Some("room")),
            ],
            characters: list(&["guard", "grete", "thief"]),
            points: list(&["gate", "well"]),
            areas: list(&["gallery", "vault"]),
        }
    }

    /// What is offered at the end of a text, with what stands before it.
    fn offered(text: &str) -> Vec<String> {
        let completion = complete(text, &names());
        let before = &text[..completion.from];
        completion.candidates.iter().map(|candidate| format!("{before}{}", candidate.text)).collect()
    }

    #[test]
    fn what_is_offered_after_what() {
        let table: &[(&str, &[&str])] = &[
            // Globals, libraries, variables.
            ("roo", &["room"]),
            ("x = mat", &["x = math."]),
            ("g", &["g", "getmetatable(", "gold"]),
            ("f(go", &["f(gold"]),
            ("wa", &["wait("]),
            // Members of what is known.
            ("room:np", &["room:npc(", "room:npcs(", "room:npcs_in("]),
            ("room.ti", &["room.tick", "room.time"]),
            ("room.np", &[]),
            ("room : nea", &["room : nearest("]),
            ("math.ma", &["math.max(", "math.maxinteger"]),
            ("log.w", &["log.warn("]),
            ("string.u", &["string.upper("]),
            ("room:npc(\"a):b\"):walk", &["room:npc(\"a):b\"):walk_to("]),
            ("room:npc 'ada':walk_t", &["room:npc 'ada':walk_to("]),
            ("room:npc(\"ada\"):pos().", &["room:npc(\"ada\"):pos().x", "room:npc(\"ada\"):pos().z"]),
            ("room:npcs()[1].walk_", &["room:npcs()[1].walk_speed"]),
            ("room:npcs().walk_", &["room:npcs().walk_speed"]), // nobody knows what that may be
            ("g:walk_", &["g:walk_to("]),
            ("hall:npcs_", &["hall:npcs_in("]),
            ("npc:po", &["npc:pos()"]),
            ("npc.po", &[]),
            ("f(g):is_", &["f(g):is_area_available(", "f(g):is_moving(", "f(g):is_walkable("]),
            ("a.b:is_m", &["a.b:is_moving("]),
            // Strings.
            ("room:npc(\"g", &["room:npc(\"grete", "room:npc(\"guard"]),
            ("room:npc 'gu", &["room:npc 'guard"]),
            ("set_area_available(\"", &["set_area_available(\"gallery", "set_area_available(\"vault"]),
            (
                "g:walk_to('g",
                &["g:walk_to('gallery", "g:walk_to('gate", "g:walk_to('grete", "g:walk_to('guard"],
            ),
            ("find_path(g, [[we", &["find_path(g, [[well"]),
            ("g:say(\"g", &[]),
            ("x = \"th", &["x = \"thief"]),
            // Neither code nor string.
            ("-- room:np", &[]),
            ("--[[ room ]] roo", &["--[[ room ]] room"]),
            ("12", &[]),
            ("\"a\"..g", &["\"a\"..g", "\"a\"..getmetatable(", "\"a\"..gold"]),
            ("ö:walk_t", &["ö:walk_to("]),
            ("", &[]),
        ];
        for (text, expected) in table {
            let found = offered(text);
            if text.is_empty() {
                assert!(found.len() > 30, "at the beginning, everything: {found:?}");
            } else {
                assert_eq!(found, *expected, "after {text:?}");
            }
        }
    }

    #[test]
    fn candidates_say_what_they_are() {
        let completion = complete("g:walk", &names());
        let [only] = &completion.candidates[..] else { panic!("{completion:?}") };
        assert_eq!((&*only.text, &*only.signature), ("walk_to(", "walk_to(place, options?) -> ok, reason"));
        assert_eq!(only.summary, "Walks there.");
        assert_eq!(complete("room:npc('th", &names()).candidates[0].summary, "a character");
        assert_eq!(complete("hal", &names()).candidates[0].summary, "holds the room");
    }

    #[test]
    fn what_all_begin_with_is_known() {
        assert_eq!(complete("room:n", &names()).common_prefix(), "n");
        assert_eq!(complete("room:np", &names()).common_prefix(), "npc");
        assert_eq!(complete("nothing", &names()).common_prefix(), "");
    }

    #[test]
    fn everything_that_scripts_reach_is_known() {
        let listed =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sandbox/capabilities.txt"));
        let known = known();
        let all: BTreeSet<String> = known
            .iter()
            .map(|known| {
                if known.object.is_empty() {
                    known.name.into()
                } else {
                    format!("{}.{}", known.object, known.name)
                }
            })
            .collect();
        for line in
            listed.unwrap().lines().filter(|line| !line.starts_with("_G") && !line.ends_with(" table"))
        {
            let name = line.split(' ').next().unwrap();
            assert!(all.contains(name), "{name}");
        }
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in
            ["(", ")))", "\"", "'\\", "[==[", "[=", "--[[", "a.", ":", "::", "..", "ü", "a:b(c[d{e", "[[ ]]:"]
        {
            let completion = complete(text, &names());
            assert!(completion.from <= text.len());
        }
    }
}
