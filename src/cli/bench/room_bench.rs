//! Benchmark of a room: random queries, areas that open and close, and a crowd.

use super::tactics_bench::{self, TacticsReport};
use super::timing::{Laps, mean, median, quantile, timed};
use super::yardstick::Yardstick;
use super::{BenchArgs, count, rounded};
use crate::cli::print;
use crate::cli::print::TextOrJson;
use crate::cli::progress::Progress;
use crate::cli::room::{Doors, RoomArgs, Scale};
use cicerone::internals::grid::Grid;
use cicerone::nav::Query;
use cicerone::plan::{LinkNet, find_route};
use cicerone::room::CharacterSpec;
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{Command, EventKind, Phase, World, next_random, stream};
use glam::DVec2;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// The results; microseconds unless stated otherwise.
#[derive(Serialize)]
struct RoomBenchReport {
    cells: usize,
    /// Those of a mesh.
    polygons: usize,
    walkable: u64,
    walkable_m2: f64,
    queries: Option<Queries>,
    toggles: Option<Toggles>,
    crowd: Option<Crowd>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tactics: Option<TacticsReport>,
}

/// Whole queries, shortening included, between random places.
#[derive(Serialize)]
struct Queries {
    queries: usize,
    complete: usize,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    worst_us: f64,
    expansions: u64,
    /// A simple A* on the same cells, without shortening; none where the edges of nodes are not those of cells.
    simple_mean_us: Option<f64>,
    ratio_to_simple_astar: Option<f64>,
}

/// Every area opened and closed.
#[derive(Serialize)]
struct Toggles {
    areas: usize,
    median_us: f64,
    worst_us: f64,
    worst_area: String,
    rebuild_us: f64,
}

/// Ticks with all characters walking.
#[derive(Serialize)]
struct Crowd {
    characters: usize,
    /// Walkable ground per character.
    m2_per_character: f64,
    ticks: usize,
    mean_us: f64,
    median_us: f64,
    p99_us: f64,
    worst_us: f64,
    ns_per_character: f64,
    times_real_time: f64,
    /// How long walks waited for their paths, in ticks: the requests that were answered, the mean wait, what half and
    /// 99 % of them waited at most, and the longest wait.
    waits: Waits,
    /// Share of each part of the tick, in its order.
    shares: Vec<Share>,
}

/// Waits for paths, in ticks.
#[derive(Clone, Copy, Serialize)]
struct Waits {
    paths: u64,
    mean_ticks: f64,
    median_ticks: u64,
    p99_ticks: u64,
    worst_ticks: u64,
}

/// The share of one part of a tick.
#[derive(Clone, Serialize)]
struct Share {
    part: &'static str,
    share: f64,
}

/// The default number of queries, and the default game time of the crowd.
const QUERIES: u32 = 1_000;
const SECONDS: f64 = 5.0;

/// The largest default crowd, and the ground per character.
const CROWD: u32 = 1_000;
const GROUND_OF_EACH_M2: f64 = 4.0;

pub(super) fn bench(root: Option<&Path>, args: &BenchArgs) -> u8 {
    let room = RoomArgs { room: args.file.to_owned(), scale: Scale { cell_size: args.cell_size } };
    let mut world = match room.open(root, &Doors::default()) {
        Ok(world) => world,
        Err(code) => return code,
    };
    let mut random = stream(args.seed.unwrap_or(1), "bench");
    let report = RoomBenchReport {
        cells: world.ground().cells().map_or(0, |grid| grid.frame().len()),
        polygons: world.ground().as_mesh().map_or(0, |_| world.ground().size()),
        walkable: world.ground().cells().map_or(0, Grid::walkable_count),
        walkable_m2: world.ground().walkable_m2(),
        queries: queries(world.ground(), world.links(), args, &mut random),
        toggles: toggles(world.ground(), &world, args.rounds),
        crowd: crowd(&mut world, args, &mut random),
        tactics: tactics_bench::bench(world.room(), args, &mut random),
    };
    match args.format {
        TextOrJson::Json => print::text(&print::pretty_json(&report)),
        TextOrJson::Text => print::words(&in_words(&report)),
    }
}

/// A random place on the ground, if there is any.
fn place(ground: &Surface, random: &mut u64) -> Option<DVec2> {
    const TRIES: usize = 10_000;
    let (min, max) = ground.bounds();
    let mut places =
        (0..TRIES).map(|_| min + (max - min) * DVec2::new(next_random(random), next_random(random)));
    places.find(|&place| ground.is_walkable(place))
}

