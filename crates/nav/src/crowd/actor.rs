//! A character as an actor of a tactical level: where it stands on the cells, and how it walks over them.

use super::WalkId;
use crate::room::Stance;
use crate::tactics::{Cell, Move};
use serde::{Deserialize, Serialize};

/// The part of a character that plays in turns on the room's tactical level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActorState {
    /// Its cell: that with the least x and y, if it is on several.
    pub cell: Cell,
    /// Its side in cells: 1 or 2.
    pub size: u32,
    /// How it holds itself.
    pub stance: Stance,
    /// Whether it flies.
    pub flies: bool,
    /// The side that it is on.
    pub side: String,
    /// The time units (TU) that it gets for a turn.
    pub budget: u16,
    /// The TU that it has left.
    pub tu: u16,
    /// Its walk from cell to cell, if it is on one.
    pub walk: Option<CellWalk>,
}

/// A walk from cell to cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CellWalk {
    /// Id of the walk.
    pub id: WalkId,
    /// The tick in which it began.
    pub began_tick: u64,
    /// Ticks for a straight step.
    pub ticks_a_cell: u32,
    /// The steps that are left, the next one last: the cell and the stance after each.
    pub steps: Vec<(Cell, Stance)>,
    /// The step under way, and the ticks in which it began and ends.
    pub under_way: Option<(Move, [u64; 2])>,
}

impl CellWalk {
    /// The share of the step under way that is done at the beginning of a tick, 0 to 1.
    pub fn share(&self, tick: u64) -> f64 {
        let Some((_, [began, ends])) = self.under_way else { return 0.0 };
        let (done, all) = (tick.saturating_sub(began), ends.saturating_sub(began));
        if done >= all { 1.0 } else { done as f64 / all as f64 }
    }
}

impl ActorState {
    /// The cells that an actor of a size is on, if it is named by this one.
    pub fn cells_of([x, y, level]: Cell, size: u32) -> impl Iterator<Item = Cell> {
        (0..size).flat_map(move |dy| (0..size).map(move |dx| [x + dx, y + dy, level]))
    }

    /// The cells that it is on. On a step, it is on those of the step's end, too.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let under_way = self.walk.as_ref().and_then(|walk| walk.under_way);
        let ends = [Some(self.cell), under_way.map(|(step, _)| step.to)];
        ends.into_iter().flatten().flat_map(|cell| Self::cells_of(cell, self.size))
    }
}
