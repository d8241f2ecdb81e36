//! The ground of a room made of polygons: areas that open and close them, questions about places, lines and paths.

mod areas;
mod boundary;
mod cells;
mod channel;
mod corridor;
mod lines;
mod local;
mod picture;
mod places;
mod regions;
mod round;
mod search;
mod shape;
mod what_if;
mod wide_channel;

pub use self::picture::{Behind, PolygonView};
pub use self::places::MeshFlood;
pub(crate) use self::search::{MeshSearch, MeshSearchMemory};

use self::cells::without_sampling;
use self::regions::CLOSED;
use self::shape::Shape;
use super::{Openness, PolygonProblem, View, build};
use crate::grid::Grid;
use crate::nav::{AreaId, Change, GroundError, ObstacleId};
use crate::room::{Room, WhenOccupied};
use glam::DVec2;
use std::sync::Arc;

/// Ground made of convex polygons.
#[derive(Debug, Clone)]
pub struct Mesh {
    /// What never changes while areas open and close.
    shape: Arc<Shape>,
    /// The cells that the polygons are made of, if they are. They open and close with the polygons. Areas and lines of
    /// vision are those of the cells.
    cells: Option<Arc<Grid>>,
    /// For each area whether it is open.
    available: Vec<bool>,
    /// For each area whether it also closes what it shares with open areas, while it is closed.
    bars: Vec<bool>,
    /// For each obstacle whether it is taken away, for explanations.
    lifted: Vec<bool>,
    /// Whether any obstacle is.
    is_altered: bool,
    openness: Openness,
    /// Polygons that lines of vision cross: in open areas, and those that are seen through.
    lit: Openness,
    /// For each region its component, or [`CLOSED`].
    components: Vec<u32>,
    revision: u64,
}

/// Revisions are not compared: they count changes, and are no ground.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.shape, &other.shape) || self.shape == other.shape)
            && self.available == other.available
            && self.bars == other.bars
            && self.lifted == other.lifted
    }
}

impl Mesh {
    /// The mesh of a room, with the given availability of its areas (in file order).
    ///
    /// # Errors
    /// [`GroundError::Mesh`] with all problems of the polygons.
    pub(crate) fn of_room(room: &Room, available: &[bool]) -> Result<Self, GroundError> {
        if room.ground.has_polygons_of_cells() {
            let grid = Grid::with_areas(&without_sampling(room), available)?;
            return Self::of_cells(room, grid, available.to_vec());
        }
        let blueprint = build::blueprint(room, 1.0)?;
        let shape = Shape::new(room, &blueprint).map_err(in_words)?;
        Ok(Self::of_shape(Arc::new(shape), None, available.to_vec()))
    }

    fn of_shape(shape: Arc<Shape>, cells: Option<Arc<Grid>>, available: Vec<bool>) -> Self {
        let (lifted, bars) = (vec![false; shape.obstacles.len()], vec![false; shape.areas.len()]);
        let (openness, lit, components) = (Openness::default(), Openness::default(), Vec::new());
        let (is_altered, revision) = (false, 0);
        let mut mesh =
            Self { shape, cells, available, bars, lifted, is_altered, openness, lit, components, revision };
        mesh.open_all_afresh();
        mesh
    }

    /// Finds again which polygons are open, from nothing.
    fn open_all_afresh(&mut self) {
        let open: Vec<bool> =
            (0..self.shape.covers.len() as u32).map(|cover| self.is_cover_open(cover)).collect();
        let shape = &self.shape;
        self.openness =
            Openness::new(&shape.polygons, |polygon| open[shape.cover_of[polygon as usize] as usize]);
        shape.regions.components(|region| open[region.cover as usize], &mut self.components);
        let lit: Vec<bool> = (0..shape.covers.len() as u32).map(|cover| self.is_cover_lit(cover)).collect();
        self.lit = Openness::without_corners(&shape.polygons, |polygon| {
            lit[shape.cover_of[polygon as usize] as usize]
        });
    }

    /// Whether lines of vision cross polygons with this cover.
    fn is_cover_lit(&self, cover: u32) -> bool {
        let areas = &self.shape.covers[cover as usize].areas;
        let is_lit = |area: &AreaId| self.available[area.0] || self.shape.areas[area.0].see_through;
        areas.is_empty() || areas.iter().any(is_lit)
    }

    /// Whether polygons with this cover are open now.
    fn is_cover_open(&self, cover: u32) -> bool {
        let is_area_open = |area: AreaId| self.available[area.0];
        let is_lifted = |obstacle: ObstacleId| self.lifted[obstacle.0];
        let cover = &self.shape.covers[cover as usize];
        cover.is_open(&self.shape.outlines, is_area_open, is_lifted)
            && !cover.areas.iter().any(|&area| self.is_barred(area))
    }

