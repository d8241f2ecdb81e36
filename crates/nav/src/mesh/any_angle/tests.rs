//! Shortest paths over random meshes, against the visibility graph of all corners.

use super::{AnyAngle, AnyAngleMemory, MeshPath};
use crate::mesh::{Openness, PolygonIndex, Polygons, RawPolygon, View};
use crate::nav::Progress;
use glam::{DVec2, DVec3, dvec2};

/// A source of random numbers (SplitMix64), apart from the product's.
pub(in crate::mesh) struct Random(pub u64);

impl Random {
    pub(in crate::mesh) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() * limit as f64) as usize
    }
}

/// A mesh of quads with holes, and the quads of the holes.
pub(in crate::mesh) struct Field {
    pub mesh: Polygons,
    holes: Vec<[DVec2; 4]>,
}

/// `size` by `size` quads. Vertices are moved by up to `jitter` from whole coordinates. A share of the quads is left
/// out. No two holes touch at one corner only: whether a path may pass between them is a matter of taste.
pub(in crate::mesh) fn field(random: &mut Random, size: usize, jitter: f64, holes: f64) -> Field {
    let row = size + 1;
    let mut points: Vec<DVec2> = Vec::new();
    for z in 0..row {
        for x in 0..row {
            let move_by = dvec2(random.next() - 0.5, random.next() - 0.5) * 2.0 * jitter;
            points.push(dvec2(x as f64, z as f64) + move_by);
        }
    }
    let mut open: Vec<bool> = (0..size * size).map(|_| random.next() >= holes).collect();
    loop {
        let at = |x: usize, z: usize| open[z * size + x];
        let touch = (1..size).flat_map(|z| (1..size).map(move |x| (x, z))).find(|&(x, z)| {
            let [a, b, c, d] = [at(x - 1, z - 1), at(x, z - 1), at(x - 1, z), at(x, z)];
            a == d && b == c && a != b
        });
        let Some((x, z)) = touch else { break };
        for (x, z) in [(x - 1, z - 1), (x, z - 1), (x - 1, z), (x, z)] {
            open[z * size + x] = true;
        }
    }
    of_quads(&points, size, &open)
}

/// `size` by `size` quads between points that are given row by row.
pub(super) fn of_quads(points: &[DVec2], size: usize, open: &[bool]) -> Field {
    let row = size + 1;
    let corners = |cell: usize| {
        let first = cell / size * row + cell % size;
        [first, first + 1, first + row + 1, first + row]
    };
    let cells = |wanted: bool| (0..size * size).filter(move |&cell| open[cell] == wanted);
    let polygons: Vec<RawPolygon> = cells(true)
        .map(|cell| RawPolygon { corners: corners(cell).map(|v| v as u32).to_vec(), ..RawPolygon::default() })
        .collect();
    let vertices: Vec<DVec3> = points.iter().map(|p| DVec3::new(p.x, 0.0, p.y)).collect();
    let holes = cells(false).map(|cell| corners(cell).map(|v| points[v])).collect();
    Field { mesh: Polygons::new(&vertices, &polygons).unwrap(), holes }
}

impl Field {
    /// Whether a segment between two points of the mesh stays out of the inside of all holes, and within the field.
    fn is_clear(&self, from: DVec2, to: DVec2, index: &PolygonIndex) -> bool {
        let crosses = |hole: &[DVec2; 4]| {
            let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
            for i in 0..4 {
                let (a, b) = (hole[i], hole[(i + 1) % 4]);
                let inwards = (b - a).normalize().perp();
                let (p, q) = (inwards.dot(from - a), inwards.dot(to - a));
                if p.max(q) <= 1e-7 {
                    return false; // on or outside this edge
                }
                if p < 0.0 {
                    enters = enters.max(p / (p - q));
                } else if q < 0.0 {
                    leaves = leaves.min(p / (p - q));
                }
            }
            (leaves - enters) * from.distance(to) > 1e-6
        };
        // The outer border is wavy, so points of the segment must lie on some polygon.
        let inside = |share: f64| {
            let at = from.lerp(to, share);
            index.nearest(&self.mesh, at, 1e-6).is_some()
        };
        !self.holes.iter().any(crosses) && (0..=200).all(|i| inside(f64::from(i) / 200.0))
    }

