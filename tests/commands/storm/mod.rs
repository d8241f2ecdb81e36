//! A storm of saves over a running room: good, broken and half-written files, twenty a second, while twenty people
//! walk.
//!
//! `CICERONE_STORM_SECONDS` says how long, `CICERONE_STORM_SEED` which storm (1). It needs a machine to itself, so it
//! runs only when asked for: `CICERONE_STORM_SECONDS=600 cargo test --release --test commands storm -- --nocapture`

mod files;

use crate::common::project::Project;
use cicerone::runtime::{LiveReload, ReloadReport, Runtime, RuntimeEvent};
use cicerone::script::Note;
use cicerone::world::{CharacterId, Purpose, WalkId};
use files::{Dice, FILES, PEOPLE, ROOM, broken_text, good_text};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

const BETWEEN_SAVES: Duration = Duration::from_millis(50);
/// The promise on a machine that keeps up; a version that is overwritten sooner is not judged.
const PROMISE: Duration = Duration::from_millis(300);
/// No version may take longer than this. A machine that lets a tick come late gets that time on top of both limits.
const HARD_LIMIT: Duration = Duration::from_secs(1);

/// A file that has just been written.
struct Saved {
    file: &'static str,
    /// `None` if what it says now is broken.
    version: Option<u64>,
    at: Instant,
}

fn storm(folder: PathBuf, seed: u64, time: Duration, tell: &Sender<Saved>) {
    let mut dice = Dice(seed);
    let begun = Instant::now();
    let mut version = 1;
    let save = |file: &'static str, text: &str, version: Option<u64>, by_rename: bool| {
        let place = folder.join(file);
        if by_rename {
            let aside = place.with_extension("tmp~");
            std::fs::write(&aside, text).unwrap();
            std::fs::rename(&aside, &place).unwrap();
        } else {
            std::fs::write(&place, text).unwrap();
        }
        tell.send(Saved { file, version, at: Instant::now() }).unwrap();
    };
    let mut saves = 0;
    while begun.elapsed() < time {
        let file = FILES[dice.below(FILES.len() as u64) as usize];
        version += 1;
        saves += 1;
        let by_rename = dice.below(3) == 0;
        if dice.below(20) == 0 {
            let text = good_text(file, version);
            save(file, &text[..text.len() / 2], None, false);
            std::thread::sleep(Duration::from_millis(5 + dice.below(40)));
            if dice.below(2) == 0 {
                save(file, &text, Some(version), false);
            }
        } else if dice.below(5) == 0 {
            save(file, &broken_text(file, version, &mut dice), None, by_rename);
        } else {
            save(file, &good_text(file, version), Some(version), by_rename);
        }
        std::thread::sleep((BETWEEN_SAVES * saves).saturating_sub(begun.elapsed()));
    }
    std::thread::sleep(HARD_LIMIT);
    for file in FILES {
        version += 1;
        save(file, &good_text(file, version), Some(version), true);
    }
}

/// How long good versions took from their save to being live.
#[derive(Default)]
struct Latencies {
    /// By file: the newest good version that lies on disk and is not live yet.
    awaited: BTreeMap<&'static str, (u64, Instant)>,
    live: BTreeMap<&'static str, u64>,
    took: Vec<Duration>,
    overwritten: usize,
}

impl Latencies {
    fn saved(&mut self, saved: &Saved) {
        if let Some((version, at)) = self.awaited.remove(saved.file) {
            assert!(saved.at - at < HARD_LIMIT, "{} {version} never went live", saved.file);
            // Nobody can say when it would have been live; what the promise covered counts as late.
            if saved.at - at >= PROMISE { self.took.push(saved.at - at) } else { self.overwritten += 1 }
        }
        if let Some(version) = saved.version
            && self.live.get(saved.file).is_none_or(|live| *live < version)
        {
            self.awaited.insert(saved.file, (version, saved.at));
        }
    }

