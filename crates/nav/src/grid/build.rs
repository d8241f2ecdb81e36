//! Building the ground of a room: from scratch, or from the ground of an earlier version of the room.

use super::cells::Grid;
use super::components::Components;
use super::frame::{CellRect, Frame};
use super::history::History;
use super::lattice::Lattice;
use super::layer::Layer;
use super::painter::{AreaLayer, Painter, SeeThrough};
use super::raster::Raster;
use crate::nav::{Change, GroundError};
use crate::room::Room;
use glam::{DVec2, I64Vec2};

impl Grid {
    /// Builds the ground a room describes, with each area open or closed as its file says.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`] when the grid would have more than [`MAX_CELLS`](crate::room::MAX_CELLS) cells.
    pub fn new(room: &Room) -> Result<Self, GroundError> {
        let available: Vec<bool> = room.areas.iter().map(|area| area.available).collect();
        Self::with_areas(room, &available)
    }

    /// Like [`Grid::new`], with the given availability of the areas (in file order).
    pub fn with_areas(room: &Room, available: &[bool]) -> Result<Self, GroundError> {
        Self::build(room, available, None)
    }

    /// The ground of a changed room, with the given availability of its areas, in file order. Unchanged polygons are
    /// not rasterised again. If the frame is unchanged, only changed rectangles are painted. The result equals a
    /// fresh build bit for bit. The second value is the change; `None` if no cell changed.
    ///
    /// # Errors
    /// [`GroundError::TooLarge`]. The old ground is unchanged then.
    pub fn rebuilt(&self, room: &Room, available: &[bool]) -> Result<(Self, Option<Change>), GroundError> {
        let mut ground = Self::build(room, available, Some(self))?;
        if ground.frame != self.frame {
            let (min, max) = (ground.frame.min.min(self.frame.min), ground.frame.max().max(self.frame.max()));
            ground.revision = self.revision + 1;
            return Ok((ground, Some(Change { min, max, opened: true, closed: true })));
        }
        let changed = self.changed_rect(&ground);
        ground.walkable = self.walkable.clone();
        ground.transposed = self.transposed.clone();
        ground.corners = self.corners;
        match (&mut ground.components, &self.components) {
            (Some(fresh), Some(known)) => *fresh = known.clone(),
            (Some(fresh), None) => fresh.update(&ground.walkable, &ground.transposed, self.all(), true),
            (None, _) => {}
        }
        if ground.settings.sampling == self.settings.sampling {
            ground.history = self.history.clone();
            ground.lattice = self.lattice.clone();
        } else if let Some(lattice) = &mut ground.lattice {
            lattice.resample(&ground.walkable, self.all());
        }
        let mut dirty = ground.repaint(changed);
        if ground.settings.sampling != self.settings.sampling {
            // Every path may change.
            let (min, max) = (ground.frame.min, ground.frame.max());
            dirty = Some(Change { min, max, opened: true, closed: true });
        }
        ground.revision = self.revision + u64::from(dirty.is_some());
        Ok((ground, dirty))
    }

    /// The same ground with nodes at another sample rate.
    pub(super) fn sampled_every(&self, rate_px: f64) -> Self {
        let mut ground = self.clone();
        if let Some(lattice) = &self.lattice {
            let sampling = crate::room::Sampling { rate_px, ..lattice.sampling() };
            let mut lattice = Lattice::new(sampling, self.frame.width, self.frame.depth);
            lattice.resample(&self.walkable, self.all());
            ground.lattice = Some(lattice);
        }
        ground
    }

