//! Levels made of a few boxes, ramps and stairs.

mod levels;
mod measure;
