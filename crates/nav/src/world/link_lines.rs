//! Lines at links that only so many may cross at once.

use super::World;
use crate::crowd::{Character, CharacterId, Walk};
use crate::nav::{LinkId, LinkWay, Position};
use crate::plan::PlacedLink;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Walkers this near to a link with a line join the line, in metres. The line's own length is added.
const JOINS_M: f64 = 1.0;

/// Space between two bodies in a line, in metres.
const GAP_M: f64 = 0.1;

/// The effort of waiting in line, as a share of walking: a walk ends as blocked after five minutes at the earliest.
const WAITING_EFFORT: f64 = 0.05;

/// A character at a link that only so many may cross at once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct InLine {
    pub(super) who: CharacterId,
    /// The end at which it waits.
    pub(super) backward: bool,
    /// Whether it is its turn.
    pub(super) called: bool,
}

/// The lines at all links, and how near to the link each character that waits may come.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    lines: BTreeMap<LinkId, Vec<InLine>>,
    /// By character: the least length of path that must be left to the link.
    holds_m: BTreeMap<CharacterId, f64>,
    /// Who has come off a link in this tick. Those who look for bodies nearby do not see them yet.
    pub(super) landed: Vec<CharacterId>,
}

impl Lines {
    /// The line at a link, in the order in which its members came.
    pub(super) fn at(&self, link: LinkId) -> &[InLine] {
        self.lines.get(&link).map_or(&[], Vec::as_slice)
    }

    /// Whether a character waits in line, at whichever link.
    pub(super) fn waits(&self, who: CharacterId) -> bool {
        self.lines.values().flatten().any(|place| place.who == who && !place.called)
    }

    /// Whether it is a character's turn at one link, and another one waits in line for another link. That one does not
    /// get on before it has gone.
    pub(super) fn passes(&self, called: CharacterId, other: CharacterId) -> bool {
        let place_of = |who: CharacterId, called: bool| {
            let at = |line: &&InLine| line.who == who && line.called == called;
            self.lines.iter().find(|(_, line)| line.iter().any(|place| at(&place))).map(|(link, _)| *link)
        };
        place_of(other, false).is_some_and(|link| place_of(called, true).is_some_and(|own| own != link))
    }

    /// The length of path that must be left to the link, if a character waits in line.
    pub(super) fn hold_m(&self, who: CharacterId) -> Option<f64> {
        self.holds_m.get(&who).copied()
    }

    /// A character leaves the line at a link: it crosses.
    pub(super) fn leave(&mut self, link: LinkId, who: CharacterId) {
        if let Some(line) = self.lines.get_mut(&link) {
            line.retain(|place| place.who != who);
        }
    }

    pub(super) fn restore(lines: impl Iterator<Item = (LinkId, Vec<InLine>)>) -> Self {
        let lines = lines.filter(|(_, line)| !line.is_empty()).collect();
        Self { lines, ..Self::default() }
    }
}

/// The link that a walker comes to at the end of this leg of its path.
fn next_link(character: &Character) -> Option<(LinkWay, &Walk)> {
    let walk = character.walk.as_ref().filter(|walk| walk.give_way.is_none())?;
    Some((walk.corridor.next_link().filter(|_| character.crossing.is_none())?, walk))
}

/// Adds the effort of waiting in line for one tick. Returns whether the walk has to be given up.
pub(super) fn tires_in_line(walk: &mut Walk, step_m: f64) -> bool {
    walk.progress.effort_m += WAITING_EFFORT * step_m;
    (walk.progress.idle_ticks, walk.held_up.stands_ahead) = (0, None);
    walk.progress.effort_m > walk.progress.effort_limit_m
}

