//! A simulated room: its content, the only way to change it ([`Command`]), and the tick.

mod actors;
mod areas;
mod check;
mod checksum;
mod classes;
mod command;
mod command_error;
mod command_log;
mod companions;
mod congestion;
mod delays;
mod departed;
mod event;
mod focus;
mod followers;
mod formation;
mod frames;
mod goals;
mod holding;
mod hotspots;
mod interrupt;
mod inventory;
mod jumps;
mod landings;
mod limits;
mod link_lines;
mod links;
mod packed;
mod paths;
mod patience;
mod places;
mod posts;
mod queues;
mod random;
mod rearranging;
mod reload;
mod rights_of_way;
mod rotation;
mod save;
mod sharing;
mod simulated_state;
mod steering;
mod stepping;
mod tick;
mod user_data;
mod vision;
mod walks;
mod waypaths;
mod yielding;

use actors::Turns;
pub use actors::{ActorPlace, SideTurn, check_actors};
use areas::Occupancy;
pub use areas::{BadStart, check_hotspots, check_starts};
#[doc(hidden)]
pub use classes::ground_for;
pub use command::{Applied, Command, MAX_CHARACTERS, MAX_PUSH_M, Setting};
pub use command_error::CommandError;
#[doc(hidden)]
pub use command_error::outside_level;
pub use command_log::LogEntry;
pub use delays::{Delay, HELD_UP_AFTER_S};
use departed::Register;
pub use departed::{Departed, MAX_DEPARTED};
pub use event::{Event, EventKind};
pub use focus::PathFocus;
pub use followers::MAX_FOLLOW_M;
pub use hotspots::HotspotChange;
use hotspots::Hotspots;
pub use interrupt::MAX_SET_ASIDE;
pub use inventory::{MAX_KINDS, MAX_OF_ONE_KIND};
pub use jumps::{MAX_JUMPS, SAME_JUMP_M};
pub use limits::check_place;
use links::Crossings;
pub use places::FoundPlace;
pub use random::{next_random, stream};
use rearranging::Rearrangement;
pub use save::WorldState;
pub use simulated_state::RestoreError;
pub use tick::Phase;
pub use vision::{Seen, Unseen, View};

use tick::Scratch;

pub use frames::{FrameSteps, Pose};

pub use formation::{Formation, FormationPlace, MAX_FORMATION};

pub use crate::crowd::{
    ActorState, Avoids, CellWalk, Character, CharacterId, Crossed, Crossing, Following, FormationKind,
    HeldUp, LastWalk, Motion, OnWaypath, PathRequest, Purpose, SetAside, Speech, State, Turn, Walk, WalkEnd,
    WalkGoal, WalkId, WalkProgress,
};

use crate::crowd::{AgentSnapshot, Bystanders, Characters, Jams, Pace, Replan, RightOfWay, Separation};
use crate::nav::{AreaId, ClassId, GroundError, Place, Position};
use crate::plan::{Grounds, LinkNet, PathQueue};
use crate::room::{CrowdSettings, Room};
use crate::surface::{Idle, Located, SearchMemory, Surface};
use crate::tactics::TacticalField;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A simulated room. Made of a checked [`Room`]; stepped by [`World::tick`]; changed by [`World::apply`] only. The same
/// room, seed and commands at the same ticks give the same [`World::checksum`] every tick, on every run.
#[derive(Debug, Clone)]
pub struct World {
    room: Room,
    ground: Grounds,
    characters: Characters,
    tick: u64,
    random: RandomStreams,
    next_walk: u64,
    planning: Planning,
    occupancy: Occupancy,
    /// All characters that have a target character, and perhaps some that had one.
    followers: BTreeSet<CharacterId>,
    /// The links, and what is known of routes over them.
    links: LinkNet,
    crossings: Crossings,
    /// The traced tactical level, if the room has one: its brushes as the areas say.
    tactics: Option<Arc<TacticalField>>,
    turns: Turns,
    hotspots: Hotspots,
    register: Register,
    outbox: Outbox,
    yields: Yields,
    near: Near,
    scratch: Scratch,
    idle: IdleBuffers,
}

/// The random streams beside those of characters.
#[derive(Debug, Clone, Copy)]
struct RandomStreams {
    /// Of all of them.
    seed: u64,
    room: u64,
}

/// What a world has for those outside.
#[derive(Debug, Clone, Default)]
struct Outbox {
    events: Vec<Event>,
    /// For recorders.
    command_log: Option<Vec<LogEntry>>,
}

/// Walkers that want paths.
#[derive(Debug, Clone, Default)]
struct Planning {
    queue: PathQueue<CharacterId>,
    replans: BTreeMap<CharacterId, Replan>,
    /// The search that is recorded for a debug view.
    focus: Option<PathFocus>,
}

