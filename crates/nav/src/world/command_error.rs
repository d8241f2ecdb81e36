//! Why a command could not be carried out, in words.

use super::interrupt::MAX_SET_ASIDE;
use super::{MAX_KINDS, MAX_OF_ONE_KIND};
use crate::crowd::CharacterId;
use crate::nav::GroundError;
use crate::nav::Place;
use crate::plan::{LINK_SNAP_M, NoClass};
use crate::problem::brief_numbers;
use crate::room::MAX_NAME_BYTES;
use crate::tactics::Cell;
use std::fmt;

/// Why a command could not be carried out. The world is as it was.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CommandError {
    /// No character has this id any more.
    Gone(CharacterId),
    /// A coordinate, a number or a time is not finite or out of range. The text says which one, and what it must be.
    BadNumber(String),
    /// The place is not walkable.
    NotWalkable(Place),
    /// There is no walkable ground near the place.
    NoGround(Place),
    /// There is no ground for bodies like this one.
    NoClass(NoClass),
    /// No area has this name; the second is a name that may have been meant.
    NoSuchArea(String, Option<String>),
    /// No link has this name; the second is a name that may have been meant.
    NoSuchLink(String, Option<String>),
    /// No waypath has this name; the second is a name that may have been meant.
    NoSuchWaypath(String, Option<String>),
    /// There is a waypath of this name already.
    WaypathNameTaken(String),
    /// The room has as many waypaths as it may have.
    TooManyWaypaths(usize),
    /// A waypath would be off the ground, or have a waypoint that is none. The text says which.
    BadWaypath(String),
    /// There is a link of this name already.
    LinkNameTaken(String),
    /// The room has as many links as it may have.
    TooManyLinks(usize),
    /// There is no ground near an end of a link.
    LinkOffGround(Place),
    /// No hotspot and no point has this name; the second is a name that may have been meant.
    NothingToUse(String, Option<String>),
    /// The room does not say where to stand to use this hotspot.
    NoWayToUse(String),
    /// A character cannot walk up to itself, or follow itself.
    Oneself,
    /// A name is empty or absurdly long.
    BadName,
    /// There are too many tags, or a tag is empty or absurdly long.
    BadTags,
    /// The character would carry too many of this item.
    TooMany(String),
    /// The character would carry too many kinds of items.
    TooManyKinds,
    /// The character has too many interrupted tasks.
    TooDeep,
    /// The speech is absurdly long.
    BadText,
    /// The name is taken.
    NameTaken(String),
    /// The room has as many characters as it may have.
    Full(usize),
    /// The room has no tactical level.
    NoTactics,
    /// The character of this name is no actor.
    NoActor(String),
    /// The character of this name is an actor, which does not walk over the ground.
    IsActor(String),
    /// This cell is outside the level, which has so many cells along x and y, and levels.
    OutsideLevel(Cell, [u32; 3]),
    /// There is no free place for the actor of this name.
    NoFreePlace(String),
    /// The name of a side is empty or absurdly long.
    BadSide,
    /// The room has no hotspot of this name; the second is a name that may have been meant.
    NoSuchHotspot(String, Option<String>),
    /// The hotspot of this name is switched off.
    HotspotOff(String),
    /// The run has seen as many sides as it may.
    TooManySides(usize),
    /// No actor is alive and enabled, so no side can have the turn.
    NoSide,
    /// There is no room for an actor in this cell.
    NoRoomForActor(Cell),
    /// This cell is taken by the actor of this name.
    CellTaken(Cell, String),
    /// The steps are no walk of the actor. The text says why.
    BadSteps(String),
    /// No actor is on the side of this name; the second is a name that may have been meant.
    NoSuchSide(String, Option<String>),
    /// The ground of the new room cannot be built.
    Ground(GroundError),
}