impl World {
    /// The characters that wait in line for a link, in the order in which they came.
    pub fn waiting_for(&self, link: LinkId) -> impl Iterator<Item = CharacterId> + '_ {
        self.crossings.lines.at(link).iter().filter(|place| !place.called).map(|place| place.who)
    }

    /// Lines up the walkers at links that only so many may cross at once, and calls those whose turn it is.
    pub(super) fn form_lines(&mut self) {
        self.crossings.lines.holds_m.clear();
        let limited = |placed: &&PlacedLink| placed.link.capacity.is_some();
        let limits: BTreeMap<LinkId, u32> = {
            let all = self.links.links().iter().filter(limited);
            all.map(|placed| (placed.id, placed.link.capacity.unwrap_or(u32::MAX))).collect()
        };
        if limits.is_empty() {
            self.crossings.lines.lines.clear();
            return;
        }
        // Who waited until now is asked for on the way.
        let mut lines = self.crossings.lines.lines.clone();
        lines.retain(|link, _| limits.contains_key(link));
        for (link, line) in &mut lines {
            line.retain(|place| {
                let next = self.characters.get(place.who).and_then(next_link);
                next.is_some_and(|(way, _)| way == LinkWay { link: *link, backward: place.backward })
            });
        }
        self.join_lines(&limits, &mut lines);
        // Whoever came off one link and waits for another one counts from this tick on.
        self.crossings.lines.lines.clone_from(&lines);
        let called = lines.iter().flat_map(|(&link, line)| line.iter().map(move |place| (link, place)));
        let called = called.filter(|(_, place)| place.called);
        let mut heading: Vec<Position> =
            called.filter_map(|(link, place)| self.exit_of(link, place.backward)).collect();
        let both_ends = |&link: &LinkId| [true, false].map(|backward| self.exit_of(link, backward));
        let ends: Vec<Position> = limits.keys().flat_map(both_ends).flatten().collect();
        for (&link, line) in &mut lines {
            let crossing = self.crossing(link).count() as u32;
            let called = line.iter().filter(|place| place.called).count() as u32;
            let free = limits[&link].saturating_sub(crossing + called) as usize;
            self.call_from_line(link, line, free, &mut heading);
            let mut reach_m = [0.0; 2];
            for place in line.iter().filter(|place| !place.called) {
                let Some(character) = self.characters.get(place.who) else { continue };
                let Some((_, walk)) = next_link(character) else { continue };
                let step_m = 2.0 * character.collision_radius_m + GAP_M;
                let is_on_an_end = |at: Position| {
                    let mut ends = ends.iter();
                    ends.any(|end| end.distance(at) < step_m && self.ground.floors_touch(*end, at))
                };
                // The entry itself stays free for those who come out. So do the ends of other links.
                let reach_m = &mut reach_m[usize::from(place.backward)];
                *reach_m += step_m;
                if is_on_an_end(walk.corridor.before_its_end(character.position, *reach_m)) {
                    *reach_m += step_m;
                }
                self.crossings.lines.holds_m.insert(place.who, *reach_m);
            }
        }
        lines.retain(|_, line| !line.is_empty());
        self.crossings.lines.lines = lines;
    }

    fn join_lines(&self, limits: &BTreeMap<LinkId, u32>, lines: &mut BTreeMap<LinkId, Vec<InLine>>) {
        let mut joining: Vec<(LinkId, f64, InLine)> = Vec::new();
        for character in self.characters() {
            let Some((way, walk)) = next_link(character).filter(|(way, _)| limits.contains_key(&way.link))
            else {
                continue;
            };
            let line = lines.get(&way.link).map_or(&[][..], Vec::as_slice);
            let on_this_side = line.iter().filter(|place| place.backward == way.backward).count() as f64;
            let line_m = on_this_side * (2.0 * character.collision_radius_m + GAP_M);
            let left_m = walk.corridor.leg_left_m(character.position);
            if left_m <= JOINS_M + line_m && line.iter().all(|place| place.who != character.id) {
                let place = InLine { who: character.id, backward: way.backward, called: false };
                joining.push((way.link, left_m, place));
            }
        }
        joining.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.who.cmp(&b.2.who)));
        for (link, _, place) in joining {
            lines.entry(link).or_default().push(place);
        }
    }
}
