//! Outlines of regions, as arcs that both regions beside them share.

use super::ground::Ground;
use super::heightfield::NONE;
use super::regions::{Corners, GridVertex, Regions};

/// A part of outlines with the same region on its left, and the same region (or none) on its right.
#[derive(Debug)]
pub(super) struct Arc {
    pub left: u32,
    /// [`NONE`] at the border of the ground.
    pub right: u32,
    /// All vertices along the arc, at least two.
    pub vertices: Vec<u32>,
    /// Those that remain, with both ends.
    pub simple: Vec<u32>,
    /// How carefully it is simplified: 0, 1, or 2 (exactly).
    pub care: u8,
}

/// The side of a cell from `from` to `to`.
#[derive(Debug, Clone, Copy)]
struct Side {
    from: u32,
    to: u32,
    left: u32,
    right: u32,
}

impl Side {
    fn regions(&self) -> (u32, u32) {
        (self.left, self.right)
    }
}

/// All arcs, each between two vertices where arcs meet. Closed outlines are divided in two.
pub(super) fn arcs(ground: &Ground, corners: &Corners, regions: &Regions) -> Vec<Arc> {
    let sides = sides(ground, corners, regions);
    let outline = Outline::new(sides, corners.vertices.len());
    let mut arcs = Vec::new();
    let mut used = vec![false; outline.sides.len()];
    // From the ends first. What is left over is closed.
    for from_ends in [true, false] {
        for side in 0..outline.sides.len() {
            if used[side] || (from_ends && !outline.is_end(outline.sides[side].from)) {
                continue;
            }
            let Side { left, right, .. } = outline.sides[side];
            let vertices = outline.follow(side, &mut used);
            let is_closed = vertices.first() == vertices.last();
            let parts = if is_closed { halves(&vertices, corners) } else { vec![vertices] };
            arcs.extend(parts.into_iter().map(|vertices| Arc {
                left,
                right,
                vertices,
                simple: Vec::new(),
                care: 0,
            }));
        }
    }
    arcs
}

/// The sides of cells between two regions, or between a region and none.
fn sides(ground: &Ground, corners: &Corners, regions: &Regions) -> Vec<Side> {
    let mut sides = Vec::new();
    for (index, cell) in ground.cells.iter().enumerate() {
        let left = regions.of_cells[index];
        for side in 0..4 {
            let right = match cell.links[side] {
                NONE => NONE,
                link => regions.of_cells[link as usize],
            };
            // Both cells have the side: the smaller region's counts. None is larger than every region.
            if left < right {
                let vertices = corners.of_cells[index];
                sides.push(Side { from: vertices[(side + 3) % 4], to: vertices[side], left, right });
            }
        }
    }
    sides
}

struct Outline {
    /// By their first vertex.
    sides: Vec<Side>,
    /// For each vertex the index of the first side that begins there.
    first: Vec<u32>,
    /// For each vertex the number of sides that end there, and one of them.
    ending: Vec<(u8, u32)>,
}

impl Outline {
    fn new(mut sides: Vec<Side>, vertices: usize) -> Self {
        sides.sort_by_key(|side| (side.from, side.to));
        let mut first = vec![0; vertices + 1];
        let mut ending = vec![(0, NONE); vertices];
        for (index, side) in sides.iter().enumerate() {
            first[side.from as usize + 1] += 1;
            let (count, one) = &mut ending[side.to as usize];
            (*count, *one) = (*count + 1, index as u32);
        }
        for vertex in 0..vertices {
            first[vertex + 1] += first[vertex];
        }
        Self { sides, first, ending }
    }

    fn beginning(&self, vertex: u32) -> std::ops::Range<usize> {
        self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize
    }

    /// Whether arcs end at a vertex: unless one side comes and one goes, between the same regions.
    fn is_end(&self, vertex: u32) -> bool {
        let going = self.beginning(vertex);
        let (count, coming) = self.ending[vertex as usize];
        let is_passed = going.len() == 1
            && count == 1
            && self.sides[going.start].regions() == self.sides[coming as usize].regions();
        !is_passed
    }

    /// The vertices from a side to the next end, or once round.
    fn follow(&self, side: usize, used: &mut [bool]) -> Vec<u32> {
        let mut vertices = vec![self.sides[side].from];
        let mut side = side;
        while !std::mem::replace(&mut used[side], true) {
            let to = self.sides[side].to;
            vertices.push(to);
            if self.is_end(to) {
                break;
            }
            side = self.beginning(to).start;
        }
        vertices
    }
}

/// Divides a closed arc at the vertex that is farthest from its ends.
fn halves(vertices: &[u32], corners: &Corners) -> Vec<Vec<u32>> {
    let at = |index: usize| -> GridVertex { corners.vertices[vertices[index] as usize] };
    let from_start = |index: usize| {
        let (a, b) = (at(0), at(index));
        i64::from(a.x - b.x) * i64::from(a.x - b.x) + i64::from(a.z - b.z) * i64::from(a.z - b.z)
    };
    let farthest = (1..vertices.len() - 1).max_by_key(|&index| (from_start(index), index)).unwrap_or(1);
    vec![vertices[..=farthest].to_vec(), vertices[farthest..].to_vec()]
}
