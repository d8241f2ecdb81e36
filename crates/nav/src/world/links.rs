//! Links in a running world: crossing them, waiting in line for them, adding, opening and removing them.

use super::command_error::CommandError;
use super::{Applied, EventKind, World, check_place};
use crate::crowd::{Character, CharacterId, Crossed, Crossing, Replan, Walk, crossing_s, turn_towards};
use crate::nav::{LinkId, LinkWay, Position};
use crate::plan::{PlacedLink, end_off_ground};
use crate::problem::did_you_mean;
use crate::room::{Link, LinkKind, MAX_COORDINATE_M, MAX_LINKS, MAX_NAME_BYTES, RoomChange};
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
    walk.effort_m += WAITING_EFFORT * step_m;
    (walk.idle_ticks, walk.stands_ahead) = (0, None);
    walk.effort_m > walk.effort_limit_m
}

impl World {
    /// All characters that cross a link now, by id.
    pub fn crossers(&self) -> impl Iterator<Item = CharacterId> + '_ {
        self.crossers.iter().copied()
    }

    /// The characters that cross a link now, by id.
    pub fn crossing(&self, link: LinkId) -> impl Iterator<Item = CharacterId> + '_ {
        let crosses = move |who: &CharacterId| {
            let crossing = self.characters.get(*who).and_then(|character| character.crossing.as_ref());
            crossing.is_some_and(|crossing| crossing.way.link == link)
        };
        self.crossers.iter().copied().filter(crosses)
    }

    /// The characters that wait in line for a link, in the order in which they came.
    pub fn waiting_for(&self, link: LinkId) -> impl Iterator<Item = CharacterId> + '_ {
        self.lines.at(link).iter().filter(|place| !place.called).map(|place| place.who)
    }

    /// Lines up the walkers at links that only so many may cross at once, and calls those whose turn it is.
    pub(super) fn form_lines(&mut self) {
        self.lines.holds_m.clear();
        let limited = |placed: &&PlacedLink| placed.link.capacity.is_some();
        let limits: BTreeMap<LinkId, u32> = {
            let all = self.links.links().iter().filter(limited);
            all.map(|placed| (placed.id, placed.link.capacity.unwrap_or(u32::MAX))).collect()
        };
        if limits.is_empty() {
            self.lines.lines.clear();
            return;
        }
        // Who waited until now is asked for on the way.
        let mut lines = self.lines.lines.clone();
        lines.retain(|link, _| limits.contains_key(link));
        for (link, line) in &mut lines {
            line.retain(|place| {
                let next = self.characters.get(place.who).and_then(next_link);
                next.is_some_and(|(way, _)| way == LinkWay { link: *link, backward: place.backward })
            });
        }
        self.join_lines(&limits, &mut lines);
        // Whoever came off one link and waits for another one counts from this tick on.
        self.lines.lines.clone_from(&lines);
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
                self.lines.holds_m.insert(place.who, *reach_m);
            }
        }
        lines.retain(|_, line| !line.is_empty());
        self.lines.lines = lines;
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

    /// A walker is at the end of a leg of its path: it begins to cross the link there, waits for it, or plans again.
    pub(super) fn reach_link(&mut self, who: CharacterId, way: LinkWay) {
        let Some(character) = self.characters.get(who) else { return };
        let leads = |placed: &&PlacedLink| {
            placed.leads(&self.ground, way.backward) && placed.link.is_for(&character.tags)
        };
        let Some(placed) = self.links.get(way.link).filter(leads) else {
            if !self.take_jump_of_waypath(who, way) {
                self.request_replan(who, Replan::GroundChanged);
            }
            return;
        };
        let Some([_, exit]) = placed.way(way.backward) else { return };
        if placed.link.capacity.is_some() {
            let line = self.lines.at(way.link);
            if !line.iter().any(|place| place.who == who && place.called) {
                return; // it joins the line in the next tick
            }
        }
        let (kind, name) = (placed.link.kind, placed.link.name.clone());
        let seconds = match placed.link.seconds {
            Some(seconds) if kind != LinkKind::Handler => Some(seconds),
            _ => crossing_s(kind, placed.length_m, character.walk_speed_mps),
        };
        if let Some(line) = self.lines.lines.get_mut(&way.link) {
            line.retain(|place| place.who != who);
        }
        self.begin_crossing(who, way, (kind, Crossed::Link, &name), exit, seconds);
        self.emit(EventKind::LinkEntered(who, name));
    }

    /// A character begins to cross. Without a time, the game says when the crossing is over.
    pub(super) fn begin_crossing(
        &mut self,
        who: CharacterId,
        way: LinkWay,
        (kind, over, name): (LinkKind, Crossed, &str),
        exit: Position,
        seconds: Option<f64>,
    ) {
        let ticks = seconds.map(|seconds| {
            let ticks = (seconds * f64::from(self.room.ticks_per_second)).ceil();
            ticks.min(f64::from(u32::MAX)) as u32
        });
        let (tick, dt_s) = (self.tick, self.dt_s());
        let Some(character) = self.characters.get_mut(who) else { return };
        turn_towards(character, exit.at - character.position.at, dt_s);
        character.crossing = Some(Box::new(Crossing {
            way,
            link: name.to_owned(),
            over,
            kind,
            from: character.position,
            to: exit,
            began_tick: tick as i64,
            ticks,
            is_return: false,
        }));
        if let Some(walk) = &mut character.walk {
            walk.corridor.cross();
            walk.idle_ticks = 0;
        }
        self.crossers.insert(who);
    }

    /// Moves the characters on links on: turns them, and puts those down whose crossing is over.
    pub(super) fn cross_links(&mut self) {
        let (tick, dt_s) = (self.tick, self.dt_s());
        let mut over = Vec::new();
        for &who in &self.crossers {
            let Some(character) = self.characters.get_mut(who) else { continue };
            let Some(crossing) = &character.crossing else { continue };
            if crossing.is_over(tick) {
                over.push(who);
            }
            let direction = crossing.to.at - crossing.from.at;
            turn_towards(character, direction, dt_s);
        }
        self.lines.landed.clear();
        for who in over {
            if !self.waits_at_the_end(who) {
                self.leave_link(who, false);
                self.lines.landed.push(who);
            }
        }
    }

    /// Puts a character down at the end of the link that it is crossing, or where it set out if that is `nearer`.
    pub(super) fn leave_link(&mut self, who: CharacterId, nearer: bool) {
        self.crossers.remove(&who);
        let tick = self.tick;
        let Some(character) = self.characters.get_mut(who) else { return };
        let Some(crossing) = character.crossing.take() else { return };
        let goes_back = nearer && crossing.share(tick) < 0.5;
        let (first, then) =
            if goes_back { (crossing.from, crossing.to) } else { (crossing.to, crossing.from) };
        let ground = &self.ground;
        let is_ground = |at: &Position| ground.is_walkable(*at);
        let stays = Some(character.position);
        let end = [Some(first), Some(then), stays].into_iter().flatten().find(is_ground);
        let end = end.or_else(|| ground.nearest_on_storey(first)).unwrap_or(character.position);
        character.position = end;
        if let Some(walk) = &mut character.walk {
            walk.last_left_m = walk.corridor.left_m(end);
        } else {
            (character.post, character.post_heading_rad) = (end, character.heading_rad);
        }
        let is_there = end == crossing.to && !crossing.is_return;
        if is_there && crossing.is_over(tick) {
            self.landed(who, &crossing);
        }
        if crossing.over.is_link() {
            self.emit(EventKind::LinkLeft(who, crossing.link));
        }
        if !is_there {
            self.request_replan(who, Replan::GroundChanged);
        }
    }

    /// Sets how long a crossing lasts from now on: for links of the kind `handler`.
    pub(super) fn time_crossing(&mut self, who: CharacterId, seconds: f64) -> Result<Applied, CommandError> {
        if !(0.0..=3600.0).contains(&seconds) {
            let message = format!("seconds must be between 0 and 3600, not {seconds}");
            return Err(CommandError::BadNumber(message));
        }
        let (tick, rate) = (self.tick, f64::from(self.room.ticks_per_second));
        let Some(crossing) = &mut self.present(who)?.crossing else { return Ok(Applied::Changed(false)) };
        if crossing.ticks.is_some() {
            return Ok(Applied::Changed(false));
        }
        crossing.began_tick = tick as i64;
        crossing.ticks = Some((seconds * rate).ceil() as u32);
        Ok(Applied::Changed(true))
    }

    /// Adds a link.
    pub(super) fn add_link(&mut self, link: Link) -> Result<Applied, CommandError> {
        check_link(&link)?;
        if self.links.named(&link.name).is_some() {
            return Err(CommandError::LinkNameTaken(link.name));
        }
        if let Some(at) = end_off_ground(&self.ground, &link) {
            return Err(CommandError::LinkOffGround(at));
        }
        // A jump takes the place of the oldest one.
        if link.temporary {
            self.evict_jumps();
        }
        if self.links.links().len() >= MAX_LINKS {
            return Err(CommandError::TooManyLinks(MAX_LINKS));
        }
        let id = self.links.add(&self.ground, link);
        self.link_opened(id);
        Ok(Applied::Done)
    }

    /// Removes a link. Characters that are crossing it finish.
    pub(super) fn remove_link(&mut self, name: &str) -> Result<Applied, CommandError> {
        let id = self.link_id(name)?;
        self.links.remove(id);
        self.link_closed(id);
        Ok(Applied::Done)
    }

    /// Opens or closes a link. Characters that are crossing it finish.
    pub(super) fn set_link_available(
        &mut self,
        name: &str,
        available: bool,
    ) -> Result<Applied, CommandError> {
        let id = self.link_id(name)?;
        let changed = self.links.set_available(id, available);
        if changed {
            match available {
                true => self.link_opened(id),
                false => self.link_closed(id),
            }
        }
        Ok(Applied::Changed(changed))
    }

    fn link_id(&self, name: &str) -> Result<LinkId, CommandError> {
        match self.links.named(name) {
            Some(placed) => Ok(placed.id),
            None => Err(self.no_such_link(name.to_owned())),
        }
    }

    /// The error for a link that does not exist.
    pub fn no_such_link(&self, name: String) -> CommandError {
        let names = self.links.links().iter().map(|placed| placed.link.name.as_str());
        let meant = did_you_mean(&name, names).map(str::to_owned);
        CommandError::NoSuchLink(name, meant)
    }

    /// Walkers whose path leads over a link that is no more plan again.
    fn link_closed(&mut self, id: LinkId) {
        let leads_over = |c: &&Character| {
            c.walk.as_ref().is_some_and(|walk| walk.corridor.links().any(|way| way.link == id))
        };
        let affected: Vec<CharacterId> = self.characters().iter().filter(leads_over).map(|c| c.id).collect();
        affected.into_iter().for_each(|who| self.request_replan(who, Replan::GroundChanged));
    }

    /// Walkers that a new link may help plan again: those that cannot reach their goal, and those to whom the straight
    /// lines over the link are shorter than what is left of their path. Where links are shorter than straight lines, it
    /// may help all walkers.
    pub(super) fn link_opened(&mut self, id: LinkId) {
        let Some(placed) = self.links.get(id) else { return };
        let shortcuts = self.links.has_shortcuts();
        let helps = |c: &Character| {
            let (Some(walk), here) = (&c.walk, c.landing()) else { return false };
            let left_m = walk.corridor.left_m(here);
            let goal = self.ground.locate(walk.requested);
            let least_share = self.links.least_share(&c.tags);
            placed.link.is_for(&c.tags)
                && [false, true].into_iter().filter_map(|backward| placed.way(backward)).any(
                    |[entry, exit]| {
                        let way_m = here.distance(entry) + placed.cost_m + exit.distance(goal);
                        walk.partial || shortcuts || least_share * way_m < left_m
                    },
                )
        };
        let affected: Vec<CharacterId> =
            self.characters().iter().filter(|c| helps(c)).map(|c| c.id).collect();
        affected.into_iter().for_each(|who| self.request_replan(who, Replan::GroundChanged));
        // Followers that found no way try again.
        for who in self.followers.clone() {
            if let Some(following) = self.characters.get_mut(who).and_then(|c| c.following.as_mut()) {
                following.in_vain = 0;
            }
        }
    }
}

