//! What is known of the room.

use super::{Inspection, Onlooker, Row, Section};
use crate::script::owner::Owner;

impl Onlooker<'_> {
    pub(super) fn room(&self) -> Inspection {
        let mut all = Inspection { name: self.world.room().name.clone(), sections: vec![self.summary()] };
        let state = self.host.lua.room_state.borrow().clone();
        if let Some(state) = state {
            all.add(self.table("state", &state));
        }
        let scripts = self.host.room_scripts.borrow().clone();
        for (&id, file) in &scripts {
            all.add(self.handlers(Owner::Room(id), &format!("handlers of {file}")));
        }
        let owners: Vec<Owner> =
            scripts.keys().map(|&id| Owner::Room(id)).chain([Owner::SPEC, Owner::CONSOLE]).collect();
        all.add(self.sequences(&owners));
        all.add(self.timers(&owners));
        all.add(self.messages(None));
        all
    }

    fn summary(&self) -> Section {
        let mut section = Section::new("room");
        let (room, ground) = (self.world.room(), self.world.ground());
        section.say("name", &room.name);
        for file in self.host.room_scripts.borrow().values() {
            section.rows.push(Row::of("script").text(file).at((file.clone(), 1)));
        }
        section.say("time", format!("{:.2} s", self.world.time_s()));
        section.say("tick", self.now.to_string());
        let characters = self.world.characters();
        let walking = characters.iter().filter(|character| character.is_moving()).count();
        section.say("characters", format!("{}, of whom {walking} walk", characters.len()));
        let list = |names: Vec<&str>| names.join(", ");
        let closed: Vec<&str> =
            ground.closed_areas().into_iter().map(|area| ground.area_name(area)).collect();
        let closing: Vec<&str> = {
            let closing = ground.areas().filter(|&area| self.world.is_closing(area));
            closing.map(|area| ground.area_name(area)).collect()
        };
        let links = self.world.links().links();
        let links: Vec<&str> =
            links.iter().filter(|placed| !placed.available).map(|placed| placed.link.name.as_str()).collect();
        let work = characters.len() + room.areas.len() * 4 + self.world.links().links().len();
        self.spend(work as u64 / 4);
        for (label, names) in [("closed areas", closed), ("closing", closing), ("closed links", links)] {
            if !names.is_empty() {
                section.say(label, list(names));
            }
        }
        section
    }
}
