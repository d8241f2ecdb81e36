//! The ground of a room: a grid of cells painted from areas and obstacles, or given by its file.

use super::bits::Bits;
use super::frame::{CellRect, Frame};
use super::painter::{Changed, Painter};
use super::{Disc, Overlay};
use crate::geometry::{Visit, contains, traverse_cells};
use crate::room::{GridCells, GroundSettings, WhenOccupied};
use glam::{DVec2, I64Vec2};
use std::ops::RangeInclusive;

/// A place to stand: for grids, a cell by its row-major index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

/// A named area of the ground, by its position in the room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AreaId(pub usize);

/// An obstacle of the ground, by its position in the room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub usize);

/// What a change of the ground touched. Paths that keep clear of it are as good as before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dirty {
    /// Corner of the touched rectangle with the smallest coordinates, in metres.
    pub min: DVec2,
    /// The corner opposite.
    pub max: DVec2,
    /// Whether any ground became walkable.
    pub opened: bool,
    /// Whether any ground was lost.
    pub closed: bool,
}

/// √2, the cost of a diagonal step in cells.
const DIAGONAL: f64 = std::f64::consts::SQRT_2;

/// The eight steps in the order they are tried: by index, so that equal costs resolve the same way everywhere.
const STEPS: [(i64, i64); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Walkable ground on the XZ plane.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    pub(super) frame: Frame,
    pub(super) walkable: Bits,
    pub(super) painter: Painter,
    pub(super) settings: GroundSettings,
    pub(super) revision: u64,
}

impl Ground {
    /// Opens or closes an area. Only its cells (and their padding) are touched. `None` when no cell changed.
    pub fn set_area_available(&mut self, area: AreaId, available: bool) -> Option<Dirty> {
        if self.painter.areas[area.0].available == available {
            return None;
        }
        self.painter.areas[area.0].available = available;
        let dirty = self.repaint(self.painter.toggle_rect(&self.frame, area.0));
        self.revision += u64::from(dirty.is_some());
        dirty
    }

    /// [`Ground::set_area_available`] if `accept` likes the ground as it would be then; else everything, the revision
    /// included, is as before. Says whether it was accepted, and what changed.
    pub fn try_area_available(
        &mut self,
        area: AreaId,
        available: bool,
        accept: impl FnOnce(&Self) -> bool,
    ) -> (bool, Option<Dirty>) {
        let revision = self.revision;
        let dirty = self.set_area_available(area, available);
        if accept(self) {
            return (true, dirty);
        }
        self.set_area_available(area, !available);
        self.revision = revision;
        (false, None)
    }

    pub(super) fn repaint(&mut self, rect: CellRect) -> Option<Dirty> {
        let Changed { opened, closed } = self.painter.paint(&self.frame, &mut self.walkable, rect);
        let corner = |cell: I64Vec2| self.frame.min + cell.as_dvec2() * self.frame.cell_size_m;
        (opened || closed).then(|| Dirty { min: corner(rect.min), max: corner(rect.max), opened, closed })
    }

    /// Counts changes of walkable ground; equal revisions of one ground mean equal bits.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Where the grid lies: for drawing.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The height of the floor, in metres.
    pub fn floor_y_m(&self) -> f64 {
        self.settings.floor_y_m
    }

    /// All walkable bits, for checksums and comparisons.
    pub fn words(&self) -> &[u64] {
        self.walkable.all()
    }

    /// The cells as they are now as the text of a `.txt` room, which says the same of every place and every path.
    pub fn to_text_grid(&self) -> String {
        let Frame { min, width, depth, .. } = self.frame;
        GridCells::from_words(min, width, depth, self.words().to_vec()).to_text(&self.settings)
    }

    /// How many nodes there may be; every [`Node`] is smaller.
    pub fn node_limit(&self) -> usize {
        self.frame.len()
    }

    // ---- points and nodes ----

    /// The walkable node that holds a point, if there is one.
    pub fn node_at(&self, point: DVec2) -> Option<Node> {
        let cell = self.frame.cell_at(point);
        self.cell_is_walkable(cell).then(|| Node(self.frame.index(cell)))
    }

