//! The room as a mosaic of square pixels, for terminals: the tile and the colour of each pixel.

use super::svg::reach_colour;
use super::{CellKind, Floor, LevelPlan, Picture, PlanBorder, Projection, Rgb};
use crate::geometry::{contains, row_crossings};
use crate::tactics::Border;
use glam::DVec2;

/// The content of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tile {
    Outside,
    Wall,
    Floor,
    /// Blocked floor; only distinguished when cells are shown.
    Tight,
    Closed,
    Solid,
    /// Rock of a tactical level: a cell without room.
    Rock,
    /// A wall between two cells of a tactical level.
    Inner,
    /// Stairs, a drop, or a passage only for those who crouch.
    Way,
    /// A cell in reach: its share of the most TU, in 255ths.
    Reach(u8),
}

/// A mosaic.
#[derive(Debug)]
pub(super) struct Tiles {
    width: usize,
    height: usize,
    tiles: Vec<Tile>,
    /// Which pixels lie on an odd square metre.
    odd: Vec<bool>,
}

/// Scan lines per pixel for measuring coverage.
const LINES_PER_PX: usize = 3;
/// A pixel belongs to a thing that covers this much of it.
const MOST: f64 = 0.5;
/// The share for closed areas: smaller, so that thin doors do not vanish.
const SOME: f64 = 0.25;
/// Floor boards are only drawn where a metre has this many pixels.
const LEAST_BOARD_PX: f64 = 3.0;

/// Walls between cells are drawn where a cell has this many pixels.
const LEAST_WALLED_PX: f64 = 2.0;

pub(super) const NIGHT: Rgb = Rgb::hex(0x15120f);
const WALL: Rgb = Rgb::hex(0x8d7a5f);
const FLOOR: [Rgb; 2] = [Rgb::hex(0x3d3429), Rgb::hex(0x41382c)];
const TIGHT: Rgb = Rgb::hex(0x7a3b2c);
const CLOSED: [Rgb; 2] = [Rgb::hex(0x94452f), Rgb::hex(0x4e2a20)];
const SOLID: Rgb = Rgb::hex(0x9c7346);
/// The lit upper edge of things.
const SOLID_EDGE: Rgb = Rgb::hex(0xc0935c);
/// The darker floor beneath things.
const SHADE: Rgb = Rgb::hex(0x2a231b);

/// Rock, and what is passed in a special way, on tactical levels.
const ROCK: Rgb = Rgb::hex(0x5a4d3c);
const WAY: Rgb = Rgb::hex(0x5f8d93);

impl Tiles {
    /// The mosaic of a picture. Floor that is not walkable is told apart if the picture has cells.
    pub(super) fn of(picture: &Picture, projection: &Projection) -> Self {
        let (width, height) = (projection.cells().width, projection.cells().height * 2);
        let mut tiles = Self { width, height, tiles: vec![Tile::Outside; width * height], odd: Vec::new() };
        let boards = 1.0 / projection.m_per_px() >= LEAST_BOARD_PX;
        let place = |i: usize| projection.place(DVec2::new((i % width) as f64, (i / width) as f64) + 0.5);
        tiles.odd = (0..width * height)
            .map(|i| boards && place(i).floor().element_sum().rem_euclid(2.0) >= 1.0)
            .collect();
        if let Some(plan) = picture.level_plan() {
            tiles.lay_plan(projection, plan);
            return tiles;
        }
        let given = picture.given_faces();
        let polygons = |wanted: bool| {
            let faces = given.into_iter().flat_map(|faces| &faces.faces);
            let faces = faces.filter(move |face| face.open == wanted).map(|face| face.corners.as_slice());
            // The areas of a mesh are polygons of it.
            let areas = picture.areas().filter(move |(_, _, open)| *open == wanted && given.is_none());
            faces.chain(areas.map(|(_, polygon, _)| polygon))
        };
        tiles.lay(projection, polygons(false), Tile::Closed, SOME);
        tiles.lay(projection, polygons(true), Tile::Floor, MOST);
        if let Some(floor) = picture.floor() {
            tiles.lay_floor(projection, floor);
        }
        tiles.raise_walls();
        // A grid room always shows all its cells.
        if let Some(cells) = picture.cells().filter(|_| picture.floor().is_none()) {
            for i in (0..width * height).filter(|&i| tiles.tiles[i] == Tile::Floor).collect::<Vec<_>>() {
                let cell = ((place(i) - cells.min) / cells.size_m).floor();
                if !cells.is_walkable(cell.x as usize, cell.y as usize) {
                    tiles.tiles[i] = Tile::Tight;
                }
            }
        }
        if let Some(faces) = picture.faces().filter(|faces| faces.outlined) {
            for i in (0..width * height).filter(|&i| tiles.tiles[i] == Tile::Floor).collect::<Vec<_>>() {
                if !faces.is_open_at(place(i)) {
                    tiles.tiles[i] = Tile::Tight;
                }
            }
        }
        tiles.lay(projection, picture.obstacles().map(|(_, polygon)| polygon), Tile::Solid, MOST);
        tiles
    }

