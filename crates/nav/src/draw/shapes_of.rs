//! The shapes of a picture, kind by kind.

use super::{Cells, Faces, Figure, Floor, Graph, HotspotView, Picture, Route, Shape, Tint};
use crate::geometry::contains;
use crate::nav::{Disc, PathTrace};
use glam::DVec2;

impl Picture {
    pub(super) fn areas(&self) -> impl Iterator<Item = (&str, &[DVec2], bool)> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Area { name, polygon, open, .. } => Some((name.as_str(), polygon.as_slice(), *open)),
            _ => None,
        })
    }

    pub(super) fn obstacles(&self) -> impl Iterator<Item = (&str, &[DVec2])> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Obstacle { name, polygon, .. } => Some((name.as_str(), polygon.as_slice())),
            _ => None,
        })
    }

    /// Whether lines of vision pass over each obstacle, in the same order.
    pub(super) fn see_through(&self) -> impl Iterator<Item = bool> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Obstacle { see_through, .. } => Some(*see_through),
            _ => None,
        })
    }

    /// The areas with walls of their own, which painted areas do not have.
    pub(super) fn walled_areas(&self) -> impl Iterator<Item = &[DVec2]> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Area { polygon, painted: false, .. } => Some(polygon.as_slice()),
            _ => None,
        })
    }

    pub(super) fn hotspots(&self) -> impl Iterator<Item = &HotspotView> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Hotspot(spot) => Some(spot),
            _ => None,
        })
    }

    pub(super) fn backdrop(&self) -> Option<(&crate::room::Image, DVec2, DVec2)> {
        self.shapes.iter().find_map(|shape| match shape {
            Shape::Backdrop { picture, min, max } => Some((&**picture, *min, *max)),
            _ => None,
        })
    }

    pub(super) fn graph(&self) -> Option<&Graph> {
        self.shapes.iter().find_map(|shape| match shape {
            Shape::Graph(graph) => Some(graph),
            _ => None,
        })
    }

    pub(super) fn cells(&self) -> Option<&Cells> {
        self.shapes.iter().find_map(|shape| match shape {
            Shape::Cells(cells) => Some(cells),
            _ => None,
        })
    }

    pub(super) fn floor(&self) -> Option<&Floor> {
        self.shapes.iter().find_map(|shape| match shape {
            Shape::Floor(floor) => Some(floor),
            _ => None,
        })
    }

    /// The polygons of a mesh; of the lowest storey, if the picture shows several.
    pub(super) fn faces(&self) -> Option<&Faces> {
        self.shapes.iter().find_map(|shape| match shape {
            Shape::Mesh(faces) => Some(faces),
            _ => None,
        })
    }

    /// The polygons of a mesh that are the ground themselves.
    pub(super) fn given_faces(&self) -> Option<&Faces> {
        self.faces().filter(|faces| !faces.outlined)
    }

    pub(super) fn discs(&self) -> impl Iterator<Item = Disc> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Disc(disc) => Some(*disc),
            _ => None,
        })
    }

    pub(super) fn trails(&self) -> impl Iterator<Item = (&[DVec2], Tint)> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Trail { points, tint } => Some((points.as_slice(), *tint)),
            _ => None,
        })
    }

    pub(super) fn routes(&self) -> impl Iterator<Item = &Route> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Path(route) => Some(route),
            _ => None,
        })
    }

    pub(super) fn raw(&self) -> Option<&PathTrace> {
        self.shapes.iter().find_map(|shape| match shape {
            Shape::Trace(raw) => Some(raw),
            _ => None,
        })
    }

    pub(super) fn points(&self) -> impl Iterator<Item = (&str, DVec2)> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Point { name, at } => Some((name.as_str(), *at)),
            _ => None,
        })
    }

    /// The points to name: not those under a character, nor those in a closed area with the same name.
    pub(super) fn named_points(&self) -> impl Iterator<Item = (&str, DVec2)> {
        self.points().filter(|&(name, at)| {
            let hidden = self.figures().any(|figure| figure.at.distance(at) < figure.radius_m);
            let repeated =
                self.areas().any(|(area, polygon, open)| !open && area == name && contains(polygon, at));
            !(hidden || repeated)
        })
    }

    pub(super) fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Character(figure) => Some(figure),
            _ => None,
        })
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = (&str, DVec2)> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Label { text, at } => Some((text.as_str(), *at)),
            _ => None,
        })
    }
}
