//! Why a walker does not get on: for onlookers, who change nothing.

use super::World;
use crate::crowd::{Character, CharacterId};

/// A walker without progress for this long is held up, in seconds.
pub const HELD_UP_AFTER_S: f64 = 0.25;

/// Why a walker does not get on.
#[derive(Debug, Clone, PartialEq)]
pub enum Delay {
    /// Its first path is not found yet, or another one is being looked for.
    Path {
        /// Whether it walks along an older path meanwhile.
        walks_on: bool,
    },
    /// It lets another one pass.
    GivesWay {
        /// The one that goes first.
        to: CharacterId,
        /// Whether it is at its waiting place, off the path of the other one.
        is_there: bool,
    },
    /// Others have the right of way at a spot ahead.
    RightOfWay,
    /// It stands in a queue.
    Queue {
        /// The one ahead of it.
        behind: CharacterId,
    },
    /// It stands in line for a link that only so many may cross at once.
    Link {
        /// The name of the link.
        name: String,
        /// How many others come before it.
        others_before: usize,
    },
    /// It waits before an area that closes as soon as everybody has left it.
    Area {
        /// The name of the area.
        name: String,
    },
    /// It has made no progress.
    HeldUp {
        /// The last one that it ran into, if anybody.
        by: Option<CharacterId>,
        /// For how long, in ticks.
        ticks: u32,
    },
    /// Its walking speed is zero.
    NoSpeed,
}

impl Delay {
    /// The other character that it is about, if there is one.
    pub fn other(&self) -> Option<CharacterId> {
        match self {
            Self::GivesWay { to: other, .. } | Self::Queue { behind: other } => Some(*other),
            Self::HeldUp { by, .. } => *by,
            _ => None,
        }
    }
}

impl World {
    /// Why a character that has a walk does not get on, as things were in the last step. Empty if it walks, or has no walk.
    pub fn delays_of(&self, who: CharacterId) -> Vec<Delay> {
        let mut delays = Vec::new();
        let Some(character) = self.characters.get(who) else { return delays };
        let Some(walk) = character.walk.as_ref().filter(|_| character.crossing.is_none()) else {
            return delays;
        };
        if character.walk_speed_mps <= 0.0 {
            delays.push(Delay::NoSpeed);
        }
        if walk.path_request.is_some() {
            delays.push(Delay::Path { walks_on: !walk.corridor.is_empty() });
        }
        if let Some(way) = &walk.give_way {
            // One that goes past others who stand gives way to nobody.
            let gives_way = Delay::GivesWay { to: way.to, is_there: way.waiting };
            delays.extend((way.to != who).then_some(gives_way));
            return delays;
        }
        if self.lets_a_flow_pass(character) {
            delays.push(Delay::RightOfWay);
        }
        if let Some(behind) = walk.held_up.queues_behind.filter(|&ahead| self.characters.get(ahead).is_some())
        {
            delays.push(Delay::Queue { behind });
        }
        delays.extend(self.line_of(character));
        if let Some(area) = self.area_waited_for(character) {
            delays.push(Delay::Area { name: self.ground.area_name(area).to_owned() });
        }
        if u64::from(walk.progress.idle_ticks) >= self.ticks_of(HELD_UP_AFTER_S) {
            let by =
                walk.held_up.by.or(walk.held_up.before_by).filter(|&by| self.characters.get(by).is_some());
            delays.push(Delay::HeldUp { by, ticks: walk.progress.idle_ticks });
        }
        delays
    }

    fn lets_a_flow_pass(&self, character: &Character) -> bool {
        let place = self.characters.place_of(character.id);
        let row =
            place.and_then(|place| self.near.agents.rows.get(place)).filter(|row| row.id == character.id);
        row.is_some_and(|row| row.passage.lets_pass())
    }

    /// The line for a link that a walker stands in.
    fn line_of(&self, character: &Character) -> Option<Delay> {
        self.crossings.lines.hold_m(character.id)?;
        let way = character.walk.as_ref()?.corridor.next_link()?;
        let mut line = self.crossings.lines.at(way.link).iter().filter(|place| !place.called);
        let others_before = line.position(|place| place.who == character.id)?;
        let name = self.links.get(way.link)?.link.name.clone();
        Some(Delay::Link { name, others_before })
    }
}
