//! Waypaths in a picture: lanes and patrols.

use super::{Picture, Shape};
use crate::nav::Position;
use crate::plan::{LinkNet, PlacedWaypath};
use crate::room::WaypathKind;
use glam::DVec2;

/// A waypath, or what lies of it on one storey.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WaypathView {
    /// Its name.
    pub name: String,
    /// Its pieces in walking order, metres. Each is a line of two points or more.
    pub pieces: Vec<Vec<DVec2>>,
    /// Which of the pieces are jumps.
    pub jumps: Vec<bool>,
    /// Its waypoints, and what characters do there, in words.
    pub points: Vec<(DVec2, String)>,
    /// Whether it leads both ways.
    pub two_way: bool,
    /// Whether it can be used now.
    pub open: bool,
}

impl WaypathView {
    /// Its name, and that it is closed.
    pub fn label(&self) -> String {
        format!("{}{}", self.name, if self.open { "" } else { ", closed" })
    }

    /// Where its name stands: the middle of its first piece.
    pub(super) fn middle(&self) -> DVec2 {
        let piece = self.pieces.first().map_or(&[][..], Vec::as_slice);
        match piece {
            [from, .., to] => from.midpoint(*to),
            _ => self.points.first().map_or(DVec2::ZERO, |(at, _)| *at),
        }
    }

    pub(super) fn extent(&self) -> Vec<DVec2> {
        let points = self.points.iter().map(|(at, _)| *at);
        self.pieces.iter().flatten().copied().chain(points).collect()
    }
}

impl Picture {
    /// Adds all waypaths, as far as they are on the ground, on the storeys that they run over.
    pub(super) fn add_waypaths(&mut self, net: &LinkNet) {
        net.waypaths().iter().for_each(|placed| self.add_waypath(placed));
    }

    fn add_waypath(&mut self, placed: &PlacedWaypath) {
        let blank = WaypathView {
            name: placed.waypath.name.clone(),
            pieces: Vec::new(),
            jumps: Vec::new(),
            points: Vec::new(),
            two_way: placed.waypath.kind == WaypathKind::TwoWay,
            open: placed.available,
        };
        let mut views: Vec<(Option<usize>, WaypathView)> = Vec::new();
        let mut on = |storey: Option<usize>, change: &mut dyn FnMut(&mut WaypathView)| {
            let place = views.iter().position(|(other, _)| *other == storey).unwrap_or_else(|| {
                views.push((storey, blank.clone()));
                views.len() - 1
            });
            change(&mut views[place].1);
        };
        for piece in 0..placed.waypath.pieces() {
            let Some([from, to]) = placed.ends(piece) else { continue };
            let jumps = placed.only_jumps(piece);
            for (storey, line) in self.parts_of(&[from, to], jumps) {
                on(storey, &mut |view| {
                    view.pieces.push(line.clone());
                    view.jumps.push(jumps);
                });
            }
        }
        for (at, point) in placed.points.iter().zip(&placed.waypath.points) {
            let Some(at) = at else { continue };
            let words = point.action.in_words();
            on(self.storey_of(*at), &mut |view| view.points.push((at.at, words.clone())));
        }
        for (storey, view) in views {
            self.add_on(storey, Shape::Waypath(view));
        }
    }

    /// The parts of a line on each storey. A jump is on the storeys of its ends.
    fn parts_of(&self, line: &[Position; 2], jumps: bool) -> Vec<(Option<usize>, Vec<DVec2>)> {
        let whole = line.iter().map(|at| at.at).collect::<Vec<_>>();
        match &self.storeyed {
            None => vec![(None, whole)],
            Some(_) if jumps => {
                let mut storeys = line.map(|at| self.storey_of(at)).to_vec();
                storeys.dedup();
                storeys.into_iter().map(|storey| (storey, whole.clone())).collect()
            }
            Some(storeyed) => {
                let parts = storeyed.parts(line).into_iter();
                parts.filter(|(_, part)| part.len() > 1).map(|(at, part)| (Some(at), part)).collect()
            }
        }
    }

    pub(super) fn waypaths(&self) -> impl Iterator<Item = &WaypathView> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Waypath(waypath) => Some(waypath),
            _ => None,
        })
    }
}
