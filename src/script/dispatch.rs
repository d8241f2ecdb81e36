//! The script phase of a tick: events, timers, sequences, updates, in this order.

use super::api::{Object, handle, hotspot_table, place_table, waypoint_table};
use super::calls::Failure;
use super::error::beginning_of;
use super::fair_share::Share;
use super::messages::{Letter, Receiver};
use super::owner::Owner;
use super::timer::Action;
use super::{Instance, Scripts};
use crate::crowd::{CharacterId, WalkEnd};
use crate::nav::Place;
use crate::world::{Command, Event, EventKind};
use glam::DVec2;
use mlua::{Function, IntoLuaMulti, MultiValue, Value};

/// Quarters of an owner's budget after which its timers, its sequences and its `on_update` wait, so that none
/// of them starves those later in the tick.
const TIMERS_SHARE: u64 = 2;
pub(super) const SEQUENCES_SHARE: u64 = 3;
const ALL_SHARES: u64 = 4;

impl Scripts {
    /// Runs all scripts for one tick. `events` are those of the last tick and of the commands since. Events
    /// that scripts cause now are delivered in the next tick, so no handler is re-entered.
    pub(crate) fn run_tick(&mut self, events: &[Event]) {
        self.state.list_roots();
        // Messages sent from here on are delivered in the next tick.
        let letters = std::mem::take(&mut *self.host.mail.outbox.borrow_mut());
        if !self.loaded {
            self.loaded = true;
            self.each_room_script("on_load", |_| Ok(MultiValue::new()));
            for id in self.room_script_ids() {
                self.start_run(Owner::Room(id));
            }
        }
        self.exhausted.clear();
        self.turns.begin_tick();
        self.state.collect();
        self.host.commands.set(0);
        self.host.settle_scenes();
        self.tell_held();
        self.deliver_in_turn(events);
        self.hand_over_in_turn(letters);
        self.fire_timers();
        self.tend_crossings();
        self.tend_calls();
        self.run_tasks();
        self.update();
    }

    pub(super) fn deliver(&mut self, kind: &EventKind) {
        match kind {
            EventKind::Spawned(who) => self.welcome(*who),
            EventKind::Despawned(who) => self.farewell(*who),
            EventKind::WalkEnded { who, walk, end, within, .. } => self.walk_ended(*who, *walk, end, *within),
            EventKind::Turned { turn, end, .. } => {
                let mut schedule = self.host.schedule.borrow_mut();
                schedule.answer_walk(*turn, *end == WalkEnd::Arrived, end.as_str());
            }
            EventKind::Talked { with, .. } => self.tell_or_hold(*with, kind),
            EventKind::Used { who, object } => self.used(*who, object),
            EventKind::Entered(who, area) => {
                self.tell_or_hold(*who, kind);
                self.area_crossed("on_enter", *who, area);
            }
            EventKind::Left(who, area) => {
                self.tell_or_hold(*who, kind);
                self.area_crossed("on_leave", *who, area);
            }
            EventKind::AreaChanged { area, available } => {
                self.each_room_script("on_area_changed", |lua| {
                    Ok(MultiValue::from_iter([
                        Value::String(lua.create_string(area)?),
                        Value::Boolean(*available),
                    ]))
                });
            }
            EventKind::Clicked(at) => self.clicked(*at),
            EventKind::Waypoint { who, .. } => self.tell_or_hold(*who, kind),
            EventKind::Stepped { who, step } => {
                self.tell_or_hold(*who, kind);
                self.tell_room_of_step(*who, step);
            }
            EventKind::TurnBegan { side, round } => self.turn_began(side, *round),
            EventKind::LinkEntered(..)
            | EventKind::LinkLeft(..)
            | EventKind::Jumped(_)
            | EventKind::Evicted { .. }
            | EventKind::Said(..) => {}
        }
    }

    /// Delivers a message to its receiver; drops it if the receiver has left.
    pub(super) fn hand_over(&mut self, letter: Letter) {
        match letter.to {
            Receiver::Npc(who) => {
                let here = self.host.world().character(who).is_some();
                if here && self.host.is_directed(who) {
                    return self.hold_letter(who, letter);
                }
                let from = letter.from.map_or(Value::Nil, Value::UserData);
                if here {
                    self.handler(who, "on_message", (letter.message.as_str(), letter.data, from));
                }
            }
            Receiver::Room => {
                let from = letter.from.map_or(Value::Nil, Value::UserData);
                let (message, data) = (letter.message.as_str(), letter.data);
                self.each_room_script("on_message", |lua| {
                    (message, data.clone(), from.clone()).into_lua_multi(lua)
                });
            }
        }
    }

