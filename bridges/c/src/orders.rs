//! Orders to characters. Each takes effect at once, and in recordings it stands before the next step.

use crate::handle::{Access, CiceroneRoom, look};
use crate::places::{CiceronePlace, finite};
use crate::result::{CiceroneResult, Failure, guarded, invalid, not_found};
use crate::text::{give, must_give, optional, text};
use engine::glam::DVec2;
use engine::world::{Applied, CharacterId, Command, Setting, WalkEnd};
use std::ffi::c_char;

/// A new character. Begin with all bytes zero (`CiceroneSpawn ann = {0};`): what is 0 or NULL has the default.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CiceroneSpawn {
    /// Its name, unique in the room.
    pub name: *const c_char,
    /// Where it comes in: at the nearest walkable place.
    pub place: CiceronePlace,
    /// Its script, from the project's root: "scripts/guard.lua".
    pub script: *const c_char,
    /// Words by which scripts find characters, with commas between them.
    pub tags: *const c_char,
    /// Which way it looks, radians.
    pub heading: f64,
    /// Metres a second.
    pub walk_speed: f64,
    /// The radius of its body.
    pub radius: f64,
    /// Whether the player controls it.
    pub is_player: bool,
}

/// Carries a command out.
unsafe fn order(
    room: *mut CiceroneRoom,
    command: impl FnOnce() -> Result<Command, Failure>,
) -> Result<Applied, Failure> {
    look(room, |mut access: Access<'_>| Ok(access.apply(command()?)?))
}

/// A command whose result is only whether it was carried out.
unsafe fn plain(
    room: *mut CiceroneRoom,
    command: impl FnOnce() -> Result<Command, Failure>,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    guarded(|| unsafe { order(room, command) }.map(drop))
}

/// A command that begins a walk.
unsafe fn walking(
    room: *mut CiceroneRoom,
    walk: *mut u64,
    command: impl FnOnce() -> Result<Command, Failure>,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            if let Applied::Walking(id) = order(room, command)? {
                give(walk, id.0);
            }
            Ok(())
        }
    })
}

/// Sends a character to a place. The event `CICERONE_EVENT_KIND_WALK_ENDED` with this walk's number tells how it ended;
/// `walk` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_walk_to(
    room: *mut CiceroneRoom,
    who: u32,
    to: CiceronePlace,
    walk: *mut u64,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe {
        walking(room, walk, || Ok(Command::SetTarget { who: CharacterId(who), to: finite(to, "the goal")? }))
    }
}

/// Sends a character up to another, wherever that goes. `walk` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_talk_to(
    room: *mut CiceroneRoom,
    who: u32,
    other: u32,
    walk: *mut u64,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe {
        walking(room, walk, || Ok(Command::TalkTo { who: CharacterId(who), other: CharacterId(other) }))
    }
}

/// Sends a character to use a hotspot or a point. `walk` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_use(
    room: *mut CiceroneRoom,
    who: u32,
    object: *const c_char,
    walk: *mut u64,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe {
        walking(room, walk, || {
            Ok(Command::Use { who: CharacterId(who), object: text(object, "the object")?.to_owned() })
        })
    }
}

/// Lets a character follow another, so many metres behind, until it is called off.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_follow(
    room: *mut CiceroneRoom,
    who: u32,
    other: u32,
    distance: f64,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe {
        plain(room, || {
            Ok(Command::Follow { who: CharacterId(who), other: CharacterId(other), distance_m: distance })
        })
    }
}

/// Ends what a character does: it stands.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_stop(room: *mut CiceroneRoom, who: u32) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe {
        plain(room, || Ok(Command::Stop { who: CharacterId(who), walk: None, end: WalkEnd::Cancelled }))
    }
}

/// Turns a character on the spot towards a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_turn_to(
    room: *mut CiceroneRoom,
    who: u32,
    to: CiceronePlace,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { plain(room, || Ok(Command::Turn { who: CharacterId(who), to: finite(to, "the place")? })) }
}

/// Puts a character elsewhere. Its walk ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_teleport(
    room: *mut CiceroneRoom,
    who: u32,
    to: CiceronePlace,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { plain(room, || Ok(Command::Teleport { who: CharacterId(who), to: finite(to, "the place")? })) }
}

/// Pushes a character by so many metres: knock-back, root motion, physics. It stays on the ground, and its walk goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_push(room: *mut CiceroneRoom, who: u32, x: f64, z: f64) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { plain(room, || Ok(Command::Push { who: CharacterId(who), by: DVec2::new(x, z) })) }
}

/// Steers a character as a stick does: a direction of a length up to 1, until the next one; zero ends it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_steer(room: *mut CiceroneRoom, who: u32, x: f64, z: f64) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { plain(room, || Ok(Command::Steer { who: CharacterId(who), direction: DVec2::new(x, z) })) }
}

/// Lets a character say something for so many seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_say(
    room: *mut CiceroneRoom,
    who: u32,
    words: *const c_char,
    seconds: f64,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe {
        plain(room, || {
            let text = text(words, "the words")?.to_owned();
            Ok(Command::Say { who: CharacterId(who), text, seconds })
        })
    }
}

/// Changes how fast a character walks, in metres a second.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_set_walk_speed(
    room: *mut CiceroneRoom,
    who: u32,
    speed: f64,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { plain(room, || Ok(Command::Tune { who: CharacterId(who), setting: Setting::WalkSpeed(speed) })) }
}

/// A click on a place. Unless a room script takes it, the player walks there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_click(room: *mut CiceroneRoom, place: CiceronePlace) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { plain(room, || Ok(Command::Click(finite(place, "the place")?))) }
}

/// Adds a character; its number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_spawn(
    room: *mut CiceroneRoom,
    spawn: *const CiceroneSpawn,
    who: *mut u32,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let new = spawn.as_ref().ok_or_else(|| invalid("the character is NULL"))?;
            let (name, place) = (text(new.name, "the name")?, finite(new.place, "the place")?);
            let (script, tags) = (optional(new.script, "the script")?, optional(new.tags, "the tags")?);
            let applied = look(room, |mut access: Access<'_>| {
                let mut spec = access.world().room().character_at(place).with_name(name);
                spec.script = script.map(str::to_owned);
                spec.tags = tags
                    .map_or(Vec::new(), |tags| tags.split(',').map(|tag| tag.trim().to_owned()).collect());
                (spec.heading_rad, spec.player) = (new.heading, new.is_player);
                if new.walk_speed != 0.0 {
                    spec.walk_speed_mps = new.walk_speed;
                }
                if new.radius != 0.0 {
                    spec.collision_radius_m = new.radius;
                }
                if let Some(why) = script.and_then(|script| access.trouble_with_script(script)) {
                    return Err(not_found(why));
                }
                Ok(access.apply(Command::Spawn(Box::new(spec)))?)
            })?;
            match applied {
                Applied::Spawned(id) => must_give(who, id.0, "the place for the number"),
                _ => Ok(()),
            }
        }
    })
}

/// Removes a character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_despawn(room: *mut CiceroneRoom, who: u32) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { plain(room, || Ok(Command::Despawn(CharacterId(who)))) }
}
