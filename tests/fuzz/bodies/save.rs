//! Saved rooms.

use super::{check_problems, check_words, folder, life};
use cicerone::record::RoomText;
use cicerone::runtime::{Options, Runtime, Saved};
use serde_json::Value;

/// What Ann and the room do while the corpus is made, and after an input was brought back: things that are saved.
pub const ANN: &str = r#"local A = {}
function A.run(self, npc)
  self.list = self.list or { 1, { deep = true }, npc }
  while true do
    npc:walk_to(7, 1) npc:say("there") wait(0.2) npc:walk_to("bar")
  end
end
function A.on_reload(self, npc) log.info("back", self.list and #self.list) end
return A"#;

pub const ROOM: &str = r#"return {
  on_load = function(room)
    room.state.count = 0
    after(0.5, "count", { list = { 1, 2.5 } })
  end,
  on_timer = function(room)
    room.state.count = room.state.count + 1
    after(0.5, "count")
  end,
}"#;

pub fn project() -> cicerone::project::Project {
    folder::project(&[("scripts/ann.lua", ANN.as_bytes()), ("scripts/room.lua", ROOM.as_bytes())])
}

pub fn options() -> Options {
    Options::default().with_seed(3).with_limits(folder::limits())
}

pub fn run(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let saved = match Saved::read("game.save", text) {
        Ok(saved) => saved,
        Err(error) => {
            assert_eq!(Saved::read("game.save", text).unwrap_err(), error, "refused in two ways");
            check_problems(&error.problems, Some(&error.source));
            return false;
        }
    };
    let written = saved.to_json().unwrap();
    let again = Saved::read("game.save", &written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    // A number that is none equals nothing, so texts are compared.
    assert_eq!(again.to_json().unwrap(), written, "what is written reads otherwise");
    if !is_small(&written) {
        return true;
    }
    let (first, second) = (go_on(&saved), go_on(&saved));
    assert_eq!(first, second, "brought back in two ways");
    first.is_ok()
}

/// Brings a room back and lets it run; its checksums, or why it did not come back.
fn go_on(saved: &Saved) -> Result<Vec<u64>, String> {
    let mut runtime = Runtime::restore(project(), saved, options()).map_err(|error| {
        check_problems(&error.problems, None);
        error.to_string()
    })?;
    let mut hashes = vec![runtime.world().checksum()];
    for _ in 0..20 {
        runtime.step();
        hashes.push(runtime.world().checksum());
    }
    super::script::check_events(&mut runtime);
    match runtime.save() {
        Ok(later) => {
            let text = later.to_json().unwrap();
            let later = Saved::read("later.save", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let back = Runtime::restore(project(), &later, options());
            let back =
                back.unwrap_or_else(|error| panic!("what was saved does not come back: {error}\n{text}"));
            assert_eq!(back.world().checksum(), runtime.world().checksum(), "what is saved is another world");
        }
        Err(error) => check_words(&error.to_string()),
    }
    Ok(hashes)
}

/// Whether the room that was saved is small enough to be entered here.
fn is_small(json: &str) -> bool {
    let file: Value = serde_json::from_str(json).unwrap();
    let text: RoomText = serde_json::from_value(file["room"].clone()).unwrap();
    text.room("room").map_or(true, |room| life::is_small(&room))
}
