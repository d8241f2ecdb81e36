//! `cicerone replay`: runs a recording again.

#[cfg(feature = "page")]
use super::page::PageArgs;
use super::print::TextOrJson;
#[cfg(feature = "page")]
use super::session::Session;
use super::{BAD_INPUT, NO, OK, print};
use cicerone::draw::{Picture, Shape, SvgOptions, Tint, clean};
use cicerone::problem::did_you_mean;
use cicerone::project::read_file;
use cicerone::record::{Difference, Divergence, Recording, Replay, SEEN_M, Track, first_divergence};
#[cfg(feature = "page")]
use cicerone::runtime::{Options, Runtime};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Run a recording again, without its scripts, and say whether it comes out the same
///
/// A recording holds the room, every command and the hash of every tick. If the code that walks people has changed
/// since, this tells from which tick on they walk otherwise, and which character does first. Exit code 1 if anything
/// differs.
#[derive(Args)]
pub(super) struct ReplayArgs {
    /// What `cicerone run --record FILE` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Draw the ways of all characters; where they differ from the recorded ones, both
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Draw these only (may be given several times)
    #[arg(long, value_name = "NAME", requires = "svg")]
    who: Vec<String>,
    /// Save the world and bring it back before every tick, which must make no difference
    #[arg(long)]
    through_saves: bool,
    /// List the files that were reloaded (in JSON they always are)
    #[arg(long)]
    reloads: bool,
    /// Show it on a page in the browser instead, to look at any of its moments
    #[cfg(feature = "page")]
    #[arg(long, value_enum, conflicts_with_all = ["svg", "through_saves", "reloads", "format"])]
    view: Option<PageView>,
    #[cfg(feature = "page")]
    #[command(flatten)]
    page: PageArgs,
    /// How to print the result
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// The views of a recording.
#[cfg(feature = "page")]
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PageView {
    /// A page in the browser
    Page,
}

/// The result of a replay.
#[derive(Serialize)]
struct ReplayReport {
    room: String,
    seed: u64,
    made_by: String,
    ticks: u64,
    seconds: f64,
    commands: usize,
    characters: usize,
    bytes: usize,
    /// Whether the file ends in the middle of a tick.
    cut: bool,
    reloads: Vec<ReloadReport>,
    last_hash: String,
    difference: Option<DifferenceReport>,
    #[serde(skip)]
    from_tick: u64,
}

/// A reloaded file, and the tick before which it was reloaded.
#[derive(Serialize)]
struct ReloadReport {
    tick: u64,
    file: String,
    lines: usize,
}

#[derive(Serialize)]
struct DifferenceReport {
    tick: u64,
    time: f64,
    hash: String,
    recorded: String,
    refused: Vec<String>,
    /// The first character that strayed by more than a millimetre, if any.
    #[serde(rename = "stray")]
    divergence: Option<DivergenceReport>,
}

#[derive(Serialize)]
struct DivergenceReport {
    name: String,
    tick: u64,
    time: f64,
    recorded: Option<[f64; 2]>,
    now: Option<[f64; 2]>,
    farthest_m: f64,
    others: usize,
    /// The whole finding in a sentence.
    #[serde(skip)]
    words: String,
}

/// Larger files are not read.
const MAX_BYTES: u64 = 1 << 30;

pub(super) fn replay(args: &ReplayArgs) -> u8 {
    let file = args.file.display();
    let bytes = match read_file(&args.file, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => return print::complain(&format!("{file}: {error}")),
    };
    #[cfg(feature = "page")]
    if args.view.is_some() || args.page.open {
        return show(&bytes, args);
    }
    let outcome = Recording::read(&bytes).and_then(|recording| {
        let mut replay = Replay::new(&recording)?;
        let mut first = None;
        loop {
            if args.through_saves {
                replay.save_and_restore()?;
            }
            let Some(outcome) = replay.step()? else { break };
            first = first.or(outcome.err());
        }
        Ok((report(&recording, &replay, first, bytes.len()), picture_of(&recording, &replay, args)))
    });
    let (report, picture) = match outcome {
        Ok((report, Ok(picture))) => (report, picture),
        Ok((_, Err(message))) => return print::complain(&message),
        Err(error) => return print::complain(&format!("{file}: {error}")),
    };
    let code = match args.format {
        TextOrJson::Json => print::text(&print::pretty_json(&report)),
        TextOrJson::Text => print::words(&report.in_words(args.reloads)),
    };
    if let (Some(picture), Some(svg)) = (picture, &args.svg)
        && print::to_file_or_stdout(&picture, Some(svg)) != OK
    {
        return BAD_INPUT;
    }
    if code == OK && report.difference.is_some() { NO } else { code }
}

/// Shows the recording on a page.
#[cfg(feature = "page")]
fn show(bytes: &[u8], args: &ReplayArgs) -> u8 {
    let file = args.file.display();
    let runtime = Recording::read(bytes)
        .map_err(|error| error.to_string())
        .and_then(|recording| Runtime::of_recording(recording.into()).map_err(|error| error.to_string()));
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return print::complain(&format!("{file}: {error}")),
    };
    match Session::of(runtime, Options::default(), None, &[]) {
        Ok(mut session) => super::page::run(&mut session, &args.page, 1.0, None, None),
        Err(code) => code,
    }
}

fn divergence_of(recording: &Recording, replay: &Replay<'_>) -> Option<Divergence> {
    first_divergence(recording.tracks(), replay.tracks(), recording.last_tick(), SEEN_M)
}