fn queries(ground: &Surface, links: &LinkNet, args: &BenchArgs, random: &mut u64) -> Option<Queries> {
    let pair = |_| Some((place(ground, random)?, place(ground, random)?));
    let pairs: Vec<(DVec2, DVec2)> = (0..args.random_queries.unwrap_or(QUERIES)).filter_map(pair).collect();
    if pairs.is_empty() {
        return None;
    }
    let mut memory = SearchMemory::default();
    let mut ask = |(from, to): (DVec2, DVec2)| {
        let query = Query::new(from, to).with_snap_m(1.0);
        find_route(ground, links, query, &mut memory)
    };
    let grid = ground.as_grid().filter(|grid| !grid.is_sampled());
    let mut simple = grid.map(|grid| (grid, Yardstick::new(&grid.to_cells())));
    let progress = Progress::new("queries", u64::from(args.rounds + 1) * pairs.len() as u64);
    let paths: Vec<_> = pairs.iter().map(|&pair| ask(pair)).collect();
    let mut us = vec![Vec::new(); pairs.len()];
    let mut simple_us = us.clone();
    for _ in 0..args.rounds {
        for (&(from, to), (us, simple_us)) in pairs.iter().zip(us.iter_mut().zip(&mut simple_us)) {
            us.push(timed(|| ask((from, to))).0);
            if let Some((grid, simple)) = &mut simple
                && let (Some(from), Some(to)) = (grid.walkable_cell(from), grid.walkable_cell(to))
            {
                simple_us.push(timed(|| simple.find(from, to)).0);
            }
            progress.step();
        }
    }
    let medians = |times: &[Vec<f64>]| -> Vec<f64> { times.iter().map(|rounds| median(rounds)).collect() };
    let (us, simple_us) = (medians(&us), medians(&simple_us));
    let simple_mean_us = simple.is_some().then(|| mean(&simple_us));
    Some(Queries {
        queries: pairs.len(),
        complete: paths.iter().filter(|path| path.reason.is_none()).count(),
        mean_us: rounded(mean(&us)),
        median_us: rounded(median(&us)),
        p99_us: rounded(quantile(&us, 0.99)),
        worst_us: rounded(quantile(&us, 1.0)),
        expansions: paths.iter().map(|path| path.expansions).sum(),
        simple_mean_us: simple_mean_us.map(rounded),
        ratio_to_simple_astar: simple_mean_us.map(|simple| rounded(simple / mean(&us).max(1e-9))),
    })
}

fn toggles(ground: &Surface, world: &World, rounds: u32) -> Option<Toggles> {
    let mut ground = ground.clone();
    let areas: Vec<_> = ground.areas().collect();
    if areas.is_empty() {
        return None;
    }
    let (rebuild_us, _) = timed(|| Surface::new(world.room()));
    let progress = Progress::new("areas", u64::from(rounds) * areas.len() as u64);
    let mut by_area = vec![Vec::new(); areas.len()];
    for _ in 0..rounds {
        for (&area, us) in areas.iter().zip(&mut by_area) {
            let open = ground.area_available(area);
            for available in [!open, open] {
                us.push(timed(|| ground.set_area_available(area, available)).0);
            }
            progress.step();
        }
    }
    let medians: Vec<f64> = by_area.iter().map(|times| median(times)).collect();
    let worst_us = quantile(&medians, 1.0);
    let worst = medians.iter().position(|&us| us == worst_us).unwrap_or(0);
    Some(Toggles {
        areas: areas.len(),
        median_us: rounded(median(&by_area.concat())),
        worst_us: rounded(worst_us),
        worst_area: ground.area_name(areas[worst]).to_owned(),
        rebuild_us: rounded(rebuild_us),
    })
}

fn crowd(world: &mut World, args: &BenchArgs, random: &mut u64) -> Option<Crowd> {
    let ground_m2 = world.ground().walkable_m2();
    let wanted = args.crowd.unwrap_or(CROWD.min((ground_m2 / GROUND_OF_EACH_M2) as u32));
    for index in 0..wanted {
        let spec = CharacterSpec::at(place(world.ground(), random)?).with_name(format!("bench {index}"));
        if let Err(why) = world.apply(Command::Spawn(Box::new(spec))) {
            print::note(&format!("{index} of {wanted} people came: {why}"));
            break;
        }
    }
    let everybody: Vec<_> = world.characters().iter().filter(|c| c.is_active()).map(|c| c.id).collect();
    let ticks = args.seconds.unwrap_or(SECONDS) * f64::from(world.room().ticks_per_second);
    let ticks = ticks.ceil() as usize;
    if everybody.is_empty() || ticks == 0 {
        return None;
    }
    let mut send = |world: &mut World, who| {
        if let Some(to) = place(world.ground(), random) {
            // A character that cannot go there stays where it is, which does not matter here.
            let _ = world.apply(Command::SetTarget { who, to: to.into() });
        }
    };
    everybody.iter().for_each(|&who| send(world, who));
    let progress = Progress::new("ticks", ticks as u64);
    let (mut us, mut shares) = (Vec::new(), Phase::ALL.map(|phase| (name_of(phase), 0.0)));
    for _ in 0..ticks {
        let mut laps = Laps::begin();
        let mut tick_us = 0.0;
        world.tick_in_phases(|phase| {
            let lap = laps.lap();
            tick_us += lap;
            shares[phase as usize].1 += lap;
        });
        us.push(tick_us);
        for event in world.take_events() {
            if let EventKind::WalkEnded { who, .. } = event.kind {
                send(world, who);
            }
        }
        progress.step();
    }
    let total: f64 = us.iter().sum();
    let stats = world.path_stats();
    let game_us = ticks as f64 * world.dt_s() * 1e6;
    Some(Crowd {
        characters: everybody.len(),
        m2_per_character: rounded(ground_m2 / everybody.len() as f64),
        ticks,
        mean_us: rounded(mean(&us)),
        median_us: rounded(median(&us)),
        p99_us: rounded(quantile(&us, 0.99)),
        worst_us: rounded(quantile(&us, 1.0)),
        ns_per_character: rounded(mean(&us) * 1e3 / everybody.len() as f64),
        times_real_time: rounded(game_us / total.max(1e-9)),
        waits: Waits {
            paths: stats.answered,
            mean_ticks: rounded(stats.mean_wait_ticks()),
            median_ticks: stats.wait_within_ticks(0.5),
            p99_ticks: stats.wait_within_ticks(0.99),
            worst_ticks: stats.max_wait_ticks,
        },
        shares: shares.map(|(part, us)| Share { part, share: us / total.max(1e-9) }).to_vec(),
    })
}

