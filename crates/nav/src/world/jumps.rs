//! Jumps: characters that scripts let jump, and the temporary links that jumps leave behind for others.

use super::command_error::CommandError;
use super::{Applied, EventKind, World, check_place};
use crate::crowd::{CharacterId, Crossed, Crossing, WalkEnd, crossing_s};
use crate::nav::{LinkId, LinkWay, Place, Position};
use crate::plan::{LINK_SNAP_M, PlacedLink};
use crate::room::{Link, LinkKind};

/// Upper limit on the recorded jumps of a room. The oldest one makes room for another.
pub const MAX_JUMPS: usize = 20;

/// A link whose ends are this near to those of a jump joins the same places, in metres.
pub const SAME_JUMP_M: f64 = 0.5;

/// The greatest velocity of a jump, in metres per second, and the longest time, in seconds.
const MOST_MPS: f64 = 1000.0;
const MOST_S: f64 = 3600.0;

impl World {
    /// Records a jump as a temporary link in its direction, unless an open link for everybody joins the two places.
    /// Returns the new link, or the one that joins them.
    pub(super) fn record_jump(
        &mut self,
        from: Place,
        to: Place,
        velocity_mps: Option<f64>,
        time_s: Option<f64>,
    ) -> Result<Applied, CommandError> {
        check_place(from)?;
        check_place(to)?;
        check_jump(velocity_mps, time_s)?;
        if let Some(id) = self.link_between(self.ground.locate(from), self.ground.locate(to)) {
            return Ok(Applied::Linked(id));
        }
        let length_m = from.distance_in_space(to);
        let seconds =
            time_s.or_else(|| velocity_mps.map(|velocity_mps| (length_m / velocity_mps).min(MOST_S)));
        let name = self.next_jump_name();
        let link = Link {
            one_way: true,
            temporary: true,
            velocity_mps: velocity_mps
                .or_else(|| time_s.map(|time_s| length_m / time_s).filter(|mps| mps.is_finite())),
            seconds,
            ..Link::new(name.clone(), LinkKind::Jump, from, to)
        };
        self.add_link(link)?;
        let id = self.links.named(&name).map(|placed| placed.id);
        id.map(Applied::Linked).ok_or_else(|| self.no_such_link(name))
    }

    /// The open link for everybody that leads from one place to another, as near as [`SAME_JUMP_M`].
    fn link_between(&self, from: Position, to: Position) -> Option<LinkId> {
        let near = |one: Position, other: Position| {
            one.distance(other) <= SAME_JUMP_M && self.ground.floors_touch(one, other)
        };
        let joins = |placed: &&PlacedLink| {
            let directions =
                [false, true].into_iter().filter(|&backward| placed.leads(&self.ground, backward));
            placed.link.is_for_all()
                && directions
                    .filter_map(|backward| placed.way(backward))
                    .any(|[entry, exit]| near(entry, from) && near(exit, to))
        };
        self.links.links().iter().find(joins).map(|placed| placed.id)
    }

    /// `jump 1`, `jump 2` and so on: after the last one there is, a name that is free.
    fn next_jump_name(&self) -> String {
        let number = |placed: &PlacedLink| placed.link.name.strip_prefix("jump ")?.parse::<u64>().ok();
        let temporary = self.links.links().iter().filter(|placed| placed.link.temporary);
        let mut next = temporary.filter_map(number).max().unwrap_or(0).saturating_add(1);
        while self.links.named(&format!("jump {next}")).is_some() {
            next = next.saturating_add(1);
        }
        format!("jump {next}")
    }

    /// Removes the oldest jumps, so that there is room for another one. Walkers on the way to them plan again; who is in the air finishes.
    pub(super) fn evict_jumps(&mut self) {
        let temporary = self.links.links().iter().filter(|placed| placed.link.temporary);
        let names: Vec<String> = temporary.map(|placed| placed.link.name.clone()).collect();
        for name in &names[..(names.len() + 1).saturating_sub(MAX_JUMPS)] {
            let _ = self.remove_link(name);
        }
    }

    /// Lets a character jump to a place, from where it stands. Its walk, its following and its turn end as cancelled.
    /// Nothing happens if it is crossing a link or jumping, or is not active.
    pub(super) fn jump(
        &mut self,
        who: CharacterId,
        to: Place,
        velocity_mps: Option<f64>,
        time_s: Option<f64>,
    ) -> Result<Applied, CommandError> {
        check_place(to)?;
        check_jump(velocity_mps, time_s)?;
        let character = self.present(who)?;
        if !character.is_active() || character.crossing.is_some() {
            return Ok(Applied::Changed(false));
        }
        let (from, speed_mps, class) = (character.position, character.walk_speed_mps, character.class);
        let ground = self.ground.of(class);
        let at = ground.locate(to);
        let is_there = ground.is_walkable(at) && ground.is_at_a_floor(to);
        let at = if is_there { Some(at) } else { ground.nearest(at, LINK_SNAP_M) };
        let Some(at) = at.filter(|_| ground.is_at_a_floor(to)) else {
            return Err(CommandError::NotWalkable(to));
        };
        let length_m = self.ground.place_of(from).distance_in_space(self.ground.place_of(at));
        let by_velocity = velocity_mps.map(|velocity_mps| (length_m / velocity_mps).min(MOST_S));
        let seconds = time_s.or(by_velocity).or_else(|| crossing_s(LinkKind::Jump, length_m, speed_mps));
        self.call_off(who, WalkEnd::Cancelled);
        self.present(who)?.on_waypath = None;
        let way = LinkWay { link: self.links.take_id(), backward: false };
        self.begin_crossing(who, way, (LinkKind::Jump, Crossed::Air, ""), at, seconds);
        self.emit(EventKind::Jumped(who));
        Ok(Applied::Changed(true))
    }

    /// A character has landed. The jump of a player is recorded, so that others can follow.
    pub(super) fn landed(&mut self, who: CharacterId, crossing: &Crossing) {
        let is_player = self.characters.get(who).is_some_and(|character| character.player);
        if crossing.over != Crossed::Air || !is_player {
            return;
        }
        let [from, to] = [crossing.from, crossing.to].map(|end| self.ground.place_of(end));
        let time_s = f64::from(crossing.ticks.unwrap_or(1).max(1)) * self.dt_s();
        let velocity_mps = (from.distance_in_space(to) / time_s).min(MOST_MPS);
        // A room with all the links that it may have gets no more.
        let _ = self.record_jump(from, to, Some(velocity_mps).filter(|mps| *mps > 0.0), Some(time_s));
    }
}

fn check_jump(velocity_mps: Option<f64>, time_s: Option<f64>) -> Result<(), CommandError> {
    let fits = |value: Option<f64>, most: f64| value.is_none_or(|value| value > 0.0 && value <= most);
    if !fits(velocity_mps, MOST_MPS) {
        return Err(CommandError::BadNumber(format!("velocity must be above 0 and at most {MOST_MPS}")));
    }
    if !fits(time_s, MOST_S) {
        return Err(CommandError::BadNumber(format!("time must be above 0 and at most {MOST_S}")));
    }
    Ok(())
}
