//! Paths over random masks, held against the oracle.

use super::oracle::Oracle;
use crate::common::painted::{painted, png_of};
use crate::common::thousand;
use cicerone::nav::{Disc, Outcome, Path, Position, Query, Step};
use cicerone::plan::find_path;
use cicerone::room::Room;
use cicerone::surface::{SearchMemory, Surface};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// A mask and how it is sampled.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) width: u32,
    pub(crate) depth: u32,
    pub(crate) walkable: Vec<bool>,
    pub(crate) rate: f64,
    pub(crate) eight: bool,
    pub(crate) cover: bool,
    pub(crate) pull: bool,
}

impl Case {
    pub(crate) fn room(&self) -> Room {
        let blue = |x: u32, z: u32| if self.walkable[(z * self.width + x) as usize] { 255 } else { 127 };
        let png = png_of(self.width, self.depth, |x, z| [1, 2, blue(x, z)]);
        let more = format!(
            r#", "sampleRate": {}, "neighbours": {}, "sampling": "{}", "shortening": "{}""#,
            self.rate,
            if self.eight { 8 } else { 4 },
            if self.cover { "cover" } else { "point" },
            if self.pull { "pull" } else { "divide" },
        );
        painted(&png, &more)
    }

    pub(crate) fn oracle(&self) -> Oracle {
        let (width, depth) = (i64::from(self.width), i64::from(self.depth));
        let Self { rate, eight, cover, .. } = *self;
        Oracle { width, depth, walkable: self.walkable.clone(), rate, eight, cover }
    }
}

