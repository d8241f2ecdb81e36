//! An attack: some Lua, the dresses it comes in, and what is to be said of it.

/// What must become of it. Whatever is reported names the attacking file and one of the attack's lines.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Outcome {
    /// It is stopped and told.
    Stopped,
    /// It is told in these words, among others.
    Told(&'static str),
    /// It is told or comes to nothing, as the sandbox likes.
    Either,
    /// It is honest, or harmless: nothing is told.
    Quiet,
}

/// How an attack is brought to bear.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Dress {
    /// In `on_update`.
    Handler,
    /// In `run`.
    Sequence,
    /// In a coroutine that `on_update` makes.
    Coroutine,
    /// By the lines of the file itself, when the room is opened.
    Opened,
    /// The same, when the file is saved later on.
    Reloaded,
}

/// One attack. Without a line marked `-- HERE`, any line of the code that does it may be blamed; else only marked ones.
pub(crate) struct Attack {
    lua: Vec<u8>,
    is_whole_file: bool,
    pub(crate) outcome: Outcome,
    pub(crate) dresses: Vec<Dress>,
    /// Whether it goes on in every tick instead of once.
    repeated: bool,
    /// Ticks it is given.
    pub(crate) ticks: u64,
    /// Whether it may send the healthy characters away.
    pub(crate) sends_all_away: bool,
}

/// What a mark looks like.
const MARK: &str = "-- HERE";

/// An attack by some statements, in all dresses. They know `self` and `npc`; those that need `npc` are left out at
/// load.
pub(crate) fn body(lua: impl Into<String>) -> Attack {
    let lua = lua.into();
    let mut dresses = vec![Dress::Handler, Dress::Sequence, Dress::Coroutine];
    if !lua.contains("npc") {
        dresses.extend([Dress::Opened, Dress::Reloaded]);
    }
    Attack { dresses, ..file(lua) }.in_part()
}

/// An attack by a whole file, opened and reloaded.
pub(crate) fn file(lua: impl Into<Vec<u8>>) -> Attack {
    Attack {
        lua: lua.into(),
        is_whole_file: true,
        outcome: Outcome::Stopped,
        dresses: vec![Dress::Opened, Dress::Reloaded],
        repeated: false,
        ticks: 6,
        sends_all_away: false,
    }
}

impl Attack {
    fn in_part(self) -> Self {
        Self { is_whole_file: false, ..self }
    }

    pub(crate) fn told(self, words: &'static str) -> Self {
        Self { outcome: Outcome::Told(words), ..self }
    }

    pub(crate) fn either(self) -> Self {
        Self { outcome: Outcome::Either, ..self }
    }

    pub(crate) fn quiet(self) -> Self {
        Self { outcome: Outcome::Quiet, ..self }
    }

    pub(crate) fn only(self, dresses: &[Dress]) -> Self {
        Self { dresses: dresses.to_vec(), ..self }
    }

    pub(crate) fn ticks(self, ticks: u64) -> Self {
        Self { ticks, ..self }
    }

    pub(crate) fn repeated(self) -> Self {
        Self { repeated: true, ..self }
    }

    pub(crate) fn sends_all_away(self) -> Self {
        Self { sends_all_away: true, ..self }
    }

    /// The text of the attacking file.
    pub(crate) fn text(&self, dress: Dress) -> Vec<u8> {
        if self.is_whole_file {
            return self.lua.clone();
        }
        let body = String::from_utf8(self.lua.clone()).unwrap();
        let when = if self.repeated { "room.tick >= 3" } else { "room.tick == 3" };
        let round = if self.repeated { "while true do" } else { "do" };
        let text = match dress {
            Dress::Handler => {
                format!(
                    "local A = {{}}\nfunction A.on_update(self, npc)\nif {when} then\n{body}\nend\nend\nreturn A"
                )
            }
            Dress::Sequence => format!(
                "local A = {{}}\nfunction A.run(self, npc)\nwhile room.tick < 3 do wait(0) end\n{round}\ndo\n{body}\nend\nwait(0)\nend\nend\nreturn A"
            ),
            Dress::Coroutine => format!(
                "local A = {{}}\nfunction A.on_update(self, npc)\nif {when} then\ncoroutine.wrap(function()\n{body}\nend)()\nend\nend\nreturn A"
            ),
            Dress::Opened | Dress::Reloaded => format!("local self = {{}}\ndo\n{body}\nend\nreturn {{}}"),
        };
        text.into_bytes()
    }

    /// Whether a report may blame this line of a text.
    pub(crate) fn may_blame(&self, text: &[u8], line: u32) -> bool {
        let text = String::from_utf8_lossy(text);
        let count = text.lines().count().max(1);
        let marked: Vec<usize> =
            (1..).zip(text.lines()).filter(|(_, line)| line.contains(MARK)).map(|(at, _)| at).collect();
        if marked.is_empty() {
            (1..=count).contains(&(line as usize))
        } else {
            marked.contains(&(line as usize))
        }
    }
}