    /// The length of the shortest path: Dijkstra's algorithm over both ends and all vertices that see each other.
    fn shortest_m(&self, index: &PolygonIndex, from: DVec2, to: DVec2) -> f64 {
        let mut points = vec![from, to];
        points.extend(self.mesh.vertices());
        let mut costs = vec![f64::INFINITY; points.len()];
        let mut done = vec![false; points.len()];
        costs[0] = 0.0;
        loop {
            let open = (0..points.len()).filter(|&i| !done[i] && costs[i].is_finite());
            let Some(at) = open.min_by(|&a, &b| costs[a].total_cmp(&costs[b])) else { return f64::INFINITY };
            if at == 1 {
                return costs[1];
            }
            done[at] = true;
            for other in 0..points.len() {
                let cost = costs[at] + points[at].distance(points[other]);
                if cost < costs[other] && cost < costs[1] && self.is_clear(points[at], points[other], index) {
                    costs[other] = cost;
                }
            }
        }
    }
}

fn find(mesh: &Polygons, from: (u32, DVec2), to: (u32, DVec2)) -> Option<MeshPath> {
    let openness = Openness::new(mesh, |_| true);
    find_in(View::new(mesh, &openness), from, to)
}

pub(super) fn find_in(view: View<'_>, from: (u32, DVec2), to: (u32, DVec2)) -> Option<MeshPath> {
    let mut search = AnyAngle::new(view, from, to, AnyAngleMemory::default());
    assert_eq!(search.advance(view, u64::MAX), Progress::Done);
    search.finish(view.polygons).0
}

/// A random point on the mesh with its polygon.
pub(in crate::mesh) fn place(random: &mut Random, mesh: &Polygons, whole: bool) -> (u32, DVec2) {
    let polygon = random.below(mesh.len()) as u32;
    let corners: Vec<DVec2> = mesh.corners(polygon).collect();
    if whole {
        return (polygon, corners[random.below(corners.len())]);
    }
    let weights: Vec<f64> = corners.iter().map(|_| random.next() + 1e-3).collect();
    let sum: f64 = weights.iter().sum();
    (polygon, corners.iter().zip(&weights).map(|(&at, weight)| at * (weight / sum)).sum())
}

#[test]
fn paths_are_as_long_as_those_of_the_visibility_graph() {
    let rooms = if crate::sweeps::sweeps() { 1_000 } else { 60 };
    let (mut reached, mut apart) = (0, 0);
    for seed in 0..rooms {
        let mut random = Random(seed);
        // Every third field lies on whole coordinates, and paths begin and end at corners: everything is in line.
        let is_whole = seed % 3 == 0;
        let (size, jitter) = (3 + random.below(4), if is_whole { 0.0 } else { 0.18 });
        let holes = 0.1 + 0.4 * random.next();
        let field = field(&mut random, size, jitter, holes);
        let index = PolygonIndex::new(&field.mesh);
        for _ in 0..6 {
            let from = place(&mut random, &field.mesh, is_whole);
            let at_corner = is_whole && random.next() < 0.5;
            let to = place(&mut random, &field.mesh, at_corner);
            let path = find(&field.mesh, from, to);
            let oracle_m = field.shortest_m(&index, from.1, to.1);
            match path {
                Some(path) => {
                    let about = format!("seed {seed}: {from:?} to {to:?}: {path:?}");
                    assert!((path.length_m - oracle_m).abs() < 1e-6, "{about}, and not {oracle_m}");
                    check(&field, &index, from, to, &path, &about);
                    reached += 1;
                }
                None => {
                    assert_eq!(oracle_m, f64::INFINITY, "seed {seed}: {from:?} to {to:?}");
                    apart += 1;
                }
            }
        }
    }
    assert!(reached > 4 * apart && apart > 5, "{reached} paths, {apart} none");
}

