//! The ground of a mesh in a picture: polygons, walls and portals.

use super::storeys::Storeys;
use crate::geometry::contains;
use crate::mesh::{Behind, Mesh, PolygonView};
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// The polygons of a mesh, or of one storey of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Faces {
    /// The polygons.
    pub faces: Vec<Face>,
    /// Their edges, each once.
    pub rims: Vec<Rim>,
    /// Whether the polygons are made of the areas and obstacles of the room, which show the ground already. Then the
    /// polygons show what paths are searched over, as cells do.
    pub outlined: bool,
    /// Whether what is cut off is cut off from the player, not from the largest part.
    pub from_player: bool,
    /// Whether the polygons were asked for. In a picture with sectors, their edges are left out otherwise.
    pub searched: bool,
}

/// A convex polygon of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Its corners, metres.
    pub corners: Vec<DVec2>,
    /// Whether characters may walk there.
    pub open: bool,
    /// The area that opens it, as the number in the room: of several, the first one that is as open as the polygon.
    pub area: Option<usize>,
    /// Lines of equal height, if it is steep: the treads of stairs.
    pub treads: Vec<(DVec2, DVec2)>,
    /// Whether it is open, but cut off, if that was requested.
    pub cut_off: bool,
}

/// An edge of the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rim {
    /// One end, metres. The polygon is on the left of the line to the other end (z points down in pictures).
    pub from: DVec2,
    /// The other end.
    pub to: DVec2,
    /// What is there.
    pub kind: RimKind,
}

/// What an edge of the ground is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RimKind {
    /// Nothing is behind it.
    Wall,
    /// Two polygons of the same areas meet.
    Portal,
    /// Two polygons of different areas meet.
    Seam,
    /// An open polygon and a closed one meet.
    Shut,
    /// It can be passed towards the right of the line only.
    OneWay,
    /// It leads to the storey with this number, from 0.
    Climb(usize),
}

/// Ground as steep as this has treads: rise over run.
const STEEP: f64 = 0.2;
/// Between two treads, metres of height.
const TREAD_M: f64 = 0.25;
/// A polygon has at most this many treads.
const MOST_TREADS: f64 = 200.0;

impl Faces {
    /// The polygons of one storey.
    pub(super) fn of_storey(mesh: &Mesh, polygons: &[PolygonView], storeys: &Storeys, storey: usize) -> Self {
        let here = |polygon: &u32| storeys.of_polygon(*polygon) == storey;
        let numbers: Vec<u32> = (0..polygons.len() as u32).filter(here).collect();
        let arrivals = arrivals(polygons);
        let mut rims = Vec::new();
        for &number in &numbers {
            for (from, to, behind) in polygons[number as usize].edges() {
                let arrives = arrivals.get(&(number, bits(to), bits(from)));
                match (behind, arrives) {
                    (Behind::OneWay(other), _) if !here(&other) => {
                        rims.push(Rim { from: on_plane(from), to: on_plane(to), kind: RimKind::OneWay });
                    }
                    // From another storey: as on the plan of that one.
                    (_, Some(above)) if !here(above) => {
                        rims.push(Rim { from: on_plane(to), to: on_plane(from), kind: RimKind::OneWay });
                    }
                    _ => {}
                }
                let kind = match behind {
                    Behind::Wall if arrives.is_some() => None,
                    Behind::Wall => Some(RimKind::Wall),
                    Behind::Portal(other) | Behind::OneWay(other) if !here(&other) => {
                        Some(RimKind::Climb(storeys.of_polygon(other)))
                    }
                    Behind::OneWay(_) => Some(RimKind::OneWay),
                    Behind::Portal(other) if other < number => None,
                    Behind::Portal(other) => {
                        Some(between(&polygons[number as usize], &polygons[other as usize]))
                    }
                };
                rims.extend(kind.map(|kind| Rim { from: on_plane(from), to: on_plane(to), kind }));
            }
        }
        let faces = numbers.iter().map(|&number| Face::of(mesh, &polygons[number as usize])).collect();
        Self { faces, rims, outlined: mesh.is_outlined(), from_player: false, searched: false }
    }

    /// Whether the edges between its polygons are shown, in a picture with or without sectors.
    pub(super) fn shows_edges(&self, has_sectors: bool) -> bool {
        self.searched || !has_sectors
    }

    /// Whether a point lies on an open polygon.
    pub(super) fn is_open_at(&self, point: DVec2) -> bool {
        self.faces.iter().any(|face| face.open && contains(&face.corners, point))
    }

    /// Groups of polygons that look alike: their area and whether they are open, with their outline.
    pub(super) fn groups(&self) -> Vec<(Option<usize>, bool, Vec<Vec<DVec2>>)> {
        let mut groups: BTreeMap<(bool, Option<usize>), Vec<&[DVec2]>> = BTreeMap::new();
        for face in &self.faces {
            groups.entry((face.open, face.area)).or_default().push(&face.corners);
        }
        groups.into_iter().map(|((open, area), faces)| (area, open, rings(&faces))).collect()
    }
}