/// Upper limits on the tags of one character and on the length of a speech. The memory limit of scripts does not count
/// them.
pub(super) const MAX_TAGS: usize = 100;
pub(super) const MAX_SPEECH_BYTES: usize = 10_000;

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(id) => write!(f, "character {} is not in the room any more", id.0),
            Self::BadNumber(what) => f.write_str(&brief_numbers(what)),
            Self::NotWalkable(p) => write!(f, "({:.2}, {:.2}) is not walkable", p.at.x, p.at.y),
            Self::NoGround(p) => write!(f, "there is no walkable ground near ({:.2}, {:.2})", p.at.x, p.at.y),
            Self::NoClass(why) => why.fmt(f),
            Self::NoSuchArea(name, meant) => {
                write!(f, "no area '{name}' in this room")?;
                meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean '{meant}'?"))
            }
            Self::HotspotOff(name) => write!(f, "the hotspot '{name}' is switched off"),
            Self::NoSuchHotspot(name, meant) => {
                write!(f, "no hotspot '{name}' in this room")?;
                meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean '{meant}'?"))
            }
            Self::NoSuchLink(name, meant) => {
                write!(f, "no link '{name}' in this room")?;
                meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean '{meant}'?"))
            }
            Self::NoSuchWaypath(name, meant) => {
                write!(f, "no waypath '{name}' in this room")?;
                meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean '{meant}'?"))
            }
            Self::WaypathNameTaken(name) => write!(f, "there is already a waypath '{name}' in the room"),
            Self::TooManyWaypaths(limit) => write!(f, "a room has at most {limit} waypaths"),
            Self::BadWaypath(what) => f.write_str(what),
            Self::LinkNameTaken(name) => write!(f, "there is already a link '{name}' in the room"),
            Self::TooManyLinks(limit) => write!(f, "a room has at most {limit} links"),
            Self::LinkOffGround(p) => {
                write!(
                    f,
                    "no ground within {LINK_SNAP_M} m of the link's end at ({:.2}, {:.2})",
                    p.at.x, p.at.y
                )
            }
            Self::NothingToUse(name, meant) => {
                write!(f, "no hotspot or point '{name}' in this room")?;
                meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean '{meant}'?"))
            }
            Self::NoWayToUse(name) => {
                write!(
                    f,
                    "the hotspot '{name}' has no walkTo in the room file, so there is no place to stand at"
                )
            }
            Self::Oneself => f.write_str("a character cannot walk up to itself or follow itself"),
            Self::BadTags => {
                write!(f, "a character has {MAX_TAGS} tags at most, each of 1 to {MAX_NAME_BYTES} bytes")
            }
            Self::TooMany(thing) => {
                write!(f, "a character cannot carry more than {MAX_OF_ONE_KIND} of '{thing}'")
            }
            Self::TooManyKinds => write!(f, "a character cannot carry more than {MAX_KINDS} kinds of items"),
            Self::TooDeep => write!(f, "a character cannot put more than {MAX_SET_ASIDE} errands aside"),
            Self::BadText => write!(f, "what is said has {MAX_SPEECH_BYTES} bytes at most"),
            Self::BadName => write!(f, "a name has 1 to {MAX_NAME_BYTES} bytes"),
            Self::NameTaken(name) => write!(f, "there is already a '{name}' in the room"),
            Self::Full(limit) => write!(f, "the room is full: it holds at most {limit} characters"),
            Self::NoTactics => f.write_str("this room has no tactical level"),
            Self::NoActor(name) => {
                write!(f, "'{name}' is no actor of the tactical level; room:tactics():place(…) makes it one")
            }
            Self::OutsideLevel(cell, size) => f.write_str(&outside_level(cell.map(i64::from), *size)),
            Self::NoFreePlace(name) => {
                write!(f, "no place on the tactical level is free for '{name}': others must make room first")
            }
            Self::BadSide => write!(f, "the name of a side has 1 to {MAX_NAME_BYTES} bytes"),
            Self::TooManySides(limit) => write!(f, "a room has at most {limit} sides"),
            Self::NoSide => f.write_str("no actor is alive and enabled, so no side can have the turn"),
            Self::IsActor(name) => {
                write!(f, "'{name}' is an actor of the tactical level: it moves with room:tactics():walk")
            }
            Self::NoRoomForActor([x, y, level]) => {
                write!(f, "no room for the actor at cell {x}, {y} on level {level}: a wall, or no floor")
            }
            Self::CellTaken([x, y, level], name) => {
                write!(f, "cell {x}, {y} on level {level} is taken by '{name}'")
            }
            Self::BadSteps(what) => f.write_str(what),
            Self::NoSuchSide(name, meant) => {
                write!(f, "no actor is on a side '{name}'")?;
                meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean '{meant}'?"))
            }
            Self::Ground(error) => error.fmt(f),
        }
    }
}

/// Says that a cell is outside the level, which has so many cells along x and y, and levels.
pub fn outside_level([x, y, level]: [i64; 3], [width, depth, levels]: [u32; 3]) -> String {
    format!(
        "cell {x}, {y} on level {level} is outside the level: it has {width} × {depth} cells on {levels} levels, from 0"
    )
}

impl std::error::Error for CommandError {}
