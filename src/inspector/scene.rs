//! The room at rest, as the page draws it: a plan of each storey, and the geometry of what can be pointed at.

use crate::crowd::CharacterId;
use crate::draw::{Picture, Shape, StoreyPlan};
use crate::nav::{ClassId, Place};
use crate::plan::{PlacedLink, PlacedWaypath};
use crate::world::World;
use glam::DVec2;
use serde_json::{Value, json};
use std::sync::Arc;
use std::thread::JoinHandle;

/// What a drawn scene depends on.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    ground: u64,
    links: u64,
    hotspots: Vec<(bool, DVec2, Option<Place>)>,
    reloads: u64,
    /// Whose cells are shown: those of the selected character's class, as they are now.
    cells: Option<(ClassId, u64)>,
    /// The doors of a tactical level, which the ground may not know.
    doors: Vec<Option<bool>>,
    reach: Option<Reach>,
}

/// What a reach depends on: the actor, its cell, and the TU that it has left.
type Reach = (CharacterId, [u32; 3], u16);

/// Draws the scene on another thread whenever something changed: a large room takes longer than a tick.
#[derive(Default)]
pub(super) struct SceneMaker {
    drawn: Option<Key>,
    drawing: Option<(Key, JoinHandle<Scene>)>,
    version: u32,
    current: Option<Arc<Scene>>,
}

/// A drawn room.
pub(super) struct Scene {
    /// The message for the page.
    pub(super) told: String,
    /// The room without characters: it knows the storeys of places.
    pub(super) picture: Picture,
}

impl SceneMaker {
    /// Begins to draw if something changed; the message when a new scene is there.
    pub(super) fn poll(
        &mut self,
        world: &World,
        reloads: u64,
        with_cells: bool,
        selected: Option<CharacterId>,
    ) -> Option<String> {
        let actor = selected.and_then(|who| Some((who, world.character(who)?.actor.as_deref()?)));
        let doors = world.tactics().into_iter().flat_map(|field| field.areas());
        let key = Key {
            ground: world.ground().revision(),
            links: world.links().revision(),
            hotspots: world
                .hotspots()
                .iter()
                .map(|hotspot| (hotspot.enabled, hotspot.spot, hotspot.walk_to))
                .collect(),
            reloads,
            cells: with_cells.then(|| {
                let class = selected.map_or_else(ClassId::default, |who| world.class_of(who));
                (class, world.ground_in(class).revision())
            }),
            doors: doors.map(|door| world.is_area_available(door)).collect(),
            reach: actor.map(|(who, actor)| (who, actor.cell, actor.tu)),
        };
        if let Some((key, thread)) = self.drawing.take_if(|(_, thread)| thread.is_finished())
            && let Ok(scene) = thread.join()
        {
            self.drawn = Some(key);
            self.current = Some(Arc::new(scene));
            return self.told();
        }
        if self.drawing.is_none() && self.drawn.as_ref() != Some(&key) {
            let snapshot = world.clone();
            let actor = key.reach.map(|(who, ..)| who);
            self.version += 1;
            let version = self.version;
            let cells = key.cells.map(|(class, _)| class);
            let draw = move || Scene::of(&snapshot, cells, actor, version);
            // Without a thread it is tried again in the next frame.
            self.drawing = std::thread::Builder::new().spawn(draw).ok().map(|thread| (key, thread));
        }
        None
    }

    /// The current scene as a message.
    pub(super) fn told(&self) -> Option<String> {
        Some(self.current.as_ref()?.told.clone())
    }

    /// The current scene; `None` before the first is drawn.
    pub(super) fn current(&self) -> Option<&Arc<Scene>> {
        self.current.as_ref()
    }
}

