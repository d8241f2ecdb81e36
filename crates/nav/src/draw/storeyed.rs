//! Pictures of rooms with a mesh: one plan for each storey.

use super::faces::{Face, Faces, rings};
use super::levels::Levels;
use super::storeys::Storeys;
use super::{Picture, Route, Shape, Tint};
use crate::geometry::contains;
use crate::mesh::{Mesh, PolygonView};
use crate::nav::{AreaId, FloorId, Place, Position};
use crate::room::Room;
use glam::DVec2;
use std::sync::Arc;

/// Shares of a line that differ by less are the same place.
const SAME: f64 = 1e-6;

/// What has several storeys, to find the storeys of things.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Storeyed {
    /// A mesh.
    Mesh(StoreyedMesh),
    /// A tactical level.
    Levels(Levels),
}

/// A mesh with several storeys.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StoreyedMesh {
    mesh: Mesh,
    storeys: Storeys,
    polygons: Vec<PolygonView>,
}

impl Storeyed {
    /// The storey of a position, from 0.
    pub(super) fn storey_of(&self, position: Position) -> usize {
        match self {
            Self::Mesh(storeyed) => storeyed.storeys.of_polygon(position.floor.0),
            Self::Levels(levels) => levels.storey_of(position),
        }
    }

    /// The storey of a place, from 0.
    pub(super) fn storey_at(&self, place: Place) -> usize {
        match self {
            Self::Mesh(_) => self.storey_of(self.locate(place)),
            Self::Levels(levels) => levels.storey_at(place),
        }
    }

    pub(super) fn locate(&self, place: Place) -> Position {
        match self {
            Self::Mesh(storeyed) => storeyed.mesh.locate(place),
            Self::Levels(levels) => levels.locate(place),
        }
    }

    pub(super) fn caption(&self, storey: usize) -> String {
        match self {
            Self::Mesh(storeyed) => storeyed.storeys.caption(storey),
            Self::Levels(levels) => levels.caption(storey),
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Self::Mesh(storeyed) => storeyed.storeys.count(),
            Self::Levels(levels) => levels.count(),
        }
    }

    /// The place on a storey at a point of the plane. Without a height if there is no ground of that storey.
    pub(super) fn place_on(&self, storey: usize, at: DVec2) -> Place {
        match self {
            Self::Mesh(storeyed) => storeyed.place_on(storey, at),
            Self::Levels(levels) => levels.place_on(storey, at),
        }
    }

    /// The parts of a way on each storey, in walking order.
    pub(super) fn parts(&self, way: &[Position]) -> Vec<(usize, Vec<DVec2>)> {
        match self {
            Self::Mesh(storeyed) => storeyed.parts(way),
            Self::Levels(levels) => {
                let start = way.first().map(|&start| levels.storey_of(start));
                let points = || way.iter().map(|at| at.at).collect();
                start.map(|storey| (storey, points())).into_iter().collect()
            }
        }
    }

    /// The parts of a track on each storey. Only its end is known.
    fn parts_of_track(&self, points: &[DVec2], end: usize) -> Vec<(usize, Vec<DVec2>)> {
        match self {
            Self::Mesh(storeyed) => storeyed.parts_of_track(points, end),
            Self::Levels(_) => vec![(end, points.to_vec())],
        }
    }
}

impl StoreyedMesh {
    fn storey_of(&self, position: Position) -> usize {
        self.storeys.of_polygon(position.floor.0)
    }

    fn count(&self) -> usize {
        self.storeys.count()
    }

    fn place_on(&self, storey: usize, at: DVec2) -> Place {
        let polygon = self.polygon_on(storey, at);
        let y_m = polygon.map(|polygon| self.mesh.height_m(Position { at, floor: FloorId(polygon) }));
        Place { at, y_m }
    }

    /// The polygon of a storey that holds a point of the plane.
    fn polygon_on(&self, storey: usize, at: DVec2) -> Option<u32> {
        let numbers = (0..self.polygons.len() as u32).filter(|&n| self.storeys.of_polygon(n) == storey);
        let holds = |number: &u32| contains(&self.polygons[*number as usize].on_plane(), at);
        let mut holding = numbers.filter(holds);
        holding.next()
    }

    fn parts(&self, way: &[Position]) -> Vec<(usize, Vec<DVec2>)> {
        let Some(&start) = way.first() else { return Vec::new() };
        let mut parts = vec![(self.storey_of(start), vec![start.at])];
        for leg in way.windows(2) {
            let (from, to) = (leg[0].at, leg[1].at);
            let mut passed = self.mesh.polygons_on_line(leg[0], to);
            if passed.is_empty() {
                passed.push((leg[1].floor, 0.0, 1.0));
            }
            let mut reached = 0.0;
            for (floor, enters, leaves) in passed {
                let storey = self.storeys.of_polygon(floor.0);
                if leaves <= reached + SAME {
                    continue; // beside the line, or touched at a corner
                }
                reached = leaves;
                if parts.last().is_some_and(|part| part.0 != storey) {
                    let border = from.lerp(to, enters);
                    extend(&mut parts, border);
                    parts.push((storey, vec![border]));
                }
            }
            extend(&mut parts, to);
        }
        parts
    }

