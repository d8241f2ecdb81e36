//! Rooms painted as an image.

mod graph;
mod oracle;
#[cfg(feature = "watch")]
mod reload;
mod rooms;
mod sight;
