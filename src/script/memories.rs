//! The scripts' memory, saved and restored with a world: `room.state`, the `self` of every character, and
//! undelivered messages. Code is not saved; behaviours restart as after a reload.

use super::api::{Npc, Object};
use super::directing::PARKED;
use super::fair_share::{KeptTurns, Turns};
use super::held::Held;
use super::messages::{Letter, Receiver};
use super::owner::Owner;
use super::queue_lines::Lines;
use super::sandbox::share;
use super::saved_values::{SavedTables, SavedValue, Unpacker, ValueSaver};
use super::task::Role;
use super::timer::{Action, Timer, TimerId};
use super::{Instance, Scripts};
use crate::crowd::{CharacterId, WalkId};
use crate::world::{Command, EventKind, World};
use mlua::{MultiValue, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The scripts' memory as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Memories {
    /// `room.state`.
    state: SavedValue,
    /// `self` of each character that has a behaviour, by name.
    selves: BTreeMap<String, SavedValue>,
    letters: Vec<KeptLetter>,
    timers: Vec<KeptTimer>,
    /// The last number given to a timer or sequence.
    last_number: u64,
    /// Events kept for characters in scenes.
    held: Vec<EventKind>,
    /// Walks that were called off: the character, the walk, and by whom, in words.
    cancelled: Vec<(CharacterId, WalkId, String)>,
    /// Number of characters that scripts have spawned without a name.
    spawned: u64,
    /// Waiting lines of characters.
    #[serde(default, skip_serializing_if = "Lines::is_empty")]
    lines: Lines,
    /// Whether `on_load` has been called.
    loaded: bool,
    #[serde(default, skip_serializing_if = "KeptTurns::is_default")]
    turns: KeptTurns,
    /// Whether there have been long strings, which are slow to handle.
    #[serde(default)]
    long_strings: bool,
    tables: SavedTables,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct KeptLetter {
    from: Option<SavedValue>,
    /// The receiver's id; none for the room.
    to: Option<u32>,
    message: String,
    data: Option<SavedValue>,
}

/// A named timer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct KeptTimer {
    number: u64,
    /// The timer's character, by name; none for a room script.
    character: Option<String>,
    script: Option<String>,
    name: String,
    data: Option<SavedValue>,
    /// Ticks until it is due.
    left_ticks: u64,
    /// Ticks between calls, if it repeats.
    period_ticks: Option<u64>,
}

/// Maximum ticks of a timer.
const MOST_TICKS: u64 = 1 << 52;

impl Scripts {
    fn keep_timers(&self, keeper: &mut ValueSaver) -> Vec<KeptTimer> {
        let host = &self.host;
        let now = host.world().tick_number();
        let schedule = host.schedule.borrow();
        let mut kept = Vec::new();
        for (due, id, timer) in schedule.timers_with_ids() {
            let Action::Tell { name, data } = &timer.action else { continue };
            let (character, script) = match timer.owner {
                Owner::Character(who) => (Some(host.world().name_of(who).to_owned()), None),
                Owner::Room(_) => (None, self.host.module_of(timer.owner)),
            };
            let data = match data {
                Value::Nil => None,
                data => keeper.keep(host, data, || format!("the data of timer '{name}'")),
            };
            let left_ticks = due.checked_sub(PARKED).unwrap_or_else(|| due.saturating_sub(now));
            let (number, name, period_ticks) = (id.0, name.clone(), timer.period);
            kept.push(KeptTimer { number, character, script, name, data, left_ticks, period_ticks });
        }
        kept
    }

    /// Restores saved timers. Timers of characters or scripts that no longer exist are dropped.
    fn set_timers(&self, timers: Vec<(&KeptTimer, Value)>, last_number: u64) {
        let mut schedule = self.host.schedule.borrow_mut();
        schedule.restore_number(last_number.min(MOST_TICKS));
        let now = self.host.world().tick_number();
        for (kept, data) in timers {
            let owner = match (&kept.character, &kept.script) {
                (Some(name), _) => {
                    let who = self.host.world().character_named(name).map(|character| character.id);
                    who.filter(|who| self.host.instances.borrow().get(*who).is_some()).map(Owner::Character)
                }
                (None, Some(script)) => {
                    let scripts = self.host.room_scripts.borrow();
                    let number = scripts.iter().find(|(_, path)| *path == script);
                    number.map(|(&number, _)| Owner::Room(number))
                }
                (None, None) => None,
            };
            let Some(owner) = owner else { continue };
            let period = kept.period_ticks.map(|ticks| ticks.clamp(1, MOST_TICKS));
            let action = Action::Tell { name: kept.name.clone(), data };
            let timer = Timer { owner, action, period, set_by: None, loading: None, failures: 0 };
            let id = TimerId(kept.number.min(last_number).min(MOST_TICKS));
            schedule.restore_timer(now + kept.left_ticks.min(MOST_TICKS), id, timer);
        }
    }

