//! Bodies wider than the ways that they are sent on. All ways of a room are planned for `agentRadius` and the paddings, and
//! `boundaryPadding` may be less than a body.

use super::{MAX_AREAS, are_joined, stand_in};
use crate::nav::Position;
use crate::problem::Problem;
use crate::room::{Area, CharacterSpec, GroundKind, JsonStep, Locator, PlannerKind, Room};
use crate::surface::Surface;

/// Bodies may be wider than their way by this much, in metres: nobody sees it, and cells are no finer.
const SLACK_M: f64 = 0.1;

/// The widest character of a room, if ways lead for it where its body does not fit. Exact, by polygons instead of cells.
pub(super) fn too_wide(room: &Room, open: &Surface, locator: &Locator) -> Vec<Problem> {
    if room.grid.is_some() || room.mesh.is_some() || room.level.is_some() || room.areas.len() > MAX_AREAS {
        return Vec::new();
    }
    let by_width = |one: &(usize, &CharacterSpec), other: &(usize, &CharacterSpec)| {
        let radii = [one, other].map(|(_, character)| character.collision_radius_m);
        radii[0].total_cmp(&radii[1]).then(other.0.cmp(&one.0))
    };
    // The ways of one with a radius of its own are planned for that.
    let is_of_room = |character: &CharacterSpec| {
        character.walk_speed_mps > 0.0
            && character.radius_m.is_none_or(|radius_m| character.collision_radius_m > radius_m)
    };
    let walkers = room.characters.iter().enumerate().filter(|(_, character)| is_of_room(character));
    let Some((index, widest)) = walkers.max_by(by_width) else {
        return Vec::new();
    };
    let radius_m = widest.collision_radius_m;
    let begin = open.locate(widest.at);
    let Some(wide) = ground_for(room, radius_m).filter(|_| open.is_walkable(begin)) else {
        return Vec::new();
    };
    let fits = |place: Position| {
        let anchor = wide.anchor(wide.locate(place.at), 2.0 * radius_m);
        anchor.map(|anchor| anchor.at)
    };
    // An area that a way leads to, and where there is room for the body, but not on the way.
    let is_lost = |area: &&Area| {
        let there = stand_in(area, open).filter(|&there| are_joined(open, begin, there));
        let ends = there.and_then(|_| fits(begin).zip(stand_in(area, &wide)));
        ends.is_some_and(|(begin, there)| !are_joined(&wide, begin, there))
    };
    let (name, wide_m) = (&widest.name, 2.0 * radius_m);
    let message = if fits(begin).is_none() {
        format!("'{name}' is {wide_m:.2} m wide, and the ground around it is narrower")
    } else {
        let mut lost = room.areas.iter().filter(is_lost).peekable();
        let Some(thin) = lost.peek().and_then(|_| ground_for(room, 0.0)) else { return Vec::new() };
        // Cells may bridge a gap that nobody fits through.
        let Some(area) = lost.find(|area| is_joined_exactly(&thin, begin, area)) else { return Vec::new() };
        format!(
            "'{name}' is {wide_m:.2} m wide, and a way that its body does not fit through leads it to the area '{}'",
            area.name
        )
    };
    let ground = &room.ground;
    let hint = format!(
        "make the way wider, or plan its ways for it: give it a radius, or raise agentRadius ({} m) or boundaryPadding \
        ({} m)",
        ground.agent_radius_m, ground.boundary_padding_m
    );
    let steps = [JsonStep::Key("characters"), JsonStep::Index(index)];
    vec![locator.problem(&steps, message, "too wide", Some(hint))]
}

/// Whether a way leads somewhere for the thinnest of bodies, by polygons.
fn is_joined_exactly(thin: &Surface, begin: Position, area: &Area) -> bool {
    let begin = thin.anchor(thin.locate(begin.at), f64::INFINITY).map(|anchor| anchor.at);
    begin.zip(stand_in(area, thin)).is_some_and(|(begin, there)| are_joined(thin, begin, there))
}

/// The ground on which the middle of a body of this radius keeps clear of all edges.
fn ground_for(room: &Room, radius_m: f64) -> Option<Surface> {
    let mut room = room.clone();
    let clear_m = (radius_m - SLACK_M / 2.0).max(0.0);
    let ground = &mut room.ground;
    (ground.kind, ground.planner) = (GroundKind::Mesh, PlannerKind::AnyAngle);
    (ground.agent_radius_m, ground.object_padding_m) = (clear_m, 0.0);
    ground.boundary_padding_m = clear_m;
    room.areas.iter_mut().for_each(|area| area.available = true);
    Surface::new(&room).ok()
}
