//! Moves over random meshes beside the same moves in steps.

use super::random::{mesh_room, open_polygons, seeds};
use crate::geometry::{closest_on_segment, distance_sq_to_segment};
use crate::mesh::test_rooms::Random;
use crate::mesh::{MoveMemory, Polygons};
use crate::surface::Surface;
use glam::DVec2;

/// Lengths of moves, and of the steps that they are divided into, in metres.
const LENGTHS_M: [f64; 4] = [0.2, 1.0, 3.0, 8.0];
const STEP_M: f64 = 0.05;

/// Ends that are nearer to each other are the same, in metres.
const SAME_M: f64 = 1e-6;

/// The edges of a mesh that are walls.
fn walls(mesh: &Polygons) -> Vec<(DVec2, DVec2)> {
    let mut walls = Vec::new();
    for polygon in 0..mesh.len() as u32 {
        let edges = mesh.edges(polygon);
        let point = |edge: usize| mesh.vertices()[edges[edge % edges.len()].vertex() as usize];
        let alone = (0..edges.len()).filter(|&edge| edges[edge].neighbour().is_none());
        walls.extend(alone.map(|edge| (point(edge), point(edge + 1))));
    }
    walls
}

/// Whether two segments touch.
fn touch((a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)) -> bool {
    let apart = |p: DVec2, q: DVec2, r: DVec2, s: DVec2| {
        let side = |at: DVec2| (q - p).perp_dot(at - p);
        side(r) * side(s) > 0.0
    };
    !(apart(a, b, c, d) || apart(c, d, a, b)) && {
        let near = |at: DVec2, p: DVec2, q: DVec2| closest_on_segment(at, p, q).distance(at);
        let crossing = (b - a).perp_dot(d - c).abs() > 1e-12;
        crossing || near(a, c, d).min(near(b, c, d)).min(near(c, a, b)).min(near(d, a, b)) < 1e-9
    }
}

/// The end of a move in one go, and in steps.
fn ends(mesh: &Polygons, polygon: u32, from: DVec2, to: DVec2, memory: &mut MoveMemory) -> [DVec2; 2] {
    let whole = mesh.move_along(polygon, from, to, |_| true, memory).unwrap().at;
    let steps = (from.distance(to) / STEP_M).ceil().max(1.0);
    let (mut polygon, mut at) = (polygon, from);
    for step in 0..steps as usize {
        // Each step goes towards where the move would be by then: to the same end.
        let wanted = from.lerp(to, (step as f64 + 1.0) / steps);
        let moved = mesh.move_along(polygon, at, wanted, |_| true, memory).unwrap();
        (at, polygon) = (moved.at, *moved.visited.last().unwrap());
    }
    [whole, at]
}

/// What became of the moves of one length.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    moves: usize,
    /// Those that meet no wall.
    free: usize,
    /// Those that meet one wall, whose ends lie outside the circle of the search, and how many of them end elsewhere in
    /// steps: a polygon that the circle touches may have a wall outside of it that is nearer.
    along_one_wall: usize,
    along_differ: usize,
    /// Those that end elsewhere in steps, and the farthest apart, in metres.
    differ: usize,
    most_m: f64,
}

#[test]
fn moves_that_meet_no_wall_are_their_steps() {
    let mut counts = [Count::default(); LENGTHS_M.len()];
    let mut memory = MoveMemory::default();
    for seed in seeds(30) {
        let random = &mut Random(seed);
        let Some(mesh) = open_polygons(&Surface::new(&mesh_room(seed)).unwrap()) else { continue };
        let walls = walls(&mesh);
        for (length_m, count) in LENGTHS_M.iter().zip(&mut counts) {
            for _ in 0..20 {
                let polygon = random.below(mesh.len() as u64) as u32;
                let corners: Vec<DVec2> = mesh.corners(polygon).collect();
                let weights: Vec<f64> = corners.iter().map(|_| random.within(0.01, 1.0)).collect();
                let sum: f64 = weights.iter().sum();
                let from: DVec2 = corners.iter().zip(&weights).map(|(&at, weight)| at * (weight / sum)).sum();
                let turn = random.within(0.0, std::f64::consts::TAU);
                let to = from + DVec2::new(libm::cos(turn), libm::sin(turn)) * *length_m;
                if !mesh.holds(polygon, from) {
                    continue;
                }
                let [whole, stepped] = ends(&mesh, polygon, from, to, &mut memory);
                let (middle, radius_m) = (from.midpoint(to), from.distance(to) / 2.0 + 2e-3);
                let is_free = !walls.iter().any(|&wall| touch((from, to), wall));
                let in_circle =
                    |&&(a, b): &&(DVec2, DVec2)| distance_sq_to_segment(middle, a, b) <= radius_m * radius_m;
                let has_end = walls
                    .iter()
                    .filter(in_circle)
                    .any(|&(a, b)| a.distance(middle).min(b.distance(middle)) <= radius_m);
                let about = || format!("room {seed}: from {from} to {to}: {whole}, in steps {stepped}");
                let differ = whole.distance(stepped) > SAME_M;
                if is_free {
                    assert!(!differ && whole.distance(to) <= SAME_M, "{}", about());
                } else if !has_end && walls.iter().filter(in_circle).count() == 1 {
                    count.along_one_wall += 1;
                    count.along_differ += usize::from(differ);
                }
                count.moves += 1;
                count.free += usize::from(is_free);
                count.differ += usize::from(differ);
                count.most_m = count.most_m.max(whole.distance(stepped));
            }
        }
    }
    let shares = counts.map(|count| count.differ as f64 / count.moves as f64);
    eprintln!("moves of {LENGTHS_M:?} m: {counts:?}, shares that differ {shares:?}");
    assert!(counts[0].free > 200 && counts[0].along_one_wall > 10, "{counts:?}");
    let along = counts.iter().map(|count| count.along_one_wall).sum::<usize>();
    let along_differ = counts.iter().map(|count| count.along_differ).sum::<usize>();
    assert!(along > 50 && along_differ * 100 <= along, "{counts:?}");
    assert!(shares[0] < 0.01 && shares[3] > 0.02, "{shares:?}");
}
