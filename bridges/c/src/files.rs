//! Files, saves, recordings, lines of Lua, and orders as JSON.

use crate::handle::{CiceroneRoom, with};
use crate::result::{CiceroneResult, Failure, guarded, of_file};
use crate::text::{bytes, give, must_give, text};
use engine::runtime::{Input, LiveReload, Reload, Saved};
use std::ffi::c_char;
use std::fs::File;
use std::io::BufWriter;

/// Replaces a file of the project, a script or a room, and reloads it. Characters go on where they are. `changes` (may be
/// NULL) says in words what changed; it is empty if nothing that runs uses the file. A version with mistakes is refused,
/// the words say where they are, and nothing changes; an event `CICERONE_EVENT_KIND_RELOAD_REFUSED` says so, too. Not from a
/// function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_replace_file(
    room: *mut CiceroneRoom,
    name: *const c_char,
    content: *const u8,
    length: usize,
    changes: *mut *const c_char,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let (name, content) = (text(name, "the name")?, bytes(content, length, "the content")?);
            with(room, |held| {
                let words = match held.runtime().replace_file(name, content).map_err(of_file)? {
                    Reload::Refused { problems, .. } => {
                        let words: Vec<String> = problems.iter().map(ToString::to_string).collect();
                        return Err(of_file(words.join("\n")));
                    }
                    Reload::Done { changes, .. } => changes.join("\n"),
                    _ => String::new(), // nothing changed
                };
                give(changes, held.keep(words));
                Ok(())
            })
        }
    })
}

/// Watches the room's files on the disk. `cicerone_reload` takes over what was saved. With `poll` it looks for itself,
/// where the system gives no notice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_watch(room: *mut CiceroneRoom, poll: bool) -> CiceroneResult {
    guarded(|| {
        with(room, |held| {
            let watched = LiveReload::new(held.runtime(), poll);
            held.watched = Some(watched);
            Ok(())
        })
    })
}

/// Takes over files that were saved since the last time: call it once a frame after `cicerone_watch`. Each is an event:
/// `CICERONE_EVENT_KIND_RELOADED` or `CICERONE_EVENT_KIND_RELOAD_REFUSED`, and some calls later, if there are new
/// warnings, `CICERONE_EVENT_KIND_RELOAD_WARNED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_reload(room: *mut CiceroneRoom) -> CiceroneResult {
    guarded(|| {
        with(room, |held| {
            let Some(mut watched) = held.watched.take() else {
                return Err(Failure(CiceroneResult::Refused, "call cicerone_watch first".into()));
            };
            let reports = watched.poll(held.runtime());
            held.reloads.extend(reports);
            held.watched = Some(watched);
            Ok(())
        })
    })
}

/// Saves the room, with what scripts remember, as text. Not from a function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_save(room: *mut CiceroneRoom, save: *mut *const c_char) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            with(room, |held| {
                let saved = held.runtime().save()?.to_json()?;
                must_give(save, held.keep(saved), "the place for the text")
            })
        }
    })
}

/// Goes back to a save of this room. Scripts begin `run` afresh; calls that they waited for are given up, and come again
/// with other numbers. Not from a function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_restore(room: *mut CiceroneRoom, save: *const c_char) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let saved = Saved::read("save", text(save, "the save")?)?;
            with(room, |held| Ok(held.runtime().go_back_to(&saved)?))
        }
    })
}

/// Records the run from the next step on, into a file that `cicerone replay` plays without the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_record(room: *mut CiceroneRoom, file: *const c_char) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let file = text(file, "the file")?;
            with(room, |held| {
                let out = File::create(file).map_err(|error| of_file(format!("{file}: {error}")))?;
                held.runtime().record(Box::new(BufWriter::new(out))).map_err(of_file)
            })
        }
    })
}

/// Ends the recording.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_stop_recording(room: *mut CiceroneRoom) -> CiceroneResult {
    guarded(|| with(room, |held| held.runtime().stop_recording().map_err(of_file)))
}

/// Runs a line of Lua, as in the console. `answer` (may be NULL) says what it returned, in words. A line that waits
/// returns at once, with an empty answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_lua(
    room: *mut CiceroneRoom,
    line: *const c_char,
    answer: *mut *const c_char,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let line = text(line, "the line")?.to_owned();
            with(room, |held| {
                let runtime = held.runtime();
                runtime.send(Input::Console(line));
                runtime.drain_inbox();
                let words = match runtime.take_answers().pop() {
                    None => String::new(),
                    Some(values @ engine::script::Answer::Values(_)) => values.to_string(),
                    Some(failed) => return Err(Failure(CiceroneResult::Refused, failed.to_string())),
                };
                give(answer, held.keep(words));
                Ok(())
            })
        }
    })
}

/// Carries out an order in the words of `cicerone serve`, for what has no function of its own. `reply` is the reply as
/// JSON; an order that is refused has the key "error" in it. "step", "advance" and "look" take the events with them: those
/// are in the reply, and not told by `cicerone_next_event`. Not from a function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_order(
    room: *mut CiceroneRoom,
    order: *const c_char,
    reply: *mut *const c_char,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let order = text(order, "the order")?;
            with(room, |held| {
                let answered = held.server.answer(order).text;
                must_give(reply, held.keep(answered), "the place for the reply")
            })
        }
    })
}
