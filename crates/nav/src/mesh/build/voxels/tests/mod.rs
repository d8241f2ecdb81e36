//! Levels made of a few boxes, ramps and stairs.

mod levels;
mod limits;
mod measure;
mod properties;
mod walkable;
