//! Somebody who does anything that can be done to a world, by the throw of dice.

use cicerone::room::Obstacle;
use cicerone::world::{Applied, CharacterId, Command, Setting, WalkEnd, World, next_random};
use glam::{DVec2, dvec2};
use std::collections::BTreeSet;

pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (next_random(&mut self.0) * n as f64) as usize
    }

    pub(crate) fn number(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * next_random(&mut self.0)
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    /// Somebody who is there, or seldom anybody at all.
    fn who(&mut self, world: &World) -> CharacterId {
        let people = world.characters();
        let index = self.below(people.len() + 1);
        people.get(index).map_or(CharacterId(self.below(30) as u32), |character| character.id)
    }

    fn place(&mut self, world: &World) -> DVec2 {
        let (min, max) = world.room().bounds();
        dvec2(self.number(min.x, max.x), self.number(min.y, max.y))
    }
}

/// Does something now and then: a few things, one or none. Notes which kinds of things were done. What is refused or
/// changes nothing must leave the world alone, because it is not recorded.
pub(crate) fn act(world: &mut World, dice: &mut Dice, done: &mut BTreeSet<String>) {
    while dice.below(3) == 0 {
        if dice.below(8) == 0 {
            let who = dice.flip().then(|| dice.who(world));
            (0..dice.below(3)).for_each(|_| {
                world.random(who);
            });
            continue;
        }
        let command = command(world, dice);
        let kind = kind_of(&command);
        let before = world.state();
        match world.apply(command) {
            Ok(Applied::Changed(false)) | Err(_) => {
                assert!(before == world.state(), "{kind} that does nothing")
            }
            Ok(_) => drop(done.insert(kind)),
        }
    }
}

/// All that can be done, as [`kind_of`] calls it.
pub(crate) const KINDS: [&str; 27] = [
    "SetTarget",
    "TalkTo",
    "Follow",
    "Turn",
    "Steer",
    "Give",
    "Take",
    "Stop",
    "ForceReplan",
    "Teleport",
    "WalkSpeed",
    "RotationSpeed",
    "CollisionRadius",
    "Heading",
    "Alive",
    "Enabled",
    "Tags",
    "Player",
    "Priority",
    "Behaviour",
    "SetAreaAvailable",
    "Spawn",
    "Despawn",
    "Click",
    "Say",
    "ReplaceRoom",
    "ReplaceRoom twice",
];

fn kind_of(command: &Command) -> String {
    let text = match command {
        Command::Tune { setting, .. } => format!("{setting:?}"),
        Command::ReplaceRoom(room) if room.obstacles.iter().any(|o| o.name == "pillar2") => {
            return "ReplaceRoom twice".into();
        }
        other => format!("{other:?}"),
    };
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}

fn command(world: &World, dice: &mut Dice) -> Command {
    let (who, other, to) = (dice.who(world), dice.who(world), dice.place(world));
    let thing = ["coin", "key", "rope"][dice.below(3)].to_owned();
    let count = dice.below(4) as u32;
    match dice.below(27) {
        0..=5 => Command::SetTarget { who, to: to.into() },
        6 => Command::TalkTo { who, other },
        7 => Command::Follow { who, other, distance_m: dice.number(0.0, 3.0) },
        8 => Command::Turn { who, to: to.into() },
        9 => Command::Give { who, thing, count },
        10 => Command::Take { who, thing, count },
        11 => Command::Stop { who, walk: None, end: WalkEnd::Timeout },
        12 => Command::ForceReplan(who),
        13 => Command::Teleport { who, to: to.into() },
        14..=16 => Command::Tune { who, setting: setting(dice, thing) },
        17..=19 => {
            let areas = &world.room().areas;
            // The last areas are the doors of a picture.
            let index = if dice.flip() { areas.len().checked_sub(1) } else { Some(dice.below(areas.len())) };
            let area = index.and_then(|index| areas.get(index)).map(|area| area.name.clone());
            Command::SetAreaAvailable { area: area.unwrap_or_default(), available: dice.flip() }
        }
        20 | 21 => {
            let name = format!("guest{}", dice.below(6));
            let spec = crate::common::character(&name, to);
            Command::Spawn(Box::new(with!(spec, tags = vec!["guest".into()])))
        }
        22 => Command::Despawn(who),
        23 => Command::Click(to.into()),
        24 => Command::Say { who, text: "Hm.".into(), seconds: dice.number(0.0, 2.0) },
        25 => {
            let direction = if dice.below(4) > 0 { to - dvec2(5.0, 5.0) } else { DVec2::ZERO };
            Command::Steer { who, direction }
        }
        _ => Command::ReplaceRoom(Box::new(changed_room(world, dice))),
    }
}

fn setting(dice: &mut Dice, thing: String) -> Setting {
    match dice.below(10) {
        0 => Setting::WalkSpeed(dice.number(0.0, 3.0)),
        1 => Setting::RotationSpeed(dice.number(0.1, 9.0)),
        2 => Setting::CollisionRadius(dice.number(0.1, 0.5)),
        3 => Setting::Heading(dice.number(-9.0, 9.0)),
        4 => Setting::Alive(dice.below(4) > 0),
        5 => Setting::Enabled(dice.below(4) > 0),
        6 => Setting::Tags(vec![thing, "seen".into()]),
        7 => Setting::Player(dice.flip()),
        8 => Setting::Priority(dice.below(5) as i32 - 2),
        _ => Setting::Behaviour(dice.flip().then(|| format!("scripts/{thing}.lua"))),
    }
}

/// The room with something about it changed, as a save changes it.
fn changed_room(world: &World, dice: &mut Dice) -> cicerone::room::Room {
    let mut room = world.room().clone();
    let at = dice.place(world);
    match dice.below(5) {
        0 => drop(room.obstacles.pop()),
        1 | 2 => {
            let corners = [(0.0, 0.0), (0.6, 0.0), (0.6, 0.6), (0.0, 0.6)];
            let polygon = corners.map(|(x, z)| at + dvec2(x, z)).to_vec();
            let name = format!("pillar{}", room.obstacles.len());
            if room.obstacles.iter().all(|obstacle| obstacle.name != name) {
                room.obstacles.push(Obstacle { name, polygon, see_through: false });
            }
        }
        3 if !room.characters.is_empty() => {
            let index = dice.below(room.characters.len());
            match dice.below(3) {
                0 => drop(room.characters.remove(index)),
                _ => room.characters[index].walk_speed_mps = dice.number(0.5, 2.0),
            }
        }
        3 => room.characters.push(crate::common::character("newcomer", at)),
        // Areas in another order have other numbers.
        _ => {
            room.areas.reverse();
            if let Some(area) = room.areas.first_mut() {
                area.available = !area.available;
            }
        }
    }
    room
}
