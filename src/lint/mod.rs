//! Static checks: certain and likely problems of rooms and scripts, found by reading them, without running anything.
//!
//! A certain problem is an error: code that reaches it fails. A likely one is a warning. Uncertain cases are not
//! reported.

mod rooms;
mod scripts;

pub use rooms::check as check_ground;
pub use scripts::Survey;
