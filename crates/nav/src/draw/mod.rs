//! A picture of a room as a list of typed shapes, and its two renderings: SVG for people and pages, text for
//! terminals and test failures.
//!
//! A [`Picture`] shows a room at rest ([`Picture::of_room`]) or a running one ([`Picture::of_world`]); cells and
//! paths are added on demand. Its unit is the metre. Sizes, colours and letters are chosen by the renderers:
//! [`Picture::to_svg`], [`Picture::to_text`], and [`Picture::paint`] onto a [`Canvas`] of styled characters.
//!
//! Pictures are the same on every run: shapes keep the order of the room, and neither clocks nor fonts are used.

mod canvas;
mod cells;
mod faces;
mod figure;
mod key;
mod label;
mod levels;
mod links;
mod live;
mod map;
mod painted;
mod palette;
mod plan_text;
mod projection;
mod sectors;
mod shapes_of;
mod storeyed;
mod storeys;
mod svg;
mod text;
mod tiles;
mod waypaths;

#[cfg(test)]
mod tests;

pub use canvas::{Canvas, Glyph};
pub use cells::{Cells, Floor};
pub use faces::{Face, Faces, Rim, RimKind};
pub use figure::{Figure, Route};
pub use label::{clean, clean_lines, shorten, width_of};
pub use levels::{CellKind, LevelPlan, PlanBorder, PlanCell, PlanDoor};
pub use links::LinkView;
pub use painted::{Graph, HotspotView, Sample};
pub use palette::{Rgb, Tint};
pub use projection::{CellBox, Projection};
pub use sectors::{SectorPortalView, SectorView};
pub use svg::{StoreyPlan, SvgOptions};
pub use text::TextLook;
pub use waypaths::WaypathView;

use crate::crowd::{Character, CharacterId};
use crate::nav::{Curve, Disc, LinkCrossing, Outcome, Path, PathTrace, Place, Position};
use crate::plan::LinkNet;
use crate::room::{Hotspot, Room};
use crate::surface::Surface;
use crate::tactics::TacticalField;
use crate::world::World;
use glam::DVec2;
use painted::floor_of;
use std::collections::BTreeMap;
use std::sync::Arc;
use storeyed::Storeyed;

/// The least extent of a picture in each direction, so that a single point makes one too.
const LEAST_EXTENT_M: f64 = 0.2;

/// The shapes of a room, in metres. `x` of a [`DVec2`] is the world's x, its `y` the world's z, which points down in
/// every rendering.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Picture {
    /// The room's name.
    pub title: String,
    shapes: Vec<Shape>,
    /// For each shape its storey, from 0; `None` if it is on all of them.
    storeys_of_shapes: Vec<Option<usize>>,
    /// The storeys, if there are several.
    storeyed: Option<Arc<Storeyed>>,
    /// What the storey is called, if the picture shows one of several.
    caption: Option<String>,
    /// The names of the room's areas, in its order.
    room_areas: Vec<String>,
    /// Smallest and largest coordinates of the shown part; `None` while it is empty.
    extent: Option<(DVec2, DVec2)>,
}

/// One thing in a picture.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A named part of the ground.
    Area {
        /// Its name.
        name: String,
        /// Its corners.
        polygon: Vec<DVec2>,
        /// Whether it is open, so that characters may walk there.
        open: bool,
        /// Whether it is painted on a mask, so that these corners are only the outline of its largest piece.
        painted: bool,
    },
    /// The picture behind the room.
    Backdrop {
        /// The picture.
        picture: Arc<crate::room::Image>,
        /// Its upper left corner, metres.
        min: DVec2,
        /// Its lower right corner.
        max: DVec2,
    },
    /// A place to point at.
    Hotspot(HotspotView),
    /// The ground of a grid or painted room.
    Floor(Floor),
    /// The ground of a mesh, or of one storey of it.
    Mesh(Faces),
    /// One level of a tactical level.
    Level(LevelPlan),
    /// A sector of ground that was flooded.
    Sector(SectorView),
    /// A portal between two sectors.
    SectorPortal(SectorPortalView),
    /// A disc that a query avoids.
    Disc(Disc),
    /// An obstacle.
    Obstacle {
        /// Its name.
        name: String,
        /// Its corners.
        polygon: Vec<DVec2>,
        /// Whether lines of vision pass over it: it is low, or of glass.
        see_through: bool,
    },
    /// The ground as the search sees it.
    Cells(Cells),
    /// The search graph of a painted room.
    Graph(Graph),
    /// The track of a character.
    Trail {
        /// The places, oldest first.
        points: Vec<DVec2>,
        /// The character's tint.
        tint: Tint,
    },
    /// A waypath.
    Waypath(WaypathView),
    /// A link between two places.
    Link(LinkView),
    /// The path of a character, or the answer to a query.
    Path(Route),
    /// The trace of a query's search.
    Trace(PathTrace),
    /// A named place.
    Point {
        /// Its name.
        name: String,
        /// Where it is.
        at: DVec2,
    },
    /// A character.
    Character(Figure),
    /// A label at a place.
    Label {
        /// The text.
        text: String,
        /// The place.
        at: DVec2,
    },
}

