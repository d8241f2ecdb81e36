//! All characters of a world, in order of their ids.

use super::{Character, CharacterId};
use std::collections::BTreeMap;

/// Characters in one flat list sorted by id. Ids only grow, so a new character is appended and a look-up is a binary
/// search.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Characters {
    list: Vec<Character>,
    by_name: BTreeMap<String, CharacterId>,
    next_id: u32,
}

impl Characters {
    /// The id of the next new character.
    pub(crate) fn next_id(&self) -> CharacterId {
        CharacterId(self.next_id)
    }

    /// Restores saved characters: ids ascending and below `next_id`, names unique.
    pub(crate) fn restore(mut list: Vec<Character>, next_id: u32) -> Self {
        list.iter_mut()
            .filter_map(|character| character.walk.as_mut())
            .for_each(|walk| walk.corridor.settle());
        let by_name = list.iter().map(|character| (character.name.clone(), character.id)).collect();
        Self { list, by_name, next_id }
    }

    /// Adds a character. Its id must be [`Characters::next_id`] and its name unique; names never change.
    pub(crate) fn add(&mut self, character: Character) {
        debug_assert_eq!(character.id, self.next_id());
        self.next_id += 1;
        self.by_name.insert(character.name.clone(), character.id);
        self.list.push(character);
    }

    /// Removes a character.
    pub(crate) fn remove(&mut self, id: CharacterId) -> Option<Character> {
        let gone = self.place_of(id).map(|index| self.list.remove(index))?;
        self.by_name.remove(&gone.name);
        Some(gone)
    }

    /// The character with this id.
    pub(crate) fn get(&self, id: CharacterId) -> Option<&Character> {
        self.place_of(id).map(|index| &self.list[index])
    }

    /// The character with this id, to change.
    pub(crate) fn get_mut(&mut self, id: CharacterId) -> Option<&mut Character> {
        self.place_of(id).map(|index| &mut self.list[index])
    }

    /// The character with this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Character> {
        self.by_name.get(name).and_then(|&id| self.get(id))
    }

    /// All characters in order of id.
    pub(crate) fn all(&self) -> &[Character] {
        &self.list
    }

    /// All characters in order of id, to change.
    pub(crate) fn all_mut(&mut self) -> &mut [Character] {
        &mut self.list
    }

    /// The index of a character in the list.
    pub(crate) fn place_of(&self, id: CharacterId) -> Option<usize> {
        // Ids of a range without gaps are consecutive, so this guess is often right.
        let guess = id.0.checked_sub(self.list.first()?.id.0)? as usize;
        if self.list.get(guess).is_some_and(|character| character.id == id) {
            return Some(guess);
        }
        self.list.binary_search_by_key(&id, |character| character.id).ok()
    }
}
