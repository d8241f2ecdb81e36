//! The ground in sectors as polygons: rectangles of tiles, and the portals between them.

use super::erode::{Tile, Tiles};
use super::flood::{Flood, NONE, SIDES, opposite};
use super::heights::Heights;
use super::lattice::Lattice;
use super::openings::Ways;
use super::regions::{NO_SECTOR, Regions, Sector};
use crate::parallel;
use crate::room::{MeshPolygons, RawPolygon};
use glam::DVec3;
use std::collections::BTreeMap;

/// A rectangle's heights may differ from those of its floor by this much, in metres.
const HEIGHT_ERROR_M: f64 = 0.1;

/// So many sectors or rectangles are the work of a thread at a time.
const PIECE: usize = 256;

/// All that polygons are made of.
pub(super) struct Ground<'a> {
    pub lattice: &'a Lattice,
    pub flood: &'a Flood,
    pub ways: &'a Ways,
    pub regions: &'a Regions,
    pub tiles: &'a Tiles,
    pub kinds: &'a [Tile],
    pub heights: &'a Heights,
    /// For each box the sides over which one drops onto it, a bit each.
    pub landings: &'a [u8],
}

/// For each box and side the boxes from which one drops over it.
type Drops = BTreeMap<(u32, usize), Vec<u32>>;

/// A rectangle of tiles. Tiles are counted along x and z over the whole lattice.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rect {
    sector: u32,
    min: [usize; 2],
    max: [usize; 2],
}

/// How one gets over a border of a tile: the polygon there, and all ways over this border that have to do with each
/// other, from polygon to polygon. Below the edge of a balcony, one walks over the border onto which others drop. All of
/// these polygons have corners at the same places. None are told where nobody drops, and one walks both ways or not at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Border {
    to: Option<u32>,
    ways: Vec<(u32, u32)>,
}

