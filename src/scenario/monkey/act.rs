//! The monkey's actions and their timing: random, but possible for a player or the game.

use crate::crowd::CharacterId;
use crate::room::CharacterSpec;
use crate::runtime::Input;
use crate::world::{Command, World, next_random, stream};
use glam::DVec2;
use std::collections::VecDeque;
use std::fmt;

/// The kinds of actions that the monkey takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acts {
    /// Clicks on places, as the player would.
    pub clicks: bool,
    /// Opens and closes areas.
    pub toggles: bool,
    /// Adds passers-by, sends them about, removes them.
    pub spawns: bool,
}

impl Acts {
    /// All kinds.
    pub const ALL: Self = Self { clicks: true, toggles: true, spawns: true };
    /// Only the actions of a player.
    pub const CLICKS: Self = Self { clicks: true, toggles: false, spawns: false };
    /// No actions.
    pub const NONE: Self = Self { clicks: false, toggles: false, spawns: false };
}

/// An action of the monkey.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// The tick before which it happened.
    pub tick: u64,
    /// Seconds of game time.
    pub time_s: f64,
    /// The action itself.
    pub input: MonkeyInput,
}

/// The possible actions of a monkey.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MonkeyInput {
    /// Clicks on a place.
    Click {
        /// The place.
        at: DVec2,
        /// A description of the place; may be empty.
        what: String,
    },
    /// Opens or closes an area.
    Toggle {
        /// The area.
        area: String,
        /// Whether to open it.
        available: bool,
    },
    /// Adds a passer-by.
    Spawn(Box<CharacterSpec>),
    /// Removes a passer-by.
    Despawn(String),
    /// Sends a passer-by somewhere.
    Send {
        /// The passer-by.
        who: String,
        /// The target.
        to: DVec2,
    },
}

impl fmt::Display for MonkeyInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Click { at, what } if what.is_empty() => write!(f, "click at ({:.2}, {:.2})", at.x, at.y),
            Self::Click { at, what } => write!(f, "click at {what} ({:.2}, {:.2})", at.x, at.y),
            Self::Toggle { area, available: true } => write!(f, "open {area}"),
            Self::Toggle { area, available: false } => write!(f, "close {area}"),
            Self::Spawn(spec) => write!(
                f,
                "{} comes in at ({:.2}, {:.2}), radius {:.2} m, {:.2} m/s",
                spec.name, spec.at.at.x, spec.at.at.y, spec.collision_radius_m, spec.walk_speed_mps
            ),
            Self::Despawn(who) => write!(f, "{who} leaves"),
            Self::Send { who, to } => write!(f, "{who} is sent to ({:.2}, {:.2})", to.x, to.y),
        }
    }
}

impl MonkeyInput {
    /// The action as an input of the runtime; `None` if its character is gone.
    pub(super) fn as_input(&self, world: &World) -> Option<Input> {
        let id =
            |name: &str| -> Option<CharacterId> { world.character_named(name).map(|someone| someone.id) };
        Some(match self {
            Self::Click { at, .. } => Input::Click((*at).into()),
            Self::Toggle { area, available } => {
                Input::Do(Command::SetAreaAvailable { area: area.clone(), available: *available })
            }
            Self::Spawn(spec) => Input::Do(Command::Spawn(spec.clone())),
            Self::Despawn(who) => Input::Do(Command::Despawn(id(who)?)),
            Self::Send { who, to } => Input::Do(Command::SetTarget { who: id(who)?, to: (*to).into() }),
        })
    }
}

/// Upper limit on the passers-by in a room at a time.
const MOST_PASSERS: usize = 8;

/// The prefix of passers-by's names; a number follows.
pub(super) const PASSER: &str = "passer_";

/// The monkey's state: a stream of random numbers, and its plans.
pub(super) struct Mind {
    random: u64,
    acts: Acts,
    next_tick: u64,
    /// Actions left to take in the same tick.
    burst: u32,
    passers: VecDeque<String>,
    spawned: u32,
}

impl Mind {
    pub(super) fn new(seed: u64, acts: Acts) -> Self {
        let random = stream(seed, "the monkey");
        Self { random, acts, next_tick: 0, burst: 0, passers: VecDeque::new(), spawned: 0 }
    }

    /// Switches to another random stream.
    pub(super) fn change(&mut self, seed: u64, way: u64) {
        self.random = stream(seed, &format!("the monkey, way {way}"));
    }

    /// The inputs for this tick.
    pub(super) fn inputs(&mut self, world: &World) -> Vec<MonkeyInput> {
        let now = world.tick_number();
        let mut inputs = Vec::new();
        while self.next_tick <= now && self.acts != Acts::NONE {
            inputs.extend(self.input(world));
            self.burst = self.burst.saturating_sub(1);
            if self.burst == 0 {
                let pause_s = self.pause_s();
                self.next_tick = now + world.ticks_of(pause_s);
            }
        }
        inputs
    }

