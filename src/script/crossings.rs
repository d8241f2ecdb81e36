//! The handler `on_link`: a sequence that begins when a character begins to cross a link.
//!
//! A link of the kind `handler` is crossed when that sequence has ended, however it ended: so an error in it leaves
//! nobody between the two ends of a link.

use super::Scripts;
use super::api::{link_handle, sequence};
use super::error::beginning_of;
use super::owner::{Owner, TaskId};
use super::task::{Role, Task};
use crate::crowd::CharacterId;
use crate::room::LinkKind;
use crate::world::Command;
use mlua::{MultiValue, Value};

/// A crossing whose handler was started, if there is one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handled {
    began_tick: i64,
    task: Option<TaskId>,
}

impl Scripts {
    /// Starts `on_link` for new crossings, and ends the crossings whose handler is over.
    pub(super) fn tend_crossings(&mut self) {
        let crossing: Vec<(CharacterId, String, LinkKind, i64, bool)> = {
            let world = self.host.world();
            let of = |who| {
                let crossing = world.character(who)?.crossing.as_deref()?;
                if !crossing.over.is_link() {
                    return None;
                }
                let is_open = crossing.ticks.is_none();
                Some((who, crossing.link.clone(), crossing.kind, crossing.began_tick, is_open))
            };
            world.crossers().filter_map(of).collect()
        };
        let now = self.host.world().tick_number();
        self.crossings.retain(|who, _| crossing.iter().any(|(other, ..)| other == who));
        for (who, link, kind, began_tick, is_open) in crossing {
            let handled = self.crossings.get(&who).copied();
            // A crossing of the kind `handler` begins anew with the time of its end.
            let is_known = handled.is_some_and(|handled| handled.began_tick == began_tick || !is_open);
            // A crossing that was restored needs its handler only if that ends it.
            if !is_known && !is_open && now as i64 > began_tick + 1 {
                continue;
            }
            let task = match handled.filter(|_| is_known) {
                Some(handled) => handled.task,
                None => {
                    let task = self.start_on_link(who, &link);
                    self.crossings.insert(who, Handled { began_tick, task });
                    task
                }
            };
            let runs =
                task.is_some_and(|id| self.host.schedule.borrow().task(Owner::Character(who), id).is_some());
            if kind == LinkKind::Handler && is_open && !runs {
                // Without a handler, the character walks across.
                let on_foot = task.is_none();
                self.end_crossing(who, on_foot);
            }
        }
    }

    fn end_crossing(&mut self, who: CharacterId, on_foot: bool) {
        let seconds = {
            let world = self.host.world();
            let on_foot_s = world.character(who).and_then(|character| {
                let crossing = character.crossing.as_ref()?;
                Some(crossing.from.distance(crossing.to) / character.walk_speed_mps.max(0.01))
            });
            on_foot_s.filter(|_| on_foot).unwrap_or(0.0).min(3600.0)
        };
        // A character that left meanwhile crosses nothing.
        let _ = self.host.world_mut().apply(Command::TimeCrossing { who, seconds });
    }

    fn start_on_link(&mut self, who: CharacterId, link: &str) -> Option<TaskId> {
        let owner = Owner::Character(who);
        let (module, memory, npc) = {
            let instances = self.host.instances.borrow();
            let instance = instances.get(who)?;
            (instance.module.clone(), instance.memory.clone(), instance.npc.clone())
        };
        let handler = self.find_handler(owner, &module, "on_link")?;
        let beginning = beginning_of(&handler);
        let thread = link_handle(self.lua(), &self.host, link).and_then(|link| {
            let args = [Value::Table(memory), Value::UserData(npc), Value::UserData(link)];
            sequence(self.lua(), handler, MultiValue::from_iter(args))
        });
        match thread {
            Ok(thread) => {
                let task = Task::new(Role::Crossing, module, beginning, thread);
                self.host.schedule.borrow_mut().add_task(owner, task, usize::MAX)
            }
            Err(error) => {
                self.report(owner, "on_link", &error, beginning);
                None
            }
        }
    }
}