    /// Copies the scripts' memory.
    ///
    /// # Errors
    /// In words, the values that cannot be saved: functions, coroutines, tables with a metatable, each with
    /// the keys that lead to it.
    pub(crate) fn memories(&self) -> Result<Memories, Vec<String>> {
        let host = &self.host;
        let mut keeper = ValueSaver::default();
        let state = host.lua.room_state.borrow().clone().map_or(Value::Nil, Value::Table);
        let state = keeper.keep(host, &state, || "room.state".into());
        let mut selves = BTreeMap::new();
        for (who, instance) in host.instances.borrow().iter() {
            let Some(name) = host.world().character(who).map(|character| character.name.clone()) else {
                continue;
            };
            let memory = Value::Table(instance.memory.clone());
            let kept = keeper.keep(host, &memory, || format!("{name}'s self"));
            selves.extend(kept.map(|kept| (name, kept)));
        }
        let mut letters = Vec::new();
        let (held, late, outbox) =
            (host.mail.held.borrow(), host.mail.late_letters.borrow(), host.mail.outbox.borrow());
        for letter in held.letters().iter().chain(&*late).chain(&*outbox) {
            let from = letter.from.clone().map(Value::UserData);
            let from = from.and_then(|from| keeper.keep(host, &from, || "the sender of a message".into()));
            let message = letter.message.clone();
            let data = match &letter.data {
                Value::Nil => None,
                data => keeper.keep(host, data, || format!("the data of message '{message}'")),
            };
            let to = match letter.to {
                Receiver::Npc(who) => Some(who.0),
                Receiver::Room => None,
            };
            letters.push(KeptLetter { from, to, message, data });
        }
        let timers = self.keep_timers(&mut keeper);
        let tables = keeper.finish(host)?;
        let state = state.ok_or_else(|| vec!["room.state is not there".to_owned()])?;
        let (spawned, loaded) = (host.people.spawned.get(), self.loaded);
        let held = held.events().to_vec();
        let cancelled = host.people.cancelled.borrow();
        let cancelled = cancelled.iter().map(|(&who, (walk, by))| (who, *walk, by.clone())).collect();
        let last_number = host.schedule.borrow().last_number();
        let lines = host.people.lines.borrow().clone();
        Ok(Memories {
            state,
            selves,
            letters,
            timers,
            last_number,
            held,
            cancelled,
            spawned,
            lines,
            loaded,
            turns: self.turns.keep(),
            long_strings: host.meter.had_long_strings(),
            tables,
        })
    }

    /// Activity that is not in [`Scripts::memories`], in words: timers and sequences that nothing sets up
    /// again.
    pub(crate) fn unsaved(&self) -> Vec<String> {
        let now = self.host.world().tick_number();
        let left = |due: u64| due.checked_sub(PARKED).unwrap_or_else(|| due.saturating_sub(now));
        let seconds = |due: u64| left(due) as f64 * self.host.world().dt_s();
        let schedule = self.host.schedule.borrow();
        let once = |role: Role| role == Role::OneShot;
        let sequences = schedule
            .tasks()
            .filter(|(.., task)| once(task.role) && task.branch_of.is_none() && task.loading.is_none());
        let mut lines: Vec<String> = sequences
            .map(|(owner, _, task)| {
                let (file, line) = &task.beginning;
                format!("a sequence of {} that began at {file}:{line}", self.name_of(owner))
            })
            .collect();
        for (due, timer) in schedule.timers() {
            if timer.set_by.is_some() || timer.loading.is_some() {
                continue;
            }
            let Action::Call(function) = &timer.action else { continue };
            let (file, line) = super::error::beginning_of(function);
            let kind = if timer.period.is_some() { "a repeating timer" } else { "a timer" };
            let who = self.name_of(timer.owner);
            lines.push(format!("{kind} of {who} for {file}:{line}, due in {:.2} s", seconds(due)));
        }
        let arrivals = self.host.arrivals.borrow();
        let subscriptions = arrivals
            .by_character
            .iter()
            .filter(|(_, subscription)| subscription.set_by.is_none() && subscription.loading.is_none());
        for (who, _) in subscriptions {
            lines.push(format!("what on_arrived of {} was to call", self.host.world().name_of(*who)));
        }
        if !arrivals.by_walk.is_empty() {
            lines.push(format!("{} functions to be called at the end of a walk", arrivals.by_walk.len()));
        }
        lines
    }

