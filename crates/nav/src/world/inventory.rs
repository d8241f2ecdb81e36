//! Inventories of characters.

use super::{Applied, CommandError, World};
use crate::crowd::CharacterId;
use crate::room::MAX_NAME_BYTES;

/// Upper limits on the kinds of items one character carries, and on the items of each kind. The memory limit of
/// scripts does not count them.
pub const MAX_KINDS: usize = 100;
/// See [`MAX_KINDS`].
pub const MAX_OF_ONE_KIND: u32 = 1_000_000;

impl World {
    pub(super) fn give(
        &mut self,
        who: CharacterId,
        thing: String,
        count: u32,
    ) -> Result<Applied, CommandError> {
        check_item(&thing)?;
        let inventory = &mut self.present(who)?.inventory;
        if count == 0 {
            return Ok(Applied::Changed(false));
        }
        let sum = inventory.get(&thing).copied().unwrap_or(0).saturating_add(count);
        if sum > MAX_OF_ONE_KIND {
            return Err(CommandError::TooMany(thing));
        }
        if inventory.len() >= MAX_KINDS && !inventory.contains_key(&thing) {
            return Err(CommandError::TooManyKinds);
        }
        inventory.insert(thing, sum);
        Ok(Applied::Changed(true))
    }

    pub(super) fn take(
        &mut self,
        who: CharacterId,
        thing: &str,
        count: u32,
    ) -> Result<Applied, CommandError> {
        check_item(thing)?;
        let inventory = &mut self.present(who)?.inventory;
        let Some(left) = inventory.get(thing).copied().unwrap_or(0).checked_sub(count) else {
            return Ok(Applied::Changed(false));
        };
        if left == 0 {
            inventory.remove(thing);
        } else if let Some(has) = inventory.get_mut(thing) {
            *has = left;
        }
        Ok(Applied::Changed(true))
    }
}

pub(super) fn check_item(name: &str) -> Result<(), CommandError> {
    if (1..=MAX_NAME_BYTES).contains(&name.len()) { Ok(()) } else { Err(CommandError::BadName) }
}