/// Every leg is clear, waypoints lie on their polygons, and the corridor is joined.
fn check(
    field: &Field,
    index: &PolygonIndex,
    from: (u32, DVec2),
    to: (u32, DVec2),
    path: &MeshPath,
    about: &str,
) {
    let mesh = &field.mesh;
    assert_eq!(path.waypoints.last(), Some(&to), "{about}");
    let mut at = from.1;
    for &(polygon, next) in &path.waypoints {
        assert!(field.is_clear(at, next, index), "{about}");
        assert!(mesh.closest(polygon, next).distance(next) < 1e-9, "{about}");
        assert!(path.corridor.contains(&polygon), "{about}");
        at = next;
    }
    assert_eq!((path.corridor.first(), path.corridor.last()), (Some(&from.0), Some(&to.0)), "{about}");
    for pair in path.corridor.windows(2) {
        let joined = mesh.edges(pair[0]).iter().any(|edge| edge.neighbour() == Some(pair[1]));
        assert!(joined, "{about}");
    }
}

#[test]
fn a_search_that_pauses_after_every_expansion_finds_the_same_path() {
    for seed in 0..20 {
        let mut random = Random(seed);
        let field = field(&mut random, 9, 0.18, 0.3);
        let mesh = &field.mesh;
        let (from, to) = (place(&mut random, mesh, false), place(&mut random, mesh, false));
        let whole = find(mesh, from, to);
        let openness = Openness::new(mesh, |_| true);
        let view = View::new(mesh, &openness);
        let mut memory = AnyAngleMemory::default();
        for _ in 0..2 {
            let mut search = AnyAngle::new(view, from, to, memory);
            let mut before = 0;
            while search.advance(view, 1) == Progress::Running {
                assert_eq!(search.expansions(), before + 1);
                before += 1;
            }
            let (path, used) = search.finish(mesh);
            assert_eq!(path, whole, "seed {seed}");
            memory = used;
        }
    }
}

/// Polygons that open and close, one after the other, on a mesh: paths are those of a mesh of the open ones alone.
#[test]
fn paths_past_closed_polygons_are_those_of_a_mesh_without_them() {
    let mut reached = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let field = field(&mut random, 6, if seed % 3 == 0 { 0.0 } else { 0.18 }, 0.1);
        let mesh = &field.mesh;
        let mut openness = Openness::new(mesh, |_| true);
        for _ in 0..20 {
            let polygon = random.below(mesh.len()) as u32;
            openness.set(polygon, !openness.is_open(polygon));
            mesh.edges(polygon).iter().for_each(|edge| openness.turn_at(mesh, edge.vertex()));
            let fresh = Openness::new(mesh, |polygon| openness.is_open(polygon));
            assert_eq!(openness, fresh, "seed {seed}");
        }
        // The same mesh without the closed polygons. Some may touch at one corner only, and paths pass there.
        let open: Vec<u32> = (0..mesh.len() as u32).filter(|&polygon| openness.is_open(polygon)).collect();
        let vertices: Vec<DVec3> = mesh.vertices().iter().map(|p| DVec3::new(p.x, 0.0, p.y)).collect();
        let corners = |&polygon: &u32| mesh.edges(polygon).iter().map(|edge| edge.vertex()).collect();
        let raw = |polygon| RawPolygon { corners: corners(polygon), ..RawPolygon::default() };
        let other = Polygons::new(&vertices, &open.iter().map(raw).collect::<Vec<_>>()).unwrap();
        for _ in 0..6 {
            let ends = [place(&mut random, &other, false), place(&mut random, &other, false)];
            let [from, to] = ends.map(|(polygon, at)| (open[polygon as usize], at));
            let path = find_in(View::new(mesh, &openness), from, to);
            let alone = find(&other, ends[0], ends[1]);
            let lengths = [&path, &alone].map(|path| path.as_ref().map_or(-1.0, |path| path.length_m));
            assert!((lengths[0] - lengths[1]).abs() < 1e-9, "seed {seed}: {path:?}, not {alone:?}");
            reached += usize::from(path.is_some());
        }
    }
    assert!(reached > 200, "{reached}");
}