impl Face {
    fn of(mesh: &Mesh, polygon: &PolygonView) -> Self {
        let is_alike = |area: &&crate::nav::AreaId| mesh.area_available(**area) == polygon.is_open;
        let area = polygon.areas.iter().find(is_alike).or(polygon.areas.first());
        Self {
            corners: polygon.on_plane(),
            open: polygon.is_open,
            area: area.map(|area| area.0),
            treads: treads(&polygon.corners),
            cut_off: false,
        }
    }
}

/// What two polygons of one storey have between them.
fn between(one: &PolygonView, other: &PolygonView) -> RimKind {
    match () {
        () if one.is_open != other.is_open => RimKind::Shut,
        () if one.areas != other.areas => RimKind::Seam,
        () => RimKind::Portal,
    }
}

/// The edges that can be passed one way only, with the polygons from which they lead: by the polygon to which they lead,
/// and by their ends seen from above. Down a ledge, the heights of the two sides differ.
fn arrivals(polygons: &[PolygonView]) -> BTreeMap<(u32, [u64; 2], [u64; 2]), u32> {
    let edges =
        (0..).zip(polygons).flat_map(|(number, polygon)| polygon.edges().map(move |edge| (number, edge)));
    let one_way = edges.filter_map(|(number, (from, to, behind))| match behind {
        Behind::OneWay(other) => Some(((other, bits(from), bits(to)), number)),
        Behind::Wall | Behind::Portal(_) => None,
    });
    one_way.collect()
}

/// A key for a corner, seen from above.
fn bits(at: DVec3) -> [u64; 2] {
    // -0.0 is 0.0.
    [at.x, at.z].map(|value| (value + 0.0).to_bits())
}

fn on_plane(at: DVec3) -> DVec2 {
    DVec2::new(at.x, at.z)
}

/// The outlines of adjacent polygons together: outer ones and holes, in opposite directions.
pub(super) fn rings(polygons: &[&[DVec2]]) -> Vec<Vec<DVec2>> {
    let key = |at: DVec2| at.to_array().map(|value| (value + 0.0).to_bits());
    let edges = || polygons.iter().flat_map(|p| p.iter().zip(p.iter().cycle().skip(1)));
    let all: BTreeSet<_> = edges().map(|(&a, &b)| (key(a), key(b))).collect();
    // The edges that no other polygon has, by the corner at which they begin; the last one is taken first.
    let mut outer: BTreeMap<[u64; 2], Vec<(DVec2, DVec2)>> = BTreeMap::new();
    for (&a, &b) in edges().filter(|&(&a, &b)| !all.contains(&(key(b), key(a)))) {
        outer.entry(key(a)).or_default().push((a, b));
    }
    let mut rings = Vec::new();
    while let Some(mut entry) = outer.first_entry() {
        let mut ring = Vec::new();
        let mut next = entry.get_mut().pop();
        if entry.get().is_empty() {
            entry.remove();
        }
        while let Some((from, to)) = next {
            ring.push(from);
            next = outer.get_mut(&key(to)).and_then(Vec::pop);
            if outer.get(&key(to)).is_some_and(Vec::is_empty) {
                outer.remove(&key(to));
            }
        }
        rings.push(ring);
    }
    rings
}

/// Lines across a steep polygon at equal heights. It is flat between its first corner and each edge.
fn treads(corners: &[DVec3]) -> Vec<(DVec2, DVec2)> {
    let Some((&first, rest)) = corners.split_first() else { return Vec::new() };
    let mut lines = Vec::new();
    for pair in rest.windows(2) {
        let triangle = [first, pair[0], pair[1]];
        let normal = (triangle[1] - first).cross(triangle[2] - first);
        if on_plane(normal).length() <= STEEP * normal.y.abs() {
            continue;
        }
        let heights = triangle.map(|at| at.y);
        let (low, high) =
            heights.iter().fold((f64::MAX, f64::MIN), |(low, high), &y| (low.min(y), high.max(y)));
        let step_m = TREAD_M.max((high - low) / MOST_TREADS);
        let mut level = ((low / step_m).floor() + 1.0) * step_m;
        while level < high {
            let ends = [(0, 1), (1, 2), (2, 0)].map(|(a, b)| cut_at(triangle[a], triangle[b], level));
            let mut ends = ends.into_iter().flatten();
            if let (Some(from), Some(to)) = (ends.next(), ends.next()) {
                lines.push((from, to));
            }
            level += step_m;
        }
    }
    lines
}

/// Where a line is at a height. An end at that height belongs to the upper side.
fn cut_at(a: DVec3, b: DVec3, level: f64) -> Option<DVec2> {
    ((a.y < level) != (b.y < level)).then(|| on_plane(a.lerp(b, (level - a.y) / (b.y - a.y))))
}
