//! Path searches over polygons, by either planner.

use super::{AnyAngle, AnyAngleMemory, MeshPath, Polygons, PortalPath, PortalPathMemory, View};
use crate::nav::Progress;
use glam::DVec2;

/// A search between two points. It can be paused after every expansion.
#[derive(Debug, Clone)]
pub(super) enum PathSearch {
    /// For the shortest path.
    AnyAngle(AnyAngle),
    /// From portal to portal.
    Portals(PortalPath),
}

/// Buffers of both kinds of searches.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshSearchMemory {
    any_angle: AnyAngleMemory,
    portals: PortalPathMemory,
}

impl PathSearch {
    /// Begins a search from a point in a polygon to another one.
    pub(super) fn new(
        by_portals: bool,
        view: View<'_>,
        start: (u32, DVec2),
        goal: (u32, DVec2),
        memory: MeshSearchMemory,
    ) -> Self {
        match by_portals {
            true => Self::Portals(PortalPath::new(view, start, goal, memory.portals)),
            false => Self::AnyAngle(AnyAngle::new(view, start, goal, memory.any_angle)),
        }
    }

    /// Lets the search end without a path once no path can be shorter than `most_m`. A search over portals knows only
    /// the lengths of its own lines, so it goes on.
    pub(super) fn cut_off(&mut self, most_m: f64) {
        match self {
            Self::AnyAngle(search) => search.cut_off(most_m),
            Self::Portals(_) => {}
        }
    }

    /// Continues the search until it ends, or for `budget` expansions.
    pub(super) fn advance(&mut self, view: View<'_>, budget: u64) -> Progress {
        match self {
            Self::AnyAngle(search) => search.advance(view, budget),
            Self::Portals(search) => search.advance(view, budget),
        }
    }

    /// The number of nodes expanded so far.
    pub(super) fn expansions(&self) -> u64 {
        match self {
            Self::AnyAngle(search) => search.expansions(),
            Self::Portals(search) => search.expansions(),
        }
    }

    /// The path, and the buffers. `None` if there is no path, or the search has not ended.
    pub(super) fn finish(self, mesh: &Polygons) -> (Option<MeshPath>, MeshSearchMemory) {
        match self {
            Self::AnyAngle(search) => {
                let (path, any_angle) = search.finish(mesh);
                (path, MeshSearchMemory { any_angle, ..MeshSearchMemory::default() })
            }
            Self::Portals(search) => {
                let (path, portals) = search.finish(mesh);
                (path, MeshSearchMemory { portals, ..MeshSearchMemory::default() })
            }
        }
    }

    /// The buffers of a search that is given up.
    pub(super) fn into_memory(self) -> MeshSearchMemory {
        match self {
            Self::AnyAngle(search) => {
                MeshSearchMemory { any_angle: search.into_memory(), ..MeshSearchMemory::default() }
            }
            Self::Portals(search) => {
                MeshSearchMemory { portals: search.into_memory(), ..MeshSearchMemory::default() }
            }
        }
    }
}