    fn is_live(&mut self, file: &str, version: u64) {
        let file = FILES.into_iter().find(|known| *known == file).unwrap();
        self.live.insert(file, version);
        if let Some((_, at)) = self.awaited.get(file).copied().filter(|(awaited, _)| *awaited <= version) {
            self.awaited.remove(file);
            self.took.push(at.elapsed());
        }
    }

    fn hundredth(&self, part: usize) -> Duration {
        let mut sorted = self.took.clone();
        sorted.sort();
        sorted[(sorted.len() * part / 100).min(sorted.len() - 1)]
    }
}

/// What scripts count and what the world shows, held against what was before.
#[derive(Default)]
struct Witness {
    counts: BTreeMap<(String, String), u64>,
    walks: BTreeMap<CharacterId, WalkId>,
    ended: u64,
}

impl Witness {
    fn look(&mut self, runtime: &Runtime, events: &[RuntimeEvent], latencies: &mut Latencies) {
        let world = runtime.world();
        let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
        for event in events {
            match event {
                RuntimeEvent::Note(Note::Log { text, .. }) => self.log(text, latencies),
                RuntimeEvent::Note(Note::Error(error)) => panic!("{error}"),
                RuntimeEvent::Event { text, .. } if !text.contains('“') => {
                    if let Some((name, _)) = text.split_once(": ") {
                        *ends.entry(name).or_insert(0) += 1;
                    }
                }
                _ => {}
            }
        }
        for spec in &world.room().characters {
            assert!(
                world.character_named(&spec.name).is_some_and(|c| c.is_active()),
                "{} is lost",
                spec.name
            );
        }
        let before = std::mem::take(&mut self.walks);
        for character in world.characters() {
            let walk = character.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand);
            self.walks.extend(walk.map(|walk| (character.id, walk.id)));
        }
        for (who, walk) in &before {
            let name = world.name_of(*who);
            let ended = ends.remove(name).unwrap_or(0);
            let goes_on = self.walks.get(who) == Some(walk);
            assert_eq!(ended, u64::from(!goes_on), "{name}, walk {walk:?}, tick {}", world.tick_number());
            self.ended += ended;
        }
        // What is left began and ended in this very tick.
        for (name, count) in ends {
            assert_eq!(count, 1, "{name}");
            self.ended += 1;
        }
    }

    fn log(&mut self, text: &str, latencies: &mut Latencies) {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["live", name, version] => {
                latencies.is_live(&format!("scripts/{name}.lua"), version.parse().unwrap());
            }
            [what @ ("rounds" | "beat" | "shots"), who, count, ..] if who != "guest" => {
                let count = count.parse().unwrap();
                let before = self.counts.insert((what.to_owned(), who.to_owned()), count).unwrap_or(0);
                let step = if what == "shots" { 0..=u64::MAX } else { 1..=1 };
                assert!(count >= before && step.contains(&(count - before)), "{text} after {before}");
                if let ["shots", _, begun, finished] = words[..] {
                    let (begun, finished): (u64, u64) = (begun.parse().unwrap(), finished.parse().unwrap());
                    assert!(
                        finished <= begun && begun - finished < 20,
                        "a one-shot got lost or doubled: {text}"
                    );
                }
            }
            _ => assert!(
                words[0] != "live" && (words.contains(&"guest") || words.contains(&"sequence(s)")),
                "{text}"
            ),
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().unwrap())
}

/// Bytes of memory in use, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

#[test]
fn a_storm_of_saves_harms_nobody() {
    let time = Duration::from_secs(number("CICERONE_STORM_SECONDS", 0));
    if time.is_zero() {
        return eprintln!("skipped: CICERONE_STORM_SECONDS says how long a storm lasts");
    }
    let seed = number("CICERONE_STORM_SEED", 1);
    let texts: Vec<(&str, String)> = FILES.iter().map(|file| (*file, good_text(file, 1))).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (*file, text.as_str())).collect();
    let project = Project::new(&files);
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, false);
    let (tell, saves) = channel();
    let folder = project.path("");
    let saver = std::thread::spawn(move || storm(folder, seed, time, &tell));
    let told = weather(&mut runtime, &mut live, &saves, time);
    saver.join().unwrap();
    told.print(&runtime, seed);
    told.judge(&runtime, time);
}

