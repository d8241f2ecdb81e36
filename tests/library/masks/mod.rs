//! Rooms painted as an image.

mod graph;
mod lost;
mod oracle;
#[cfg(feature = "watch")]
mod reload;
mod rooms;
mod sight;