    pub(super) fn get(&self, x: usize, y: usize) -> Tile {
        if x < self.width {
            self.tiles.get(y * self.width + x).copied().unwrap_or(Tile::Outside)
        } else {
            Tile::Outside
        }
    }

    /// The colour of a pixel.
    pub(super) fn colour(&self, x: usize, y: usize) -> Rgb {
        let above = y.checked_sub(1).map_or(Tile::Outside, |y| self.get(x, y));
        match self.get(x, y) {
            Tile::Outside => NIGHT,
            Tile::Wall => WALL,
            Tile::Floor if above == Tile::Solid => SHADE,
            Tile::Floor => FLOOR[usize::from(self.odd[y * self.width + x])],
            Tile::Tight => FLOOR[0].mix(TIGHT, 0.55),
            Tile::Closed => CLOSED[usize::from(!(x + y).is_multiple_of(3))],
            Tile::Rock => ROCK,
            Tile::Inner => WALL,
            Tile::Way => WAY,
            Tile::Reach(share) => FLOOR[0].mix(reach_colour(u16::from(share), 255), 0.42),
            Tile::Solid if above == Tile::Solid => SOLID,
            Tile::Solid => SOLID_EDGE,
        }
    }

    /// Sets the pixels that polygons together cover by at least `least`, so that two that share an edge leave no gap.
    fn lay<'a>(
        &mut self,
        projection: &Projection,
        polygons: impl Iterator<Item = &'a [DVec2]>,
        tile: Tile,
        least: f64,
    ) {
        let mut covered = vec![0.0; self.width * self.height];
        for polygon in polygons {
            let polygon: Vec<DVec2> = polygon.iter().map(|&corner| projection.px(corner)).collect();
            if !self.cover(&polygon, &mut covered) {
                // Too small to cover half a pixel; the pixel of its middle shows it.
                let middle = polygon.iter().sum::<DVec2>() / polygon.len().max(1) as f64;
                if let Some(i) = self.index_of(middle).filter(|_| contains(&polygon, middle)) {
                    covered[i] = 1.0;
                }
            }
        }
        let set = covered.iter().enumerate().filter(|(_, part)| **part >= least - 1e-9);
        set.for_each(|(i, _)| self.tiles[i] = tile);
    }

    /// Sets the pixels that are mostly walkable, judged by a few points of each, since a map may be far larger than
    /// the screen.
    fn lay_floor(&mut self, projection: &Projection, floor: &Floor) {
        let along = |part: usize| (part as f64 + 0.5) / LINES_PER_PX as f64;
        for i in 0..self.tiles.len() {
            let corner = DVec2::new((i % self.width) as f64, (i / self.width) as f64);
            let points = (0..LINES_PER_PX * LINES_PER_PX)
                .map(|k| corner + DVec2::new(along(k % LINES_PER_PX), along(k / LINES_PER_PX)));
            let walkable = points.filter(|&px| floor.is_walkable(projection.place(px))).count();
            if walkable * 2 > LINES_PER_PX * LINES_PER_PX {
                self.tiles[i] = Tile::Floor;
            }
        }
    }

    /// Adds the share of each pixel that a polygon covers; `false` if it is less than half everywhere.
    fn cover(&self, polygon: &[DVec2], covered: &mut [f64]) -> bool {
        let mut seen = false;
        let (top, bottom) =
            polygon.iter().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(p.y), high.max(p.y)));
        let rows = top.max(0.0) as usize..(bottom.max(0.0).ceil() as usize).min(self.height);
        let mut crossings = Vec::new();
        for y in rows {
            let row = &mut covered[y * self.width..(y + 1) * self.width];
            for line in 0..LINES_PER_PX {
                let z = y as f64 + (line as f64 + 0.5) / LINES_PER_PX as f64;
                row_crossings(polygon, z, &mut crossings);
                for run in crossings.chunks_exact(2) {
                    let (from, to) = (run[0].max(0.0), run[1].min(self.width as f64));
                    for (x, covered) in
                        row.iter_mut().enumerate().skip(from as usize).take_while(|(x, _)| *x as f64 <= to)
                    {
                        let part = (to.min(x as f64 + 1.0) - from.max(x as f64)).max(0.0);
                        *covered += part / LINES_PER_PX as f64;
                    }
                }
            }
            seen |= row.iter().any(|&part| part >= MOST);
        }
        seen
    }

    /// The cells of a tactical level by the middles of pixels, and lines for what is on their borders.
    fn lay_plan(&mut self, projection: &Projection, plan: &LevelPlan) {
        let pixels = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        for (x, y) in pixels {
            let at = projection.place(DVec2::new(x as f64, y as f64) + 0.5);
            let Some(cell) = plan.cell_at(at).and_then(|(x, z)| plan.cell(x, z)) else { continue };
            self.tiles[y * self.width + x] = match (cell.kind, cell.tu) {
                (_, Some((tu, _))) => {
                    Tile::Reach((u32::from(tu) * 255 / u32::from(plan.most_tu.max(1))).min(255) as u8)
                }
                (CellKind::Floor, None) => Tile::Floor,
                (CellKind::Air, None) => Tile::Outside,
                (CellKind::Shut, None) => Tile::Closed,
                (CellKind::Solid, None) => Tile::Rock,
            };
        }
        if plan.cell_m / projection.m_per_px() < LEAST_WALLED_PX {
            return;
        }
        for z in 0..plan.depth {
            for (x, side) in (0..plan.width).flat_map(|x| [(x, 0), (x, 1)]) {
                let tile = match plan.border(x, z, side) {
                    Some(PlanBorder::Door { open: false }) => Tile::Closed,
                    Some(PlanBorder::Door { open: true }) | None => continue,
                    Some(PlanBorder::Plain(border)) => match border {
                        Border::Wall => Tile::Inner,
                        Border::Free | Border::Edge => continue,
                        Border::Low | Border::Stairs { .. } | Border::Drop | Border::DropBack => Tile::Way,
                    },
                };
                let corner = if side == 0 { plan.corner(x + 1, z) } else { plan.corner(x, z + 1) };
                self.line([corner, plan.corner(x + 1, z + 1)].map(|at| projection.px(at)), tile);
            }
        }
    }

    /// The pixels of a line along an axis.
    fn line(&mut self, [from, to]: [DVec2; 2], tile: Tile) {
        let steps = (to - from).abs().max_element().ceil().clamp(1.0, 1e5) as u32;
        for step in 0..=steps {
            let at = from.lerp(to, f64::from(step) / f64::from(steps));
            if let Some(index) = self.index_of(at) {
                self.tiles[index] = tile;
            }
        }
    }

    fn index_of(&self, px: DVec2) -> Option<usize> {
        let inside = px.cmpge(DVec2::ZERO).all() && px.x < self.width as f64 && px.y < self.height as f64;
        inside.then(|| px.y as usize * self.width + px.x as usize)
    }

    /// Turns pixels outside that touch the floor into wall.
    fn raise_walls(&mut self) {
        let before = self.tiles.clone();
        let inner = |x: usize, y: usize| {
            x < self.width
                && y < self.height
                && matches!(before[y * self.width + x], Tile::Floor | Tile::Closed)
        };
        for (i, tile) in self.tiles.iter_mut().enumerate().filter(|(_, tile)| **tile == Tile::Outside) {
            let (x, y) = (i % self.width, i / self.width);
            let near = |v: usize| [v.wrapping_sub(1), v, v + 1];
            if near(y).into_iter().any(|y| near(x).into_iter().any(|x| inner(x, y))) {
                *tile = Tile::Wall;
            }
        }
    }
}
