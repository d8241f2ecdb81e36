//! Buffers of searches, reused from search to search.

use crate::grid;
use crate::mesh::MeshSearchMemory;
use std::sync::{Mutex, PoisonError};

/// Buffers of one search. Reuse avoids allocation, and keeps jump points that were already found. Results do not
/// depend on the content.
#[derive(Debug, Clone, Default)]
pub struct SearchMemory {
    /// Grid search buffers.
    pub(crate) grid: grid::SearchMemory,
    /// Mesh search buffers.
    pub(crate) mesh: MeshSearchMemory,
}

/// Idle buffers, a cache for later questions: [`SearchMemory`], for one. Cloning gives an empty cache; results do not
/// depend on its content. The lock is held to take buffers and to put them back, never while they are used, so questions
/// may be asked one inside the other, and in several threads.
#[derive(Debug)]
pub(crate) struct Idle<T>(Mutex<Vec<T>>);

impl<T: Default> Idle<T> {
    /// Takes buffers from the cache, or makes new ones if the cache is empty.
    pub(crate) fn take(&self) -> T {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        taken.unwrap_or_default()
    }

    /// Puts buffers into the cache.
    pub(crate) fn put(&self, memory: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }

    /// Uses buffers of the cache.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let mut memory = self.take();
        let result = work(&mut memory);
        self.put(memory);
        result
    }
}

impl<T> Default for Idle<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Clone for Idle<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