    /// A track stays on its storey as long as there is ground.
    fn parts_of_track(&self, points: &[DVec2], end: usize) -> Vec<(usize, Vec<DVec2>)> {
        let mut parts: Vec<(usize, Vec<DVec2>)> = Vec::new();
        let mut storey = end;
        for &point in points.iter().rev() {
            if self.polygon_on(storey, point).is_none() {
                let others = (0..self.count()).filter(|&other| self.polygon_on(other, point).is_some());
                storey = others.min_by_key(|other| other.abs_diff(storey)).unwrap_or(storey);
            }
            match parts.last_mut() {
                Some((same, part)) if *same == storey => part.push(point),
                Some((_, part)) => {
                    part.push(point);
                    parts.push((storey, vec![point]));
                }
                None => parts.push((storey, vec![point])),
            }
        }
        parts.reverse();
        parts.iter_mut().for_each(|(_, part)| part.reverse());
        parts
    }
}

/// Goes on with the last part.
fn extend(parts: &mut [(usize, Vec<DVec2>)], to: DVec2) {
    if let Some((_, points)) = parts.last_mut()
        && points.last() != Some(&to)
    {
        points.push(to);
    }
}

impl Picture {
    /// The number of storeys: 1 unless polygons lie above each other.
    pub fn storey_count(&self) -> usize {
        self.storeyed.as_ref().map_or(1, |storeyed| storeyed.count())
    }

    /// The picture of one storey alone; the lowest is number 1. All storeys show the same rectangle. `None` if there
    /// is no such storey.
    pub fn storey(&self, number: usize) -> Option<Self> {
        let storey = number.checked_sub(1)?;
        let Some(storeyed) = &self.storeyed else { return (storey == 0).then(|| self.clone()) };
        if storey >= storeyed.count() {
            return None;
        }
        let shapes = self.shapes.iter().zip(&self.storeys_of_shapes);
        let shown = shapes.filter(|(_, of)| of.is_none_or(|of| of == storey)).map(|(shape, _)| shape.clone());
        let shapes: Vec<Shape> = shown.collect();
        Some(Self {
            title: self.title.clone(),
            storeys_of_shapes: vec![None; shapes.len()],
            shapes,
            extent: self.extent,
            storeyed: None,
            room_areas: self.room_areas.clone(),
            caption: Some(storeyed.caption(storey)),
        })
    }

    /// All storeys, the lowest first.
    pub(super) fn storeys(&self) -> Vec<Self> {
        (1..=self.storey_count()).filter_map(|number| self.storey(number)).collect()
    }

    /// The number of the storey to follow: that of the player, else that of the first character, else the lowest.
    pub fn storey_to_follow(&self) -> usize {
        let figures = || {
            self.shapes.iter().zip(&self.storeys_of_shapes).filter_map(|(shape, storey)| match shape {
                Shape::Character(figure) => Some((figure.player, *storey)),
                _ => None,
            })
        };
        let followed = figures().find(|(player, _)| *player).or_else(|| figures().next());
        followed.and_then(|(_, storey)| storey).map_or(1, |storey| storey + 1)
    }

    /// The place at a point of a storey's picture, with the height of the ground there.
    pub fn place_on_storey(&self, number: usize, at: DVec2) -> Place {
        match (&self.storeyed, number.checked_sub(1)) {
            (Some(storeyed), Some(storey)) => storeyed.place_on(storey, at),
            _ => at.into(),
        }
    }

    /// Adds the ground of a mesh, with the outlines of areas.
    pub(super) fn add_mesh(&mut self, room: &Room, mesh: &Mesh) {
        let polygons = mesh.polygon_views();
        let storeys = Storeys::of(mesh, &polygons);
        for storey in 0..storeys.count() {
            let on = (storeys.count() > 1).then_some(storey);
            let faces = Faces::of_storey(mesh, &polygons, &storeys, storey);
            self.add_on(on, Shape::Mesh(faces));
            for (number, area) in room.areas.iter().enumerate() {
                let holds = |&&polygon: &&u32| polygons[polygon as usize].areas.contains(&AreaId(number));
                let all: Vec<u32> =
                    (0..polygons.len() as u32).filter(|&n| storeys.of_polygon(n) == storey).collect();
                let members: Vec<Vec<DVec2>> =
                    all.iter().filter(holds).map(|&n| polygons[n as usize].on_plane()).collect();
                let Some(polygon) = largest_ring(&members) else { continue };
                let open = mesh.area_available(AreaId(number));
                self.add_on(on, Shape::Area { name: area.name.clone(), polygon, open, painted: false });
            }
        }
        if let Some(sectors) = room.mesh.as_ref().and_then(|mesh| mesh.sectors.as_deref()) {
            self.add_sectors(sectors, &polygons, &storeys);
        }
        if storeys.count() > 1 {
            self.storeyed =
                Some(Arc::new(Storeyed::Mesh(StoreyedMesh { mesh: mesh.clone(), storeys, polygons })));
        }
    }