    /// Whether a character's centre may be here.
    pub fn is_walkable(&self, point: DVec2) -> bool {
        self.cell_is_walkable(self.frame.cell_at(point))
    }

    /// The middle of a node, in metres.
    pub fn centre(&self, node: Node) -> DVec2 {
        self.frame.centre(self.frame.cell_of(node.0))
    }

    /// Whether `point` lies in `node`.
    pub fn holds(&self, node: Node, point: DVec2) -> bool {
        self.frame.cell_at(point) == self.frame.cell_of(node.0)
    }

    /// The walkable node whose centre is nearest to `point` by Euclidean distance, at most `reach_m` away and not covered;
    /// ties go to the lower index. Searches square rings outward and stops when a ring cannot hold anything nearer.
    pub fn nearest(&self, point: DVec2, reach_m: f64, overlay: &Overlay) -> Option<Node> {
        let frame = &self.frame;
        let middle = frame.cell_at(point);
        let mut best: Option<(f64, u32)> = None;
        for ring in self.rings(middle) {
            // A centre on this ring is at least this far away, wherever in its cell the point lies.
            let at_least = (ring as f64 - 0.5).max(0.0) * frame.cell_size_m;
            if at_least > best.map_or(reach_m, |(distance_sq, _)| distance_sq.sqrt()) {
                break;
            }
            self.for_ring(middle, ring, |cell| {
                let index = frame.index(cell);
                let distance_sq = frame.centre(cell).distance_squared(point);
                if distance_sq <= reach_m * reach_m
                    && best.is_none_or(|b| (distance_sq, index) < b)
                    && self.cell_is_walkable(cell)
                    && !overlay.covers(Node(index))
                {
                    best = Some((distance_sq, index));
                }
            });
        }
        best.map(|(_, index)| Node(index))
    }

    /// The Chebyshev distances from `middle` at which the grid has cells.
    pub(super) fn rings(&self, middle: I64Vec2) -> RangeInclusive<i64> {
        let size = I64Vec2::new(i64::from(self.frame.width), i64::from(self.frame.depth));
        let outside = (-middle).max(middle - (size - 1)).max(I64Vec2::ZERO).max_element();
        outside..=(middle.abs().max((size - middle).abs())).max_element()
    }

    /// The cells of the grid at Chebyshev distance `ring` from `middle`.
    pub(super) fn for_ring(&self, middle: I64Vec2, ring: i64, mut visit: impl FnMut(I64Vec2)) {
        let (width, depth) = (i64::from(self.frame.width), i64::from(self.frame.depth));
        let columns = (middle.x - ring).max(0)..=(middle.x + ring).min(width - 1);
        for z in (middle.y - ring).max(0)..=(middle.y + ring).min(depth - 1) {
            if (z - middle.y).abs() == ring {
                columns.clone().for_each(|x| visit(I64Vec2::new(x, z)));
            } else {
                for x in [middle.x - ring, middle.x + ring] {
                    if (0..width).contains(&x) {
                        visit(I64Vec2::new(x, z));
                    }
                }
            }
        }
    }

    // ---- edges, for searching ----

    /// Calls `visit(to, cost)` for every step from `node`: eight neighbours, a diagonal only beside two walkable cells;
    /// cost 1 or √2. Covered nodes count as blocked, except that a step may start on one.
    pub fn for_each_edge(&self, node: Node, overlay: &Overlay, mut visit: impl FnMut(Node, f64)) {
        let cell = self.frame.cell_of(node.0);
        let free = STEPS.map(|(dx, dz)| {
            let to = cell + I64Vec2::new(dx, dz);
            self.cell_is_walkable(to) && !overlay.covers(Node(self.frame.index(to)))
        });
        let [_, north, _, west, east, _, south, _] = free;
        let open = [north && west, true, north && east, true, true, south && west, true, south && east];
        for (i, (dx, dz)) in STEPS.into_iter().enumerate() {
            if free[i] && open[i] {
                let to = Node(self.frame.index(cell + I64Vec2::new(dx, dz)));
                visit(to, if dx != 0 && dz != 0 { DIAGONAL } else { 1.0 });
            }
        }
    }

