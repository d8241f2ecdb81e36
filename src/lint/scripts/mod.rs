//! Scripts held against the API table and against the rooms that use them.

mod calls;
mod facts;
mod handlers;
mod members;
mod names;
mod reader;
mod roles;
mod survey;
mod types;

pub use survey::Survey;
