//! Live reload: a room file changes while its room runs. The door in it opens without a restart, and the player, sent
//! out again, gets through. A broken file changes nothing and is told with its place.
//!
//! Run it: `cargo run --example live_reload`
#![allow(clippy::print_stdout)] // an example talks to its reader

use cicerone::nav::{Place, Position};
use cicerone::runtime::{Input, LiveReload, Options, ReloadReport, Runtime};
use std::error::Error;
use std::time::Duration;

const ROOM: &str = r#"{
    "areas": [
        { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 5], [0, 5]] },
        { "name": "door", "polygon": [[8, 1], [9, 1], [9, 4], [8, 4]], "available": false },
        { "name": "yard", "polygon": [[9, 0], [14, 0], [14, 5], [9, 5]] }
    ],
    "characters": [{ "name": "player", "at": [6, 2.5], "player": true }]
}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("hall.json");
    std::fs::write(&file, ROOM)?;
    let mut room = Runtime::open(&file, Options::default())?;
    let mut live = LiveReload::new(&room, false);
    let yard = Place::new(12.0, 2.5);

    let stopped_at = walk_to(&mut room, yard)?;
    println!("the door is closed: the player gets to {stopped_at:.2}");
    assert!(stopped_at.at.x < 8.0);

    std::fs::write(&file, ROOM.replace("\"hall\",", "\"hall\""))?; // a comma is missing
    let report = next_report(&mut live, &mut room)?;
    println!("{report}");
    assert!(matches!(report, ReloadReport::Refused { .. }));

    std::fs::write(&file, ROOM.replace("\"available\": false", "\"available\": true"))?;
    let report = next_report(&mut live, &mut room)?;
    println!("{}", report.brief());
    assert!(matches!(report, ReloadReport::Reloaded { .. }));

    let stopped_at = walk_to(&mut room, yard)?;
    println!("the door is open: the player gets to {stopped_at:.2}");
    assert!(stopped_at.distance(yard) < 0.1);
    Ok(())
}

/// Sends the player somewhere and says where ten seconds of game time bring it.
fn walk_to(room: &mut Runtime, to: Place) -> Result<Position, Box<dyn Error>> {
    room.send(Input::Click(to));
    for _ in 0..600 {
        room.step();
    }
    Ok(room.world().player().ok_or("no character is the player")?.position)
}

/// Runs the room at its own pace, as a game does, until a change of its file was taken over or refused.
fn next_report(live: &mut LiveReload, room: &mut Runtime) -> Result<ReloadReport, Box<dyn Error>> {
    let frame = Duration::from_secs_f64(room.world().dt_s());
    for _ in 0..1200 {
        if let Some(report) = live.poll(room).into_iter().next() {
            return Ok(report);
        }
        room.step();
        std::thread::sleep(frame);
    }
    Err("no change was noticed".into())
}
