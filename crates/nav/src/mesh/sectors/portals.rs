//! The portals between sectors.

use super::flood::{Flood, SIDES};
use super::heights::Heights;
use super::lattice::Lattice;
use super::openings::{Way, Ways};
use super::regions::{NO_SECTOR, Regions};
use crate::room::{SectorBox, SectorPortal, Sectors};
use glam::DVec3;

/// The sectors and their portals, as users see them.
pub(super) fn sectors(
    lattice: &Lattice,
    flood: &Flood,
    ways: &Ways,
    regions: &Regions,
    heights: &Heights,
) -> Sectors {
    let sector_box = |(number, sector): (usize, &super::regions::Sector)| {
        let [min, max] = regions.bounds(flood, lattice, number).map(|place| lattice.point(place, [0.0; 2]));
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        for &node in &sector.nodes {
            let (floor_m, [lowest, highest]) =
                (f64::from(flood.floors_m[node as usize]), heights.range(node));
            (low, high) = (low.min(floor_m).min(lowest), high.max(floor_m).max(highest));
        }
        SectorBox {
            min: DVec3::new(min.x, lattice.base_m + low, min.y),
            max: DVec3::new(max.x, lattice.base_m + high, max.y),
            boxes: sector.nodes.len(),
            is_low: flood.is_low[sector.nodes[0] as usize],
        }
    };
    let mut portals = Vec::new();
    for number in 0..regions.sectors.len() as u32 {
        for side in 0..SIDES {
            add_portals(lattice, flood, ways, regions, heights, (number, side), &mut portals);
        }
    }
    Sectors {
        box_size_m: lattice.box_size_m,
        sectors: regions.sectors.iter().enumerate().map(sector_box).collect(),
        portals,
    }
}

/// Adds the portals over a side of a sector. Those both ways are added by the sector with the smaller number.
fn add_portals(
    lattice: &Lattice,
    flood: &Flood,
    ways: &Ways,
    regions: &Regions,
    heights: &Heights,
    (number, side): (u32, usize),
    portals: &mut Vec<SectorPortal>,
) {
    let sector = &regions.sectors[number as usize];
    let (width, depth) = (sector.width, sector.depth());
    let line: Vec<u32> = match side {
        0 => (0..depth).map(|z| sector.nodes[z * width + width - 1]).collect(),
        1 => sector.nodes[(depth - 1) * width..].to_vec(),
        2 => (0..depth).map(|z| sector.nodes[z * width]).collect(),
        _ => sector.nodes[..width].to_vec(),
    };
    let mut before = None;
    for node in line {
        let there = match ways.way(node, side) {
            Way::Both => ways.both(node, side),
            Way::Out => ways.out(node, side),
            Way::In | Way::None => None,
        };
        let one_way = ways.way(node, side) == Way::Out;
        let to = there
            .map(|there| regions.sector_of[there as usize])
            .filter(|&to| to != NO_SECTOR && (one_way || to > number));
        let [x, z] = lattice.place(flood.columns[node as usize]);
        let ends = match side {
            0 => [[x + 1, z], [x + 1, z + 1]],
            1 => [[x, z + 1], [x + 1, z + 1]],
            2 => [[x, z], [x, z + 1]],
            _ => [[x, z], [x + 1, z]],
        };
        let [begin, end] = ends.map(|place| {
            let inside = [(place[0] - x) as f64, (place[1] - z) as f64];
            let on_plane = lattice.point(place, [0.0; 2]);
            DVec3::new(on_plane.x, lattice.base_m + heights.at(node, inside), on_plane.y)
        });
        match to {
            Some(to) if before == Some((to, one_way)) => {
                if let Some(portal) = portals.last_mut() {
                    portal.ends[1] = end;
                }
            }
            Some(to) => portals.push(SectorPortal { from: number, to, ends: [begin, end], one_way }),
            None => {}
        }
        before = to.map(|to| (to, one_way));
    }
}