    /// The least that any way from `a` to `b` can cost: the octile distance.
    pub fn least_cost(&self, a: Node, b: Node) -> f64 {
        let apart = (self.frame.cell_of(a.0) - self.frame.cell_of(b.0)).abs();
        let (short, long) = (apart.min_element() as f64, apart.max_element() as f64);
        (long - short) + short * DIAGONAL
    }

    /// Squared distance, in cells, between `node` and the cell that holds `point`, which need not be on the ground.
    pub fn distance_sq_cells(&self, node: Node, point: DVec2) -> u64 {
        // Points are limited to 1e6 m and cells to sane sizes; saturate rather than wrap on absurd input.
        let apart = self.frame.cell_of(node.0).saturating_sub(self.frame.cell_at(point));
        let square = |d: i64| d.unsigned_abs().saturating_mul(d.unsigned_abs());
        square(apart.x).saturating_add(square(apart.y))
    }

    // ---- lines ----

    /// Whether every cell the segment passes through is walkable; a corner needs both of its side cells, as a diagonal
    /// step does.
    pub fn segment_clear(&self, from: DVec2, to: DVec2) -> bool {
        self.segment_clear_of(from, to, &Overlay::default())
    }

    /// [`Ground::segment_clear`] with the overlay's nodes blocked too, except the one the segment starts in.
    pub fn segment_clear_of(&self, from: DVec2, to: DVec2, overlay: &Overlay) -> bool {
        let start = self.frame.cell_at(from);
        let free = |cell: I64Vec2| {
            self.cell_is_walkable(cell) && (cell == start || !overlay.covers(Node(self.frame.index(cell))))
        };
        traverse_cells(self.frame.in_cells(from), self.frame.in_cells(to), |visit| match visit {
            Visit::Cell(cell) => free(cell),
            Visit::Corner(one, other) => free(one) && free(other),
        })
    }

    /// The nodes some discs cover: those whose centre a disc holds, and the one its own centre lies in.
    pub fn overlay(&self, discs: &[Disc]) -> Overlay {
        let mut nodes = Vec::new();
        for disc in discs {
            let own = self.frame.cell_at(disc.centre);
            let rect = self.frame.cells_within(disc.centre - disc.radius_m, disc.centre + disc.radius_m);
            for z in rect.min.y..rect.max.y {
                for x in rect.min.x..rect.max.x {
                    let cell = I64Vec2::new(x, z);
                    let centre = self.frame.centre(cell);
                    if cell == own || centre.distance_squared(disc.centre) <= disc.radius_m * disc.radius_m {
                        nodes.push(Node(self.frame.index(cell)));
                    }
                }
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        Overlay { nodes }
    }

    // ---- areas ----

    /// How many named areas there are; every [`AreaId`] is smaller.
    pub fn area_count(&self) -> usize {
        self.painter.areas.len()
    }

    /// All areas in file order.
    pub fn areas(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..self.area_count()).map(AreaId)
    }

    /// The area with this name.
    pub fn area_named(&self, name: &str) -> Option<AreaId> {
        self.areas().find(|&area| self.area_name(area) == name)
    }

    /// An area's name.
    pub fn area_name(&self, area: AreaId) -> &str {
        &self.painter.areas[area.0].layer.name
    }

    /// Whether an area is open.
    pub fn area_available(&self, area: AreaId) -> bool {
        self.painter.areas[area.0].available
    }

    /// What happens to those inside when an area closes.
    pub fn area_when_occupied(&self, area: AreaId) -> WhenOccupied {
        self.painter.areas[area.0].when_occupied
    }

    /// Whether a point lies in an area's polygon, open or closed.
    pub fn area_contains(&self, area: AreaId, point: DVec2) -> bool {
        let layer = &self.painter.areas[area.0].layer;
        layer.rect.near(self.frame.cell_at(point)) && contains(&layer.polygon, point)
    }

    fn cell_is_walkable(&self, cell: I64Vec2) -> bool {
        self.frame.holds(cell) && self.walkable.get(cell.x as u32, cell.y as u32)
    }
}

impl CellRect {
    /// Whether a cell lies in the rectangle or beside it: a cheap no for most points.
    fn near(&self, cell: I64Vec2) -> bool {
        cell.cmpge(self.min - 1).all() && cell.cmple(self.max).all()
    }
}
