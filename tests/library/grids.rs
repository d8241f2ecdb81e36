//! Rooms made of a grid: baked, walked about in, changed under the walkers.

use crate::common::{any_point, any_room};
use cicerone::nav::{Disc, Outcome, Position, Query, Step};
use cicerone::plan::find_path;
use cicerone::room::{GridCells, Room, RoomField, difference, parse};
use cicerone::surface::{SearchMemory, Surface};
use glam::DVec2;
use proptest::prelude::*;

fn query(from: DVec2, to: DVec2, obstacles: &[Disc]) -> Query {
    Query::new(from, to).with_snap_m(8.0).with_obstacles(obstacles.to_vec())
}

fn any_discs() -> impl Strategy<Value = Vec<Disc>> {
    let disc = (any_point(), 0.05..1.5)
        .prop_map(|(centre, radius_m)| Disc { centre: Position::on_ground(centre), radius_m });
    prop::collection::vec(disc, 0..5)
}

/// The grid room of a baked ground.
fn baked(ground: &Surface) -> Room {
    parse("baked.txt", ground.to_text_grid().unwrap().as_bytes())
        .unwrap_or_else(|report| panic!("{report}"))
        .room
}

/// Some cells of a room made of a grid turned over.
fn changed(room: &Room, flips: &[(u32, u32)]) -> Room {
    let old = room.grid.as_ref().unwrap();
    let walkable = |x: u32, z: u32| {
        let flipped = flips.iter().any(|&(a, b)| (a % old.width(), b % old.depth()) == (x, z));
        old.is_walkable(x, z) != flipped
    };
    Room::of_grid("baked", room.ground, GridCells::new(old.min, old.width(), old.depth(), walkable))
}

proptest! {
    #![proptest_config(crate::common::thousand())]

    /// A baked room leads the same ways as the room does, with and without people in the way; baking it again changes
    /// nothing. It has no areas, so it does not know whether a goal that is no ground lies in a closed one.
    #[test]
    fn a_baked_room_has_the_same_paths(room in any_room(), from in any_point(), to in any_point(), discs in any_discs()) {
        let ground = Surface::new(&room).unwrap();
        let grid = Surface::new(&baked(&ground)).unwrap();
        prop_assert_eq!(ground.as_grid().unwrap().frame(), grid.as_grid().unwrap().frame());
        prop_assert_eq!(ground.as_grid().unwrap().words(), grid.as_grid().unwrap().words());
        prop_assert_eq!(ground.to_text_grid(), grid.to_text_grid());
        for obstacles in [&[][..], &discs] {
            let ask = |ground| find_path(ground, query(from, to, obstacles), &mut SearchMemory::default());
            let (mut path, baked) = (ask(&ground), ask(&grid));
            if path.closed_area.take().is_some() {
                (path.outcome, path.reason, path.step) = (baked.outcome, baked.reason, baked.step);
            }
            prop_assert_eq!(path, baked);
        }
    }

    /// Who stands in the way is never written into the ground, and no way leads through them unless it says so.
    #[test]
    fn obstacles_of_a_query_leave_the_ground_alone(room in any_room(), from in any_point(), to in any_point(), discs in any_discs()) {
        let ground = Surface::new(&room).unwrap();
        let before = (ground.as_grid().unwrap().words().to_vec(), ground.revision());
        let mut memory = SearchMemory::default();
        let free = find_path(&ground, query(from, to, &[]), &mut memory);
        let path = find_path(&ground, query(from, to, &discs), &mut memory);
        let after = find_path(&ground, query(from, to, &[]), &mut memory);
        prop_assert_eq!((ground.as_grid().unwrap().words().to_vec(), ground.revision()), before);
        prop_assert_eq!(&free, &after, "and the next query knows nothing of them");
        // A covered goal snaps to the nearest free cell, which may lie where a way leads though none leads to the goal
        // itself.
        let at_worst_through = free.outcome != Outcome::Complete || path.outcome == Outcome::Complete;
        prop_assert!(at_worst_through, "{:?} without, {:?} with them", free.outcome, path.outcome);
        prop_assert!(path.step != Step::Ignoring || !ground.as_grid().unwrap().overlay(&discs).is_empty(), "through nobody");
    }

    /// Changing cells in place gives the same bits as building the new grid from nothing, and says what it touched.
    #[test]
    fn a_changed_grid_equals_a_new_one(room in any_room(), flips in prop::collection::vec(any::<(u32, u32)>(), 0..6)) {
        let old = baked(&Surface::new(&room).unwrap());
        let new = changed(&old, &flips);
        let ground = Surface::new(&old).unwrap();
        let (rebuilt, dirty) = ground.rebuilt(&new, &[]).unwrap();
        let fresh = Surface::new(&new).unwrap();
        prop_assert_eq!(rebuilt.as_grid().unwrap().words(), fresh.as_grid().unwrap().words());
        prop_assert_eq!(dirty.is_some(), rebuilt.as_grid().unwrap().words() != ground.as_grid().unwrap().words());
        prop_assert_eq!(difference(&old, &new).room.contains(&RoomField::Grid), dirty.is_some());
        if let Some(dirty) = dirty {
            for index in 0..ground.as_grid().unwrap().frame().len() as u32 {
                let centre = ground.as_grid().unwrap().centre(cicerone::internals::grid::Node(index));
                let inside = centre.cmpge(dirty.min).all() && centre.cmple(dirty.max).all();
                prop_assert!(inside || ground.is_walkable(centre) == rebuilt.is_walkable(centre));
            }
        }
    }

    /// A room of polygons may become one of cells under the same name, and the other way round.
    #[test]
    fn polygons_become_cells_and_cells_polygons(room in any_room(), other in any_room()) {
        let cells = baked(&Surface::new(&other).unwrap());
        let open: Vec<bool> = room.areas.iter().map(|area| area.available).collect();
        let ground = Surface::new(&room).unwrap();
        let (as_cells, _) = ground.rebuilt(&cells, &[]).unwrap();
        let fresh = Surface::new(&cells).unwrap();
        prop_assert_eq!(as_cells.as_grid().unwrap().words(), fresh.as_grid().unwrap().words());
        let (back, _) = as_cells.rebuilt(&room, &open).unwrap();
        prop_assert_eq!(back.as_grid().unwrap().words(), ground.as_grid().unwrap().words());
        prop_assert_eq!(back.as_grid().unwrap().frame(), ground.as_grid().unwrap().frame());
    }
}