    /// Mostly as long as a player takes; sometimes zero, for several actions at once; sometimes long enough for
    /// everything to come to rest.
    fn pause_s(&mut self) -> f64 {
        let kind = self.draw();
        if kind < 0.1 {
            self.burst = 2 + self.below(5) as u32;
        }
        match kind {
            k if k < 0.2 => self.between(0.0, 0.3),
            k if k < 0.65 => self.between(0.3, 4.0),
            k if k < 0.95 => self.between(4.0, 12.0),
            _ => self.between(12.0, 40.0),
        }
    }

    fn input(&mut self, world: &World) -> Option<MonkeyInput> {
        let Acts { clicks, toggles, spawns } = self.acts;
        let weights =
            [if clicks { 5.0 } else { 0.0 }, if toggles { 2.0 } else { 0.0 }, if spawns { 3.0 } else { 0.0 }];
        let mut drawn = self.draw() * weights.iter().sum::<f64>();
        let kind = weights.iter().position(|weight| {
            drawn -= weight;
            drawn < 0.0
        });
        match kind? {
            0 => Some(self.click(world)),
            1 => self.toggle(world),
            _ => self.passer(world),
        }
    }

    fn click(&mut self, world: &World) -> MonkeyInput {
        let (at, what) = self.place(world);
        MonkeyInput::Click { at, what }
    }

    /// Doors are mostly reset to their state in the file: a room with all doors shut is soon explored.
    fn toggle(&mut self, world: &World) -> Option<MonkeyInput> {
        let areas = &world.room().areas;
        let area = areas.get(self.below(areas.len()))?;
        let open = world.area_named(&area.name).is_some_and(|id| world.ground().area_available(id));
        let changed = open != area.available;
        let leave = changed && self.draw() < 0.25;
        let available = if leave { open } else { !open };
        Some(MonkeyInput::Toggle { area: area.name.clone(), available })
    }

    fn passer(&mut self, world: &World) -> Option<MonkeyInput> {
        self.passers.retain(|name| world.character_named(name).is_some());
        let drawn = self.draw();
        if self.passers.is_empty() || drawn < 0.4 && self.passers.len() < MOST_PASSERS {
            return Some(MonkeyInput::Spawn(Box::new(self.new_passer(world))));
        }
        let index = self.below(self.passers.len());
        if drawn < 0.55 {
            return self.passers.remove(index).map(MonkeyInput::Despawn);
        }
        let (to, _) = self.place(world);
        Some(MonkeyInput::Send { who: self.passers.get(index)?.clone(), to })
    }

    fn new_passer(&mut self, world: &World) -> CharacterSpec {
        let taken =
            |name: &str| world.character_named(name).is_some() || world.room().points.contains_key(name);
        let name = loop {
            self.spawned += 1;
            let name = format!("{PASSER}{}", self.spawned);
            if !taken(&name) {
                break name;
            }
        };
        self.passers.push_back(name.clone());
        let (at, _) = self.place(world);
        let agent_m = world.room().ground.agent_radius_m;
        CharacterSpec::at(at).with_name(name).with(|traits| {
            traits.priority = self.below(3) as i32 - 1;
            traits.walk_speed_mps = self.between(0.5, 2.5);
            traits.collision_radius_m = agent_m * self.between(0.6, 1.2);
        })
    }

    /// A place that a player might click, and its description.
    fn place(&mut self, world: &World) -> (DVec2, String) {
        let room = world.room();
        let (min, max) = room.bounds();
        let kind = self.below(10);
        let index = |this: &mut Self, length: usize| this.below(length);
        match kind {
            // Drawn separately, so that rooms without hotspots keep their random sequence.
            _ if !room.hotspots.is_empty() && self.below(3) == 0 => {
                let index = index(self, room.hotspots.len());
                let hotspot = &world.hotspots()[index];
                return (hotspot.spot, hotspot.name.clone());
            }
            0..=3 if !room.points.is_empty() => {
                let index = index(self, room.points.len());
                if let Some((name, &at)) = room.points.iter().nth(index) {
                    return (at.at, name.clone());
                }
            }
            4 | 5 if !world.characters().is_empty() => {
                let index = index(self, world.characters().len());
                let someone = &world.characters()[index];
                return (someone.position.at, someone.name.clone());
            }
            6 | 7 if !room.areas.is_empty() => {
                let index = index(self, room.areas.len());
                let area = &room.areas[index];
                let sum: DVec2 = area.polygon.iter().copied().sum();
                return (sum / area.polygon.len() as f64, area.name.clone());
            }
            8 if !room.obstacles.is_empty() => {
                let index = index(self, room.obstacles.len());
                let obstacle = &room.obstacles[index];
                let corner = self.below(obstacle.polygon.len());
                return (obstacle.polygon[corner], obstacle.name.clone());
            }
            _ => {}
        }
        let part = DVec2::new(self.draw(), self.draw());
        (min + (max - min) * part, String::new())
    }

    fn draw(&mut self) -> f64 {
        next_random(&mut self.random)
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.draw()
    }

    /// A random whole number below `most`; 0 if `most` is 0.
    fn below(&mut self, most: usize) -> usize {
        ((self.draw() * most as f64) as usize).min(most.saturating_sub(1))
    }
}
