//! What characters are and where they are.

use crate::handle::{CiceroneRoom, look, with};
use crate::places::CiceronePlace;
use crate::result::{CiceroneResult, Failure, guarded, not_found};
use crate::text::{give_list, must_give, text};
use engine::problem::did_you_mean;
use engine::runtime::Runtime;
use engine::world::{Character, CharacterId, Pose, World};
use std::ffi::c_char;

/// A character, as it is after the last step.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CiceroneCharacter {
    /// Its number in this room. No other character ever gets it.
    pub id: u32,
    /// Where it is, with the height of the ground.
    pub place: CiceronePlace,
    /// Which way it looks, radians.
    pub heading: f64,
    /// How fast it moves along x, metres a second.
    pub velocity_x: f64,
    /// How fast it moves along z.
    pub velocity_z: f64,
    /// The radius of its body.
    pub radius: f64,
    /// What you gave it with `cicerone_set_user_data`.
    pub user_data: u64,
    /// Whether it walks.
    pub is_walking: bool,
    /// Whether the player controls it.
    pub is_player: bool,
}

/// Where to draw a character, between two steps.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CiceronePose {
    /// Its number.
    pub id: u32,
    /// Where it is seen.
    pub place: CiceronePlace,
    /// Which way it looks, radians.
    pub heading: f64,
}

fn told(world: &World, character: &Character) -> CiceroneCharacter {
    let velocity = character.velocity_mps();
    CiceroneCharacter {
        id: character.id.0,
        place: world.seen_at(character).into(),
        heading: character.heading_rad,
        velocity_x: velocity.x,
        velocity_z: velocity.y,
        radius: character.collision_radius_m,
        user_data: world.user_data(character.id),
        is_walking: !character.is_standing(),
        is_player: character.player,
    }
}

pub(crate) fn no_character(who: u32) -> Failure {
    not_found(format!("there is no character {who} in the room"))
}

/// All characters, in order of their numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_characters(
    room: *const CiceroneRoom,
    characters: *mut CiceroneCharacter,
    capacity: usize,
    count: *mut usize,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            look(room, |mut access| {
                let world = access.world();
                let all = world.characters().iter().map(|character| told(world, character));
                give_list(all, characters, capacity, count)
            })
        }
    })
}

/// One character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_character(
    room: *const CiceroneRoom,
    who: u32,
    character: *mut CiceroneCharacter,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            look(room, |mut access| {
                let world = access.world();
                let found = world.character(CharacterId(who)).ok_or_else(|| no_character(who))?;
                must_give(character, told(world, found), "the place for the character")
            })
        }
    })
}

/// The number of the character with a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_character_named(
    room: *const CiceroneRoom,
    name: *const c_char,
    who: *mut u32,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let name = text(name, "the name")?;
            look(room, |mut access| {
                let world = access.world();
                let id = match world.character_named(name) {
                    Some(character) => character.id,
                    None => {
                        let names = world.characters().iter().map(|character| character.name.as_str());
                        let near = did_you_mean(name, names).map(|near| format!("; did you mean '{near}'?"));
                        return Err(not_found(format!(
                            "there is no character '{name}'{}",
                            near.unwrap_or_default()
                        )));
                    }
                };
                must_give(who, id.0, "the place for the number")
            })
        }
    })
}

/// The name of a character that is in the room or was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_character_name(
    room: *const CiceroneRoom,
    who: u32,
    name: *mut *const c_char,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            look(room, |mut access| {
                let id = CharacterId(who);
                let found = {
                    let world = access.world();
                    let known = world.character(id).is_some() || world.departed(id).is_some();
                    known.then(|| world.name_of(id).to_owned()).ok_or_else(|| no_character(who))?
                };
                must_give(name, access.keep(found), "the place for the name")
            })
        }
    })
}

/// The character whose body covers a place: what a click meets. `CICERONE_NOBODY` if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_character_at(
    room: *const CiceroneRoom,
    place: CiceronePlace,
    who: *mut u32,
) -> CiceroneResult {
    guarded(|| {
        let place = crate::places::finite(place, "the place")?;
        // SAFETY: the rules of the header.
        unsafe {
            look(room, |mut access| {
                let found = access.world().character_at(place);
                must_give(who, found.map_or(crate::events::NOBODY, |id| id.0), "the place for the number")
            })
        }
    })
}

fn drawn(runtime: &Runtime, id: CharacterId) -> Option<CiceronePose> {
    let Pose { place, heading_rad } = runtime.pose(id)?;
    Some(CiceronePose { id: id.0, place: place.into(), heading: heading_rad })
}

/// Where to draw a character in the frame of the last `cicerone_advance`. Not from a function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_pose(
    room: *const CiceroneRoom,
    who: u32,
    pose: *mut CiceronePose,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            with(room, |held| {
                let found = drawn(held.runtime(), CharacterId(who)).ok_or_else(|| no_character(who))?;
                must_give(pose, found, "the place for the pose")
            })
        }
    })
}

/// Where to draw all characters in the frame of the last `cicerone_advance`, in order of their numbers. Not from a
/// function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_poses(
    room: *const CiceroneRoom,
    poses: *mut CiceronePose,
    capacity: usize,
    count: *mut usize,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            with(room, |held| {
                let runtime = held.runtime();
                let ids: Vec<CharacterId> = runtime.world().characters().iter().map(|of| of.id).collect();
                let all: Vec<CiceronePose> = ids.into_iter().filter_map(|id| drawn(runtime, id)).collect();
                give_list(all.into_iter(), poses, capacity, count)
            })
        }
    })
}

/// Keeps a number of yours with a character, until it leaves the room: the index or the address of your own object. It
/// does not change the run and is in no save; `cicerone_restore` keeps it. Not from a function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_set_user_data(
    room: *mut CiceroneRoom,
    who: u32,
    user_data: u64,
) -> CiceroneResult {
    guarded(|| {
        with(room, |held| match held.runtime().set_user_data(CharacterId(who), user_data) {
            true => Ok(()),
            false => Err(no_character(who)),
        })
    })
}