    /// Restores the scripts' memory and restarts behaviours as after a reload: `on_reload`, then `run`. Call
    /// this once, before the first tick, after the room's scripts are loaded.
    ///
    /// # Errors
    /// If the data is invalid, or there is no memory for it.
    pub(crate) fn recall(&mut self, memories: &Memories) -> Result<(), String> {
        self.put_back(memories).map_err(|error| error.to_string())?;
        self.loaded = memories.loaded;
        self.turns = Turns::of(&memories.turns);
        if memories.long_strings {
            self.host.meter.set_long_strings();
        }
        *self.host.mail.held.borrow_mut() = Held::of(memories.held.clone());
        let cancelled = memories.cancelled.iter().map(|(who, walk, by)| (*who, (*walk, by.clone())));
        *self.host.people.cancelled.borrow_mut() = cancelled.collect();
        if !self.loaded {
            return Ok(());
        }
        self.give_everybody_back();
        let rooms = self.room_script_ids().into_iter().map(Owner::Room);
        let characters = self.host.instances.borrow().iter().map(|(who, _)| who).collect::<Vec<_>>();
        let owners: Vec<Owner> = rooms.chain(characters.into_iter().map(Owner::Character)).collect();
        for owner in owners {
            match owner {
                Owner::Room(id) => drop(self.room_handler(id, "on_reload", |_| Ok(MultiValue::new()))),
                Owner::Character(who) => self.handler(who, "on_reload", ()),
            }
            self.start_run(owner);
        }
        Ok(())
    }

    /// Ends all scenes, which are not saved: their characters resume what they did before. A scene that
    /// starts again finds them so.
    fn give_everybody_back(&self) {
        let within = |world: &World| -> Vec<CharacterId> {
            let all = world.characters().iter().filter(|character| !character.set_aside.is_empty());
            all.map(|character| character.id).collect()
        };
        let directed = within(&self.host.world());
        for who in directed {
            let newest = || {
                self.host
                    .world()
                    .character(who)
                    .and_then(|character| character.set_aside.len().checked_sub(1))
            };
            while let Some(level) = newest() {
                // The character exists, and so does the level.
                let _ = self.host.world_mut().apply(Command::Resume { who, level });
            }
        }
    }

    fn put_back(&mut self, memories: &Memories) -> mlua::Result<()> {
        let mut remembered: Vec<(CharacterId, String, Value)> = Vec::new();
        let room = self.room_object.clone().unwrap_or(Value::Nil);
        let (state, letters, timers) = self.loading(|| {
            let unpacker = Unpacker::new(self.lua(), &self.host, room, &memories.tables)?;
            for (name, kept) in &memories.selves {
                let who = self.host.world().character_named(name).map(|c| (c.id, c.behaviour.clone()));
                if let Some((who, Some(module))) = who {
                    remembered.push((who, module, unpacker.value(kept)?));
                }
            }
            let letters = memories.letters.iter().map(|letter| unpacker.letter(letter));
            let data =
                |timer: &KeptTimer| timer.data.as_ref().map_or(Ok(Value::Nil), |data| unpacker.value(data));
            let timers = memories.timers.iter().map(|timer| data(timer).map(|data| (timer, data)));
            Ok::<_, mlua::Error>((
                unpacker.value(&memories.state)?,
                letters.collect::<mlua::Result<Vec<_>>>()?,
                timers.collect::<mlua::Result<Vec<_>>>()?,
            ))
        })?;
        let Value::Table(state) = state else { return Err(mlua::Error::runtime("room.state is no table")) };
        share(self.lua(), &state, None)?;
        for letter in &letters {
            letter.data.as_table().map_or(Ok(()), |data| share(self.lua(), data, None))?;
        }
        *self.host.lua.room_state.borrow_mut() = Some(state);
        *self.host.mail.outbox.borrow_mut() = letters;
        self.host.people.spawned.set(memories.spawned);
        memories.lines.check(&self.host.world()).map_err(mlua::Error::runtime)?;
        *self.host.people.lines.borrow_mut() = memories.lines.clone();
        self.host.people.lines.borrow_mut().give_time(&self.host.world());
        for (who, module, memory) in remembered {
            let Value::Table(memory) = memory else { return Err(mlua::Error::runtime("a self is no table")) };
            let npc = super::api::handle(self.lua(), &self.host, who)?;
            self.load_module(&module);
            self.look_at_names(&module, Object::Behaviour);
            self.host.instances.borrow_mut().insert(who, Instance { module, memory, npc });
        }
        self.set_timers(timers, memories.last_number);
        Ok(())
    }
}

impl Unpacker<'_> {
    fn letter(&self, letter: &KeptLetter) -> mlua::Result<Letter> {
        let from = match letter.from.as_ref().map(|from| self.value(from)).transpose()? {
            Some(Value::UserData(object)) if object.is::<Npc>() => Some(object),
            _ => None,
        };
        let to = letter.to.map_or(Receiver::Room, |id| Receiver::Npc(CharacterId(id)));
        let data = letter.data.as_ref().map_or(Ok(Value::Nil), |data| self.value(data))?;
        Ok(Letter { from, to, message: letter.message.clone(), data })
    }
}