    /// The polygons of a mesh as what paths are searched over.
    pub(super) fn add_mesh_search(&mut self, mesh: &Mesh, marks_cut_off: bool) {
        for shape in &mut self.shapes {
            if let Shape::Mesh(faces) = shape {
                faces.searched = true;
            }
        }
        if !mesh.is_outlined() && !marks_cut_off {
            return; // the polygons are in the picture
        }
        let polygons = mesh.polygon_views();
        let storeys = Storeys::of(mesh, &polygons);
        let player =
            self.shapes.iter().zip(&self.storeys_of_shapes).find_map(|(shape, storey)| match shape {
                Shape::Character(figure) if figure.player => Some((figure.at, storey.unwrap_or(0))),
                _ => None,
            });
        let is_there = |number: u32, at| {
            let polygon = &polygons[number as usize];
            polygon.is_open && contains(&polygon.on_plane(), at)
        };
        let start = player.and_then(|(at, storey)| {
            let mut all = 0..polygons.len() as u32;
            all.find(|&number| storeys.of_polygon(number) == storey && is_there(number, at))
        });
        let cut_off = if marks_cut_off { mesh.cut_off(start) } else { vec![false; polygons.len()] };
        if !self.shapes.iter().any(|shape| matches!(shape, Shape::Mesh(_))) {
            let faces = Faces::of_storey(mesh, &polygons, &storeys, 0);
            self.add(Shape::Mesh(faces));
        }
        let mut storey = 0;
        for shape in &mut self.shapes {
            let Shape::Mesh(faces) = shape else { continue };
            let numbers = (0..polygons.len()).filter(|&n| storeys.of_polygon(n as u32) == storey);
            let mark = |(face, number): (&mut Face, usize)| face.cut_off = cut_off[number];
            faces.faces.iter_mut().zip(numbers).for_each(mark);
            faces.from_player = start.is_some();
            storey += 1;
        }
    }

    /// Adds a way that links part into legs.
    pub(super) fn add_legs(
        &mut self,
        legs: &[Vec<Position>],
        goal: Place,
        (partial, is_curved): (bool, bool),
        tint: Option<Tint>,
    ) {
        for (number, leg) in legs.iter().enumerate() {
            let (begins, ends) = (number == 0, number + 1 == legs.len());
            let goal = leg.last().filter(|_| !ends).map_or(goal, |end| end.at.into());
            self.add_way(leg, goal, (partial && ends, is_curved, tint), (begins, ends));
        }
    }

    /// Adds a way from its start on, on every storey that it runs over. Says whether it `begins` and `ends` there, or at
    /// a link.
    fn add_way(
        &mut self,
        way: &[Position],
        goal: Place,
        (partial, is_curved, tint): (bool, bool, Option<Tint>),
        (begins, ends): (bool, bool),
    ) {
        let points = || way.iter().map(|position| position.at).collect();
        let whole = |points| Route { points, is_curved, goal: goal.at, partial, tint, begins, ends };
        let Some(storeyed) = &self.storeyed else { return self.add(Shape::Path(whole(points()))) };
        let mut parts = storeyed.parts(way);
        let goal_storey = match way.last() {
            Some(end) if !ends => storeyed.storey_of(*end),
            Some(end) if !partial => storeyed.storey_of(*end),
            _ => storeyed.storey_at(goal),
        };
        if parts.last().is_none_or(|part| part.0 != goal_storey) {
            parts.push((goal_storey, Vec::new()));
        }
        let last = parts.len() - 1;
        for (number, (storey, points)) in parts.into_iter().enumerate() {
            let (begins, ends) = (begins && number == 0, ends && number == last);
            let route = Route { begins, ends, ..whole(points) };
            self.add_on(Some(storey), Shape::Path(route));
        }
    }

    /// A track on every storey that it ran over. It ended where the character with its tint stands.
    pub(super) fn add_track(&mut self, points: &[DVec2], tint: Tint) {
        let own = |shape: &Shape| matches!(shape, Shape::Character(figure) if figure.tint == tint);
        let shapes = self.shapes.iter().zip(&self.storeys_of_shapes);
        let of_character = shapes.filter(|(shape, _)| own(shape)).find_map(|(_, storey)| *storey);
        let (Some(storeyed), Some(&end)) = (&self.storeyed, points.last()) else { return };
        let end = of_character.unwrap_or_else(|| storeyed.storey_at(end.into()));
        for (storey, points) in storeyed.parts_of_track(points, end) {
            self.add_on(Some(storey), Shape::Trail { points, tint });
        }
    }
}

/// The outline of the largest of the parts that polygons make.
fn largest_ring(polygons: &[Vec<DVec2>]) -> Option<Vec<DVec2>> {
    let polygons: Vec<&[DVec2]> = polygons.iter().map(Vec::as_slice).collect();
    let size = |ring: &Vec<DVec2>| {
        let ends = ring.iter().cycle().skip(1);
        ring.iter().zip(ends).map(|(a, b)| (a - ring[0]).perp_dot(b - ring[0])).sum::<f64>()
    };
    rings(&polygons).into_iter().max_by(|a, b| size(a).total_cmp(&size(b)))
}