/// Who is near whom. Rebuilt in every tick before use.
#[derive(Debug, Clone, Default)]
struct Near {
    agents: AgentSnapshot,
    bystanders: Bystanders,
    separation: Separation,
    jams: Jams,
}

/// Who goes first where characters are in each other's way.
#[derive(Debug, Clone, Default)]
struct Yields {
    /// Spots where one direction has to wait for the other.
    rights_of_way: Vec<RightOfWay>,
    /// Some who are in each other's way, and go one at a time.
    rearrangements: Vec<Rearrangement>,
    /// Refuge searches in this tick.
    waiting_places_sought: u32,
    /// Whether an order for some who are in each other's way was looked for in this tick.
    has_rearranged: bool,
}

/// Buffers of questions that anybody asks, and of those about who stands where.
#[derive(Debug, Clone, Default)]
struct IdleBuffers {
    searches: Idle<SearchMemory>,
    onlookers: Idle<Bystanders>,
}

/// The most events that a world keeps until they are taken.
pub const MAX_EVENTS: usize = 1_000_000;

impl World {
    /// Makes a world of a room: builds its ground and puts its characters on their starts. `seed` feeds every random
    /// stream.
    ///
    /// # Errors
    /// [`GroundError`] when the ground cannot be built. Characters whose start is not walkable (see [`check_starts`])
    /// are moved to the nearest ground.
    pub fn new(room: Room, seed: u64) -> Result<Self, GroundError> {
        checked(&room)?;
        Self::of_checked(room, seed)
    }

    /// [`World::new`] without [`Room::check`]: for a room that was read from a file, which has checked it.
    ///
    /// # Errors
    /// If no ground can be built.
    pub fn of_checked(room: Room, seed: u64) -> Result<Self, GroundError> {
        let ground = Surface::new(&room)?;
        Ok(Self::over(ground, room, seed))
    }

    /// [`World::new`] over a ground that was made of the room.
    pub fn over(ground: Surface, room: Room, seed: u64) -> Self {
        let mut world = Self::empty(ground, room, seed);
        for spec in world.room.characters.clone() {
            // A room without any ground has no place for a character; that leaves it empty rather than failing.
            let _ = world.spawn(&spec);
        }
        let _ = world.begin_turn(None); // without actors there are no turns
        world
    }

    /// A room without characters.
    fn empty(ground: Surface, room: Room, seed: u64) -> Self {
        Self {
            links: LinkNet::with_waypaths(&ground, &room.links, &room.waypaths),
            tactics: actors::field_of(&room, |name| {
                ground.area_named(name).is_some_and(|area| ground.area_available(area))
            }),
            hotspots: Hotspots::new(&room, BTreeMap::new()),
            turns: Turns::default(),
            ground: Grounds::new(ground),
            characters: Characters::default(),
            tick: 0,
            random: RandomStreams { seed, room: stream(seed, "") },
            next_walk: 0,
            planning: Planning::default(),
            occupancy: Occupancy::default(),
            followers: BTreeSet::new(),
            crossings: Crossings::default(),
            register: Register::default(),
            outbox: Outbox::default(),
            yields: Yields::default(),
            near: Near::default(),
            scratch: Scratch::default(),
            idle: IdleBuffers::default(),
            room,
        }
    }

    /// The room as its file describes it; areas may differ in the run, see [`World::ground`].
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// The walkable ground as it is now, for the room's own walker.
    pub fn ground(&self) -> &Surface {
        &self.ground
    }

    /// All characters in the room, in order of id.
    pub fn characters(&self) -> &[Character] {
        self.characters.all()
    }

    /// A character that is in the room.
    pub fn character(&self, id: CharacterId) -> Option<&Character> {
        self.characters.get(id)
    }

    /// The character with this name.
    pub fn character_named(&self, name: &str) -> Option<&Character> {
        self.characters.named(name)
    }

    /// The active character whose body covers a place, on that storey; of several, the nearest by centre.
    pub fn character_at(&self, place: impl Located) -> Option<CharacterId> {
        let point = self.ground.locate(place);
        let there = |c: &&Character| {
            c.is_active()
                && c.position.distance(point) <= c.collision_radius_m
                && self.ground.floors_touch(c.position, point)
        };
        let nearer = |a: &&Character, b: &&Character| {
            a.position.at.distance_squared(point.at).total_cmp(&b.position.at.distance_squared(point.at))
        };
        self.characters().iter().filter(there).min_by(nearer).map(|character| character.id)
    }

    /// The name of a character that is or was in the room.
    pub fn name_of(&self, id: CharacterId) -> &str {
        match self.characters.get(id) {
            Some(character) => &character.name,
            None => self.register.departed.get(&id).map_or("nobody", |departed| &departed.name),
        }
    }

    /// The tick at which a character left the room.
    pub fn departed_at(&self, id: CharacterId) -> Option<u64> {
        self.register.departed.get(&id).map(|departed| departed.tick)
    }