#[test]
fn closed_polygons_are_walls() {
    // A ring of quads round a hole; one of them is closed.
    let mut random = Random(1);
    let mut ring = field(&mut random, 3, 0.0, 0.0);
    let corners = |cell: u32| {
        let first = cell / 3 * 4 + cell % 3;
        RawPolygon { corners: vec![first, first + 1, first + 5, first + 4], ..RawPolygon::default() }
    };
    let vertices: Vec<DVec3> = ring.mesh.vertices().iter().map(|p| DVec3::new(p.x, 0.0, p.y)).collect();
    let cells: Vec<RawPolygon> = [0, 1, 2, 3, 5, 6, 7, 8].map(corners).to_vec();
    ring.mesh = Polygons::new(&vertices, &cells).unwrap();
    let (from, to) = ((3, dvec2(0.5, 1.5)), (4, dvec2(2.5, 1.5)));
    let ask = |closed: &[u32]| {
        let openness = Openness::new(&ring.mesh, |polygon| !closed.contains(&polygon));
        find_in(View::new(&ring.mesh, &openness), from, to)
    };
    let over = |path: Option<MeshPath>| path.map(|path| path.corridor[path.corridor.len() / 2]);
    assert_eq!(over(ask(&[6])), Some(1));
    assert_eq!(over(ask(&[1])), Some(6));
    assert_eq!(ask(&[1, 6]), None);
}

/// A stair between two storeys, whose polygons have edges in line with corners: searches went round a vertex for ever.
#[test]
fn a_search_ends_where_edges_are_in_line_with_a_corner() {
    const V: [[f64; 3]; 33] = [
        [3.7, 0.0, 1.7],
        [3.6, 0.0, 1.6],
        [3.7, 0.0, 1.6],
        [3.8, 0.0, 1.8],
        [3.9, 0.0, 1.6],
        [4.0, 0.1, 1.6],
        [3.9, 0.0, 0.4],
        [8.0, 3.0, 0.4],
        [7.7, 2.8, 1.7],
        [4.4, 0.4, 1.7],
        [8.5, 3.0, 2.0],
        [8.2, 3.0, 1.7],
        [11.6, 3.0, 0.4],
        [11.6, 3.0, 7.6],
        [8.5, 3.0, 7.6],
        [4.0, 0.05, 2.0],
        [4.2, 0.2, 1.9],
        [3.0, 0.0, 1.375],
        [3.7, 0.0, 2.5],
        [3.0, 0.0, 2.5],
        [0.4, 0.0, 2.5],
        [0.4, 0.0, 0.4],
        [3.7, 0.0, 3.31],
        [0.4, 0.0, 7.6],
        [4.4, 0.0, 2.4],
        [8.4, 0.0, 7.6],
        [8.4, 0.0, 2.3],
        [4.2, 0.0, 2.1],
        [3.0, 0.0, 0.4],
        [3.7, 0.0, 0.4],
        [8.5, 0.0, 0.4],
        [11.6, 0.0, 0.4],
        [11.6, 0.0, 7.6],
    ];
    const P: [&[u32]; 19] = [
        &[0, 1, 2],
        &[3, 0, 2, 4, 5],
        &[6, 7, 8, 9, 5],
        &[10, 11, 7, 12],
        &[10, 12, 13, 14],
        &[11, 8, 7],
        &[15, 3, 5, 16],
        &[17, 1, 0, 18, 19],
        &[20, 21, 17, 19],
        &[22, 23, 20, 19, 18],
        &[15, 24, 22, 18, 0, 3],
        &[25, 23, 22, 24, 26],
        &[27, 24, 15],
        &[9, 16, 5],
        &[2, 1, 17, 28, 29],
        &[17, 21, 28],
        &[4, 2, 29, 6, 5],
        &[27, 15, 16],
        &[26, 30, 31, 32, 25],
    ];
    let vertices: Vec<DVec3> = V.iter().map(|&vertex| DVec3::from(vertex)).collect();
    let raw = |corners: &&[u32]| RawPolygon { corners: corners.to_vec(), ..RawPolygon::default() };
    let mesh = Polygons::new(&vertices, &P.iter().map(raw).collect::<Vec<_>>()).unwrap();
    for closed in [&[0, 7, 14][..], &[]] {
        let openness = Openness::new(&mesh, |polygon| !closed.contains(&polygon));
        let view = View::new(&mesh, &openness);
        let path = find_in(view, (18, dvec2(10.97, 5.99)), (4, dvec2(11.0, 6.0))).unwrap();
        assert!((17.2..17.3).contains(&path.length_m), "{path:?}");
        let back = find_in(view, (4, dvec2(11.0, 6.0)), (18, dvec2(10.97, 5.99))).unwrap();
        assert!((path.length_m - back.length_m).abs() < 1e-9, "{path:?}, {back:?}");
    }
}

