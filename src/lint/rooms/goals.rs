//! Goals that no way leads to.

use crate::nav::{Place, Position};
use crate::problem::Problem;
use crate::room::{JsonStep, Locator, Room};
use crate::surface::Surface;
use crate::world::ground_for;

/// Points that the player cannot walk to even with all doors, links and waypaths open, in both directions.
pub(super) fn out_of_reach(room: &Room, room_open: &Surface, locator: &Locator) -> Vec<Problem> {
    let player = room.characters.iter().find(|character| character.player);
    let Some(player) = player.filter(|_| room.tactics.is_none()) else { return Vec::new() };
    let own = ground_for(room, room_open, &player.traits);
    let open = own.as_ref().unwrap_or(room_open);
    let on_ground = |place: Place| open.anchor(open.locate(place), f64::INFINITY).map(|anchor| anchor.at);
    let Some(start) = on_ground(player.at) else { return Vec::new() };
    let reached = with_links(room, open, start, on_ground);
    let goals = room.goals.iter().enumerate().filter_map(|(index, goal)| {
        let at = open.locate(*room.points.get(goal)?);
        // One off the ground is told as a point.
        let is_there = open.is_walkable(at) || own.is_some() && room_open.is_walkable(at);
        let is_lost = is_there && reached.iter().all(|&from| open.never_reaches(from, at));
        is_lost.then_some((index, goal))
    });
    let told = goals.map(|(index, goal)| {
        let message = format!(
            "no way leads '{}' to the goal '{goal}', even with all doors and links open",
            player.name
        );
        let hint =
            format!("`cicerone path --as {} --to {goal} --explain` says what is in the way; what scripts do does not count", player.name);
        locator.problem(
            &[JsonStep::Key("goals"), JsonStep::Index(index)],
            message,
            "out of reach",
            Some(hint),
        )
    });
    told.collect()
}

/// A start, and the ends of all links and pieces of waypaths that lead on from it.
fn with_links(
    room: &Room,
    open: &Surface,
    start: Position,
    on_ground: impl Fn(Place) -> Option<Position>,
) -> Vec<Position> {
    let links = room.links.iter().map(|link| (link.from, link.to));
    let pieces = room.waypaths.iter().flat_map(|waypath| waypath.points.windows(2));
    let pieces = pieces.map(|piece| (piece[0].at, piece[1].at));
    let ends = links.chain(pieces).filter_map(|(from, to)| Some([on_ground(from)?, on_ground(to)?]));
    let mut left: Vec<[Position; 2]> = ends.collect();
    let mut reached = vec![start];
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        next += 1;
        left.retain(|ends| {
            let leads_on = ends.iter().any(|&end| !open.never_reaches(from, end));
            if leads_on {
                reached.extend(ends);
            }
            !leads_on
        });
    }
    reached
}