impl Ground<'_> {
    /// The polygons.
    pub(super) fn polygons(&self) -> MeshPolygons {
        let drops = self.drops();
        let mut rects = Vec::new();
        let all = parallel::in_pieces(self.regions.sectors.len(), PIECE, |sectors| {
            let mut rects = Vec::new();
            sectors.for_each(|sector| self.add_rects(sector as u32, &mut rects));
            rects
        });
        all.into_iter().for_each(|some| rects.extend(some));
        let count = self.tiles.count();
        let mut polygon_of = vec![NONE; self.kinds.len()];
        for (number, Rect { sector, min, max }) in rects.iter().enumerate() {
            for z in min[1]..max[1] {
                // Box by box.
                let mut x = min[0];
                while x < max[0] {
                    let tile = self.tile(*sector, [x, z]);
                    let end = max[0].min(x - x % count + count);
                    polygon_of[tile..tile + end - x].fill(number as u32);
                    x = end;
                }
            }
        }
        let (mut vertices, mut known) = (Vec::new(), BTreeMap::new());
        let mut mesh_polygons = Vec::with_capacity(rects.len());
        let outlines = parallel::in_pieces(rects.len(), PIECE, |some| {
            let outline = |rect: &Rect| self.outline(rect, &polygon_of, &drops);
            rects[some].iter().map(outline).collect::<Vec<_>>()
        });
        for outline in outlines.into_iter().flatten() {
            let mut polygon = RawPolygon::default();
            for (place, node, behind) in outline {
                let at = self.point(node, place);
                let vertex = *known.entry((place, at.y.to_bits())).or_insert_with(|| {
                    vertices.push(at);
                    vertices.len() as u32 - 1
                });
                polygon.corners.push(vertex);
                polygon.neighbours.push(behind);
            }
            mesh_polygons.push(polygon);
        }
        MeshPolygons::new(vertices, mesh_polygons)
    }

    /// The index of a tile.
    fn tile(&self, sector: u32, [x, z]: [usize; 2]) -> usize {
        let count = self.tiles.count();
        let node = self.node(sector, [x, z]) as usize;
        (node * count + z % count) * count + x % count
    }

    /// The box with a tile of a sector.
    fn node(&self, sector: u32, [x, z]: [usize; 2]) -> u32 {
        let sector = &self.regions.sectors[sector as usize];
        let count = self.tiles.count();
        let first = self.lattice.place(self.flood.columns[sector.nodes[0] as usize]);
        sector.nodes[(z / count - first[1]) * sector.width + x / count - first[0]]
    }

    /// A place on the borders of tiles, as seen from a box that it touches.
    fn point(&self, node: u32, place: [usize; 2]) -> DVec3 {
        let (count, size_m) = (self.tiles.count(), self.lattice.box_size_m);
        let column = self.lattice.place(self.flood.columns[node as usize]);
        // The end of the last tile of a box is the place where the next box begins.
        let inside = [0, 1].map(|axis| self.tiles.cuts_m[place[axis] - column[axis] * count]);
        let on_plane = self
            .lattice
            .point(place.map(|part| part / count), place.map(|part| self.tiles.cuts_m[part % count]));
        let height_m = self.heights.at(node, inside.map(|part| part / size_m));
        DVec3::new(on_plane.x, self.lattice.base_m + height_m, on_plane.y)
    }

    /// Divides the tiles of a sector into rectangles. Where a drop lands is a border of rectangles.
    fn add_rects(&self, sector: u32, rects: &mut Vec<Rect>) {
        let [from, to] = self.regions.bounds(self.flood, self.lattice, sector as usize);
        let count = self.tiles.count();
        let ([left, top], [right, bottom]) = (from.map(|part| part * count), to.map(|part| part * count));
        let width = right - left;
        let Sector { nodes, width: boxes } = &self.regions.sectors[sector as usize];
        let mut kinds = Vec::with_capacity(width * (bottom - top));
        for (row, z) in nodes.chunks(*boxes).flat_map(|row| (0..count).map(move |z| (row, z))) {
            for &node in row {
                let first = (node as usize * count + z) * count;
                kinds.extend_from_slice(&self.kinds[first..first + count]);
            }
        }
        let corners_m = self.corners_m(sector);
        // Mostly there is none.
        let has_landings = nodes.iter().any(|&node| self.landings[node as usize] != 0);
        let mut is_taken = vec![false; kinds.len()];
        for first in 0..kinds.len() {
            let kind = kinds[first];
            let is_free = |at: usize, taken: &[bool]| kinds[at] == kind && !taken[at];
            if kind == Tile::None || is_taken[first] {
                continue;
            }
            let (x, z) = (first % width, first / width);
            let goes_on =
                |x: &usize, z: usize| !has_landings || !self.is_landing(sector, [left + x, top + z], 0);
            let is_in_row = |x: &usize, z: usize| is_free(z * width + x, &is_taken) && goes_on(x, z);
            let end_x = (x + 1..width).find(|x| !is_in_row(x, z)).unwrap_or(width);
            let is_row = |z: &usize| {
                let joins = |x: usize| !has_landings || !self.is_landing(sector, [left + x, top + z], 1);
                (x..end_x).all(|x| is_free(z * width + x, &is_taken) && joins(x))
                    && (x + 1..end_x).all(|x| goes_on(&x, *z))
            };
            let end_z = (z + 1..bottom - top).find(|z| !is_row(z)).unwrap_or(bottom - top);
            for z in z..end_z {
                is_taken[z * width + x..z * width + end_x].fill(true);
            }
            let (min, max) = ([left + x, top + z], [left + end_x, top + end_z]);
            self.divide(Rect { sector, min, max }, &corners_m, rects);
        }
    }

    /// Whether a drop lands on either side of the border between a tile and the one before it along an axis.
    fn is_landing(&self, sector: u32, place: [usize; 2], axis: usize) -> bool {
        if !place[axis].is_multiple_of(self.tiles.count()) {
            return false;
        }
        let mut before = place;
        before[axis] -= 1;
        let [here, before] = [place, before].map(|place| self.node(sector, place));
        self.landings[here as usize] >> opposite(axis) & 1 != 0
            || self.landings[before as usize] >> axis & 1 != 0
    }

    /// The heights of a sector where corners of boxes meet, row by row.
    fn corners_m(&self, sector: u32) -> Vec<f64> {
        let Sector { nodes, width } = &self.regions.sectors[sector as usize];
        let depth = nodes.len() / width;
        let corner = |x: usize, z: usize| {
            let [inside_x, inside_z] = [usize::from(x == *width), usize::from(z == depth)];
            let node = nodes[(z - inside_z) * width + x - inside_x];
            self.lattice.base_m + self.heights.at(node, [inside_x as f64, inside_z as f64])
        };
        (0..=depth).flat_map(|z| (0..=*width).map(move |x| (x, z))).map(|(x, z)| corner(x, z)).collect()
    }

    /// Divides a rectangle until its corners tell the heights in it.
    fn divide(&self, rect: Rect, sector_corners_m: &[f64], rects: &mut Vec<Rect>) {
        let Rect { sector, min, max } = rect;
        let count = self.tiles.count();
        let [from, to] = self.regions.bounds(self.flood, self.lattice, sector as usize);
        let height_m = |[x, z]: [usize; 2]| {
            if x % count == 0 && z % count == 0 {
                return sector_corners_m[(z / count - from[1]) * (to[0] - from[0] + 1) + x / count - from[0]];
            }
            // The box that the place touches within the rectangle.
            let inside = [x.min(max[0] - 1), z.min(max[1] - 1)];
            self.point(self.node(sector, inside), [x, z]).y
        };
        let corners_m = [min, [max[0], min[1]], [min[0], max[1]], max].map(height_m);
        let middles = |axis: usize| {
            let lines = min[axis] + 1..max[axis];
            lines.filter(move |line| line % count == 0).chain([min[axis], max[axis]])
        };
        let mut worst = (HEIGHT_ERROR_M, [0, 0]);
        for z in middles(1) {
            for x in middles(0) {
                let share =
                    [0, 1].map(|axis| ([x, z][axis] - min[axis]) as f64 / (max[axis] - min[axis]) as f64);
                let [a, b, c, d] = corners_m;
                // The polygon is two triangles that meet in the line from its first corner.
                let flat_m = match share[0] >= share[1] {
                    true => a + (b - a) * share[0] + (d - b) * share[1],
                    false => a + (d - c) * share[0] + (c - a) * share[1],
                };
                let error_m = (height_m([x, z]) - flat_m).abs();
                if error_m > worst.0 + 1e-9 {
                    worst = (error_m, [x, z]);
                }
            }
        }
        let can_cut = |axis: usize| (min[axis] + 1..max[axis]).contains(&worst.1[axis]);
        let axis = match [can_cut(0), can_cut(1)] {
            _ if worst.0 == HEIGHT_ERROR_M => return rects.push(rect),
            [false, false] => return rects.push(rect),
            [true, false] => 0,
            [false, true] => 1,
            [true, true] => usize::from(max[1] - min[1] > max[0] - min[0]),
        };
        let (mut before, mut behind) = (rect, rect);
        (before.max[axis], behind.min[axis]) = (worst.1[axis], worst.1[axis]);
        self.divide(before, sector_corners_m, rects);
        self.divide(behind, sector_corners_m, rects);
    }

    fn drops(&self) -> Drops {
        let mut drops = Drops::new();
        for node in 0..self.ways.len() as u32 {
            for side in 0..SIDES {
                if let Some(below) = self.ways.out(node, side) {
                    drops.entry((below, opposite(side))).or_default().push(node);
                }
            }
        }
        drops
    }

    /// The corners of a polygon, counter-clockwise: the place, a box of the polygon that touches it, and the polygon
    /// behind the edge that begins there.
    fn outline(&self, rect: &Rect, polygon_of: &[u32], drops: &Drops) -> Vec<([usize; 2], u32, Option<u32>)> {
        let Rect { sector, min, max } = *rect;
        let mut corners = Vec::new();
        // Along smaller z, larger x, larger z and smaller x: the side, and the tiles in order.
        let tiles: [(usize, Vec<[usize; 2]>); SIDES] = [
            (3, (min[0]..max[0]).map(|x| [x, min[1]]).collect()),
            (0, (min[1]..max[1]).map(|z| [max[0] - 1, z]).collect()),
            (1, (min[0]..max[0]).rev().map(|x| [x, max[1] - 1]).collect()),
            (2, (min[1]..max[1]).rev().map(|z| [min[0], z]).collect()),
        ];
        for (side, line) in tiles {
            let mut before: Option<Border> = None;
            for tile in line {
                let border = self.border(sector, tile, side, polygon_of, drops);
                if before.as_ref() == Some(&border) {
                    continue;
                }
                let [x, z] = tile;
                let place = match side {
                    3 => [x, z],
                    0 => [x + 1, z],
                    1 => [x + 1, z + 1],
                    _ => [x, z + 1],
                };
                corners.push((place, self.node(sector, tile), border.to));
                before = Some(border);
            }
        }
        corners
    }

    /// What is behind a side of a tile.
    fn border(
        &self,
        sector: u32,
        [x, z]: [usize; 2],
        side: usize,
        polygon_of: &[u32],
        drops: &Drops,
    ) -> Border {
        let count = self.tiles.count();
        let node = self.node(sector, [x, z]);
        let here = [x % count, z % count];
        let mut there = here;
        let (axis, is_up) = (side % 2, side < 2);
        let is_inside = if is_up { here[axis] + 1 < count } else { here[axis] > 0 };
        there[axis] = match (is_inside, is_up) {
            (true, true) => here[axis] + 1,
            (true, false) => here[axis] - 1,
            (false, true) => 0,
            (false, false) => count - 1,
        };
        let polygon = |node: u32, [x, z]: [usize; 2]| {
            let tile = (node as usize * count + z) * count + x;
            let is_ground = polygon_of[tile] != NONE && self.regions.sector_of[node as usize] != NO_SECTOR;
            is_ground.then(|| (polygon_of[tile], self.kinds[tile]))
        };
        // Mostly one walks on, or there is a wall, and nobody drops onto this border.
        let lands = |node: u32, side: usize| self.landings[node as usize] >> side & 1 != 0;
        let both = if is_inside { Some(node) } else { self.ways.both(node, side) };
        let is_plain = match both {
            Some(next) => {
                let kinds = polygon(node, here).zip(polygon(next, there));
                let is_same = kinds.is_none_or(|(one, other)| one.1 == other.1);
                is_same && (is_inside || !lands(node, side) && !lands(next, opposite(side)))
            }
            None => self.ways.out(node, side).is_none() && !lands(node, side),
        };
        if is_plain {
            let to = both.and_then(|next| polygon(next, there)).map(|(to, _)| to);
            return Border { to, ways: Vec::new() };
        }
        let mut ways = Vec::new();
        let mut add = |from: Option<(u32, Tile)>, to: Option<(u32, Tile)>, is_drop: bool| {
            let Some((from, to)) = from.zip(to) else { return };
            // From the ground, nobody walks to the foot of a drop.
            if is_drop || (from.1, to.1) != (Tile::Ground, Tile::Foot) {
                ways.push((from.0, to.0));
            }
        };
        let next = if is_inside {
            let ends = [polygon(node, here), polygon(node, there)];
            add(ends[0], ends[1], false);
            add(ends[1], ends[0], false);
            Some(node)
        } else {
            for (from, to, from_near, is_both) in self.crossings(node, side, drops) {
                let [near, far] = [here, there];
                let (from_at, to_at) = if from_near { (near, far) } else { (far, near) };
                add(polygon(from, from_at), polygon(to, to_at), !is_both);
                if is_both {
                    add(polygon(to, to_at), polygon(from, from_at), false);
                }
            }
            self.ways.both(node, side).or(self.ways.out(node, side))
        };
        ways.sort_unstable();
        ways.dedup();
        let ends = polygon(node, here).zip(next.and_then(|next| polygon(next, there)));
        let way = ends.map(|(from, to)| (from.0, to.0)).filter(|way| ways.contains(way));
        Border { to: way.map(|(_, to)| to), ways }
    }

    /// The ways over a side of a box, and those over the same border that share a box with one of them: from a box, to a
    /// box, whether the first is on the side of the box asked for, and whether it leads back.
    fn crossings(&self, node: u32, side: usize, drops: &Drops) -> Vec<(u32, u32, bool, bool)> {
        let mut ends = vec![(node, true)];
        let mut crossings = Vec::new();
        let mut at = 0;
        while let Some(&(node, is_near)) = ends.get(at) {
            at += 1;
            let side = if is_near { side } else { opposite(side) };
            let (both, out) = (self.ways.both(node, side), self.ways.out(node, side));
            crossings.extend(both.filter(|_| is_near).map(|to| (node, to, true, true)));
            crossings.extend(out.map(|to| (node, to, is_near, false)));
            let from = drops.get(&(node, side)).map_or(&[][..], Vec::as_slice);
            for next in both.into_iter().chain(out).chain(from.iter().copied()) {
                if !ends.contains(&(next, !is_near)) {
                    ends.push((next, !is_near));
                }
            }
        }
        crossings
    }
}

/// For each box the sides over which one drops onto it, a bit each.
pub(super) fn landings(ways: &Ways) -> Vec<u8> {
    let mut landings = vec![0; ways.len()];
    for node in 0..ways.len() as u32 {
        for side in 0..SIDES {
            if let Some(below) = ways.out(node, side) {
                landings[below as usize] |= 1 << opposite(side);
            }
        }
    }
    landings
}
