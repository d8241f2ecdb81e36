//! Rooms of cells with paths of any angle, against the grid of the same cells and a visibility graph of their corners.

use crate::grid::Grid;
use crate::mesh::test_rooms::{Random, random_room};
use crate::nav::{AreaId, Outcome, Position, Query};
use crate::room::{GridCells, PlannerKind, Room};
use crate::surface::Surface;
use crate::sweeps::sweeps;
use glam::{DVec2, I64Vec2, dvec2};
use std::sync::Arc;

/// Blocked cells are passed at this distance, in cells: paths touch their corners.
const TOUCH: f64 = 1e-7;

/// Lengths that differ by less are equal, in metres.
const SAME_M: f64 = 1e-7;

/// The room with each planner.
fn both(room: &Room) -> (Surface, Surface) {
    let mut any_angle = room.clone();
    any_angle.ground.planner = PlannerKind::AnyAngle;
    let (grid, polygons) = (Surface::new(room).unwrap(), Surface::new(&any_angle).unwrap());
    assert!(grid.as_grid().is_some() && polygons.as_mesh().is_some());
    (grid, polygons)
}

/// A random room of areas and obstacles on coarse cells, or one whose file gives cells at random.
fn room(seed: u64) -> Room {
    let random = &mut Random(seed);
    let mut room = random_room(seed);
    if seed.is_multiple_of(3) {
        let (width, depth, share) =
            (6 + random.below(20) as u32, 6 + random.below(20) as u32, random.below(6));
        let cells = GridCells::new(dvec2(-4.0, -4.0), width, depth, |x, z| {
            let of_cell = u64::from(z * width + x);
            Random(seed.wrapping_mul(0x1_0001) ^ of_cell << 32).below(10) >= share
        });
        room.grid = Some(Arc::new(cells));
    }
    let sizes = [0.2, 0.3, 0.4, 0.5];
    room.ground.cell_size_m = sizes[random.below(4) as usize];
    room
}

/// The cells of a grid, in whole numbers.
struct Cells<'a> {
    grid: &'a Grid,
    /// Corners at which paths turn, in cells.
    turns: Vec<DVec2>,
    /// Corners at which two walkable cells touch, and two blocked ones.
    touching: Vec<DVec2>,
}

