//! Faults of waypaths that only the ground shows.

use super::Waypaths;
use crate::nav::Place;
use crate::plan::{LINK_SNAP_M, LinkNet};
use crate::room::Waypath;
use crate::surface::Surface;

/// A waypoint that characters cannot get to, or cannot go on from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WaypathFault {
    /// Index of the waypath.
    pub waypath: usize,
    /// Index of the waypoint.
    pub point: usize,
    /// What is wrong.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
}

/// All waypoints off the ground, and all pieces that lead over something else than ground, even with all areas open.
pub fn check_waypaths(ground: &Surface, waypaths: &[Waypath]) -> Vec<WaypathFault> {
    if waypaths.is_empty() {
        return Vec::new();
    }
    let open = ground.with_all_open();
    let net = LinkNet::with_waypaths(&open, &[], waypaths);
    net.waypaths.faults(&open)
}

impl Waypaths {
    fn faults(&self, open: &Surface) -> Vec<WaypathFault> {
        let mut faults = Vec::new();
        let joints = self.joints(open);
        for (index, (placed, joints)) in self.all.iter().zip(joints.iter()).enumerate() {
            let name = &placed.waypath.name;
            let fault = |point, message, hint| WaypathFault { waypath: index, point, message, hint };
            for point in (0..placed.points.len()).filter(|&point| placed.points[point].is_none()) {
                let message =
                    format!("no ground within {LINK_SNAP_M} m of waypoint {} of '{name}'", point + 1);
                let at = open.locate(placed.waypath.points[point].at);
                let nearest = open.nearest(at, f64::INFINITY);
                let hint = nearest
                    .map(|at| format!("the nearest walkable point is [{:.2}, {:.2}]", at.at.x, at.at.y));
                faults.push(fault(point, message, hint));
            }
            for piece in 0..placed.waypath.pieces() {
                let joints = &joints[piece];
                let walked =
                    placed.waypath.directions().iter().filter(|&&way| !placed.waypath.jumps(piece, way));
                let is_shut = |backward: bool| {
                    let parts = &joints[..joints.len().saturating_sub(1)];
                    parts.iter().any(|joint| !joint.open[usize::from(backward)])
                };
                if let (Some([from, to]), Some(_)) =
                    (placed.ends(piece), walked.copied().find(|&way| is_shut(way)))
                {
                    let [first, second] = placed.waypath.ends_of(piece);
                    let message = format!(
                        "'{name}' leaves the ground between waypoints {} and {}",
                        first + 1,
                        second + 1
                    );
                    let Place { at, .. } = open.first_blocked(from, to.at).into();
                    let hint = format!(
                        "it ends at about [{:.2}, {:.2}]; lead it round, or let them jump with \"jump\": true",
                        at.x, at.y
                    );
                    faults.push(fault(second, message, Some(hint)));
                }
            }
        }
        faults
    }
}
