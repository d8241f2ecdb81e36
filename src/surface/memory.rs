//! Buffers of searches, reused from search to search.

use crate::grid;
use crate::mesh::MeshSearchMemory;

/// Buffers of one search. Reuse avoids allocation, and keeps jump points that were already found. Results do not
/// depend on the content.
#[derive(Debug, Clone, Default)]
pub struct SearchMemory {
    /// Grid search buffers.
    pub(crate) grid: grid::SearchMemory,
    /// Mesh search buffers.
    pub(crate) mesh: MeshSearchMemory,
}

/// Idle buffers, a cache for later searches. Cloning gives an empty cache; results do not depend on its content.
#[derive(Debug, Default)]
pub(crate) struct IdleMemory(Vec<SearchMemory>);

impl IdleMemory {
    /// Takes buffers from the cache, or makes new ones if the cache is empty.
    pub(crate) fn take(&mut self) -> SearchMemory {
        self.0.pop().unwrap_or_default()
    }

    /// Puts buffers into the cache.
    pub(crate) fn put(&mut self, memory: SearchMemory) {
        self.0.push(memory);
    }
}

impl Clone for IdleMemory {
    fn clone(&self) -> Self {
        Self::default()
    }
}
