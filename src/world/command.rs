//! Commands: the only way to change a world from outside its tick.

use super::command_error::{CommandError, MAX_SPEECH_BYTES};
use super::limits::{check_place, check_spec, check_tags, finite, positive};
use super::{ActorPlace, Departed, EventKind, LogEntry, PathFocus, World, stream};
use crate::crowd::{Character, CharacterId, Replan, Speech, WalkEnd, WalkId};
use crate::nav::{LinkId, Place};
use crate::problem::did_you_mean;
use crate::room::{CharacterSpec, Link, Room, Stance, Waypath};
use crate::tactics::Cell;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A requested change. As data, a changed room has another form: the content of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Command {
    /// Walk to a point. A target within the deduplication distance of the present one continues the present walk.
    SetTarget {
        /// The walker.
        who: CharacterId,
        /// Where to.
        to: Place,
    },
    /// Walk up to a character, wherever it goes, and end at talking distance.
    TalkTo {
        /// The walker.
        who: CharacterId,
        /// The character to walk up to.
        other: CharacterId,
    },
    /// Stay near a character, wherever it goes, until called off or until that character leaves, dies or is disabled. A
    /// follower that cannot get near goes as near as it can and waits; it never ends as partial or blocked.
    Follow {
        /// The follower.
        who: CharacterId,
        /// The character to follow. If it is followed already, the following continues at the new distance.
        other: CharacterId,
        /// How near it stays, in metres by straight line: 0 to [`MAX_FOLLOW_M`](super::MAX_FOLLOW_M).
        distance_m: f64,
    },
    /// Turn on the spot towards a point, for a standing character. On an errand the turn ends at once as cancelled, and
    /// a walk that begins cancels it. Its end is reported by [`EventKind::Turned`].
    Turn {
        /// The character.
        who: CharacterId,
        /// The point to look at.
        to: Place,
    },
    /// Give a character an item.
    Give {
        /// The character that gets it.
        who: CharacterId,
        /// The item's name.
        thing: String,
        /// How many.
        count: u32,
    },
    /// Take an item from a character: the full count, or none.
    Take {
        /// The character that carries it.
        who: CharacterId,
        /// The item's name.
        thing: String,
        /// How many.
        count: u32,
    },
    /// End a character's task, if any, for this reason, and stand: a walk, following, a turn, steering.
    Stop {
        /// The walker.
        who: CharacterId,
        /// Only if it is this walk or turn.
        walk: Option<WalkId>,
        /// The reason that is reported: cancelled or timed out.
        end: WalkEnd,
    },
    /// Replan the present walk.
    ForceReplan(CharacterId),
    /// Move to a place at once. The place must be walkable; a present walk is cancelled.
    Teleport {
        /// The character.
        who: CharacterId,
        /// Where to.
        to: Place,
    },
    /// Change one property.
    Tune {
        /// The character.
        who: CharacterId,
        /// The property and its new value.
        setting: Setting,
    },
    /// Open or close an area.
    SetAreaAvailable {
        /// Its name: numbers may change with a reload while the command waits.
        area: String,
        /// Whether to open it.
        available: bool,
    },
    /// Add a character, at the walkable point nearest to the given start.
    Spawn(Box<CharacterSpec>),
    /// Remove a character.
    Despawn(CharacterId),
    /// A click on a place.
    Click(Place),
    /// Say something for a while.
    Say {
        /// The character.
        who: CharacterId,
        /// The text.
        text: String,
        /// How long it is shown, in seconds.
        seconds: f64,
    },
    /// Walk to where a hotspot is used from, or to a point, and use it: [`EventKind::Used`] reports when that is done.
    Use {
        /// The walker.
        who: CharacterId,
        /// The hotspot's name, or the point's.
        object: String,
    },
    /// Interrupt a character's walk, following or turn without ending it; meanwhile it can be sent elsewhere.
    Interrupt(CharacterId),
    /// Resume the interrupted task, from where the character is now. Its task meanwhile is cancelled for it.
    Resume {
        /// The character.
        who: CharacterId,
        /// Which of its interruptions is over, the oldest being 0. If a later one came, the character continues with
        /// its task in that one, and its task in between is cancelled.
        level: usize,
    },
    /// Steer a character directly, as by a player's stick, until another direction, a stop or another order. A walk, a
    /// following and a turn end as cancelled. It slides along walls.
    Steer {
        /// The character.
        who: CharacterId,
        /// The direction (`y` is the world's z). The length is the share of the walking speed; a longer one counts as 1.
        /// Zero ends the steering.
        direction: DVec2,
    },
    /// Add a link between two places.
    AddLink(#[serde(with = "super::packed")] Box<Link>),
    /// Remove the link of this name. Characters that are crossing it finish.
    RemoveLink(String),
    /// Open or close a link. Characters that are crossing it finish.
    SetLinkAvailable {
        /// Its name.
        link: String,
        /// Whether to open it.
        available: bool,
    },
    /// Record a jump: as a temporary link that others may follow over, one way, unless an open link for everybody joins
    /// the two places already. At most [`MAX_JUMPS`](super::MAX_JUMPS), first in, first out.
    RecordJump {
        /// Where it begins.
        from: Place,
        /// Where it ends.
        to: Place,
        /// Metres per second. `None`: as the time says.
        velocity_mps: Option<f64>,
        /// Seconds. `None`: as the velocity says, or as a link of the kind `jump` takes.
        time_s: Option<f64>,
    },
    /// Let a character jump to a place. Its task ends as cancelled. The jump of a player is recorded when it lands.
    Jump {
        /// The character.
        who: CharacterId,
        /// Where to.
        to: Place,
        /// Metres per second, as for [`Command::RecordJump`].
        velocity_mps: Option<f64>,
        /// Seconds.
        time_s: Option<f64>,
    },
    /// Add a waypath.
    AddWaypath(#[serde(with = "super::packed")] Box<Waypath>),
    /// Remove the waypath of this name.
    RemoveWaypath(String),
    /// Open or close a waypath.
    SetWaypathAvailable {
        /// Its name.
        waypath: String,
        /// Whether to open it.
        available: bool,
    },
    /// Say how long a character goes on crossing a link of the kind `handler`, in seconds: 0 ends the crossing now. Until
    /// this command the crossing has no end.
    TimeCrossing {
        /// The character.
        who: CharacterId,
        /// The time from now on.
        seconds: f64,
    },
    /// Focus path planning on a character or a place: paths that begin near it are searched first. `None` restores the
    /// focus of the room file, or the player.
    SetFocus(Option<PathFocus>),
    /// Put a character on a cell of the tactical level, as an actor. A walk ends as cancelled.
    PlaceActor {
        /// The character.
        who: CharacterId,
        /// The cell, and what it is there.
        #[serde(with = "super::packed")]
        place: Box<ActorPlace>,
    },
    /// Let an actor leave the tactical level: it is an ordinary character again.
    RemoveActor(CharacterId),
    /// Send an actor from cell to cell. The steps are moves, one after the other.
    WalkCells {
        /// The actor.
        who: CharacterId,
        /// The cell and the stance after each step.
        steps: Vec<(Cell, Stance)>,
        /// How many cells it walks in a second.
        cells_per_s: f64,
    },
    /// Let an actor crouch or stand up, as a walk of one move. It ends as blocked where the actor cannot.
    TakeStance {
        /// The actor.
        who: CharacterId,
        /// How it is to hold itself.
        stance: Stance,
    },
    /// Whether an actor flies from now on. In mid-fall it stays in the air.
    SetFlying {
        /// The actor.
        who: CharacterId,
        /// Whether it flies.
        flies: bool,
    },
    /// Begin the turn of a side of the tactical level; of the next one that has an active actor, if none is named. Its
    /// actors get their time units.
    BeginTurn(Option<String>),
    /// Put a changed room under the running world.
    #[serde(skip)]
    ReplaceRoom(Box<Room>),
}

/// A property of a character that may change while the world runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Setting {
    /// Metres per second, zero or more.
    WalkSpeed(f64),
    /// Radians per second, above zero.
    RotationSpeed(f64),
    /// Metres, above zero.
    CollisionRadius(f64),
    /// Radians.
    Heading(f64),
    /// A dead character ends its walk and takes no part. An actor that comes back to life and whose cell is taken is put
    /// on the nearest free place.
    Alive(bool),
    /// A disabled character ends its walk and takes no part. An actor comes back as with `Alive`.
    Enabled(bool),
    /// All tags.
    Tags(Vec<String>),
    /// Whether the player steers it.
    Player(bool),
    /// Of two stuck characters, the one with less priority gives way.
    Priority(i32),
    /// While it stands, it is never pushed aside, and other characters plan round it.
    Pinned(bool),
    /// Whether it walks back when pushed off its post. Switched on, its present place becomes the post.
    ReturnsToPost(bool),
    /// Its behaviour script.
    Behaviour(Option<String>),
    /// Whether its paths are curved, from the next path on. `None`: as the room says.
    Curved(Option<bool>),
}

/// What a command did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Applied {
    /// The command was carried out.
    Done,
    /// Whether anything changed. For a take: whether there were enough.
    Changed(bool),
    /// The requested walk or turn. Its end is reported, even if it has ended already.
    Walking(WalkId),
    /// The new character.
    Spawned(CharacterId),
    /// The new link, or the link that was there already.
    Linked(LinkId),
}