/// Masks of three kinds: noise, blotches as an artist paints them, and fences of one pixel at any angle.
pub(crate) fn case() -> impl Strategy<Value = Case> {
    let rate = prop_oneof![Just(1.0), Just(2.0), Just(3.0), Just(4.0), (1.0..5.0_f64)];
    let looks = (rate, any::<bool>(), any::<bool>(), any::<bool>());
    let size = (3u32..30, 3u32..24);
    let blots = prop::collection::vec((0.0..30.0, 0.0..24.0, 0.5..7.0, any::<bool>()), 0..14);
    let fences = prop::collection::vec((0.0..30.0, 0.0..24.0, 0.0..30.0, 0.0..24.0), 0..4);
    (size, looks, 0u32..5, any::<u64>(), blots, fences).prop_map(
        |((width, depth), (rate, eight, cover, pull), noise, seed, blots, fences)| {
            let mut walkable = Vec::new();
            for i in 0..width * depth {
                let (x, z) = (f64::from(i % width) + 0.5, f64::from(i / width) + 0.5);
                let inside = |&&(bx, bz, r, _): &&(f64, f64, f64, bool)| dvec2(x - bx, z - bz).length() < r;
                let painted = blots.iter().rfind(inside).is_none_or(|blot| blot.3);
                let mixed = (u64::from(i) + 1).wrapping_mul(seed | 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                walkable.push(painted && (mixed >> 60) as u32 >= noise);
            }
            for (ax, az, bx, bz) in fences {
                fence(&mut walkable, (width, depth), dvec2(ax, az), dvec2(bx, bz));
            }
            walkable[0] |= !walkable.contains(&true); // a room without any floor is refused
            Case { width, depth, walkable, rate, eight, cover, pull }
        },
    )
}

/// Paints a line of single pixels, touching at corners at least, as any painting program does.
fn fence(walkable: &mut [bool], (width, depth): (u32, u32), from: DVec2, to: DVec2) {
    let steps = (to - from).abs().max_element().ceil().max(1.0) as u32;
    for step in 0..=steps {
        let at = from.lerp(to, f64::from(step) / f64::from(steps)).floor();
        if at.x >= 0.0 && at.y >= 0.0 && at.x < f64::from(width) && at.y < f64::from(depth) {
            walkable[(at.y as u32 * width + at.x as u32) as usize] = false;
        }
    }
}

pub(crate) fn answer(ground: &Surface, from: DVec2, to: DVec2) -> Path {
    let query = Query::new(from, to).with_snap_m(8.0);
    find_path(ground, query, &mut SearchMemory::default())
}

pub(crate) fn length(points: &[DVec2]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

proptest! {
    #![proptest_config(thousand())]

    #[test]
    fn paths_are_those_of_the_texts_graph(case in case(), ends in prop::array::uniform4(0.0..1.0_f64)) {
        let (room, oracle) = (case.room(), case.oracle());
        let ground = Surface::new(&room).unwrap();
        let size = dvec2(f64::from(case.width), f64::from(case.depth));
        let (from, to) = (dvec2(ends[0], ends[1]) * size, dvec2(ends[2], ends[3]) * size);
        let path = answer(&ground, from, to);
        prop_assert!(path.waypoints.iter().all(|point| point.at.is_finite()));

        let start_walks = oracle.is_walkable(from.x as i64, from.y as i64);
        let (start, goal) = (oracle.node_of(from), oracle.node_of(to));
        // Every leg keeps to walkable pixels, from the start itself if that is walkable.
        let mut legs = path.points();
        if start_walks {
            legs.insert(0, from);
        }
        for leg in legs.windows(2) {
            prop_assert!(oracle.sees(leg[0], leg[1]), "{} to {} in {path:?}", leg[0], leg[1]);
        }
        let (Some(start), Some(goal)) = (start, goal) else {
            if start_walks && start.is_none() {
                let straight = oracle.sees(from, to);
                prop_assert_eq!(path.outcome == Outcome::Complete, straight, "a pocket leads where it sees");
            }
            return Ok(());
        };
        let steps = oracle.steps_from(start);
        let Some(&fewest) = steps.get(&goal) else {
            prop_assert_eq!(path.outcome == Outcome::Complete, oracle.leads(from, to), "{:?}", &path);
            return Ok(());
        };
        prop_assert_eq!(path.outcome, Outcome::Complete, "{:?}", &path);
        prop_assert_eq!(*path.points().last().unwrap(), to, "it ends exactly at the goal");
        // With a rate of 1 and eight neighbours it is a plain grid, whose ends are cells.
        if case.rate == 1.0 && case.eight {
            return Ok(());
        }
        if !case.eight && case.rate.fract() == 0.0 {
            prop_assert_eq!(path.cost_cells, f64::from(fewest) * case.rate, "the fewest steps");
        }
        let least = oracle.costs_from(start)[&goal];
        prop_assert!((path.cost_cells - least).abs() < 1e-6, "{} for {least}", path.cost_cells);
        let ends = from.distance(oracle.place(start)) + oracle.place(goal).distance(to);
        let raw = ends + least;
        let mut whole = path.points();
        whole.insert(0, from);
        prop_assert!(length(&whole) <= raw + 1e-9, "{} m, unshortened {raw} m", length(&whole));
    }

    /// As many as the nodes' parts are more than the pixels' patches.
    #[test]
    fn every_way_that_the_nodes_lack_is_told(case in case()) {
        let ground = Surface::new(&case.room()).unwrap();
        if ground.as_grid().unwrap().nodes_are_cells() {
            return Ok(());
        }
        let lost = ground.lost_ways();
        prop_assert_eq!(lost.iter().filter(|way| way.parts).count(), case.oracle().lacking());
        let rate = ground.rate_that_loses_none().unwrap();
        prop_assert!(rate < case.rate || case.rate == 1.0, "{rate} instead of {}", case.rate);
        prop_assert_eq!(Case { rate, ..case.clone() }.oracle().lacking(), 0, "with a rate of {}", rate);
    }

    #[test]
    fn those_who_stand_between_nodes_are_walked_round(
        case in case(),
        ends in prop::array::uniform4(0.0..1.0_f64),
        discs in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64, 0.2..2.5_f64), 1..4),
    ) {
        let ground = Surface::new(&case.room()).unwrap();
        if ground.as_grid().unwrap().nodes_are_cells() {
            return Ok(());
        }
        let size = dvec2(f64::from(case.width), f64::from(case.depth));
        let (from, to) = (dvec2(ends[0], ends[1]) * size, dvec2(ends[2], ends[3]) * size);
        let obstacles: Vec<Disc> =
            discs.iter().map(|&(x, z, radius_m)| Disc { centre: Position::on_ground(dvec2(x, z) * size), radius_m }).collect();
        let query = Query::new(from, to).with_snap_m(8.0).with_obstacles(obstacles.clone());
        let path = find_path(&ground, query, &mut SearchMemory::default());
        if path.step != Step::Avoiding || path.outcome != Outcome::Complete {
            return Ok(());
        }
        // Between nodes nobody walks through anybody; the ends may lie beside somebody, closer than any node.
        for leg in path.waypoints.windows(2).take(path.waypoints.len().saturating_sub(2)) {
            for disc in &obstacles {
                let starts_in_it = leg[0].distance(disc.centre) <= disc.radius_m;
                let apart = cicerone::geometry::distance_sq_to_segment(disc.centre.at, leg[0].at, leg[1].at).sqrt();
                prop_assert!(starts_in_it || apart > disc.radius_m, "{} to {} past {disc:?}", leg[0], leg[1]);
            }
        }
        let last = *path.waypoints.last().unwrap();
        for disc in &obstacles {
            prop_assert!(last.distance(disc.centre) > disc.radius_m, "{from} to {to}: {path:?} in {disc:?}");
        }
    }

    #[test]
    fn repainted_masks_are_as_if_painted_so_from_the_beginning(case in case(), again in case(), inside in any::<bool>()) {
        let before = Surface::new(&case.room()).unwrap();
        let mut repainted = case.clone();
        if inside {
            // Another mask in the same frame.
            for (i, pixel) in repainted.walkable.iter_mut().enumerate() {
                let (x, z) = (i as u32 % case.width, i as u32 / case.width);
                if x < again.width && z < again.depth {
                    *pixel = again.walkable[(z * again.width + x) as usize];
                }
            }
        } else {
            (repainted.rate, repainted.cover) = (again.rate, again.cover);
        }
        repainted.walkable[0] |= !repainted.walkable.contains(&true);
        let room = repainted.room();
        let (rebuilt, _) = before.rebuilt(&room, &[]).unwrap();
        let fresh = Surface::new(&room).unwrap();
        prop_assert_eq!(rebuilt.as_grid().unwrap().words(), fresh.as_grid().unwrap().words());
        let node_limit = rebuilt.node_limit();
        prop_assert_eq!(node_limit, fresh.node_limit());
        let none = ground_overlay(&fresh);
        for node in (0..node_limit as u32).map(cicerone::internals::grid::Node) {
            let edges = |ground: &Surface| {
                let mut edges = Vec::new();
                ground.as_grid().unwrap().for_each_edge(node, &none, |to, cost| edges.push((to, cost.to_bits())));
                edges
            };
            prop_assert_eq!(edges(&rebuilt), edges(&fresh), "{:?}", node);
        }
    }

    #[test]
    fn fences_of_one_pixel_hold_at_every_angle(
        size in 12u32..60,
        across in (0.0..1.0_f64, 0.0..1.0_f64),
        on_its_side in any::<bool>(),
        looks in (prop_oneof![Just(1.0), Just(4.0), 1.0..5.0_f64], any::<bool>(), any::<bool>()),
        ends in prop::array::uniform4(0.0..1.0_f64),
    ) {
        // From the left edge to the right one, or from the upper to the lower.
        let edge = f64::from(size);
        let (mut a, mut b) = (dvec2(0.0, across.0 * edge), dvec2(edge - 0.5, across.1 * edge));
        if on_its_side {
            (a, b) = (dvec2(a.y, a.x), dvec2(b.y, b.x));
        }
        let mut walkable = vec![true; (size * size) as usize];
        fence(&mut walkable, (size, size), a, b);
        let case = Case { width: size, depth: size, walkable, rate: looks.0, eight: looks.1, cover: false, pull: looks.2 };
        let (ground, oracle) = (Surface::new(&case.room()).unwrap(), case.oracle());
        let (from, to) = (dvec2(ends[0], ends[1]) * edge, dvec2(ends[2], ends[3]) * edge);
        let side = |p: DVec2| (b - a).perp_dot(p - a);
        let apart = side(from) * side(to) < 0.0
            && [from, to].iter().all(|p| side(*p).abs() / (b - a).length() > 1.5);
        if apart && oracle.node_of(from).is_some() {
            let path = answer(&ground, from, to);
            prop_assert_ne!(path.outcome, Outcome::Complete);
            prop_assert!(path.waypoints.iter().all(|&p| side(p.at) * side(from) > 0.0), "{:?}", path.waypoints);
            prop_assert!(!ground.segment_clear(from, to));
        }
    }
}