impl Picture {
    /// A room at rest: areas as open as `ground` has them, characters at their starts.
    pub fn of_room(room: &Room, ground: &Surface) -> Self {
        let is_open = |name: &str| room.areas.iter().any(|area| area.name == name && area.available);
        let field = room.tactics.as_ref().map(|tactics| TacticalField::new(tactics, is_open));
        let mut picture =
            Self::of_place((room, &room.hotspots), ground, field.as_ref(), &mut std::iter::empty());
        let net = LinkNet::with_waypaths(ground, &room.links, &room.waypaths);
        picture.add_waypaths(&net);
        picture.add_links(&net, ground);
        for (index, spec) in room.characters.iter().enumerate() {
            let level = spec.actor.as_ref().and_then(|actor| picture.storey_of_level(actor.level));
            let storey = level.map(|number| number - 1).or_else(|| picture.storey_of_place(spec.at));
            let mut figure = Figure::of_spec(index, spec);
            if let (Some(actor), Some(levels)) = (&spec.actor, picture.levels()) {
                figure = figure.with_actor(
                    (actor.size, actor.stance),
                    levels::words_of_spec(actor),
                    levels.cell_m(),
                );
            }
            picture.add_figure(room, storey, figure);
        }
        picture
    }

    /// A running room: the current state of doors and characters, their remaining paths, and their speech.
    pub fn of_world(world: &World) -> Self {
        Self::of_some(world, &|_| true)
    }

    /// A running room with only the characters that are `shown`.
    pub fn of_some(world: &World, shown: &dyn Fn(&Character) -> bool) -> Self {
        let mut picture = Self::of_running_place(world);
        let them = || world.characters().iter().filter(|character| shown(character));
        them().for_each(|character| picture.add_walk(character));
        them().for_each(|character| picture.add_character(world, character));
        picture
    }

    /// A running room at a moment that is about some characters: only their paths are shown.
    pub fn of_moment(world: &World, about: &[CharacterId]) -> Self {
        let mut picture = Self::of_running_place(world);
        let them = world.characters().iter().filter(|character| about.contains(&character.id));
        them.for_each(|character| picture.add_walk(character));
        world.characters().iter().for_each(|character| picture.add_character(world, character));
        picture
    }

    /// Adds the cells of `ground`, or the polygons that it is made of; a painted room shows its pixels anyway.
    #[must_use]
    pub fn with_cells(mut self, ground: &Surface) -> Self {
        if let Some(mesh) = ground.as_mesh() {
            self.add_mesh_search(mesh, false);
        }
        if let Some(grid) = ground.as_grid().filter(|grid| !grid.is_sampled()) {
            self.add(Shape::Cells(Cells::of(grid)));
        }
        self
    }

    /// Adds the search space: the cells of `ground`, or the graph of a painted room with its rejected samples; and
    /// the parts cut off from the player (from the largest part, if there is no player).
    #[must_use]
    pub fn with_search(mut self, ground: &Surface) -> Self {
        if let Some(mesh) = ground.as_mesh() {
            self.add_mesh_search(mesh, true);
        }
        let player = self.figures().find(|figure| figure.player).map(|figure| figure.at);
        let Some(grid) = ground.as_grid() else { return self };
        let cut_off = grid.cut_off(player);
        self.add(match grid.is_sampled() {
            false => Shape::Cells(Cells::of(grid).with_cut_off(cut_off)),
            true => Shape::Graph(Graph::of(grid, &cut_off)),
        });
        self
    }

    /// Adds the path before shortening, and the lines that were tried. On several storeys there is nothing to add:
    /// paths on a mesh are not shortened.
    #[must_use]
    pub fn with_trace(mut self, raw: &PathTrace) -> Self {
        if self.storeyed.is_none() {
            self.add(Shape::Trace(raw.clone()));
        }
        self
    }

    /// Adds the discs that a query avoids.
    #[must_use]
    pub fn with_discs(mut self, discs: &[Disc]) -> Self {
        for &disc in discs {
            let storey = self.storey_of(disc.centre);
            self.add_on(storey, Shape::Disc(disc));
        }
        self
    }