    /// Gives a new character its behaviour and starts it; once.
    pub(super) fn welcome(&mut self, who: CharacterId) {
        if self.host.instances.borrow().get(who).is_some() {
            return;
        }
        let Some(module) = self.host.world().character(who).and_then(|character| character.behaviour.clone())
        else {
            return;
        };
        self.load_module(&module);
        self.look_at_names(&module, Object::Behaviour);
        let instance = self.lua().create_table().and_then(|memory| {
            let npc = handle(self.lua(), &self.host, who)?;
            Ok(Instance { module, memory, npc })
        });
        match instance {
            Ok(instance) => self.host.instances.borrow_mut().insert(who, instance),
            Err(error) => return self.report(Owner::Character(who), "on_spawn", &error, Default::default()),
        }
        self.handler(who, "on_spawn", ());
        self.start_run(Owner::Character(who));
    }

    fn farewell(&mut self, who: CharacterId) {
        self.handler(who, "on_despawn", ());
        let owner = Owner::Character(who);
        self.host.instances.borrow_mut().remove(who);
        self.host.schedule.borrow_mut().drop_owner(owner);
        self.host.arrivals_mut().by_character.remove(&who);
        self.host.lua.characters.borrow_mut().remove(&who);
        self.host.people.cancelled.borrow_mut().remove(&who);
        self.host.schedule.borrow_mut().forget_directed(who);
        self.host.settle_scenes();
        self.host.faults.borrow_mut().forget(owner);
        self.close_book(owner);
    }

    /// Delivers an event to a character's script, or keeps it until the character's scene is over.
    pub(super) fn tell_or_hold(&mut self, who: CharacterId, kind: &EventKind) {
        if self.host.is_directed(who) {
            let handler = match kind {
                EventKind::Entered(..) => "on_enter",
                EventKind::Left(..) => "on_leave",
                EventKind::Waypoint { .. } => "on_waypoint",
                EventKind::Stepped { step, .. } => self.handler_of_step(who, step),
                _ => "on_talk",
            };
            return self.hold_event(who, kind, handler);
        }
        match kind {
            EventKind::Talked { who: from, with } => {
                // The new character may have left in the meantime.
                let here = self.host.world().character(*from).is_some();
                if let (true, Ok(other)) = (here, handle(self.lua(), &self.host, *from)) {
                    self.handler(*with, "on_talk", other);
                }
            }
            EventKind::Entered(_, area) => self.handler(who, "on_enter", area.as_str()),
            EventKind::Left(_, area) => self.handler(who, "on_leave", area.as_str()),
            EventKind::Stepped { step, .. } => self.tell_step(who, step),
            EventKind::Waypoint { waypath, point, action, .. } if self.has_handler(who, "on_waypoint") => {
                match waypoint_table(self.lua(), &self.host, (waypath, *point), action) {
                    Ok(table) => self.handler(who, "on_waypoint", table),
                    Err(error) => {
                        self.report(Owner::Character(who), "on_waypoint", &error, Default::default());
                    }
                }
            }
            _ => {}
        }
    }

    fn area_crossed(&mut self, event: &'static str, who: CharacterId, area: &str) {
        let host = self.host.clone();
        self.each_room_script(event, |lua| {
            let npc = handle(lua, &host, who)?;
            Ok(MultiValue::from_iter([Value::UserData(npc), Value::String(lua.create_string(area)?)]))
        });
    }

    fn used(&mut self, who: CharacterId, object: &str) {
        let host = self.host.clone();
        self.each_room_script("on_use", |lua| (handle(lua, &host, who)?, object).into_lua_multi(lua));
    }

    /// The command that steers the player. `None` without a player, and while a scene directs it.
    pub(crate) fn steering_of_player(&self, direction: DVec2) -> Option<Command> {
        let who = self.host.world().characters().iter().find(|c| c.player).map(|c| c.id);
        let who = who.filter(|who| !self.host.is_directed(*who))?;
        Some(Command::Steer { who, direction })
    }

