//! Compares two runs of the same scene: which character was the first to take another way.

use super::tracks::{Track, Tracks};
use crate::crowd::CharacterId;
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The first character whose position differs between two runs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Divergence {
    /// Its id in the second run; in the first, if the second has no such character.
    pub who: CharacterId,
    /// Its name.
    pub name: String,
    /// The first tick in both runs at which it was too far away.
    pub tick: u64,
    /// Its position in the first run, in metres; `None` if it was not there.
    pub before: Option<DVec2>,
    /// Its position in the second run.
    pub now: Option<DVec2>,
    /// Its largest distance from then on, while both runs had it.
    pub farthest_m: f64,
    /// The number of other characters that were too far away at some time.
    pub others: usize,
}

/// Tracks are rounded to millimetres: a larger distance than this, in metres, is a real difference.
pub const SEEN_M: f64 = 0.0015;

impl Divergence {
    /// A sentence: which character left the recorded way, when, where and how far. `dt_s` is the length of a tick.
    pub fn in_words(&self, dt_s: f64) -> String {
        let place =
            |at: Option<DVec2>| at.map_or("not there".into(), |at| format!("at ({:.3}, {:.3})", at.x, at.y));
        let apart = self.before.zip(self.now).map(|(before, now)| before.distance(now));
        let apart =
            apart.map(|metres| format!(", {metres:.3} m apart, up to {:.3} m later on", self.farthest_m));
        let others = match self.others {
            0 => String::new(),
            1 => "; one more does later".into(),
            n => format!("; {n} more do later"),
        };
        format!(
            "{} leaves the recorded way first, at {:.2} s (tick {}): {}, recorded {}{}{others}",
            self.name,
            self.tick as f64 * dt_s,
            self.tick,
            place(self.now),
            place(self.before),
            apart.unwrap_or_default(),
        )
    }
}

/// Compares the tracks of characters by name, up to `last_tick`: the first one farther than `tolerance_m` from its
/// former position. Of several in the same tick, the one farthest away.
pub fn first_divergence(
    before: &Tracks,
    now: &Tracks,
    last_tick: u64,
    tolerance_m: f64,
) -> Option<Divergence> {
    let every_ticks = now.every_ticks.max(1);
    let last_tick = [before, now].iter().filter_map(|tracks| tracks.full_at).fold(last_tick, u64::min);
    let mut ways: BTreeMap<(&str, usize), Ways<'_>> = BTreeMap::new();
    for (key, who, track) in in_order(before) {
        ways.insert(key, Ways { who, before: Some(track), now: None });
    }
    for (key, who, track) in in_order(now) {
        let before = ways.get(&key).and_then(|ways| ways.before);
        ways.insert(key, Ways { who, before, now: Some(track) });
    }
    let divergences = ways.iter().filter_map(|(&(name, _), ways)| {
        let mut divergence: Option<Divergence> = None;
        let both = || ways.before.iter().chain(&ways.now);
        let from_tick = both().map(|track| track.from_tick).min()?;
        let end_tick = both().map(|track| track.end_tick(every_ticks)).max()?;
        for tick in (from_tick..=last_tick.min(end_tick)).step_by(every_ticks as usize) {
            let (before, now) = (ways.before, ways.now);
            let at = |track: &Track| track.at(tick, every_ticks);
            let (before, now) = (before.and_then(at), now.and_then(at));
            let away_m = match (before, now) {
                (Some(before), Some(now)) => before.distance(now),
                (None, None) => continue,
                _ => f64::INFINITY,
            };
            if away_m <= tolerance_m {
                continue;
            }
            let (who, name) = (ways.who, name.to_owned());
            let divergence = divergence.get_or_insert(Divergence {
                who,
                name,
                tick,
                before,
                now,
                farthest_m: 0.0,
                others: 0,
            });
            if away_m.is_finite() {
                divergence.farthest_m = divergence.farthest_m.max(away_m);
            }
        }
        divergence
    });
    let divergences: Vec<Divergence> = divergences.collect();
    let others = divergences.len().saturating_sub(1);
    let order = |divergence: &Divergence| {
        let apart_m = divergence.before.zip(divergence.now).map(|(before, now)| before.distance(now));
        (divergence.tick, Reverse(apart_m.unwrap_or(f64::INFINITY).to_bits()), divergence.who)
    };
    divergences.into_iter().min_by_key(order).map(|first| Divergence { others, ..first })
}

/// All tracks, by name and by the number of earlier tracks with that name: a visitor may come again.
fn in_order<'a>(tracks: &'a Tracks) -> impl Iterator<Item = ((&'a str, usize), CharacterId, &'a Track)> {
    let mut times: BTreeMap<&'a str, usize> = BTreeMap::new();
    tracks.of.iter().map(move |(&who, track)| {
        let time = times.entry(&track.name).or_default();
        *time += 1;
        ((track.name.as_str(), *time), who, track)
    })
}

/// One character in both runs.
struct Ways<'a> {
    who: CharacterId,
    before: Option<&'a Track>,
    now: Option<&'a Track>,
}
