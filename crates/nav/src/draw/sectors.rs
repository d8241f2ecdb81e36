//! Sectors in a picture: the rectangles that a level was flooded in, and the portals between them.
//!
//! Only polygons have storeys. A sector is on each storey where polygons of it lie, as far as they do. A portal is on
//! the storeys of the ground on its two sides.

use super::storeys::Storeys;
use super::{Picture, Shape};
use crate::mesh::PolygonView;
use crate::room::{SectorBox, SectorPortal, Sectors};
use glam::{DVec2, DVec3};

/// A sector, or what of it lies on one storey.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SectorView {
    /// Its number in the list of the room's sectors.
    pub number: usize,
    /// Its smallest corner, metres.
    pub min: DVec2,
    /// Its largest corner.
    pub max: DVec2,
    /// Whether characters have to crouch in it.
    pub low: bool,
}

/// A portal between two sectors.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct SectorPortalView {
    /// The numbers of the sectors from which it leads and to which.
    pub sectors: [usize; 2],
    /// Both ends, metres.
    pub ends: [DVec2; 2],
    /// The direction from the first sector to the second, of length 1.
    pub out: DVec2,
    /// Whether it leads down a drop, from the first sector to the second only.
    pub one_way: bool,
    /// Whether its two sides are on different storeys. Then it is on the plans of both.
    pub between_storeys: bool,
}

impl Picture {
    /// Adds the sectors and portals of ground made of `polygons`.
    pub(super) fn add_sectors(&mut self, sectors: &Sectors, polygons: &[PolygonView], storeys: &Storeys) {
        let plans = Plans::new(&sectors.sectors, polygons, storeys);
        for (number, sector) in sectors.sectors.iter().enumerate() {
            for (storey, min, max) in plans.parts(number) {
                let view = SectorView { number, min, max, low: sector.is_low };
                self.add_on(storey, Shape::Sector(view));
            }
        }
        for portal in &sectors.portals {
            let Some(mut view) = portal_view(portal, &sectors.sectors) else { continue };
            let middle = portal.ends[0].midpoint(portal.ends[1]);
            let mut on = view.sectors.map(|sector| plans.storey_at(sector, middle)).to_vec();
            on.dedup();
            view.between_storeys = on.len() > 1;
            on.into_iter().for_each(|storey| self.add_on(storey, Shape::SectorPortal(view)));
        }
    }

    pub(super) fn sectors(&self) -> impl Iterator<Item = &SectorView> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Sector(sector) => Some(sector),
            _ => None,
        })
    }

    pub(super) fn sector_portals(&self) -> impl Iterator<Item = &SectorPortalView> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::SectorPortal(portal) => Some(portal),
            _ => None,
        })
    }
}

/// A portal on a side of the sector from which it leads.
fn portal_view(portal: &SectorPortal, sectors: &[SectorBox]) -> Option<SectorPortalView> {
    let from = sectors.get(portal.from as usize)?;
    let ends = portal.ends.map(on_plane);
    let across = ends[0].midpoint(ends[1]) - on_plane(from.min.midpoint(from.max));
    let along = (ends[1] - ends[0]).abs();
    let out = if along.x < along.y { DVec2::X * across.x.signum() } else { DVec2::Y * across.y.signum() };
    Some(SectorPortalView {
        sectors: [portal.from as usize, portal.to as usize],
        ends,
        out,
        one_way: portal.one_way,
        between_storeys: false,
    })
}

/// Where the sectors lie in a house.
struct Plans<'a> {
    sectors: &'a [SectorBox],
    storeys: &'a Storeys,
    /// The extents of all polygons.
    extents: Vec<(DVec3, DVec3)>,
    /// The polygons of each sector. None where there is one storey.
    polygons_of: Vec<Vec<usize>>,
}

impl<'a> Plans<'a> {
    fn new(sectors: &'a [SectorBox], polygons: &[PolygonView], storeys: &'a Storeys) -> Self {
        let mut plans =
            Self { sectors, storeys, extents: Vec::new(), polygons_of: vec![Vec::new(); sectors.len()] };
        if storeys.count() > 1 {
            plans.extents = polygons.iter().map(extent).collect();
            plans.divide_polygons();
        }
        plans
    }

