//! The behaviours of all characters, by character and by module, so that changes to a module need not visit
//! every character.

use crate::crowd::CharacterId;
use mlua::{AnyUserData, Table};
use std::collections::{BTreeMap, BTreeSet};

/// One character's behaviour.
pub(super) struct Instance {
    pub(super) module: String,
    pub(super) memory: Table,
    pub(super) npc: AnyUserData,
}

/// The behaviours of all characters.
#[derive(Default)]
pub(super) struct Instances {
    all: BTreeMap<CharacterId, Instance>,
    followers: BTreeMap<String, BTreeSet<CharacterId>>,
}

impl Instances {
    pub(super) fn get(&self, who: CharacterId) -> Option<&Instance> {
        self.all.get(&who)
    }

    /// In order of id.
    pub(super) fn iter(&self) -> impl Iterator<Item = (CharacterId, &Instance)> {
        self.all.iter().map(|(&who, instance)| (who, instance))
    }

    /// Each module in use, with the characters that follow it.
    pub(super) fn by_module(&self) -> impl Iterator<Item = (&str, &BTreeSet<CharacterId>)> {
        self.followers.iter().map(|(module, followers)| (module.as_str(), followers))
    }

    pub(super) fn insert(&mut self, who: CharacterId, instance: Instance) {
        self.remove(who);
        self.followers.entry(instance.module.clone()).or_default().insert(who);
        self.all.insert(who, instance);
    }

    pub(super) fn remove(&mut self, who: CharacterId) -> Option<Instance> {
        let gone = self.all.remove(&who)?;
        if let Some(followers) = self.followers.get_mut(&gone.module) {
            followers.remove(&who);
            if followers.is_empty() {
                self.followers.remove(&gone.module);
            }
        }
        Some(gone)
    }

    /// Changes the module that a character follows and keeps its memory; false if it followed none.
    pub(super) fn change_module(&mut self, who: CharacterId, module: String) -> bool {
        let Some(instance) = self.remove(who) else { return false };
        self.insert(who, Instance { module, ..instance });
        true
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.followers.clear();
    }
}