impl<'a> Cells<'a> {
    fn new(grid: &'a Grid) -> Self {
        let mut cells = Self { grid, turns: Vec::new(), touching: Vec::new() };
        let frame = *grid.frame();
        for (z, x) in (0..=frame.depth).flat_map(|z| (0..=frame.width).map(move |x| (z, x))) {
            let (x, z) = (i64::from(x), i64::from(z));
            let [a, b, c, d] = [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(|(i, k)| cells.is_open(x + i, z + k));
            let corner = dvec2(x as f64, z as f64);
            match [a, b, c, d].iter().filter(|open| **open).count() {
                3 => cells.turns.push(corner),
                2 if a == d => cells.touching.push(corner),
                _ => {}
            }
        }
        cells
    }

    fn is_open(&self, x: i64, z: i64) -> bool {
        let centre = self.grid.frame().min + (dvec2(x as f64, z as f64) + 0.5) * self.cell_m();
        self.grid.is_walkable(centre)
    }

    fn cell_m(&self) -> f64 {
        self.grid.resolution_m()
    }

    fn in_cells(&self, point: DVec2) -> DVec2 {
        (point - self.grid.frame().min) / self.cell_m()
    }

    /// Whether a line may be walked: it passes no blocked cell, nor between two that touch.
    fn is_clear(&self, a: DVec2, b: DVec2) -> bool {
        let along = (b - a).normalize_or_zero();
        for axis in [0, 1] {
            // Along an edge of cells, one side must be walkable.
            if along[axis].abs() < 1e-9 && (a[axis] - a[axis].round()).abs() < TOUCH {
                let other = 1 - axis;
                let line = a[axis].round() as i64;
                let (from, to) = (a[other].min(b[other]), a[other].max(b[other]));
                let places = (from + TOUCH).floor() as i64..=(to - TOUCH).floor() as i64;
                let sides = |at: i64| match axis {
                    0 => [(line - 1, at), (line, at)],
                    _ => [(at, line - 1), (at, line)],
                };
                if places.into_iter().any(|at| !sides(at).iter().any(|&(x, z)| self.is_open(x, z))) {
                    return false;
                }
            }
        }
        let length = a.distance(b);
        let is_through = |corner: &DVec2| {
            let at = along.dot(*corner - a);
            at > TOUCH && at < length - TOUCH && along.perp_dot(*corner - a).abs() < TOUCH
        };
        if self.touching.iter().any(is_through) {
            return false;
        }
        let (low, high) = (a.min(b).floor().as_i64vec2(), a.max(b).floor().as_i64vec2());
        for (z, x) in (low.y..=high.y).flat_map(|z| (low.x..=high.x).map(move |x| (z, x))) {
            if !self.is_open(x, z) && crosses(I64Vec2::new(x, z), a, b) {
                return false;
            }
        }
        true
    }

    /// The length of the shortest way, in metres: Dijkstra's algorithm over the ends and all corners in sight.
    fn shortest_m(&self, from: DVec2, to: DVec2) -> Option<f64> {
        let mut points = vec![self.in_cells(from), self.in_cells(to)];
        points.extend(&self.turns);
        let mut costs = vec![f64::INFINITY; points.len()];
        let mut done = vec![false; points.len()];
        costs[0] = 0.0;
        loop {
            let open = (0..points.len()).filter(|&i| !done[i] && costs[i].is_finite());
            let at = open.min_by(|&a, &b| costs[a].total_cmp(&costs[b]))?;
            if at == 1 {
                return Some(costs[1] * self.cell_m());
            }
            done[at] = true;
            for other in 0..points.len() {
                let cost = costs[at] + points[at].distance(points[other]);
                if cost < costs[other].min(costs[1]) && self.is_clear(points[at], points[other]) {
                    costs[other] = cost;
                }
            }
        }
    }
}

/// Whether a line crosses the inside of a cell.
fn crosses(cell: I64Vec2, a: DVec2, b: DVec2) -> bool {
    let (low, high) = (cell.as_dvec2() + TOUCH, cell.as_dvec2() + 1.0 - TOUCH);
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in [0, 1] {
        let (from, along) = (a[axis], b[axis] - a[axis]);
        if along.abs() < 1e-12 {
            if from <= low[axis] || from >= high[axis] {
                return false;
            }
            continue;
        }
        let (one, other) = ((low[axis] - from) / along, (high[axis] - from) / along);
        (enters, leaves) = (enters.max(one.min(other)), leaves.min(one.max(other)));
    }
    enters < leaves
}

fn state(ground: &Surface) -> Vec<u64> {
    let mut words = Vec::new();
    ground.for_each_state_word(|word| words.push(word));
    words
}

/// The centres of all cells of the grid and a ring around it, and whether each is walkable. The polygons must agree.
fn check_openness(grid: &Surface, polygons: &Surface, name: &str) -> (Vec<DVec2>, usize) {
    let frame = *grid.as_grid().unwrap().frame();
    let (mut open, mut blocked) = (Vec::new(), 0);
    for (z, x) in
        (-1..=i64::from(frame.depth)).flat_map(|z| (-1..=i64::from(frame.width)).map(move |x| (z, x)))
    {
        let centre = frame.min + (dvec2(x as f64, z as f64) + 0.5) * frame.cell_size_m;
        let is_open = grid.is_walkable(centre);
        assert_eq!(polygons.is_walkable(centre), is_open, "{name}: cell {x}, {z}");
        if is_open { open.push(centre) } else { blocked += 1 }
    }
    (open, blocked)
}

/// Opens and closes areas at random, `times` times; `check` is called with both grounds after each.
fn toggling(
    room: &Room,
    random: &mut Random,
    times: u64,
    mut check: impl FnMut(&Surface, &Surface, &Room, &mut Random),
) {
    let (mut grid, mut polygons) = both(room);
    let mut now = room.clone();
    check(&grid, &polygons, &now, random);
    for _ in 0..times {
        let area = AreaId(random.below(room.areas.len() as u64) as usize);
        let available = !grid.area_available(area);
        grid.set_area_available(area, available);
        polygons.set_area_available(area, available);
        now.areas[area.0].available = available;
        check(&grid, &polygons, &now, random);
    }
}

#[test]
fn every_cell_is_as_open_as_on_the_grid_after_each_toggle() {
    let (mut open, mut blocked, mut joined, mut apart) = (0, 0, 0, 0);
    for seed in 0..if sweeps() { 5_000 } else { 120 } {
        let name = format!("room {seed}");
        toggling(&room(seed), &mut Random(seed), 6, |grid, polygons, now, random| {
            let (here, elsewhere) = check_openness(grid, polygons, &name);
            open += here.len();
            blocked += elsewhere;
            // As if the room had been so from the beginning.
            let (_, fresh) = both(now);
            assert_eq!(state(polygons), state(&fresh), "{name}");
            for _ in 0..20.min(here.len()) {
                let [from, to] = [0; 2].map(|_| here[random.below(here.len() as u64) as usize]);
                let is_joined = grid.may_reach(from, to);
                assert_eq!(polygons.may_reach(from, to), is_joined, "{name}: {from} to {to}");
                *(if is_joined { &mut joined } else { &mut apart }) += 1;
            }
        });
    }
    assert!(open > 10_000 && blocked > 10_000, "{open} cells are open, {blocked} blocked");
    assert!(joined > 1_000 && apart > 500, "{joined} pairs joined, {apart} apart");
}

#[test]
fn paths_are_as_long_as_those_of_a_visibility_graph_of_corners() {
    let (mut turned, mut shorter, mut partial) = (0, 0, 0);
    for seed in 0..if sweeps() { 2_000 } else { 40 } {
        let name = format!("room {seed}");
        toggling(&room(seed), &mut Random(seed), 2, |grid, polygons, _, random| {
            let cells = Cells::new(grid.as_grid().unwrap());
            let (open, _) = check_openness(grid, polygons, &name);
            for _ in 0..6.min(open.len()) {
                let mut ends = [0; 2].map(|_| open[random.below(open.len() as u64) as usize]);
                if random.below(2) == 0 {
                    // Anywhere in these cells.
                    ends = ends.map(|at| {
                        at + dvec2(random.within(-0.49, 0.49), random.within(-0.49, 0.49)) * cells.cell_m()
                    });
                }
                let [from, to] = ends;
                let about = format!("{name}: {from} to {to}");
                let [over_grid, over_polygons] =
                    [grid, polygons].map(|ground| super::path(ground, &Query::new(from, to)));
                assert_eq!(over_polygons.outcome, over_grid.outcome, "{about}");
                if over_grid.outcome != Outcome::Complete {
                    assert_eq!(cells.shortest_m(from, to), None, "{about}");
                    partial += 1;
                    continue;
                }
                let best_m = cells.shortest_m(from, to).unwrap();
                let found_m = over_polygons.length_m;
                assert!(
                    (found_m - best_m).abs() < SAME_M,
                    "{about}: {found_m}, not {best_m}: {over_polygons:?}"
                );
                assert!(found_m <= over_grid.length_m + SAME_M, "{about}: {found_m}, and {over_grid:?}");
                shorter += usize::from(found_m + SAME_M < over_grid.length_m);
                turned += usize::from(over_polygons.waypoints.len() > 1);
                check_legs(&cells, polygons, from, &over_polygons.waypoints, &about);
            }
        });
    }
    assert!(
        turned > 100 && partial > 50 && shorter > 20,
        "{turned} turn, {partial} partial, {shorter} shorter"
    );
}

/// Every leg of a path is clear: over the polygons, over the cells, and as the grid has it, where no corner is touched.
fn check_legs(cells: &Cells<'_>, polygons: &Surface, from: DVec2, waypoints: &[Position], about: &str) {
    let mut before = polygons.locate(from);
    for &to in waypoints {
        let [a, b] = [before.at, to.at].map(|at| cells.in_cells(at));
        assert!(polygons.segment_clear(before, to), "{about}: {before} to {to}");
        assert!(cells.is_clear(a, b), "{about}: {before} to {to}");
        let along = (b - a).normalize_or_zero();
        let touches = |corner: &&DVec2| along.perp_dot(**corner - a).abs() < 1e-6;
        if !cells.turns.iter().any(|corner| touches(&corner)) {
            assert!(cells.grid.segment_clear(before.at, to.at), "{about}: {before} to {to}");
        }
        before = to;
    }
}

#[test]
fn a_room_without_walkable_cells_has_no_ground() {
    let mut room = room(1);
    room.ground.boundary_padding_m = 100.0;
    let (grid, polygons) = both(&room);
    assert!(!grid.has_ground() && !polygons.has_ground());
    assert_eq!(polygons.nearest(DVec2::ZERO, 10.0), None);
    assert_eq!(super::path(&polygons, &Query::new(DVec2::ZERO, DVec2::ONE)).outcome, Outcome::None);
}
