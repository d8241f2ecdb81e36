//! The parts of a mesh that never change while areas open and close.

use super::regions::Regions;
use crate::geometry::SegmentPart;
use crate::mesh::{Blueprint, PolygonIndex, PolygonProblem, Polygons};
use crate::nav::{Cover, ObstacleId, OutlinePiece, Wall, WallOf};
use crate::room::{PlannerKind, Room, WhenOccupied};
use glam::DVec2;

/// Heights that differ by less are equal, in metres.
const LEVEL_M: f64 = 1e-6;

/// Polygons, and what they have to do with the areas and obstacles of the room.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    pub polygons: Polygons,
    pub index: PolygonIndex,
    pub covers: Vec<Cover>,
    /// For each polygon its cover.
    pub cover_of: Vec<u32>,
    pub outlines: Vec<OutlinePiece>,
    pub regions: Regions,
    /// For each cover its regions.
    pub regions_with: Vec<Vec<u32>>,
    /// For each region its bounding rectangle.
    pub region_bounds: Vec<(DVec2, DVec2)>,
    pub areas: Vec<AreaShape>,
    pub obstacles: Vec<ObstacleShape>,
    pub bounds: (DVec2, DVec2),
    pub has_heights: bool,
    /// Whether paths are found from portal to portal, and not the shortest ones.
    pub by_portals: bool,
    /// The room, if the polygons are made of the outlines of its areas and obstacles.
    pub outlined: Option<Box<Room>>,
}

/// What a mesh knows of an area.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AreaShape {
    pub name: String,
    pub when_occupied: WhenOccupied,
    pub see_through: bool,
    /// The covers that depend on it.
    pub covers: Vec<u32>,
    /// Its polygons, ascending.
    pub polygons: Vec<u32>,
    /// The rectangle round its polygons.
    pub bounds: (DVec2, DVec2),
    /// Its outline in the room, if the mesh is made of outlines.
    pub outline: Vec<DVec2>,
}

/// What a mesh knows of an obstacle.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ObstacleShape {
    pub name: String,
    pub see_through: bool,
    pub outline: Vec<DVec2>,
    /// The covers that depend on it.
    pub covers: Vec<u32>,
}

impl Shape {
    pub(super) fn new(room: &Room, blueprint: &Blueprint) -> Result<Self, Vec<PolygonProblem>> {
        // A room of cells may have no ground, as on the grid.
        let mut polygons = match blueprint.polygons.is_empty() && room.ground.has_polygons_of_cells() {
            true => Polygons::default(),
            false => Polygons::new(&blueprint.vertices, &blueprint.polygons)?,
        };
        let may_be_open = |cover: &Cover| cover.obstacles.is_empty() && cover.can_open(&blueprint.outlines);
        let may_be_open: Vec<bool> = blueprint.covers.iter().map(may_be_open).collect();
        polygons.divide(|polygon| may_be_open[blueprint.cover_of[polygon as usize] as usize]);
        let regions = Regions::new(&polygons, &blueprint.cover_of);
        let mut regions_with = vec![Vec::new(); blueprint.covers.len()];
        for (number, region) in regions.all().iter().enumerate() {
            regions_with[region.cover as usize].push(number as u32);
        }
        let rectangle =
            |members: &[u32]| bounds(members.iter().flat_map(|&polygon| polygons.corners(polygon)));
        let heights = blueprint.vertices.iter().map(|vertex| vertex.y);
        let (low, high) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let is_outlined = room.mesh.is_none() && room.level.is_none();
        let mut shape = Self {
            index: PolygonIndex::new(&polygons),
            covers: blueprint.covers.clone(),
            cover_of: blueprint.cover_of.clone(),
            outlines: blueprint.outlines.clone(),
            region_bounds: regions.all().iter().map(|region| rectangle(&region.polygons)).collect(),
            regions_with,
            areas: Vec::new(),
            obstacles: Vec::new(),
            bounds: polygons.bounds(),
            has_heights: high - low > LEVEL_M,
            by_portals: room.ground.planner == PlannerKind::Portals,
            outlined: is_outlined.then(|| Box::new(room.clone())),
            regions,
            polygons,
        };
        shape.areas = shape.areas_of(room);
        shape.obstacles = shape.obstacles_of(room);
        Ok(shape)
    }