    /// Adds the answer to a query.
    #[must_use]
    pub fn with_path(mut self, start: impl Into<Place>, goal: impl Into<Place>, path: &Path) -> Self {
        let (start, goal) = (start.into(), goal.into());
        let floor = path.corridor.first().copied();
        let floor = floor.or_else(|| self.storeyed.as_ref().map(|storeyed| storeyed.locate(start).floor));
        let start = Position { at: start.at, floor: floor.unwrap_or_default() };
        // A way may come back above its start.
        let is_start = |at: &&Position| at.at == start.at && self.storey_of(**at) == self.storey_of(start);
        let mut legs = vec![vec![start]];
        for (index, at) in path.waypoints.iter().enumerate() {
            let crosses = |crossing: &LinkCrossing| crossing.waypoint + 1 == index;
            if path.crossings.iter().any(crosses) {
                legs.push(Vec::new());
            }
            let leg = legs.last_mut().filter(|leg| !(is_start(&at) && leg.len() == 1));
            leg.into_iter().for_each(|leg| leg.push(*at));
        }
        self.add_legs(&legs, goal, (path.outcome != Outcome::Complete, false), None);
        self
    }

    /// Adds the answer to a query as curves, one for each leg between links; see `Surface::curves`.
    #[must_use]
    pub fn with_curves(mut self, goal: impl Into<Place>, path: &Path, curves: &[Curve]) -> Self {
        let legs: Vec<Vec<Position>> = curves.iter().map(|curve| curve.line()).collect();
        self.add_legs(&legs, goal.into(), (path.outcome != Outcome::Complete, true), None);
        self
    }

    /// Marks characters as faulty: their names, and each fault in a word or two.
    #[must_use]
    pub fn with_faults(mut self, faults: &BTreeMap<&str, String>) -> Self {
        for shape in &mut self.shapes {
            if let Shape::Character(figure) = shape {
                figure.fault = faults.get(figure.name.as_str()).cloned();
            }
        }
        self
    }