fn report(
    recording: &Recording,
    replay: &Replay<'_>,
    first: Option<Difference>,
    bytes: usize,
) -> ReplayReport {
    let start = &recording.start;
    let seconds = |tick: u64| tick as f64 / f64::from(start.ticks_per_second);
    let last = recording.last_tick();
    let reloads = recording.reloads().map(|(tick, file, text)| {
        let lines = text.lines().count();
        ReloadReport { tick, file: file.to_owned(), lines }
    });
    let difference = first.map(|Difference { tick, recorded, seen, refused, .. }| DifferenceReport {
        tick,
        time: seconds(tick),
        hash: format!("{seen:016x}"),
        recorded: format!("{recorded:016x}"),
        refused,
        divergence: divergence_of(recording, replay).map(|divergence| {
            let words = divergence.in_words(seconds(1));
            let Divergence { name, tick, before, now, farthest_m, others, .. } = divergence;
            let (recorded, now) = (before.map(|at| [at.x, at.y]), now.map(|at| [at.x, at.y]));
            DivergenceReport { name, tick, time: seconds(tick), recorded, now, farthest_m, others, words }
        }),
    });
    ReplayReport {
        room: start.room_file.clone(),
        seed: start.seed,
        made_by: start.made_by.clone(),
        ticks: last - start.tick,
        seconds: seconds(last - start.tick),
        commands: recording.commands(),
        characters: recording.tracks().of.len(),
        bytes,
        cut: recording.is_cut(),
        reloads: reloads.collect(),
        last_hash: recording.hash_at(last).map(|hash| format!("{hash:016x}")).unwrap_or_default(),
        difference,
        from_tick: start.tick,
    }
}

impl ReplayReport {
    fn in_words(&self, with_reloads: bool) -> String {
        let begins =
            if self.from_tick > 0 { format!(", from tick {} on", self.from_tick) } else { String::new() };
        let mut text = format!(
            "{}, seed {}{begins}, recorded by cicerone {}\n{} ticks ({:.2} s), {} characters, {} commands, {} bytes",
            clean(&self.room),
            self.seed,
            clean(&self.made_by),
            self.ticks,
            self.seconds,
            self.characters,
            self.commands,
            self.bytes,
        );
        let character_minutes = self.characters as f64 * self.seconds / 60.0;
        if character_minutes > 0.0 {
            text.push_str(&format!(
                " ({:.0} for a character and minute)",
                self.bytes as f64 / character_minutes
            ));
        }
        text.push('\n');
        if self.cut {
            text.push_str("the file is cut off there\n");
        }
        match &self.difference {
            None => text.push_str(&format!("the same to the last tick: hash {}\n", self.last_hash)),
            Some(difference) => text.push_str(&difference.in_words()),
        }
        for ReloadReport { tick, file, lines } in self.reloads.iter().filter(|_| with_reloads) {
            text.push_str(&format!("reloaded before tick {tick}: {} ({lines} lines)\n", clean(file)));
        }
        text
    }
}

impl DifferenceReport {
    fn in_words(&self) -> String {
        let Self { tick, time, hash, recorded, .. } = self;
        let mut text =
            format!("differs from tick {tick} on ({time:.2} s): hash {hash}, recorded {recorded}\n");
        for why in &self.refused {
            text.push_str(&format!("  refused now: {}\n", clean(why)));
        }
        let Some(divergence) = &self.divergence else {
            text.push_str("  all characters went the recorded way, to the millimetre\n");
            return text;
        };
        text.push_str(&format!("  {}\n", clean(&divergence.words)));
        text
    }
}

/// The room at its end, with the tracks of all characters, and the recorded ones where they differ.
fn picture_of(
    recording: &Recording,
    replay: &Replay<'_>,
    args: &ReplayArgs,
) -> Result<Option<String>, String> {
    if args.svg.is_none() {
        return Ok(None);
    }
    let (before, now) = (recording.tracks(), replay.tracks());
    let names = || before.of.values().chain(now.of.values()).map(|track| track.name.as_str());
    if let Some(stranger) = args.who.iter().find(|who| !names().any(|name| name == who.as_str())) {
        let hint = did_you_mean(stranger, names()).map(|name| format!("; did you mean '{name}'?"));
        return Err(format!(
            "no character in the recording is called '{stranger}'{}",
            hint.unwrap_or_default()
        ));
    }
    let is_asked = |name: &String| args.who.is_empty() || args.who.contains(name);
    let shown = |track: &&Track| is_asked(&track.name);
    let mut picture = Picture::of_some(replay.world(), &|character| is_asked(&character.name));
    let same = |track: &&Track| now.of.values().any(|other| other == *track);
    for track in before.of.values().filter(shown).filter(|track| !same(track)) {
        picture.add(Shape::Trail { points: track.points.clone(), tint: Tint::Past });
    }
    for (who, track) in now.of.iter().filter(|(_, track)| shown(track)) {
        let tint = replay.world().character(*who).map_or(Tint::Number(who.0 as usize), Tint::of);
        picture.add(Shape::Trail { points: track.points.clone(), tint });
    }
    let divergence = divergence_of(recording, replay).filter(|divergence| is_asked(&divergence.name));
    if let Some((at, divergence)) =
        divergence.and_then(|divergence| Some((divergence.now.or(divergence.before)?, divergence)))
    {
        let time_s = divergence.tick as f64 / f64::from(recording.start.ticks_per_second);
        picture
            .add(Shape::Label { text: format!("{}: other ways from {time_s:.2} s on", divergence.name), at });
    }
    Ok(Some(picture.to_svg(&SvgOptions::default())))
}