/// What there is to tell after a storm.
struct Told {
    latencies: Latencies,
    witness: Witness,
    saves: usize,
    refusals: usize,
    memory: Option<(u64, u64)>,
    /// How far a tick was behind its time at the most.
    late: Duration,
}

fn weather(runtime: &mut Runtime, live: &mut LiveReload, saves: &Receiver<Saved>, time: Duration) -> Told {
    let (mut latencies, mut witness) = (Latencies::default(), Witness::default());
    let (mut count, mut refusals, mut warm, mut late) = (0, 0, None, Duration::ZERO);
    let step = Duration::from_secs_f64(runtime.world().dt_s());
    let begun = Instant::now();
    let mut next = begun;
    while begun.elapsed() < time + HARD_LIMIT * 3 {
        for saved in saves.try_iter() {
            latencies.saved(&saved);
            count += 1;
        }
        let reports = live.poll(runtime);
        refusals += reports.iter().filter(|report| matches!(report, ReloadReport::Refused { .. })).count();
        let version = runtime.world().room().name.trim_start_matches("hall ").parse().unwrap();
        latencies.is_live(ROOM, version);
        runtime.step();
        let events = runtime.take_events();
        witness.look(runtime, &events, &mut latencies);
        if warm.is_none() && begun.elapsed() > time / 4 {
            warm = resident();
        }
        next += step;
        let now = Instant::now();
        late = late.max(now.saturating_duration_since(next));
        if next > now {
            std::thread::sleep(next - now);
        } else if now - next > Duration::from_millis(250) {
            next = now;
        }
    }
    Told { latencies, witness, saves: count, refusals, memory: warm.zip(resident()), late }
}

impl Told {
    fn print(&self, runtime: &Runtime, seed: u64) {
        let Self { latencies, witness, saves, refusals, memory, late } = self;
        let world = runtime.world();
        println!("storm {seed}: {:.0} s of game time, {saves} saves", world.time_s());
        println!("the latest tick was {late:?} late");
        println!("reloads: {}, refusals told: {refusals}", runtime.tally().reloads);
        println!(
            "live after: median {:?}, 95 % {:?}, longest {:?} ({} versions, {} overwritten before)",
            latencies.hundredth(50),
            latencies.hundredth(95),
            latencies.hundredth(100),
            latencies.took.len(),
            latencies.overwritten
        );
        println!("walks ended: {} {:?}", witness.ended, runtime.tally().walks);
        if let Some((warm, end)) = memory {
            println!(
                "memory: {:.1} MiB warm, {:.1} MiB at the end",
                *warm as f64 / 1048576.0,
                *end as f64 / 1048576.0
            );
        }
    }

    fn judge(&self, runtime: &Runtime, time: Duration) {
        let Self { latencies, witness, memory, late, .. } = self;
        let (promise, hard_limit) = (PROMISE + *late, HARD_LIMIT + *late);
        assert!(latencies.awaited.is_empty(), "never live: {:?}", latencies.awaited);
        assert!(latencies.hundredth(95) <= promise, "95 % took up to {:?}", latencies.hundredth(95));
        assert!(latencies.hundredth(100) <= hard_limit, "the longest took {:?}", latencies.hundredth(100));
        assert_eq!(runtime.tally().walks.values().sum::<u64>(), witness.ended);
        assert_eq!(runtime.tally().script_errors, 0);
        let seconds = runtime.world().time_s() as u64;
        for i in 0..PEOPLE {
            let count = |what: &str| witness.counts[&(what.to_owned(), format!("c{i}"))];
            assert!((seconds - 2..=seconds).contains(&count("beat")), "c{i}: {} beats", count("beat"));
            assert!(count("rounds") > seconds / 20, "c{i} hardly gets on: {} rounds", count("rounds"));
        }
        if let Some((warm, end)) = memory.filter(|_| time >= Duration::from_secs(30)) {
            assert!(end < warm + (16 << 20), "memory grows: {warm} to {end}");
        }
    }
}
