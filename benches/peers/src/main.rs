//! cicerone beside other crates: the same maps and the same queries, one process, one thread. Prints tables in
//! Markdown: paths, crowds, how crowds walk, paths on meshes, and the building of meshes.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml` from the checkout; `-- --quick` asks every fourth
//! query once. Times are medians over rounds; what counts is each figure beside cicerone's of the same run. Lengths
//! are those of the paths each finds, as a share of the optimum: not all look for the shortest way, and some cut
//! corners or walk at any angle, so that theirs may be shorter.

mod avoiders;
mod builds;
mod crowd;
#[path = "../../crowd_rooms.rs"]
mod crowd_rooms;
#[path = "../../crowd_scenes/mod.rs"]
#[allow(dead_code)] // pictures and data are for the command
mod crowd_scenes;
#[path = "../../maps.rs"]
mod maps;
#[path = "../../memory.rs"]
#[allow(dead_code)] // some of what it counts is for other tables
mod memory;
#[path = "../../mesh_polygons.rs"]
mod mesh_polygons;
mod mesh_walkers;
mod meshes;
#[path = "../../palace.rs"]
#[allow(dead_code)]
mod palace;
mod paths;
mod rectangles;
mod route_walkers;
#[path = "../../runner.rs"]
#[allow(dead_code)] // part of it is for tables of another form
mod runner;
mod rvo2;
mod scene_table;
mod walls;
#[path = "../../../src/cli/bench/yardstick.rs"]
#[allow(dead_code)]
mod yardstick;

use runner::{Options, Report};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

const TABLES: [&str; 5] = ["paths", "crowds", "crowd-scenes", "meshes", "builds"];

fn main() {
    let options = match Options::parse(std::env::args().skip(1), &TABLES) {
        Ok(options) => options,
        Err(complaint) => {
            eprintln!("{complaint}\nusage: peers [--quick] [{}]…", TABLES.join("|"));
            std::process::exit(2);
        }
    };
    let report = Report::new(&options);
    if options.wants("paths") {
        println!("{}", paths::table(&maps::load(&options, &report), &options));
    }
    if options.wants("crowds") {
        println!("{}", crowd::table(&options));
    }
    if options.wants("crowd-scenes") {
        println!("{}", scene_table::tables(&options));
    }
    if options.wants("meshes") {
        println!("{}", meshes::table(&options));
    }
    if options.wants("builds") {
        println!("{}", builds::table(&options));
    }
}
