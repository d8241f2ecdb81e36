//! The colours of the screen.

use cicerone::draw::Rgb;

pub(super) const NIGHT: Rgb = Rgb::hex(0x15120f);
pub(super) const BAR: Rgb = Rgb::hex(0x2c251d);
pub(super) const CREAM: Rgb = Rgb::hex(0xf6ecd6);
pub(super) const SAND: Rgb = Rgb::hex(0xb9a98a);
pub(super) const DIM: Rgb = Rgb::hex(0x7a6d59);
pub(super) const GOLD: Rgb = Rgb::hex(0xe8b23f);
pub(super) const GREEN: Rgb = Rgb::hex(0x93c47d);
pub(super) const RED: Rgb = Rgb::hex(0xf0806a);
