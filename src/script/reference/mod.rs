//! The API reference: a page for the terminal, a page in Markdown, and stubs for editors, all made from one
//! table.

mod of_game;
mod stubs;

pub use of_game::{explain_game, list_game, stubs_of_game};
pub use stubs::stubs;

use super::api::{Entry, Kind, Object, Param, REST, TableShape, entries, shapes};
use crate::problem::did_you_mean;
use std::fmt::{self, Write};

/// Objects in reading order, each with its heading and description.
const CHAPTERS: [(Object, &str, &str); 12] = [
    (
        Object::Npc,
        "Characters",
        "A character, as handlers get it (`npc`) and as `room:npc(\"NAME\")` gives it. It is the same object every time, so `==` works, \
         and it may be kept in `self`; used after the character has left, it says who that was and when they left.",
    ),
    (
        Object::Global,
        "Everywhere",
        "Functions that are there in every script, beside Lua's own `assert`, `error`, `ipairs`, `pairs`, `pcall`, `select`, `tonumber`, \
         `tostring`, `type` and so on, and the libraries `coroutine`, `math`, `string`, `table` and `utf8`.",
    ),
    (
        Object::Room,
        "The room",
        "`room` is there in every script, and room scripts get it as their first argument.",
    ),
    (Object::Area, "Area", "An area of the room, as `room:area(\"NAME\")` gives it."),
    (Object::Link, "Link", "A link of the room, as `room:link(\"NAME\")` gives it."),
    (Object::Waypath, "Waypath", "A waypath of the room, as `room:waypath(\"NAME\")` gives it."),
    (
        Object::Tactics,
        "Tactical level",
        "The room's tactical level, as `room:tactics()` gives it. Cells are tables with `x`, `y` and `level`, counted from 0; an actor of \
         2 × 2 cells is named by that with the least `x` and `y`.",
    ),
    (Object::Log, "Log", "Lines for the author, with the file and line they come from."),
    (
        Object::Behaviour,
        "A character's script",
        "The table that a character's script returns. The host calls these functions where they are there; all are optional. `self` is a \
         table of this one character, kept over every reload.",
    ),
    (
        Object::RoomScript,
        "A room's script",
        "The table that a room's script returns. The host calls these functions where they are there; all are optional.",
    ),
    (
        Object::Spec,
        "Specs",
        "What is there in spec files (`NAME_spec.lua`, run by `cicerone test`) and nowhere else, beside all that scripts have. The body of \
         a test is a sequence, so everything that waits can be used in it.",
    ),
    (
        Object::Expectation,
        "Expectations",
        "What `expect(x)` gives. Where one fails, the test ends and has failed. Every `to_…` that is looked at once has an opposite, \
         `not_to_…`; `expect(x):within(seconds):to_…` runs the room until it is so.",
    ),
];

/// The reasons with which a walk, or another wait, ends.
const REASONS: [(&str, &str); 9] = [
    ("arrived", "at the goal"),
    ("partial", "as near as one gets to a goal that cannot be reached"),
    ("no_path", "nowhere: there is no way at all"),
    ("blocked", "held up for ten seconds"),
    ("cancelled", "called off: by another target, a stop, a teleport or death"),
    ("timeout", "it took too long"),
    ("despawned", "the walker left the room"),
    ("done", "what was waited for is over"),
    ("failed", "a branch returned false and no reason"),
];

/// The words for the reasons with which a walk, or another wait, ends.
pub(crate) fn reasons() -> impl Iterator<Item = &'static str> {
    REASONS.iter().map(|(reason, _)| *reason)
}

/// The reference has no entry of this name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoSuchEntry {
    /// The name that was asked for.
    pub name: String,
    /// The nearest name, if there is one.
    pub meant: Option<String>,
}

impl fmt::Display for NoSuchEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no '{}'", self.name)?;
        self.meant.iter().try_for_each(|meant| write!(f, "; did you mean {meant}?"))
    }
}

impl std::error::Error for NoSuchEntry {}

/// The entries that a name may mean: `walk_to`, `npc:walk_to`, `npc.walk_to`.
///
/// # Errors
/// [`NoSuchEntry`], with the nearest name.
pub fn find(name: &str) -> Result<Vec<&'static Entry>, NoSuchEntry> {
    let wanted = name.trim().trim_end_matches("()").replace(':', ".");
    let dotted = |entry: &Entry| entry.spoken().replace(':', ".");
    let opposite = wanted.strip_prefix("not_").filter(|rest| rest.starts_with("to_"));
    let named = |entry: &&Entry| {
        entry.name == wanted || dotted(entry) == wanted || opposite.is_some_and(|name| entry.name == name)
    };
    let found: Vec<_> = entries().filter(named).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let last = wanted.rsplit('.').next().unwrap_or(&wanted);
    let alias = entries().find(|entry| entry.also.contains(&last)).map(Entry::spoken);
    let near = did_you_mean(last, entries().map(|entry| entry.name));
    let near = near.and_then(|near| entries().find(|entry| entry.name == near)).map(Entry::spoken);
    Err(NoSuchEntry { name: name.to_owned(), meant: alias.or(near) })
}