fn name_of(phase: Phase) -> &'static str {
    match phase {
        Phase::Decide => "deciding who plans again",
        Phase::Search => "searching paths",
        Phase::Follow => "following them",
        Phase::Separate => "keeping apart",
        Phase::Notice => "noticing areas and who is stuck",
    }
}

fn in_words(report: &RoomBenchReport) -> String {
    let mut text = match report.polygons {
        0 => format!("{} cells, {} of them walkable\n", report.cells, report.walkable),
        polygons => format!("{polygons} polygons, {:.1} m2 walkable\n", report.walkable_m2),
    };
    let mut say = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    match &report.queries {
        None if report.walkable_m2 == 0.0 => say("\nno queries: nothing is walkable here".into()),
        None => say("\nno queries".into()),
        Some(queries) => {
            let Queries { mean_us, median_us, p99_us, worst_us, .. } = queries;
            say(format!(
                "\n{}, {} with a way, paths made short",
                count(queries.queries, "random query", "random queries"),
                queries.complete
            ));
            say(format!(
                "  mean {mean_us:.2} us, median {median_us:.2} us, p99 {p99_us:.2} us, worst {worst_us:.2} us"
            ));
            if let (Some(simple), Some(ratio)) = (queries.simple_mean_us, queries.ratio_to_simple_astar) {
                say(format!(
                    "  simple A* {simple:.2} us, without making them short: it takes {ratio:.1} times the time"
                ));
            } else if report.polygons == 0 {
                say("  no simple A* beside it: nodes of this room are joined otherwise than cells are".into());
            }
        }
    }
    if let Some(Toggles { areas, median_us, worst_us, worst_area, rebuild_us }) = &report.toggles {
        say(format!("\n{}, opened and closed", count(*areas, "area", "areas")));
        say(format!(
            "  median {median_us:.2} us, worst {worst_us:.2} us ({worst_area}); the whole ground {rebuild_us:.0} us"
        ));
    }
    if let Some(crowd) = &report.crowd {
        let Crowd { mean_us, median_us, p99_us, worst_us, .. } = crowd;
        let people = count(crowd.characters, "character", "characters");
        let ticks = count(crowd.ticks, "tick", "ticks");
        say(format!(
            "\n{people} ({:.2} m² of ground each), {ticks}, always on their way",
            crowd.m2_per_character
        ));
        say(format!(
            "  mean {mean_us:.0} us a tick, median {median_us:.0} us, p99 {p99_us:.0} us, worst {worst_us:.0} us"
        ));
        let times = crowd.times_real_time;
        let decimals = usize::from(times < 100.0) + usize::from(times < 1.0);
        say(format!("  {:.0} ns each, {times:.decimals$} times real time", crowd.ns_per_character));
        let Waits { paths, mean_ticks, p99_ticks, worst_ticks, .. } = crowd.waits;
        say(format!(
            "  {}, found after {mean_ticks:.2} ticks on average, 99 % within {p99_ticks}, worst {worst_ticks}",
            count(paths as usize, "path", "paths")
        ));
        let mut shares = crowd.shares.clone();
        shares.sort_by(|a, b| b.share.total_cmp(&a.share));
        let words = shares.iter().map(|Share { part, share }| format!("{part} {:.0} %", share * 100.0));
        say(format!("  {}", words.collect::<Vec<_>>().join(", ")));
        say(format!("\nthe largest share of a tick: {}", shares[0].part));
    } else {
        say("\nno crowd".into());
    }
    report.tactics.iter().for_each(|tactics| say(tactics_bench::in_words(tactics)));
    text
}
