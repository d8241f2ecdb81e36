//! What is in the way: pictures of rooms, and what is said of them.

mod areas;
mod ask;
mod bounds;
mod every_set;
mod widths;