    /// What is still known of a character that left the room.
    pub fn departed(&self, id: CharacterId) -> Option<&Departed> {
        self.register.departed.get(&id)
    }

    /// A place by its name.
    pub fn point(&self, name: &str) -> Option<Place> {
        self.room.points.get(name).copied()
    }

    /// The place that a name stands for: a point, a character, or where a hotspot is used from.
    pub fn place_named(&self, name: &str) -> Option<Place> {
        let character =
            || self.character_named(name).map(|character| self.ground.place_of(character.position));
        self.point(name).or_else(character).or_else(|| self.hotspot_named(name)?.walk_to)
    }

    /// The links of the room, with their ends on the ground.
    pub fn links(&self) -> &LinkNet {
        &self.links
    }

    /// Where a character is seen, with its height: on the link that it is crossing, on the floor of its cell if it is an
    /// actor, or at its position.
    pub fn seen_at(&self, character: &Character) -> Place {
        let place = character.seen_at(&self.ground, self.tick);
        Place { y_m: self.feet_m(character).or(place.y_m), ..place }
    }

    /// Fixed steps done so far.
    pub fn tick_number(&self) -> u64 {
        self.tick
    }

    /// The seed of every random stream.
    pub fn seed(&self) -> u64 {
        self.random.seed
    }

    /// Game time in seconds.
    pub fn time_s(&self) -> f64 {
        self.tick as f64 / f64::from(self.room.ticks_per_second)
    }

    /// Length of a step in seconds.
    pub fn dt_s(&self) -> f64 {
        1.0 / f64::from(self.room.ticks_per_second)
    }

    /// A time in whole ticks, rounded up; at least one.
    pub fn ticks_of(&self, seconds: f64) -> u64 {
        self.room.ticks_of(seconds)
    }

    /// The crowd's time constants in ticks.
    pub(crate) fn pace(&self) -> Pace {
        Pace::of(&self.room)
    }

    /// The events since they were last taken, in order. Take them now and then: of more than [`MAX_EVENTS`], the older half
    /// is lost.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.outbox.events)
    }

    /// The area with this name.
    pub fn area_named(&self, name: &str) -> Option<AreaId> {
        self.ground.area_named(name)
    }

    /// Whether the area of this name is open now. `None`: there is no such area. [`Room::areas`] has how it began.
    pub fn is_area_available(&self, name: &str) -> Option<bool> {
        self.ground.area_named(name).map(|area| self.ground.area_available(area))
    }

    /// Whether an area waits for characters to leave before it closes.
    pub fn is_closing(&self, area: AreaId) -> bool {
        self.occupancy.closing.contains(&area)
    }

    /// The walkable position nearest to a place within the room's snapping distance: the place itself if it is
    /// walkable.
    pub fn nearest_walkable(&self, place: impl Located) -> Option<Position> {
        self.nearest_on(&self.ground, place)
    }

    /// [`World::nearest_walkable`] for a class of walkers.
    pub fn nearest_for(&self, class: ClassId, place: impl Located) -> Option<Position> {
        self.nearest_on(self.ground_in(class), place)
    }

    fn nearest_on(&self, ground: &Surface, place: impl Located) -> Option<Position> {
        let position = ground.locate(place);
        let is_there = ground.is_walkable(position);
        if is_there { Some(position) } else { ground.nearest(position, self.settings().snap_distance_m) }
    }

    /// Draws from a character's own random stream, or the room's. Uniform in [0, 1).
    pub fn random(&mut self, who: Option<CharacterId>) -> f64 {
        if let Some(command_log) = &mut self.outbox.command_log {
            command_log.push(LogEntry::Drew(who));
        }
        next_random(self.stream_of(who))
    }

    /// Skips `times` numbers, as if they had been drawn; nothing is written into the command log.
    pub fn skip_random(&mut self, who: Option<CharacterId>, times: u32) {
        random::skip_random(self.stream_of(who), times);
    }

    fn stream_of(&mut self, who: Option<CharacterId>) -> &mut u64 {
        match who.and_then(|id| self.characters.get_mut(id)) {
            Some(character) => &mut character.random,
            None => &mut self.random.room,
        }
    }

    fn settings(&self) -> &CrowdSettings {
        &self.room.crowd
    }

    fn emit(&mut self, kind: EventKind) {
        if self.outbox.events.len() >= MAX_EVENTS {
            self.outbox.events.drain(..MAX_EVENTS / 2);
        }
        self.outbox.events.push(Event { tick: self.tick, kind });
    }

    fn next_walk_id(&mut self) -> WalkId {
        self.next_walk += 1;
        WalkId(self.next_walk)
    }
}

/// Refuses a room that no file could describe.
fn checked(room: &Room) -> Result<(), GroundError> {
    room.check().map_err(|report| GroundError::Room {
        problems: report.problems.iter().map(crate::problem::Problem::without_place).collect(),
    })
}