    /// Delivers a click to the room scripts. Unless one of them returns true, the player walks to the place,
    /// walks up to the character there, or uses the hotspot there.
    fn clicked(&mut self, at: Place) {
        let hotspot = self.host.world().hotspot_at(at).cloned();
        let taken = self.each_room_script("on_click", |lua| {
            let hotspot = hotspot.as_ref().map(|hotspot| hotspot_table(lua, hotspot)).transpose()?;
            (place_table(lua, at)?, hotspot).into_lua_multi(lua)
        });
        let player = self.host.world().characters().iter().find(|c| c.player).map(|c| c.id);
        if let (false, Some(who)) = (taken, player.filter(|who| !self.host.is_directed(*who))) {
            let someone = self.host.world().character_at(at).filter(|other| *other != who);
            let to_use = hotspot.filter(|hotspot| hotspot.walk_to.is_some());
            let command = match (someone, to_use) {
                (Some(other), _) => Command::TalkTo { who, other },
                (None, Some(hotspot)) => Command::Use { who, object: hotspot.name },
                (None, None) => Command::SetTarget { who, to: at },
            };
            // A dead or disabled player cannot walk; its walk ends at once, and no error is needed.
            let click = || drop(self.host.world_mut().apply(command));
            self.host.noting_cancels(who, || "a click".to_owned(), click);
        }
    }

    fn fire_timers(&mut self) {
        let now = self.host.world().tick_number();
        loop {
            // Waiting timers stay due, and come first in the next tick.
            let any = self.host.schedule.borrow().has_due_timer(now);
            if !any || !self.has_turn(Share::Timers) {
                break;
            }
            // Taken out one by one: a timer's function may cancel the next.
            let due = self.host.schedule.borrow_mut().take_due_timer(now);
            let Some((id, timer)) = due else { break };
            // A character may have left without an event so far; its timers end with that event.
            if let Owner::Character(who) = timer.owner
                && self.host.world().character(who).is_none()
            {
                continue;
            }
            let suspect = match &timer.action {
                Action::Call(function) => self.is_suspect(|| beginning_of(function)),
                Action::Tell { .. } => false,
            };
            if self.is_spent(timer.owner, TIMERS_SHARE) || suspect {
                self.host.schedule.borrow_mut().postpone(now + 1, id, timer);
                continue;
            }
            match timer.action {
                Action::Call(function) => {
                    let failures = self.call_again(timer.owner, "a timer", &function, (), timer.failures);
                    if failures != Some(timer.failures) {
                        self.host.schedule.borrow_mut().set_failures(id, failures);
                    }
                }
                Action::Tell { name, data } => {
                    if !self.tell_timer(timer.owner, &name, data, timer.failures > 0) {
                        self.host.schedule.borrow_mut().set_failures(id, Some(1));
                    }
                }
            }
        }
    }

    /// Fires a named timer. False if nothing can be told of it, which is an error once until the next reload.
    fn tell_timer(&mut self, owner: Owner, name: &str, data: Value, was_told: bool) -> bool {
        let module = self.module_of(owner);
        if self.look_up(&module, "on_timer").is_none() {
            let message = format!(
                "the timer '{name}' is due, and this script has no on_timer to tell it; cancel({name:?}) ends it"
            );
            if !was_told {
                self.count_error(owner, "a timer", (module, 1), message, Vec::new());
            }
            return false;
        }
        match owner {
            Owner::Character(who) => self.handler(who, "on_timer", (name, data)),
            Owner::Room(id) => {
                self.room_handler(id, "on_timer", |lua| (name, data.clone()).into_lua_multi(lua));
            }
        }
        true
    }

    fn update(&mut self) {
        let dt_s = self.host.world().dt_s();
        self.each_room_script("on_update", move |_| Ok(MultiValue::from_iter([Value::Number(dt_s)])));
        // Skips characters whose behaviour has no `on_update`. A character that gets one meanwhile starts in
        // the next tick.
        let ids: Vec<CharacterId> = {
            let instances = self.host.instances.borrow();
            let busy =
                instances.by_module().filter(|(module, _)| self.look_up(module, "on_update").is_some());
            busy.flat_map(|(_, followers)| followers).copied().collect()
        };
        for who in self.updates_in_turn(ids) {
            if !self.has_turn(Share::Updates) {
                return self.update_waits(who);
            }
            // A character that left in this tick gets no update.
            let here = self.host.world().character(who).is_some() && !self.host.is_directed(who);
            if here && !self.is_spent(Owner::Character(who), ALL_SHARES) {
                self.handler(who, "on_update", dt_s);
            }
        }
    }

    /// Whether a character's behaviour may have a handler for an event.
    pub(super) fn has_handler(&self, who: CharacterId, event: &'static str) -> bool {
        let instances = self.host.instances.borrow();
        instances.get(who).is_some_and(|instance| self.look_up(&instance.module, event).is_some())
    }

