//! Doors that close nothing, and areas without ground to stand on.

use super::{MAX_AREAS, bounds, spread, stand_in};
use crate::problem::Problem;
use crate::room::{Area, GroundKind, JsonStep, Locator, PlannerKind, Room};
use crate::surface::Surface;

/// Closed areas that lie inside open ones, so that one walks over them as if they were open. Polygons of a mesh close
/// whatever else they belong to.
pub(super) fn doors_over_open_ground(room: &Room, ground: &Surface, locator: &Locator) -> Vec<Problem> {
    if room.tactics.is_some() {
        return Vec::new(); // its brushes close, whatever else there is
    }
    let closed = room.areas.iter().enumerate().filter(|(_, area)| !area.available);
    let closed = closed.filter(|(_, area)| area.mesh_polygons.is_empty()).take(MAX_AREAS);
    let changes_nothing = closed.filter(|(_, area)| is_open_all_over(area, ground));
    let told = changes_nothing.map(|(index, area)| {
        let over: Vec<&str> = room
            .areas
            .iter()
            .filter(|other| {
                other.available && ground.area_named(&other.name).is_some_and(|id| covers(ground, id, area))
            })
            .map(|other| other.name.as_str())
            .collect();
        let owner = match over.first() {
            Some(owner) => format!("in the open area '{owner}'"),
            None => "in open areas".to_owned(),
        };
        let message = format!("the closed area '{}' lies {owner}, so closing it changes nothing", area.name);
        let hint = "let the open area end at the edges of the closed one";
        let steps = [JsonStep::Key("areas"), JsonStep::Index(index)];
        locator.problem(&steps, message, "walkable, open or closed", Some(hint.into()))
    });
    told.collect()
}

/// Points of an area that are looked at along its width and its depth.
const ALONG: u32 = 24;

/// Whether opening a closed area gives no new ground.
fn is_open_all_over(area: &Area, ground: &Surface) -> bool {
    let Some(id) = ground.area_named(&area.name) else { return false };
    let mut with = ground.clone();
    with.set_area_available(id, true);
    with.walkable_m2() <= ground.walkable_m2() && stand_in(area, &with).is_some()
}

fn covers(open: &Surface, owner: crate::nav::AreaId, area: &Area) -> bool {
    let Some(id) = open.area_named(&area.name) else { return false };
    let places = spread(&area.polygon, ALONG).map(|at| open.locate(at));
    places.filter(|&at| open.area_contains(id, at)).all(|at| open.area_contains(owner, at))
}

/// A room in which nobody can stand anywhere, with all areas open.
pub(super) fn no_ground(room: &Room, open: &Surface, locator: &Locator) -> Option<Problem> {
    if open.has_ground() || room.areas.is_empty() {
        return None;
    }
    let obstacles = if room.obstacles.is_empty() { "" } else { ", or an obstacle covers it" };
    let message = format!("nobody can stand anywhere: the ground is narrower than a body{obstacles}");
    let hint = "look at the areas, the obstacles, agentRadius, the paddings and cellSize";
    Some(locator.problem(&[JsonStep::Key("areas")], message, "no ground", Some(hint.into())))
}

/// Areas of cells in which nobody can stand. Of larger ones, the places that are looked at say too little.
pub(super) fn no_place_to_stand(room: &Room, open: &Surface, locator: &Locator) -> Vec<Problem> {
    let ground = &room.ground;
    let has_cells = ground.kind == GroundKind::Grid && ground.planner == PlannerKind::Grid;
    if !open.has_ground()
        || !has_cells
        || room.tactics.is_some()
        || room.grid.is_some()
        || room.mesh.is_some()
    {
        return Vec::new();
    }
    let areas = room.areas.iter().enumerate().filter(|(_, area)| area.painted.is_none());
    let lost = areas.take(MAX_AREAS).filter(|(_, area)| {
        let (min, max) = bounds(&area.polygon);
        let step = (max - min) / f64::from(ALONG);
        step.max_element() <= ground.cell_size_m / 2.0 && stand_in(area, open).is_none()
    });
    let told = lost.map(|(index, area)| {
        let message = format!("nobody can stand in the area '{}'", area.name);
        let hint = format!(
            "make it wider than twice boundaryPadding ({} m) and a cell, and leave agentRadius + objectPadding ({} m) \
             beside obstacles",
            ground.boundary_padding_m,
            ground.agent_radius_m + ground.object_padding_m
        );
        let steps = [JsonStep::Key("areas"), JsonStep::Index(index), JsonStep::Key("polygon")];
        locator.problem(&steps, message, "no place to stand", Some(hint))
    });
    told.collect()
}