#[test]
fn a_goal_that_somebody_covers_is_reached_beside_or_through_them() {
    let text = "cellSize 1\nminX 0\nminZ 0\ngridWidth 7\ngridDepth 3\n1111111\n1111111\n1111111\n";
    let ground = Surface::new(&parse("a.txt", text.as_bytes()).unwrap().room).unwrap();
    let disc = |x: f64, radius_m: f64| Disc { centre: Position::on_ground(DVec2::new(x, 1.5)), radius_m };
    let ask = |disc| {
        let query = query(DVec2::new(0.5, 1.5), DVec2::new(6.5, 1.5), &[disc]);
        find_path(&ground, query, &mut SearchMemory::default())
    };
    use cicerone::nav::Step::{Avoiding, Ignoring};
    let round = ask(disc(3.5, 0.5));
    assert_eq!((round.outcome, round.step), (Outcome::Complete, Avoiding));
    assert!(round.length_m > 6.0, "round them: {}", round.length_m);
    let through = ask(disc(3.5, 1.5));
    assert_eq!((through.outcome, through.step, through.length_m), (Outcome::Complete, Ignoring, 6.0));
}

mod running {
    use crate::common::project::Project;
    use cicerone::runtime::{Options, Reload, Runtime};
    use std::collections::BTreeSet;

    const YARD: &str = "cellSize 0.5\nagentRadius 0.2\nminX 0\nminZ 0\ngridWidth 12\ngridDepth 4\n\
        111111111111\n111111111111\n111111111111\n111111111111\n";
    /// Two people who walk to and fro for ever.
    const SCRIPT: &str = "local R = {}
function R.on_load(room)
  for i, z in ipairs { 0.4, 1.6 } do
    local who = spawn { at = { 0.5, z }, name = 'walker' .. i }
    start(function()
      while true do who:walk_to(5.5, z) who:walk_to(0.5, z) wait(0.1) end
    end)
  end
end
return R";

    fn open(name: &str, grid: &str) -> (Project, Runtime) {
        let project = Project::new(&[(name, grid), ("scripts/walk.lua", SCRIPT)]);
        let options = Options::default().with_scripts(vec!["scripts/walk.lua".into()]);
        let runtime = Runtime::open(&project.path(name), options).unwrap_or_else(|error| panic!("{error}"));
        (project, runtime)
    }

    fn reload(project: &Project, runtime: &mut Runtime, grid: &str) -> Reload {
        project.write("rooms/yard.txt", grid);
        runtime.reload(&BTreeSet::from([project.path("rooms/yard.txt")]))
    }

    #[test]
    fn people_walk_about_in_a_grid() {
        for (name, grid) in [
            ("rooms/yard.txt", YARD),
            ("rooms/yard.map", "type octile\nheight 2\nwidth 6\nmap\n......\n......\n"),
        ] {
            let (_project, mut runtime) = open(name, grid);
            (0..60 * 20).for_each(|_| runtime.step());
            assert_eq!(runtime.world().characters().len(), 2, "{name}");
            assert!(runtime.tally().walks["arrived"] >= 4, "{name}: {:?}", runtime.tally().walks);
            assert_eq!(runtime.tally().script_errors, 0, "{name}");
        }
    }

    #[test]
    fn a_saved_grid_changes_under_the_walkers() {
        let (project, mut runtime) = open("rooms/yard.txt", YARD);
        (0..60).for_each(|_| runtime.step());
        let wall = YARD.replace(
            "111111111111\n111111111111\n111111111111\n",
            "111111011111\n111111011111\n111111011111\n",
        );
        assert!(matches!(reload(&project, &mut runtime, &wall), Reload::Done { .. }));
        for _ in 0..60 * 20 {
            runtime.step();
            let world = runtime.world();
            assert!(world.characters().iter().all(|c| world.ground().is_walkable(c.position)));
        }
        assert_eq!(runtime.world().characters().len(), 2);
        assert!(runtime.tally().walks["arrived"] >= 4, "{:?}", runtime.tally().walks);
        let fresh = cicerone::surface::Surface::new(runtime.world().room()).unwrap();
        assert_eq!(runtime.world().ground().as_grid().unwrap().words(), fresh.as_grid().unwrap().words());

        let hash = runtime.world().checksum();
        let half = &wall[..wall.len() - 20];
        let Reload::Refused { problems, .. } = reload(&project, &mut runtime, half) else {
            panic!("half a file")
        };
        assert!(
            problems[0].to_string().starts_with("rooms/yard.txt:9:7: row 3 has 6 cells, expected 12"),
            "{problems:?}"
        );
        assert_eq!(runtime.world().checksum(), hash, "the last good version runs on");
        let nowhere = wall.replace('1', "0").replace("gridWidth 02", "gridWidth 12").replace("00.", "0.");
        let refused = reload(&project, &mut runtime, &nowhere);
        assert!(matches!(refused, Reload::Refused { .. }), "nowhere to stand: {refused:?}");
        assert_eq!(runtime.world().checksum(), hash);
    }
}
