//! Crowds in standard situations, from people on a circle to shoppers in a market: `cargo bench --bench crowds` prints a
//! line of figures for each, and `-- --pictures DIR` draws them. What the columns mean is in `CROWDS.md`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a program that prints tables

#[allow(unreachable_pub, dead_code)] // tests use it too
mod crowd_scenes;

use cicerone::project::save_file;
use cicerone::room::Avoidance;
use clap::{Parser, ValueEnum};
use crowd_scenes::scenes::{Scene, all};
use crowd_scenes::{HEAD, film::film, grounds::Ground, line, run::run, sheet::svg, to_json};
use std::path::PathBuf;
use std::process::ExitCode;

/// Walk standard crowd scenes, and measure how they look
#[derive(Parser)]
#[command(name = "crowds")]
struct Args {
    /// Only the scenes whose names begin with this; may be given several times
    #[arg(long, value_name = "NAME")]
    scene: Vec<String>,
    /// How people avoid each other
    #[arg(long, value_enum, default_value = "steer")]
    avoidance: AvoidanceName,
    /// What the floor is made of
    #[arg(long, value_enum, default_value = "grid")]
    ground: GroundName,
    /// Ticks per second
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1000))]
    tick_rate: u32,
    /// Move the starts of walks by up to a centimetre; without a seed they stay where they are
    #[arg(long, value_name = "K")]
    seed: Option<u64>,
    /// Write a picture of everybody's way to DIR/SCENE.svg, and frames at equal times to DIR/SCENE-film.svg
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// What `cargo bench` says to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AvoidanceName {
    Push,
    Steer,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GroundName {
    Grid,
    Painted,
    Mesh,
}

fn main() -> ExitCode {
    match measured(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn measured(args: &Args) -> Result<(), String> {
    let scenes = chosen(args)?;
    if let Some(folder) = &args.pictures {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    }
    if !args.json {
        println!("{HEAD}");
    }
    let mut results = Vec::new();
    for scene in scenes {
        let (figures, tracks) =
            run(&scene, args.tick_rate).map_err(|error| format!("{}: {error}", scene.name))?;
        if let Some(folder) = &args.pictures {
            let pictures = [("", svg(&scene, &tracks)), ("-film", film(&scene, &tracks, args.tick_rate))];
            for (end, picture) in pictures {
                let file = folder.join(format!("{}{end}.svg", scene.name));
                save_file(&file, picture.as_bytes())
                    .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
            }
        }
        if args.json {
            results.push(to_json(&scene, &figures));
        } else {
            println!("{}", line(&scene, &figures));
        }
    }
    if args.json {
        println!("{:#}", serde_json::Value::from(results));
    }
    Ok(())
}

/// The scenes that are asked for, as they are asked for.
fn chosen(args: &Args) -> Result<Vec<Scene>, String> {
    let mut scenes = all();
    let begins = |scene: &Scene, name: &String| scene.name.starts_with(name.as_str());
    if let Some(name) = args.scene.iter().find(|name| !scenes.iter().any(|scene| begins(scene, name))) {
        let names: Vec<String> = scenes.into_iter().map(|scene| scene.name).collect();
        return Err(format!("no scene is called '{name}'; there are {}", names.join(", ")));
    }
    scenes.retain(|scene| args.scene.is_empty() || args.scene.iter().any(|name| begins(scene, name)));
    for scene in &mut scenes {
        scene.room.crowd.avoidance = match args.avoidance {
            AvoidanceName::Push => Avoidance::Push,
            AvoidanceName::Steer => Avoidance::Steer,
        };
        scene.ground = match args.ground {
            GroundName::Grid => Ground::Grid,
            GroundName::Painted => Ground::Painted,
            GroundName::Mesh => Ground::Mesh,
        };
        args.seed.into_iter().for_each(|seed| scene.vary(seed));
    }
    Ok(scenes)
}
