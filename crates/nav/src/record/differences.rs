//! Differences between two recordings, as text: the rooms at the start, and the commands.

use super::format::{Entry, Recording};
use crate::crowd::CharacterId;
use crate::room::{RoomField, difference};
use crate::world::{Command, PathFocus};
use glam::DVec2;

/// The first moment at which two runs have different commands.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CommandDifference {
    /// The tick before which they were given.
    pub tick: u64,
    /// Commands of the first run alone, as text.
    pub before: Vec<String>,
    /// Commands of the second run alone, as text.
    pub now: Vec<String>,
}

/// The first difference between the commands of scripts and players in two runs, up to `last_tick`.
pub fn first_command_difference(
    before: &Recording,
    now: &Recording,
    last_tick: u64,
) -> Option<CommandDifference> {
    let first = before.start.tick.max(now.start.tick) + 1;
    let tick = (first..=last_tick).find(|&tick| entries(before, tick) != entries(now, tick))?;
    let (old, new) = (entries(before, tick), entries(now, tick));
    let alone = |of: &Recording, these: &[Entry], others: &[Entry]| {
        these.iter().filter(|entry| !others.contains(entry)).map(|entry| in_words(of, entry)).collect()
    };
    Some(CommandDifference { tick, before: alone(before, old, new), now: alone(now, new, old) })
}

/// The differences between the rooms at the start of two runs; settings with their values.
pub fn room_differences(before: &Recording, now: &Recording) -> Vec<String> {
    let (old, new) = (&before.start.room, &now.start.room);
    let (Ok(old_room), Ok(new_room)) = (old.room("room"), new.room("room")) else { return Vec::new() };
    let change = difference(&old_room, &new_room);
    let mut words = change.describe();
    if change.room.contains(&RoomField::Crowd) {
        words.retain(|word| word != "crowd");
        let value = |value: Option<String>| value.unwrap_or("not set".into());
        let differences = new_room.crowd.differences(&old_room.crowd).into_iter();
        words.extend(
            differences
                .map(|(key, new, old)| format!("crowd.{key} is {}, recorded {}", value(new), value(old))),
        );
    }
    words
}

fn entries(of: &Recording, tick: u64) -> &[Entry] {
    let index = tick.checked_sub(of.start.tick + 1).and_then(|index| usize::try_from(index).ok());
    index.and_then(|index| of.frames.get(index)).map_or(&[], |frame| &frame.entries)
}

fn in_words(of: &Recording, entry: &Entry) -> String {
    let name = |who: &CharacterId| {
        of.tracks().of.get(who).map_or_else(|| format!("number {}", who.0), |track| track.name.clone())
    };
    let place = |at: &DVec2| format!("({:.2}, {:.2})", at.x, at.y);
    let command = match entry {
        Entry::Did(command) => command,
        Entry::Replaced(_) => return "the room is changed".into(),
        Entry::Drew(who, times) => {
            let who = who.as_ref().map_or("the room".into(), name);
            return format!("{who} draws {times} random number{}", if *times == 1 { "" } else { "s" });
        }
        Entry::Reloaded(file, _) => return format!("{file} is reloaded"),
    };
    match command {
        Command::SetTarget { who, to } => format!("{} sets out for {}", name(who), place(&to.at)),
        Command::SetExactTarget { who, to, .. } => {
            format!("{} sets out for {} exactly", name(who), place(&to.at))
        }
        Command::TalkTo { who, other } => format!("{} sets out to talk to {}", name(who), name(other)),
        Command::Follow { who, other, .. } => format!("{} follows {}", name(who), name(other)),
        Command::WalkBeside { who, other } => format!("{} walks beside {}", name(who), name(other)),
        Command::Turn { who, to } => format!("{} turns to {}", name(who), place(&to.at)),
        Command::Give { who, thing, count } => format!("{} is given {count} {thing}", name(who)),
        Command::Take { who, thing, count } => format!("{count} {thing} are taken from {}", name(who)),
        Command::Stop { who, .. } => format!("{} stops", name(who)),
        Command::ForceReplan(who) => format!("{} plans again", name(who)),
        Command::Teleport { who, to } => format!("{} is put at {}", name(who), place(&to.at)),
        Command::Tune { who, setting } => format!("{}: {setting}", name(who)),
        Command::SetAreaAvailable { area, available } => {
            format!("{area} {}", if *available { "opens" } else { "closes" })
        }
        Command::Spawn(spec) => format!("{} comes at {}", spec.name, place(&spec.at.at)),
        Command::Despawn(who) => format!("{} leaves", name(who)),
        Command::Click(at) => format!("a click at {}", place(&at.at)),
        Command::Use { who, object } => format!("{} sets out to use {object}", name(who)),
        Command::Say { who, text, seconds } => format!("{} says “{text}” for {seconds} s", name(who)),
        Command::Interrupt(who) => format!("{} puts aside what it is at", name(who)),
        Command::Resume { who, .. } => format!("{} takes up what it put aside", name(who)),
        Command::Steer { who, direction } if *direction == DVec2::ZERO => {
            format!("{} is not steered any more", name(who))
        }
        Command::Steer { who, direction } => format!("{} is steered by {}", name(who), place(direction)),
        Command::AddLink(link) => format!("the link {} is added", link.name),
        Command::RemoveLink(link) => format!("the link {link} is removed"),
        Command::SetLinkAvailable { link, available } => {
            format!("the link {link} {}", if *available { "opens" } else { "closes" })
        }
        Command::RecordJump { from, to, .. } => {
            format!("a jump from {} to {} is recorded", place(&from.at), place(&to.at))
        }
        Command::Jump { who, to, .. } => format!("{} jumps to {}", name(who), place(&to.at)),
        Command::AddWaypath(waypath) => format!("the waypath {} is added", waypath.name),
        Command::RemoveWaypath(waypath) => format!("the waypath {waypath} is removed"),
        Command::SetWaypathAvailable { waypath, available } => {
            format!("the waypath {waypath} {}", if *available { "opens" } else { "closes" })
        }
        Command::TimeCrossing { who, seconds } => format!("{} goes on crossing for {seconds} s", name(who)),
        Command::SetFocus(Some(PathFocus::Character(who))) => format!("paths near {} come first", name(who)),
        Command::SetFocus(Some(PathFocus::Place(at))) => format!("paths near {} come first", place(&at.at)),
        Command::SetFocus(None) => "paths near the usual focus come first".into(),
        Command::PlaceActor { who, place } => {
            let [x, y, level] = place.cell;
            format!("{} is put on cell {x}, {y} of level {level}", name(who))
        }
        Command::RemoveActor(who) => format!("{} leaves the tactical level", name(who)),
        Command::WalkCells { who, steps, .. } => format!("{} sets out over {} cells", name(who), steps.len()),
        Command::TakeStance { who, stance } => format!("{} is to {}", name(who), stance.as_str()),
        Command::SetFlying { who, flies } => {
            format!("{} {}", name(who), if *flies { "flies" } else { "flies no more" })
        }
        Command::BeginTurn(Some(side)) => format!("the turn of {side} begins"),
        Command::BeginTurn(None) => "the next turn begins".into(),
        Command::Push { who, by } => format!("{} is pushed by {}", name(who), place(by)),
        Command::CallGame { call, .. } => format!("the game is called: {call}"),
        Command::SetHotspot { hotspot, .. } => format!("the hotspot {hotspot} is changed"),
        Command::ReplaceRoom(_) => "the room is changed".into(),
    }
}
