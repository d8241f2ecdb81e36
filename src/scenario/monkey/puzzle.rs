//! The state of a puzzle: open areas, inventories, `room.state`, and the goals in reach of the player.

use crate::crowd::Character;
use crate::nav::{Anchor, Place};
use crate::room::Room;
use crate::runtime::Runtime;
use crate::surface::{Flood, Surface};
use crate::world::{World, stream};

/// A state of the puzzle and its first tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    /// The first tick.
    pub(super) tick: u64,
    /// States with the same key are visibly the same.
    pub(super) key: u64,
    /// For each goal, whether the player can reach it.
    pub(super) reached: Vec<bool>,
}

/// The goals of a room, each with the place where a character stands to reach it.
#[derive(Debug, Clone)]
pub(super) struct Goals {
    /// Where a character stands to have reached each goal.
    ends: Vec<Option<Anchor>>,
}

impl Goals {
    /// If a goal is not walkable even with every area open, the nearest walkable place counts.
    pub(super) fn of(room: &Room, ground: &Surface) -> Self {
        let open = ground.with_all_open();
        let snap_m = room.crowd.snap_distance_m;
        let end = |&at: &Place| open.anchor(open.locate(at), snap_m);
        let ends = room.goals.iter().map(|goal| room.points.get(goal).and_then(end));
        Self { ends: ends.collect() }
    }

    /// The state of the puzzle now.
    pub(super) fn look(&self, runtime: &Runtime) -> State {
        let world = runtime.world();
        let ground = world.ground();
        let mut words = String::new();
        for area in ground.areas() {
            words.push(if ground.area_available(area) { '1' } else { '0' });
        }
        for character in world.characters().iter().filter(|character| !character.inventory.is_empty()) {
            words.push_str(&format!("|{} {:?}", character.name, character.inventory));
        }
        words.push_str(&format!("|{}", runtime.room_state().to_json()));
        let mut reached = vec![false; self.ends.len()];
        // One flood for each piece of ground with a character on it.
        let mut pieces: Vec<Flood> = Vec::new();
        for at in players(world).iter().map(|someone| someone.position) {
            for (reached, end) in reached.iter_mut().zip(&self.ends) {
                *reached |= end.is_some_and(|end| ground.is_straight_way(at, end.at));
            }
            let Some(from) = ground.node_anchor(at, 0.0) else { continue };
            if pieces.iter().any(|piece| piece.holds(ground, &from)) {
                continue;
            }
            let mut piece = ground.flood(&from, None, u64::MAX);
            words.push_str(&format!("|{:?}", piece.name(ground)));
            for (reached, end) in reached.iter_mut().zip(&self.ends) {
                *reached |= end.is_some_and(|end| piece.leads_to(ground, &end));
            }
            pieces.push(piece);
        }
        State { tick: world.tick_number(), key: stream(0, &words), reached }
    }
}

/// The characters that must reach the goals: the player; without a player, all. A dead player goes nowhere.
pub(super) fn players(world: &World) -> Vec<&Character> {
    let has_player = world.characters().iter().any(|character| character.player);
    let plays = |character: &&Character| character.is_active() && (character.player || !has_player);
    world.characters().iter().filter(plays).collect()
}
