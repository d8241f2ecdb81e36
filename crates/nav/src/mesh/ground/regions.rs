//! Regions: connected polygons with the same cover, which open and close together.

use crate::mesh::Polygons;
use crate::mesh::polygons::Corner;
use std::collections::BTreeSet;

/// The regions of a mesh. They never change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Regions {
    /// For each polygon its region.
    of: Vec<u32>,
    all: Vec<Region>,
    /// Whether some portal does not lead back.
    has_one_way: bool,
}

/// Connected polygons with the same cover.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Region {
    pub cover: u32,
    /// Its polygons, in the order of a flood from the first one.
    pub polygons: Vec<u32>,
    /// The regions behind its portals, in either direction, ascending.
    neighbours: Vec<u32>,
    /// Its vertices at which paths may turn or not depending on whether it is open, ascending: those that other regions
    /// share, and the corners of walls.
    pub turns: Vec<u32>,
}

/// For a region: no component, because it is closed.
pub(super) const CLOSED: u32 = u32::MAX;

impl Regions {
    pub(super) fn new(polygons: &Polygons, cover_of: &[u32]) -> Self {
        let unknown = u32::MAX;
        let mut regions = Self { of: vec![unknown; polygons.len()], ..Self::default() };
        let joined = joined_both_ways(polygons);
        for first in 0..polygons.len() as u32 {
            if regions.of[first as usize] != unknown {
                continue;
            }
            let (number, cover) = (regions.all.len() as u32, cover_of[first as usize]);
            let mut found = vec![first];
            regions.of[first as usize] = number;
            let mut next = 0;
            while let Some(&polygon) = found.get(next) {
                next += 1;
                for &behind in &joined[polygon as usize] {
                    let is_new = regions.of[behind as usize] == unknown && cover_of[behind as usize] == cover;
                    if is_new {
                        regions.of[behind as usize] = number;
                        found.push(behind);
                    }
                }
            }
            regions.all.push(Region { cover, polygons: found, ..Region::default() });
        }
        regions.find_neighbours(&joined);
        regions.find_turns(polygons);
        regions.has_one_way = (0..polygons.edge_count() as u32).any(|edge| polygons.is_one_way(edge));
        regions
    }

    fn find_neighbours(&mut self, joined: &[Vec<u32>]) {
        for (number, region) in self.all.iter_mut().enumerate() {
            let behind = region.polygons.iter().flat_map(|&polygon| &joined[polygon as usize]);
            let regions: BTreeSet<u32> = behind.map(|&polygon| self.of[polygon as usize]).collect();
            region.neighbours = regions.into_iter().filter(|&other| other != number as u32).collect();
        }
    }

    fn find_turns(&mut self, polygons: &Polygons) {
        let mut users: Vec<Option<u32>> = vec![None; polygons.vertices().len()];
        let mut is_shared = vec![false; polygons.vertices().len()];
        for polygon in 0..polygons.len() as u32 {
            for edge in polygons.edges(polygon) {
                let region = self.of[polygon as usize];
                let before = users[edge.vertex() as usize].replace(region);
                is_shared[edge.vertex() as usize] |= before.is_some_and(|before| before != region);
            }
        }
        let may_turn =
            |vertex: u32| is_shared[vertex as usize] || polygons.corner_at(vertex, |_| true) != Corner::None;
        for region in &mut self.all {
            let all = region.polygons.iter().flat_map(|&polygon| polygons.edges(polygon));
            let turns: BTreeSet<u32> = all.map(|edge| edge.vertex()).collect();
            region.turns = turns.into_iter().filter(|&vertex| may_turn(vertex)).collect();
        }
    }

    pub(super) fn of(&self, polygon: u32) -> u32 {
        self.of[polygon as usize]
    }

    pub(super) fn all(&self) -> &[Region] {
        &self.all
    }

    pub(super) fn has_one_way(&self) -> bool {
        self.has_one_way
    }

    /// For each region its component: the first region that it is connected with, in either direction of portals.
    pub(super) fn components(&self, is_open: impl Fn(&Region) -> bool, components: &mut Vec<u32>) {
        components.clear();
        components.resize(self.all.len(), CLOSED);
        let mut waiting = Vec::new();
        for first in 0..self.all.len() as u32 {
            if components[first as usize] != CLOSED || !is_open(&self.all[first as usize]) {
                continue;
            }
            components[first as usize] = first;
            waiting.push(first);
            while let Some(region) = waiting.pop() {
                for &next in &self.all[region as usize].neighbours {
                    if components[next as usize] == CLOSED && is_open(&self.all[next as usize]) {
                        components[next as usize] = first;
                        waiting.push(next);
                    }
                }
            }
        }
    }
}

/// For each polygon those behind its portals, and those from which portals lead to it.
fn joined_both_ways(polygons: &Polygons) -> Vec<Vec<u32>> {
    let mut joined: Vec<Vec<u32>> = vec![Vec::new(); polygons.len()];
    for polygon in 0..polygons.len() as u32 {
        for edge in polygons.edge_range(polygon) {
            let Some(behind) = polygons.edge(edge).neighbour() else { continue };
            joined[polygon as usize].push(behind);
            if polygons.is_one_way(edge) {
                joined[behind as usize].push(polygon);
            }
        }
    }
    joined
}