    /// Calls a character's handler with `(self, npc, …)` if its behaviour has one that is not switched off.
    pub(super) fn handler(&mut self, who: CharacterId, event: &'static str, args: impl IntoLuaMulti) {
        let instances = self.host.instances.borrow();
        let Some(instance) = instances.get(who) else { return };
        // Most behaviours lack a handler for most events: those cost only the lookup.
        let Some(found) = self.look_up(&instance.module, event) else { return };
        let owner = Owner::Character(who);
        let (memory, npc) = (instance.memory.clone(), instance.npc.clone());
        let function = match found {
            Value::Function(function) if self.host.faults.borrow().is_empty() => {
                drop(instances);
                function
            }
            found => {
                let module = instance.module.clone();
                drop(instances);
                let Some(function) = self.armed_handler(owner, &module, event, found) else { return };
                function
            }
        };
        if event == "on_update" && self.is_suspect(|| beginning_of(&function)) {
            return; // the next tick has another update
        }
        match args.into_lua_multi(self.lua()) {
            Ok(mut args) => {
                args.push_front(Value::UserData(npc));
                args.push_front(Value::Table(memory));
                let _: Option<()> = self.call_handler(owner, event, &function, args);
            }
            Err(error) => self.handler_failed(owner, event, Failure::of(&error, beginning_of(&function))),
        }
    }

    /// Calls the handler of every room script with `(room, …)`; true if any returned true.
    pub(super) fn each_room_script(
        &mut self,
        event: &'static str,
        args: impl Fn(&mlua::Lua) -> mlua::Result<MultiValue>,
    ) -> bool {
        let mut answered = false;
        for id in self.room_script_ids() {
            answered |= self.room_handler(id, event, &args);
        }
        answered
    }

    /// Calls one room script's handler with `(room, …)`; true if it returned true.
    pub(super) fn room_handler(
        &mut self,
        id: usize,
        event: &'static str,
        args: impl Fn(&mlua::Lua) -> mlua::Result<MultiValue>,
    ) -> bool {
        let owner = Owner::Room(id);
        let Some(module) = self.host.module_of(owner) else { return false };
        let Some(function) = self.find_handler(owner, &module, event) else { return false };
        let room = self.room_object.clone().unwrap_or(Value::Nil);
        match args(self.lua()) {
            Ok(mut args) => {
                args.push_front(room);
                self.call_handler::<Value>(owner, event, &function, args) == Some(Value::Boolean(true))
            }
            Err(error) => {
                self.handler_failed(owner, event, Failure::of(&error, beginning_of(&function)));
                false
            }
        }
    }

    /// A behaviour's handler for an event. Another value under that name is reported, once.
    pub(super) fn find_handler(
        &mut self,
        owner: Owner,
        module: &str,
        event: &'static str,
    ) -> Option<Function> {
        let found = self.look_up(module, event)?;
        self.armed_handler(owner, module, event, found)
    }

    /// The behaviour table's own entry for an event: nil if an inherited one must be looked up, `None` if
    /// there is none.
    fn look_up(&self, module: &str, event: &'static str) -> Option<Value> {
        let modules = self.host.modules.borrow();
        let behaviour = modules.behaviour(module)?;
        let found = behaviour.raw_get::<Value>(event).ok()?;
        (!found.is_nil() || behaviour.metatable().is_some()).then_some(found)
    }

    /// The entry found, or the inherited one in its place, if it is a function that is not switched off.
    fn armed_handler(
        &mut self,
        owner: Owner,
        module: &str,
        event: &'static str,
        mut found: Value,
    ) -> Option<Function> {
        if self.host.faults.borrow().is_off(owner, event) {
            return None;
        }
        if found.is_nil() {
            // `__index` of a behaviour may be a function of the script's.
            let behaviour = self.host.modules.borrow().behaviour(module).cloned()?;
            let beginning = || (module.to_owned(), 1);
            match self.attempt(owner, None, beginning, || behaviour.get::<Value>(event)) {
                Ok(inherited) => found = inherited,
                Err(failure) => {
                    self.handler_failed(owner, event, failure);
                    return None;
                }
            }
        }
        match found {
            Value::Nil => None,
            Value::Function(function) => Some(function),
            other => {
                let message = format!("{event} must be a function, not {}", other.type_name());
                let place = (module.to_owned(), 1);
                let failure =
                    Failure { place, message, traceback: Vec::new(), exhausted: false, is_of_others: false };
                self.switch_off(owner, event, &failure, "it cannot be called");
                self.count_failure(owner, event, failure);
                None
            }
        }
    }
}
