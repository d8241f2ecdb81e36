//! The one door in: everything that changes a world from outside its tick.

use super::{EventKind, World, stream};
use crate::crowd::{Character, CharacterId, Replan, Speech, WalkEnd, WalkId};
use crate::problem::did_you_mean;
use crate::room::{CharacterSpec, MAX_COORDINATE_M, MAX_NAME_BYTES, Room};
use crate::space::{GroundError, Overlay};
use glam::DVec2;
use std::fmt;

/// A change wanted.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Walk there. A target within the deduplication distance of the present one goes on with the walk that is under way.
    SetTarget {
        /// The walker.
        who: CharacterId,
        /// Where to, in metres.
        to: DVec2,
    },
    /// Walk up to somebody, wherever they go, and end at talking distance of them.
    TalkTo {
        /// The walker.
        who: CharacterId,
        /// Whom to.
        other: CharacterId,
    },
    /// End the present walk, if any, for this reason, and stand.
    Stop {
        /// The walker.
        who: CharacterId,
        /// Only if it is this walk.
        walk: Option<WalkId>,
        /// What the walk's end is called: cancelled or timed out.
        end: WalkEnd,
    },
    /// Plan the present walk again.
    ForceReplan(CharacterId),
    /// Stand somewhere else at once. The place must be walkable; a present walk is cancelled.
    Teleport {
        /// Who.
        who: CharacterId,
        /// Where to, in metres.
        to: DVec2,
    },
    /// Change one property.
    Tune {
        /// Whose.
        who: CharacterId,
        /// Which, and to what.
        setting: Setting,
    },
    /// Open or close an area.
    SetAreaAvailable {
        /// Which, by name: numbers may change with a reload while the command waits.
        area: String,
        /// Open?
        available: bool,
    },
    /// Bring somebody in, at the walkable point nearest to the given start.
    Spawn(Box<CharacterSpec>),
    /// Take somebody out.
    Despawn(CharacterId),
    /// Somebody pointed at a place.
    Click(DVec2),
    /// Say something for a while.
    Say {
        /// Who.
        who: CharacterId,
        /// What.
        text: String,
        /// How long it is shown, in seconds.
        seconds: f64,
    },
    /// Put a changed room under the living world.
    ReplaceRoom(Box<Room>),
}

/// A property of a character that may be changed while it lives.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// Metres per second, zero or more.
    WalkSpeed(f64),
    /// Radians per second, above zero.
    RotationSpeed(f64),
    /// Metres, above zero.
    CollisionRadius(f64),
    /// Radians.
    Heading(f64),
    /// The dead end their walk and take no part.
    Alive(bool),
    /// The disabled end their walk and take no part.
    Enabled(bool),
    /// All tags.
    Tags(Vec<String>),
    /// Whether the player steers it.
    Player(bool),
    /// Who gives way where two are stuck: the one with less.
    Priority(i32),
    /// What it follows.
    Behaviour(Option<String>),
}

/// What a command did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// What it says.
    Done,
    /// Whether anything changed by it.
    Changed(bool),
    /// The walk that is under way now.
    Walking(WalkId),
    /// Who came.
    Spawned(CharacterId),
}

/// Why a command could not be carried out. The world is as it was.
#[derive(Debug, Clone, PartialEq)]
pub enum CommandError {
    /// Nobody has this id any more.
    Gone(CharacterId),
    /// A coordinate, a number or a time is not finite or out of range.
    BadNumber(String),
    /// The place is not walkable.
    NotWalkable(DVec2),
    /// There is no walkable ground near the place.
    NoGround(DVec2),
    /// No area has this name; the second is the one that may have been meant.
    NoSuchArea(String, Option<String>),
    /// Nobody can walk up to themselves.
    Oneself,
    /// A name is empty or absurdly long.
    BadName,
    /// There are too many tags, or one is absurdly long.
    BadTags,
    /// What somebody is to say is absurdly long.
    BadText,
    /// The name is taken.
    NameTaken(String),
    /// The room has as many characters as it may have.
    Full(usize),
    /// The ground of the new room cannot be built.
    Ground(GroundError),
}

