//! What a script remembers, does, and waits for.

use super::{MOST_PLACES, MOST_ROWS, Onlooker, PLACES_PER_INSTRUCTION, Row, Section, VALUE_COST};
use crate::crowd::{Character, CharacterId, WalkId};
use crate::script::answer::{Datum, is_name};
use crate::script::api::{Kind, Npc, Object, entries_of};
use crate::script::calls::Beginning;
use crate::script::copy::{Room, field, sort};
use crate::script::directing::PARKED;
use crate::script::error::beginning_of;
use crate::script::faults::Off;
use crate::script::messages::{Letter, Receiver};
use crate::script::owner::{Owner, TaskId};
use crate::script::sandbox::line_of;
use crate::script::task::{Role, Task, Wait};
use crate::script::timer::{Action, Timer};
use mlua::thread::ThreadStatus;
use mlua::{Table, Value};
use std::collections::BTreeMap;

/// Tables that a behaviour may inherit from, one after the other.
const MOST_ANCESTORS: usize = 50;

/// The handlers found in a behaviour: their values, and whether they are inherited.
type Found = BTreeMap<&'static str, (Value, bool)>;

impl Onlooker<'_> {
    /// A table, one row for each key.
    pub(super) fn table(&self, title: &str, table: &Table) -> Section {
        let mut section = Section::new(title);
        let places = self.host.meter.work(table);
        if places > MOST_PLACES {
            section.say("…", format!("too large to be looked through: it has {places} places"));
            return section;
        }
        self.spend(places / PLACES_PER_INSTRUCTION);
        let mut entries: Vec<(Datum, Datum)> = Vec::new();
        let mut is_cut = false;
        for (key, value) in table.pairs::<Value, Value>().filter_map(Result::ok) {
            if entries.len() == MOST_ROWS {
                is_cut = true;
                break;
            }
            let key = Room::silent(self.host, 1, 200, 0).copy_key(&key);
            entries.push((key, self.copy(&value, Some(table))));
        }
        sort(&mut entries);
        section.rows.extend(entries.into_iter().map(|(key, value)| {
            let label = match key {
                Datum::Text(name) if is_name(&name) => name,
                other => format!("[{other}]"),
            };
            let row = Row::of(label);
            let row = if value.is_cut() { row.text("a part of it") } else { row };
            row.value(value)
        }));
        if is_cut {
            section.say("…", "there are more");
        }
        section
    }

    /// The handlers of a script, in the order of the reference page, and which of them are off.
    pub(super) fn handlers(&self, owner: Owner, title: &str) -> Section {
        let mut section = Section::new(title);
        let Some(module) = self.host.module_of(owner) else { return section };
        let object =
            if matches!(owner, Owner::Character(_)) { Object::Behaviour } else { Object::RoomScript };
        let events = || entries_of(object).filter(|entry| entry.kind() == Kind::Event);
        let names: Vec<&'static str> = events().map(|entry| entry.name).collect();
        let (behaviour, is_good) = {
            let modules = self.host.modules.borrow();
            let is_good = modules.all.get(&module).is_some_and(|module| module.good);
            (modules.behaviour(&module).cloned(), is_good)
        };
        if !is_good {
            let text = "its last version did not load";
            section.rows.push(Row::of("script").text(text).at((module.clone(), 1)).bad(true));
        }
        let (found, by_function) = self.find(behaviour, &names);
        let faults = self.host.faults.borrow();
        let mut faults: BTreeMap<&str, (u32, Option<&Off>)> =
            faults.of(owner).map(|(event, in_a_row, off)| (event, (in_a_row, off))).collect();
        for name in names {
            let fault = faults.remove(name);
            let Some((value, is_inherited)) = found.get(name) else {
                section.rows.extend(fault.map(|fault| self.fault(Row::of(name), fault, "")));
                continue;
            };
            let row = match value {
                Value::Function(function) => Row::of(name).at(beginning_of(function)),
                other => {
                    let text = format!("cannot be called: a {}", other.type_name());
                    Row::of(name).text(text).at((module.clone(), 1)).bad(true)
                }
            };
            let inherited = if *is_inherited { "inherited" } else { "" };
            section.rows.push(match fault {
                Some(fault) => self.fault(row, fault, inherited),
                None if *is_inherited && row.text.is_none() => row.text(inherited),
                None => row,
            });
        }
        if let Some(place) = by_function {
            section.rows.push(Row::of("others").text("may be inherited by a function").at(place));
        }
        section
    }

    /// The handlers in a behaviour and in the tables that it inherits from. The function that it inherits by, if there is
    /// one: what that would find is not known.
    fn find(&self, behaviour: Option<Table>, names: &[&'static str]) -> (Found, Option<Beginning>) {
        let mut found = Found::new();
        let mut next = behaviour;
        for generation in 0..MOST_ANCESTORS {
            let Some(table) = next.take() else { break };
            let places = self.host.meter.work(&table);
            if places > MOST_PLACES {
                break;
            }
            self.spend(places / PLACES_PER_INSTRUCTION);
            for (key, value) in table.pairs::<Value, Value>().filter_map(Result::ok) {
                let Value::String(key) = key else { continue };
                if let Some(&name) = names.iter().find(|name| key == **name) {
                    found.entry(name).or_insert((value, generation > 0));
                }
            }
            match table.metatable().and_then(|hidden| field(&hidden, "__index")) {
                Some(Value::Table(parent)) => next = Some(parent),
                Some(Value::Function(finds)) => return (found, Some(beginning_of(&finds))),
                _ => {}
            }
        }
        (found, None)
    }

    fn fault(&self, row: Row, (in_a_row, off): (u32, Option<&Off>), inherited: &str) -> Row {
        let text = match off {
            Some(off) => {
                let ago = self.seconds(self.now.saturating_sub(off.tick));
                format!("off since tick {}, {ago} ago: {}", off.tick, off.why)
            }
            None => format!("{} in a row", errors(in_a_row)),
        };
        let inherited = if inherited.is_empty() { String::new() } else { format!("{inherited}; ") };
        row.text(format!("{inherited}{text}")).bad(true)
    }

    /// The sequences of some owners, each at its current line.
    pub(super) fn sequences(&self, owners: &[Owner]) -> Section {
        let mut section = Section::new("sequences");
        let schedule = self.host.schedule.borrow();
        for &owner in owners {
            let mut labels: BTreeMap<TaskId, String> = BTreeMap::new();
            for (id, task) in schedule.tasks_of(owner) {
                if section.rows.len() == MOST_ROWS {
                    section.say("…", "there are more");
                    return section;
                }
                let label = match task.branch_of {
                    Some((parent, index)) => {
                        let parent = labels.get(&parent).map_or("another", String::as_str);
                        format!("branch {} of {parent}", index + 1)
                    }
                    None => role(task.role, id),
                };
                labels.insert(id, label.clone());
                self.spend(VALUE_COST);
                let (file, line) = &task.beginning;
                let now = line_of(&task.thread);
                let begun = match &now {
                    None => String::new(),
                    Some((present, _)) if present == file => format!("; began in line {line}"),
                    Some(_) => format!("; began at {file}:{line}"),
                };
                let text = format!("{}{begun}", self.activity(owner, id, task));
                let place = now.unwrap_or_else(|| task.beginning.clone());
                section.rows.push(Row::of(label).text(text).at(place));
            }
        }
        section
    }

    /// What a sequence does or waits for.
    fn activity(&self, owner: Owner, id: TaskId, task: &Task) -> String {
        let schedule = self.host.schedule.borrow();
        let directs = match &task.directs[..] {
            [] => String::new(),
            all => {
                let names: Vec<&str> = all.iter().map(|&who| self.world.name_of(who)).collect();
                format!("; directs {}", names.join(", "))
            }
        };
        let paused = schedule.paused_since(owner, id);
        let is_begun = line_of(&task.thread).is_some();
        let wait = match task.wait {
            _ if matches!(task.thread.status(), ThreadStatus::Running | ThreadStatus::Normal) => {
                "runs now".into()
            }
            _ if task.answer.is_some() => "goes on in the next tick".to_owned(),
            Wait::Until(_) if !is_begun => "has not begun yet".into(),
            // A sequence that pauses goes on later by as much.
            Wait::Until(tick) => self.until(tick, paused.unwrap_or(self.now)),
            Wait::Walk { who, walk, deadline } => {
                let whose = match owner == Owner::Character(who) {
                    true => "its".to_owned(),
                    false => format!("{}'s", self.world.name_of(who)),
                };
                let task = self.world.character(who).and_then(|c| self.walk_named(c, walk));
                let task = task.unwrap_or_else(|| "walk".into());
                let from = paused.unwrap_or(self.now);
                let most =
                    deadline.map(|tick| format!(", {} at most", self.seconds(tick.saturating_sub(from))));
                format!("waits for the end of {whose} {task}{}", most.unwrap_or_default())
            }
            Wait::Branches => match &task.branches {
                Some(branches) if branches.race => {
                    format!("waits for the first of {} branches", branches.left)
                }
                Some(branches) => format!("waits for {} branches", branches.left),
                None => "waits for its branches".into(),
            },
            Wait::Outside => {
                let pending = self.host.game.pending.borrow();
                let call = pending.values().find(|call| call.waiter == (owner, id));
                let name = call.map_or("work outside of scripts", |call| call.function.shape.name);
                format!("waits for the end of {name}")
            }
        };
        let pauses = if paused.is_some() { "pauses for a scene; " } else { "" };
        format!("{pauses}{wait}{directs}")
    }

    fn until(&self, tick: u64, from: u64) -> String {
        // One that looks every tick, as `wait_until` does, is always due in the next one.
        match tick.saturating_sub(from) {
            0 | 1 => "goes on, or looks again, in the next tick".into(),
            left => {
                let at_s = tick as f64 * self.world.dt_s();
                format!("waits until {at_s:.1} s, {} left", self.seconds(left))
            }
        }
    }

    /// A character's walk, turn or following of this number.
    fn walk_named(&self, character: &Character, id: WalkId) -> Option<String> {
        let turn = character.turn.filter(|turn| turn.id == id);
        let follows = character.following.as_deref().filter(|following| following.id == id);
        let walk = character.walk.as_ref().filter(|walk| walk.id == id);
        let goal = |to| format!("walk to {}", self.place(to));
        follows
            .map(|following| format!("following {}", self.world.name_of(following.who)))
            .or_else(|| turn.map(|turn| format!("turn to {}", self.place(turn.to))))
            .or_else(|| {
                walk.map(|walk| match walk.goal.up_to {
                    Some(other) => format!("walk up to {}", self.world.name_of(other)),
                    None => goal(walk.goal.place),
                })
            })
    }

    /// The timers of some owners, the earliest first.
    pub(super) fn timers(&self, owners: &[Owner]) -> Section {
        let mut section = Section::new("timers");
        let schedule = self.host.schedule.borrow();
        for &owner in owners {
            for (due, timer) in schedule.timers_of(owner) {
                if section.rows.len() == MOST_ROWS {
                    section.say("…", "there are more");
                    return section;
                }
                self.spend(VALUE_COST);
                section.rows.push(self.timer(due, timer));
            }
        }
        section
    }

    fn timer(&self, due: u64, timer: &Timer) -> Row {
        let when = match due.checked_sub(PARKED) {
            Some(left) => format!("pauses for a scene, with {} left", self.seconds(left)),
            None => format!("due in {}", self.seconds(due.saturating_sub(self.now))),
        };
        let every = timer.period.map(|ticks| format!(", every {}", self.seconds(ticks))).unwrap_or_default();
        let failed = match timer.failures {
            0 => String::new(),
            failures => format!("; {} in a row", errors(failures)),
        };
        let row = match &timer.action {
            Action::Call(function) => Row::of("a function").at(beginning_of(function)),
            Action::Tell { name, data: Value::Nil } => Row::of(name),
            Action::Tell { name, data } => Row::of(name).value(self.copy(data, None)),
        };
        row.text(format!("{when}{every}{failed}")).bad(timer.failures > 0)
    }

    /// Messages to a character, or to the room, that are not delivered yet.
    pub(super) fn messages(&self, to: Option<CharacterId>) -> Section {
        let mut section = Section::new("messages");
        let (held, late) = (self.host.mail.held.borrow(), self.host.mail.late_letters.borrow());
        let outbox = self.host.mail.outbox.borrow();
        self.spend((held.events().len() + held.letters().len() + late.len() + outbox.len()) as u64);
        let is_for = |letter: &Letter| match letter.to {
            Receiver::Npc(who) => Some(who) == to,
            Receiver::Room => to.is_none(),
        };
        let held_letters = held.letters().iter().map(|letter| (letter, "; kept until its scene is over"));
        let others = late.iter().chain(&*outbox).map(|letter| (letter, ""));
        for (letter, kept) in held_letters.chain(others).filter(|(letter, _)| is_for(letter)) {
            if section.rows.len() == MOST_ROWS {
                section.say("…", "there are more");
                break;
            }
            let sender = letter.from.as_ref().and_then(|from| from.borrow::<Npc>().ok());
            let from = sender.map_or("the room".into(), |npc| self.world.name_of(npc.id).to_owned());
            let row = Row::of(&letter.message).text(format!("from {from}{kept}"));
            section.rows.push(match &letter.data {
                Value::Nil => row,
                data => row.value(self.copy(data, None)),
            });
        }
        let events = to.map_or(0, |who| held.events_of(who));
        if events > 0 {
            section.say("events", format!("{events}, kept until its scene is over"));
        }
        section
    }

    /// The functions to be called when a character arrives.
    pub(super) fn arrivals(&self, character: &Character) -> Section {
        let mut section = Section::new("arrival functions");
        let arrivals = self.host.arrivals.borrow();
        let walk = character.walk.as_ref().map(|walk| walk.id);
        if let Some(function) = walk.and_then(|walk| arrivals.by_walk.get(&walk)) {
            section.rows.push(Row::of("this walk").at(beginning_of(function)));
        }
        if let Some(subscription) = arrivals.by_character.get(&character.id) {
            let row = Row::of("every walk").at(beginning_of(&subscription.function));
            section.rows.push(match subscription.failures {
                0 => row,
                failures => row.text(format!("{} in a row", errors(failures))).bad(true),
            });
        }
        section
    }
}

fn errors(count: u32) -> String {
    if count == 1 { "1 error".into() } else { format!("{count} errors") }
}

fn role(role: Role, id: TaskId) -> String {
    match role {
        Role::Run => "run".into(),
        Role::OneShot => format!("started {}", id.0),
        Role::Line => "console line".into(),
        Role::Crossing => "on_link".into(),
        Role::Test => "test".into(),
    }
}