/// Polygons around a corner, each of which leads into the next one only: searches went round the corner for ever, because
/// the way on to the goal is much longer than any round.
///
/// ```text
///   y y . . . . x      . leads on to the goal: from y, past x, to G
///   y 2 3       x      0 to 1 to 2 to 3 to 0, all around one corner
///     1 0 < G . x      from G one drops into 0, but not back
/// ```
#[test]
fn a_search_ends_where_one_way_portals_lead_in_a_circle_around_a_corner() {
    const V: [[f64; 2]; 20] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, 1.0],
        [0.0, 1.0],
        [-1.0, 1.0],
        [-1.0, 0.0],
        [-1.0, -1.0],
        [0.0, -1.0],
        [1.0, -1.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [-9.0, -1.0],
        [-9.0, 0.0],
        [-8.0, 0.0],
        [-9.0, 9.0],
        [-8.0, 9.0],
        [-9.0, 10.0],
        [2.0, 10.0],
        [2.0, 9.0],
        [1.0, 9.0],
    ];
    /// The corners of a polygon, and the polygon behind the edge that begins at each.
    type Corners = &'static [(u32, Option<u32>)];
    const WALL: Option<u32> = None;
    #[rustfmt::skip] // one line a polygon
    const P: [Corners; 9] = [
        &[(0, WALL), (1, WALL), (2, WALL), (3, Some(1))],
        &[(5, Some(2)), (0, WALL), (3, WALL), (4, WALL)],
        &[(6, WALL), (7, Some(3)), (0, WALL), (5, Some(4))],
        &[(7, WALL), (8, WALL), (1, Some(0)), (0, WALL)],
        &[(11, WALL), (6, Some(2)), (5, WALL), (13, Some(5)), (12, WALL)],
        &[(12, Some(4)), (13, WALL), (15, Some(6)), (14, WALL)],
        &[(14, Some(5)), (15, WALL), (19, Some(7)), (18, WALL), (17, WALL), (16, WALL)],
        &[(2, Some(8)), (10, WALL), (18, Some(6)), (19, WALL)],
        &[(1, WALL), (9, WALL), (10, Some(7)), (2, Some(0))],
    ];
    let vertices = V.map(|[x, z]| DVec3::new(x, 0.0, z));
    let raw = |corners: &Corners| RawPolygon {
        corners: corners.iter().map(|&(corner, _)| corner).collect(),
        neighbours: corners.iter().map(|&(_, behind)| behind).collect(),
    };
    let mesh = Polygons::new(&vertices, &P.iter().map(raw).collect::<Vec<_>>()).unwrap();
    let openness = Openness::new(&mesh, |_| true);
    let view = View::new(&mesh, &openness);
    let (from, to) = ((0, dvec2(0.5, 0.5)), (8, dvec2(1.5, 0.5)));
    let mut search = AnyAngle::new(view, from, to, AnyAngleMemory::default());
    assert_eq!(search.advance(view, 1000), Progress::Done, "it goes round and round");
    let path = search.finish(&mesh).0.unwrap();
    assert_eq!(path.corridor, [0, 1, 2, 4, 5, 6, 7, 8]);
    // And down into the circle.
    assert_eq!(find(&mesh, to, from).unwrap().corridor, [8, 0]);
}
