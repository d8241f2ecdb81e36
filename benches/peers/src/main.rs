//! cicerone beside other crates: the same maps and the same queries, one process, one thread. Prints tables in
//! Markdown: paths, and crowds.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml` from the checkout; `-- --quick` asks every fourth
//! query once. Times are medians over rounds; what counts is each figure beside cicerone's of the same run. Lengths
//! are those of the paths each finds, as a share of the optimum: not all look for the shortest way, and some cut
//! corners or walk at any angle, so that theirs may be shorter.

mod crowd;
#[path = "../../crowd_rooms.rs"]
mod crowd_rooms;
#[path = "../../maps.rs"]
mod maps;
mod paths;
mod rectangles;
#[path = "../../runner.rs"]
#[allow(dead_code)] // part of it is for tables of another form
mod runner;
#[path = "../../../src/cli/bench/yardstick.rs"]
#[allow(dead_code)]
mod yardstick;

use runner::{Options, Report};

fn main() {
    // Nothing here has a name of its own.
    let options = match Options::parse(std::env::args().skip(1), &[]) {
        Ok(options) => options,
        Err(complaint) => {
            eprintln!("{complaint}\nusage: peers [--quick]");
            std::process::exit(2);
        }
    };
    let report = Report::new(&options);
    let maps = maps::load(&options, &report);
    print!("{}\n{}", paths::table(&maps, &options), crowd::table(&options));
}