    /// The shapes. Later shapes of a kind lie over earlier ones; between kinds, the renderers keep characters on top.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The shown rectangle, `(min, max)` in metres; never thinner than 0.2 m.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        let (min, max) = self.extent.unwrap_or_default();
        let lacking = (LEAST_EXTENT_M - (max - min)).max(DVec2::ZERO) / 2.0;
        (min - lacking, max + lacking)
    }

    /// Adds a shape. The shown rectangle grows to hold it, except for obstacles, cells and sectors, which are
    /// irrelevant outside the ground.
    ///
    /// It is on all storeys, except for tracks, whose storeys are found.
    pub fn add(&mut self, shape: Shape) {
        match shape {
            Shape::Trail { points, tint } if self.storeyed.is_some() => self.add_track(&points, tint),
            shape => self.add_on(None, shape),
        }
    }

    /// Adds a shape to a storey, or to all.
    fn add_on(&mut self, storey: Option<usize>, shape: Shape) {
        match &shape {
            Shape::Area { polygon, .. } => self.include(polygon),
            Shape::Floor(floor) => {
                let (min, max) = floor.extent();
                self.include(&[min, max]);
            }
            Shape::Mesh(faces) => faces.faces.iter().for_each(|face| self.include(&face.corners)),
            Shape::Disc(disc) => {
                self.include(&[disc.centre.at - disc.radius_m, disc.centre.at + disc.radius_m])
            }
            Shape::Obstacle { .. } | Shape::Cells(_) | Shape::Graph(_) => {}
            Shape::Sector(_) | Shape::SectorPortal(_) => {}
            Shape::Level(plan) => self.include(&[plan.corner(0, 0), plan.corner(plan.width, plan.depth)]),
            Shape::Backdrop { min, max, .. } => self.include(&[*min, *max]),
            Shape::Hotspot(spot) => self.include(&spot.polygon),
            Shape::Trail { points, .. } => self.include(points),
            Shape::Trace(raw) => self.include(&raw.points),
            Shape::Link(link) => self.include(&[link.arc(0.0), link.arc(0.5), link.arc(1.0)]),
            Shape::Waypath(waypath) => self.include(&waypath.extent()),
            Shape::Path(route) => {
                self.include(&route.points);
                self.include(&[route.goal]);
            }
            Shape::Point { at, .. } | Shape::Label { at, .. } => self.include(&[*at]),
            Shape::Character(figure) => {
                self.include(&[figure.at - figure.radius_m, figure.at + figure.radius_m])
            }
        }
        self.shapes.push(shape);
        self.storeys_of_shapes.push(storey);
    }

    fn of_running_place(world: &World) -> Self {
        let actors = world.characters().iter().filter_map(|character| character.actor.as_deref());
        let mut levels = actors.map(|actor| actor.cell[2]);
        let hotspots = world.hotspots();
        let mut picture =
            Self::of_place((world.room(), hotspots), world.ground(), world.tactics(), &mut levels);
        picture.add_waypaths(world.links());
        picture.add_links(world.links(), world.ground());
        picture
    }

    /// A room without characters. Of a tactical level, `levels` are shown even if they have no floor.
    fn of_place(
        (room, hotspots): (&Room, &[Hotspot]),
        ground: &Surface,
        field: Option<&TacticalField>,
        levels: &mut dyn Iterator<Item = u32>,
    ) -> Self {
        let mut picture = Self { title: room.name.clone(), ..Self::default() };
        picture.add_backdrop(room);
        if let Some(field) = field {
            picture.add_levels(room, field, ground.as_mesh(), levels);
        }
        let size_m = room.ground.cell_size_m;
        match (&room.grid, room.mask.as_ref().and(ground.cells())) {
            (_, Some(grid)) => picture.add(Shape::Floor(floor_of(grid))),
            (Some(cells), None) => picture.add(Shape::Floor(Floor { cells: cells.clone(), size_m })),
            (None, None) => {}
        }
        picture.room_areas = room.areas.iter().map(|area| area.name.clone()).collect();
        let given = ground.as_mesh().filter(|mesh| !mesh.is_outlined());
        // The plans of a tactical level show its floors and its doors.
        let is_planned = |name: &str| {
            field.is_some_and(|field| name == "level" || field.areas().iter().any(|area| area == name))
        };
        if let Some(mesh) = given.filter(|_| field.is_none()) {
            picture.add_mesh(room, mesh);
        }
        // The areas of given polygons come with them.
        for area in room.areas.iter().filter(|area| given.is_none() && !is_planned(&area.name)) {
            let open = ground.area_named(&area.name).map_or(area.available, |id| ground.area_available(id));
            let (name, polygon) = (area.name.clone(), area.polygon.clone());
            let storey = picture.levels().map(|_| 0);
            picture.add_on(storey, Shape::Area { name, polygon, open, painted: area.painted.is_some() });
        }
        for obstacle in &room.obstacles {
            let (name, polygon) = (obstacle.name.clone(), obstacle.polygon.clone());
            picture.add(Shape::Obstacle { name, polygon, see_through: obstacle.see_through });
        }
        for hotspot in hotspots.iter().filter(|hotspot| hotspot.enabled) {
            let storey = hotspot.walk_to.and_then(|walk_to| picture.storey_of_place(walk_to));
            picture.add_on(storey, Shape::Hotspot(HotspotView::of(hotspot, size_m)));
        }
        for (name, &place) in &room.points {
            let storey = picture.storey_of_place(place);
            picture.add_on(storey, Shape::Point { name: name.clone(), at: place.at });
        }
        picture
    }

    fn add_character(&mut self, world: &World, character: &Character) {
        let storey = self.storey_on(world, character);
        let mut figure = Figure { at: world.seen_at(character).at, ..Figure::of_character(character) };
        if let (Some(actor), Some(levels)) = (&character.actor, self.levels()) {
            figure = figure.with_actor((actor.size, actor.stance), levels::words_of(actor), levels.cell_m());
        }
        self.add_figure(world.room(), storey, figure);
    }

    /// Adds a character, scaled by the depth at its place.
    fn add_figure(&mut self, room: &Room, storey: Option<usize>, mut figure: Figure) {
        figure.radius_m *= room.depth_at(figure.at.y).map_or(1.0, |(_, scale)| scale);
        self.add_on(storey, Shape::Character(figure));
    }

    /// Adds the remaining path of a character's walk, if it has one.
    fn add_walk(&mut self, character: &Character) {
        if let Some(actor) = &character.actor {
            self.add_cell_walk(character, actor);
        }
        let Some(walk) = &character.walk else { return };
        let legs = walk.corridor.legs().map(|(exit, ahead)| {
            let begin = exit.unwrap_or_else(|| character.landing());
            std::iter::once(begin).chain(ahead.iter().copied()).collect()
        });
        let legs: Vec<Vec<Position>> = legs.collect();
        let Some(&end) = legs.last().filter(|leg| leg.len() > 1 || legs.len() > 1).and_then(|leg| leg.last())
        else {
            return;
        };
        let goal = if walk.partial { walk.goal.place } else { end.at.into() };
        self.add_legs(&legs, goal, (walk.partial, walk.corridor.is_curved()), Some(Tint::of(character)));
    }

    /// The storey of a position, if there are several.
    fn storey_of(&self, position: Position) -> Option<usize> {
        self.storeyed.as_ref().map(|storeyed| storeyed.storey_of(position))
    }

    fn storey_of_place(&self, place: Place) -> Option<usize> {
        self.storeyed.as_ref().map(|storeyed| storeyed.storey_at(place))
    }

    fn include(&mut self, points: &[DVec2]) {
        for &point in points.iter().filter(|point| point.is_finite()) {
            let (min, max) = self.extent.unwrap_or((point, point));
            self.extent = Some((min.min(point), max.max(point)));
        }
    }
}