impl Scene {
    /// The room of a world, with what an actor reaches if it is given.
    pub(super) fn of(
        world: &World,
        cells: Option<ClassId>,
        actor: Option<CharacterId>,
        version: u32,
    ) -> Self {
        let picture = Picture::of_some(world, &|_| false);
        let shown = match cells {
            Some(class) => picture.clone().with_cells(world.ground_in(class)),
            None => picture.clone(),
        };
        let shown = actor.into_iter().fold(shown, |shown, who| shown.with_reach_of(world, who));
        let (min, max) = shown.bounds();
        let room = world.room();
        let storeys: Vec<Value> = shown.to_plans().into_iter().map(storey).collect();
        let storey_of = |place: Place| picture.storey_of_spot(place);
        // What is painted or built from a level has no corners in the room's file.
        let is_drawn = |painted: bool| !painted && room.mesh.is_none() && room.level.is_none();
        let areas: Vec<Value> = shapes_of(&picture)
            .filter_map(|(shape, storey)| match shape {
                Shape::Area { name, polygon, open, painted } => Some(json!({
                    "name": name, "polygon": rounded(polygon), "open": open, "storey": storey,
                    "movable": is_drawn(*painted),
                })),
                _ => None,
            })
            .collect();
        let obstacles: Vec<Value> = room
            .obstacles
            .iter()
            .map(|obstacle| json!({ "name": obstacle.name, "polygon": rounded(&obstacle.polygon), "movable": true }))
            .collect();
        let points: Vec<Value> = room
            .points
            .iter()
            .map(|(name, place)| {
                json!({ "name": name, "at": [place.at.x, place.at.y], "storey": storey_of(*place), "movable": true })
            })
            .collect();
        let hotspots: Vec<Value> = world
            .hotspots()
            .iter()
            .map(|hotspot| {
                // One that a script has moved is elsewhere in the file.
                let is_movable = hotspot.painted.is_none() && hotspot.moved_m == DVec2::ZERO;
                json!({
                    "name": hotspot.name, "polygon": rounded(&hotspot.polygon), "enabled": hotspot.enabled,
                    "storey": hotspot.walk_to.map_or(0, storey_of), "movable": is_movable,
                })
            })
            .collect();
        let waypaths: Vec<Value> =
            world.links().waypaths().iter().map(|placed| waypath_of(world, &picture, placed)).collect();
        let links: Vec<Value> =
            world.links().links().iter().filter_map(|link| link_of(&picture, link)).collect();
        let told = json!({
            "kind": "scene", "version": version, "bounds": [min.x, min.y, max.x, max.y], "pictured": room.background.is_some(),
            "storeys": storeys, "areas": areas, "obstacles": obstacles, "points": points, "hotspots": hotspots,
            "waypaths": waypaths, "links": links,
        });
        Self { told: told.to_string(), picture }
    }
}

fn shapes_of(picture: &Picture) -> impl Iterator<Item = (&Shape, usize)> {
    picture.shapes_on_storeys().map(|(shape, storey)| (shape, storey.unwrap_or(0)))
}

fn storey(plan: StoreyPlan) -> Value {
    json!({
        "caption": plan.caption.unwrap_or_default(), "svg": plan.svg,
        "width": plan.size_px.x, "height": plan.size_px.y,
        "originX": plan.origin_px.x, "originZ": plan.origin_px.y, "pxPerM": plan.px_per_m,
    })
}

fn link_of(picture: &Picture, link: &PlacedLink) -> Option<Value> {
    let [from, to] = link.way(false).or_else(|| link.way(true))?;
    Some(json!({
        "name": link.link.name, "from": [from.at.x, from.at.y], "to": [to.at.x, to.at.y],
        "open": link.available, "storey": picture.storey_of_position(from), "toStorey": picture.storey_of_position(to),
        "cost": (link.cost_m * 1e3).round() / 1e3,
    }))
}

fn waypath_of(world: &World, picture: &Picture, placed: &PlacedWaypath) -> Value {
    let waypath = &placed.waypath;
    let is_in_file = world.room().waypaths.iter().any(|other| other.name == waypath.name);
    let points: Vec<Value> = waypath
        .points
        .iter()
        .enumerate()
        .map(|(index, point)| {
            json!({
                "name": format!("{} {}", waypath.name, index + 1), "at": rounded(&[point.at.at])[0],
                "storey": picture.storey_of_spot(point.at), "movable": is_in_file && point.at_point.is_none(),
            })
        })
        .collect();
    json!({ "name": waypath.name, "open": placed.available, "points": points })
}

/// Millimetres are enough for a page.
pub(super) fn rounded(polygon: &[DVec2]) -> Vec<[f64; 2]> {
    let round = |x: f64| (x * 1e3).round() / 1e3;
    polygon.iter().map(|corner| [round(corner.x), round(corner.y)]).collect()
}
