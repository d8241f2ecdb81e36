//! The library without scripts and files: ground, paths, crowds, worlds, recordings.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr
)]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod areas;
mod avoidance;
mod bodies;
mod book;
mod closing;
mod coincident;
mod crowd;
mod edges;
mod explain;
mod following;
mod formations;
mod give_way;
mod goals;
mod grids;
mod ground_speed;
mod lanes;
mod level_sectors;
mod levels;
mod masks;
mod mazes;
mod mesh_walks;
mod movingai;
mod one_at_a_time;
mod paths;
mod posts;
mod properties;
mod record;
mod repeatability;
mod right_of_way;
mod rooms_in_code;
mod searches;
mod shared_goals;
mod side_by_side;
mod standing;
mod steering;
mod tick_rates;
mod tidy;
mod verbs;
mod vision;
