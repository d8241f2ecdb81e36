//! The crowd scenes of `cargo bench --bench crowds`, walked by cicerone and by others, measured alike.
//!
//! All follow shortest paths: RVO2's avoidance and `dodgy_2d` those of cicerone, `landmass` its own on a mesh of the
//! same ground. People who stand are agents that want to stand, and step aside if others come too near, as the others'
//! users would have it. Only cicerone's people have a heading; those of the others face their velocity, so that they
//! hardly ever go sideways. Nobody walks faster than its walking speed.
//!
//! `SCENE=circle` walks only the scenes whose names begin so.

use crate::avoiders::{Dodgy, Rvo2};
use crate::crowd_scenes::measure::Figures;
use crate::crowd_scenes::run::{run, run_with};
use crate::crowd_scenes::scenes::{Errand, Gauge, Scene, all};
use crate::mesh_walkers::MeshWalkers;
use crate::route_walkers::RouteWalkers;
use crate::runner::{Options, timed};
use cicerone::room::Avoidance;
use std::fmt::Write as _;

const TICK_RATE: u32 = 60;

/// The scenes of the tables, by how their names begin.
const SCENES: [&str; 12] = [
    "circle",
    "pairs",
    "four-streams",
    "door",
    "both-ways",
    "corner",
    "slower-people",
    "shoppers",
    "ring",
    "keeper",
    "one-place",
    "narrow-corridor",
];

/// A scene that goes on for ever is cut off after this time.
const MOST_S: f64 = 120.0;

/// With `--quick`, scenes of more people are left out.
const QUICK_PEOPLE: usize = 60;

/// Somebody who walks crowds: the name of a column, and how.
struct Peer {
    name: &'static str,
    walk: fn(&Scene) -> Result<Figures, String>,
}

const PEERS: [Peer; 5] = [
    Peer { name: "cicerone, steering", walk: |scene| cicerone(scene, Avoidance::Steer) },
    Peer { name: "cicerone, pushing", walk: |scene| cicerone(scene, Avoidance::Push) },
    Peer { name: "RVO2", walk: rvo2 },
    Peer { name: "dodgy_2d", walk: dodgy },
    Peer { name: "landmass", walk: landmass },
];

/// A part of a cell that says how a scene went.
type Cell = fn(&Scene, &Figures) -> Option<String>;

/// The tables, with what their cells mean: a row for each scene, a column for each peer.
pub fn tables(options: &Options) -> String {
    let mut scenes: Vec<Scene> = all();
    scenes.retain(|scene| SCENES.iter().any(|name| scene.name.starts_with(name)));
    scenes.retain(|scene| !options.quick || scene.errands.len() <= QUICK_PEOPLE);
    if let Ok(name) = std::env::var("SCENE") {
        scenes.retain(|scene| scene.name.starts_with(&name));
    }
    let mut results: Vec<Vec<Figures>> = Vec::new();
    for scene in &mut scenes {
        if scene.errands.iter().any(|errand| matches!(errand, Errand::On(..))) {
            scene.seconds = scene.seconds.min(MOST_S);
        }
        let walk = |peer: &Peer| {
            let (time, figures) = timed(|| (peer.walk)(scene));
            eprintln!("{}, {}: {:.1} s", scene.name, peer.name, time.as_secs_f64());
            figures.unwrap_or_else(|error| panic!("{}: {error}", scene.name))
        };
        results.push(PEERS.iter().map(walk).collect());
    }
    let parts: [(&str, Cell); 3] = [
        ("Mean and greatest ratio, after the share of the people who arrive if not all do:", arrivals),
        ("Jumps a second, sideways in %, overlap in %:", motion),
        ("Flow; mean speed on rings; how far somebody who stands is moved:", gauged),
    ];
    parts.map(|(head, cell)| table(head, cell, &scenes, &results)).join("\n")
}

fn table(head: &str, cell: Cell, scenes: &[Scene], results: &[Vec<Figures>]) -> String {
    let mut text = format!("{head}\n\n| scene |");
    text.extend(PEERS.iter().map(|peer| format!(" {} |", peer.name)));
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(PEERS.len()));
    text.push('\n');
    for (scene, figures) in scenes.iter().zip(results) {
        let cells: Vec<Option<String>> = figures.iter().map(|figures| cell(scene, figures)).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let _ = write!(text, "| {} |", scene.name);
        text.extend(cells.into_iter().map(|cell| format!(" {} |", cell.unwrap_or_else(|| "-".into()))));
        text.push('\n');
    }
    text
}

fn arrivals(scene: &Scene, figures: &Figures) -> Option<String> {
    // Rings are walked round for their speed.
    if scene.gauge == Gauge::Speed {
        return None;
    }
    let walkers = scene.errands.iter().filter(|errand| matches!(errand, Errand::Once(_))).count();
    let share = match walkers {
        0 => Some(format!("{} walks", figures.arrived)),
        _ if figures.arrived == walkers => None,
        _ => Some(format!("{:.0} %", 100.0 * figures.arrived as f64 / walkers as f64)),
    };
    let ratios = || format!("{:.2}/{:.2}", figures.ratio_mean, figures.ratio_most);
    let ratios = (figures.ratio_most > 0.0).then(ratios);
    Some([share, ratios].into_iter().flatten().collect::<Vec<_>>().join(": "))
}

fn motion(_: &Scene, figures: &Figures) -> Option<String> {
    let (sideways, overlap) = (100.0 * figures.sideways, 100.0 * figures.overlap);
    Some(format!("{:.2}/{sideways:.1}/{overlap:.0}", figures.jumps_per_s))
}

fn gauged(_: &Scene, figures: &Figures) -> Option<String> {
    let flow = figures.flow.map(|flow| format!("{flow:.2}"));
    let speed = || figures.speed_mps.map(|speed| format!("{speed:.2} m/s"));
    let moved = || figures.moved_m.map(|(most_m, _)| format!("{most_m:.2} m"));
    flow.or_else(speed).or_else(moved)
}

fn cicerone(scene: &Scene, avoidance: Avoidance) -> Result<Figures, String> {
    let mut scene = scene.clone();
    scene.room.crowd.avoidance = avoidance;
    run(&scene, TICK_RATE).map(|(figures, _)| figures)
}

fn rvo2(scene: &Scene) -> Result<Figures, String> {
    let mut walkers = RouteWalkers::new(scene, TICK_RATE, Rvo2::new(scene))?;
    run_with(scene, TICK_RATE, &mut walkers).map(|(figures, _)| figures)
}

fn dodgy(scene: &Scene) -> Result<Figures, String> {
    let mut walkers = RouteWalkers::new(scene, TICK_RATE, Dodgy::new(scene))?;
    run_with(scene, TICK_RATE, &mut walkers).map(|(figures, _)| figures)
}

fn landmass(scene: &Scene) -> Result<Figures, String> {
    let mut walkers = MeshWalkers::new(scene, TICK_RATE)?;
    run_with(scene, TICK_RATE, &mut walkers).map(|(figures, _)| figures)
}
