//! Whole runs of a room, judged.

pub mod monkey;
