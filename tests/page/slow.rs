//! Pages that take nothing: the room goes on.

use crate::client::Served;
use cicerone::runtime::{Options, Runtime};
use cicerone::world::Command;
use std::fmt::Write;

/// A hall with many walkers.
fn crowd(people: usize) -> Runtime {
    let mut characters = String::new();
    for i in 0..people {
        let comma = if i > 0 { "," } else { "" };
        let (x, z) = (1 + i % 100, 1 + i / 100);
        write!(characters, r#"{comma}{{"name": "c{i}", "at": [{x}, {z}]}}"#).unwrap();
    }
    let room = format!(
        r#"{{ "areas": [{{ "name": "hall", "polygon": [[0, 0], [101, 0], [101, 101], [0, 101]] }}], "characters": [{characters}] }}"#
    );
    let files = cicerone::project::MemoryFiles::default().with("rooms/hall.json", room);
    let project = cicerone::project::Project::of_files(files);
    Runtime::open_in(project, "rooms/hall.json".as_ref(), Options::default()).unwrap()
}

/// Sixteen pages that never read: every frame is published all the same, and what waits for them is bounded. If it was
/// not, this test would hang, or need gigabytes.
#[test]
fn pages_that_never_read_hold_nothing_up() {
    let mut served = Served::of(crowd(500));
    let mut pages: Vec<_> = (0..16).map(|_| served.page()).collect();
    while served.inspector.pages() < 16 {
        served.turn();
    }
    for page in &mut pages {
        page.send(serde_json::json!({ "do": "look", "who": 1, "paths": "all", "cells": false }));
    }
    let who = served.runtime.world().characters()[0].id;
    let turn = |served: &mut Served, i: usize| {
        served.turn();
        // Lines of the list must arrive, or be told to be lost.
        let text = format!("{i} {}", "x".repeat(4_000));
        served.runtime.apply(Command::Say { who, text, seconds: 1.0 }).unwrap();
    };
    (0..3_000).for_each(|i| turn(&mut served, i));
    assert!(served.runtime.world().tick_number() > 1_000);
    // Once the system's buffers are full, and they take nothing for ten seconds, they are given up.
    let began = std::time::Instant::now();
    while served.inspector.pages() > 0 {
        assert!(began.elapsed() < crate::client::PATIENCE, "they are served for ever");
        turn(&mut served, 0);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