/// The reference of a name for the terminal: a function, a field, an event, an object, a table, or `Reason`.
///
/// # Errors
/// [`NoSuchEntry`], with the nearest name.
pub fn explain(name: &str) -> Result<String, NoSuchEntry> {
    let chapters = CHAPTERS.iter().filter(|(object, ..)| !matches!(object, Object::Global | Object::Spec));
    let named = |object: Object| class_of(object) == name || object.spoken() == name;
    if let Some((object, _, about)) = chapters.clone().find(|(object, ..)| named(*object)) {
        return Ok(format!("{about}\n\n{}", list_of(*object)));
    }
    if let Some(shape) = shapes().find(|shape| shape.name == name) {
        return Ok(shape_in_words(shape, ""));
    }
    match name {
        "Reason" => {
            let lines = REASONS.iter().map(|(reason, about)| format!("  {reason:9}  {about}\n"));
            Ok(format!("How a walk, or another wait, ended.\n\n{}", lines.collect::<String>()))
        }
        "Place" => Ok(PLACE.to_owned() + "\n"),
        _ => find(name).map(|found| found.into_iter().map(page).collect::<Vec<_>>().join("\n")),
    }
}

const PLACE: &str = "A position: a table {x=, z=}, the name of a point, or a character or its name; two numbers x, z will do, too.";

fn shape_in_words(shape: &TableShape, indent: &str) -> String {
    let mut text = format!("{indent}{}: {}\n", shape.name, shape.about);
    let width = shape.fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
    for field in shape.fields {
        let _ = writeln!(text, "{indent}  {:width$}  {}", field.name, field.about);
    }
    text
}

/// All names with a line each, for the terminal.
pub fn list() -> String {
    let mut text = String::new();
    for (object, heading, _) in CHAPTERS {
        let _ = writeln!(text, "{heading}\n{}", list_of(object));
    }
    text + "`cicerone api NAME` tells more, with an example.\n"
}

fn list_of(object: Object) -> String {
    lines_of(entries().filter(|entry| entry.object == object))
}

fn lines_of(entries: impl Iterator<Item = &'static Entry>) -> String {
    let mut text = String::new();
    for entry in entries {
        let signature = entry.signature();
        if signature.chars().count() > SIGNATURE_COLUMNS {
            let _ = writeln!(text, "  {signature}\n  {:SIGNATURE_COLUMNS$}  {}", "", entry.summary());
        } else {
            let _ = writeln!(text, "  {signature:SIGNATURE_COLUMNS$}  {}", entry.summary());
        }
    }
    text
}

const SIGNATURE_COLUMNS: usize = 46;

/// One entry for the terminal.
pub fn page(entry: &Entry) -> String {
    let mut text = format!("{}\n", entry.signature());
    if entry.kind() == Kind::Blocking {
        text += match entry.object {
            Object::Spec | Object::Expectation => {
                "  (waits: in tests only, that is in it(…), before_each(…) and after_each(…))\n"
            }
            _ => "  (waits: in sequences only, that is in `run` or in a function given to `start`)\n",
        };
    }
    if entry.kind() == Kind::Field {
        text += "  (cannot be set)\n";
    }
    let _ = writeln!(text);
    for line in entry.about().lines() {
        let _ = writeln!(text, "  {line}");
    }
    let mut rows: Vec<[String; 3]> = Vec::new();
    rows.extend(entry.params.iter().map(|param| {
        let optional = if param.optional && param.name != REST { "?" } else { "" };
        [format!("{}{optional}", lua_name(param)), param.lua_type.to_owned(), param.about.to_owned()]
    }));
    let returns = entry.returns.iter().filter(|value| !value.about.is_empty());
    rows.extend(
        returns
            .map(|value| [format!("-> {}", value.name), value.lua_type.to_owned(), value.about.to_owned()]),
    );
    if !rows.is_empty() {
        let _ = writeln!(text);
        let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0).min(28);
        let (first, second) = (width(0), width(1));
        for [name, lua_type, about] in &rows {
            let _ = writeln!(text, "  {name:first$}  {lua_type:second$}  {about}");
        }
    }
    let types = entry.params.iter().map(|param| param.lua_type);
    let types: Vec<&str> = types.chain(entry.returns.iter().map(|value| value.lua_type)).collect();
    let named = |shape: &&TableShape| {
        types.iter().any(|lua_type| lua_type.split(['|', '?', '[']).any(|t| t == shape.name))
    };
    for shape in shapes().filter(named).filter(|shape| shape.name != "Point") {
        text.push('\n');
        text += &shape_in_words(shape, "  ");
    }
    let _ = writeln!(text, "\nExample\n");
    for line in example(entry).lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// An entry's example without the indent it has in the table.