    /// Gives each polygon to the sector around it that is nearest in height.
    fn divide_polygons(&mut self) {
        let middles: Vec<DVec3> = self.extents.iter().map(|(min, max)| min.midpoint(*max)).collect();
        let mut along_x: Vec<usize> = (0..middles.len()).collect();
        along_x.sort_by(|&a, &b| middles[a].x.total_cmp(&middles[b].x));
        let mut nearest: Vec<Option<(f64, usize)>> = vec![None; middles.len()];
        for (number, SectorBox { min, max, .. }) in self.sectors.iter().enumerate() {
            let first = along_x.partition_point(|&polygon| middles[polygon].x < min.x);
            let beside = along_x[first..].iter().take_while(|&&polygon| middles[polygon].x <= max.x);
            for &polygon in beside.filter(|&&polygon| (min.z..=max.z).contains(&middles[polygon].z)) {
                let y_m = middles[polygon].y;
                let far_m = (min.y - y_m).max(y_m - max.y).max(0.0);
                if nearest[polygon].is_none_or(|(least_m, _)| far_m < least_m) {
                    nearest[polygon] = Some((far_m, number));
                }
            }
        }
        for (polygon, nearest) in nearest.iter().enumerate() {
            nearest.iter().for_each(|&(_, sector)| self.polygons_of[sector].push(polygon));
        }
    }

    /// The parts of a sector on each storey: the storey, if there are several, and the smallest and largest corner.
    fn parts(&self, sector: usize) -> Vec<(Option<usize>, DVec2, DVec2)> {
        let SectorBox { min, max, .. } = self.sectors[sector];
        let (min, max) = (on_plane(min), on_plane(max));
        let polygons = &self.polygons_of[sector];
        let storey_of = |polygon: &usize| self.storeys.of_polygon(*polygon as u32);
        let mut storeys: Vec<usize> = polygons.iter().map(storey_of).collect();
        storeys.sort_unstable();
        storeys.dedup();
        if storeys.len() < 2 {
            return vec![(self.storey_at(sector, self.middle(sector)), min, max)];
        }
        let part = |&storey: &usize| {
            let bounds = |is_here: bool| {
                let some = polygons.iter().filter(|polygon| (storey_of(polygon) == storey) == is_here);
                bounds_of(some.map(|&polygon| self.extents[polygon]))
            };
            let ((low, high), (other_low, other_high)) = (bounds(true), bounds(false));
            // The polygons keep off the sector's sides. Its part ends where it goes on on another storey only.
            let begin = DVec2::select(other_low.cmplt(low), low, min);
            let end = DVec2::select(other_high.cmpgt(high), high, max);
            (Some(storey), begin, end)
        };
        storeys.iter().map(part).collect()
    }

    /// The storey of a sector at a place, if there are several: that of its nearest polygon. A sector too narrow for
    /// the characters has none, and is on the storey of the nearest of all.
    fn storey_at(&self, sector: usize, at: DVec3) -> Option<usize> {
        let own = self.polygons_of.get(sector).filter(|own| !own.is_empty());
        let all = own.is_none().then_some(0..self.extents.len());
        let far = |polygon: &usize| {
            let (min, max) = self.extents[*polygon];
            at.distance_squared(at.clamp(min, max))
        };
        let polygons = own.into_iter().flatten().copied().chain(all.into_iter().flatten());
        let nearest = polygons.min_by(|a, b| far(a).total_cmp(&far(b)));
        nearest.map(|polygon| self.storeys.of_polygon(polygon as u32))
    }

    fn middle(&self, sector: usize) -> DVec3 {
        self.sectors[sector].min.midpoint(self.sectors[sector].max)
    }
}

/// The smallest and largest coordinates of a polygon.
fn extent(polygon: &PolygonView) -> (DVec3, DVec3) {
    let corners = || polygon.corners.iter().copied();
    (corners().reduce(DVec3::min).unwrap_or_default(), corners().reduce(DVec3::max).unwrap_or_default())
}

/// The smallest and largest coordinates of some polygons, seen from above.
fn bounds_of(extents: impl Iterator<Item = (DVec3, DVec3)>) -> (DVec2, DVec2) {
    let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    extents.fold(nothing, |(low, high), (min, max)| (low.min(on_plane(min)), high.max(on_plane(max))))
}

fn on_plane(at: DVec3) -> DVec2 {
    DVec2::new(at.x, at.z)
}
