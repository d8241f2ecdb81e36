//! Ways of equal length: one of them is enough, and searches do not follow all of them.

use super::tests::{Field, Random, find_in, of_quads, place};
use super::{AnyAngle, AnyAngleMemory};
use crate::mesh::{Openness, View};
use glam::{DVec2, dvec2};

/// Quads of one metre, open where `is_open`.
fn quads(size: usize, is_open: impl FnMut(usize) -> bool) -> Field {
    let row = size + 1;
    let points: Vec<DVec2> = (0..row * row).map(|i| dvec2((i % row) as f64, (i / row) as f64)).collect();
    of_quads(&points, size, &(0..size * size).map(is_open).collect::<Vec<_>>())
}

/// Paths are as long as those of a search that follows all ways of equal length. Most of these fields have places where
/// holes touch at one corner.
#[test]
fn one_of_several_equal_ways_is_enough() {
    let fields = if crate::sweeps::sweeps() { 1_000 } else { 60 };
    let mut reached = 0;
    for seed in 0..fields {
        let mut random = Random(seed);
        let size = 4 + random.below(6);
        let holes = 0.1 + 0.4 * random.next();
        let field = quads(size, |_| random.next() >= holes);
        let closed: Vec<bool> = (0..field.mesh.len()).map(|_| random.next() < 0.15).collect();
        let one = Openness::new(&field.mesh, |polygon| seed % 2 == 0 || !closed[polygon as usize]);
        let mut all = one.clone();
        all.follow_all_ways();
        for _ in 0..10 {
            let whole = random.next() < 0.7;
            let from = place(&mut random, &field.mesh, whole);
            let to = place(&mut random, &field.mesh, whole);
            let [path, expected] =
                [&one, &all].map(|openness| find_in(View::new(&field.mesh, openness), from, to));
            let lengths = [&path, &expected].map(|path| path.as_ref().map_or(-1.0, |path| path.length_m));
            assert!(
                (lengths[0] - lengths[1]).abs() < 1e-9,
                "seed {seed}: {from:?} to {to:?}: {path:?}, not {expected:?}"
            );
            reached += usize::from(path.is_some());
        }
    }
    assert!(reached > 100, "{reached} paths");
}

/// Equal halls, six metres apart, with doors in the middle of their walls. Many thousands of ways have equal length.
#[test]
fn rows_of_equal_halls_are_not_searched_way_by_way() {
    let halls = 20;
    let size = 6 * halls + 1;
    let is_open = |cell: usize| {
        let (x, z) = (cell % size, cell / size);
        let is_inside = 0 < x.min(z) && x.max(z) < size - 1;
        is_inside && [(x % 6, z % 6), (z % 6, x % 6)].iter().all(|&(x, z)| x > 0 || z == 3)
    };
    let Field { mesh, .. } = quads(size, is_open);
    let one = Openness::new(&mesh, |_| true);
    let mut all = one.clone();
    all.follow_all_ways();
    let (from, to) = (dvec2(1.5, 1.5), dvec2(6.0 * 20.0 - 1.5, 6.0 * 15.0 + 1.5));
    let ends = [from, to].map(|at| {
        let holds = |&polygon: &u32| mesh.closest(polygon, at) == at;
        ((0..mesh.len() as u32).find(holds).unwrap(), at)
    });
    let expansions = [&one, &all].map(|openness| expansions(View::new(&mesh, openness), ends[0], ends[1]));
    let polygons = mesh.len() as u64;
    assert!(
        expansions[0] < polygons && expansions[1] > 10 * polygons,
        "{expansions:?} in {polygons} polygons"
    );
}

fn expansions(view: View<'_>, from: (u32, DVec2), to: (u32, DVec2)) -> u64 {
    let mut search = AnyAngle::new(view, from, to, AnyAngleMemory::default());
    search.advance(view, u64::MAX);
    search.expansions()
}