pub fn example(entry: &Entry) -> String {
    let lines: Vec<&str> =
        entry.example.lines().skip_while(|line| line.trim().is_empty()).map(str::trim_end).collect();
    let indent =
        lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len());
    let indent = indent.min().unwrap_or(0);
    let text: String = lines.iter().map(|line| format!("{}\n", line.get(indent..).unwrap_or(""))).collect();
    text.trim_end().to_owned() + "\n"
}

/// The reference page.
pub fn markdown() -> String {
    let mut text = String::from(
        "# What scripts can call\n\n\
         Made by `cicerone api --format markdown`; change the table in `src/script/api/`, not this page. Every example here is run by a \
         test, in a room with a hall, a closed cellar door, the points `bar`, `well` and `barrels`, a hotspot `tap`, and the characters `guard` (`npc` in the \
         examples), `ann` and `player`.\n\n\
         A `Place` is a table `{x=, z=}`, the name of a point, or a character or its name; wherever one is taken, two numbers `x, z` will \
         do, too. What is marked *waits* can only be called in sequences: in `run`, or in a function given to `start`.\n\n",
    );
    for (object, heading, _) in CHAPTERS {
        let names: Vec<String> = entries()
            .filter(|entry| entry.object == object)
            .map(|entry| format!("`{}`", entry.name))
            .collect();
        let anchor = heading.to_lowercase().replace(' ', "-").replace('\'', "");
        let _ = writeln!(text, "- [{heading}](#{anchor}): {}", names.join(", "));
    }
    text += "- [Tables](#tables)\n\n";
    for (object, heading, about) in CHAPTERS {
        let _ = writeln!(text, "## {heading}\n\n{about}\n");
        for entry in entries().filter(|entry| entry.object == object) {
            let waits = if entry.kind() == Kind::Blocking { " *waits*" } else { "" };
            let fixed = if entry.kind() == Kind::Field { " *cannot be set*" } else { "" };
            let _ = writeln!(text, "### `{}`{waits}{fixed}\n\n{}\n", entry.signature(), entry.about());
            for param in entry.params.iter().filter(|param| param.name != "self") {
                let optional = if param.optional { ", may be left out" } else { "" };
                let _ = writeln!(
                    text,
                    "- `{}` ({}{optional}): {}",
                    lua_name(param),
                    code(param.lua_type),
                    param.about
                );
            }
            for value in entry.returns.iter().filter(|value| !value.about.is_empty()) {
                let _ =
                    writeln!(text, "- returns `{}` ({}): {}", value.name, code(value.lua_type), value.about);
            }
            let _ = writeln!(text, "\n```lua\n{}```\n", example(entry));
        }
    }
    text += "## Tables\n\n";
    for shape in shapes() {
        let _ = writeln!(text, "### `{}`\n\n{}\n", shape.name, shape.about);
        for field in shape.fields {
            let _ = writeln!(text, "- `{}` ({}): {}", field.name, code(field.lua_type), field.about);
        }
        text.push('\n');
    }
    text += "### `Reason`\n\n";
    for (reason, about) in REASONS {
        let _ = writeln!(text, "- `{reason}`: {about}");
    }
    text
}

fn code(lua_type: &str) -> String {
    format!("`{lua_type}`")
}

fn lua_name(param: &Param) -> &'static str {
    if param.name == REST { "..." } else { param.name }
}

fn class_of(object: Object) -> &'static str {
    match object {
        Object::Global => "_G",
        Object::Npc => "Npc",
        Object::Room => "Room",
        Object::Area => "Area",
        Object::Link => "Link",
        Object::Waypath => "Waypath",
        Object::Tactics => "Tactics",
        Object::Log => "log",
        Object::Behaviour => "Behaviour",
        Object::RoomScript => "RoomScript",
        Object::Spec => "Spec",
        Object::Expectation => "Expectation",
        Object::Thing(kind) => kind,
    }
}