    fn areas_of(&self, room: &Room) -> Vec<AreaShape> {
        let mut areas: Vec<AreaShape> = room
            .areas
            .iter()
            .map(|area| AreaShape {
                name: area.name.clone(),
                when_occupied: area.when_occupied,
                see_through: area.see_through,
                covers: Vec::new(),
                polygons: Vec::new(),
                bounds: (DVec2::ZERO, DVec2::ZERO),
                outline: area.polygon.clone(),
            })
            .collect();
        for (number, cover) in self.covers.iter().enumerate() {
            let pieces = cover.outlines.iter().map(|&piece| &self.outlines[piece as usize]);
            let beside = pieces.flat_map(|piece| piece.left.iter().chain(&piece.right));
            for area in cover.areas.iter().chain(beside) {
                let covers = &mut areas[area.0].covers;
                if covers.last() != Some(&(number as u32)) {
                    covers.push(number as u32);
                }
            }
        }
        for (polygon, &cover) in self.cover_of.iter().enumerate() {
            for area in &self.covers[cover as usize].areas {
                areas[area.0].polygons.push(polygon as u32);
            }
        }
        for area in &mut areas {
            let corners = area.polygons.iter().flat_map(|&polygon| self.polygons.corners(polygon));
            area.bounds = bounds(corners);
        }
        areas
    }

    fn obstacles_of(&self, room: &Room) -> Vec<ObstacleShape> {
        let covers = |obstacle: ObstacleId| {
            let all = self.covers.iter().enumerate();
            let near = all.filter(|(_, cover)| cover.obstacles.contains(&obstacle));
            near.map(|(number, _)| number as u32).collect()
        };
        let obstacles = room.obstacles.iter().enumerate();
        obstacles
            .map(|(number, obstacle)| ObstacleShape {
                name: obstacle.name.clone(),
                see_through: obstacle.see_through,
                outline: obstacle.polygon.clone(),
                covers: covers(ObstacleId(number)),
            })
            .collect()
    }

    /// Whether another shape has the same polygons, under the same names.
    pub(super) fn has_ground_of(&self, other: &Self) -> bool {
        let names = |shape: &Self| {
            let areas = shape.areas.iter().map(|area| area.name.clone());
            areas.chain(shape.obstacles.iter().map(|obstacle| obstacle.name.clone())).collect::<Vec<_>>()
        };
        self.polygons == other.polygons
            && self.by_portals == other.by_portals
            && self.cover_of == other.cover_of
            && self.covers == other.covers
            && names(self) == names(other)
    }

    /// The walls of obstacles, for measuring gaps. None if the mesh is not made of outlines.
    pub(super) fn obstacle_walls(&self) -> Vec<Wall> {
        let Some(room) = &self.outlined else { return Vec::new() };
        let keep_off_m = room.ground.obstacle_margin_m();
        let obstacles = self.obstacles.iter().enumerate();
        let edges = obstacles.flat_map(|(number, obstacle)| {
            let corners = &obstacle.outline;
            let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
            pairs.map(move |(&a, &b)| (SegmentPart::whole(a, b), WallOf::Obstacle(ObstacleId(number))))
        });
        edges.map(|(part, of)| Wall { part, of, keep_off_m }).collect()
    }
}

/// The rectangle round some points. At the origin if there are none.
fn bounds(points: impl Iterator<Item = DVec2>) -> (DVec2, DVec2) {
    let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    let (min, max) = points.fold(nothing, |(min, max), at| (min.min(at), max.max(at)));
    if min.is_finite() { (min, max) } else { (DVec2::ZERO, DVec2::ZERO) }
}
