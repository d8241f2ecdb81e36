//! How fast it is: `cargo bench`, `cargo bench -- NAME…` for some of it, `-- --quick` for a rough idea, `-- --json`
//! for lines of JSON. Times are printed and never judged: they move with the machine, so what counts is each figure
//! beside its peer of the same run. What is asserted is that both did the same work.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub
)] // a program that prints tables and may stop at the first surprise

mod crowd;
mod crowd_rooms;
mod growth;
mod lua;
mod lua_calls;
mod lua_library;
mod lua_rooms;
mod maps;
mod mask;
mod memory;
mod mesh;
mod mesh_polygons;
mod overlay;
mod palace;
mod plot;
mod query;
mod rebuild;
mod runner;
mod smoothing;
mod tactics;
mod toggle;
#[path = "../src/cli/bench/yardstick.rs"]
mod yardstick;

use runner::{Options, Report};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// One benchmark: what it is called, what it asks, and what runs it.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Options, &mut Report),
}

const BENCHES: &[Bench] = &[
    Bench { name: "query", about: "cell paths against simple A*, on the same queries", run: query::run },
    Bench { name: "overlay", about: "queries with others in the way, against none", run: overlay::run },
    Bench { name: "smoothing", about: "string pulling as a share of the search", run: smoothing::run },
    Bench { name: "toggle", about: "a door opens and closes, against a full rebuild", run: toggle::run },
    Bench { name: "rebuild", about: "a whole ground from its polygons", run: rebuild::run },
    Bench { name: "mask", about: "a painted room of 4096 × 2048 pixels", run: mask::run },
    Bench {
        name: "mesh",
        about: "meshes: queries, moves, doors, crowds; pictures with --plots",
        run: mesh::run,
    },
    Bench { name: "crowd", about: "ticks of a world full of walkers", run: crowd::run },
    Bench {
        name: "growth",
        about: "how times grow with maps and crowds; pictures with --plots",
        run: growth::run,
    },
    Bench {
        name: "tactics",
        about: "tactical levels: traces, doors, tables; pictures with --plots",
        run: tactics::run,
    },
    Bench { name: "lua", about: "what scripts add to a tick", run: lua::run },
    Bench { name: "lua_calls", about: "what calls, reloads and memory of scripts cost", run: lua_calls::run },
    Bench { name: "lua_library", about: "the sandbox against plain Lua", run: lua_library::run },
];

fn main() {
    let names: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
    let options = match Options::parse(std::env::args().skip(1), &names) {
        Ok(options) => options,
        Err(complaint) => {
            eprintln!("{complaint}");
            eprintln!("usage: cargo bench -- [NAME…] [--quick] [--json] [--plots FOLDER]; the names:");
            for bench in BENCHES {
                eprintln!("  {:<11} {}", bench.name, bench.about);
            }
            std::process::exit(2);
        }
    };
    let mut report = Report::new(&options);
    for bench in BENCHES.iter().filter(|bench| options.wants(bench.name)) {
        report.begin(bench.name, bench.about);
        (bench.run)(&options, &mut report);
    }
}
