//! A number of the game's own for each character.

use super::World;
use crate::crowd::CharacterId;

impl World {
    /// Keeps a number of the game's own with a character, until it leaves the room: the index of the game's object, or a
    /// key of an entity system. It changes no run, and is in no save and no recording. False if the character is not in the
    /// room.
    ///
    /// ```
    /// # use cicerone_nav::world::World;
    /// # let text = br#"{"areas": [{"name": "hall", "polygon": [[0, 0], [4, 0], [4, 4]]}],
    /// #   "characters": [{ "name": "ann", "at": [3, 1] }]}"#;
    /// # let mut world = World::new(cicerone_nav::room::parse("hall.json", text).unwrap().room, 7).unwrap();
    /// let ann = world.character_named("ann").unwrap().id;
    /// assert!(world.set_user_data(ann, 42));
    /// assert_eq!(world.user_data(ann), 42);
    /// ```
    pub fn set_user_data(&mut self, who: CharacterId, user_data: u64) -> bool {
        let is_there = self.character(who).is_some();
        if is_there {
            self.register.user_data.insert(who, user_data);
        }
        is_there
    }

    /// The number that [`World::set_user_data`] kept; 0 if there is none.
    pub fn user_data(&self, who: CharacterId) -> u64 {
        self.register.user_data.get(&who).copied().unwrap_or(0)
    }

    /// Takes over the numbers of another world, for the characters that are in both: of this room before it was restored.
    pub fn take_user_data(&mut self, of: &Self) {
        let kept = of.register.user_data.iter().filter(|(who, _)| self.character(**who).is_some());
        self.register.user_data = kept.map(|(&who, &user_data)| (who, user_data)).collect();
    }
}