/// Most characters a world holds: a script that spawns without end is told so long before memory runs out.
pub const MAX_CHARACTERS: usize = 100_000;

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(id) => write!(f, "character {} is not in the room any more", id.0),
            Self::BadNumber(what) => f.write_str(what),
            Self::NotWalkable(p) => write!(f, "({:.2}, {:.2}) is not walkable", p.x, p.y),
            Self::NoGround(p) => write!(f, "there is no walkable ground near ({:.2}, {:.2})", p.x, p.y),
            Self::NoSuchArea(name, meant) => {
                write!(f, "no area '{name}' in this room")?;
                meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean '{meant}'?"))
            }
            Self::Oneself => f.write_str("nobody can walk up to themselves"),
            Self::BadTags => {
                write!(f, "a character has {MAX_TAGS} tags at most, each of 1 to {MAX_NAME_BYTES} bytes")
            }
            Self::BadText => write!(f, "what is said has {MAX_SPEECH_BYTES} bytes at most"),
            Self::BadName => write!(f, "a name has 1 to {MAX_NAME_BYTES} bytes"),
            Self::NameTaken(name) => write!(f, "there is already a '{name}' in the room"),
            Self::Full(limit) => write!(f, "the room is full: it holds at most {limit} characters"),
            Self::Ground(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CommandError {}

impl World {
    /// Carries out a command.
    ///
    /// # Errors
    /// [`CommandError`]; the world is then as it was.
    pub fn apply(&mut self, command: Command) -> Result<Applied, CommandError> {
        match command {
            Command::SetTarget { who, to } => {
                check_point(to)?;
                self.set_target(who, to, None).map(Applied::Walking)
            }
            Command::TalkTo { who, other } => {
                if who == other {
                    return Err(CommandError::Oneself);
                }
                let to = self.present(other)?.position;
                self.set_target(who, to, Some(other)).map(Applied::Walking)
            }
            Command::Stop { who, walk, end } => {
                let present = self.present(who)?.walk.as_ref().map(|walk| walk.id);
                let meant = present.is_some() && (walk.is_none() || walk == present);
                Ok(Applied::Changed(meant && self.end_walk(who, end)))
            }
            Command::ForceReplan(who) => {
                let walking = self.present(who)?.walk.is_some();
                if walking {
                    self.request_replan(who, Replan::Forced);
                }
                Ok(Applied::Changed(walking))
            }
            Command::Teleport { who, to } => self.teleport(who, to),
            Command::Tune { who, setting } => self.tune(who, setting),
            Command::SetAreaAvailable { area, available } => {
                let Some(id) = self.ground.area_named(&area) else { return Err(self.no_such_area(area)) };
                Ok(Applied::Changed(self.set_area_available(id, available)))
            }
            Command::Spawn(spec) => self.spawn(&spec).map(Applied::Spawned),
            Command::Despawn(who) => self.despawn(who),
            Command::Click(at) => {
                check_point(at)?;
                self.emit(EventKind::Clicked(at));
                Ok(Applied::Done)
            }
            Command::Say { who, text, seconds } => self.say(who, text, seconds),
            Command::ReplaceRoom(room) => self.replace_room(*room),
        }
    }

    /// The name that may have been meant instead of `name`, among characters and points.
    pub fn similar_place(&self, name: &str) -> Option<&str> {
        let characters = self.characters().iter().map(|c| c.name.as_str());
        did_you_mean(name, self.room().points.keys().map(String::as_str).chain(characters))
    }

    /// What to say about an area that does not exist.
    pub fn no_such_area(&self, name: String) -> CommandError {
        let names = self.ground().areas().map(|area| self.ground().area_name(area));
        let meant = did_you_mean(&name, names).map(str::to_owned);
        CommandError::NoSuchArea(name, meant)
    }

    pub(super) fn present(&mut self, who: CharacterId) -> Result<&mut Character, CommandError> {
        self.roster.get_mut(who).ok_or(CommandError::Gone(who))
    }

    fn teleport(&mut self, who: CharacterId, to: DVec2) -> Result<Applied, CommandError> {
        check_point(to)?;
        self.present(who)?;
        if !self.ground.is_walkable(to) {
            return Err(CommandError::NotWalkable(to));
        }
        self.end_walk(who, WalkEnd::Cancelled);
        self.present(who)?.position = to;
        Ok(Applied::Done)
    }

    fn tune(&mut self, who: CharacterId, setting: Setting) -> Result<Applied, CommandError> {
        let character = self.present(who)?;
        match setting {
            Setting::WalkSpeed(v) => character.walk_speed_mps = positive("walk_speed", v, true)?,
            Setting::RotationSpeed(v) => {
                character.rotation_speed_radps = positive("rotation_speed", v, false)?
            }
            Setting::CollisionRadius(v) => {
                character.collision_radius_m = positive("collision_radius", v, false)?
            }
            Setting::Heading(v) => {
                character.heading_rad = libm::remainder(finite("heading", v)?, std::f64::consts::TAU);
            }
            Setting::Alive(v) => character.alive = v,
            Setting::Enabled(v) => character.enabled = v,
            Setting::Tags(mut tags) => {
                tags.sort();
                tags.dedup();
                check_tags(&tags)?;
                character.tags = tags;
            }
            Setting::Player(v) => character.player = v,
            Setting::Priority(v) => character.priority = v,
            Setting::Behaviour(v) => character.behaviour = v,
        }
        if !character.is_active() {
            self.end_walk(who, WalkEnd::Cancelled);
        }
        Ok(Applied::Done)
    }

    pub(super) fn spawn(&mut self, spec: &CharacterSpec) -> Result<CharacterId, CommandError> {
        check_point(spec.at)?;
        check_spec(spec)?;
        if self.roster.all().len() >= MAX_CHARACTERS {
            return Err(CommandError::Full(MAX_CHARACTERS));
        }
        if self.roster.named(&spec.name).is_some() || self.room.points.contains_key(&spec.name) {
            return Err(CommandError::NameTaken(spec.name.clone()));
        }
        let place = match self.nearest_walkable(spec.at) {
            Some(place) => Some(place),
            None => self
                .ground
                .nearest(spec.at, f64::INFINITY, &Overlay::default())
                .map(|n| self.ground.centre(n)),
        };
        let place = place.ok_or(CommandError::NoGround(spec.at))?;
        let id = self.roster.next_id();
        self.roster.add(Character::new(id, spec, place, stream(self.seed, &spec.name)));
        self.emit(EventKind::Spawned(id));
        Ok(id)
    }

    pub(super) fn despawn(&mut self, who: CharacterId) -> Result<Applied, CommandError> {
        self.present(who)?;
        self.end_walk(who, WalkEnd::Despawned);
        for area in self.inside.remove(&who).unwrap_or_default() {
            let name = self.ground.area_name(area).to_owned();
            self.emit(EventKind::Left(who, name));
        }
        if let Some(character) = self.roster.remove(who) {
            self.departed.insert(who, (character.name, self.tick));
        }
        self.emit(EventKind::Despawned(who));
        Ok(Applied::Done)
    }

    fn say(&mut self, who: CharacterId, text: String, seconds: f64) -> Result<Applied, CommandError> {
        if !(0.0..=3600.0).contains(&seconds) {
            return Err(CommandError::BadNumber(format!(
                "seconds must be between 0 and 3600, not {seconds}"
            )));
        }
        if text.len() > MAX_SPEECH_BYTES {
            return Err(CommandError::BadText);
        }
        let until_tick = self.tick + self.ticks_of(seconds);
        self.present(who)?.speech = Some(Speech { text: text.clone(), until_tick });
        self.emit(EventKind::Said(who, text));
        Ok(Applied::Done)
    }
}

/// Most tags of one character, and the longest speech. What scripts pile up here their own memory limit does not see.
const MAX_TAGS: usize = 100;
const MAX_SPEECH_BYTES: usize = 10_000;

fn check_tags(tags: &[String]) -> Result<(), CommandError> {
    let good = tags.len() <= MAX_TAGS && tags.iter().all(|tag| (1..=MAX_NAME_BYTES).contains(&tag.len()));
    if good { Ok(()) } else { Err(CommandError::BadTags) }
}

fn check_spec(spec: &CharacterSpec) -> Result<(), CommandError> {
    if spec.name.is_empty() || spec.name.len() > MAX_NAME_BYTES {
        return Err(CommandError::BadName);
    }
    check_tags(&spec.tags)?;
    positive("walk_speed", spec.walk_speed_mps, true)?;
    positive("rotation_speed", spec.rotation_speed_radps, false)?;
    positive("collision_radius", spec.collision_radius_m, false)?;
    finite("heading", spec.heading_rad).map(drop)
}

fn positive(name: &str, value: f64, or_zero: bool) -> Result<f64, CommandError> {
    let good = value <= MAX_COORDINATE_M && (value > 0.0 || or_zero && value == 0.0);
    let rule = if or_zero { "zero or more" } else { "above zero" };
    good.then_some(value)
        .ok_or_else(|| CommandError::BadNumber(format!("{name} must be {rule}, not {value}")))
}

fn finite(name: &str, value: f64) -> Result<f64, CommandError> {
    value
        .is_finite()
        .then_some(value)
        .ok_or_else(|| CommandError::BadNumber(format!("{name} must be finite, not {value}")))
}

/// Whether a point can be a position at all.
///
/// # Errors
/// [`CommandError::BadNumber`] unless it is finite and within [`MAX_COORDINATE_M`].
pub fn check_point(point: DVec2) -> Result<(), CommandError> {
    if point.is_finite() && point.abs().max_element() <= MAX_COORDINATE_M {
        return Ok(());
    }
    let message = format!(
        "a position must be finite and within {MAX_COORDINATE_M:.0} m, not ({}, {})",
        point.x, point.y
    );
    Err(CommandError::BadNumber(message))
}
