//! Links in a running world: crossing them, waiting in line for them, adding, opening and removing them.

use super::command_error::CommandError;
use super::link_lines::Lines;
use super::{Applied, EventKind, World, check_place};
use crate::crowd::{Character, CharacterId, Crossed, Crossing, Replan, crossing_s, turn_towards};
use crate::nav::{LinkId, LinkWay, Position};
use crate::plan::{PlacedLink, end_off_ground};
use crate::problem::did_you_mean;
use crate::room::{Link, LinkKind, MAX_COORDINATE_M, MAX_LINKS, MAX_NAME_BYTES, RoomChange};
use std::collections::BTreeSet;

/// Characters at links.
#[derive(Debug, Clone, Default)]
pub(super) struct Crossings {
    /// The lines at links that only so many may cross at once.
    pub(super) lines: Lines,
    /// All characters that are crossing a link.
    pub(super) crossers: BTreeSet<CharacterId>,
}

impl World {
    /// All characters that cross a link now, by id.
    pub fn crossers(&self) -> impl Iterator<Item = CharacterId> + '_ {
        self.crossings.crossers.iter().copied()
    }

    /// The characters that cross a link now, by id.
    pub fn crossing(&self, link: LinkId) -> impl Iterator<Item = CharacterId> + '_ {
        let crosses = move |who: &CharacterId| {
            let crossing = self.characters.get(*who).and_then(|character| character.crossing.as_ref());
            crossing.is_some_and(|crossing| crossing.way.link == link)
        };
        self.crossings.crossers.iter().copied().filter(crosses)
    }

    /// A walker is at the end of a leg of its path: it begins to cross the link there, waits for it, or plans again.
    pub(super) fn reach_link(&mut self, who: CharacterId, way: LinkWay) {
        let Some(character) = self.characters.get(who) else { return };
        let leads = |placed: &&PlacedLink| {
            placed.leads(self.ground_of(character), way.backward) && placed.link.is_for(&character.tags)
        };
        let Some(placed) = self.links_in(character.class).get(way.link).filter(leads) else {
            if !self.take_jump_of_waypath(who, way) {
                self.request_replan(who, Replan::GroundChanged);
            }
            return;
        };
        let Some([_, exit]) = placed.way(way.backward) else { return };
        if placed.link.capacity.is_some() {
            let line = self.crossings.lines.at(way.link);
            if !line.iter().any(|place| place.who == who && place.called) {
                return; // it joins the line in the next tick
            }
        }
        let (kind, name) = (placed.link.kind, placed.link.name.clone());
        let seconds = match placed.link.seconds {
            Some(seconds) if kind != LinkKind::Handler => Some(seconds),
            _ => crossing_s(kind, placed.length_m, character.walk_speed_mps),
        };
        self.crossings.lines.leave(way.link, who);
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
            walk.progress.idle_ticks = 0;
        }
        self.crossings.crossers.insert(who);
    }

    /// Moves the characters on links on: turns them, and puts those down whose crossing is over.
    pub(super) fn cross_links(&mut self) {
        let (tick, dt_s) = (self.tick, self.dt_s());
        let mut over = Vec::new();
        for &who in &self.crossings.crossers {
            let Some(character) = self.characters.get_mut(who) else { continue };
            let Some(crossing) = &character.crossing else { continue };
            if crossing.is_over(tick) {
                over.push(who);
            }
            let direction = crossing.to.at - crossing.from.at;
            turn_towards(character, direction, dt_s);
        }
        self.crossings.lines.landed.clear();
        for who in over {
            if !self.waits_at_the_end(who) {
                self.leave_link(who, false);
                self.crossings.lines.landed.push(who);
            }
        }
    }

    /// Puts a character down at the end of the link that it is crossing, or where it set out if that is `nearer`.
    pub(super) fn leave_link(&mut self, who: CharacterId, nearer: bool) {
        self.crossings.crossers.remove(&who);
        let tick = self.tick;
        let Some(character) = self.characters.get_mut(who) else { return };
        let Some(crossing) = character.crossing.take() else { return };
        let goes_back = nearer && crossing.share(tick) < 0.5;
        let (first, then) =
            if goes_back { (crossing.from, crossing.to) } else { (crossing.to, crossing.from) };
        let ground = self.ground.of(character.class);
        let is_ground = |at: &Position| ground.is_walkable(*at);
        let stays = Some(character.position);
        let end = [Some(first), Some(then), stays].into_iter().flatten().find(is_ground);
        let end = end.or_else(|| ground.nearest_on_storey(first)).unwrap_or(character.position);
        character.position = end;
        if let Some(walk) = &mut character.walk {
            walk.progress.last_left_m = walk.corridor.left_m(end);
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
        self.ground.follow_links(&self.links);
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
        self.ground.follow_links(&self.links);
        let Some(placed) = self.links.get(id) else { return };
        let shortcuts = self.links.has_shortcuts();
        let helps = |c: &Character| {
            let (Some(walk), here) = (&c.walk, c.landing()) else { return false };
            let left_m = walk.corridor.left_m(here);
            let goal = self.ground.locate(walk.goal.place);
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
