//! Places, paths and areas.

use crate::handle::{Access, CiceroneRoom, look};
use crate::result::{CiceroneResult, Failure, guarded, invalid, not_found};
use crate::text::{give, give_list, must_give, text};
use engine::nav::{Outcome, Place};
use engine::world::Command;
use std::ffi::c_char;

/// A place in metres. It need not be walkable.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CiceronePlace {
    /// Across the ground.
    pub x: f64,
    /// The height, to say which floor is meant. NAN: the highest floor there. In results, 0 on ground without heights.
    pub y: f64,
    /// Across the ground.
    pub z: f64,
}

impl From<CiceronePlace> for Place {
    fn from(CiceronePlace { x, y, z }: CiceronePlace) -> Self {
        let place = Self::new(x, z);
        if y.is_nan() { place } else { place.with_height(y) }
    }
}

impl From<Place> for CiceronePlace {
    fn from(place: Place) -> Self {
        Self { x: place.at.x, y: place.y_m.unwrap_or(0.0), z: place.at.y }
    }
}

/// A place as an argument.
pub(crate) fn finite(place: CiceronePlace, what: &str) -> Result<Place, Failure> {
    match place.x.is_finite() && place.z.is_finite() && !place.y.is_infinite() {
        true => Ok(place.into()),
        false => Err(invalid(format!("{what} is not finite: x {}, y {}, z {}", place.x, place.y, place.z))),
    }
}

/// The place that a name stands for: a point, a character, or where a hotspot is used from.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_place_named(
    room: *const CiceroneRoom,
    name: *const c_char,
    place: *mut CiceronePlace,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let name = text(name, "the name")?;
            look(room, |mut access| {
                let world = access.world();
                let found = world.place_named(name).ok_or_else(|| {
                    let near = world.similar_place(name).map(|near| format!("; did you mean '{near}'?"));
                    not_found(format!("there is no place '{name}'{}", near.unwrap_or_default()))
                })?;
                must_give(place, found.into(), "the place for the result")
            })
        }
    })
}

/// The walkable place nearest to a place, not far from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_nearest_walkable(
    room: *const CiceroneRoom,
    to: CiceronePlace,
    place: *mut CiceronePlace,
) -> CiceroneResult {
    guarded(|| {
        let to = finite(to, "the place")?;
        // SAFETY: the rules of the header.
        unsafe {
            look(room, |mut access| {
                let world = access.world();
                let found = world
                    .nearest_walkable(to)
                    .ok_or_else(|| not_found("there is no ground near the place"))?;
                must_give(place, world.ground().place_of(found).into(), "the place for the result")
            })
        }
    })
}

/// Plans a path now: its corners in walking order, without `from`, the last one being its end. `is_complete` is false if it ends at the reachable place nearest
/// to `to`; `length` is in metres. Both may be NULL. Characters in the way do not count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_find_path(
    room: *const CiceroneRoom,
    from: CiceronePlace,
    to: CiceronePlace,
    corners: *mut CiceronePlace,
    capacity: usize,
    count: *mut usize,
    is_complete: *mut bool,
    length: *mut f64,
) -> CiceroneResult {
    guarded(|| {
        let (from, to) = (finite(from, "the start")?, finite(to, "the goal")?);
        // SAFETY: the rules of the header.
        unsafe {
            look(room, |mut access| {
                let world = access.world();
                let path = world.find_path(from, to);
                give(is_complete, path.outcome == Outcome::Complete);
                give(length, path.length_m);
                let places = path.waypoints.iter().map(|&at| world.ground().place_of(at).into());
                give_list(places, corners, capacity, count)
            })
        }
    })
}

/// Whether an area is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_area_available(
    room: *const CiceroneRoom,
    area: *const c_char,
    available: *mut bool,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let name = text(area, "the area")?;
            look(room, |mut access| {
                let found = access.world().is_area_available(name);
                let is_open = found.ok_or_else(|| not_found(format!("there is no area '{name}'")))?;
                must_give(available, is_open, "the place for the result")
            })
        }
    })
}

/// Opens or closes an area: a door.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_set_area_available(
    room: *mut CiceroneRoom,
    area: *const c_char,
    available: bool,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { named(room, area, "the area", |area| Command::SetAreaAvailable { area, available }) }
}

/// Opens or closes a link: a ladder, a jump, a lift.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_set_link_available(
    room: *mut CiceroneRoom,
    link: *const c_char,
    available: bool,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { named(room, link, "the link", |link| Command::SetLinkAvailable { link, available }) }
}

/// A command with a name.
unsafe fn named(
    room: *mut CiceroneRoom,
    name: *const c_char,
    what: &str,
    command: impl FnOnce(String) -> Command,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let name = text(name, what)?.to_owned();
            look(room, |mut access: Access<'_>| Ok(access.apply(command(name)).map(drop)?))
        }
    })
}
