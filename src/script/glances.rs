//! What characters look at, for people who watch: the simulation never reads it.

use super::host::Host;
use crate::crowd::CharacterId;
use crate::nav::Position;
use crate::world::{View, World};
use std::collections::BTreeMap;

/// A look counts as one of now for so long.
const LASTS_S: f64 = 1.0;

/// What a character looked at last, by `can_see` of its script.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Glance {
    /// When.
    pub tick: u64,
    /// The full width of the view around the heading, in radians; `None` is all round.
    pub fov_rad: Option<f64>,
    /// How far the view reaches, in metres; may be infinite.
    pub range_m: f64,
    /// The middle of what it looked at.
    pub at: Position,
    /// Whether it saw it.
    pub is_seen: bool,
}

impl Host {
    /// Remembers a look of a character. Of several in a tick, one that sees something counts.
    pub(super) fn glance(&self, who: CharacterId, view: &View, is_seen: bool) {
        let world = self.world();
        let tick = world.tick_number();
        let mut glances = self.people.glances.borrow_mut();
        if glances.len() > world.characters().len() {
            glances.retain(|who, glance| is_of_now(glance, &world) && world.character(*who).is_some());
        }
        if glances.get(&who).is_some_and(|last| last.tick == tick && last.is_seen && !is_seen) {
            return;
        }
        let fov_rad = view.cone.map(|(_, whole_rad)| whole_rad);
        glances.insert(who, Glance { tick, fov_rad, range_m: view.range_m, at: view.to.at, is_seen });
    }

    /// The looks of those in the room, as far as they are of now.
    pub(super) fn glances_of_now(&self) -> BTreeMap<CharacterId, Glance> {
        let world = self.world();
        let glances = self.people.glances.borrow();
        let of_now = glances.iter().filter(|(_, glance)| is_of_now(glance, &world));
        of_now
            .filter(|(who, _)| world.character(**who).is_some())
            .map(|(who, glance)| (*who, *glance))
            .collect()
    }
}

/// A room may have gone back to an earlier time, too.
fn is_of_now(glance: &Glance, world: &World) -> bool {
    let lasts = world.ticks_of(LASTS_S);
    (glance.tick..=glance.tick + lasts).contains(&world.tick_number())
}