fn ground_overlay(ground: &Surface) -> cicerone::internals::grid::Overlay {
    ground.as_grid().unwrap().overlay(&[])
}

/// A comb, a spiral and a chessboard, as large as they come: what takes shortening longest.
#[test]
fn shortening_ends_on_adversarial_masks() {
    const SIZE: u32 = 257;
    let comb = |x: u32, z: u32| x.is_multiple_of(2) || z == if x % 4 == 1 { 0 } else { SIZE - 1 };
    let spiral = |x: u32, z: u32| {
        let ring = x.min(z).min(SIZE - 1 - x).min(SIZE - 1 - z);
        ring.is_multiple_of(2) || (x == ring && z == ring + 1) || (ring == SIZE / 2)
    };
    let chess = |x: u32, z: u32| (x + z).is_multiple_of(2);
    let kinds: [&dyn Fn(u32, u32) -> bool; 3] = [&comb, &spiral, &chess];
    for (index, kind) in kinds.into_iter().enumerate() {
        let walkable = (0..SIZE * SIZE).map(|i| kind(i % SIZE, i / SIZE)).collect();
        let case =
            Case { width: SIZE, depth: SIZE, walkable, rate: 1.0, eight: false, cover: false, pull: false };
        let ground = Surface::new(&case.room()).unwrap();
        let from = dvec2(0.5, 0.5);
        for to in [dvec2(256.5, 256.5), dvec2(128.5, 128.5), from] {
            let path = answer(&ground, from, to);
            assert_eq!(path.outcome == Outcome::Complete, index < 2 || to == from, "kind {index} to {to}");
            if path.outcome == Outcome::Complete {
                assert_eq!(*path.points().last().unwrap(), to);
                let mut whole = path.points();
                whole.insert(0, from);
                assert!(length(&whole) <= path.cost_cells + 1e-6);
                assert!(whole.windows(2).all(|leg| ground.segment_clear(leg[0], leg[1])));
            }
        }
    }
}
