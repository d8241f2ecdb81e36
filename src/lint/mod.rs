//! What is wrong, or likely to be, with rooms and scripts: found by reading them, without running anything.
//!
//! Certain is an error: code that gets there fails. Likely is a warning. Where nothing can be known, nothing is said.

mod rooms;
mod scripts;

pub use rooms::check as check_ground;
pub use scripts::Survey;