    fn build(room: &Room, available: &[bool], old: Option<&Self>) -> Result<Self, GroundError> {
        let settings = room.ground;
        let frame = Self::frame_of(room)?;
        let obstacle_margin_m = settings.obstacle_margin_m();
        let old =
            old.filter(|old| old.frame == frame && old.settings.obstacle_margin_m() == obstacle_margin_m);
        let areas = room.areas.iter().zip(available).map(|(area, &available)| {
            let layers = old.iter().flat_map(|old| old.painter.areas.iter().map(|area| &area.layer));
            let layer = match &area.painted {
                Some(painted) => Layer::of_pixels(&area.name, &area.polygon, &painted.pixels),
                None => layer_for(&frame, &area.name, &area.polygon, 0.0, layers),
            };
            AreaLayer { layer, available, bars: false, when_occupied: area.when_occupied }
        });
        let obstacles = room.obstacles.iter().map(|obstacle| {
            let layers = old.iter().flat_map(|old| old.painter.obstacles.iter());
            layer_for(&frame, &obstacle.name, &obstacle.polygon, obstacle_margin_m, layers)
        });
        let painter = Painter {
            base: room.grid.clone(),
            areas: areas.collect(),
            obstacles: obstacles.collect(),
            see_through: SeeThrough {
                areas: room.areas.iter().map(|area| area.see_through).collect(),
                obstacles: room.obstacles.iter().map(|obstacle| obstacle.see_through).collect(),
            },
            boundary_padding_m: settings.boundary_padding_m,
            pixel_padding_m: 0.0,
        };
        let walkable = Raster::new(frame.width, frame.depth);
        let transposed = Raster::new(frame.depth, frame.width);
        let lattice = settings.sampling.map(|sampling| Lattice::new(sampling, frame.width, frame.depth));
        let components = lattice.is_none().then(|| Components::new(frame.width, frame.depth));
        let mut ground = Self {
            frame,
            walkable,
            transposed,
            corners: 0,
            components,
            lattice,
            painter,
            settings,
            revision: 0,
            history: History::default(),
        };
        if old.is_none() {
            ground.repaint(ground.all());
        }
        Ok(ground)
    }

    /// All cells.
    fn all(&self) -> CellRect {
        self.frame.cells_within(self.frame.min, self.frame.max())
    }

    /// The frame of a given grid, or enough cells to cover the room.
    fn frame_of(room: &Room) -> Result<Frame, GroundError> {
        let cell_size_m = room.ground.cell_size_m;
        let (min, max) = room.bounds();
        let cells = match &room.grid {
            // Not computed from the corners: rounding could add a row.
            Some(grid) => DVec2::new(f64::from(grid.width()), f64::from(grid.depth())),
            None => ((max - min) / cell_size_m).ceil(),
        };
        if cells.is_nan_mask().any() || cells.x * cells.y > crate::room::MAX_CELLS {
            return Err(GroundError::TooLarge { width: cells.x, depth: cells.y });
        }
        let cells_per_m = room.mask.as_ref().map(|mask| mask.pixels_per_metre);
        Ok(Frame { min, cell_size_m, cells_per_m, width: cells.x as u32, depth: cells.y as u32 })
    }

    /// The rectangle that holds every cell in which `self` and `new`, of the same frame, may differ.
    fn changed_rect(&self, new: &Self) -> CellRect {
        let frame = &self.frame;
        if self.settings.obstacle_margin_m() != new.settings.obstacle_margin_m()
            || self.painter.boundary_padding_m != new.painter.boundary_padding_m
        {
            return frame.cells_within(frame.min, frame.max());
        }
        let mut rect = match (&self.painter.base, &new.painter.base) {
            (None, None) => CellRect { min: I64Vec2::ZERO, max: I64Vec2::ZERO },
            (Some(old), Some(new)) => CellRect::of(old.difference(new)),
            _ => frame.cells_within(frame.min, frame.max()),
        };
        for (one, other) in [(self, new), (new, self)] {
            for (index, area) in one.painter.areas.iter().enumerate() {
                let same = |o: &AreaLayer| o.layer == area.layer && o.available == area.available;
                if !other.painter.areas.iter().any(same) {
                    rect = rect.union(one.painter.toggle_rect(frame, index));
                }
            }
            for obstacle in &one.painter.obstacles {
                if !other.painter.obstacles.contains(obstacle) {
                    rect = rect.union(obstacle.rect);
                }
            }
        }
        rect
    }
}

/// The layer of a polygon: the one in `old` if it is the same, else a new one.
fn layer_for<'a>(
    frame: &Frame,
    name: &str,
    polygon: &[DVec2],
    margin_m: f64,
    mut old: impl Iterator<Item = &'a Layer>,
) -> Layer {
    let same = old.find(|layer| layer.painted.is_none() && layer.name == name && layer.polygon == polygon);
    same.cloned().unwrap_or_else(|| Layer::new(frame, name, polygon, margin_m))
}