    /// Opens and closes the polygons with these covers as they should be. Returns the rectangle of those that changed,
    /// and whether any opened and any closed.
    fn update(&mut self, covers: &[u32]) -> Option<Change> {
        let shape = Arc::clone(&self.shape);
        let mut change: Option<Change> = None;
        let mut changed = Vec::new();
        for &cover in covers {
            let is_open = self.is_cover_open(cover);
            let is_lit = self.is_cover_lit(cover);
            for &region in &shape.regions_with[cover as usize] {
                let polygons = &shape.regions.all()[region as usize].polygons;
                polygons.iter().for_each(|&polygon| self.lit.set(polygon, is_lit));
                if polygons.first().is_none_or(|&polygon| self.openness.is_open(polygon) == is_open) {
                    continue;
                }
                polygons.iter().for_each(|&polygon| self.openness.set(polygon, is_open));
                let (min, max) = shape.region_bounds[region as usize];
                let all = change.get_or_insert(Change { min, max, opened: false, closed: false });
                (all.min, all.max) = (all.min.min(min), all.max.max(max));
                all.opened |= is_open;
                all.closed |= !is_open;
                changed.push(region);
            }
        }
        for &region in &changed {
            for &vertex in &shape.regions.all()[region as usize].turns {
                self.openness.turn_at(&shape.polygons, vertex);
            }
        }
        if change.is_some() {
            let openness = &self.openness;
            let is_open = |region: &regions::Region| {
                region.polygons.first().is_some_and(|&polygon| openness.is_open(polygon))
            };
            shape.regions.components(is_open, &mut self.components);
        }
        change
    }

    /// The polygons as searches find them now.
    fn view(&self) -> View<'_> {
        View::new(&self.shape.polygons, &self.openness).altered(self.is_altered)
    }

    /// The polygons without portals that lead one way only.
    fn two_way_view(&self) -> View<'_> {
        if self.shape.regions.has_one_way() { self.view().two_way() } else { self.view() }
    }

    /// The component of a polygon: connected polygons have the same, in either direction of portals. `None` for a
    /// closed one.
    fn component(&self, polygon: u32) -> Option<u32> {
        let component = match polygon < self.polygon_count() {
            true => self.components[self.shape.regions.of(polygon) as usize],
            false => CLOSED,
        };
        (component != CLOSED).then_some(component)
    }

    pub(crate) fn set_area_available(&mut self, area: AreaId, available: bool) -> Option<Change> {
        if std::mem::replace(&mut self.available[area.0], available) == available {
            return None;
        }
        if let Some(cells) = &mut self.cells {
            Arc::make_mut(cells).set_area_available(area, available);
        }
        let shape = Arc::clone(&self.shape);
        let change = self.update(&shape.areas[area.0].covers);
        self.revision += u64::from(change.is_some());
        change
    }

    /// Closes an area for good, also where it shares polygons with open ones. Opening it undoes that.
    pub(crate) fn bar_area(&mut self, area: AreaId) {
        (self.available[area.0], self.bars[area.0]) = (false, true);
        if let Some(cells) = &mut self.cells {
            Arc::make_mut(cells).bar_area(area);
        }
        let shape = Arc::clone(&self.shape);
        self.revision += u64::from(self.update(&shape.areas[area.0].covers).is_some());
    }

    fn is_barred(&self, area: AreaId) -> bool {
        self.bars[area.0] && !self.available[area.0]
    }

    pub(crate) fn set_revision(&mut self, revision: u64) {
        self.revision = revision;
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    pub(crate) fn toggle_work(&self, area: AreaId) -> u64 {
        self.shape.areas[area.0].polygons.len() as u64 + self.components.len() as u64 / 8
    }

    pub(crate) fn for_each_state_word(&self, mut word: impl FnMut(u64)) {
        let polygons: Vec<u32> = (0..self.shape.polygons.len() as u32).collect();
        for chunk in polygons.chunks(64) {
            let bits = chunk.iter().enumerate().filter(|(_, polygon)| self.openness.is_open(**polygon));
            word(bits.fold(0, |bits, (bit, _)| bits | 1 << bit));
        }
    }

    /// Whether another mesh has the same polygons, open and closed alike.
    pub(crate) fn has_ground_of(&self, other: &Self) -> bool {
        self.shape.has_ground_of(&other.shape) && self.openness == other.openness
    }

    pub(crate) fn bounds(&self) -> (DVec2, DVec2) {
        self.shape.bounds
    }

    pub(crate) fn area_count(&self) -> usize {
        self.shape.areas.len()
    }

    pub(crate) fn area_name(&self, area: AreaId) -> &str {
        &self.shape.areas[area.0].name
    }

    pub(crate) fn area_available(&self, area: AreaId) -> bool {
        self.available[area.0]
    }

    pub(crate) fn area_when_occupied(&self, area: AreaId) -> WhenOccupied {
        self.shape.areas[area.0].when_occupied
    }

    pub(crate) fn closed_areas(&self) -> Vec<AreaId> {
        (0..self.area_count()).map(AreaId).filter(|&area| !self.area_available(area)).collect()
    }
}

/// Problems of polygons as those of the ground.
fn in_words(problems: Vec<PolygonProblem>) -> GroundError {
    GroundError::Mesh { problems: problems.iter().map(ToString::to_string).collect() }
}
