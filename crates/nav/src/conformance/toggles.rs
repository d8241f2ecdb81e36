//! Random meshes whose areas open and close are what a build from nothing gives.

use super::path;
use super::random::{mesh_room, open_place, seeds, views};
use crate::mesh::test_rooms::Random;
use crate::nav::{Outcome, Query};
use crate::surface::{NextGround, Surface};
use glam::dvec2;

#[test]
fn a_toggled_mesh_is_one_that_is_built_anew() {
    let (mut changes, mut paths, mut apart) = (0, 0, 0);
    let seeds = seeds(40);
    let rooms = seeds.end as usize;
    for seed in seeds {
        let random = &mut Random(seed);
        let mut room = mesh_room(seed);
        let mut toggled = Surface::new(&room).unwrap();
        let all = views(&toggled.with_all_open());
        for turn in 0..6 {
            if room.areas.is_empty() {
                break;
            }
            let number = random.below(room.areas.len() as u64) as usize;
            let area = toggled.area_named(&room.areas[number].name).unwrap();
            room.areas[number].available = !room.areas[number].available;
            changes += usize::from(toggled.set_area_available(area, room.areas[number].available).is_some());
            let fresh = Surface::new(&room).unwrap();
            let state = |ground: &Surface| {
                let mut words = Vec::new();
                ground.for_each_state_word(|word| words.push(word));
                words
            };
            assert_eq!(state(&toggled), state(&fresh), "room {seed}, turn {turn}");
            let available: Vec<bool> = room.areas.iter().map(|area| area.available).collect();
            let (_, change) = toggled.rebuilt(&room, &available).unwrap();
            assert_eq!(change, None, "room {seed}, turn {turn}");
            // The same over a ground that was built with other areas open, as a reload has it.
            let mut other = room.clone();
            other.areas.iter_mut().for_each(|area| area.available = !area.available);
            for running in [None, Some(&toggled)] {
                let next = NextGround::new(&other, running).ok();
                let (over, change) = toggled.rebuilt_over(next, &room, &available).unwrap();
                assert_eq!((state(&over), change), (state(&fresh), None), "room {seed}, turn {turn}");
            }
            // The same with an obstacle less, and with the areas as the file has them.
            let mut moved = room.clone();
            moved.obstacles.pop();
            let next = NextGround::new(&moved, Some(&toggled)).unwrap();
            let handed_on = toggled.rebuilt_over(Some(next), &moved, &available).unwrap();
            let (rebuilt, change) = toggled.rebuilt(&moved, &available).unwrap();
            assert_eq!(
                (state(&handed_on.0), handed_on.1),
                (state(&rebuilt), change),
                "room {seed}, turn {turn}"
            );
            assert_eq!(state(&rebuilt), state(&Surface::new(&moved).unwrap()), "room {seed}, turn {turn}");
            for _ in 0..8 {
                let places = [(); 2].map(|()| open_place(random, &all));
                let [Some(from), Some(to)] = places else { continue };
                let about = || format!("room {seed}, turn {turn}: {from:?} to {to:?}");
                let [one, other] = [&toggled, &fresh].map(|ground| {
                    let path = path(ground, &Query::new(from, to));
                    let answers = (ground.may_reach(from, to), ground.segment_clear(from, to));
                    let places = (ground.nearest(from, 2.0), ground.first_blocked(from, to.at));
                    (answers, places, ground.hidden_by(from, to), path)
                });
                assert_eq!(one, other, "{}", about());
                paths += usize::from(one.0.0);
                apart += usize::from(!one.0.0);
            }
        }
    }
    assert!(changes > rooms && paths > rooms * 4 && apart > rooms, "{changes} {paths} {apart}");
}

/// Corners of an area that is closed at first: paths turn at them once it is open.
#[test]
fn paths_turn_at_the_corners_of_an_area_that_was_opened() {
    let file = r#"{"ground": "mesh", "agentRadius": 0.2, "objectPadding": 0, "areas": [{"name": "l",
        "polygon": [[0,0], [6,0], [6,2], [2,2], [2,6], [0,6]], "available": false}]}"#;
    let mut ground = Surface::new(&crate::room::parse("l.json", file.as_bytes()).unwrap().room).unwrap();
    ground.set_area_available(ground.area_named("l").unwrap(), true);
    let path = path(&ground, &Query::new(dvec2(5.0, 1.0), dvec2(1.0, 5.0)));
    assert_eq!(path.outcome, Outcome::Complete);
    assert!((path.length_m - 2.0 * 10.0_f64.sqrt()).abs() < 1e-9, "{path:?}");
}
