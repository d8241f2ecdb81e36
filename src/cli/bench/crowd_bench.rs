//! `cicerone bench --crowd-scenes`: crowds in standard situations.

use super::crowd_scenes::{HEAD, film::film, grounds::Ground, line, run::run, scenes, sheet::svg, to_json};
use super::{AvoidanceName, BenchArgs, Format, GroundName};
use crate::cli::{OK, print};
use cicerone::project::save_file;
use cicerone::room::Avoidance;

/// Ticks per second, unless said otherwise.
const TICK_RATE: u32 = 60;

pub(super) fn bench(args: &BenchArgs) -> u8 {
    let mut chosen = scenes::all();
    for name in &args.scene {
        if !chosen.iter().any(|scene| scene.name.starts_with(name.as_str())) {
            let names: Vec<String> = chosen.iter().map(|scene| scene.name.clone()).collect();
            return print::complain_of(&format!("no scene is called '{name}'; there are"), &names);
        }
    }
    chosen.retain(|scene| {
        args.scene.is_empty() || args.scene.iter().any(|name| scene.name.starts_with(name.as_str()))
    });
    if let Some(folder) = &args.pictures
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        return print::complain(&format!("cannot make the folder {}: {error}", folder.display()));
    }
    if args.format == Format::Text {
        print::text(HEAD);
    }
    let mut results = Vec::new();
    for mut scene in chosen {
        scene.room.crowd.avoidance = match args.avoidance {
            Some(AvoidanceName::Push) => Avoidance::Push,
            Some(AvoidanceName::Steer) | None => Avoidance::Steer,
        };
        scene.ground = match args.ground {
            Some(GroundName::Painted) => Ground::Painted,
            Some(GroundName::Mesh) => Ground::Mesh,
            Some(GroundName::Grid) | None => Ground::Grid,
        };
        if let Some(seed) = args.seed {
            scene.vary(seed);
        }
        let tick_rate = args.tick_rate.unwrap_or(TICK_RATE);
        let (figures, tracks) = match run(&scene, tick_rate) {
            Ok(done) => done,
            Err(error) => return print::complain(&format!("{}: {error}", scene.name)),
        };
        if let Some(folder) = &args.pictures {
            let pictures = [("", svg(&scene, &tracks)), ("-film", film(&scene, &tracks, tick_rate))];
            for (end, picture) in pictures {
                let file = folder.join(format!("{}{end}.svg", scene.name));
                if let Err(error) = save_file(&file, picture.as_bytes()) {
                    return print::complain(&format!("cannot write {}: {error}", file.display()));
                }
            }
        }
        match args.format {
            Format::Text => drop(print::text(&line(&scene, &figures))),
            Format::Json => results.push(to_json(&scene, &figures)),
        }
    }
    match args.format {
        Format::Text => OK,
        Format::Json => print::text(&print::pretty_json(&results)),
    }
}
