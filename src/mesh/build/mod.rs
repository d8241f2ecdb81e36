//! Building steps: each makes a [`Blueprint`](super::Blueprint) of a room.

pub(crate) mod areas;
