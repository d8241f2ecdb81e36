//! Rooms painted as an image.

mod graph;
mod lost;
mod oracle;
mod reload;
mod rooms;
mod sight;
