//! Options, and opening and closing rooms.

use crate::handle::{CiceroneRoom, close, opened};
use crate::numbers::Numbers;
use crate::result::{CiceroneResult, Failure, guarded, invalid, of_file};
use crate::text::{bytes, must_give, text};
use engine::project::{FileError, Files, MemoryFiles, Project};
use engine::runtime::{Options, Runtime};
use std::ffi::{c_char, c_void};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// How a room is opened: its seed, its files if they are not on the disk, the functions of the game.
pub enum CiceroneOptions {}

static OPTIONS: Numbers<Mutex<Settings>> = Numbers::new("the options", "freed");

#[derive(Default)]
pub(crate) struct Settings {
    pub options: Options,
    memory: Option<MemoryFiles>,
    reader: Option<Reader>,
}

/// Reads a file of the project for cicerone. The name is the path from the project's root, with `/` between the parts.
/// Calls `cicerone_file_content` with `file` if there is such a file. It may be called from any thread.
pub type CiceroneReadFile =
    Option<unsafe extern "C" fn(user: *mut c_void, name: *const c_char, file: *mut CiceroneFile)>;

/// A file while it is read.
pub struct CiceroneFile(Option<Vec<u8>>);

/// The game's function that reads files.
#[derive(Clone, Copy)]
struct Reader {
    read: unsafe extern "C" fn(*mut c_void, *const c_char, *mut CiceroneFile),
    user: *mut c_void,
}

// SAFETY: the header says that the function is called from any thread, so the game must let it.
unsafe impl Send for Reader {}
// SAFETY: as above.
unsafe impl Sync for Reader {}

impl Files for Reader {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        let mut file = CiceroneFile(None);
        let name = crate::text::c_string(name);
        // SAFETY: the function and its pointer are the game's, and the file lives during the call.
        unsafe { (self.read)(self.user, name.as_ptr(), &raw mut file) };
        file.0.ok_or(FileError::Missing)
    }
}

/// Uses options.
pub(crate) fn change(
    options: *const CiceroneOptions,
    work: impl FnOnce(&mut Settings) -> Result<(), Failure>,
) -> CiceroneResult {
    guarded(|| {
        let options = OPTIONS.find(options)?;
        let mut settings = options.try_lock().map_err(|_| in_use())?;
        work(&mut settings)
    })
}

/// New options: seed 0, files from the disk, no functions of the game.
#[unsafe(no_mangle)]
pub extern "C" fn cicerone_options_new() -> *mut CiceroneOptions {
    OPTIONS.add(Mutex::default())
}

fn in_use() -> Failure {
    invalid("the options are used by another call")
}

/// Frees options. Rooms that were opened with them stay as they are. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_options_free(options: *mut CiceroneOptions) -> CiceroneResult {
    guarded(|| if options.is_null() { Ok(()) } else { OPTIONS.remove(options).map(drop) })
}

/// The seed of every random stream. The same seed, room and orders make the same run, on every machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_options_seed(options: *mut CiceroneOptions, seed: u64) -> CiceroneResult {
    change(options, |settings| {
        settings.options.seed = seed;
        Ok(())
    })
}

/// Adds a file in memory. With the first one, nothing is read from the disk any more. The name is the path from the
/// project's root: "rooms/hall.json".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_options_file(
    options: *mut CiceroneOptions,
    name: *const c_char,
    content: *const u8,
    length: usize,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe {
        change(options, |settings| {
            let (name, content) = (text(name, "the name")?, bytes(content, length, "the content")?);
            settings.memory = Some(settings.memory.take().unwrap_or_default().with(name, content));
            Ok(())
        })
    }
}

/// Reads all files through a function of the game: an archive, an asset server. Files in memory come first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_options_read_files(
    options: *mut CiceroneOptions,
    read: CiceroneReadFile,
    user: *mut c_void,
) -> CiceroneResult {
    change(options, |settings| {
        let read = read.ok_or_else(|| invalid("the function is NULL"))?;
        settings.reader = Some(Reader { read, user });
        Ok(())
    })
}

/// Gives the content of the file that is being read. Only within a `CiceroneReadFile`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_file_content(
    file: *mut CiceroneFile,
    content: *const u8,
    length: usize,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        let file = unsafe { file.as_mut() }.ok_or_else(|| invalid("the file is NULL"))?;
        // SAFETY: the rules of the header.
        file.0 = Some(unsafe { bytes(content, length, "the content") }?.to_vec());
        Ok(())
    })
}

/// Opens a room: the path of its file. `options` may be NULL. Errors inside scripts do not prevent opening: they are
/// events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_open(
    room: *const c_char,
    options: *const CiceroneOptions,
    out: *mut *mut CiceroneRoom,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        let file = unsafe { text(room, "the room") }?;
        if out.is_null() {
            return Err(invalid("the place for the room is NULL"));
        }
        let runtime = if options.is_null() {
            Runtime::open(file.as_ref(), Options::default())?
        } else {
            let options = OPTIONS.find(options)?;
            let settings = options.try_lock().map_err(|_| in_use())?;
            open(file.as_ref(), &settings)?
        };
        // SAFETY: the rules of the header.
        unsafe { must_give(out, opened(runtime), "the place for the room") }
    })
}

fn open(room: &Path, settings: &Settings) -> Result<Runtime, Failure> {
    let options = settings.options.clone();
    let runtime = match (settings.memory.clone(), settings.reader) {
        (None, None) => Runtime::open(room, options),
        (memory, reader) => {
            let memory = Arc::new(memory.unwrap_or_default());
            let files = move |name: &str| match (memory.read(name), &reader) {
                (Err(_), Some(reader)) => reader.read(name),
                (found, _) => found,
            };
            Runtime::open_in(Project::of_files(files), room, options)
        }
    };
    runtime.map_err(of_file)
}

/// Closes a room, and frees all that belongs to it. NULL is allowed. A room that is used by another call, as within a
/// function of the game, stays open: CICERONE_RESULT_BUSY. A room that is closed already is CICERONE_RESULT_INVALID, here
/// and in every other function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_close(room: *mut CiceroneRoom) -> CiceroneResult {
    // A panic in a destructor may not leave the function either.
    guarded(|| if room.is_null() { Ok(()) } else { close(room) })
}
