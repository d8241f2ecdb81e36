//! The planner from portal to portal, against the shortest paths over the same polygons.

use crate::mesh::Behind;
use crate::mesh::test_rooms::{Random, random_room};
use crate::nav::{AreaId, Outcome, Path, Query, Region};
use crate::plan::find_path;
use crate::room::{GroundKind, PlannerKind, Room};
use crate::surface::{SearchMemory, Surface};
use crate::sweeps::sweeps;

/// Lengths that differ by less are equal, in metres.
const SAME_M: f64 = 1e-7;

/// The room as polygons, with each planner: for the shortest paths, and from portal to portal.
fn both(room: &Room) -> Option<[Surface; 2]> {
    let ground = |planner| {
        let mut room = room.clone();
        room.ground.planner = planner;
        Surface::new(&room).ok()
    };
    let [shortest, portals] = [PlannerKind::AnyAngle, PlannerKind::Portals].map(ground);
    Some([shortest?, portals?])
}

/// The length of a path that was checked: all its lines are clear, and its corridor leads from polygon to polygon.
fn length_m(ground: &Surface, query: &Query, path: &Path) -> f64 {
    let mesh = ground.as_mesh().unwrap();
    let (mut at, mut length_m) = (ground.locate(query.from), 0.0);
    for &next in &path.waypoints {
        assert!(ground.segment_clear(at, next), "{at:?} to {next:?}");
        length_m += at.at.distance(next.at);
        at = next;
    }
    assert!((length_m - path.length_m).abs() < SAME_M, "{length_m} m, not {} m", path.length_m);
    let polygons = mesh.polygon_views();
    for pair in path.corridor.windows(2) {
        let behind = &polygons[pair[0].0 as usize].behind;
        let leads =
            behind.contains(&Behind::Portal(pair[1].0)) || behind.contains(&Behind::OneWay(pair[1].0));
        assert!(leads, "{pair:?}");
    }
    length_m
}

#[test]
fn paths_over_portals_exist_where_the_shortest_do_and_are_never_shorter() {
    let (mut compared, mut longer, mut sums) = (0, 0, [0.0, 0.0]);
    for seed in 0..if sweeps() { 1_000 } else { 60 } {
        let mut room = random_room(seed);
        // Cells as rectangles, too.
        room.ground.kind = if seed % 4 == 0 { GroundKind::Grid } else { GroundKind::Mesh };
        let Some(mut grounds) = both(&room) else { continue };
        let mut random = Random(seed);
        let mut memory = SearchMemory::default();
        for round in 0..12 {
            if round % 4 == 3 && !room.areas.is_empty() {
                let area = AreaId(random.below(room.areas.len() as u64) as usize);
                let is_open = random.below(2) == 0;
                for ground in &mut grounds {
                    ground.set_area_available(area, is_open);
                }
            }
            let mut draw = || random.within(0.0, 1.0);
            let mut place = || grounds[0].random_place(&Region::default(), u64::MAX, &mut draw);
            let (Some((Some(from), _)), Some((Some(to), _))) = (place(), place()) else { continue };
            let query = Query::new(from.at, to.at).with_snap_m(1.0);
            let [shortest, portals] =
                [0, 1].map(|which: usize| find_path(&grounds[which], query.clone(), &mut memory));
            assert_eq!(
                (shortest.outcome, shortest.reason),
                (portals.outcome, portals.reason),
                "seed {seed}, {from:?} to {to:?}"
            );
            let lengths =
                [(0, &shortest), (1, &portals)].map(|(which, path)| length_m(&grounds[which], &query, path));
            assert!(lengths[1] > lengths[0] - SAME_M, "seed {seed}, {from:?} to {to:?}: {lengths:?}");
            if shortest.outcome == Outcome::Complete {
                compared += 1;
                longer += usize::from(lengths[1] > lengths[0] + SAME_M);
                sums = [0, 1].map(|which| sums[which] + lengths[which]);
            }
        }
    }
    assert!(compared > 300 && longer > 10 && sums[1] < 1.05 * sums[0], "{longer} of {compared}, {sums:?}");
}
