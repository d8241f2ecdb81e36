//! Scratch space of searches.

use crate::grid;

/// Scratch space of searches, worth keeping: nothing is allocated any more once it is warm, and jump points that were found are
/// remembered.
#[derive(Debug, Clone, Default)]
pub struct SearchMemory {
    /// That of searches over a grid.
    pub grid: grid::SearchMemory,
}

/// Scratch space that waits for the next search. A clone starts without: it holds nothing worth copying.
#[derive(Debug, Default)]
pub struct IdleMemory(Vec<SearchMemory>);

impl IdleMemory {
    /// Scratch space to search with: used before if possible.
    pub fn take(&mut self) -> SearchMemory {
        self.0.pop().unwrap_or_default()
    }

    /// Gives it back.
    pub fn put(&mut self, memory: SearchMemory) {
        self.0.push(memory);
    }
}

impl Clone for IdleMemory {
    fn clone(&self) -> Self {
        Self::default()
    }
}