/// Upper limit on the characters in a world: a script that spawns without end gets an error long before memory runs
/// out.
pub const MAX_CHARACTERS: usize = 100_000;

impl Command {
    /// The character that the command would move over the ground.
    fn walker(&self) -> Option<CharacterId> {
        match self {
            Self::SetTarget { who, .. }
            | Self::TalkTo { who, .. }
            | Self::Follow { who, .. }
            | Self::Teleport { who, .. }
            | Self::Use { who, .. }
            | Self::Steer { who, .. }
            | Self::Jump { who, .. } => Some(*who),
            _ => None,
        }
    }
}

impl World {
    /// Carries out a command.
    ///
    /// # Errors
    /// [`CommandError`]; the world is then as it was.
    pub fn apply(&mut self, command: Command) -> Result<Applied, CommandError> {
        if self.command_log.is_none() {
            return self.carry_out(command);
        }
        let applied = self.carry_out(command.clone())?;
        if let Some(command_log) = self.command_log.as_mut().filter(|_| applied != Applied::Changed(false)) {
            command_log.push(LogEntry::Did(command));
        }
        Ok(applied)
    }

    /// [`World::apply`] by the world itself, without the command log.
    pub(super) fn carry_out(&mut self, command: Command) -> Result<Applied, CommandError> {
        if let Some(who) = command.walker()
            && self.characters.get(who).is_some_and(|character| character.actor.is_some())
        {
            return Err(CommandError::IsActor(self.name_of(who).to_owned()));
        }
        match command {
            Command::SetTarget { who, to } => {
                check_place(to)?;
                self.set_target(who, to, None).map(Applied::Walking)
            }
            Command::TalkTo { who, other } => {
                if who == other {
                    return Err(CommandError::Oneself);
                }
                let to = self.present(other)?.position;
                let to = self.ground.place_of(to);
                self.set_target(who, to, Some(other)).map(Applied::Walking)
            }
            Command::Follow { who, other, distance_m } => self.follow(who, other, distance_m),
            Command::Turn { who, to } => self.turn(who, to),
            Command::Give { who, thing, count } => self.give(who, thing, count),
            Command::Take { who, thing, count } => self.take(who, &thing, count),
            Command::Stop { who, walk, end } => self.stop(who, walk, end),
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
                check_place(at)?;
                self.emit(EventKind::Clicked(at));
                Ok(Applied::Done)
            }
            Command::Use { who, object } => self.set_out_to_use(who, object).map(Applied::Walking),
            Command::Say { who, text, seconds } => self.say(who, text, seconds),
            Command::Interrupt(who) => self.interrupt(who),
            Command::Resume { who, level } => self.resume(who, level),
            Command::Steer { who, direction } => self.steer(who, direction),
            Command::AddLink(link) => self.add_link(*link),
            Command::RemoveLink(name) => self.remove_link(&name),
            Command::SetLinkAvailable { link, available } => self.set_link_available(&link, available),
            Command::RecordJump { from, to, velocity_mps, time_s } => {
                self.record_jump(from, to, velocity_mps, time_s)
            }
            Command::Jump { who, to, velocity_mps, time_s } => self.jump(who, to, velocity_mps, time_s),
            Command::AddWaypath(waypath) => self.add_waypath(*waypath),
            Command::RemoveWaypath(name) => self.remove_waypath(&name),
            Command::SetWaypathAvailable { waypath, available } => {
                self.set_waypath_available(&waypath, available)
            }
            Command::TimeCrossing { who, seconds } => self.time_crossing(who, seconds),
            Command::SetFocus(focus) => self.set_focus(focus),
            Command::PlaceActor { who, place } => self.place_actor(who, *place),
            Command::RemoveActor(who) => Ok(Applied::Changed(self.remove_actor(who)?)),
            Command::WalkCells { who, steps, cells_per_s } => {
                self.walk_cells(who, steps, cells_per_s).map(Applied::Walking)
            }
            Command::TakeStance { who, stance } => self.take_stance(who, stance).map(Applied::Walking),
            Command::SetFlying { who, flies } => self.set_flying(who, flies),
            Command::BeginTurn(side) => self.begin_turn(side),
            Command::ReplaceRoom(room) => self.replace_room(*room),
        }
    }

    /// The name that may have been meant instead of `name`, among characters, points, hotspots and areas.
    pub fn similar_place(&self, name: &str) -> Option<&str> {
        let characters = self.characters().iter().map(|c| c.name.as_str());
        let hotspots = self.room().hotspots.iter().map(|hotspot| hotspot.name.as_str());
        let areas = self.room().areas.iter().map(|area| area.name.as_str());
        let points = self.room().points.keys().map(String::as_str);
        did_you_mean(name, points.chain(characters).chain(hotspots).chain(areas))
    }

    /// The error for an area that does not exist.
    pub fn no_such_area(&self, name: String) -> CommandError {
        let names = self.ground().areas().map(|area| self.ground().area_name(area));
        let meant = did_you_mean(&name, names).map(str::to_owned);
        CommandError::NoSuchArea(name, meant)
    }

    pub(super) fn present(&mut self, who: CharacterId) -> Result<&mut Character, CommandError> {
        self.characters.get_mut(who).ok_or(CommandError::Gone(who))
    }

    fn stop(
        &mut self,
        who: CharacterId,
        walk: Option<WalkId>,
        end: WalkEnd,
    ) -> Result<Applied, CommandError> {
        let character = self.present(who)?;
        let turns = character.turn.map(|turn| turn.id) == walk;
        let following = character.following.as_ref().map(|following| following.id);
        let cell_walk = character.actor.as_ref().and_then(|actor| Some(actor.walk.as_ref()?.id));
        let walks = following.or(character.walk.as_ref().map(|walk| walk.id)).or(cell_walk) == walk;
        Ok(Applied::Changed(match walk {
            None => self.call_off(who, end),
            Some(_) if turns => self.end_turn(who, end),
            Some(_) if walks => self.end_errand(who, end),
            Some(walk) => self.stop_aside(who, walk, &end),
        }))
    }

    fn teleport(&mut self, who: CharacterId, to: Place) -> Result<Applied, CommandError> {
        check_place(to)?;
        self.present(who)?;
        let position = self.ground.locate(to);
        if !self.ground.is_walkable(position) {
            return Err(CommandError::NotWalkable(to));
        }
        self.call_off(who, WalkEnd::Cancelled);
        self.leave_link(who, false);
        let character = self.present(who)?;
        (character.position, character.on_waypath) = (position, None);
        self.post_here(who);
        Ok(Applied::Done)
    }

    fn tune(&mut self, who: CharacterId, setting: Setting) -> Result<Applied, CommandError> {
        let present = self.characters.get(who).ok_or(CommandError::Gone(who))?;
        let comes_back_at = self.place_to_come_back(present, &setting)?;
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
                character.post_heading_rad = character.heading_rad;
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
            Setting::Pinned(v) => character.pinned = v,
            Setting::ReturnsToPost(v) => {
                if v && !character.returns_to_post {
                    (character.post, character.post_heading_rad) =
                        (character.position, character.heading_rad);
                }
                character.returns_to_post = v;
            }
            Setting::Curved(v) => character.curved = v,
            Setting::Behaviour(v) => character.behaviour = v,
        }
        if !character.is_active() {
            character.on_waypath = None;
            self.call_off(who, WalkEnd::Cancelled);
            self.leave_link(who, true);
        }
        self.come_back(who, comes_back_at);
        Ok(Applied::Done)
    }

    pub(super) fn spawn(&mut self, spec: &CharacterSpec) -> Result<CharacterId, CommandError> {
        check_place(spec.at)?;
        check_spec(spec)?;
        if self.characters.all().len() >= MAX_CHARACTERS {
            return Err(CommandError::Full(MAX_CHARACTERS));
        }
        if self.characters.named(&spec.name).is_some() || self.room.points.contains_key(&spec.name) {
            return Err(CommandError::NameTaken(spec.name.clone()));
        }
        let place = match self.nearest_walkable(spec.at) {
            Some(place) => Some(place),
            None => self.ground.nearest(self.ground.locate(spec.at), f64::INFINITY),
        };
        let place = place.ok_or(CommandError::NoGround(spec.at))?;
        let id = self.characters.next_id();
        self.characters.add(Character::new(id, spec, place, stream(self.seed, &spec.name)));
        self.emit(EventKind::Spawned(id));
        self.spawn_actor(id, spec);
        Ok(id)
    }

    pub(super) fn despawn(&mut self, who: CharacterId) -> Result<Applied, CommandError> {
        self.present(who)?;
        self.call_off(who, WalkEnd::Despawned);
        self.drop_all_aside(who, &WalkEnd::Despawned);
        self.leave_link(who, true);
        for area in self.inside.remove(&who).unwrap_or_default() {
            let name = self.ground.area_name(area).to_owned();
            self.emit(EventKind::Left(who, name));
        }
        if let Some(character) = self.characters.remove(who) {
            self.departed.insert(who, Departed::new(character, self.tick));
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
        self.present(who)?.speech = Some(Box::new(Speech { text: text.clone(), until_tick }));
        self.emit(EventKind::Said(who, text));
        Ok(Applied::Done)
    }
}