impl World {
    /// Walkers plan again where a reload changed links. Links stay open or closed as in the game, unless their value in
    /// the file has changed.
    pub(super) fn change_links(&mut self, change: &RoomChange) {
        for changed in &change.links.changed {
            if let Some(available) = changed.available {
                let _ = self.set_link_available(&changed.name, available);
            }
        }
        let gone: Vec<CharacterId> = {
            let leads_nowhere = |way: LinkWay| {
                let placed = self.links.get(way.link);
                placed.is_none_or(|placed| {
                    change.links.changed.iter().any(|link| link.name == placed.link.name)
                })
            };
            let affected =
                |c: &&Character| c.walk.as_ref().is_some_and(|walk| walk.corridor.links().any(leads_nowhere));
            self.characters().iter().filter(affected).map(|c| c.id).collect()
        };
        gone.into_iter().for_each(|who| self.request_replan(who, Replan::GroundChanged));
        let changed = change.links.changed.iter().map(|link| &link.name);
        for name in change.links.added.iter().chain(changed) {
            if let Some(id) = self.links.named(name).filter(|placed| placed.available).map(|placed| placed.id)
            {
                self.link_opened(id);
            }
        }
    }
}

/// Whether a link that a script or a game gives is one.
pub(super) fn check_link(link: &Link) -> Result<(), CommandError> {
    if link.name.trim().is_empty() || link.name.len() > MAX_NAME_BYTES {
        return Err(CommandError::BadName);
    }
    check_place(link.from)?;
    check_place(link.to)?;
    super::limits::check_tags(&link.tags)?;
    let cost_fits = link.cost_m.is_none_or(|cost_m| (0.0..=MAX_COORDINATE_M).contains(&cost_m));
    if !cost_fits {
        return Err(CommandError::BadNumber(format!("cost must be from 0 to {MAX_COORDINATE_M} m")));
    }
    let fits = |mps: f64| (0.0..=MAX_COORDINATE_M).contains(&mps);
    if !link.velocity_mps.is_none_or(fits) {
        return Err(CommandError::BadNumber(format!("velocity must be from 0 to {MAX_COORDINATE_M}")));
    }
    if !link.seconds.is_none_or(|seconds| (0.0..=3600.0).contains(&seconds)) {
        return Err(CommandError::BadNumber("seconds must be from 0 to 3600".into()));
    }
    if link.capacity == Some(0) {
        return Err(CommandError::BadNumber("capacity must be at least 1".into()));
    }
    Ok(())
}
