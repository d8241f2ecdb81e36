//! Two runs of the same scene side by side: who went another way first.

use super::tracks::{Track, Tracks};
use crate::crowd::CharacterId;
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The first who was elsewhere than in the other run.
#[derive(Debug, Clone, PartialEq)]
pub struct Stray {
    /// Who, in the second run; in the first, if the second has no such character.
    pub who: CharacterId,
    /// Its name.
    pub name: String,
    /// The first tick, of those that both know, at which it was too far away.
    pub tick: u64,
    /// Where it was in the first run, in metres; `None` if it was not there.
    pub before: Option<DVec2>,
    /// Where it was in the second.
    pub now: Option<DVec2>,
    /// How far it was away at most from then on, while both had it.
    pub farthest_m: f64,
    /// How many others were too far away at some time.
    pub others: usize,
}

/// Compares the ways of characters by name, up to `last_tick`: who was first farther than `tolerance_m` from where it had been.
/// Of several in the same tick it is the one who was farthest away.
pub fn first_to_stray(before: &Tracks, now: &Tracks, last_tick: u64, tolerance_m: f64) -> Option<Stray> {
    let every_ticks = now.every_ticks.max(1);
    let mut ways: BTreeMap<(u64, &str), Ways<'_>> = BTreeMap::new();
    for (&who, track) in &before.of {
        ways.insert((track.from_tick, &track.name), Ways { who, before: Some(track), now: None });
    }
    for (&who, track) in &now.of {
        let before = ways.get(&(track.from_tick, track.name.as_str())).and_then(|ways| ways.before);
        ways.insert((track.from_tick, &track.name), Ways { who, before, now: Some(track) });
    }
    let strays = ways.iter().filter_map(|(&(from_tick, name), ways)| {
        let mut stray: Option<Stray> = None;
        for tick in (from_tick..=last_tick).step_by(every_ticks as usize) {
            let (before, now) = (ways.before, ways.now);
            let at = |track: &Track| track.at(tick, every_ticks);
            let (before, now) = (before.and_then(at), now.and_then(at));
            let away_m = match (before, now) {
                (Some(before), Some(now)) => before.distance(now),
                (None, None) => break,
                _ => f64::INFINITY,
            };
            if away_m <= tolerance_m {
                continue;
            }
            let (who, name) = (ways.who, name.to_owned());
            let stray =
                stray.get_or_insert(Stray { who, name, tick, before, now, farthest_m: 0.0, others: 0 });
            if away_m.is_finite() {
                stray.farthest_m = stray.farthest_m.max(away_m);
            }
        }
        stray
    });
    let strays: Vec<Stray> = strays.collect();
    let others = strays.len().saturating_sub(1);
    let order = |stray: &Stray| {
        let apart_m = stray.before.zip(stray.now).map(|(before, now)| before.distance(now));
        (stray.tick, Reverse(apart_m.unwrap_or(f64::INFINITY).to_bits()), stray.who)
    };
    strays.into_iter().min_by_key(order).map(|first| Stray { others, ..first })
}

/// One character in both runs.
struct Ways<'a> {
    who: CharacterId,
    before: Option<&'a Track>,
    now: Option<&'a Track>,
}
